"""Checks of a ruleset's declarations before anything is played: names, documentation, limits, rights, visibility,
measures; heroes on paper, tables and skins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from traceback import extract_tb
from typing import Any

from astragal.chance import SeededDice, odds
from astragal.table.authoring.chapter import Action, Happening
from astragal.table.authoring.declarations import CommandKind, EventKind, kind_of_command, kind_of_event
from astragal.table.authoring.meters import Meters
from astragal.table.authoring.ruleset import PROTOCOL, BookTable, HeroBook, Measure, Plain, Ruleset, SkinShelf
from astragal.table.fields import shapes
from astragal.table.fields.definitions import Field, UnknownShape, fields_of
from astragal.table.fields.json_schema import schema_of
from astragal.table.fields.shapes import innermost
from astragal.table.fields.validation import read
from astragal.table.fields.values import Value, field_names, is_value, replace
from astragal.table.refusals import Refusal
from astragal.table.registry import Book
from astragal.table.state.seats import Role, Scope, Seen
from astragal.table.visibility.redact import sights


class Findings:
    """Faults in the order in which they were found."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def note(self, fault: str, example: object = "") -> None:
        """A fault, without its full stop; the example is what first showed it."""
        self._found.setdefault(fault, str(example))

    def sentences(self) -> list[str]:
        return [f"{fault}, as with {example}." if example else f"{fault}." for fault, example in self._found.items()]


def told(broken: BaseException) -> str:
    """The exception, and the line that raised it."""
    last = extract_tb(broken.__traceback__)[-1]
    return f"{type(broken).__name__}: {broken} (in {last.name}, {Path(last.filename).name} line {last.lineno})"


# ---------------------------------------------------------------- names, fields, rights

STABLE = re.compile(r"[a-z][a-z0-9_]*")


def actions_of(ruleset: Ruleset) -> list[Action[Any, Any]]:
    return [action for chapter in ruleset.chapters for action in chapter.actions]


def happenings_of(ruleset: Ruleset) -> list[Happening[Any]]:
    return [happening for chapter in ruleset.chapters for happening in chapter.happenings]


def faults_in_names(ruleset: Ruleset) -> Iterator[str]:
    """Names are kept in logs: they are there, plain, and one thing's alone. With these faults there is no book."""
    yield from _undeclared(ruleset)
    shared = Book.of(replace(ruleset, chapters=(), overrides={}))
    commands = [kind.name for kind in map(_command, actions_of(ruleset)) if kind]
    events = [kind.name for kind in map(_event, happenings_of(ruleset)) if kind]
    rules = [rule.name for rule in ruleset.rules]
    yield from _unstable("ruleset", [ruleset.id])
    yield from _unstable("command", commands)
    yield from _unstable("event", events)
    yield from _twice("command", commands, shared.commands)
    yield from _twice("event", events, [one.name for one in shared.happenings.values()])
    yield from _twice("rule", rules, ())


def _undeclared(ruleset: Ruleset) -> Iterator[str]:
    for action in actions_of(ruleset):
        if _command(action) is None:
            yield f"{action.command.__name__} is joined to an action and is no command; declare it with @command"
    for happening in happenings_of(ruleset):
        if _event(happening) is None:
            yield f"{happening.event.__name__} is joined to a happening and is no event; declare it with @event"


def _command(action: Action[Any, Any]) -> CommandKind | None:
    return getattr(action.command, "__command__", None)


def _event(happening: Happening[Any]) -> EventKind | None:
    return getattr(happening.event, "__event__", None)


