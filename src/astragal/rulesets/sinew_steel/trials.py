"""Tests of attributes and of Luck, and the price of failure. SS-09, SS-20, SS-24, SS-29, SS-30, SS-32, SS-41, SS-51."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Annotated, Any, NamedTuple, TypeAlias

from astragal.chance import Question, Rolls, rule
from astragal.game import Chapter, Character, Command, Doing, Event, Fact, Refusal, Seen, Teller, Value, replace, shared
from astragal.game.display import RollCard, Tone, Went
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaySet, Named, Seldom, Words
from astragal.game.rolls import Advantage, Disadvantage
from astragal.game.shared import ConditionEnded, EveningBegan, Fate, FateRecorded, Request, RequestId, find_request, met

from .harm import STAMINA_METER, Lethal, check_called, is_warned
from .luck import WITH_LUCK, luck_after, luck_test, nudged_test, spent_by
from .options import LuckTarget
from .pressure import Crisis, Possessions, TrackStep, check_free, losable, rise_events, rising, step, track_of
from .rolls import LEVEL, Roll, Roller, Score, ShownRoll, Stand, check_acts, deciders, may_spend, used_up
from .scores import STAMINA
from .state import AttributeKey, Call, RequiredWords, Sheet, State, find_hero, known_key

TRIALS = Chapter(seen=Seen.ALL)

PressureOnFailure: TypeAlias = Annotated[
    int, Ge(0), Le(5), MaySet.PROPOSAL, Seldom(), Doc("by how much Pressure rises if it fails")
]
StaminaOnFailure: TypeAlias = Annotated[int, Ge(0), Le(5), MaySet.PROPOSAL, Seldom(), Doc("Stamina lost if it fails")]


class FailurePrice(Value, kw_only=False, seen=Seen.ALL):
    """Price of a failure. It is named before the roll, and the roll applies it."""

    pressure: Annotated[int, Ge(0), Le(5), Doc("by how much Pressure rises")] = 0
    stamina: Annotated[int, Ge(0), Le(5), Doc("Stamina lost")] = 0

    def __bool__(self) -> bool:
        return bool(self.pressure or self.stamina)

    @classmethod
    def of(cls, pressure: int, stamina: int, request: Request | None, lethal: Fate | None) -> FailurePrice:
        """SS-09: the price in the request, or else the roll's. SS-41: an agreed fate is the price of a lethal roll."""
        fields = request.fields if request else {}
        price = cls(
            pressure=requested_or(fields.get("pressure_on_failure"), pressure),
            stamina=requested_or(fields.get("stamina_on_failure"), stamina),
        )
        if price and lethal:
            raise Refusal("Lethal stakes are the price already: name one or the other.", code="lethal")
        return price

    def words(self, teller: Teller) -> str:
        costs = []
        if self.pressure:
            costs.append(f"{self.pressure} {teller.term('pressure')}")
        if self.stamina:
            costs.append(f"{self.stamina} {teller.term('stamina')}")
        return " and ".join(costs)


def requested_or(requested: object, rolled_with: int) -> int:
    """The request's figure, clamped to 0 to 5 since requests may hold anything; otherwise the roll's."""
    if not isinstance(requested, int):
        return rolled_with
    return min(5, max(0, requested))


ONE_PRESSURE = FailurePrice(pressure=1)
"""SS-51, SS-67: the price of a tampering and of a ritual."""


class Tampering(NamedTuple):
    """Result of a risky test, with the crisis if its failure brought one."""

    roll: Roll
    crisis: Crisis | None = None


@rule
def tampering(
    score: Score,
    stand: Stand = LEVEL,
    lethal: Annotated[bool, Doc("whether life is at stake, so that the roller is warned first")] = False,
    before: TrackStep = 0,
    carried: Possessions = (),
    *,
    price: Annotated[FailurePrice, Doc("what a failure costs")] = ONE_PRESSURE,
) -> Rolls[Tampering]:
    """SS-51, SS-67: a test of an attribute; failure adds 1 to the track, or costs the price that was named."""
    roll = yield from nudged_test(score, stand, lethal)
    if roll.success:
        return Tampering(roll)
    crisis = yield from rising(before, price.pressure, carried)
    return Tampering(roll, crisis)


def roll_in(result: Roll | Tampering) -> Roll:
    if isinstance(result, Tampering):
        return result.roll
    return result


