"""Preview of a command: its exact odds before it is given, calculated from what the asker may know."""

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_type_hints

import msgspec

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
from astragal.values import frozen

T = TypeVar("T")

Hoped: TypeAlias = frozenset[Hashable] | None
"""Outcomes that somebody hopes for; None where the game does not say what they are."""
REMEMBERED = 1024
"""Odds of what questions come to; one preview has dozens."""


@frozen
class Span:
    """Chances over what something hidden could be: the least, the likely and the greatest.

    All three come from what anyone may know, which values are usual, and never from the true one.
    """

    low: Fraction
    likely: Fraction
    high: Fraction
    against: int
    """The mean of the usual values: `likely` is the chance against it."""
    noun: str = ""
    """What the number is, where “against 10” would not say it: “a bid of”."""


def chance_words(chance: Fraction, digits: int = 0) -> str:
    """A chance in percent, which is 0 or 100 only where it is: “57 %”, “<1 %”."""
    return percent_words(chance, digits).replace(".0%", "%").replace("%", " %")


def against_words(span: Span) -> str:
    """The likely value of what is hidden: “against 10”, “against a bid of 2”."""
    return " ".join(filter(None, ("against", span.noun, str(span.against))))


def span_words(span: Span) -> str:
    """A span and its likely figure: “43–77 %, 57 % against 10”."""
    low, high = chance_words(span.low), chance_words(span.high)
    between = low if low == high else f"{low.removesuffix(' %')}–{high}"
    return f"{between}, {chance_words(span.likely)} {against_words(span)}"


@frozen
class Case:
    """The odds for one spend, one bid, or one way to answer offers."""

    odds: Odds[Hashable]
    """Where something is hidden, those against its likely value."""
    spend: int | None = None
    span: Span | None = None
    """Where something is hidden: how far the chance of success can lie from the likely one."""
    policy: str | None = None
    """How offers were answered; none is declining them all."""
    hoped: Hoped = None
    """The outcomes that whoever looks at it hopes for, where the game says what they are."""
    variant: str | None = None
    """What would be different from what is rolled: “without the rope +2”."""
    is_idle: bool = False
    """Does the last point of the spend bring nothing?"""
    bid: int | str | None = None
    """What is declared in secret before the roll; the span is over what the other side may declare."""

    @property
    def success(self) -> Fraction | None:
        """The chance of what is hoped for."""
        return success(self.odds, self.hoped)

    @property
    def otherwise(self) -> str | None:
        """What sets the case apart from what is rolled if all offers are declined."""
        return f"bid {self.bid}" if self.bid is not None else self.variant or self.policy


@frozen
class Rung:
    """The chance of success that so many points bring."""

    points: int
    chance: Fraction
    span: Span | None = None


@frozen
class Preview:
    """The question that would be rolled, and the exact odds of each outcome.

    `question` is what a command can state it was shown. `cases` has one case for each legal spend and each bid, and
    one for each variant that the game names.
    """

    question: str
    rule: str
    arguments: Mapping[str, Any]
    cases: tuple[Case, ...]
    after: tuple[Rung, ...] = ()
    """The chance by how many points one would spend after the roll, from none on."""
    points: str = ""
    """What is spent, before the roll or after it, in the skin's words: points, Focus, Luck …"""
    proposes: tuple[str, ...] = ()
    """Fields that wait for the game master's yes before anything is rolled."""
    risks: str = ""
    """What a failure would cost, as far as the asker knows it: “3 physical stress”."""
    held: str = ""
    """What there is to spend before the roll: “7 in Might”."""
    recalls: Mapping[str, str] = field(default_factory=dict)
    """Words that were said before: they stand for these fields where nothing is said now."""


def preview(invocation: Invocation) -> Preview | None:
    """The preview of a deed in the asker's view; None where nothing is rolled."""
    question, action = invocation.question(), invocation.action
    if question is None:
        return None
    shown = {name: value for name, value in question.named.items() if value is not WITHHELD}
    points = action.spend.field if action.spend else action.after.points if action.after else "points"
    try:
        cases = tuple(_cases(invocation))
    except Unweighable:  # dice that somebody wrote down can be too many to count
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
    """Names the question as the asker sees it."""
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
    """A case for each way to answer offers."""
    question, action = invocation.question(), invocation.action
    if question is None:
        return
    yield _case(question, decline, action)
    for name, policy in action.policies.items():
        yield replace(_case(question, policy, action), policy=name)


def _case(question: Question[Any], policy: Policy, action: Action[Any, Any]) -> Case:
    """The odds of a question; under a hidden number those against its likely value, and the span of success."""
    supposed = _supposed(question)
    likely, *others = supposed.questions
    found = _weighed(likely, policy, action.outcome)
    hoped = hoped_for(found, action.hopes)
    chances = [success(found, hoped), *(_chance(one, policy, action) for one in others)]
    return Case(found, span=supposed.span(chances), hoped=hoped)


def _chance(question: Question[Any], policy: Policy, action: Action[Any, Any]) -> Fraction | None:
    """The chance of success alone. Where it is known by what it takes, that is the chance of what takes nothing."""
    if policy is decline and action.after is not None and action.hopes is not None:
        return _by_price(question, action.after, action.outcome, action.hopes).get(0, Fraction(0))
    found = _weighed(question, policy, action.outcome)
    return success(found, hoped_for(found, action.hopes))


