"""A rule of a game and its parameters, how decisions in it are made, and what of its verdict is counted."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, field, make_dataclass
from enum import Enum
from functools import lru_cache
from inspect import Signature, get_annotations
from operator import attrgetter
from types import NoneType
from typing import Annotated, Any

from annotated_types import Ge, Le

from astragal.chance import Odds, Offer, Policy, Question, Rule, advise, decline, odds
from astragal.chance.odds import in_words
from astragal.chance.pictures import own_parts, words
from astragal.chance.weigh import MOST_PATHS
from astragal.table.authoring.ruleset import Measure, Ruleset
from astragal.table.fields.definitions import once_for_each_type
from astragal.table.fields.lookup import spoken
from astragal.table.refusals import Refusal
from astragal.values import frozen

DECLINE, BEST = "decline", "best"
SUCCESSES = ("success", "wins", "hit")
"""Parts of a verdict to aim for where no goal is given."""
COUNTABLE = (bool, int, str, Enum, NoneType)
WHOLE = "all"
"""What is asked for to see every part of a verdict."""


class BadQuestion(Refusal):
    """A rule can't be asked so; the sentence says how it can."""

    code = "bad_question"


# ---------------------------------------------------------------- rules, by name


@frozen(eq=False)
class Roll:
    """A rule of a game, or one of its measures, which asks a rule by plain numbers; with its parameters as fields."""

    name: str
    doc: str
    parameters: type
    ask: Callable[..., Question[Any]]
    usual: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The numbers that the game's own measure of this roll goes through."""

    @property
    def about(self) -> str:
        """The first line of what it says of itself."""
        return self.doc.strip().partition("\n")[0]

    @property
    def rule(self) -> Rule[..., Any] | None:
        return self.ask if isinstance(self.ask, Rule) else None


def rolls_of(game: Ruleset) -> dict[str, Roll]:
    """All that can be asked about a game: its measures that are no rule of their own first, then its rules."""
    measured = {id(one.ask): one for one in game.measures}
    own = [_measured(one) for one in game.measures if not isinstance(one.ask, Rule)]
    rules = [
        Roll(
            rule.name,
            rule.body.__doc__ or "",
            parameters_of(rule),
            rule,
            measured[id(rule)].ranges if id(rule) in measured else {},
        )
        for rule in game.rules
    ]
    return {roll.name: roll for roll in (*own, *rules)}


def _measured(measure: Measure) -> Roll:
    fields = [(name, Annotated[int, Ge(min(span)), Le(max(span))]) for name, span in measure.ranges.items()]
    kind = make_dataclass(getattr(measure.ask, "__name__", "measure"), fields, frozen=True, kw_only=True)
    return Roll(kind.__name__, measure.ask.__doc__ or "", kind, measure.ask, measure.ranges)


@lru_cache(maxsize=256)
def parameters_of(rule: Rule[..., Any]) -> type:
    """A dataclass of a rule's parameters, so that they are read, validated and explained like fields."""
    hints = get_annotations(rule.body, eval_str=True)
    given = []
    for name, parameter in rule.parameters.items():
        default = MISSING if parameter.default is Signature.empty else parameter.default
        given.append((name, hints.get(name, Any), field(default=default)))
    return make_dataclass(rule.name, given, frozen=True, kw_only=True)


def find_roll(game: Ruleset, said: str) -> Roll:
    """The roll of this name, or the only one that begins so."""
    rolls = {spoken(name): roll for name, roll in rolls_of(game).items()}
    name = spoken(said)
    fitting = [name] if name in rolls else [one for one in rolls if name and one.startswith(name)]
    if len(fitting) != 1:
        raise BadQuestion(
            f"{game.name} has no rule {said[:40]!r}; there are {', '.join(roll.name for roll in rolls.values())}."
        )
    return rolls[fitting[0]]


# ---------------------------------------------------------------- how it is read


@frozen(kw_only=True)
class Reading:
    """How the odds of a rule are read: what is counted, and how decisions in the rule are made."""

    of: str | None = None
    """The part of the verdict that is counted."""
    policy: str | None = None
    goal: str | None = None
    """The outcome to aim for, or several with commas."""
    side: str | None = None
    """Whose decisions are the best ones; default: the side that decides first."""

    def odds(self, question: Question[Any], game: Ruleset, most_paths: int = MOST_PATHS) -> Odds[Any]:
        """The odds of a question, with its decisions made by the policy."""
        policy = self.policy_of(game)
        if policy is not None:
            return odds(question, policy, most_paths=most_paths)
        declined, sides = declined_odds(question, most_paths)
        side = self.side or next(iter(sides), None)
        if side is None:
            return declined
        if side not in sides:
            raise BadQuestion(f"{side!r} decides nothing here; {' and '.join(sides) or 'nobody'} does.")
        return advise(question, self.aim(declined), side=side, most_paths=most_paths).odds

    def policy_of(self, game: Ruleset) -> Policy | None:
        """The policy that answers every offer by itself; None for `best`, which has to look ahead."""
        if self.policy == BEST:
            return None
        policies = policies_of(game)
        if (self.policy or DECLINE) not in policies:
            raise BadQuestion(f"There is no policy {self.policy!r}; there are {', '.join((*policies, BEST))}.")
        return policies[self.policy or DECLINE]

    def aim(self, found: Odds[Any]) -> Callable[[Any], bool]:
        """The test for outcomes to aim for: those of the goal, or what is called a success."""
        name, meaning = part(found.weights, self.of)
        if self.goal is None:
            welcome = success_part(found.weights, self.of, name)
            if welcome is None:
                raise BadQuestion("Which outcome is a success? Name the part of the verdict to aim for, or an outcome.")
            meant = attrgetter(welcome)
            return lambda verdict: bool(meant(verdict))
        wanted = {spoken(one) for one in self.goal.split(",")}
        listed = dict.fromkeys(words(meaning(verdict)) for verdict in found.weights)
        if not wanted & set(map(spoken, listed)):
            raise BadQuestion(f"{self.goal!r} is no outcome here; {', '.join(listed)} are.")
        return lambda verdict: spoken(words(meaning(verdict))) in wanted

    def counted(self, found: Odds[Any]) -> tuple[str | None, Odds[Any]]:
        """Odds of the counted part of a verdict, and that part's name."""
        name, meaning = part(found.weights, self.of)
        return name, in_words(found.map(meaning) if name else found)


