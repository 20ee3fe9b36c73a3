"""Narraject as a whole: sheets and rolls as they are shown, its meters, the price of a rewind, and its chapters."""

from collections.abc import Iterator, Sequence

from astragal.chance import Question
from astragal.game import (
    Chapter,
    Character,
    Event,
    Measure,
    Nature,
    Overridable,
    Price,
    Refusal,
    Ruleset,
    Seen,
    Teller,
    replace,
    skin_shelf,
)
from astragal.game.display import AtHand, Hand, Piece, Score, Tags, Track
from astragal.game.fields import CharacterId, Name
from astragal.game.meters import Meters

from .advancement import ADVANCEMENT, POINTS
from .duel import DUEL
from .gathering import tags
from .hand import (
    Difficulty,
    Outcome,
    Source,
    chances_of_a_hand,
    dice_words,
    is_success,
    name_of,
    roll_dice,
    roll_hand,
    success_words,
)
from .harm import HARM, RECOVERY, RESERVES, STRESS
from .heroes import HERO_BOOK, HEROES
from .intent import INTENT
from .scene import SCENE
from .state import (
    BOXES,
    LEAST_RATING,
    MOST_RATING,
    TERMS,
    Burden,
    Game,
    Grade,
    Options,
    Sheet,
    Stat,
    State,
    focus_cap,
    track_of,
)
from .state import Track as Harmed
from .traits import TRAITS

AT_HAND = AtHand(
    heroes=("take_stress", "award_points", "attempt", "defend", "offer_help", "treat"), others=("take_stress",)
)

# ---------------------------------------------------------------- the sheet


def furniture(who: Character[Sheet]) -> Sequence[Piece]:
    """Stats first, what each of them would roll with nothing else; then harm, and who the hero is."""
    sheet = who.sheet
    stress = [
        Track(f"{one.value.capitalize()} stress", sheet.stress(one), tuple(map(str, range(BOXES + 1))))
        for one in Harmed
    ]
    hands = [stat_hand(sheet, stat) for stat in Stat]
    return [*stats(who), *hands, *stress, *traits(sheet), POINTS.piece(sheet)]


def stats(who: Character[Sheet]) -> Iterator[Piece]:
    """NJ-11, NJ-12: a click on a stat rolls it."""
    for stat in Stat:
        rating = who.sheet.ratings[stat]
        doc = f"up to {focus_cap(rating)} points of Focus in a roll"
        yield Score(stat.title, rating, doc, command="attempt", fields=(("who", who.id), ("stat", stat.value)))
        yield RESERVES[stat].piece(who, doc)


def stat_hand(sheet: Sheet, stat: Stat) -> Hand:
    """NJ-10, NJ-21: what counts on every roll of a stat, before anything is chosen."""
    burdens = [(one.name, -one.grade.dice) for one in sheet.burdens if one.name in sheet.pressing]
    conditions = [(one.label, -one.grade.dice) for one in sheet.conditions if one.track is track_of(stat)]
    hampering = [(term.name, term.dice) for term in tags(sheet, stat)]
    return Hand(f"{stat.title} hand", ((stat.value, sheet.ratings[stat]), *burdens, *conditions, *hampering))


def traits(sheet: Sheet) -> Iterator[Piece]:
    """What stands on the sheet; what a roll can call on by name fills the field of the command that takes it."""
    pressing = dict.fromkeys(sheet.pressing, ", pressing")
    stowed = dict.fromkeys(sheet.stowed, ", stowed")
    callable_on = {
        "Anchors": [(one.name, one.words) for one in sheet.anchors],
        "Burdens": [(one.name, one.words + pressing.get(one.name, "")) for one in sheet.burdens],
        "Assets": [(one.name, one.words + stowed.get(one.name, "")) for one in sheet.assets],
    }
    for label, known in callable_on.items():
        if known:
            names, words = zip(*known, strict=True)
            yield Tags(label, words, names, fills=(label.casefold(),))
    if sheet.conditions:
        yield Tags("Conditions", tuple(one.words for one in sheet.conditions))
    if sheet.taken_out:
        yield Tags("State", ("taken out",))
    if sheet.about:
        yield Tags("About", (sheet.about,))


# ---------------------------------------------------------------- how a roll was calculated

