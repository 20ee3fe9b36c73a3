"""Preview of a command: its exact odds before it is given, calculated from what the seat may know."""

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_type_hints

import msgspec
from msgspec import Struct, field

from astragal.chance import EnteredDice, Odds, Offer, Policy, Question, Unweighable, Waiting, decline, odds, play
from astragal.chance.pictures import percent_words
from astragal.table.authoring.chapter import Action, Spend, SpendAfter
from astragal.table.commands.consent import proposed_in
from astragal.table.commands.execute import Invocation, offers_in
from astragal.table.declarations import kind_of_command, replace
from astragal.table.fields.definitions import UnknownShape, Usual, shape_of, unwrapped
from astragal.table.fields.shapes import NumberShape, said
from astragal.table.refusals import DependsOnHidden, Refusal
from astragal.table.state.table import Asked
from astragal.table.visibility.redact import WITHHELD, plain

T = TypeVar("T")

Hoped: TypeAlias = frozenset[Hashable] | None
"""Outcomes that a side hopes for; None if the game does not say which."""
REMEMBERED = 1024
"""Size of each cache of odds; one preview needs dozens of entries."""


class Span(Struct, frozen=True):
    """Chances over the possible values of a hidden number: the least, the likely and the greatest.

    All three are calculated from public knowledge, the usual values, and never from the true value.
    """

    low: Fraction
    likely: Fraction
    high: Fraction
    against: int
    """The likely value, near the mean of the usual ones: `likely` is the chance against it."""
    noun: str = ""
    """Noun before the number, if “against 10” alone is unclear: “a bid of”."""


def chance_words(chance: Fraction, digits: int = 0) -> str:
    """Format a chance in percent: “57 %”, “<1 %”. Only an exact 0 or 1 becomes 0 or 100."""
    return percent_words(chance, digits).replace(".0%", "%").replace("%", " %")


def against_words(span: Span) -> str:
    """Format the likely value of the hidden number: “against 10”, “against a bid of 2”."""
    return f"against {span.noun} {span.against}" if span.noun else f"against {span.against}"


def span_words(span: Span) -> str:
    """Format a span and its likely chance: “43–77 %, 57 % against 10”."""
    low = chance_words(span.low)
    high = chance_words(span.high)
    width = low if low == high else f"{low.removesuffix(' %')}–{high}"
    return f"{width}, {chance_words(span.likely)} {against_words(span)}"


class Case(Struct, frozen=True):
    """The odds for one spend, one bid, or one way to answer offers."""

    odds: Odds[Hashable]
    """If a number is hidden, the odds against its likely value."""
    spend: int | None = None
    span: Span | None = None
    """If a number is hidden, the range of the chance of success."""
    policy: str | None = None
    """Name of the policy that answered offers; None declines them all."""
    hoped: Hoped = None
    """The outcomes that the side in question hopes for, if the game says which."""
    variant: str | None = None
    """Difference from the roll itself: “without the rope +2”."""
    is_idle: bool = False
    """True if the last point of the spend changes nothing."""
    bid: int | str | None = None
    """The bid declared in secret before the roll; the span is over the bids that the other side may declare."""

    @property
    def success(self) -> Fraction | None:
        """The chance of the outcomes that are hoped for."""
        return success(self.odds, self.hoped)

    @property
    def otherwise(self) -> str | None:
        """Label for the difference from the roll with all offers declined: a bid, a variant or a policy."""
        if self.bid is not None:
            return f"bid {self.bid}"
        return self.variant or self.policy


class Rung(Struct, frozen=True):
    """The chance of success with a number of points."""

    points: int
    chance: Fraction
    span: Span | None = None


class Preview(Struct, frozen=True):
    """The question that would be rolled, and the exact odds of each outcome.

    `question` is a fingerprint, which a command can pass as `shown`. `cases` has one case for each legal spend and each
    bid, and one for each variant that the game names.
    """

    question: str
    rule: str
    arguments: Mapping[str, Any]
    cases: tuple[Case, ...]
    after: tuple[Rung, ...] = ()
    """The chance for each number of points that could be spent after the roll, from zero up."""
    points: str = ""
    """Name of the points spent before or after the roll, in the skin's words: points, Focus, Luck …"""
    proposes: tuple[str, ...] = ()
    """Fields that the game master has to approve before anything is rolled."""
    risks: str = ""
    """The cost of a failure, as far as the seat may know it: “3 physical stress”."""
    held: str = ""
    """The points available before the roll: “7 in Might”."""
    recalls: Mapping[str, str] = field(default_factory=dict)
    """Earlier words that fill these fields if the command leaves them empty."""


