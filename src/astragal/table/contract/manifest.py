"""Checks of a ruleset's declarations: names, documentation, limits, rights, visibility and measures, before anything is
played; heroes on paper, tables and skins.
"""

import inspect
import re
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import pairwise, product
from pathlib import Path
from traceback import extract_tb
from typing import Any

from astragal.chance import SeededDice, odds
from astragal.fields import field_names
from astragal.table.authoring.chapter import Action, EventSpec
from astragal.table.authoring.log_lines import names_in
from astragal.table.authoring.meters import Meters
from astragal.table.authoring.point_buy import Draw
from astragal.table.authoring.ruleset import PROTOCOL, Plain, Ruleset
from astragal.table.declarations import Role, Scope, Seen, Value, is_value, kind_of_command, kind_of_event, replace
from astragal.table.fields import definitions, json_schema, shapes, validation
from astragal.table.refusals import Refusal
from astragal.table.registry import Book
from astragal.table.visibility.redact import field_visibility


class Findings:
    """Faults in the order in which they were found, each of them once."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def note(self, fault: str, example: object = "") -> None:
        """Record a fault, without its full stop. The example is what first showed it."""
        self._found.setdefault(fault, str(example))

    def sentences(self) -> list[str]:
        return [f"{fault}, as with {example}." if example else f"{fault}." for fault, example in self._found.items()]


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
    for made, mark, joined in ((commands, "command", "an action"), (events, "event", "a happening")):
        for one in (one for one in made if not hasattr(one, f"__{mark}__")):
            yield f"{one.__name__} is joined to {joined} and is no {mark}; declare it with @{mark}"
    shared = Book.of(replace(ruleset, chapters=(), overrides={}))
    names: dict[str, tuple[list[str], set[str]]] = {
        "ruleset": ([ruleset.id], set()),
        "command": ([one.__command__.name for one in commands if hasattr(one, "__command__")], set(shared.commands)),
        "event": (
            [one.__event__.name for one in events if hasattr(one, "__event__")],
            {one.name for one in shared.event_specs.values()},
        ),
        "rule": ([rule.name for rule in ruleset.rules], set()),
    }
    for what, (known, taken) in names.items():
        for name, times in Counter(known).items():
            if what != "rule" and not STABLE.fullmatch(name):
                yield f"The {what} {name!r} has a name that is not small letters, digits and underscores"
            if times > 1:
                yield f"The {what} {name!r} is declared {times} times"
            if name in taken:
                yield f"The {what} {name!r} has a name that every table has already"


def faults_in_game(ruleset: Ruleset) -> Iterator[str]:
    """Find faults in the ruleset's own fields, in its options, and in the commands that it names."""
    if ruleset.protocol != PROTOCOL:
        yield f"It is written for protocol {ruleset.protocol}; this is protocol {PROTOCOL}"
    for what in ("name", "version", "books"):
        if not getattr(ruleset, what):
            yield f"It does not say its {what}"
    for field in definitions.fields_of(ruleset.options):
        if field.required:
            yield f"The option {field.name!r} has no default"
        yield from faults_in_field(f"The option {field.name!r}", field)
    known = Book.of(ruleset).commands
    for command in sorted({*ruleset.everyday, *ruleset.at_hand.commands} - known.keys()):
        yield f"Everyday words or what is at hand name {command!r}, which is no command"
    if ruleset.foes and not {"name", "foe"} <= set(field_names(known.get(ruleset.foes, Value))):
        yield f"Foes are brought in by {ruleset.foes!r}, which is no command with a name and a foe (see `from_setting`)"


def faults_in_event(happening: EventSpec[Any], terms: Collection[str]) -> Iterator[str]:
    """Find faults in how an event is stored and worded."""
    event, kind = happening.event, kind_of_event(happening.event)
    yield from faults_in_sight(event)
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


