"""Tests of attributes and of Luck, and what needs no dice. SS-01 to SS-06, SS-09, SS-20, SS-24, SS-29, SS-41."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Annotated, Any

from astragal.game import (
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Chapter,
    Command,
    Doing,
    Event,
    Fact,
    Refusal,
    Seen,
    Teller,
    Value,
    Viewer,
)
from astragal.game.display import Tone, Went
from astragal.game.fields import CharacterId, Doc, Seldom, Words
from astragal.game.rolls import Advantage, Disadvantage
from astragal.game.shared import ConditionEnded, EveningBegan, RequestId, find_request, met
from astragal.rulesets.sinew_steel.combat.stamina import FateRecorded, Lethal, check_called, is_warned
from astragal.rulesets.sinew_steel.luck import Stand, degree, is_hoped_for, luck_test, nudged_test
from astragal.rulesets.sinew_steel.options import LuckTarget
from astragal.rulesets.sinew_steel.state import AttributeKey, Call, Fate, Said, State, find, known_key
from astragal.rulesets.sinew_steel.story.fortune import WITH_LUCK, spent_by

from .roller import Roller, ShownRoll, check_acts, deciders, may_spend, used_up
from .rolling import Roll

TRIALS = Chapter(seen=Seen.ALL)

MANY_LUCK_TESTS = 2
"""SS-29: once or twice an evening is what the book has in mind."""

# ---------------------------------------------------------------- what every test has


@TRIALS.event("tried", owner="who")
class Tried(Event):
    """An attribute was tested."""

    who: CharacterId
    roll: ShownRoll
    stakes: Words
    lethal: bool

    def says(self, teller: Teller) -> str:
        return self.roll.told(teller, self.stakes, lethal=self.lethal)

    def went(self, _: Teller) -> Went:
        return self.roll.went()


@TRIALS.event("luck_tried", owner="who")
class LuckTried(Event):
    """Luck was tested."""

    who: CharacterId
    roll: ShownRoll
    why: Words
    stakes: Words
    lethal: bool

    def says(self, teller: Teller) -> str:
        return self.roll.told(teller, self.stakes, lethal=self.lethal)

    def went(self, _: Teller) -> Went:
        return self.roll.went()

    def fold(self, state: State) -> State:
        return state.with_game(luck_tests=state.game.luck_tests + 1)


def stakes_of(call: Call, asked: Trial | TryLuck) -> str:
    """SS-09: what is at stake is said with the roll, or was said when it was asked for."""
    asked_for = find_request(call.state, asked.request, asked.who).what_for if asked.request else ""
    stakes = asked.stakes.strip() or asked_for
    if not stakes:
        raise Refusal("Say what is at stake; where nothing is, no roll is needed.", code="no_stakes")
    return stakes


def lethal_stakes_of(call: Call, asked: Trial | TryLuck) -> Fate | None:
    """SS-41: the stakes as they were called, with the roll or with the request for it."""
    if asked.request:
        called = find_request(call.state, asked.request, asked.who).fields.get("lethal")
        if called in [fate.value for fate in Fate]:
            return Fate(called)
    check_called(call, find(call.state, asked.who), asked.lethal)
    return asked.lethal


def told_with(
    call: Call, asked: Trial | TryLuck, roll: Roll, tried: Tried | LuckTried, lethal: Fate | None
) -> list[Any]:
    """A test with what it cost, the fate that it brought, and the request that it met."""
    told: list[Any] = [*spent_by(call.state, (tried.who, roll)), tried]
    if lethal is not None and not roll.success:
        told.append(FateRecorded(who=tried.who, fate=lethal, told=tried.stakes))
    if asked.request:
        told.append(met(find_request(call.state, asked.request, asked.who)))
    return told


def sides_of_test(state: State, who: str) -> Mapping[str, str]:
    """SS-55: whom a crisis strikes decides for themselves, and the custodian for the crisis."""
    return deciders(state, who=who, struck=who, custodian=state.game_master)


# ---------------------------------------------------------------- tests of an attribute


class Ready(Value, kw_only=False):
    """A test of an attribute that can be rolled."""

    roller: Roller
    stakes: str
    lethal: Fate | None

    @property
    def rolled_with(self) -> tuple[int, Stand, bool]:
        """Score, stand, and whether the roller is warned: what the rules of a test begin with."""
        return self.roller.score, self.roller.stand, is_warned(self.roller.who, self.lethal)


class Trial(Command):
    """What every test of an attribute is asked with."""

    who: Annotated[CharacterId, Doc("who rolls")]
    attribute: Annotated[AttributeKey, Doc("the key of the attribute")]
    stakes: Annotated[Words, Doc("what is at stake, unless the request says so")] = ""
    request: Annotated[RequestId | None, Doc("the request that this roll meets")] = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    lethal: Lethal = None

    def ready(self, call: Call, *, always_asked: bool = False) -> Ready:
        """SS-09, SS-32, SS-41: whether it can be rolled, and with what."""
        options, who = call.state.options, find(call.state, self.who)
        key = known_key(options, self.attribute)
        if key == options.luck:
            raise Refusal("Luck is tested by luck_test, which says why no attribute will do.", code="luck_test")
        stakes = stakes_of(call, self)
        check_acts(call, who)
        roller = Roller.of(call, who, key, self.advantage, self.disadvantage, always_asked=always_asked)
        return Ready(roller, stakes, lethal_stakes_of(call, self))

    def told(self, call: Call, ready: Ready, roll: Roll) -> list[Any]:
        shown, is_lethal = ready.roller.shown(roll), ready.lethal is not None
        tried = Tried(who=self.who, roll=shown, stakes=ready.stakes, lethal=is_lethal)
        return told_with(call, self, roll, tried, ready.lethal)

    def sides(self, call: Call) -> Mapping[str, str]:
        return sides_of_test(call.state, self.who)

    def hides(self, call: Call) -> bool:
        return find(call.state, self.who).sheet.is_closed


@TRIALS.command("test", may=GAME_MASTER_OR_OWNER, actor="who", outcome=degree, hopes=is_hoped_for, policies=WITH_LUCK)
class Attempt(Trial):
    """Roll a d20 at or under an attribute. Luck may be spent once the die is seen."""

    ask: Annotated[bool, Doc("whether to stop for Luck even where no spend changes anything"), Seldom()] = False

    def does(self, call: Call) -> Doing[Roll]:
        ready = self.ready(call, always_asked=self.ask)
        roll = yield nudged_test(*ready.rolled_with)
        return self.told(call, ready, roll)


# ---------------------------------------------------------------- Luck tests


@TRIALS.command("luck_test", may=GAME_MASTER_OR_OWNER, actor="who", outcome=degree, hopes=is_hoped_for)
class TryLuck(Command):
    """Roll a d20 at or under the tokens now held: for what no attribute covers."""

    who: Annotated[CharacterId, Doc("whose Luck")]
    why: Annotated[Said, Doc("why no attribute covers it")]
    stakes: Annotated[Words, Doc("what is at stake, unless the request says so")] = ""
    request: Annotated[RequestId | None, Doc("the request that this roll meets")] = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    lethal: Lethal = None

    def does(self, call: Call) -> Doing[Roll]:
        """SS-20, SS-24: against the tokens, which can be spent on it only where the target is frozen."""
        who, luck = find(call.state, self.who), call.state.options.luck
        stakes = stakes_of(call, self)
        check_acts(call, who, on_luck=True)
        roller = Roller.of(call, who, luck, self.advantage, self.disadvantage)
        if not who.sheet.is_hero and not who.sheet.luck:
            raise Refusal(f"{who.name} holds no tokens, so there is no Luck to test.", code="no_tokens")
        lethal = lethal_stakes_of(call, self)
        roll = yield luck_test(
            roller.score,
            roller.stand.footing,
            call.state.options.luck_test_target if may_spend(call, who, luck) else LuckTarget.LIVE,
            is_warned(who, lethal),
            surcharge=roller.stand.surcharge,
            favours=roller.stand.favours,
        )
        is_lethal = lethal is not None
        tried = LuckTried(who=who.id, roll=roller.shown(roll), why=self.why, stakes=stakes, lethal=is_lethal)
        return told_with(call, self, roll, tried, lethal)

    def sides(self, call: Call) -> Mapping[str, str]:
        return sides_of_test(call.state, self.who)

    def hides(self, call: Call) -> bool:
        return find(call.state, self.who).sheet.is_closed


@TRIALS.event("luck_tests_counted", seen=Seen.GAME_MASTER)
class LuckTestsCounted(Event):
    """SS-29: Luck is tested often this evening."""

    tests: int

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master

    def says(self, teller: Teller) -> str:
        return f"{self.tests} tests of {teller.term('luck')} this evening; once or twice keeps it special"


@TRIALS.event("luck_tests_forgotten", says="tests of {luck} are counted anew")
class LuckTestsForgotten(Event):
    """A new evening counts its Luck tests anew."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master

    def fold(self, state: State) -> State:
        return state.with_game(luck_tests=0)


