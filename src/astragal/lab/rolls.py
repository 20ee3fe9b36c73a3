"""Rolls of a game: its rules by name, settings of their parameters, and how decisions are made."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from inspect import Signature, get_annotations
from itertools import product
from math import prod
from operator import attrgetter
from typing import Annotated, Any, NamedTuple, Self

from annotated_types import Ge, Le
from msgspec import NODEFAULT, Struct, defstruct, field
from msgspec.structs import replace

from astragal.chance import Odds, Offer, Policy, Question, Rule, advise, decline, odds
from astragal.chance.odds import in_words
from astragal.chance.pictures import words
from astragal.chance.weigh import MOST_PATHS
from astragal.fields import field_names
from astragal.table.authoring.ruleset import Measure, Ruleset
from astragal.table.fields import definitions, lookup, shapes, validation
from astragal.table.visibility.redact import plain

from .verdicts import BadQuestion, part, success_part

__all__ = [
    "BEST",
    "DECLINE",
    "LEAST",
    "MOST",
    "MOST_POINTS",
    "Axis",
    "BadQuestion",
    "DeclinedOdds",
    "OddsOptions",
    "Point",
    "Roll",
    "Setting",
    "declined_odds",
    "field_at",
    "find_roll",
    "limits_of",
    "number_range",
    "parameters_of",
    "policies_of",
    "record_in",
    "rolls_of",
    "setting",
    "usual_values",
    "varying",
    "with_value",
]

DECLINE = "decline"
BEST = "best"


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
    rolls = [_roll_of_measure(measure) for measure in game.measures if not isinstance(measure.ask, Rule)]
    ranges_by_rule = {id(measure.ask): measure.ranges for measure in game.measures}
    for rule in game.rules:
        ranges = ranges_by_rule.get(id(rule), {})
        rolls.append(Roll(rule.name, rule.body.__doc__ or "", parameters_of(rule), rule, ranges))
    return {roll.name: roll for roll in rolls}


def _roll_of_measure(measure: Measure) -> Roll:
    fields = [(name, Annotated[int, Ge(min(span)), Le(max(span))]) for name, span in measure.ranges.items()]
    kind = defstruct(getattr(measure.ask, "__name__", "measure"), fields, frozen=True, kw_only=True)
    return Roll(kind.__name__, measure.ask.__doc__ or "", kind, measure.ask, measure.ranges)


@lru_cache(maxsize=256)
def parameters_of(rule: Rule[..., Any]) -> type:
    """Make a Struct of a rule's parameters, so that they are parsed, validated and explained like fields.

    Cached, so that a rule has one class of parameters; of 256, the least recently used goes.
    """
    hints = get_annotations(rule.body, eval_str=True)
    fields = []
    for name, parameter in rule.parameters.items():
        default = NODEFAULT if parameter.default is Signature.empty else parameter.default
        fields.append((name, hints.get(name, Any), default))
    return defstruct(rule.name, fields, frozen=True, kw_only=True)


def find_roll(game: Ruleset, name: str) -> Roll:
    """Find the roll with this name, or the only one whose name begins so."""
    rolls = {lookup.normalised(roll_name): roll for roll_name, roll in rolls_of(game).items()}
    matches = lookup.beginning(rolls, lookup.normalised(name))
    if len(matches) != 1:
        listed = ", ".join(roll.name for roll in rolls.values())
        raise BadQuestion(f"{game.name} has no rule {name[:40]!r}; there are {listed}.")
    return rolls[matches[0]]


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

    def aim(self, verdict_odds: Odds[Any]) -> Callable[[Any], bool]:
        """Return the test for outcomes to aim for: those of the goal, else what is called a success."""
        name, meaning = part(verdict_odds.weights, self.of)
        if self.goal is None:
            success = success_part(verdict_odds.weights, self.of, name)
            if success is None:
                raise BadQuestion("Which outcome is a success? Name the part of the verdict to aim for, or an outcome.")
            is_success = attrgetter(success)
            return lambda verdict: bool(is_success(verdict))
        goals = {lookup.normalised(outcome) for outcome in self.goal.split(",")}
        outcomes = dict.fromkeys(words(meaning(verdict)) for verdict in verdict_odds.weights)
        if goals.isdisjoint(map(lookup.normalised, outcomes)):
            raise BadQuestion(f"{self.goal!r} is no outcome here; {', '.join(outcomes)} are.")
        return lambda verdict: lookup.normalised(words(meaning(verdict))) in goals

    def counted(self, verdict_odds: Odds[Any]) -> tuple[str | None, Odds[Any]]:
        """Return the name of the counted part of a verdict, and its odds."""
        name, meaning = part(verdict_odds.weights, self.of)
        if name is None:
            return None, in_words(verdict_odds)
        return name, in_words(verdict_odds.map(meaning))


def policies_of(game: Ruleset) -> dict[str, Policy]:
    """Return the policies that decide without looking ahead, by name."""
    policies: dict[str, Policy] = {DECLINE: decline}
    for chapter in game.chapters:
        for action in chapter.actions:
            for name, policy in action.policies.items():
                policies[name.replace(" ", "-")] = policy
    return policies


class DeclinedOdds(NamedTuple):
    """The odds of a question if every offer is declined."""

    odds: Odds[Any]
    sides: Sequence[str]
    """The sides that were asked, in their order."""


def declined_odds(question: Question[Any], most_paths: int = MOST_PATHS) -> DeclinedOdds:
    """Calculate the odds if every offer is declined."""
    sides: dict[str, None] = {}

    def listen(offer: Offer[Any]) -> Any:
        sides[offer.side] = None
        return offer.default

    verdict_odds = odds(question, listen, most_paths=most_paths)
    return DeclinedOdds(verdict_odds, list(sides))


# ---------------------------------------------------------------- settings

MOST_POINTS = 2_000
"""The most points of one setting."""

Point = tuple[Any, ...]
"""The value on each axis: a number, a choice, a yes or no."""


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

    def over(self, axes: Mapping[str, Iterable[Any]] | None = None, /, **values: Iterable[Any]) -> Self:
        """Return the setting with one or two parameters that vary.

        For example `over(dc=range(5, 31))`, or `over({"attacking.luck": …})`.
        """
        values_by_path = {**(axes or {}), **values}
        new_axes = []
        for path, axis_values in values_by_path.items():
            plain_values = tuple(dict.fromkeys(map(plain, axis_values)))
            new_axes.append(Axis(path, plain_values))
        size = prod(len(axis.values) for axis in new_axes)
        if len(new_axes) > 2 or not size:
            raise BadQuestion("One or two parameters can vary, over one value or more.")
        if size > MOST_POINTS:
            raise BadQuestion(f"That is {size:,} points; at most {MOST_POINTS:,} are calculated.")
        for axis in new_axes:
            field_at(self.roll.parameters, axis.path)
        return replace(self, axes=tuple(new_axes))

    @cached_property
    def values(self) -> dict[str, Any]:
        """All parameters, as plain values. Cached, since every point of a setting asks for them."""
        return {**usual_values(self.roll), **{name: plain(value) for name, value in self.given.items()}}

    def question(self, point: Point = ()) -> Question[Any]:
        """Build the question at a point. Raises a refusal that lists everything wrong with its parameters."""
        values = self.values
        for axis, value in zip(self.axes, point, strict=True):
            values = with_value(self.roll.parameters, values, axis.path, value)
        validated: Any = validation.read(self.roll.parameters, values)
        return self.roll.ask(**{name: getattr(validated, name) for name in field_names(self.roll.parameters)})

    def questions(self) -> dict[Point, Question[Any]]:
        """Build the question at each point, in order. Values are validated axis by axis, not point by point."""
        points = list(product(*(axis.values for axis in self.axes)))
        names = [axis.path.partition(".")[0] for axis in self.axes]
        rule = self.roll.rule
        if rule is None or len(set(names)) < len(names):  # a measure's numbers, or two parts of one parameter
            return {point: self.question(point) for point in points}

        first_point = points[0]
        first_arguments = self.question(first_point).named
        arguments_by_axis: list[dict[Any, Any]] = []
        for place, axis in enumerate(self.axes):
            argument_by_value = {}
            for value in axis.values:
                point = (*first_point[:place], value, *first_point[place + 1 :])
                argument_by_value[value] = self.question(point).named[names[place]]
            arguments_by_axis.append(argument_by_value)

        questions = {}
        for point in points:
            arguments = dict(first_arguments)
            for name, argument_by_value, value in zip(names, arguments_by_axis, point, strict=True):
                arguments[name] = argument_by_value[value]
            questions[point] = rule(**arguments)
        return questions

    @property
    def label(self) -> str:
        """The roll and its parameters in words: “Six-Pool d20 check: dc 15, bonus 5”."""
        paths = {axis.path for axis in self.axes}
        details = []
        for parameter in definitions.fields_of(self.roll.parameters):
            if parameter.name not in paths:
                details.append(_described(parameter, self.values.get(parameter.name), paths))
        if self.reading.policy not in (None, DECLINE):
            details.append(f"{self.reading.policy} play")
        roll = f"{self.game.name}, {self.roll.name.replace('_', ' ')}"
        listed = ", ".join(detail for detail in details if detail)
        return f"{roll}: {listed}" if listed else roll


def setting(game: Ruleset, rule: str, /, *, of: str = "", policy: str = "", goal: str = "", **values: Any) -> Setting:
    """Create a setting of a rule by its name: `setting(SINEW_STEEL, "opposed_test", attacker=12, defender=11)`."""
    roll = find_roll(game, rule)
    names = field_names(roll.parameters)
    for name in values:
        if name not in names:
            raise BadQuestion(f"{roll.name} has no parameter {name!r}; it has {', '.join(names)}.")
    return Setting(game, roll, values, OddsOptions(of=of or None, policy=policy or None, goal=goal or None))


def _described(parameter: definitions.Field, value: Any, varying_paths: set[str]) -> str:
    """Describe a parameter in a few words: empty for a default; of a record, only the parts that differ."""
    if not parameter.required and value in (None, plain(parameter.default)):
        return ""
    name = parameter.name.replace("_", " ")
    if isinstance(value, list):
        return f"{name} {len(value)}"
    if not isinstance(value, Mapping):
        return f"{name} {words(value)}"
    defaults = plain(parameter.default) or {}
    descriptions = []
    for part_name, part_value in value.items():
        differs = part_name not in defaults or part_value != defaults[part_name]
        if f"{parameter.name}.{part_name}" in varying_paths or not differs or isinstance(part_value, list):
            continue
        descriptions.append(f"{part_name.replace('_', ' ')} {words(part_value)}")
    return f"{name} ({', '.join(descriptions)})" if descriptions else ""


# ---------------------------------------------------------------- parameters: usual values, and ranges

LEAST = 0
MOST = 20
"""Limits of a number that has none of its own."""


def usual_values(roll: Roll) -> dict[str, Any]:
    """Choose values for the parameters that have no default: of numbers, the middle of the usual ones."""
    values = {}
    for parameter in definitions.fields_of(roll.parameters):
        if parameter.required:
            values[parameter.name] = _usual_value(parameter, parameter.shape, roll.usual.get(parameter.name))
    return values


def with_value(kind: type, values: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return the values with one of them changed, which may be a part of a record: `attacking.luck`."""
    name, _, inner_path = path.partition(".")
    if not inner_path:
        return {**values, name: value}
    parameter = field_at(kind, name)
    record = _record_of(parameter)
    parts = values.get(name) or plain(parameter.default) or _usual_value(parameter, shapes.RecordShape(kind=record))
    return {**values, name: with_value(record, parts, inner_path, value)}


