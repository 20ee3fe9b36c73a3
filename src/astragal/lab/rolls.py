"""Rolls of a game: its rules by name, settings of their parameters, how decisions are made, what is counted."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property, lru_cache
from inspect import Signature, get_annotations
from itertools import product
from math import prod
from operator import attrgetter
from types import NoneType
from typing import Annotated, Any, Self

from annotated_types import Ge, Le
from msgspec import NODEFAULT, Struct, defstruct, field
from msgspec.structs import replace

from astragal.chance import Odds, Offer, Policy, Question, Rule, advise, decline, odds
from astragal.chance.odds import in_words
from astragal.chance.pictures import own_parts, words
from astragal.chance.weigh import MOST_PATHS
from astragal.fields import field_names
from astragal.table.authoring.ruleset import Measure, Ruleset
from astragal.table.fields import definitions, lookup, shapes, validation
from astragal.table.refusals import Refusal
from astragal.table.visibility.redact import plain

DECLINE, BEST = "decline", "best"
SUCCESSES = ("success", "wins", "hit")
"""Parts of a verdict to aim for if no goal is given."""
COUNTABLE = (bool, int, str, Enum, NoneType)
WHOLE = "all"
"""Name that stands for every part of a verdict."""


class BadQuestion(Refusal):
    """A rule can't be asked this way. The sentence says how it can."""

    code = "bad_question"


# ---------------------------------------------------------------- rules, by name


class Roll(Struct, frozen=True, eq=False):
    """A rule of a game, or a measure, which asks a rule by plain numbers. Its parameters are fields of a class."""

    name: str
    doc: str
    parameters: type
    ask: Callable[..., Question[Any]]
    usual: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The ranges of numbers in the game's own measure of this roll."""

    @property
    def about(self) -> str:
        """First line of its docstring."""
        return self.doc.strip().partition("\n")[0]

    @property
    def rule(self) -> Rule[..., Any] | None:
        return self.ask if isinstance(self.ask, Rule) else None


def rolls_of(game: Ruleset) -> dict[str, Roll]:
    """Return everything that can be asked about a game: its measures that are no rules themselves, then its rules."""
    own = [_measured(one) for one in game.measures if not isinstance(one.ask, Rule)]
    usual = {id(one.ask): one.ranges for one in game.measures}
    rules = [Roll(it.name, it.body.__doc__ or "", parameters_of(it), it, usual.get(id(it), {})) for it in game.rules]
    return {roll.name: roll for roll in (*own, *rules)}


def _measured(measure: Measure) -> Roll:
    fields = [(name, Annotated[int, Ge(min(span)), Le(max(span))]) for name, span in measure.ranges.items()]
    kind = defstruct(getattr(measure.ask, "__name__", "measure"), fields, frozen=True, kw_only=True)
    return Roll(kind.__name__, measure.ask.__doc__ or "", kind, measure.ask, measure.ranges)


@lru_cache(maxsize=256)
def parameters_of(rule: Rule[..., Any]) -> type:
    """Make a Struct of a rule's parameters, so that they are parsed, validated and explained like fields."""
    hints = get_annotations(rule.body, eval_str=True)
    given = []
    for name, parameter in rule.parameters.items():
        default = NODEFAULT if parameter.default is Signature.empty else parameter.default
        given.append((name, hints.get(name, Any), default))
    return defstruct(rule.name, given, frozen=True, kw_only=True)


def find_roll(game: Ruleset, said: str) -> Roll:
    """Find the roll with this name, or the only one whose name begins so."""
    rolls = {lookup.normalised(name): roll for name, roll in rolls_of(game).items()}
    fitting = lookup.beginning(rolls, lookup.normalised(said))
    if len(fitting) != 1:
        raise BadQuestion(
            f"{game.name} has no rule {said[:40]!r}; there are {', '.join(roll.name for roll in rolls.values())}."
        )
    return rolls[fitting[0]]


# ---------------------------------------------------------------- how it is read