DoingTest: TypeAlias = Doing[Any]
"""A test asks a question whose verdict is a `Roll`, or one whose verdict is a `Tampering`; no type of one question says
that: hence Any."""


class Risk(NamedTuple):
    """SS-51: what a failure puts at risk: a track at its step, and items that a crisis could take."""

    step: int
    possessions: tuple[str, ...]


def at_risk(call: Call, who: Character[Sheet], price: FailurePrice) -> Risk:
    """SS-51: what the price of a failure puts at risk. SS-54: a track is not put at risk during a decision."""
    if not price.pressure:
        return Risk(step=0, possessions=())
    hero = find_hero(call.state, who.id)
    track = track_of(call.state, hero.id)
    check_free(call, track)
    return Risk(step=step(call.state, track), possessions=losable(hero))


def price_paid(call: Call, who: Character[Sheet], result: Tampering, price: FailurePrice) -> list[Event]:
    """SS-51: apply the price of a failure; a success costs nothing. SS-30: Stamina never falls below 0."""
    if result.roll.success:
        return []
    hurt = STAMINA_METER.lost(who, price.stamina)
    if not price.pressure:
        return [*hurt]
    track = track_of(call.state, who.id)
    return [*hurt, *rise_events(call, track, who, result.crisis, rise=price.pressure)]


@TRIALS.names("attribute")
def attributes_named(state: State) -> list[Named]:
    return [Named(key, state.terms.get(key, key)) for key in state.options.attributes]


@TRIALS.names("score")
def scores_named(state: State) -> list[Named]:
    return [*attributes_named(state), Named(STAMINA, state.terms.get(STAMINA, STAMINA))]


MANY_LUCK_TESTS = 2
"""SS-29: once or twice an evening is what the book has in mind."""

# ---------------------------------------------------------------- what every test has


@TRIALS.event("tried")
class Tried(Event):
    who: CharacterId
    roll: ShownRoll
    stakes: Words
    lethal: bool
    price: FailurePrice = FailurePrice()
    """SS-51: the price that was named for a failure."""

    def says(self, teller: Teller) -> str:
        stakes = self.stakes
        if self.price:
            stakes += f"; a failure costs {self.price.words(teller)}"
        return self.roll.log_line(teller, stakes, lethal=self.lethal)

    def went(self, _: Teller) -> Went:
        return self.roll.went()


@TRIALS.event("luck_tried")
class LuckTried(Tried):
    why: Words = ""

    def fold(self, state: State) -> State:
        return state.with_game(luck_tests=state.game.luck_tests + 1)


class Ready(Value, kw_only=False):
    """A test that is checked and ready to roll: the roller, the stakes, and the request that it meets."""

    roller: Roller
    stakes: str
    lethal: Fate | None
    request: Request | None
    price: FailurePrice = FailurePrice()

    @classmethod
    def of(cls, call: Call, test: Trial | TryLuck, key: str, price: tuple[int, int] | None = None) -> Ready:
        """SS-09, SS-32, SS-41: check and prepare a test. Its stakes come with the roll or from the request for it."""
        who = call.state.find(test.who)
        request = find_request(call.state, test.request, test.who) if test.request else None
        stakes = stakes_of(test, request)
        check_acts(call, who, on_luck=key == call.state.options.luck)
        roller = Roller.of(call, who, key, test.advantage, test.disadvantage)
        if isinstance(test, Attempt) and test.ask:
            roller = replace(roller, stand=replace(roller.stand, always_asked=True))
        lethal = fate_in(request)
        if lethal is None:
            lethal = test.lethal
            check_called(call, who, lethal)
        failure_price = FailurePrice()
        if price is not None:
            pressure, stamina = price
            failure_price = FailurePrice.of(pressure, stamina, request, lethal)
        return cls(roller, stakes, lethal, request, failure_price)

    @property
    def rolled_with(self) -> tuple[int, Stand, bool]:
        """Score, stand, and whether the roller is warned: the first arguments of the rules of a test."""
        return self.roller.score, self.roller.stand, is_warned(self.roller.who, self.lethal)

    def risked(self, call: Call) -> Question[Tampering]:
        """SS-51: the question of a test with a price, which may put a track at risk."""
        return tampering(*self.rolled_with, *at_risk(call, self.roller.who, self.price), price=self.price)

    def events(self, call: Call, result: Roll | Tampering, why: str | None = None) -> list[Event | FateRecorded]:
        """Events of the test: tokens spent, the roll, the request that it met, and the price or fate of a failure."""
        who = self.roller.who
        roll = roll_in(result)
        fields: dict[str, Any] = {
            "who": who.id,
            "roll": self.roller.shown(roll),
            "stakes": self.stakes,
            "lethal": self.lethal is not None,
            "price": self.price,
        }
        events: list[Event | FateRecorded] = [*spent_by(call.state, (who.id, roll))]
        events.append(Tried(**fields) if why is None else LuckTried(**fields, why=why))
        if self.request is not None:
            events.append(met(self.request))
        if isinstance(result, Tampering):
            events += price_paid(call, who, result, self.price)
        if self.lethal is not None and not roll.success:
            events.append(FateRecorded(who=who.id, fate=self.lethal, told=self.stakes))
        return events