def record_in(shape: shapes.Shape) -> type | None:
    """Return the record type of a parameter, if it is one; of several types, the first record."""
    if isinstance(shape, shapes.RecordShape):
        return shape.kind
    if isinstance(shape, shapes.EitherShape):
        for alternative in shape.shapes:
            kind = record_in(alternative)
            if kind is not None:
                return kind
    return None


def _usual_value(parameter: definitions.Field, shape: shapes.Shape, span: Sequence[int] | None = None) -> Any:
    match shape:
        case shapes.NumberShape():
            numbers = number_range(parameter, span)
            return numbers[len(numbers) // 2]
        case shapes.ChoiceShape(values=values):
            return values[0]
        case shapes.FlagShape():
            return False
        case shapes.TextShape():
            return ""
        case shapes.RecordShape(kind=kind):
            required_parts = [inner for inner in definitions.fields_of(kind) if inner.required]
            return {inner.name: _usual_value(inner, inner.shape) for inner in required_parts}
        case shapes.ListShape(item=item):
            return [_usual_value(parameter, item)]
        case shapes.EitherShape(shapes=alternatives, optional=optional):
            return None if optional else _usual_value(parameter, alternatives[0])
    return None


def number_range(parameter: definitions.Field, span: Sequence[int] | None = None) -> range:
    """Return the numbers over which a parameter varies: its limits, or the usual ones if these are wide or missing."""
    least, most = limits_of(parameter)
    if most - least <= MOST:
        return range(least, most + 1)
    for mark in parameter.marks:
        if isinstance(mark, definitions.Usual) and mark.values:
            return mark.values
    if span:
        return range(min(span), max(span) + 1)
    return range(max(LEAST, least), min(MOST, most) + 1)


def limits_of(parameter: definitions.Field) -> tuple[int, int]:
    """Return the least and the most that a number can be. Missing limits default to the usual ones."""
    shape = parameter.shape
    if isinstance(shape, shapes.EitherShape):
        shape = shape.shapes[0]
    if not isinstance(shape, shapes.NumberShape):
        return LEAST, MOST
    least = LEAST if shape.least is None else shape.least
    most = MOST if shape.most is None else shape.most
    return least, most


def varying(roll: Roll) -> dict[str, tuple[Any, ...]]:
    """Return every parameter that can vary, by its path, with the values it takes: numbers, choices, yes and no."""
    values_by_path = {}
    for parameter in definitions.fields_of(roll.parameters):
        kind = record_in(parameter.shape)
        if kind is None:
            inner_fields = {parameter.name: parameter}
        else:
            inner_fields = {f"{parameter.name}.{inner.name}": inner for inner in definitions.fields_of(kind)}
        for path, inner in inner_fields.items():
            values = _values_taken(inner, roll.usual.get(path))
            if values is not None:
                values_by_path[path] = values
    return values_by_path


def _values_taken(parameter: definitions.Field, span: Sequence[int] | None) -> tuple[Any, ...] | None:
    """Return the values over which a parameter varies; None if it is neither number nor choice nor yes or no."""
    match parameter.shape:
        case shapes.NumberShape():
            return tuple(number_range(parameter, span))
        case shapes.ChoiceShape(values=values):
            return values
        case shapes.FlagShape():
            return (False, True)
    return None


def field_at(kind: type, path: str) -> definitions.Field:
    """Find the parameter, or the part of one, at this path."""
    name, _, inner_path = path.partition(".")
    parameters = {parameter.name: parameter for parameter in definitions.fields_of(kind)}
    if name not in parameters:
        raise BadQuestion(f"There is no parameter {name[:40]!r} here; there are {', '.join(parameters)}.")
    if inner_path:
        return field_at(_record_of(parameters[name]), inner_path)
    return parameters[name]


def _record_of(parameter: definitions.Field) -> type:
    record = record_in(parameter.shape)
    if record is None:
        raise BadQuestion(f"{parameter.name} has no parts.")
    return record
