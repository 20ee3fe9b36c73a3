"""Gathering a hand from the sheet, the scene and the story, and Focus to add to it. NJ-10 to NJ-21, NJ-24."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, TypeAlias

from astragal.game import Character, Command, Doing, Refusal, Spend
from astragal.game.display import RollCard
from astragal.game.fields import Doc, Ge, Le, Name
from astragal.game.shared import conditions_on

from .hand import LEAST_FACE, Hand, HandParts, Outcome, Result, Source, Term
from .scene import KEPT_ASPECTS, Invoked
from .state import AnchorsPerRoll, Aspect, Call, Sheet, Stat, T, Who, find_able, find_named, focus_cap, named, track_of

# ---------------------------------------------------------------- what a roll names

HandRoll: TypeAlias = Doing[Outcome]
"""Return type of `does` for commands that roll a hand."""


class Gathered(Command):
    """NJ-10: base of commands that roll a hand: fields for everything it is gathered from."""

    who: Who
    focus: Annotated[int, Ge(0), Le(12), Doc("NJ-13: points of Reserve to spend, a die each")] = 0
    anchors: Annotated[tuple[Name, ...], Doc("NJ-14: the Anchors that apply")] = ()
    assets: Annotated[tuple[Name, ...], Doc("NJ-17: the Assets that help")] = ()
    aspects: Annotated[Invoked, Doc("NJ-18: the aspects that are invoked, by name")] = ()
    burdens: Annotated[tuple[Name, ...], Doc("NJ-15: the Burdens that apply, besides those that press")] = ()

    @property
    def stat(self) -> Stat:
        """NJ-11: the stat that is rolled. Commands that leave it open declare it as a field."""
        raise NotImplementedError

    def hand(self, call: Call) -> Hand:
        """NJ-10: gather the hand to be rolled, or refuse it. Nothing is spent yet."""
        who, stat = find_able(call.state, self.who), self.stat
        rating, left = who.sheet.ratings[stat], who.sheet.reserves[stat]
        if self.focus > focus_cap(rating):
            raise TooMuchFocus(
                f"{who.name} can put {focus_cap(rating)} points of Focus into a roll on {stat.title}, not {self.focus}."
            )
        if self.focus > left:
            raise TooMuchFocus(f"{who.name} has {left} points left in {stat.title}, not {self.focus}.")
        terms = (Term(Source.RATING, rating, stat.value), *self.helping(call, who), *self.hindering(call, who))
        return HandParts(terms, call.state.options.hand_floor.dice(rating)).hand(self.focus)

    def helping(self, call: Call, who: Character[Sheet]) -> Iterator[Term]:
        """NJ-14: all Anchors that apply, or the one that was chosen. NJ-17: Assets. NJ-18, NJ-25: aspects."""
        sheet = who.sheet
        anchors = found(who, sheet.anchors, (*self.anchors, *self.named_as_aspects(sheet.anchors)), "Anchor")
        if len(anchors) > 1 and call.state.options.anchors_per_roll is AnchorsPerRoll.ONE:
            raise Refusal(f"One Anchor counts on a roll here, not {len(anchors)}: choose.", code="one_anchor")
        yield from (Term(Source.ANCHOR, anchor.grade.dice, anchor.name) for anchor in anchors)
        assets = found(who, sheet.carried, (*self.assets, *self.named_as_aspects(sheet.assets)), "Asset to hand")
        yield from (Term(Source.ASSET, asset.dice, asset.name) for asset in assets)
        yield from (Term(Source.ASPECT, aspect.dice, aspect.name) for aspect in self.invoked(call, who))

    def hindering(self, call: Call, who: Character[Sheet]) -> Iterator[Term]:
        """NJ-15: Burdens that are named or press. NJ+03: Conditions, and conditions of the table. NJ-17: tags."""
        sheet, track = who.sheet, track_of(self.stat)
        named_burdens = (*sheet.pressing, *self.burdens, *self.named_as_aspects(sheet.burdens))
        for burden in found(who, sheet.burdens, named_burdens, "Burden"):
            yield Term(Source.BURDEN, -burden.grade.dice, burden.name)
        for condition in sheet.conditions:
            if condition.track is track:
                yield Term(Source.CONDITION, -condition.grade.dice, condition.label)
        for held in conditions_on(call.state, who.id):
            dice = held.numbers.get(track.value, 0) + held.numbers.get(self.stat.value, 0)
            if dice < 0:
                yield Term(Source.CONDITION, dice, "something unknown" if held.hidden is True else held.name)
        yield from tags(sheet, self.stat)

    def named_as_aspects(self, traits: tuple[T, ...]) -> list[str]:
        """NJ-19: return names given as aspects that are traits on the sheet; each counts once, as that trait."""
        return [name for name in self.aspects if named(traits, name)]

    def invoked(self, call: Call, who: Character[Sheet]) -> list[Aspect]:
        """NJ-19, NJ-23: the aspects of scene and story that a roll invokes, each once."""
        said = [name for name in self.aspects if not who.sheet.has_name(name)]
        aspects = {aspect.id: aspect for aspect in (KEPT_ASPECTS.find(call, name) for name in said)}
        for aspect in aspects.values():
            if aspect.open_to is not None and who.id not in aspect.open_to:
                raise Refusal(
                    f"“{aspect.name}” is not open to {who.name}; the game master allows that.", code="not_open"
                )
        return [aspect for aspect in aspects.values() if not who.sheet.has_name(aspect.name)]

    def used_up(self, call: Call) -> tuple[str, ...]:
        """Return the ids of invoked aspects that end with this roll."""
        return tuple(one.id for one in self.invoked(call, call.state.find(self.who)) if one.once)


def found(who: Character[Sheet], traits: tuple[T, ...], names: Iterable[str], kind: str) -> tuple[T, ...]:
    """Look up traits by name, each once."""
    return tuple(dict.fromkeys(find_named(who, traits, name, kind) for name in names))


def tags(sheet: Sheet, stat: Stat) -> Iterator[Term]:
    """NJ-17: drawbacks of a carried Asset count whether or not the Asset helps."""
    for asset in sheet.carried:
        for tag in asset.tags:
            if tag.hampers(stat):
                yield Term(Source.TAG, -tag.dice, f"{asset.name} ({tag.name})")


# ---------------------------------------------------------------- Focus


class TooMuchFocus(Refusal):
    code = "too_much_focus"


def legal_focus(rating: int, left: int) -> range:
    """NJ-13: up to the Focus cap, and no more than the Reserve holds."""
    return range(max(0, min(focus_cap(rating), left)) + 1)


def focus_to_spend(call: Call, asked: Gathered) -> range:
    """NJ-13: the points of Focus that can be spent on this roll."""
    sheet = call.state.find(asked.who).sheet
    return legal_focus(sheet.ratings[asked.stat], sheet.reserves[asked.stat])


def focus_held(call: Call, asked: Gathered) -> str:
    """NJ-12: the points left in the stat's Reserve, in words."""
    left = call.state.find(asked.who).sheet.reserves[asked.stat]
    return f"{left} in {call.state.terms.get(asked.stat.value, asked.stat.title)}"


def dice_in_hand(call: Call, asked: Gathered) -> int:
    """NJ-20: count the dice of the hand; Focus that only replaces dice of the floor adds none."""
    return asked.hand(call).dice


def rolls_a_hand(*, notes: tuple[str, ...], **card: Any) -> dict[str, Any]:
    """Shared options of commands that roll a hand, with these words on the card. NJ-13: it notes the Reserve left."""
    return {
        "actor": "who",
        "spend": Spend("focus", focus_to_spend, worth=dice_in_hand, held=focus_held),
        "outcome": lambda outcome: outcome.result,
        "hopes": lambda result: result is Result.SUCCESS,
        "card": RollCard(**card, notes=(*notes, "{left} Reserve left"), counts=LEAST_FACE, spends="focus"),
    }