def stakes_of(test: Trial | TryLuck, request: Request | None) -> str:
    """SS-09: what is at stake, as the roll or the request for it says. Where nothing is, no roll is needed."""
    stakes = test.stakes.strip()
    if not stakes and request is not None:
        stakes = request.what_for
    if not stakes:
        why = "Say what is at stake; where nothing is, no roll is needed."
        raise Refusal(why, code="no_stakes", field="stakes")
    return stakes


def fate_in(request: Request | None) -> Fate | None:
    """SS-41: the fate that the request names, if it calls lethal stakes. Requests may hold anything."""
    if request is None:
        return None
    requested = request.fields.get("lethal")
    for fate in Fate:
        if requested == fate.value:
            return fate
    return None


class SingleActor(Command):
    """Base of commands in which one character acts, against no other side."""

    who: Annotated[CharacterId, Doc("who rolls")]

    def sides(self, call: Call) -> Mapping[str, str]:
        """SS-55: the hero whom a crisis strikes decides for themselves, the custodian for the crisis."""
        return deciders(call.state, who=self.who, struck=self.who, custodian=call.state.game_master)

    def hides(self, call: Call) -> bool:
        return call.state.find(self.who).sheet.is_closed


# ---------------------------------------------------------------- tests of an attribute


class Trial(SingleActor):
    """Base of tests of an attribute, with the fields that all of them share."""

    attribute: Annotated[AttributeKey, Doc("the key of the attribute")]
    stakes: Annotated[Words, Doc("what is at stake, unless the request says so")] = ""
    request: Annotated[RequestId | None, Doc("the request that this roll meets")] = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    lethal: Lethal = None

    def ready(self, call: Call, price: tuple[int, int] | None = None) -> Ready:
        key = known_key(call.state.options, self.attribute)
        if key == call.state.options.luck:
            raise Refusal("Luck is tested by luck_test, which says why no attribute will do.", code="luck_test")
        return Ready.of(call, self, key, price)


TRIED: dict[str, Any] = {
    "actor": "who",
    "outcome": lambda result: roll_in(result).degree,
    "hopes": lambda degree: degree.is_success,
    "after": luck_after(lambda result: roll_in(result).spent),
}
"""Command options of every test. A preview counts the degrees, and what Luck could do afterwards."""

STAKES = ("stakes", "what happens next")
"""SS-09: default stakes of a roll, where nobody names any."""


def trial(title: str, short: str = "{who} rolls", hopes: str = "to make it") -> dict[str, Any]:
    """Options of a test of an attribute, on which Luck may be spent, with its card."""
    notes = ("{attribute} {score}",)
    card = RollCard(title=title, short=short, notes=notes, hopes=hopes, words=(STAKES,), spends="luck")
    return {**TRIED, "policies": WITH_LUCK, "card": card}


