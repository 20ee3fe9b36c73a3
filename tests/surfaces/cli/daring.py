"""The game of a page, with all that a game may bring besides: heroes, a table of its book, a skin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from astragal.chance import Notable, odds
from astragal.table.authoring.display import OfferWords, Piece, Pips, Score
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.point_buy import Draw
from astragal.table.authoring.ruleset import AppliedSkin, BookTable, HeroBook, Plain, Repair, SkinShelf
from astragal.table.state.table import Character
from tests.table.dare import DARE, leap

NAMES = ("Kira", "Lund", "Mote")
SKIN = "nerve = Pluck\n"


def _furniture(one: Character[Any], _: Any) -> Sequence[Piece]:
    danger = Score("Danger", 5, command="dare", fields=(("who", one.id), ("danger", 5)))
    return [Pips("nerve", one.sheet.nerve, 6, "what is spent"), danger]


def _random(draw: Draw, wishes: Mapping[str, str], _: Any) -> Plain:
    return {"name": NAMES[draw(len(NAMES))], "fear": wishes.get("fear", "heights")}


def _repairs(hero: Plain, _: Any) -> Sequence[Repair]:
    return [Repair("call them Nobody", {**hero, "name": "Nobody"})] if not hero.get("name") else []


def _chances() -> BookTable:
    rows = tuple((str(d), f"{odds(leap(d, 0)).percent(lambda one: one.made_it)}") for d in range(1, 7))
    return BookTable("Chances to make it, in percent", ("danger", "made it"), rows)


def _faults(text: str, where: str) -> Sequence[str]:
    return [f"{where}, line {n}: no “=”" for n, line in enumerate(text.splitlines(), 1) if "=" not in line]


def _wear(text: str) -> AppliedSkin:
    pairs = [line.partition("=") for line in text.splitlines()]
    return AppliedSkin({}, {key.strip(): value.strip() for key, _, value in pairs})


def _told(note: Notable[int], _: Teller) -> OfferWords:
    return OfferWords(gets=f"pays {note.price}")


DARING = replace(
    DARE,
    furniture=_furniture,
    notable_words=_told,
    heroes=HeroBook(
        make="join",
        advance=("override",),
        samples=lambda _: {name: {"name": name} for name in NAMES},
        accounts=lambda hero, _: [f"{len(hero.get('name', ''))} letters"],
        repairs=_repairs,
        random=_random,
        wishes={"fear": "what they fear"},
    ),
    tables={"chances": _chances},
    skins=SkinShelf(
        shipped=lambda: {"plucky": SKIN},
        template=lambda: SKIN,
        faults=_faults,
        describe=lambda text: [f"It says: {text.strip()}"],
        wear=_wear,
    ),
)
