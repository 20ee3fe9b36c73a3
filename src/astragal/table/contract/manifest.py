"""Checks of a ruleset's declarations before anything is played: names, documentation, limits, rights, visibility."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from astragal.table.authoring.chapter import Action, Happening
from astragal.table.authoring.declarations import CommandKind, EventKind, kind_of_command, kind_of_event
from astragal.table.authoring.meters import Meters
from astragal.table.authoring.ruleset import PROTOCOL, Ruleset
from astragal.table.contract.sights import faults_in_sight
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.json_schema import schema_of
from astragal.table.fields.shapes import AnyShape, NumberShape, RecordShape, Shape, TextShape, UnknownShape, innermost
from astragal.table.fields.values import Value, field_names, is_value, replace
from astragal.table.registry import Book
from astragal.table.state.seats import Role, Scope, Seen
from astragal.table.visibility.redact import sights

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


def _unlimited(shape: Shape) -> Iterator[str]:
    """Fields without a limit."""
    for part in innermost(shape):
        match part:
            case NumberShape(least=least, most=most) if least is None or most is None:
                yield "takes a number without limits (Ge and Le)"
            case TextShape(most=None, spelled=None):
                yield "takes a text of any length (MaxLen)"
            case RecordShape(kind=kind):
                yield from (
                    f"{fault} in its {one.name!r}" for one in fields_of(kind) for fault in _unlimited(one.shape)
                )
            case AnyShape():
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
