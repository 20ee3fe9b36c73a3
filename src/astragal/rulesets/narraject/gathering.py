"""A hand gathered from the sheet, the scene and the story. NJ-10, NJ-11, NJ-13 to NJ-20."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from astragal.table.chapters.conditions import conditions_on
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Call
from astragal.table.state import Character, State

from .asked import Gathered
from .focus import check_focus, legal_focus
from .game import Aspect
from .hand import Hand, Makings, Source, Term
from .harm import track_of
from .options import AnchorsPerRoll, Options
from .sheet import Sheet, find, find_named, named
from .stats import Stat

UNKNOWN = "something unknown"
"""What a hidden condition is called in a hand."""


def gather_hand(call: Call, asked: Gathered, stat: Stat) -> Hand:
    """NJ-10: the hand as it would be rolled, or a refusal; nothing is spent yet."""
    who = able(call.state, asked.who)
    check_focus(who.name, stat, who.sheet.ratings[stat], who.sheet.reserves[stat], asked.focus)
    return makings(call.state, who, asked, stat).hand(asked.focus)


def focus_range(call: Call, asked: Gathered, stat: Stat) -> range:
    """NJ-13: what can be spent on this roll."""
    sheet = find(call.state, asked.who).sheet
    return legal_focus(sheet.ratings[stat], sheet.reserves[stat])


def able(state: State, who: str) -> Character[Sheet]:
    """NJ+04: players roll, the world never does. NJ+03: who is taken out does not act."""
    found = find(state, who)
    if found.seat is None:
        raise Refusal(f"{found.name} is no player’s, and the world never rolls: name a difficulty.", code="never_rolls")
    if found.sheet.taken_out:
        raise Refusal(f"{found.name} is taken out.", code="taken_out")
    return found


def makings(state: State, who: Character[Sheet], asked: Gathered, stat: Stat) -> Makings:
    """NJ-10: everything but Focus, each with its source."""
    options: Options = state.options
    asked = under_their_own_terms(who.sheet, asked)
    rating = who.sheet.ratings[stat]
    terms = (
        Term(Source.RATING, rating, stat.value),
        *_anchors(who, asked, options),
        *_assets(who, asked),
        *_aspects(state, who, asked),
        *_burdens(who, asked),
        *_conditions(state, who, stat),
        *tags(who.sheet, stat),
    )
    return Makings(terms, options.hand_floor.dice(rating))


def under_their_own_terms(sheet: Sheet, asked: Gathered) -> Gathered:
    """NJ-19: what is named as an aspect and stands on the sheet counts once, as what it is there."""
    anchors = [name for name in asked.aspects if named(sheet.anchors, name)]
    assets = [name for name in asked.aspects if named(sheet.assets, name)]
    burdens = [name for name in asked.aspects if named(sheet.burdens, name)]
    return replace(
        asked,
        anchors=(*asked.anchors, *anchors),
        assets=(*asked.assets, *assets),
        burdens=(*asked.burdens, *burdens),
        aspects=tuple(name for name in asked.aspects if not sheet.has_name(name)),
    )


def invoked(state: State, who: Character[Sheet], asked: Gathered) -> tuple[Aspect, ...]:
    """NJ-19, NJ-23: the aspects of scene and story that a roll invokes, each once."""
    said = under_their_own_terms(who.sheet, asked).aspects
    found = {aspect.id: aspect for aspect in (find_aspect(state, one) for one in said)}
    for aspect in found.values():
        if not aspect.is_open_to(who.id):
            raise Refusal(f"“{aspect.name}” is not open to {who.name}; the game master allows that.", code="not_open")
    return tuple(aspect for aspect in found.values() if not who.sheet.has_name(aspect.name))


def find_aspect(state: State, said: str) -> Aspect:
    """An aspect by id or by name."""
    aspects = open_aspects(state)
    for aspect in aspects:
        if said == aspect.id or said.strip().casefold() == aspect.name.casefold():
            return aspect
    known = ", ".join(f"“{aspect.name}”" for aspect in aspects) or "none"
    raise NoSuchThing(f"There is no aspect {said[:40]!r} here: {known}.")


def open_aspects(state: State) -> list[Aspect]:
    """NJ-23: those that are listed at the table. One that a hidden difficulty conceals is for nobody yet."""
    return [aspect for aspect in state.game.aspects.values() if aspect.hidden is not True]


def used_up(state: State, asked: Gathered) -> tuple[str, ...]:
    """The invoked aspects that go with this roll."""
    said = {name.strip().casefold() for name in asked.aspects}
    return tuple(one.id for one in open_aspects(state) if one.once and said & {one.id, one.name.casefold()})


# ---------------------------------------------------------------- the terms


def _anchors(who: Character[Sheet], asked: Gathered, options: Options) -> list[Term]:
    """NJ-14: all that apply count, or the one that was chosen."""
    found = dict.fromkeys(find_named(who, who.sheet.anchors, name, "Anchor") for name in asked.anchors)
    if len(found) > 1 and options.anchors_per_roll is AnchorsPerRoll.ONE:
        raise Refusal(f"One Anchor counts on a roll here, not {len(found)}: choose.", code="one_anchor")
    return [Term(Source.ANCHOR, anchor.grade.dice, anchor.name) for anchor in found]


def _assets(who: Character[Sheet], asked: Gathered) -> list[Term]:
    """NJ-17: several may count."""
    found = dict.fromkeys(find_named(who, who.sheet.carried, name, "Asset to hand") for name in asked.assets)
    return [Term(Source.ASSET, asset.dice, asset.name) for asset in found]


def _aspects(state: State, who: Character[Sheet], asked: Gathered) -> list[Term]:
    """NJ-18, NJ-25: they add, and never take away."""
    return [Term(Source.ASPECT, aspect.dice, aspect.name) for aspect in invoked(state, who, asked)]


def _burdens(who: Character[Sheet], asked: Gathered) -> list[Term]:
    """NJ-15: all that apply count: those that were named, and those that press."""
    names = (*who.sheet.pressing, *asked.burdens)
    found = dict.fromkeys(find_named(who, who.sheet.burdens, name, "Burden") for name in names)
    return [Term(Source.BURDEN, -burden.grade.dice, burden.name) for burden in found]


def _conditions(state: State, who: Character[Sheet], stat: Stat) -> Iterator[Term]:
    """NJ+03: Conditions count on the stats of their track; so do the table's own, by stat or by track."""
    track = track_of(stat)
    for condition in who.sheet.conditions:
        if condition.track is track:
            yield Term(Source.CONDITION, -condition.grade.dice, condition.label)
    for held in conditions_on(state, who.id):
        dice = held.numbers.get(track.value, 0) + held.numbers.get(stat.value, 0)
        if dice < 0:
            yield Term(Source.CONDITION, dice, UNKNOWN if held.hidden is True else held.name)


def tags(sheet: Sheet, stat: Stat) -> Iterator[Term]:
    """NJ-17: a carried Asset hampers whether or not it helps."""
    for asset in sheet.carried:
        for tag in asset.tags:
            if tag.hampers(stat):
                yield Term(Source.TAG, -tag.dice, f"{asset.name} ({tag.name})")
