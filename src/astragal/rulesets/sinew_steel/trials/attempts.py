"""Tests of attributes and of Luck, and what needs no dice. SS-01 to SS-06, SS-09, SS-20, SS-24, SS-29, SS-41."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Annotated, Any

from astragal.chance import Question
from astragal.game import (
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Chapter,
    Command,
    Doing,
    Event,
    Fact,
    Named,
    Refusal,
    Seen,
    Teller,
    Value,
    Viewer,
)
from astragal.game.display import RollCard, Tone, Went
from astragal.game.fields import CharacterId, Doc, Seldom, Words
from astragal.game.rolls import Advantage, Disadvantage
from astragal.game.shared import ConditionEnded, EveningBegan, Fate, FateRecorded, Request, RequestId, find_request, met
from astragal.rulesets.sinew_steel.combat.stamina import Lethal, check_called, is_warned
from astragal.rulesets.sinew_steel.luck import Stand, degree, is_hoped_for, luck_test, nudged_test
from astragal.rulesets.sinew_steel.options import LuckTarget
from astragal.rulesets.sinew_steel.scores import STAMINA
from astragal.rulesets.sinew_steel.state import AttributeKey, Call, Said, State, find, known_key
from astragal.rulesets.sinew_steel.story.fortune import WITH_LUCK, luck_after, spent_by

from .prices import (
    FailurePrice,
    PressureOnFailure,
    StaminaOnFailure,
    Tampering,
    at_risk,
    price_paid,
    roll_in,
    tampering,
)
from .roller import Roller, ShownRoll, check_acts, deciders, may_spend, used_up
from .rolling import Roll

TRIALS = Chapter(seen=Seen.ALL)


@TRIALS.names("attribute")
def attributes_named(state: State) -> list[Named]:
    return [Named(key, state.terms.get(key, key)) for key in state.options.attributes]


@TRIALS.names("score")
def scores_named(state: State) -> list[Named]:
    return [*attributes_named(state), Named(STAMINA, state.terms.get(STAMINA, STAMINA))]


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
    price: FailurePrice = FailurePrice()
    """SS-51: what was named as the price of a failure."""

    def says(self, teller: Teller) -> str:
        costs = f"; a failure costs {self.price.words(teller)}" if self.price else ""
        return self.roll.told(teller, f"{self.stakes}{costs}", lethal=self.lethal)

    def went(self, _: Teller) -> Went:
        return self.roll.went()


@TRIALS.event("luck_tried", owner="who")
class LuckTried(Tried):
    """Luck was tested."""

    why: Words = ""

    def fold(self, state: State) -> State:
        return state.with_game(luck_tests=state.game.luck_tests + 1)


class Ready(Value, kw_only=False):
    """A test that can be rolled: by whom, what for, and the request that it meets."""

    roller: Roller
    stakes: str
    lethal: Fate | None
    request: Request | None
    price: FailurePrice = FailurePrice()

    @classmethod
    def of(
        cls,
        call: Call,
        asked: Trial | TryLuck,
        key: str,
        *,
        always_asked: bool = False,
        price: tuple[int, int] | None = None,
    ) -> Ready:
        """SS-09, SS-32, SS-41: what is at stake is said with the roll, or was said when it was asked for."""
        who, request = find(call.state, asked.who), None
        if asked.request:
            request = find_request(call.state, asked.request, asked.who)
        stakes = asked.stakes.strip() or (request.what_for if request else "")
        if not stakes:
            why = "Say what is at stake; where nothing is, no roll is needed."
            raise Refusal(why, code="no_stakes", field="stakes")
        check_acts(call, who, on_luck=key == call.state.options.luck)
        roller = Roller.of(call, who, key, asked.advantage, asked.disadvantage, always_asked=always_asked)
        called, lethal = request.fields.get("lethal") if request else None, asked.lethal
        if called in [fate.value for fate in Fate]:
            lethal = Fate(called)
        else:
            check_called(call, who, lethal)
        named = FailurePrice.of(*price, request, lethal) if price else FailurePrice()
        return cls(roller, stakes, lethal, request, named)

    @property
    def is_warned(self) -> bool:
        return is_warned(self.roller.who, self.lethal)

    @property
    def rolled_with(self) -> tuple[int, Stand, bool]:
        """Score, stand, and whether the roller is warned: what the rules of a test begin with."""
        return self.roller.score, self.roller.stand, self.is_warned

    def risked(self, call: Call) -> Question[Any]:
        """SS-51: the test with its price, which may put a track at risk."""
        return tampering(*self.rolled_with, *at_risk(call, self.roller.who, self.price), price=self.price)

    def told(self, call: Call, came: Roll | Tampering, why: str | None = None) -> list[Any]:
        """The test with what it cost, the request that it met, and the price or the fate that it brought."""
        who, roll = self.roller.who, roll_in(came)
        fields: dict[str, Any] = {"who": who.id, "roll": self.roller.shown(roll), "stakes": self.stakes}
        fields |= {"lethal": self.lethal is not None, "price": self.price}
        tried = Tried(**fields) if why is None else LuckTried(**fields, why=why)
        told: list[Any] = [*spent_by(call.state, (who.id, roll)), tried, *([met(self.request)] if self.request else [])]
        if isinstance(came, Tampering):
            told += price_paid(call, who, came, self.price)
        if self.lethal is not None and not roll.success:
            told.append(FateRecorded(who=who.id, fate=self.lethal, told=self.stakes))
        return told


def sides_of_test(state: State, who: str) -> Mapping[str, str]:
    """SS-55: whom a crisis strikes decides for themselves, and the custodian for the crisis."""
    return deciders(state, who=who, struck=who, custodian=state.game_master)


# ---------------------------------------------------------------- tests of an attribute


class Trial(Command):
    """What every test of an attribute is asked with."""

    who: Annotated[CharacterId, Doc("who rolls")]
    attribute: Annotated[AttributeKey, Doc("the key of the attribute")]
    stakes: Annotated[Words, Doc("what is at stake, unless the request says so")] = ""
    request: Annotated[RequestId | None, Doc("the request that this roll meets")] = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    lethal: Lethal = None

    def ready(self, call: Call, **further: Any) -> Ready:
        key = known_key(call.state.options, self.attribute)
        if key == call.state.options.luck:
            raise Refusal("Luck is tested by luck_test, which says why no attribute will do.", code="luck_test")
        return Ready.of(call, self, key, **further)

    def sides(self, call: Call) -> Mapping[str, str]:
        return sides_of_test(call.state, self.who)

    def hides(self, call: Call) -> bool:
        return find(call.state, self.who).sheet.is_closed


TRIED: dict[str, Any] = {
    "may": GAME_MASTER_OR_OWNER,
    "actor": "who",
    "outcome": lambda came: degree(roll_in(came)),
    "hopes": is_hoped_for,
    "after": luck_after(lambda came: roll_in(came).spent),
}


STAKES = ("stakes", "what happens next")
"""SS-09: said of a roll of which nobody says more."""


def trial_card(title: str, short: str = "{who} rolls", hopes: str = "to make it") -> RollCard:
    """The card of a test of an attribute."""
    return RollCard(
        title=title, short=short, notes=("{attribute} {score}",), hopes=hopes, words=(STAKES,), spends="luck"
    )


@TRIALS.command("test", **TRIED, policies=WITH_LUCK, card=trial_card("{who} tests {attribute}"))
class Attempt(Trial):
    """Roll a d20 at or under an attribute. Luck may be spent once the die is seen."""

    ask: Annotated[bool, Doc("whether to stop for Luck even where no spend changes anything"), Seldom()] = False
    pressure_on_failure: PressureOnFailure = 0
    stamina_on_failure: StaminaOnFailure = 0

    def does(self, call: Call) -> Doing[Any]:
        """SS-51: a price is named before the roll, with the request for it or with the roll itself."""
        price = (self.pressure_on_failure, self.stamina_on_failure)
        ready = self.ready(call, always_asked=self.ask, price=price)
        came = yield ready.risked(call) if ready.price else nudged_test(*ready.rolled_with)
        return ready.told(call, came)


# ---------------------------------------------------------------- Luck tests


@TRIALS.command(
    "luck_test",
    **TRIED,
    card=RollCard(
        title="{who} trusts to {luck}",
        short="{who} rolls",
        notes=("{luck} {score}",),
        hopes="to be lucky",
        words=(("why", "it is down to luck"), STAKES),
    ),
)
class TryLuck(Command):
    """Roll a d20 at or under the tokens now held: for what no attribute covers."""

    who: Annotated[CharacterId, Doc("whose Luck")]
    why: Annotated[Said, Doc("why no attribute covers it")]
    stakes: Annotated[Words, Doc("what is at stake, unless the request says so")] = ""
    request: Annotated[RequestId | None, Doc("the request that this roll meets")] = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    lethal: Lethal = None
    pressure_on_failure: PressureOnFailure = 0
    stamina_on_failure: StaminaOnFailure = 0

    def does(self, call: Call) -> Doing[Any]:
        """SS-20, SS-24: against the tokens, which can be spent on it only where the target is frozen."""
        who, options = find(call.state, self.who), call.state.options
        ready = Ready.of(call, self, options.luck, price=(self.pressure_on_failure, self.stamina_on_failure))
        if not who.sheet.is_hero and not who.sheet.luck:
            raise Refusal(f"{who.name} holds no tokens, so there is no Luck to test.", code="no_tokens")
        if ready.price:
            came = yield ready.risked(call)
            return ready.told(call, came, self.why)
        roll = yield luck_test(
            ready.roller.score,
            ready.roller.stand.footing,
            options.luck_test_target if may_spend(call, who, options.luck) else LuckTarget.LIVE,
            ready.is_warned,
            surcharge=ready.roller.stand.surcharge,
            favours=ready.roller.stand.favours,
        )
        return ready.told(call, roll, self.why)

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


@TRIALS.event("luck_tests_forgotten", says="the count of {luck} tests starts again")
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