def faults_in_numbers(ruleset: Ruleset) -> Iterator[str]:
    """Find faults in prices, overrides and meters.

    A change must not be shown to anyone who may not see the number, unless the meter says when it is closed.
    """
    documented = {**{f"price {name!r}": one.doc for name, one in ruleset.prices.items()}}
    documented |= {f"override {name!r}": one.doc for name, one in ruleset.overrides.items()}
    yield from (f"The {what} has no documentation" for what, doc in documented.items() if not doc)
    for name, (least, most) in ((name, one.limits) for name, one in ruleset.overrides.items()):
        if least >= most:
            yield f"The override {name!r} goes from {least} to {most}, which is no range"
    marks = dict(field_visibility(ruleset.sheet)) if is_value(ruleset.sheet) else {}
    for chapter in ruleset.chapters:
        for meter in chapter.meters if isinstance(chapter, Meters) else ():
            mark = meter.seen if meter.closed else marks.get(meter.field or meter.name, meter.seen)
            if mark is not Seen.ALL and mark is not meter.seen and meter.seen is not Seen.GAME_MASTER:
                yield f"The meter {meter.name!r} is told to {meter.seen.value}, and its field is for {mark.value}"


def faults_in_command(action: Action[Any, Any]) -> Iterator[str]:
    """Find faults in a command's documentation, rights and fields."""
    command, kind = action.command, kind_of_command(action.command)
    about, names = f"The command {kind.name!r}", {field.name: field.names for field in definitions.fields_of(command)}
    if not command.__doc__ or command.__doc__.startswith(f"{command.__name__}("):
        yield f"{about} has no documentation"
    if not kind.may:
        yield f"{about} may be given by nobody"
    if not set(kind.may) <= set(Role) or not set(kind.may.values()) <= set(Scope):
        yield f"{about} has rights that are not scopes by role"
    if kind.actor is not None and names.get(kind.actor) != "character":
        yield f"{about} names {kind.actor!r} as who acts, which is no field that holds a character"
    if Scope.OWN in kind.may.values() and kind.actor is None:
        yield f"{about} is for one's own characters and does not name the field that says who acts"
    for field in definitions.fields_of(command):
        yield from faults_in_field(f"The field {field.name!r} of the command {kind.name!r}", field)
    try:
        json_schema.schema_of(command)
    except (KeyError, TypeError) as fault:
        yield f"{about} has a field of a kind that no schema describes: {fault}"
    if action.spend and action.spend.field not in names:
        yield f"{about} spends {action.spend.field!r}, which is none of its fields"


def faults_in_field(about: str, field: definitions.Field) -> Iterator[str]:
    """Find fields without documentation or without limits."""

    def unlimited(shape: shapes.Shape) -> Iterator[str]:
        for part in shapes.innermost(shape):
            match part:
                case shapes.NumberShape(least=least, most=most) if least is None or most is None:
                    yield "takes a number without limits (Ge and Le)"
                case shapes.TextShape(most=None, spelled=None):
                    yield "takes a text of any length (MaxLen)"
                case shapes.RecordShape(kind=kind):
                    for one in definitions.fields_of(kind):
                        yield from (f"{fault} in its {one.name!r}" for fault in unlimited(one.shape))
                case shapes.AnyShape():
                    yield "takes anything, which nothing limits"

    if not field.doc:
        yield f"{about} has no documentation (Doc)"
    try:
        yield from (f"{about} {fault}" for fault in dict.fromkeys(unlimited(field.shape)))
    except definitions.UnknownShape as unknown:
        yield f"{about} takes {unknown.name}, which nothing limits"


def faults_in_sight(kind: type) -> Iterator[str]:
    """Find fields, also of nested values, that don't say who may see them or that can't be stored and redacted."""
    seen, waiting = set[type](), [kind]
    while waiting:
        inside: Any = waiting.pop(0)
        if inside in seen or not is_value(inside):
            continue
        seen.add(inside)
        if not (getattr(inside, "__struct_config__", None) or inside.__dataclass_params__).frozen:
            yield f"{inside.__name__} can be changed in place; make it a Value"
        for field in definitions.fields_of(inside):
            about = f"The field {field.name!r} of {inside.__name__}"
            if getattr(inside, "__seen__", None) is None and not any(isinstance(mark, Seen) for mark in field.marks):
                yield f"{about} does not say who may see it (Seen)"
            try:
                waiting += [one.kind for one in shapes.innermost(field.shape) if isinstance(one, shapes.RecordShape)]
            except definitions.UnknownShape as unknown:
                yield f"{about} holds {unknown.name}, which can't be kept and cut"


# ---------------------------------------------------------------- measures