def preview(invocation: Invocation) -> Preview | None:
    """Preview a command from the seat's view; None if nothing is rolled."""
    question = invocation.question()
    if question is None:
        return None
    action = invocation.action
    call = invocation.call
    command = invocation.command
    try:
        cases = tuple(_cases(invocation))
    except Unweighable:  # typed dice notation can have more dice than can be counted
        cases = ()
    points = _points_of(action)
    return Preview(
        question=fingerprint(invocation, question),
        rule=question.rule.name,
        arguments=plain({name: value for name, value in question.named.items() if value is not WITHHELD}),
        cases=cases,
        after=tuple(_rungs_after(question, action)),
        points=invocation.state.terms.get(points, points),
        proposes=proposed_in(call, command),
        risks=_risks(invocation),
        held=action.spend.held(call, command) if action.spend else "",
        recalls=command.recalls(call) if hasattr(command, "recalls") else {},
    )


def _points_of(action: Action[Any, Any]) -> str:
    """Return the field of the points that can be spent before or after the roll."""
    if action.spend:
        return action.spend.field
    if action.after:
        return action.after.points
    return "points"


def _risks(invocation: Invocation) -> str:
    if not hasattr(invocation.command, "risks"):
        return ""
    try:
        risks: str = invocation.command.risks(invocation.call)
    except DependsOnHidden:
        return ""
    return risks


def fingerprint(invocation: Invocation, question: Question[Any]) -> str:
    """Return a short hash of the question as the seat sees it."""
    arguments = tuple("hidden" if value is WITHHELD else plain(value) for value in question.arguments)
    asked = Asked(rule=question.rule.name, arguments=arguments)
    return hashlib.sha256(invocation.action.name.encode() + b"\0" + msgspec.json.encode(asked)).hexdigest()[:16]


# ---------------------------------------------------------------- cases


def _cases(invocation: Invocation) -> Iterator[Case]:
    """Yield the cases that a player chooses from: by spend or, if nothing is spent, by policy, bid and variant."""
    if invocation.action.spend is not None:
        yield from _by_spend(invocation, invocation.action.spend)
        return
    yield from _by_policy(invocation)
    yield from bids(invocation, _acting_side(invocation))
    for words, question in invocation.action.variants(invocation.call, invocation.command):
        yield replace(_case(question, decline, invocation.action), variant=words)


def _by_spend(invocation: Invocation, spend: Spend) -> Iterator[Case]:
    """Yield the cases of each legal spend. A spend that the command refuses has none."""
    previous_worth: int | None = None
    for points in spend.legal(invocation.call, invocation.command):
        spending = invocation._replace(command=replace(invocation.command, **{spend.field: points}))
        try:
            worth = spend.worth(spending.call, spending.command) if spend.worth else None
            is_idle = worth is not None and worth == previous_worth
            for case in _by_policy(spending):
                yield replace(case, spend=points, is_idle=is_idle)
        except DependsOnHidden:
            raise
        except Refusal:
            continue
        previous_worth = worth


def _by_policy(invocation: Invocation) -> Iterator[Case]:
    """Yield a case for each way to answer offers: declining them all, then each policy."""
    question = invocation.question()
    if question is None:
        return
    yield _case(question, decline, invocation.action)
    for name, policy in invocation.action.policies.items():
        yield replace(_case(question, policy, invocation.action), policy=name)


def _case(question: Question[Any], policy: Policy, action: Action[Any, Any]) -> Case:
    """Calculate the odds of a question; with a hidden number, against its likely value and with the span of success."""
    hypothesis = _hypothesis(question)
    likely, *extremes = hypothesis.questions
    likely_odds = _weighed(likely, policy, action.outcome)
    hoped = hoped_for(likely_odds, action.hopes)
    chances = [success(likely_odds, hoped)]
    chances += [_chance(extreme, policy, action) for extreme in extremes]
    return Case(likely_odds, span=hypothesis.span(chances), hoped=hoped)


def _chance(question: Question[Any], policy: Policy, action: Action[Any, Any]) -> Fraction | None:
    """Calculate the chance of success alone. If points may be spent after the roll, it is the chance without any."""
    if policy is decline and action.after is not None and action.hopes is not None:
        return _chance_by_price(question, action.after, action.outcome, action.hopes).get(0, Fraction(0))
    weighed = _weighed(question, policy, action.outcome)
    return success(weighed, hoped_for(weighed, action.hopes))


