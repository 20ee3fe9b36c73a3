"""Checks of a ruleset's declarations: names, documentation, limits, rights, visibility and measures, before anything is
played; heroes on paper, tables and skins.
"""

import inspect
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from difflib import SequenceMatcher, get_close_matches
from itertools import pairwise, product
from pathlib import Path
from traceback import extract_tb
from types import FunctionType
from typing import Any

from msgspec import Struct

from astragal.chance import SeededDice, odds
from astragal.fields import field_names
from astragal.table.authoring.chapter import Action, Command, Event, EventSpec, Fact, Guarded, hooks_of
from astragal.table.authoring.log_lines import names_in
from astragal.table.authoring.meters import Meters
from astragal.table.authoring.point_buy import Draw
from astragal.table.authoring.ruleset import PROTOCOL, Plain, Ruleset
from astragal.table.declarations import (
    Role,
    Scope,
    Seen,
    Value,
    command_declared_by,
    event_declared_by,
    is_value,
    kind_of_command,
    kind_of_event,
    replace,
)
from astragal.table.fields import definitions, json_schema, shapes, validation
from astragal.table.refusals import Refusal
from astragal.table.registry import Book
from astragal.table.visibility.redact import field_visibility


class Findings:
    """Faults in the order in which they were found, each of them once."""

    def __init__(self) -> None:
        self._examples: dict[str, str] = {}

    def note(self, fault: str, example: object = "") -> None:
        """Record a fault, without its full stop. The example is what first showed it."""
        self._examples.setdefault(fault, str(example))

    def sentences(self) -> list[str]:
        sentences = []
        for fault, example in self._examples.items():
            sentences.append(f"{fault}, as with {example}." if example else f"{fault}.")
        return sentences


def told(broken: BaseException) -> str:
    """Describe an exception and the line that raised it."""
    last = extract_tb(broken.__traceback__)[-1]
    return f"{type(broken).__name__}: {broken} (in {last.name}, {Path(last.filename).name} line {last.lineno})"


# ---------------------------------------------------------------- names, fields, rights

STABLE = re.compile(r"[a-z][a-z0-9_]*")


def actions_of(ruleset: Ruleset) -> list[Action[Any, Any]]:
    return [action for chapter in ruleset.chapters for action in chapter.actions]


def event_specs_of(ruleset: Ruleset) -> list[EventSpec[Any]]:
    return [happening for chapter in ruleset.chapters for happening in chapter.event_specs]


def faults_in_names(ruleset: Ruleset) -> Iterator[str]:
    """Find names that are missing, not plain or not unique: names are stored in logs.

    With such faults no `Book` can be made.
    """
    commands = [action.command for action in actions_of(ruleset)]
    events = [happening.event for happening in event_specs_of(ruleset)]
    command_names = []
    for command in commands:
        declared_command = command_declared_by(command)
        if declared_command is None:
            yield f"{command.__name__} is joined to an action and is no command; declare it with @command"
        else:
            command_names.append(declared_command.name)
    event_names = []
    for event in events:
        declared_event = event_declared_by(event)
        if declared_event is None:
            yield f"{event.__name__} is joined to a happening and is no event; declare it with @event"
        else:
            event_names.append(declared_event.name)
    shared = Book.of(replace(ruleset, chapters=(), overrides={}))
    shared_event_names = {spec.name for spec in shared.event_specs.values()}
    yield from _faults_in_stored_names("ruleset", [ruleset.id])
    yield from _faults_in_stored_names("command", command_names, shared.commands.keys())
    yield from _faults_in_stored_names("event", event_names, shared_event_names)
    for name, count in Counter(rule.name for rule in ruleset.rules).items():
        if count > 1:
            yield f"The rule {name!r} is declared {count} times"


def _faults_in_stored_names(noun: str, names: Collection[str], shared: Collection[str] = ()) -> Iterator[str]:
    """Find names that are not plain, not unique, or that every table has already."""
    for name, count in Counter(names).items():
        if not STABLE.fullmatch(name):
            yield f"The {noun} {name!r} has a name that is not small letters, digits and underscores"
        if count > 1:
            yield f"The {noun} {name!r} is declared {count} times"
        if name in shared:
            yield f"The {noun} {name!r} has a name that every table has already"