def policies_of(game: Ruleset) -> dict[str, Policy]:
    """The ways in which decisions can be made without looking ahead, by name."""
    actions = (action for chapter in game.chapters for action in chapter.actions)
    own = {name.replace(" ", "-"): policy for action in actions for name, policy in action.policies.items()}
    return {DECLINE: decline, **own}


def declined_odds(question: Question[Any], most_paths: int = MOST_PATHS) -> tuple[Odds[Any], list[str]]:
    """The odds if every offer is declined, and the sides that were asked, in their order."""
    sides: dict[str, None] = {}

    def listen(offer: Offer[Any]) -> Any:
        sides[offer.side] = None
        return offer.default

    return odds(question, listen, most_paths=most_paths), list(sides)


def telling_part(verdicts: Mapping[Any, int]) -> str | None:
    """The part to draw where none is named: whether it went well, else how it went, else its last number."""
    if name := success_part(verdicts, None) or part(verdicts, None)[0]:
        return name
    inner = [one for one in inner_parts(verdicts) if one.rpartition(".")[2] in SUCCESSES]
    numbers = [
        one
        for one, values in countable(verdicts).items()
        if len(set(values)) > 1 and all(isinstance(it, int) and not isinstance(it, bool) for it in values)
    ]
    return next(iter((*inner, *reversed(numbers))), None)


def success_part(verdicts: Iterable[Any], *first: str | None) -> str | None:
    """The yes-or-no of a verdict that says whether it went well; those named here before the usual ones."""
    parts = countable(verdicts)
    flags = {one for one, values in parts.items() if all(isinstance(value, bool) for value in values)}
    asked, *telling = first
    return next((one for one in (asked, *SUCCESSES, *telling) if one in flags), None)


# ---------------------------------------------------------------- the part of a verdict that is counted


def countable(verdicts: Iterable[Any]) -> dict[str, list[Any]]:
    """Every part that a verdict's kind has, fields and properties, with its values: those that are numbers or words."""
    found: dict[str, list[Any]] = {}
    for verdict in verdicts:
        own = own_parts(verdict)
        for name in () if own is None else dict.fromkeys((*own, *_properties(type(verdict)))):
            value = getattr(verdict, name)
            if isinstance(value, COUNTABLE):
                found.setdefault(name, []).append(value)
    return found


def inner_parts(verdicts: Iterable[Any]) -> dict[str, list[Any]]:
    """The parts of those parts that every verdict has and that have parts themselves: `roll.success`."""
    known = list(verdicts)
    own = [name for name in own_parts(known[0]) or {} if all(own_parts(getattr(it, name, None)) for it in known)]
    inner = {name: countable(getattr(it, name) for it in known) for name in own}
    return {f"{name}.{part}": values for name, parts in inner.items() for part, values in parts.items()}


def part(verdicts: Iterable[Any], wanted: str | None) -> tuple[str | None, Callable[[Any], Any]]:
    """Which part is counted: the one that is wanted; else the one word or yes-or-no that says how it went."""
    known = list(verdicts)
    parts = countable(known)
    if wanted == WHOLE or not parts:
        return None, lambda verdict: verdict
    if wanted is not None:
        name = wanted.replace("-", "_")
        parts |= inner_parts(known) if "." in name else {}
        if name not in parts:
            raise BadQuestion(f"A verdict of this rule has no part {wanted!r}; it has {', '.join(parts)}, or {WHOLE}.")
        return name, attrgetter(name)
    worked_out = {name for verdict in known for name in _properties(type(verdict))}
    changing = {name: values for name, values in parts.items() if len(set(values)) > 1}
    telling = _telling(changing, worked_out) or _telling(parts, worked_out)
    return (telling, attrgetter(telling)) if telling else (None, lambda verdict: verdict)


def _telling(parts: Mapping[str, list[Any]], worked_out: set[str]) -> str | None:
    """The only word among the parts; of several, the last that is worked out from the others; else the only
    yes-or-no.
    """
    words, answers = (
        [name for name, values in parts.items() if all(isinstance(value, kind) for value in values)]
        for kind in (Enum, bool)
    )
    concluded = [name for name in words if name in worked_out]
    if len(words) == 1 or concluded:
        return (concluded or words)[-1]
    return answers[0] if len(answers) == 1 else None


@once_for_each_type
def _properties(kind: type) -> list[str]:
    return [name for base in reversed(kind.__mro__) for name, one in vars(base).items() if isinstance(one, property)]