class OddsOptions(Struct, frozen=True, kw_only=True):
    """Options for reading the odds of a rule: what is counted, and how decisions in the rule are made."""

    of: str | None = None
    """The part of the verdict that is counted."""
    policy: str | None = None
    goal: str | None = None
    """The outcome to aim for, or several with commas."""
    side: str | None = None
    """The side that decides best; default: the side that decides first."""

    def odds(self, question: Question[Any], game: Ruleset, most_paths: int = MOST_PATHS) -> Odds[Any]:
        """Calculate the odds of a question, with its decisions made by the policy."""
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
        """Return the policy that answers every offer by itself; None for `best`, which has to look ahead."""
        if self.policy == BEST:
            return None
        policies = policies_of(game)
        if (self.policy or DECLINE) not in policies:
            raise BadQuestion(f"There is no policy {self.policy!r}; there are {', '.join((*policies, BEST))}.")
        return policies[self.policy or DECLINE]

    def aim(self, found: Odds[Any]) -> Callable[[Any], bool]:
        """Return the test for outcomes to aim for: those of the goal, else what is called a success."""
        name, meaning = part(found.weights, self.of)
        if self.goal is None:
            welcome = success_part(found.weights, self.of, name)
            if welcome is None:
                raise BadQuestion("Which outcome is a success? Name the part of the verdict to aim for, or an outcome.")
            meant = attrgetter(welcome)
            return lambda verdict: bool(meant(verdict))
        wanted = {lookup.normalised(one) for one in self.goal.split(",")}
        listed = dict.fromkeys(words(meaning(verdict)) for verdict in found.weights)
        if not wanted & set(map(lookup.normalised, listed)):
            raise BadQuestion(f"{self.goal!r} is no outcome here; {', '.join(listed)} are.")
        return lambda verdict: lookup.normalised(words(meaning(verdict))) in wanted

    def counted(self, found: Odds[Any]) -> tuple[str | None, Odds[Any]]:
        """Return the name of the counted part of a verdict, and its odds."""
        name, meaning = part(found.weights, self.of)
        return name, in_words(found.map(meaning) if name else found)


def policies_of(game: Ruleset) -> dict[str, Policy]:
    """Return the policies that decide without looking ahead, by name."""
    actions = (action for chapter in game.chapters for action in chapter.actions)
    own = {name.replace(" ", "-"): policy for action in actions for name, policy in action.policies.items()}
    return {DECLINE: decline, **own}


def declined_odds(question: Question[Any], most_paths: int = MOST_PATHS) -> tuple[Odds[Any], list[str]]:
    """Calculate the odds if every offer is declined. Also returns the sides that were asked, in their order."""
    sides: dict[str, None] = {}

    def listen(offer: Offer[Any]) -> Any:
        sides[offer.side] = None
        return offer.default

    return odds(question, listen, most_paths=most_paths), list(sides)


def default_part(verdicts: Mapping[Any, int]) -> str | None:
    """Choose the part to draw if none is named.

    It is the success, else the outcome, else the success of a part, else the last number.
    """
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
    """Find the yes-or-no of a verdict that tells success.

    The first of the given names goes before the usual ones, the others after them.
    """
    parts = countable(verdicts)
    flags = {one for one, values in parts.items() if all(isinstance(value, bool) for value in values)}
    asked, *telling = first
    return next((one for one in (asked, *SUCCESSES, *telling) if one in flags), None)


# ---------------------------------------------------------------- the part of a verdict that is counted


def countable(verdicts: Iterable[Any]) -> dict[str, list[Any]]:
    """Collect the parts of verdicts, fields and properties, whose values are numbers or words, with these values."""
    found: dict[str, list[Any]] = {}
    for verdict in verdicts:
        own = own_parts(verdict)
        for name in () if own is None else dict.fromkeys((*own, *_properties(type(verdict)))):
            value = getattr(verdict, name)
            if isinstance(value, COUNTABLE):
                found.setdefault(name, []).append(value)
    return found


def inner_parts(verdicts: Iterable[Any]) -> dict[str, list[Any]]:
    """Collect the parts, such as `roll.success`, of those parts that every verdict has and that have parts."""
    known = list(verdicts)
    own = [name for name in own_parts(known[0]) or {} if all(own_parts(getattr(it, name, None)) for it in known)]
    inner = {name: countable(getattr(it, name) for it in known) for name in own}
    return {f"{name}.{part}": values for name, parts in inner.items() for part, values in parts.items()}


def part(verdicts: Iterable[Any], wanted: str | None) -> tuple[str | None, Callable[[Any], Any]]:
    """Find the part to count: the wanted one, else the one word or yes-or-no that tells the outcome.

    Returns its name, and a function that reads it.
    """
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
    """Find the only word among the parts; of several, the last calculated one; else the only yes-or-no."""
    words, answers = (
        [name for name, values in parts.items() if all(isinstance(value, kind) for value in values)]
        for kind in (Enum, bool)
    )
    concluded = [name for name in words if name in worked_out]
    if len(words) == 1 or concluded:
        return (concluded or words)[-1]
    return answers[0] if len(answers) == 1 else None


@definitions.once_for_each_type
def _properties(kind: type) -> list[str]:
    return [name for base in reversed(kind.__mro__) for name, one in vars(base).items() if isinstance(one, property)]


# ---------------------------------------------------------------- settings

MOST_POINTS = 2_000
"""The most points of one setting."""

