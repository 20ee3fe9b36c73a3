"""Preview of a command: its exact odds before it is given, calculated from what the seat may know."""

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_type_hints

import msgspec
from msgspec import Struct, field

from astragal.chance import EnteredDice, Odds, Offer, Policy, Question, Unweighable, Waiting, decline, odds, play
from astragal.chance.pictures import percent_words
from astragal.table.authoring.chapter import Action, SpendAfter
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
    return " ".join(filter(None, ("against", span.noun, str(span.against))))


def span_words(span: Span) -> str:
    """Format a span and its likely chance: “43–77 %, 57 % against 10”."""
    low, high = chance_words(span.low), chance_words(span.high)
    between = low if low == high else f"{low.removesuffix(' %')}–{high}"
    return f"{between}, {chance_words(span.likely)} {against_words(span)}"


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
        return f"bid {self.bid}" if self.bid is not None else self.variant or self.policy


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
    question, action = invocation.question(), invocation.action
    if question is None:
        return None
    shown = {name: value for name, value in question.named.items() if value is not WITHHELD}
    points = action.spend.field if action.spend else action.after.points if action.after else "points"
    try:
        cases = tuple(_cases(invocation))
    except Unweighable:  # typed dice notation can have more dice than can be counted
        cases = ()
    return Preview(
        fingerprint(invocation, question),
        question.rule.name,
        plain(shown),
        cases,
        tuple(_rungs_after(question, action)),
        invocation.state.terms.get(points, points),
        proposed_in(invocation.call, invocation.command),
        _risks(invocation),
        action.spend.held(invocation.call, invocation.command) if action.spend else "",
        invocation.command.recalls(invocation.call) if hasattr(invocation.command, "recalls") else {},
    )


def _risks(invocation: Invocation) -> str:
    try:
        return invocation.command.risks(invocation.call) if hasattr(invocation.command, "risks") else ""
    except DependsOnHidden:
        return ""


def fingerprint(invocation: Invocation, question: Question[Any]) -> str:
    """Return a short hash of the question as the seat sees it."""
    known = ("hidden" if value is WITHHELD else plain(value) for value in question.arguments)
    asked = Asked(rule=question.rule.name, arguments=tuple(known))
    return hashlib.sha256(invocation.action.name.encode() + b"\0" + msgspec.json.encode(asked)).hexdigest()[:16]


def _cases(invocation: Invocation) -> Iterator[Case]:
    spend = invocation.action.spend
    if spend is None:
        yield from _by_policy(invocation)
        yield from bids(invocation, _acting_side(invocation))
        yield from (
            replace(_case(question, decline, invocation.action), variant=words)
            for words, question in invocation.action.variants(invocation.call, invocation.command)
        )
        return
    before: int | None = None
    for points in spend.legal(invocation.call, invocation.command):
        spending = invocation._replace(command=replace(invocation.command, **{spend.field: points}))
        try:
            worth = spend.worth(spending.call, spending.command) if spend.worth else None
            for case in _by_policy(spending):
                yield replace(case, spend=points, is_idle=worth is not None and worth == before)
        except DependsOnHidden:
            raise
        except Refusal:
            continue
        before = worth


def _by_policy(invocation: Invocation) -> Iterator[Case]:
    """Yield a case for each way to answer offers: declining them all, then each policy."""
    question, action = invocation.question(), invocation.action
    if question is None:
        return
    yield _case(question, decline, action)
    for name, policy in action.policies.items():
        yield replace(_case(question, policy, action), policy=name)


def _case(question: Question[Any], policy: Policy, action: Action[Any, Any]) -> Case:
    """Calculate the odds of a question; with a hidden number, against its likely value and with the span of success."""
    supposed = _supposed(question)
    likely, *others = supposed.questions
    found = _weighed(likely, policy, action.outcome)
    hoped = hoped_for(found, action.hopes)
    chances = [success(found, hoped), *(_chance(one, policy, action) for one in others)]
    return Case(found, span=supposed.span(chances), hoped=hoped)


def _chance(question: Question[Any], policy: Policy, action: Action[Any, Any]) -> Fraction | None:
    """Calculate the chance of success alone. If points may be spent after the roll, it is the chance without any."""
    if policy is decline and action.after is not None and action.hopes is not None:
        return _by_price(question, action.after, action.outcome, action.hopes).get(0, Fraction(0))
    found = _weighed(question, policy, action.outcome)
    return success(found, hoped_for(found, action.hopes))


def hoped_for(found: Odds[Any], hopes: Callable[[Any], bool] | None, *, feared: bool = False) -> Hoped:
    """Return the outcomes that the acting side hopes for or, with `feared`, those that the other side hopes for.

    By default, true is hoped for if the outcomes are booleans; for other outcomes the result is then None.
    """
    if hopes is None and not all(isinstance(one, bool) for one in found.weights):
        return None
    return frozenset(one for one in found.weights if bool((hopes or bool)(one)) is not feared)


def success(found: Odds[Any], hoped: Hoped) -> Fraction | None:
    """Return the chance of the outcomes that are hoped for."""
    return None if hoped is None else found.chance(hoped.__contains__)


@lru_cache(REMEMBERED)
def _weighed(question: Question[Any], policy: Policy, outcome: Callable[[Any], Hashable]) -> Odds[Hashable]:
    """Cached: a player looks several times before acting, and so do the others at the table."""
    return odds(question, policy).map(outcome)


