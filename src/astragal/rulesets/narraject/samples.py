"""Heroes to begin with, each from another world. All are of power level 2."""

from __future__ import annotations

from .accounts import HeroFile
from .anchors import Anchor, Burden, Grade, Scope
from .assets import HEAVY, Asset, Level, Tag
from .stats import ByStat, Stat

TOVE = HeroFile(
    name="Tove Lindqvist",
    about="A salvage diver on a drowned coast where the church towers still ring at low tide.",
    ratings=ByStat(might=3, agility=3, intellect=2, persona=2),
    anchors=(
        Anchor(name="Breath of a Seal", grade=Grade.MODERATE, scope=Scope.SPECIFIC),
        Anchor(name="Reads the Tide", grade=Grade.MINOR),
        Anchor(name="Hauls and Hoists", grade=Grade.MODERATE),
    ),
    burdens=(
        Burden(name="Brother Down There", grade=Grade.MODERATE),
        Burden(name="Half Deaf", grade=Grade.MINOR),
        Burden(name="In Debt to the Harbour", grade=Grade.MINOR),
    ),
    assets=(
        Asset(name="Brass Helmet", level=Level.QUALITY, armour=1, tags=(HEAVY,)),
        Asset(name="Pry Bar"),
    ),
)

ORSINO = HeroFile(
    name="Orsino Vale",
    about="A disgraced court composer in a city where treaties are sung, and a wrong note is a declaration of war.",
    ratings=ByStat(might=1, agility=2, intellect=4, persona=4),
    anchors=(
        Anchor(name="Perfect Pitch", grade=Grade.MAJOR, scope=Scope.SPECIFIC),
        Anchor(name="Knows Every Scandal", grade=Grade.MODERATE),
        Anchor(name="Letters of Introduction", grade=Grade.MINOR),
        Anchor(name="Duelling Master's Pupil", grade=Grade.MINOR, scope=Scope.SPECIFIC),
    ),
    burdens=(
        Burden(name="Vain to the Bone", grade=Grade.MODERATE),
        Burden(name="Banned From the Palace", grade=Grade.MODERATE),
        Burden(name="Delicate Hands", grade=Grade.MINOR),
        Burden(name="Drinks Alone", grade=Grade.MINOR),
    ),
    assets=(Asset(name="Walnut Viol", level=Level.MASTERWORK), Asset(name="Dress Sword")),
)

MAREK = HeroFile(
    name="Marek Odd-Hours",
    about="The night repairman of an orbital tenement whose landlord stopped answering eleven years ago.",
    ratings=ByStat(might=2, agility=2, intellect=5, persona=1),
    anchors=(
        Anchor(name="Fixes Anything Once", grade=Grade.MAJOR),
        Anchor(name="Crawls Through Ducts", grade=Grade.MINOR, scope=Scope.SPECIFIC),
        Anchor(name="Owed Favours on Every Deck", grade=Grade.MODERATE),
    ),
    burdens=(
        Burden(name="Says the Wrong Thing", grade=Grade.MAJOR),
        Burden(name="No Papers", grade=Grade.MODERATE),
        Burden(name="Old Pressure Burns", grade=Grade.MINOR),
    ),
    assets=(
        Asset(name="Rebuilt Multitool", level=Level.QUALITY),
        Asset(name="Patched Vacuum Suit", stated=0, armour=2, tags=(Tag(name="Bulky", stats=(Stat.AGILITY,)),)),
        Asset(name="Box of Fuses"),
    ),
)

SISTER_AGNES = HeroFile(
    name="Sister Agnes",
    about="A nun who keeps the last lending library of a valley that burns its books each autumn.",
    ratings=ByStat(might=1, agility=2, intellect=3, persona=3),
    anchors=(
        Anchor(name="Memory for Pages", grade=Grade.MAJOR, scope=Scope.SPECIFIC),
        Anchor(name="Nobody Suspects a Nun", grade=Grade.MODERATE),
        Anchor(name="Herbs and Bandages", grade=Grade.MINOR),
    ),
    burdens=(
        Burden(name="Will Not Lie", grade=Grade.MODERATE),
        Burden(name="Short of Breath", grade=Grade.MODERATE),
        Burden(name="The Bishop's Eye", grade=Grade.MINOR),
    ),
    assets=(Asset(name="Mule and Cart"), Asset(name="Hollow Prayer Book", level=Level.QUALITY)),
)

DAGNY = HeroFile(
    name="Dagny Twice-Hanged",
    about="A drover on the salt road, whom the hangman of two counties could not keep down.",
    ratings=ByStat(might=4, agility=3, intellect=1, persona=3),
    anchors=(
        Anchor(name="Hard to Kill", grade=Grade.MODERATE),
        Anchor(name="Horses Come When Called", grade=Grade.MODERATE, scope=Scope.SPECIFIC),
        Anchor(name="Stares Men Down", grade=Grade.MINOR),
        Anchor(name="Salt Road by Heart", grade=Grade.MINOR, scope=Scope.SPECIFIC),
        Anchor(name="Cards Up the Sleeve", grade=Grade.MINOR, scope=Scope.SPECIFIC),
    ),
    burdens=(
        Burden(name="A Price on the Head", grade=Grade.MAJOR),
        Burden(name="Rope-scarred Voice", grade=Grade.MINOR),
        Burden(name="Never Learned to Read", grade=Grade.MODERATE),
        Burden(name="Hates a Closed Door", grade=Grade.MINOR),
        Burden(name="Pays Every Debt", grade=Grade.MINOR),
    ),
    assets=(Asset(name="Bullwhip", level=Level.QUALITY), Asset(name="Sheepskin Coat", armour=1)),
)

SAMPLES = (TOVE, ORSINO, MAREK, SISTER_AGNES, DAGNY)
