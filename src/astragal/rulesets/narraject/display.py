"""Display: sheets, the game master's tools, and the breakdown of a roll."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from astragal.chance import Question
from astragal.game import Character, Teller
from astragal.game.display import AtHand, Hand, Piece, Score, Tags, Track

from .advancement import POINTS
from .gathering import tags
from .hand import Outcome, Source, dice_words, name_of, success_words
from .recovery import RESERVES
from .sheet import BOXES, Sheet, Stat, focus_cap, track_of
from .sheet import Track as Harmed

EVERYDAY: Mapping[str, str] = {
    "make_hero": "new hero, character, player character, pc, create",
    "declare_intent": "intent, want, plan, goal, do, try, action",
    "attempt": "roll, test, check, try, act",
    "say_yes": "auto success, no roll, just happens, allow",
    "grant_aspect": "aspect, advantage, scene, bonus, dice",
    "allow_aspect": "aspect, who may use, permission",
    "end_aspect": "remove aspect, gone",
    "offer_help": "assist, aid, help, support",
    "inject": "fact, declare, invent, story, make true",
    "veto_injection": "veto, undo fact, no, reject",
    "press_burden": "burden, flaw, weakness, compel",
    "lift_burden": "burden, relief, remove flaw",
    "gain_asset": "item, gear, give, loot, inventory",
    "lose_asset": "item, gear, drop, lose, inventory",
    "carry_asset": "item, gear, equip, stow, inventory",
    "take_stress": "hurt, damage, harm, wound, injure, stress",
    "bring_back": "revive, wake, recover, return",
    "raise_threat": "enemy, monster, foe, danger, npc, new enemy, bring in",
    "end_threat": "kill, defeat, remove enemy, beaten",
    "defend": "dodge, resist, block, parry, save, react",
    "treat": "heal, cure, medicine, first aid, recover",
    "award_points": "xp, experience, reward, narrative points, give points",
    "buy_anchor": "anchor, bond, xp, spend points, improve",
    "raise_anchor": "anchor, bond, xp, spend points, improve",
    "ease_burden": "burden, flaw, xp, spend points",
    "raise_stat": "xp, level up, improve, spend points, rating",
}
"""What people type when they look for a command."""

AT_HAND = AtHand(
    heroes=("take_stress", "award_points", "attempt", "defend", "offer_help", "treat"),
    others=("take_stress",),
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