@TRIALS.command("test", **trial("{who} tests {attribute}"))
class Attempt(Trial):
    """Roll a d20 at or under an attribute. Luck may be spent once the die is seen."""

    ask: Annotated[
        bool,
        Label("always ask for Luck"),
        Doc("whether to stop for Luck even where no spend changes anything"),
        Seldom(),
    ] = False
    pressure_on_failure: PressureOnFailure = 0
    stamina_on_failure: StaminaOnFailure = 0

    def does(self, call: Call) -> DoingTest:
        """SS-51: a price is named before the roll, with the request for it or with the roll itself."""
        ready = self.ready(call, (self.pressure_on_failure, self.stamina_on_failure))
        if ready.price:
            result = yield ready.risked(call)
        else:
            result = yield nudged_test(*ready.rolled_with)
        return ready.events(call, result)


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
class TryLuck(SingleActor):
    """Roll a d20 at or under the tokens now held, where no attribute will do."""

    who: Annotated[CharacterId, Doc("whose Luck")]
    why: Annotated[RequiredWords, Doc("why no attribute covers it")]
    stakes: Annotated[Words, Doc("what is at stake, unless the request says so")] = ""
    request: Annotated[RequestId | None, Doc("the request that this roll meets")] = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    lethal: Lethal = None
    pressure_on_failure: PressureOnFailure = 0
    stamina_on_failure: StaminaOnFailure = 0

    def does(self, call: Call) -> DoingTest:
        """SS-20, SS-24: roll against the tokens. They can be spent on the roll only if its target is frozen."""
        options = call.state.options
        who = call.state.find(self.who)
        ready = Ready.of(call, self, options.luck, (self.pressure_on_failure, self.stamina_on_failure))
        if not who.sheet.is_hero and not who.sheet.luck:
            raise Refusal(f"{who.name} holds no tokens, so there is no Luck to test.", code="no_tokens")
        if ready.price:
            result = yield ready.risked(call)
        else:
            score, stand, is_warned = ready.rolled_with
            target = options.luck_test_target if may_spend(call, who, options.luck) else LuckTarget.LIVE
            result = yield luck_test(
                score, stand.footing, target, is_warned, surcharge=stand.surcharge, favours=stand.favours
            )
        return ready.events(call, result, self.why)


@TRIALS.event(
    "luck_tests_counted", secret=True, says="{tests} tests of {luck} this evening; once or twice keeps it special"
)
class LuckTestsCounted(Event):
    """SS-29: Luck is tested often this evening."""

    tests: int


@TRIALS.event("luck_tests_forgotten", secret=True, says="the count of {luck} tests starts again")
class LuckTestsForgotten(Event):
    def fold(self, state: State) -> State:
        return state.with_game(luck_tests=0)


@TRIALS.after(LuckTried)
def many_luck_tests(state: State, _: LuckTried) -> list[LuckTestsCounted]:
    """SS-29: tell the custodian the number of Luck tests, from the second in a session on."""
    tests = state.game.luck_tests
    if tests < MANY_LUCK_TESTS:
        return []
    return [LuckTestsCounted(tests=tests)]


@TRIALS.after(EveningBegan)
def new_evening(state: State, _: EveningBegan) -> list[LuckTestsForgotten]:
    if not state.game.luck_tests:
        return []
    return [LuckTestsForgotten()]


@TRIALS.after(Tried, LuckTried)
def trial_uses_up(state: State, tried: Tried | LuckTried) -> list[ConditionEnded]:
    return used_up(state, tried.who)


@TRIALS.due
def luck_tests(state: State, teller: Teller) -> Iterator[str]:
    """SS-29: remind the custodian, from the second Luck test in a session on."""
    tests = state.game.luck_tests
    luck = teller.term("luck")
    if tests >= MANY_LUCK_TESTS:
        yield f"{tests} tests of {luck} this evening: let an attribute carry the next."


class Resolution(Enum):
    """SS-09: outcomes of a matter that nobody rolls for."""

    YES = "yes"
    YES_BUT = "yes, but"
    NO_BUT = "no, but"


@TRIALS.fact("resolve", told="resolved", says="{who}: {matter} — {answer}.[ {told}]")
class Resolve(Fact):
    """Settle something without dice, where nothing is at stake or nothing is uncertain."""

    who: Annotated[CharacterId, Doc("who wants something")]
    answer: Annotated[Resolution, Doc("how it goes")]
    matter: Annotated[RequiredWords, Label("what they want")]
    told: Annotated[Words, Label("what comes of it"), Doc("what comes of it, the “but” included")] = ""

    def check(self, call: Call) -> None:
        call.state.find(self.who)

    def went(self, _: Teller) -> Went:
        tone = Tone.GOOD if self.answer is Resolution.YES else Tone.MIXED
        return Went(tone, self.answer.value)


@TRIALS.after(Resolve)
def withdraw_settled_requests(state: State, settled: Resolve) -> list[shared.RequestWithdrawn]:
    return shared.withdrawn_requests(state, settled.who)
