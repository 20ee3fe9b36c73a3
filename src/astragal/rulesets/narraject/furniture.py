"""A hero's sheet as pieces that every surface can lay out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from astragal.table.furniture import Hand, Piece, Pips, Score, Tags, Track
from astragal.table.state import Character

from .gathering import tags
from .hand import Source, Term
from .harm import BOXES, track_of
from .harm import Track as Harmed
from .sheet import MOST_POINTS, Sheet
from .stats import Stat, focus_cap, reserve_capacity
from .words import anchor_words, asset_words, burden_words, condition_words


def furniture(who: Character[Sheet]) -> Sequence[Piece]:
    """Stats first, what each of them would roll with nothing else; then harm, and who the hero is."""
    sheet = who.sheet
    return [*_stats(who), *(_hand(sheet, stat) for stat in Stat), *_stress(sheet), *_injections(sheet), *_held(sheet)]


def _stats(who: Character[Sheet]) -> Iterator[Piece]:
    for stat in Stat:
        rating = who.sheet.ratings[stat]
        doc = f"up to {focus_cap(rating)} points of Focus in a roll"
        fields = (("who", who.id), ("stat", stat.value))
        yield Score(stat.title, rating, doc, command="attempt", fields=fields)
        left, capacity = who.sheet.reserves[stat], reserve_capacity(rating)
        yield Pips(f"{stat.title} Reserve", left, max(left, capacity), doc)


def _hand(sheet: Sheet, stat: Stat) -> Hand:
    """NJ-10, NJ-21: what counts on every roll of a stat, before anything is chosen."""
    terms = (Term(Source.RATING, sheet.ratings[stat], stat.title), *_always(sheet, stat))
    return Hand(f"{stat.title} hand", tuple((term.name, term.dice) for term in terms))


def _always(sheet: Sheet, stat: Stat) -> Iterator[Term]:
    for burden in sheet.burdens:
        if sheet.is_pressed_by(burden):
            yield Term(Source.BURDEN, -burden.grade.dice, burden.name)
    for condition in sheet.conditions:
        if condition.track is track_of(stat):
            yield Term(Source.CONDITION, -condition.grade.dice, condition.label)
    yield from tags(sheet, stat)


def _stress(sheet: Sheet) -> Iterator[Piece]:
    for track in Harmed:
        yield Track(f"{track.value.capitalize()} stress", sheet.stress(track), tuple(map(str, range(BOXES + 1))))


def _injections(sheet: Sheet) -> Iterator[Piece]:
    yield from _named("Anchors", [(one.name, anchor_words(one)) for one in sheet.anchors])
    pressing = {one.name: ", pressing" for one in sheet.burdens if sheet.is_pressed_by(one)}
    yield from _named("Burdens", [(one.name, burden_words(one) + pressing.get(one.name, "")) for one in sheet.burdens])
    stowed = {one.name: ", stowed" for one in sheet.assets if one not in sheet.carried}
    yield from _named("Assets", [(one.name, asset_words(one) + stowed.get(one.name, "")) for one in sheet.assets])
    labelled = {
        "Conditions": [condition_words(one) for one in sheet.conditions],
        "State": ["taken out"] if sheet.taken_out else [],
    }
    for label, words in labelled.items():
        if words:
            yield Tags(label, tuple(words))


def _named(label: str, known: Sequence[tuple[str, str]]) -> Iterator[Piece]:
    """What a roll can call on by name."""
    if known:
        names, words = zip(*known, strict=True)
        yield Tags(label, words, names, fills=(label.casefold(),))


def _held(sheet: Sheet) -> Iterator[Piece]:
    yield Pips("Narrative Points", sheet.points, MOST_POINTS)