# ---------------------------------------------------------------- points that are spent after the roll


def _rungs_after(question: Question[Any], action: Action[Any, Any]) -> Iterator[Rung]:
    """Yield the chance for each number of points that one would spend at most after seeing the dice."""
    after, hopes = action.after, action.hopes
    if after is None or hopes is None:
        return
    supposed = _supposed(question)
    found = [_by_price(one, after, action.outcome, hopes) for one in supposed.questions]
    for points in range(1 + max((price for by_price in found for price in by_price), default=0)):
        chances = [sum((one for price, one in by_price.items() if price <= points), Fraction(0)) for by_price in found]
        yield Rung(points, chances[0], supposed.span(chances))


@lru_cache(REMEMBERED)
def _by_price(
    question: Question[Any], after: SpendAfter, outcome: Callable[[Any], Hashable], hopes: Callable[[Any], bool]
) -> Mapping[int, Fraction]:
    """Return the chance of success for each number of points that it takes."""
    found, weights = odds(question, after.policy), Counter[int]()
    for verdict, weight in found.weights.items():
        if hopes(outcome(verdict)):
            weights[after.price(verdict)] += weight
    return {price: Fraction(weight, found.total) for price, weight in weights.items()}


# ---------------------------------------------------------------- bids: points that are declared in secret


class _Declared(Struct, frozen=True):
    """Policy that answers the sealed offers of one name with a fixed answer per side, and declines all others."""

    name: str
    answers: tuple[tuple[str, Any], ...]

    def __call__(self, offer: Offer[Any]) -> Any:
        return dict(self.answers).get(offer.side, offer.default) if offer.name == self.name else offer.default


def bids(invocation: Invocation, side: str | None) -> Iterator[Case]:
    """Yield a case for each bid of a side, with a span over the other side's bids or over a hidden number."""
    question, action = invocation.question(), invocation.action
    if question is None or side is None or action.bid is None:
        return
    supposed = _supposed(question)
    played = play(supposed.questions[0], EnteredDice())
    before_the_dice = offers_in(played.need) if isinstance(played, Waiting) else ()
    offers = {offer.side: offer for offer in before_the_dice if offer.name == action.bid}
    own, rivals = offers.pop(side, None), offers.values()
    if own is None:
        return
    points_of = {one.side: [option for option in one.options if isinstance(option, int)] for one in rivals}
    least, most = ([(rival, points[at]) for rival, points in points_of.items()] for at in (0, -1))
    likely = [(side, points // 2) for side, points in most]
    if rivals and supposed.against is None:
        supposed = _Hypothesis((question,) * 3, sum(points for _, points in likely), "a bid of")
    others = (likely, least, most) if rivals else ([],) * 3
    for bid in own.options:
        ways = [_declared(action.bid, own, bid, said) for said in others]
        found = [_weighed(one, way, action.outcome) for one, way in zip(supposed.questions, ways, strict=False)]
        hoped = [hoped_for(one, action.hopes, feared=side != _acting_side(invocation)) for one in found]
        yield Case(found[0], span=supposed.span(list(map(success, found, hoped))), hoped=hoped[0], bid=bid)


def _declared(name: str, own: Offer[Any], bid: Any, others: Sequence[tuple[str, int]]) -> Policy:
    """Return the policy for a bid; if nobody bids anything, `decline`, whose odds are cached already."""
    return _Declared(name, ((own.side, bid), *others)) if bid != own.default or any(dict(others).values()) else decline


def _acting_side(invocation: Invocation) -> str | None:
    """Return the side of the command's actor."""
    actor = kind_of_command(type(invocation.command)).actor
    who = getattr(invocation.command, actor) if actor else None
    return next((side for side, one in invocation.sides().items() if one == who), None)


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
        known = [one for one in chances if one is not None]
        if not known:
            raise DependsOnHidden("That depends on something you can't know.")
        return Span(min(known), known[0], max(known), self.against, self.noun)


@lru_cache(REMEMBERED)
def _supposed(question: Question[Any]) -> _Hypothesis:
    """Fill in a hidden number with usual values that the rule accepts. Raises `DependsOnHidden` if more are hidden."""
    hidden = [name for name, value in question.named.items() if value is WITHHELD]
    if not hidden:
        return _Hypothesis((question,))
    if len(hidden) > 1:
        raise DependsOnHidden("More than one number is hidden, so the odds can't be calculated.")
    (name,) = hidden
    usual = _usual(question, name)
    asked = {value: question.rule(**{**question.named, name: usual.of(value)}) for value in usual.values}
    taken = [value for value, one in asked.items() if _is_taken(one)]
    if not taken:
        raise DependsOnHidden("That depends on something you can't know.")
    likely = min(taken, key=lambda value: abs(value - sum(taken) // len(taken)))
    return _Hypothesis((asked[likely], asked[taken[0]], asked[taken[-1]]), likely, usual.noun)


def _is_taken(question: Question[Any]) -> bool:
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
        for usual in (mark for mark in unwrapped(hint)[1] if isinstance(mark, Usual)):
            return usual
        shape = said(shape_of(hint))
        if isinstance(shape, NumberShape) and shape.least is not None and shape.most is not None:
            return Usual(shape.least, shape.most)
    raise DependsOnHidden("That depends on something you can't know.")
