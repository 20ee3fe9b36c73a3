"""Rerolls: Inspiration, and abilities that throw one die again after it was seen. SP-18, SP-19."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import product
from typing import Annotated, NamedTuple

from msgspec import Struct

from astragal.chance import Chance, Odds, Offer, Rolls, Tray, d20
from astragal.game import Chapter, Character, Command, Event, Refusal, Seen, Value, meters, replace
from astragal.game.fields import CharacterId, Doc, Ge, Le, Words
from astragal.game.rolls import Footing, ended_by_roll
from astragal.game.shared import DayPassed, conditions_on, ends_with

from .catalogue import Pool
from .pools import POINTS, check_points
from .state import Ability, Call, Per, RollKind, Sheet, State, WithPoints

REROLLS = Chapter(seen=Seen.ALL)

INSPIRATION = "inspiration"
KEEP = "keep"
REROLL = "reroll"
"""The name of the offer to throw a die again."""

# ---------------------------------------------------------------- throwing a die again


class Asks(Enum):
    """Choice of when a roller with rerolls at hand is asked for one."""

    IF_IT_FAILS = "if it fails"
    ALWAYS = "always"
    NEVER = "never"


class Source(Value, kw_only=False):
    """Source of a reroll, and the highest face that it may throw again."""

    name: str = INSPIRATION
    up_to: Annotated[int, Ge(1), Le(20), Doc("the highest face that may be rerolled")] = 20


class Again(Value, kw_only=False):
    """The rerolls at hand, each for one die, and when they are offered."""

    sources: tuple[Source, ...] = ()
    asks: Annotated[Asks, Doc("when the roller is asked")] = Asks.IF_IT_FAILS

    @classmethod
    def held_by(cls, sheet: Sheet, kind: RollKind, pool: Pool, asks: Asks) -> Again:
        """SP-18, SP-19: Inspiration where it is held, and the abilities that fit and have uses left."""
        sources = []
        if sheet.inspiration:
            sources.append(Source(INSPIRATION))
        for ability in sheet.abilities:
            if ability.is_for_roll(kind, pool) and sheet.uses_left(ability):
                sources.append(Source(ability.name, ability.up_to))
        return cls(tuple(sources), asks)

    def after(self, declared: Declared, with_points: WithPoints) -> Again:
        """SP-18: drop Inspiration where it was declared for advantage, or where points were and the option is `no`."""
        excludes_points = declared.points and with_points is WithPoints.NO
        if not declared.inspired and not excludes_points:
            return self
        sources = tuple(source for source in self.sources if source.name != INSPIRATION)
        return Again(sources, self.asks)


NO_REROLLS = Again()


class Thrown(NamedTuple):
    """The die that counts, and what was used up on the way to it."""

    natural: int
    rerolled: tuple[str, ...] = ()


class AllDice(Chance[tuple[int, ...]], Struct, frozen=True):
    """The die, or both of them, higher first, for a roller who may still choose one to reroll."""

    footing: Footing

    def throw(self, tray: Tray) -> tuple[int, ...]:
        start = len(tray.rolled)
        faces = tray.draw_all(len(self.needs()), d20.sides)
        if self.footing is not Footing.LEVEL:
            dropped = min(faces) if self.footing is Footing.ADVANTAGE else max(faces)
            tray.drop((start + faces.index(dropped),))
        return higher_first(faces)

    def odds(self) -> Odds[tuple[int, ...]]:
        faces = d20.odds().weights
        number_of_dice = len(self.needs())
        return Odds.uniform(map(higher_first, product(faces, repeat=number_of_dice)))

    def needs(self) -> tuple[int, ...]:
        return self.footing.die(d20).needs()


def higher_first(faces: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(faces, reverse=True))


def throw_rerolled(stance: Footing, again: Again, is_enough: Callable[[int], bool], side: str = "who") -> Rolls[Thrown]:
    """SP-18, SP-19: throw, offer each reroll at hand once, for one die, then keep the die that counts."""
    if not again.sources or again.asks is Asks.NEVER:
        natural = yield from stance.die(d20)
        return Thrown(natural)
    dice = yield from AllDice(stance)
    counting = min if stance is Footing.DISADVANTAGE else max
    used: tuple[str, ...] = ()
    for _ in again.sources:
        if again.asks is Asks.IF_IT_FAILS and is_enough(counting(dice)):
            break
        reroll_by_answer = rerolls_on_offer(again.sources, dice, used)
        if not reroll_by_answer:
            break
        answer = yield from Offer(side, REROLL, (KEEP, *reroll_by_answer), about=(*dice, *used))
        if answer == KEEP:
            break
        reroll = reroll_by_answer[answer]
        new_face = yield from d20
        faces = list(dice)
        faces.remove(reroll.face)
        dice = higher_first((*faces, new_face))
        used = (*used, reroll.source)
    return Thrown(counting(dice), used)


class Reroll(NamedTuple):
    """A source that throws a die with this face again."""

    source: str
    face: int


def rerolls_on_offer(sources: Sequence[Source], dice: tuple[int, ...], used: tuple[str, ...]) -> dict[str, Reroll]:
    """SP-18, SP-19: rerolls by their answer: of each source that is not used up, for each face that it may reroll."""
    faces = higher_first(set(dice))
    reroll_by_answer = {}
    for source in sources:
        if source.name in used:
            continue
        for face in faces:
            if face <= source.up_to:
                answer = source.name if len(faces) == 1 else f"{source.name} on the {face}"
                reroll_by_answer[answer] = Reroll(source.name, face)
    return reroll_by_answer


class Declared(NamedTuple):
    """Points, and Inspiration for advantage, declared before any die."""

    points: int = 0
    inspired: bool = False

    def check(self, state: State, who: Character[Sheet], pool: Pool) -> None:
        """SP-18: refuse a declaration before any die, with the numbers."""
        check_points(who, pool, self.points)
        if self.inspired and not who.sheet.inspiration:
            raise Refusal(f"{who.name} holds no Inspiration.", code="no_inspiration")
        if self.inspired and self.points and state.options.inspiration_with_points is not WithPoints.YES:
            why = "Inspiration gives advantage to a roll without points, or points go in without it."
            raise Refusal(why, code="twice")


# ---------------------------------------------------------------- Inspiration


INSPIRATION_METER = meters.Meter(
    INSPIRATION,
    most=lambda _: 1,
    seen=Seen.ALL,
    loses="spends",
    counted=lambda _, teller: teller.term(INSPIRATION),
    closed=lambda _: True,  # one is held at most, so the log need not say how many are left
    override="Inspiration held, 0 or 1",
    limit=1,
)


@REROLLS.command("award_inspiration")
class AwardInspiration(Command):
    """Award Inspiration. Nobody holds more than one."""

    who: Annotated[CharacterId, Doc("who is inspired")]
    why: Annotated[Words, Doc("what for")] = ""

    def does(self, call: Call) -> list[meters.Gained]:
        """SP-18: awarded by the game master; one is held at most."""
        who = call.state.find(self.who)
        if who.sheet.inspiration:
            raise Refusal(f"{who.name} holds Inspiration already.", code="full")
        return INSPIRATION_METER.gained(who, 1, self.why)


# ---------------------------------------------------------------- abilities


def ability_faults(abilities: Sequence[Ability]) -> list[str]:
    """SP-19: list faults: players choose a reroll by name, so each ability needs one of its own."""
    names = [ability.name.casefold() for ability in abilities]
    faults = [f"an ability can't be called {name!r}" for name in names if name in (INSPIRATION, KEEP)]
    for name in sorted(set(names)):
        if names.count(name) > 1:
            faults.append(f"two abilities are called {name!r}")
    return faults


@REROLLS.event("ability_used", says="{who} uses {name}")
class AbilityUsed(Event):
    """SP-19: a reroll with a name was used."""

    who: CharacterId
    name: str

    def changes(self, sheet: Sheet) -> Sheet:
        uses = sheet.used.get(self.name, 0) + 1
        return replace(sheet, used={**sheet.used, self.name: uses})


@REROLLS.event("abilities_renewed", says="abilities of the {per} are fresh again for {who}")
class AbilitiesRenewed(Event):
    """SP-19: abilities that were used up in a day or an encounter can be used again."""

    per: Per
    who: tuple[CharacterId, ...]

    def fold(self, state: State) -> State:
        for who in self.who:
            sheet = state.find(who).sheet
            renewed_names = {ability.name for ability in sheet.abilities if ability.per is self.per}
            still_used = {name: uses for name, uses in sheet.used.items() if name not in renewed_names}
            state = state.changed(who, used=still_used)
        return state


def renewed(state: State, per: Per) -> list[AbilitiesRenewed]:
    """SP-19: renew the abilities of everyone who has used some."""
    users = tuple(who for who, character in state.characters.items() if character.sheet.has_used(per))
    if not users:
        return []
    return [AbilitiesRenewed(per=per, who=users)]


@REROLLS.after(DayPassed)
def uses_come_back_with_the_day(state: State, _: DayPassed) -> list[AbilitiesRenewed]:
    """SP-19: renew uses per day."""
    return renewed(state, Per.DAY)


@ends_with(REROLLS, "encounter")
def uses_come_back_with_the_encounter(state: State, _: str) -> list[AbilitiesRenewed]:
    """SP-19: renew uses per encounter."""
    return renewed(state, Per.ENCOUNTER)


def used_up(
    state: State, who: Character[Sheet], pool: Pool, declared: Declared, reroll_sources: Iterable[str]
) -> Iterator[Event]:
    """SP-03, SP-18, SP-19: yield what a roll cost, whether or not it succeeded, and end what held for one roll."""
    yield from POINTS[pool].lost(who, declared.points)
    if declared.inspired:
        yield from INSPIRATION_METER.lost(who, 1, "for advantage")
    for source in reroll_sources:
        if source == INSPIRATION:
            yield from INSPIRATION_METER.lost(who, 1, "for a reroll")
        else:
            yield AbilityUsed(who=who.id, name=source)
    yield from ended_by_roll(conditions_on(state, who.id))