def hoped_for(outcomes: Odds[Any], hopes: Callable[[Any], bool] | None, *, feared: bool = False) -> Hoped:
    """Return the outcomes that the acting side hopes for or, with `feared`, those that the other side hopes for.

    By default, true is hoped for if the outcomes are booleans; for other outcomes the result is then None.
    """
    if hopes is None:
        if not all(isinstance(outcome, bool) for outcome in outcomes.weights):
            return None
        hopes = bool
    return frozenset(outcome for outcome in outcomes.weights if bool(hopes(outcome)) is not feared)


def success(outcomes: Odds[Any], hoped: Hoped) -> Fraction | None:
    """Return the chance of the outcomes that are hoped for."""
    return None if hoped is None else outcomes.chance(hoped.__contains__)


@lru_cache(REMEMBERED)
def _weighed(question: Question[Any], policy: Policy, outcome: Callable[[Any], Hashable]) -> Odds[Hashable]:
    """Cached: a player looks several times before acting, and so do the others at the table."""
    return odds(question, policy).map(outcome)


# ---------------------------------------------------------------- points that are spent after the roll


def _rungs_after(question: Question[Any], action: Action[Any, Any]) -> Iterator[Rung]:
    """Yield the chance for each number of points that one would spend at most after seeing the dice."""
    if action.after is None or action.hopes is None:
        return
    hypothesis = _hypothesis(question)
    chances_by_price = [
        _chance_by_price(supposed, action.after, action.outcome, action.hopes) for supposed in hypothesis.questions
    ]
    highest_price = max((max(by_price, default=0) for by_price in chances_by_price), default=0)
    for points in range(highest_price + 1):
        chances = [_chance_up_to(points, by_price) for by_price in chances_by_price]
        yield Rung(points, chances[0], hypothesis.span(chances))


def _chance_up_to(points: int, chance_by_price: Mapping[int, Fraction]) -> Fraction:
    """Return the chance of success for somebody who spends up to this number of points."""
    return sum((chance for price, chance in chance_by_price.items() if price <= points), Fraction(0))


@lru_cache(REMEMBERED)
def _chance_by_price(
    question: Question[Any], after: SpendAfter, outcome: Callable[[Any], Hashable], hopes: Callable[[Any], bool]
) -> Mapping[int, Fraction]:
    """Return the chance of success for each number of points that it takes. Cached as `_weighed` is."""
    verdicts = odds(question, after.policy)
    weight_by_price = Counter[int]()
    for verdict, weight in verdicts.weights.items():
        if hopes(outcome(verdict)):
            weight_by_price[after.price(verdict)] += weight
    return {price: Fraction(weight, verdicts.total) for price, weight in weight_by_price.items()}


# ---------------------------------------------------------------- bids: points that are declared in secret


class _Declared(Struct, frozen=True):
    """Policy that answers the sealed offers of one name with a fixed answer per side, and declines all others."""

    name: str
    answers: tuple[tuple[str, Any], ...]

    def __call__(self, offer: Offer[Any]) -> Any:
        if offer.name != self.name:
            return offer.default
        return dict(self.answers).get(offer.side, offer.default)


class RivalBids(NamedTuple):
    """Bids of the other sides, by side: the likely ones, then the least and the greatest that they may declare."""

    likely: Mapping[str, int]
    least: Mapping[str, int]
    greatest: Mapping[str, int]


def bids(invocation: Invocation, side: str | None) -> Iterator[Case]:
    """Yield a case for each bid of a side, with a span over the other side's bids or over a hidden number."""
    question = invocation.question()
    action = invocation.action
    if question is None or side is None or action.bid is None:
        return
    hypothesis = _hypothesis(question)
    rivals = _sealed_offers(hypothesis.questions[0], action.bid)
    own_offer = rivals.pop(side, None)
    if own_offer is None:
        return
    rival_bids = _rival_bids(rivals.values())
    if rivals and hypothesis.against is None:
        likely_total = sum(rival_bids.likely.values())
        hypothesis = _Hypothesis((question,) * len(rival_bids), likely_total, "a bid of")
    is_feared = side != _acting_side(invocation)
    for bid in own_offer.options:
        outcomes = []
        for supposed, bids_of_rivals in zip(hypothesis.questions, rival_bids, strict=False):
            policy = _declared(action.bid, own_offer, bid, bids_of_rivals)
            outcomes.append(_weighed(supposed, policy, action.outcome))
        hoped = [hoped_for(weighed, action.hopes, feared=is_feared) for weighed in outcomes]
        chances = list(map(success, outcomes, hoped))
        yield Case(outcomes[0], span=hypothesis.span(chances), hoped=hoped[0], bid=bid)


