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
        who = find_able(call.state, self.who)
        self.check_focus(who)
        stat = self.stat
        rating = who.sheet.ratings[stat]
        terms = (Term(Source.RATING, rating, stat.value), *self.helping(call, who), *self.hindering(call, who))
        floor = call.state.options.hand_floor.dice(rating)
        return HandParts(terms, floor).hand(self.focus)

    def check_focus(self, who: Character[Sheet]) -> None:
        """NJ-12, NJ-13: refuse more Focus than the cap allows or the Reserve holds."""
        stat = self.stat
        cap = focus_cap(who.sheet.ratings[stat])
        reserve = who.sheet.reserves[stat]
        if self.focus > cap:
            raise TooMuchFocus(
                f"{who.name} can put {cap} points of Focus into a roll on {stat.title}, not {self.focus}."
            )
        if self.focus > reserve:
            raise TooMuchFocus(f"{who.name} has {reserve} points left in {stat.title}, not {self.focus}.")

    def helping(self, call: Call, who: Character[Sheet]) -> Iterator[Term]:
        """NJ-14: all Anchors that apply, or the one that was chosen. NJ-17: Assets. NJ-18, NJ-25: aspects."""
        sheet = who.sheet
        names_of_anchors = (*self.anchors, *self.named_as_aspects(sheet.anchors))
        anchors = find_each(who, sheet.anchors, names_of_anchors, "Anchor")
        if len(anchors) > 1 and call.state.options.anchors_per_roll is AnchorsPerRoll.ONE:
            raise Refusal(f"One Anchor counts on a roll here, not {len(anchors)}: choose.", code="one_anchor")
        for anchor in anchors:
            yield Term(Source.ANCHOR, anchor.grade.dice, anchor.name)
        names_of_assets = (*self.assets, *self.named_as_aspects(sheet.assets))
        for asset in find_each(who, sheet.carried, names_of_assets, "Asset to hand"):
            yield Term(Source.ASSET, asset.dice, asset.name)
        for aspect in self.invoked(call, who):
            yield Term(Source.ASPECT, aspect.dice, aspect.name)

    def hindering(self, call: Call, who: Character[Sheet]) -> Iterator[Term]:
        """NJ-15: Burdens that are named or press. NJ+03: Conditions, and conditions of the table. NJ-17: tags."""
        sheet = who.sheet
        track = track_of(self.stat)
        names_of_burdens = (*sheet.pressing, *self.burdens, *self.named_as_aspects(sheet.burdens))
        for burden in find_each(who, sheet.burdens, names_of_burdens, "Burden"):
            yield Term(Source.BURDEN, -burden.grade.dice, burden.name)
        for condition in sheet.conditions:
            if condition.track is track:
                yield Term(Source.CONDITION, -condition.grade.dice, condition.label)
        for condition_of_table in conditions_on(call.state, who.id):
            numbers = condition_of_table.numbers
            dice = numbers.get(track.value, 0) + numbers.get(self.stat.value, 0)
            if dice < 0:
                name = "something unknown" if condition_of_table.hidden is True else condition_of_table.name
                yield Term(Source.CONDITION, dice, name)
        yield from tags(sheet, self.stat)

    def named_as_aspects(self, traits: tuple[T, ...]) -> list[str]:
        """NJ-19: return names given as aspects that are traits on the sheet; each counts once, as that trait."""
        return [name for name in self.aspects if named(traits, name)]

    def invoked(self, call: Call, who: Character[Sheet]) -> list[Aspect]:
        """NJ-19, NJ-23: the aspects of scene and story that a roll invokes, each once."""
        aspect_by_id = {}
        for name in self.aspects:
            if not who.sheet.has_name(name):
                aspect = KEPT_ASPECTS.find(call, name)
                aspect_by_id[aspect.id] = aspect
        for aspect in aspect_by_id.values():
            if aspect.open_to is not None and who.id not in aspect.open_to:
                message = f"“{aspect.name}” is not open to {who.name}; the game master allows that."
                raise Refusal(message, code="not_open")
        return [aspect for aspect in aspect_by_id.values() if not who.sheet.has_name(aspect.name)]

    def used_up(self, call: Call) -> tuple[str, ...]:
        """Return the ids of invoked aspects that end with this roll."""
        aspects = self.invoked(call, call.state.find(self.who))
        return tuple(aspect.id for aspect in aspects if aspect.once)


def find_each(who: Character[Sheet], traits: tuple[T, ...], names: Iterable[str], kind: str) -> tuple[T, ...]:
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
    """NJ-13: up to the Focus cap, and no more points than are left in the Reserve."""
    most = min(focus_cap(rating), left)
    return range(max(0, most) + 1)


def focus_to_spend(call: Call, roll: Gathered) -> range:
    """NJ-13: the points of Focus that can be spent on this roll."""
    sheet = call.state.find(roll.who).sheet
    return legal_focus(sheet.ratings[roll.stat], sheet.reserves[roll.stat])


def focus_held(call: Call, roll: Gathered) -> str:
    """NJ-12: the points left in the stat's Reserve, in words."""
    reserve = call.state.find(roll.who).sheet.reserves[roll.stat]
    stat = call.state.terms.get(roll.stat.value, roll.stat.title)
    return f"{reserve} in {stat}"


def dice_in_hand(call: Call, roll: Gathered) -> int:
    """NJ-20: count the dice of the hand; Focus that only replaces dice of the floor adds none."""
    return roll.hand(call).dice


def rolls_a_hand(*, notes: tuple[str, ...], **card: Any) -> dict[str, Any]:
    """Shared options of commands that roll a hand, with these words on the card. NJ-13: it notes the Reserve left."""
    return {
        "actor": "who",
        "spend": Spend("focus", focus_to_spend, worth=dice_in_hand, held=focus_held),
        "outcome": lambda outcome: outcome.result,
        "hopes": lambda result: result is Result.SUCCESS,
        "card": RollCard(**card, notes=(*notes, "{left} Reserve left"), counts=LEAST_FACE, spends="focus"),
    }