Point = tuple[Any, ...]
"""The value on each axis."""


class Axis(Struct, frozen=True):
    """A parameter that varies: `attacker`, or a part of one, `attacking.luck`."""

    path: str
    values: tuple[Any, ...]

    @property
    def words(self) -> str:
        return self.path.replace(".", " ").replace("_", " ")


class Setting(Struct, frozen=True, eq=False, dict=True):
    """A roll of a game with its parameters, the axes along which some of them vary, and how it is read."""

    game: Ruleset
    roll: Roll
    given: Mapping[str, Any] = field(default_factory=dict)
    """Plain values by name. A required one that is missing has its usual value."""
    reading: OddsOptions = OddsOptions()
    axes: tuple[Axis, ...] = ()

    def over(self, axes: Mapping[str, Iterable[Any]] | None = None, /, **named: Iterable[Any]) -> Self:
        """Return the setting with one or two parameters that vary.

        For example `over(dc=range(5, 31))`, or `over({"attacking.luck": …})`.
        """
        found = [Axis(path, tuple(dict.fromkeys(map(plain, it)))) for path, it in {**(axes or {}), **named}.items()]
        size = prod(len(it.values) for it in found)
        if len(found) > 2 or not size:
            raise BadQuestion("One or two parameters can vary, over one value or more.")
        if size > MOST_POINTS:
            raise BadQuestion(f"That is {size:,} points; at most {MOST_POINTS:,} are calculated.")
        for it in found:
            field_at(self.roll.parameters, it.path)
        return replace(self, axes=tuple(found))

    @cached_property
    def values(self) -> dict[str, Any]:
        """All parameters, as plain values."""
        return {**usual_values(self.roll), **{name: plain(value) for name, value in self.given.items()}}

    def question(self, point: Point = ()) -> Question[Any]:
        """Build the question at a point. Raises a refusal that lists everything wrong with its parameters."""
        values = self.values
        for axis, value in zip(self.axes, point, strict=True):
            values = with_value(self.roll.parameters, values, axis.path, value)
        checked: Any = validation.read(self.roll.parameters, values)
        return self.roll.ask(**{name: getattr(checked, name) for name in field_names(self.roll.parameters)})

    def questions(self) -> dict[Point, Question[Any]]:
        """Build the question at each point, in order. Values are validated axis by axis, not point by point."""
        points = list(product(*(axis.values for axis in self.axes)))
        changed = [axis.path.partition(".")[0] for axis in self.axes]
        rule = self.roll.rule
        if rule is None or len(set(changed)) < len(changed):  # a measure's numbers, or two parts of one parameter
            return {point: self.question(point) for point in points}
        usual = self.question(points[0]).named
        arguments = []
        for place, (axis, name) in enumerate(zip(self.axes, changed, strict=True)):
            before, after = points[0][:place], points[0][place + 1 :]
            arguments.append({it: self.question((*before, it, *after)).named[name] for it in axis.values})
        return {
            point: rule(**{**usual, **{name: of[it] for name, of, it in zip(changed, arguments, point, strict=True)}})
            for point in points
        }

    @property
    def label(self) -> str:
        """The roll and its parameters in words: “Six-Pool d20 check: dc 15, bonus 5”."""
        varied = {axis.path for axis in self.axes}
        known = definitions.fields_of(self.roll.parameters)
        told = [
            said for one in known if one.name not in varied and (said := _said(one, self.values.get(one.name), varied))
        ]
        how = [] if self.reading.policy in (None, DECLINE) else [f"{self.reading.policy} play"]
        return f"{self.game.name}, {self.roll.name.replace('_', ' ')}" + (
            f": {', '.join((*told, *how))}" if told or how else ""
        )


def setting(game: Ruleset, rule: str, /, *, of: str = "", policy: str = "", goal: str = "", **given: Any) -> Setting:
    """Create a setting of a rule by its name: `setting(SINEW_STEEL, "opposed_test", attacker=12, defender=11)`."""
    roll = find_roll(game, rule)
    if strange := [name for name in given if name not in field_names(roll.parameters)]:
        listed = ", ".join(field_names(roll.parameters))
        raise BadQuestion(f"{roll.name} has no parameter {strange[0]!r}; it has {listed}.")
    return Setting(game, roll, given, OddsOptions(of=of or None, policy=policy or None, goal=goal or None))


def _said(one: definitions.Field, value: Any, varied: set[str]) -> str:
    """Describe a parameter in a few words: empty for a default; of a record, only the parts that differ."""
    if not one.required and value in (None, plain(one.default)):
        return ""
    name = one.name.replace("_", " ")
    if not isinstance(value, Mapping):
        return f"{name} {words(value)}" if not isinstance(value, list) else f"{name} {len(value)}"
    usual = plain(one.default) or {}
    parts = {
        it: inner
        for it, inner in value.items()
        if f"{one.name}.{it}" not in varied and inner != usual.get(it, object())
    }
    inner = ", ".join(
        f"{it.replace('_', ' ')} {words(part)}" for it, part in parts.items() if not isinstance(part, list)
    )
    return f"{name} ({inner})" if inner else ""