def faults_in_game(ruleset: Ruleset) -> Iterator[str]:
    """Find faults in the ruleset's own fields, in its options, and in the commands that it names."""
    if ruleset.protocol != PROTOCOL:
        yield f"It is written for protocol {ruleset.protocol}; this is protocol {PROTOCOL}"
    for name, value in (("name", ruleset.name), ("version", ruleset.version), ("books", ruleset.books)):
        if not value:
            yield f"It does not say its {name}"
    for field in definitions.fields_of(ruleset.options):
        if field.required:
            yield f"The option {field.name!r} has no default"
        yield from faults_in_field(f"The option {field.name!r}", field)
    commands = Book.of(ruleset).commands
    for command in sorted({*ruleset.everyday, *ruleset.at_hand.commands} - commands.keys()):
        yield f"Everyday words or what is at hand name {command!r}, which is no command"
    if ruleset.foes and not {"name", "foe"} <= set(field_names(commands.get(ruleset.foes, Value))):
        yield f"Foes are brought in by {ruleset.foes!r}, which is no command with a name and a foe (see `from_setting`)"


def faults_in_event(happening: EventSpec[Any], terms: Collection[str]) -> Iterator[str]:
    """Find faults in how an event is stored and worded."""
    kind = kind_of_event(happening.event)
    yield from faults_in_sight(happening.event)
    for version in range(1, kind.version):
        if version not in kind.lifts:
            yield f"The event {kind.name!r} is in version {kind.version} and has no lift from version {version}"
    yield from faults_in_words(happening, terms)


def faults_in_words(happening: EventSpec[Any], terms: Collection[str]) -> Iterator[str]:
    """Find words in braces that nothing fills in, so that they would be shown as they are."""
    event = happening.event
    for name in names_in(happening.template):
        if not hasattr(event, name) and name not in (*field_names(event), *terms):
            yield f"The event {happening.name!r} says {{{name}}}, which is neither a field of it nor a term of the game"


def faults_in_hooks(kind: type) -> Iterator[str]:
    """Find methods that override nothing though they look like a hook, and so would silently never be called.

    A method looks like a hook if its name is nearly that of one. If the name is only half alike, its parameters must
    have the hook's names, too: `told(self, teller)` is no misspelt `fold(self, state)`.
    """
    hooks = hooks_of(kind)
    for base in kind.__mro__:
        if base in NOT_AUTHORS:
            continue
        for name, method in vars(base).items():
            if name in hooks or not isinstance(method, (FunctionType, staticmethod)):
                continue
            for hook in get_close_matches(name, hooks, 1, HALF_ALIKE):
                likeness = SequenceMatcher(None, name, hook).ratio()
                if likeness >= NEARLY_ALIKE or _parameters(method) == PARAMETERS_OF_HOOKS[hook]:
                    yield f"The method `{base.__name__}.{name}` is no hook; `{hook}` is"


NOT_AUTHORS = frozenset((Command, Event, Fact, *Value.__mro__))
HALF_ALIKE = 0.7
NEARLY_ALIKE = 0.9


def _parameters(method: Any) -> tuple[str, ...]:
    return tuple(name for name in inspect.signature(getattr(method, "__func__", method)).parameters if name != "self")


def _parameters_of_hooks() -> dict[str, tuple[str, ...]]:
    parameters = {}
    for base in (Command, Event, Fact, Guarded):
        for name, method in vars(base).items():
            if name in (*hooks_of(base), "is_for") and isinstance(method, (FunctionType, staticmethod)):
                parameters[name] = _parameters(method)
    return parameters


PARAMETERS_OF_HOOKS = _parameters_of_hooks()


def faults_in_numbers(ruleset: Ruleset) -> Iterator[str]:
    """Find faults in prices, overrides and meters.

    A change must not be shown to anyone who may not see the number, unless the meter says when it is closed.
    """
    for name, price in ruleset.prices.items():
        if not price.doc:
            yield f"The price {name!r} has no documentation"
    for name, override in ruleset.overrides.items():
        if not override.doc:
            yield f"The override {name!r} has no documentation"
    for name, override in ruleset.overrides.items():
        least, most = override.limits
        if least >= most:
            yield f"The override {name!r} goes from {least} to {most}, which is no range"
    yield from _faults_in_meters(ruleset)


def _faults_in_meters(ruleset: Ruleset) -> Iterator[str]:
    """Find meters whose changes are told to those who may not see the number."""
    visibility = dict(field_visibility(ruleset.sheet)) if is_value(ruleset.sheet) else {}
    for chapter in ruleset.chapters:
        if not isinstance(chapter, Meters):
            continue
        for meter in chapter.meters:
            if meter.closed:
                continue
            viewers = visibility.get(meter.field or meter.name, meter.seen)
            if viewers not in (Seen.ALL, meter.seen) and meter.seen is not Seen.GAME_MASTER:
                yield f"The meter {meter.name!r} is told to {meter.seen.value}, and its field is for {viewers.value}"