def hoped_for(found: Odds[Any], hopes: Callable[[Any], bool] | None, *, feared: bool = False) -> Hoped:
    """The outcomes that whoever acts hopes for, or, as these are feared, those that the other side hopes for.

    It is yes, where the rule says yes or no.
    """
    if hopes is None and not all(isinstance(one, bool) for one in found.weights):
        return None
    return frozenset(one for one in found.weights if bool((hopes or bool)(one)) is not feared)


def success(found: Odds[Any], hoped: Hoped) -> Fraction | None:
    """The chance of the outcomes that are hoped for."""
    return None if hoped is None else found.chance(hoped.__contains__)


@lru_cache(REMEMBERED)
def _weighed(question: Question[Any], policy: Policy, outcome: Callable[[Any], Hashable]) -> Odds[Hashable]:
    """Remembered: whoever is about to act looks more than once, and so do those who sit beside."""
    return odds(question, policy).map(outcome)


# ---------------------------------------------------------------- points that are spent after the roll


def _rungs_after(question: Question[Any], action: Action[Any, Any]) -> Iterator[Rung]:
    """The chance for each number of points that one would spend at most, once the dice are seen."""
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
    """The chance of success, by what it takes."""
    found, weights = odds(question, after.policy), Counter[int]()
    for verdict, weight in found.weights.items():
        if hopes(outcome(verdict)):
            weights[after.price(verdict)] += weight
    return {price: Fraction(weight, found.total) for price, weight in weights.items()}


# ---------------------------------------------------------------- bids: points that are declared in secret


@frozen
class _Declared:
    """A way to answer sealed offers: as it is said for each side. All others are declined."""

    name: str
    answers: tuple[tuple[str, Any], ...]

    def __call__(self, offer: Offer[Any]) -> Any:
        return dict(self.answers).get(offer.side, offer.default) if offer.name == self.name else offer.default


def bids(invocation: Invocation, side: str | None) -> Iterator[Case]:
    """A case for each bid of a side, whatever the other side bids; where that side is hidden, whatever it could be."""
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
        supposed = _Supposed((question,) * 3, sum(points for _, points in likely), "a bid of")
    others = (likely, least, most) if rivals else ([],) * 3
    for bid in own.options:
        ways = [_declared(action.bid, own, bid, said) for said in others]
        found = [_weighed(one, way, action.outcome) for one, way in zip(supposed.questions, ways, strict=False)]
        hoped = [hoped_for(one, action.hopes, feared=side != _acting_side(invocation)) for one in found]
        yield Case(found[0], span=supposed.span(list(map(success, found, hoped))), hoped=hoped[0], bid=bid)


def _declared(name: str, own: Offer[Any], bid: Any, others: Sequence[tuple[str, int]]) -> Policy:
    """A way to bid; where nobody bids anything, that of declining, whose odds are known already."""
    return _Declared(name, ((own.side, bid), *others)) if bid != own.default or any(dict(others).values()) else decline


def _acting_side(invocation: Invocation) -> str | None:
    """The side of whoever gives the command."""
    actor = kind_of_command(type(invocation.command)).actor
    who = getattr(invocation.command, actor) if actor else None
    return next((side for side, one in invocation.sides().items() if one == who), None)


# ---------------------------------------------------------------- what is hidden


class _Supposed(NamedTuple):
    """A question as it could be: the likely one first, then those with the least and the most of what is hidden.

    How likely success is rises or falls with a hidden number, so it lies between the two.
    """

    questions: tuple[Question[Any], ...]
    against: int | None = None
    """The likely value; None where nothing is hidden."""
    noun: str = ""

    def span(self, chances: Sequence[Fraction | None]) -> Span | None:
        """The span of these chances, one for each question."""
        if self.against is None:
            return None
        known = [one for one in chances if one is not None]
        if not known:
            raise DependsOnHidden("That depends on something you can't know.")
        return Span(min(known), known[0], max(known), self.against, self.noun)


@lru_cache(REMEMBERED)
def _supposed(question: Question[Any]) -> _Supposed:
    """The question; under a hidden number, as it could be within what is usual and what its rule takes."""
    hidden = [name for name, value in question.named.items() if value is WITHHELD]
    if not hidden:
        return _Supposed((question,))
    if len(hidden) > 1:
        raise DependsOnHidden("More than one number is hidden, so the odds can't be calculated.")
    (name,) = hidden
    usual = _usual(question, name)
    asked = {value: question.rule(**{**question.named, name: usual.of(value)}) for value in usual.values}
    taken = [value for value, one in asked.items() if _is_taken(one)]
    if not taken:
        raise DependsOnHidden("That depends on something you can't know.")
    likely = min(taken, key=lambda value: abs(value - sum(taken) // len(taken)))
    return _Supposed((asked[likely], asked[taken[0]], asked[taken[-1]]), likely, usual.noun)


def _is_taken(question: Question[Any]) -> bool:
    """Does the rule take these arguments? One that does not says so before its first die."""
    try:
        play(question, EnteredDice())
    except ValueError:
        return False
    return True


def _usual(question: Question[Any], name: str) -> Usual:
    """The values that are usual, or else all that the rule's own limits allow."""
    with suppress(UnknownShape):
        hint = get_type_hints(question.rule.body, include_extras=True)[name]
        for usual in (mark for mark in unwrapped(hint)[1] if isinstance(mark, Usual)):
            return usual
        shape = said(shape_of(hint))
        if isinstance(shape, NumberShape) and shape.least is not None and shape.most is not None:
            return Usual(shape.least, shape.most)
    raise DependsOnHidden("That depends on something you can't know.")