@TRIALS.after(LuckTried)
def many_luck_tests(state: State, _: LuckTried) -> list[LuckTestsCounted]:
    """SS-29: from the second in a session on the custodian is told."""
    tests = state.game.luck_tests
    return [LuckTestsCounted(tests=tests)] if tests >= MANY_LUCK_TESTS else []


@TRIALS.after(EveningBegan)
def new_evening(state: State, _: EveningBegan) -> list[LuckTestsForgotten]:
    return [LuckTestsForgotten()] if state.game.luck_tests else []


@TRIALS.after(Tried, LuckTried)
def trial_uses_up(state: State, rolled: Tried | LuckTried) -> list[ConditionEnded]:
    return used_up(state, rolled.who)


@TRIALS.due
def luck_tests(state: State, teller: Teller) -> Iterator[str]:
    """SS-29: after the second in a session the custodian is told."""
    if state.game.luck_tests >= MANY_LUCK_TESTS:
        yield f"{state.game.luck_tests} tests of {teller.term('luck')} this evening: let an attribute carry the next."


# ---------------------------------------------------------------- without dice


class Resolution(Enum):
    """SS-09: how something goes when nobody rolls for it."""

    YES = "yes"
    YES_BUT = "yes, but"
    NO_BUT = "no, but"


@TRIALS.fact("resolve", told="resolved", may=GAME_MASTER_ONLY, owner="who")
class Resolve(Fact):
    """Settle something without dice, where nothing is at stake or nothing is uncertain."""

    who: Annotated[CharacterId, Doc("who wants something")]
    answer: Annotated[Resolution, Doc("how it goes")]
    matter: Annotated[Said, Doc("what they want")]
    told: Annotated[Words, Doc("what comes of it, the “but” included")] = ""

    def check(self, call: Call) -> None:
        find(call.state, self.who)

    def says(self, teller: Teller) -> str:
        outcome = f" {self.told}" if self.told else ""
        return f"{teller.name(self.who)}: {self.matter} — {self.answer.value}.{outcome}"

    def went(self, _: Teller) -> Went:
        return Went(Tone.GOOD if self.answer is Resolution.YES else Tone.MIXED, self.answer.value)