def faults_in_measures(ruleset: Ruleset) -> Iterator[str]:
    """Check that a measure which claims to be steady is: conversions search it by bisection."""
    for measure in ruleset.measures:
        *others, (last, values) = measure.ranges.items()
        helps = set[bool]()
        for fixed in product(*(numbers for _, numbers in others)) if measure.steady else ():
            given = dict(zip(dict(others), fixed, strict=True))
            chances = (odds(measure.ask(**given, **{last: one})).chance(measure.success) for one in sorted(values))
            helps |= {after > before for before, after in pairwise(chances) if after != before}
        if len(helps) > 1:
            yield (
                f"The measure {measure.words!r} is called steady, and a greater {last} helps at one place and hurts "
                "at another"
            )


def place_of(kind: type) -> str:
    """Return the file and line where a class is declared: “lanterns.py, line 31”; empty for a generated class."""
    with suppress(OSError, TypeError):
        return f"{Path(inspect.getfile(kind)).name}, line {inspect.getsourcelines(kind)[1]}"
    return ""


def grave_faults(ruleset: Ruleset) -> Iterator[tuple[str, type | None]]:
    """Find faults that every table of the game would show. This is quick."""
    yield from ((fault, None) for fault in faults_in_names(ruleset))
    for happening in event_specs_of(ruleset):
        yield from ((fault, happening.event) for fault in faults_in_words(happening, ruleset.terms))


def declared_faults(ruleset: Ruleset) -> Iterator[tuple[str, type | None]]:
    """Find faults in the declarations, each with its class, if it is in one.

    If there are faults in names, commands and events can't be told apart, and nothing else is checked.
    """
    names = list(faults_in_names(ruleset))
    yield from ((fault, None) for fault in names)
    if names:
        return
    yield from ((fault, None) for fault in faults_in_game(ruleset))
    for action in actions_of(ruleset):
        yield from ((fault, action.command) for fault in faults_in_command(action))
    for happening in event_specs_of(ruleset):
        yield from ((fault, happening.event) for fault in faults_in_event(happening, ruleset.terms))
    for part in (ruleset.sheet, ruleset.options, ruleset.game):
        kept = faults_in_sight(part) if is_value(part) else [f"{part.__name__} is no value with fields"]
        yield from ((fault, part) for fault in kept)
    for check in (faults_in_numbers, faults_in_measures):
        yield from ((fault, None) for fault in check(ruleset))


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

    random = heroes.random
    made = [random(draws(seed), {}, options) for seed in RANDOM_HEROES] if random else []
    return [*heroes.samples(options).values(), *made]


def faults_in_creation(ruleset: Ruleset, options: Any) -> Iterator[str]:
    """Find faults in heroes on paper, tables and skins."""
    try:
        yield from _in_heroes(ruleset, options)
        for name, table in ((name, table()) for name, table in ruleset.tables.items()):
            if not table.rows or any(len(row) != len(table.head) for row in table.rows):
                yield f"The table {name!r} has no rows, or rows that do not fit its head"
        skins: Any = ruleset.skins
        for name, text in skins.shipped().items() if skins else ():
            if faults := skins.faults(text, name):
                yield f"The skin {name!r} that comes with the game is faulty: {faults[0]}"
                continue
            try:
                validation.read(ruleset.options, skins.wear(text).options)
            except Refusal as refusal:
                yield f"The skin {name!r} fills in options that the game does not take: {refusal.sentence.rstrip('.')}"
    except Exception as broken:  # noqa: BLE001 - whatever a ruleset raises is reported
        yield f"Heroes, tables or skins can't be had: {told(broken)}"


def _in_heroes(ruleset: Ruleset, options: Any) -> Iterator[str]:
    heroes, commands = ruleset.heroes, {action.name: action.command for action in actions_of(ruleset)}
    for name in (heroes.make, *heroes.advance) if heroes else ():
        if name not in commands:
            yield f"Heroes are made with {name!r}, which is no command of the game"
    if heroes is None or heroes.make not in commands:
        return
    for hero in sample_heroes(ruleset, options):
        try:
            validation.read(commands[heroes.make], hero)
        except Refusal as refusal:
            yield f"A hero on paper does not fit {heroes.make!r}: {refusal.sentence.rstrip('.')}"
        if not all(isinstance(line, str) for line in heroes.accounts(hero, options)):
            yield "The accounts of a hero on paper are not lines of text"