def faults_in_command(action: Action[Any, Any]) -> Iterator[str]:
    """Find faults in a command's documentation, rights and fields."""
    command = action.command
    kind = kind_of_command(command)
    about = f"The command {kind.name!r}"
    fields = {field.name: field for field in definitions.fields_of(command)}
    if not command.__doc__ or command.__doc__.startswith(f"{command.__name__}("):
        yield f"{about} has no documentation"
    if not kind.may:
        yield f"{about} may be given by nobody"
    if not set(kind.may) <= set(Role) or not set(kind.may.values()) <= set(Scope):
        yield f"{about} has rights that are not scopes by role"
    if kind.actor is not None and (kind.actor not in fields or fields[kind.actor].names != "character"):
        yield f"{about} names {kind.actor!r} as who acts, which is no field that holds a character"
    if Scope.OWN in kind.may.values() and kind.actor is None:
        yield f"{about} is for one's own characters and does not name the field that says who acts"
    for field in fields.values():
        yield from faults_in_field(f"The field {field.name!r} of the command {kind.name!r}", field)
    try:
        json_schema.schema_of(command)
    except (KeyError, TypeError) as fault:
        yield f"{about} has a field of a kind that no schema describes: {fault}"
    if action.spend and action.spend.field not in fields:
        yield f"{about} spends {action.spend.field!r}, which is none of its fields"


def faults_in_field(about: str, field: definitions.Field) -> Iterator[str]:
    """Find fields without documentation or without limits."""

    if not field.doc:
        yield f"{about} has no documentation (Doc)"
    try:
        for fault in dict.fromkeys(_missing_limits(field.shape)):
            yield f"{about} {fault}"
    except definitions.UnknownShape as unknown:
        yield f"{about} takes {unknown.name}, which nothing limits"


def _missing_limits(shape: shapes.Shape) -> Iterator[str]:
    for part in shapes.innermost(shape):
        match part:
            case shapes.NumberShape(least=least, most=most) if least is None or most is None:
                yield "takes a number without limits (Ge and Le)"
            case shapes.TextShape(most=None, spelled=None):
                yield "takes a text of any length (MaxLen)"
            case shapes.RecordShape(kind=kind):
                for field in definitions.fields_of(kind):
                    for fault in _missing_limits(field.shape):
                        yield f"{fault} in its {field.name!r}"
            case shapes.AnyShape():
                yield "takes anything, which nothing limits"


def faults_in_sight(kind: type) -> Iterator[str]:
    """Find fields, also of nested values, that don't say who may see them or that can't be stored and redacted."""
    checked: set[type] = set()
    waiting = [kind]
    while waiting:
        value_type: Any = waiting.pop(0)
        if value_type in checked or not is_value(value_type):
            continue
        checked.add(value_type)
        if not _is_frozen(value_type):
            yield f"{value_type.__name__} can be changed in place; make it a Value"
        says_who_sees_it = issubclass(value_type, Value) and value_type.__seen__ is not None
        for field in definitions.fields_of(value_type):
            about = f"The field {field.name!r} of {value_type.__name__}"
            if not says_who_sees_it and not any(isinstance(mark, Seen) for mark in field.marks):
                yield f"{about} does not say who may see it (Seen)"
            try:
                inner_shapes = list(shapes.innermost(field.shape))
            except definitions.UnknownShape as unknown:
                yield f"{about} holds {unknown.name}, which can't be kept and cut"
                continue
            waiting += [shape.kind for shape in inner_shapes if isinstance(shape, shapes.RecordShape)]


def _is_frozen(value_type: Any) -> bool:
    """Return whether a Struct or a dataclass of a ruleset's author can't be changed in place."""
    options = value_type.__struct_config__ if issubclass(value_type, Struct) else value_type.__dataclass_params__
    return bool(options.frozen)


# ---------------------------------------------------------------- measures


def faults_in_measures(ruleset: Ruleset) -> Iterator[str]:
    """Check that a measure which claims to be steady is: conversions search it by bisection."""
    for measure in ruleset.measures:
        if not measure.steady:
            continue
        *first_names, last_name = measure.ranges
        *first_ranges, last_range = measure.ranges.values()
        directions: set[bool] = set()
        for first_numbers in product(*first_ranges):
            arguments = dict(zip(first_names, first_numbers, strict=True))
            chances = []
            for number in sorted(last_range):
                question = measure.ask(**arguments, **{last_name: number})
                chances.append(odds(question).chance(measure.success))
            directions |= {higher > lower for lower, higher in pairwise(chances) if lower != higher}
        if len(directions) > 1:
            yield (
                f"The measure {measure.words!r} is called steady, and a greater {last_name} helps at one place and "
                "hurts at another"
            )


