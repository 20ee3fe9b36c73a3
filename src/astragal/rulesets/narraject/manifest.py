"""The Narraject ruleset: layout of a sheet, meters, overrides, prices of a rewind, and all chapters joined."""

from collections.abc import Iterator, Sequence

from astragal.game import Character, Overridable, Price, Ruleset, meters, replace, skin_shelf, words_in
from astragal.game.display import AtHand, Hand, Piece, Score, Tags, Track

from .advancement import ADVANCEMENT, BUYS, POINTS
from .duel import DUEL
from .gathering import tags
from .hand import MEASURE, Difficulty, breakdown, chances_of_a_hand, roll_hand
from .harm import HARM, RECOVERY, RESERVES, STRESS
from .heroes import HERO_BOOK, HEROES
from .intent import INTENT
from .scene import SCENE
from .state import BOXES, LEAST_RATING, MOST_RATING, TERMS, Game, Options, Sheet, Stat, State, focus_cap, track_of
from .state import Track as Harmed
from .traits import TRAITS, pay_with_burdens

# ---------------------------------------------------------------- the sheet


def furniture(who: Character[Sheet], _: State) -> Sequence[Piece]:
    """List the pieces of a sheet: stats and what hinders them first, then stress, traits and Narrative Points."""
    sheet = who.sheet
    stress = [
        Track(f"{one.value.capitalize()} stress", sheet.stress(one), tuple(map(str, range(BOXES + 1))))
        for one in Harmed
    ]
    return [*stats(who), *hindered(sheet), *stress, *traits(sheet), POINTS.piece(sheet, BUYS)]


def stats(who: Character[Sheet]) -> Iterator[Piece]:
    """NJ-11, NJ-12: each stat, which a click rolls, and its Reserve."""
    for stat in Stat:
        rating = who.sheet.ratings[stat]
        doc = f"up to {focus_cap(rating)} points of Focus in a roll"
        yield Score(stat.title, rating, doc, command="attempt", fields=(("who", who.id), ("stat", stat.value)))
        yield RESERVES[stat].piece(who, doc)


def hindered(sheet: Sheet) -> Iterator[Hand]:
    """NJ-10: the dice of every hindered stat before help. Help and the floor are added when it is rolled."""
    for stat in Stat:
        burdens = [(one.name, -one.grade.dice) for one in sheet.burdens if one.name in sheet.pressing]
        conditions = [(one.label, -one.grade.dice) for one in sheet.conditions if one.track is track_of(stat)]
        if hindering := [*burdens, *conditions, *((term.name, term.dice) for term in tags(sheet, stat))]:
            yield Hand(f"{stat.title} before help", ((stat.value, sheet.ratings[stat]), *hindering))


def traits(sheet: Sheet) -> Iterator[Piece]:
    """List traits, Conditions and background. A click on a trait fills the field of the command that takes its name."""
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
            yield Tags(label, words, names, fills=(label.casefold(), label.casefold().removesuffix("s")))
    if sheet.conditions:
        yield Tags("Conditions", tuple(one.words for one in sheet.conditions))
    if sheet.taken_out:
        yield Tags("State", ("taken out",))
    if sheet.about:
        yield Tags("About", (sheet.about,))


METERS = meters.Meters(*RESERVES.values(), *STRESS.values(), POINTS)

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
    measures=(MEASURE,),
    tables={"hands": chances_of_a_hand},
    skins=skin_shelf(__package__, lambda: NARRAJECT),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda _: Game(),
    chapters=(HEROES, INTENT, SCENE, TRAITS, HARM, METERS, RECOVERY, ADVANCEMENT),
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
    everyday=words_in(__package__, "everyday.toml"),
    at_hand=AtHand(
        heroes=("attempt", "declare_intent", "defend", "offer_help", "treat", "take_stress", "press_burden"),
        others=("take_stress",),
    ),
    sheet_page=__package__,
)