NAMED_BY_PLAYERS = frozenset({Source.ANCHOR, Source.ASSET, Source.ASPECT, Source.BURDEN, Source.CONDITION})
"""A name alone does not say which of these it is."""


def breakdown(question: Question[Outcome], teller: Teller) -> Iterator[tuple[str, str]]:
    """NJ-05, NJ-10: the hand, source by source; what it comes to, and what was needed."""
    hand, difficulty = question.named["hand"], question.named["difficulty"]
    rating, *others = hand.terms
    yield rating.called(teller), str(rating.dice)
    for term in others:
        kind = f"{teller.term(term.source.value)}: " if term.source in NAMED_BY_PLAYERS else ""
        name = f"{kind}{term.called(teller)}"
        yield name[:1].upper() + name[1:], f"{'−' if term.dice < 0 else '+'}{abs(term.dice)}"
    yield "The hand", dice_words(hand.dice)
    if hand.idle:
        yield f"{teller.term('focus')} without effect", str(hand.idle)
    yield "Needed", f"{success_words(difficulty)} ({name_of(difficulty).value})"


METERS = Meters(*RESERVES.values(), *STRESS.values(), POINTS)

# ---------------------------------------------------------------- the price of a rewind

REWINDS = Chapter(seen=Seen.ALL)


@REWINDS.event("burden_paid", nature=Nature.LASTING, says="{who} bears a new {burden}: {name} ({grade})")
class BurdenPaid(Event):
    """A rewind left a Burden, for good."""

    who: CharacterId
    name: Name
    grade: Grade

    def fold(self, state: State) -> State:
        if self.who not in state.characters:
            return state
        burdens = state.characters[self.who].sheet.burdens
        return state.changed(self.who, burdens=(*burdens, Burden(name=self.name, grade=self.grade)))


def pay_with_burdens(state: State, amount: int) -> list[BurdenPaid]:
    """Each hero bears a new Burden: minor for 1, moderate for 2, major for 3 and more."""
    grade, told = Grade.of(min(amount, 3)) or Grade.MINOR, []
    for hero in (one for one in state.characters.values() if one.seat is not None):
        name, number = "Echo of what was undone", 1
        while hero.sheet.has_name(name):
            number += 1
            name = f"Echo of what was undone ({number})"
        told.append(BurdenPaid(who=hero.id, name=name, grade=grade))
    if not told:
        raise Refusal("There is nobody to pay for this.", code="price")
    return told


# ---------------------------------------------------------------- overrides


def override_rating(stat: Stat) -> Overridable:
    return Overridable(
        f"the Rating of {stat.title}",
        (LEAST_RATING, MOST_RATING),
        lambda sheet: sheet.ratings[stat],
        lambda sheet, rating: replace(sheet, ratings=sheet.ratings.but(stat, rating)),
    )


# ---------------------------------------------------------------- the game

NARRAJECT: Ruleset = Ruleset(
    id="narraject",
    name="Narraject",
    version="1",
    books=("Narraject: Core Mechanics",),
    about="Say what you want to be true, gather a hand of dice from all that you are, and count the fives and sixes.",
    dice="d6",
    rules=(roll_hand,),
    duel=DUEL,
    measures=(
        Measure(
            game="narraject",
            name="Narraject",
            words="a difficulty of {difficulty} with {dice}d6",
            ask=roll_dice,
            success=is_success,
            ranges={"difficulty": range(1, 12), "dice": range(1, 21)},
            steady=True,
        ),
    ),
    tables={"hands": chances_of_a_hand},
    skins=skin_shelf(__package__, lambda: NARRAJECT),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda _: Game(),
    chapters=(HEROES, INTENT, SCENE, TRAITS, HARM, METERS, RECOVERY, ADVANCEMENT, REWINDS),
    furniture=furniture,
    breakdown=breakdown,
    terms=TERMS,
    difficulties={name.value: name.successes for name in Difficulty},
    prices={
        "reserve": METERS.price("points of Reserve from each hero, from whichever stat holds most", *RESERVES.values()),
        "burden": Price("a new Burden for each hero: minor for 1, moderate for 2, major for 3", pay_with_burdens),
    },
    overrides={**{stat.value: override_rating(stat) for stat in Stat}, **METERS.overrides},
    heroes=HERO_BOOK,
    foes="raise_threat",
    at_hand=AT_HAND,
    sheet_page=__package__,
)