def place_of(kind: type) -> str:
    """Return the file and line where a class is declared: “lanterns.py, line 31”; empty for a generated class."""
    with suppress(OSError, TypeError):
        return f"{Path(inspect.getfile(kind)).name}, line {inspect.getsourcelines(kind)[1]}"
    return ""


Fault = tuple[str, type | None]
"""A sentence without its full stop, and the class that it is about, if it is about one."""


def _about(kind: type | None, faults: Iterable[str]) -> Iterator[Fault]:
    for fault in faults:
        yield fault, kind


def grave_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Find faults that every table of the game would show. This is quick."""
    yield from _about(None, faults_in_names(ruleset))
    for happening in event_specs_of(ruleset):
        yield from _about(happening.event, faults_in_words(happening, ruleset.terms))


def declared_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Find faults in the declarations, each with its class, if it is in one.

    If there are faults in names, commands and events can't be told apart, and nothing else is checked.
    """
    faults = list(faults_in_names(ruleset))
    yield from _about(None, faults)
    if faults:
        return
    yield from _about(None, faults_in_game(ruleset))
    kinds = [*(action.command for action in actions_of(ruleset)), *(spec.event for spec in event_specs_of(ruleset))]
    for kind in dict.fromkeys(kinds):
        yield from _about(kind, faults_in_hooks(kind))
    for action in actions_of(ruleset):
        yield from _about(action.command, faults_in_command(action))
    for happening in event_specs_of(ruleset):
        yield from _about(happening.event, faults_in_event(happening, ruleset.terms))
    for kind in (ruleset.sheet, ruleset.options, ruleset.game):
        if is_value(kind):
            yield from _about(kind, faults_in_sight(kind))
        else:
            yield f"{kind.__name__} is no value with fields", kind
    yield from _about(None, faults_in_numbers(ruleset))
    yield from _about(None, faults_in_measures(ruleset))


# ---------------------------------------------------------------- heroes on paper, tables and skins

RANDOM_HEROES = range(5)


def sample_heroes(ruleset: Ruleset, options: Any) -> list[Plain]:
    """Return the game's ready heroes and some random ones, as fields of the command that brings them in."""
    heroes = ruleset.heroes
    if heroes is None:
        return []

    def draws(seed: int) -> Draw:
        dice = SeededDice(seed)
        return lambda size: dice.face(size) - 1

    samples = list(heroes.samples(options).values())
    if heroes.random:
        samples += [heroes.random(draws(seed), {}, options) for seed in RANDOM_HEROES]
    return samples


def faults_in_creation(ruleset: Ruleset, options: Any) -> Iterator[str]:
    """Find faults in heroes on paper, tables and skins."""
    try:
        yield from _faults_in_heroes(ruleset, options)
        for name, make_table in ruleset.tables.items():
            table = make_table()
            if not table.rows or any(len(row) != len(table.head) for row in table.rows):
                yield f"The table {name!r} has no rows, or rows that do not fit its head"
        yield from _faults_in_skins(ruleset)
    except Exception as broken:  # noqa: BLE001 - whatever a ruleset raises is reported
        yield f"Heroes, tables or skins can't be had: {told(broken)}"


def _faults_in_skins(ruleset: Ruleset) -> Iterator[str]:
    skins = ruleset.skins
    if skins is None:
        return
    for name, text in skins.shipped().items():
        faults = skins.faults(text, name)
        if faults:
            yield f"The skin {name!r} that comes with the game is faulty: {faults[0]}"
            continue
        try:
            validation.read(ruleset.options, skins.wear(text).options)
        except Refusal as refusal:
            yield f"The skin {name!r} fills in options that the game does not take: {refusal.sentence.rstrip('.')}"


def _faults_in_heroes(ruleset: Ruleset, options: Any) -> Iterator[str]:
    heroes = ruleset.heroes
    if heroes is None:
        return
    commands = {action.name: action.command for action in actions_of(ruleset)}
    for name in (heroes.make, *heroes.advance):
        if name not in commands:
            yield f"Heroes are made with {name!r}, which is no command of the game"
    if heroes.make not in commands:
        return
    for hero in sample_heroes(ruleset, options):
        try:
            validation.read(commands[heroes.make], hero)
        except Refusal as refusal:
            yield f"A hero on paper does not fit {heroes.make!r}: {refusal.sentence.rstrip('.')}"
        if not all(isinstance(line, str) for line in heroes.accounts(hero, options)):
            yield "The accounts of a hero on paper are not lines of text"
