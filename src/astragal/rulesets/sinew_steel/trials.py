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
from .pressure import Crisis, Possessions, TrackStep, check_free, losable, rising, step, told_rise, track_of
from .rolls import LEVEL, Roll, Roller, Score, ShownRoll, Stand, check_acts, deciders, may_spend, used_up
from .scores import STAMINA
from .state import AttributeKey, Call, Said, Sheet, State, find_hero, known_key

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
        asked = request.fields if request else {}
        named = (("pressure_on_failure", pressure), ("stamina_on_failure", stamina))
        price = cls(*(figure(asked.get(key), said) for key, said in named))
        if price and lethal:
            raise Refusal("Lethal stakes are the price already: name one or the other.", code="lethal")
        return price

    def words(self, teller: Teller) -> str:
        named = {"pressure": self.pressure, "stamina": self.stamina}
        return " and ".join(f"{number} {teller.term(name)}" for name, number in named.items() if number)


def figure(asked: object, said: int) -> int:
    """The request's figure, clamped to 0 to 5 since requests may hold anything; otherwise the roll's."""
    return min(5, max(0, asked)) if isinstance(asked, int) else said


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
    return Tampering(roll, (yield from rising(before, price.pressure, carried)))


def roll_in(came: Roll | Tampering) -> Roll:
    return came.roll if isinstance(came, Tampering) else came


def at_risk(call: Call, who: Character[Sheet], price: FailurePrice) -> tuple[int, tuple[str, ...]]:
    """Step of the track that a failure would raise, items that a crisis could take. SS-54: not during a decision."""
    if not price.pressure:
        return 0, ()
    track = track_of(call.state, find_hero(call.state, who.id).id)
    check_free(call, track)
    return step(call.state, track), losable(who)


def price_paid(call: Call, who: Character[Sheet], came: Tampering, price: FailurePrice) -> list[Any]:
    """SS-51: apply the price of a failure; a success costs nothing. SS-30: Stamina never falls below 0."""
    if came.roll.success:
        return []
    hurt = STAMINA_METER.lost(who, price.stamina)
    if not price.pressure:
        return list(hurt)
    return [*hurt, *told_rise(call, track_of(call.state, who.id), who, came.crisis, rise=price.pressure)]


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
        costs = f"; a failure costs {self.price.words(teller)}" if self.price else ""
        return self.roll.told(teller, f"{self.stakes}{costs}", lethal=self.lethal)

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
    def of(cls, call: Call, asked: Trial | TryLuck, key: str, price: tuple[int, int] | None = None) -> Ready:
        """SS-09, SS-32, SS-41: check and prepare a test. Its stakes come with the roll or from the request for it."""
        who = call.state.find(asked.who)
        request = find_request(call.state, asked.request, asked.who) if asked.request else None
        stakes = asked.stakes.strip() or (request.what_for if request else "")
        if not stakes:
            why = "Say what is at stake; where nothing is, no roll is needed."
            raise Refusal(why, code="no_stakes", field="stakes")
        check_acts(call, who, on_luck=key == call.state.options.luck)
        roller = Roller.of(call, who, key, asked.advantage, asked.disadvantage)
        if isinstance(asked, Attempt) and asked.ask:
            roller = replace(roller, stand=replace(roller.stand, always_asked=True))
        called, lethal = request.fields.get("lethal") if request else None, asked.lethal
        if called in [fate.value for fate in Fate]:
            lethal = Fate(called)
        else:
            check_called(call, who, lethal)
        named = FailurePrice.of(*price, request, lethal) if price else FailurePrice()
        return cls(roller, stakes, lethal, request, named)

    @property
    def rolled_with(self) -> tuple[int, Stand, bool]:
        """Score, stand, and whether the roller is warned: the first arguments of the rules of a test."""
        return self.roller.score, self.roller.stand, is_warned(self.roller.who, self.lethal)

    def risked(self, call: Call) -> Question[Any]:
        """SS-51: the question of a test with a price, which may put a track at risk."""
        return tampering(*self.rolled_with, *at_risk(call, self.roller.who, self.price), price=self.price)

    def told(self, call: Call, came: Roll | Tampering, why: str | None = None) -> list[Any]:
        """Events of the test: tokens spent, the roll, the request that it met, and the price or fate of a failure."""
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
    "outcome": lambda came: roll_in(came).degree,
    "hopes": lambda degree: degree.is_success,
    "after": luck_after(lambda came: roll_in(came).spent),
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

    def does(self, call: Call) -> Doing[Any]:
        """SS-51: a price is named before the roll, with the request for it or with the roll itself."""
        ready = self.ready(call, (self.pressure_on_failure, self.stamina_on_failure))
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
class TryLuck(SingleActor):
    """Roll a d20 at or under the tokens now held, where no attribute will do."""

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
        """SS-20, SS-24: roll against the tokens. They can be spent on the roll only if its target is frozen."""
        who, options = call.state.find(self.who), call.state.options
        ready = Ready.of(call, self, options.luck, (self.pressure_on_failure, self.stamina_on_failure))
        if not who.sheet.is_hero and not who.sheet.luck:
            raise Refusal(f"{who.name} holds no tokens, so there is no Luck to test.", code="no_tokens")
        score, stand, is_warned = ready.rolled_with
        target = options.luck_test_target if may_spend(call, who, options.luck) else LuckTarget.LIVE
        further = {"surcharge": stand.surcharge, "favours": stand.favours}
        tested = luck_test(score, stand.footing, target, is_warned, **further)
        came = yield ready.risked(call) if ready.price else tested
        return ready.told(call, came, self.why)


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
    return [LuckTestsCounted(tests=tests)] if tests >= MANY_LUCK_TESTS else []


@TRIALS.after(EveningBegan)
def new_evening(state: State, _: EveningBegan) -> list[LuckTestsForgotten]:
    return [LuckTestsForgotten()] if state.game.luck_tests else []


@TRIALS.after(Tried, LuckTried)
def trial_uses_up(state: State, rolled: Tried | LuckTried) -> list[ConditionEnded]:
    return used_up(state, rolled.who)


@TRIALS.due
def luck_tests(state: State, teller: Teller) -> Iterator[str]:
    """SS-29: remind the custodian, from the second Luck test in a session on."""
    if state.game.luck_tests >= MANY_LUCK_TESTS:
        yield f"{state.game.luck_tests} tests of {teller.term('luck')} this evening: let an attribute carry the next."


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
    matter: Annotated[Said, Label("what they want")]
    told: Annotated[Words, Label("what comes of it"), Doc("what comes of it, the “but” included")] = ""

    def check(self, call: Call) -> None:
        call.state.find(self.who)

    def went(self, _: Teller) -> Went:
        return Went(Tone.GOOD if self.answer is Resolution.YES else Tone.MIXED, self.answer.value)


@TRIALS.after(Resolve)
def withdraw_settled_requests(state: State, settled: Resolve) -> list[shared.RequestWithdrawn]:
    return shared.withdrawn_requests(state, settled.who)