def _sealed_offers(question: Question[Any], name: str) -> dict[str, Offer[Any]]:
    """Return the offers of this name that are made before the first die falls, by side."""
    played = play(question, EnteredDice())
    offers = offers_in(played.need) if isinstance(played, Waiting) else ()
    return {offer.side: offer for offer in offers if offer.name == name}


def _rival_bids(offers: Iterable[Offer[Any]]) -> RivalBids:
    least = {}
    greatest = {}
    for offer in offers:
        points = [option for option in offer.options if isinstance(option, int)]
        least[offer.side] = points[0]
        greatest[offer.side] = points[-1]
    likely = {side: points // 2 for side, points in greatest.items()}
    return RivalBids(likely, least, greatest)


def _declared(name: str, offer: Offer[Any], bid: Any, bids_of_rivals: Mapping[str, int]) -> Policy:
    """Return the policy for a bid; if nobody bids anything, `decline`, whose odds are cached already."""
    if bid == offer.default and not any(bids_of_rivals.values()):
        return decline
    return _Declared(name, ((offer.side, bid), *bids_of_rivals.items()))


def _acting_side(invocation: Invocation) -> str | None:
    """Return the side of the command's actor."""
    field_of_actor = kind_of_command(type(invocation.command)).actor
    actor = getattr(invocation.command, field_of_actor) if field_of_actor else None
    for side, who in invocation.sides().items():
        if who == actor:
            return side
    return None


# ---------------------------------------------------------------- what is hidden


class _Hypothesis(NamedTuple):
    """A question with a hidden number filled in: its likely value first, then its least and its greatest.

    The chance of success rises or falls steadily with the hidden number, so it lies between the last two.
    """

    questions: tuple[Question[Any], ...]
    against: int | None = None
    """The likely value; None if nothing is hidden."""
    noun: str = ""

    def span(self, chances: Sequence[Fraction | None]) -> Span | None:
        """Return the span of these chances, one for each question."""
        if self.against is None:
            return None
        known_chances = [chance for chance in chances if chance is not None]
        if not known_chances:
            raise DependsOnHidden("That depends on something you can't know.")
        return Span(min(known_chances), known_chances[0], max(known_chances), self.against, self.noun)


@lru_cache(REMEMBERED)
def _hypothesis(question: Question[Any]) -> _Hypothesis:
    """Fill in a hidden number with usual values that the rule accepts. Raises `DependsOnHidden` if more are hidden.

    Cached: whether the rule accepts a value takes a play for each of them.
    """
    hidden = [name for name, value in question.named.items() if value is WITHHELD]
    if not hidden:
        return _Hypothesis((question,))
    if len(hidden) > 1:
        raise DependsOnHidden("More than one number is hidden, so the odds can't be calculated.")
    (name,) = hidden
    usual = _usual(question, name)
    accepted: dict[int, Question[Any]] = {}
    for value in usual.values:
        supposed = question.rule(**{**question.named, name: usual.of(value)})
        if _is_accepted(supposed):
            accepted[value] = supposed
    if not accepted:
        raise DependsOnHidden("That depends on something you can't know.")
    values = list(accepted)
    mean = sum(values) // len(values)
    likely = min(values, key=lambda value: abs(value - mean))
    return _Hypothesis((accepted[likely], accepted[values[0]], accepted[values[-1]]), likely, usual.noun)


def _is_accepted(question: Question[Any]) -> bool:
    """Return whether the rule accepts these arguments. A rule that does not raises before its first die."""
    try:
        play(question, EnteredDice())
    except ValueError:
        return False
    return True


def _usual(question: Question[Any], name: str) -> Usual:
    """Return the usual values of a parameter, or else all that its own limits allow."""
    with suppress(UnknownShape):
        hint = get_type_hints(question.rule.body, include_extras=True)[name]
        for mark in unwrapped(hint)[1]:
            if isinstance(mark, Usual):
                return mark
        shape = said(shape_of(hint))
        if isinstance(shape, NumberShape) and shape.least is not None and shape.most is not None:
            return Usual(shape.least, shape.most)
    raise DependsOnHidden("That depends on something you can't know.")