def _unstable(what: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if not STABLE.fullmatch(name):
            yield f"The {what} {name!r} has a name that is not small letters, digits and underscores"


def _twice(what: str, names: list[str], shared: Iterable[str]) -> Iterator[str]:
    for name, times in Counter(names).items():
        if times > 1:
            yield f"The {what} {name!r} is declared {times} times"
        if name in shared:
            yield f"The {what} {name!r} has a name that every table has already"


def faults_in_manifest(ruleset: Ruleset) -> Iterator[str]:
    """Everything else that is declared."""
    yield from _of_the_game(ruleset)
    for action in actions_of(ruleset):
        yield from _of_command(action.command, kind_of_command(action.command))
        yield from _of_spend(action)
    for happening in happenings_of(ruleset):
        yield from _of_event(happening.event, kind_of_event(happening.event))
    for kind in (ruleset.sheet, ruleset.options, ruleset.game):
        yield from faults_in_sight(kind) if is_value(kind) else [f"{kind.__name__} is no value with fields"]
    yield from _of_prices_and_overrides(ruleset)
    yield from _of_meters(ruleset)
    yield from _of_commands_named(ruleset)


def _of_the_game(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.protocol != PROTOCOL:
        yield f"It is written for protocol {ruleset.protocol}; this is protocol {PROTOCOL}"
    for what in ("name", "version", "books"):
        if not getattr(ruleset, what):
            yield f"It does not say its {what}"
    for field in fields_of(ruleset.options):
        if field.required:
            yield f"The option {field.name!r} has no default"
        yield from _of_field(f"The option {field.name!r}", field)


def _of_command(command: type, kind: CommandKind) -> Iterator[str]:
    about = f"The command {kind.name!r}"
    if not command.__doc__ or command.__doc__.startswith(f"{command.__name__}("):
        yield f"{about} has no documentation"
    yield from _of_rights(about, command, kind)
    for field in fields_of(command):
        yield from _of_field(f"The field {field.name!r} of the command {kind.name!r}", field)
    try:
        schema_of(command)
    except (KeyError, TypeError) as fault:
        yield f"{about} has a field of a kind that no schema describes: {fault}"


def _of_rights(about: str, command: type, kind: CommandKind) -> Iterator[str]:
    actors = [field for field in fields_of(command) if field.name == kind.actor]
    if not kind.may:
        yield f"{about} may be given by nobody"
    if not set(kind.may) <= set(Role) or not set(kind.may.values()) <= set(Scope):
        yield f"{about} has rights that are not scopes by role"
    if kind.actor is not None and not (actors and actors[0].names == "character"):
        yield f"{about} names {kind.actor!r} as who acts, which is no field that holds a character"
    if Scope.OWN in kind.may.values() and kind.actor is None:
        yield f"{about} is for one's own characters and does not name the field that says who acts"


def _of_field(about: str, field: Field) -> Iterator[str]:
    if not field.doc:
        yield f"{about} has no documentation (Doc)"
    try:
        yield from (f"{about} {fault}" for fault in dict.fromkeys(_unlimited(field.shape)))
    except UnknownShape as unknown:
        yield f"{about} takes {unknown.name}, which nothing limits"


def _unlimited(shape: shapes.Shape) -> Iterator[str]:
    """Fields without a limit."""
    for part in innermost(shape):
        match part:
            case shapes.NumberShape(least=least, most=most) if least is None or most is None:
                yield "takes a number without limits (Ge and Le)"
            case shapes.TextShape(most=None, spelled=None):
                yield "takes a text of any length (MaxLen)"
            case shapes.RecordShape(kind=kind):
                yield from (
                    f"{fault} in its {one.name!r}" for one in fields_of(kind) for fault in _unlimited(one.shape)
                )
            case shapes.AnyShape():
                yield "takes anything, which nothing limits"


def _of_spend(action: Action[Any, Any]) -> Iterator[str]:
    if action.spend and action.spend.field not in field_names(action.command):
        yield f"The command {action.name!r} spends {action.spend.field!r}, which is none of its fields"


def _of_event(event: type, kind: EventKind) -> Iterator[str]:
    yield from faults_in_sight(event)
    for version in range(1, kind.version):
        if version not in kind.lifts:
            yield f"The event {kind.name!r} is in version {kind.version} and has no lift from version {version}"


def _of_prices_and_overrides(ruleset: Ruleset) -> Iterator[str]:
    for name, price in ruleset.prices.items():
        if not price.doc:
            yield f"The price {name!r} has no documentation"
    for name, overridable in ruleset.overrides.items():
        least, most = overridable.limits
        if not overridable.doc:
            yield f"The override {name!r} has no documentation"
        if least >= most:
            yield f"The override {name!r} goes from {least} to {most}, which is no range"


def _of_meters(ruleset: Ruleset) -> Iterator[str]:
    """A change is told to nobody who may not see the number, unless the meter says when it is closed."""
    marks = dict(sights(ruleset.sheet)) if is_value(ruleset.sheet) else {}
    for chapter in ruleset.chapters:
        for meter in chapter.meters if isinstance(chapter, Meters) else ():
            mark = meter.seen if meter.closed else marks.get(meter.field or meter.name, meter.seen)
            if mark is not Seen.ALL and mark is not meter.seen and meter.seen is not Seen.GAME_MASTER:
                yield f"The meter {meter.name!r} is told to {meter.seen.value}, and its field is for {mark.value}"


def _of_commands_named(ruleset: Ruleset) -> Iterator[str]:
    known = Book.of(ruleset).commands
    for command in sorted({*ruleset.everyday, *ruleset.at_hand.commands}):
        if command not in known:
            yield f"Everyday words or what is at hand name {command!r}, which is no command"
    if ruleset.foes and not {"name", "foe"} <= set(field_names(known.get(ruleset.foes, Value))):
        yield f"Foes are brought in by {ruleset.foes!r}, which is no command with a name and a foe (see `from_setting`)"


# ---------------------------------------------------------------- who may see what


def faults_in_sight(kind: type) -> Iterator[str]:
    """Faults in the fields of a value, and of the values inside it."""
    for inside in values_in(kind):
        if not _is_frozen(inside):
            yield f"{inside.__name__} can be changed in place; make it a Value"
        for field in fields_of(inside):
            about = f"The field {field.name!r} of {inside.__name__}"
            if getattr(inside, "__seen__", None) is None and not any(isinstance(mark, Seen) for mark in field.marks):
                yield f"{about} does not say who may see it (Seen)"
            try:
                _ = field.shape
            except UnknownShape as unknown:
                yield f"{about} holds {unknown.name}, which can't be kept and cut"


def values_in(kind: type) -> list[type]:
    """The value's type and the types of all values inside it, each once."""
    found: dict[type, None] = {}
    waiting = [kind]
    while waiting:
        one = waiting.pop(0)
        if one not in found and is_value(one):
            found[one] = None
            parts = (part for field in fields_of(one) for part in _parts(field))
            waiting += [part.kind for part in parts if isinstance(part, shapes.RecordShape)]
    return list(found)


def _parts(field: Field) -> list[shapes.Shape]:
    try:
        return list(innermost(field.shape))
    except UnknownShape:
        return []


def _is_frozen(kind: Any) -> bool:
    config = getattr(kind, "__struct_config__", None) or kind.__dataclass_params__
    return bool(config.frozen)


# ---------------------------------------------------------------- measures


def faults_in_measures(ruleset: Ruleset) -> Iterator[str]:
    for measure in ruleset.measures:
        if measure.steady and {step > 0 for step in _steps(measure)} == {True, False}:
            *_, last = measure.ranges
            yield (
                f"The measure {measure.words!r} is called steady, and a greater {last} helps at one place and hurts "
                "at another"
            )


def _steps(measure: Measure) -> Iterator[Fraction]:
    """By how much the chance changes from each value of the last number to the next, wherever it does."""
    *others, last = measure.ranges.items()
    for fixed in product(*(values for _, values in others)):
        numbers = dict(zip(dict(others), fixed, strict=True))
        chances = (_chance(measure, numbers | {last[0]: value}) for value in sorted(last[1]))
        yield from (after - before for before, after in pairwise(chances) if after != before)


def _chance(measure: Measure, numbers: dict[str, int]) -> Fraction:
    return odds(measure.ask(**numbers)).chance(measure.success)


# ---------------------------------------------------------------- heroes on paper, tables and skins

RANDOM_HEROES = range(5)


def sample_heroes(ruleset: Ruleset, options: Any) -> list[Plain]:
    """The heroes that the game has ready, and some that chance makes, as fields of the command that brings them in."""
    heroes = ruleset.heroes
    if heroes is None:
        return []
    made = list(heroes.samples(options).values())
    if heroes.random is not None:
        made += [heroes.random(_draw(seed), {}, options) for seed in RANDOM_HEROES]
    return made


def _draw(seed: int) -> Callable[[int], int]:
    dice = SeededDice(seed)
    return lambda size: dice.face(size) - 1


def faults_in_creation(ruleset: Ruleset, options: Any) -> Iterator[str]:
    """Faults in heroes on paper, tables and skins."""
    try:
        if ruleset.heroes is not None:
            yield from _of_heroes(ruleset, ruleset.heroes, options)
        for name, table in ruleset.tables.items():
            yield from _of_table(name, table())
        if ruleset.skins is not None:
            yield from _of_skins(ruleset, ruleset.skins)
    except Exception as broken:  # noqa: BLE001 - whatever a stranger's ruleset raises is what is to be told
        yield f"Heroes, tables or skins can't be had: {told(broken)}"


def _of_heroes(ruleset: Ruleset, heroes: HeroBook, options: Any) -> Iterator[str]:
    commands = {action.name: action.command for action in actions_of(ruleset)}
    for name in (heroes.make, *heroes.advance):
        if name not in commands:
            yield f"Heroes are made with {name!r}, which is no command of the game"
    if heroes.make not in commands:
        return
    for hero in sample_heroes(ruleset, options):
        try:
            read(commands[heroes.make], hero)
        except Refusal as refusal:
            yield f"A hero on paper does not fit {heroes.make!r}: {refusal.sentence.rstrip('.')}"
        if not all(isinstance(line, str) for line in heroes.accounts(hero, options)):
            yield "The accounts of a hero on paper are not lines of text"


def _of_table(name: str, table: BookTable) -> Iterator[str]:
    if not table.rows or any(len(row) != len(table.head) for row in table.rows):
        yield f"The table {name!r} has no rows, or rows that do not fit its head"


def _of_skins(ruleset: Ruleset, skins: SkinShelf) -> Iterator[str]:
    for name, text in skins.shipped().items():
        if faults := skins.faults(text, name):
            yield f"The skin {name!r} that comes with the game is faulty: {faults[0]}"
            continue
        worn = skins.wear(text)
        try:
            read(ruleset.options, worn.options)
        except Refusal as refusal:
            yield f"The skin {name!r} fills in options that the game does not take: {refusal.sentence.rstrip('.')}"
