"""The Narraject ruleset: layout of a sheet, meters, overrides, prices of a rewind, and all chapters joined."""

from collections.abc import Iterator, Mapping, Sequence

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
from .state import (
    BOXES,
    LEAST_RATING,
    MOST_RATING,
    TERMS,
    Game,
    Options,
    Sheet,
    Stat,
    State,
    Trait,
    focus_cap,
    track_of,
)
from .state import Track as Harmed
from .traits import TRAITS, pay_with_burdens

NO_REMARKS: Mapping[str, str] = {}

# ---------------------------------------------------------------- the sheet


def furniture(who: Character[Sheet], _: State) -> Sequence[Piece]:
    """List the pieces of a sheet: stats and what hinders them first, then stress, traits and Narrative Points."""
    sheet = who.sheet
    return [*stats(who), *hindered(sheet), *stress_tracks(sheet), *traits(sheet), POINTS.piece(sheet, BUYS)]


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
        hindrances = list(hindrances_to(sheet, stat))
        if hindrances:
            yield Hand(f"{stat.title} before help", ((stat.value, sheet.ratings[stat]), *hindrances))


def hindrances_to(sheet: Sheet, stat: Stat) -> Iterator[tuple[str, int]]:
    """Yield the name and the dice of everything that takes dice from rolls on this stat."""
    for burden in sheet.burdens:
        if burden.name in sheet.pressing:
            yield burden.name, -burden.grade.dice
    for condition in sheet.conditions:
        if condition.track is track_of(stat):
            yield condition.label, -condition.grade.dice
    for tag in tags(sheet, stat):
        yield tag.name, tag.dice


def stress_tracks(sheet: Sheet) -> Iterator[Track]:
    """NJ+03: both tracks of stress, with their boxes."""
    boxes = tuple(str(number) for number in range(BOXES + 1))
    for track in Harmed:
        yield Track(f"{track.value.capitalize()} stress", sheet.stress(track), boxes)


def traits(sheet: Sheet) -> Iterator[Piece]:
    """List traits, Conditions and background. A click on a trait fills the field of the command that takes its name."""
    if sheet.anchors:
        yield traits_to_name("anchor", sheet.anchors)
    if sheet.burdens:
        yield traits_to_name("burden", sheet.burdens, dict.fromkeys(sheet.pressing, ", pressing"))
    if sheet.assets:
        yield traits_to_name("asset", sheet.assets, dict.fromkeys(sheet.stowed, ", stowed"))
    if sheet.conditions:
        yield Tags("Conditions", tuple(condition.words for condition in sheet.conditions))
    if sheet.taken_out:
        yield Tags("State", ("taken out",))
    if sheet.about:
        yield Tags("About", (sheet.about,))


def traits_to_name(kind: str, traits: Sequence[Trait], remarks: Mapping[str, str] = NO_REMARKS) -> Tags:
    """Make tags of traits of one kind. A click fills the field `anchor` or `anchors`, whichever the command has."""
    names = tuple(trait.name for trait in traits)
    words = tuple(trait.words + remarks.get(trait.name, "") for trait in traits)
    return Tags(f"{kind.capitalize()}s", words, names, fills=(f"{kind}s", kind))


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
    overrides={stat.value: override_rating(stat) for stat in Stat} | dict(METERS.overrides),
    heroes=HERO_BOOK,
    foes="raise_threat",
    everyday=words_in(__package__, "everyday.toml"),
    at_hand=AtHand(
        heroes=("attempt", "declare_intent", "defend", "offer_help", "treat", "take_stress", "press_burden"),
        others=("take_stress",),
    ),
    sheet_page=__package__,
)