# ---------------------------------------------------------------- parameters: usual values, and ranges

LEAST, MOST = 0, 20
"""Limits of a number that has none of its own."""


def usual_values(roll: Roll) -> dict[str, Any]:
    """Choose values for the parameters that have no default: of numbers, the middle of the usual ones."""
    return {
        one.name: _usual(one, one.shape, roll.usual.get(one.name))
        for one in definitions.fields_of(roll.parameters)
        if one.required
    }


def with_value(kind: type, values: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return the values with one of them changed, which may be a part of a record: `attacking.luck`."""
    name, _, inner = path.partition(".")
    if not inner:
        return {**values, name: value}
    one = field_at(kind, name)
    record = _record_of(one)
    before = values.get(name) or plain(one.default) or _usual(one, shapes.RecordShape(kind=record))
    return {**values, name: with_value(record, before, inner, value)}


def record_in(shape: shapes.Shape) -> type | None:
    """Return the record type of a parameter, if it is one; of several types, the first record."""
    if isinstance(shape, shapes.EitherShape):
        return next((kind for one in shape.shapes if (kind := record_in(one))), None)
    return shape.kind if isinstance(shape, shapes.RecordShape) else None


def _usual(one: definitions.Field, shape: shapes.Shape, span: Sequence[int] | None = None) -> Any:
    match shape:
        case shapes.NumberShape():
            values = number_range(one, span)
            return values[len(values) // 2]
        case shapes.ChoiceShape(values=values):
            return values[0]
        case shapes.FlagShape():
            return False
        case shapes.TextShape():
            return ""
        case shapes.RecordShape(kind=kind):
            return {it.name: _usual(it, it.shape) for it in definitions.fields_of(kind) if it.required}
        case shapes.ListShape(item=item):
            return [_usual(one, item)]
        case shapes.EitherShape(shapes=kinds, optional=optional):
            return None if optional else _usual(one, kinds[0])
    return None


def number_range(one: definitions.Field, span: Sequence[int] | None = None) -> range:
    """Return the numbers over which a parameter varies: its limits, or the usual ones if these are wide or missing."""
    least, most = limits_of(one)
    if most - least <= MOST:
        return range(least, most + 1)
    usual = next((mark.values for mark in one.marks if isinstance(mark, definitions.Usual)), None)
    if usual or span:
        return usual or range(min(span or ()), max(span or ()) + 1)
    return range(max(LEAST, least), min(MOST, most) + 1)


def limits_of(one: definitions.Field) -> tuple[int, int]:
    """Return the least and the most that a number can be. Missing limits default to the usual ones."""
    shape = one.shape.shapes[0] if isinstance(one.shape, shapes.EitherShape) else one.shape
    least, most = (shape.least, shape.most) if isinstance(shape, shapes.NumberShape) else (None, None)
    return LEAST if least is None else least, MOST if most is None else most


def varying(roll: Roll) -> dict[str, tuple[Any, ...]]:
    """Return every parameter that can vary, by its path, with the values it takes: numbers, choices, yes and no."""
    return dict(_varying(definitions.fields_of(roll.parameters), "", roll))


def _varying(fields: Sequence[definitions.Field], prefix: str, roll: Roll) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for one in fields:
        shape = one.shape
        if isinstance(shape, shapes.NumberShape):
            yield prefix + one.name, tuple(number_range(one, roll.usual.get(prefix + one.name)))
        elif isinstance(shape, shapes.ChoiceShape):
            yield prefix + one.name, shape.values
        elif isinstance(shape, shapes.FlagShape):
            yield prefix + one.name, (False, True)
        elif (kind := record_in(shape)) and not prefix:
            yield from _varying(definitions.fields_of(kind), f"{one.name}.", roll)


def field_at(kind: type, path: str) -> definitions.Field:
    """Find the parameter, or the part of one, at this path."""
    name, _, inner = path.partition(".")
    known = {one.name: one for one in definitions.fields_of(kind)}
    if name not in known:
        raise BadQuestion(f"There is no parameter {name[:40]!r} here; there are {', '.join(known)}.")
    return field_at(_record_of(known[name]), inner) if inner else known[name]


def _record_of(one: definitions.Field) -> type:
    record = record_in(one.shape)
    if record is None:
        raise BadQuestion(f"{one.name} has no parts.")
    return record
