"""`astragal do`, `preview` and `answer`: give a command at a table, show its odds, and answer what it waits for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.parser import HELP, AsJson, AsSeat, Parameter, Table, Tables

if TYPE_CHECKING:
    from astragal.surfaces.cli import seats
    from astragal.table.declarations import Sight

Fields = Annotated[
    str, Parameter("The command and its fields: --field value, or field=value.", "COMMAND FIELDS", fields=True)
]


def do(
    table: Table,
    *words: Fields,
    seat: AsSeat = None,
    hidden: Annotated[bool, Parameter("The game master rolls behind the screen: a face-down card.")] = False,
    secret: Annotated[
        bool,
        Parameter("The game master rolls, and no card shows it; the ledger of dice shows that something was rolled."),
    ] = False,
    by_hand: Annotated[bool, Parameter("Throw the dice by hand; astragal answer enters them.")] = False,
    id: Annotated[str | None, Parameter("An id of your own: the same id is done once.")] = None,  # noqa: A002
    json: AsJson = False,
    context: Tables,
) -> None:
    """Give a command at a table.

    astragal do "The Gorge"                                what can be done
    astragal do "The Gorge" attack --help                  what a command needs
    astragal do "The Gorge" attack --attacker kira --defender guard
    astragal do "The Gorge" say words="Who goes there?" --as Bo

    Fields take the names of people; first letters of a name or a choice will do.
    Where a command has a field called hidden or secret, --hidden means that field.
    """
    import secrets

    from astragal.surfaces.cli import seats

    with seats.open_seat(context, table, seat) as place:
        if list_or_explain(place, words):
            return
        place.chains.witness()
        kind, arguments = command_and_words(place, words)
        flags = {name: True for name, is_set in (("hidden", hidden), ("secret", secret)) if is_set}
        fields, sight = fields_and_sight(place, kind, arguments, flags)
        command_id = id or secrets.token_hex(8)
        outcome = place.act(name_of(kind), fields, sight=sight, by_hand=by_hand, command_id=command_id)
        show_outcome(place, outcome, as_json=json)


def preview(
    table: Table,
    *words: Fields,
    reach: Annotated[str | None, Parameter("A chance, such as 75%: show the fewest points that reach it.")] = None,
    seat: AsSeat = None,
    json: AsJson = False,
    context: Tables,
) -> None:
    """Show what a command would do, exactly, as far as the seat may know. Nothing happens.

    astragal preview "The Gorge" attack --attacker kira --defender guard
    astragal preview "The Gorge" attack --attacker kira --defender guard --reach 75%
    """
    from astragal.surfaces.cli import seats, table_view
    from astragal.surfaces.shared import odds

    wanted_chance = None if reach is None else odds.read_chance(reach)
    with seats.open_seat(context, table, seat) as place:
        if list_or_explain(place, words):
            return
        kind, arguments = command_and_words(place, words)
        fields, _ = fields_and_sight(place, kind, arguments, {})
        view = place.view
        preview = view.preview(name_of(kind), fields)
        if json:
            terminal.Output().write(
                terminal.in_json(table_view.plain_preview(preview, wanted_chance) if preview else None)
            )
        else:
            table_view.write_preview(terminal.WrappedOutput(), view, preview, wanted_chance)


def answer(
    table: Table,
    *words: Annotated[str, Parameter("One of the answers; for dice by hand, their faces.", "ANSWER", hyphens=True)],
    seat: AsSeat = None,
    act: Annotated[str | None, Parameter("The decision to answer, by its name, where several wait.")] = None,
    json: AsJson = False,
    context: Tables,
) -> None:
    """Answer what waits for you: a decision, a question, a proposal; without an answer, show what waits.

    astragal answer "The Gorge" --as Bo       what Bo has to decide, and the odds
    astragal answer "The Gorge" spend 2 --as Bo
    """
    from astragal.surfaces.cli import seats, table_view
    from astragal.surfaces.cli.play import answers
    from astragal.surfaces.shared import pending

    with seats.open_seat(context, table, seat) as place:
        place.chains.witness()
        if words:
            show_outcome(place, place.act(*answers.answered(place.view, words, act)), as_json=json)
            return
        plain = [table_view.plain_asking(asking) for asking in pending.asked_of(place.view)]
        lines = [*table_view.decision_lines(place.view), *table_view.asked_lines(place.view, own=True)]
    terminal.Output().show(plain, lines or ["Nothing waits for this seat."], as_json=json)


# ---------------------------------------------------------------- commands and outcomes


def command_and_words(place: seats.SeatClient, words: Sequence[str]) -> tuple[type, Sequence[str]]:
    """Find the command that the words begin with, and return it with the words after its name.

    A line in quotes is taken apart: do TABLE "attack guard".
    """
    from astragal.surfaces.cli.play.plain_words import split
    from astragal.surfaces.cli.play.readings import named_command

    named_kind = named_command(place.book.commands, words)
    if named_kind is None and len(words) == 1:
        words = split(words[0])
        named_kind = named_command(place.book.commands, words)
    if named_kind is None:
        first = words[0] if words else ""
        could = place.book.meant(first, place.book.commands) or " astragal do TABLE lists what there is."
        raise errors.BadCall(f"This table has no command {first!r}.{could}")
    return named_kind.kind, words[named_kind.length :]


def name_of(kind: type) -> str:
    from astragal.table.declarations import kind_of_command

    return kind_of_command(kind).name


def fields_and_sight(
    place: seats.SeatClient, kind: type, words: Sequence[str], flags: dict[str, bool]
) -> tuple[dict[str, Any], Sight]:
    """Parse the command's fields, and who sees the roll. A flag with the name of a field sets that field."""
    from astragal.surfaces.cli.fields import fields_and_rest
    from astragal.table.declarations import Sight
    from astragal.table.fields import definitions

    own_flags = {field.name for field in definitions.fields_of(kind)} & flags.keys()
    fields_typed, loose_words = fields_and_rest(kind, words)
    fields = {**fields_typed, **dict.fromkeys(own_flags, True)}
    if loose_words:
        from astragal.surfaces.cli.play import plain_words

        fields = plain_words.completed(place.view, kind, fields, loose_words)
    unknown_flags = flags.keys() - own_flags
    sight = Sight.SECRET if "secret" in unknown_flags else Sight.HIDDEN if "hidden" in unknown_flags else Sight.OPEN
    return fields, sight


def list_or_explain(place: seats.SeatClient, words: Sequence[str]) -> bool:
    """Show the seat's commands if none is named, or help on one with --help. Return whether anything was shown."""
    from astragal.surfaces.cli.fields import command_help
    from astragal.surfaces.shared.words import first_sentence
    from astragal.table.fields import definitions

    command_words = [word for word in words if word not in HELP]
    if command_words and not HELP & set(words):
        return False
    paper = terminal.Output()
    if command_words:
        kind, _ = command_and_words(place, command_words)
        usage = f"astragal do TABLE {name_of(kind)} --field value …"
        paper.write_lines(command_help(usage, kind.__doc__ or "", definitions.fields_of(kind), paper.width, place.view))
        return True
    view = place.view
    paper.write(f"Commands for a {view.own.role.value}; --help after one says what it needs:")
    listed = {name: first_sentence(kind) for name, kind in view.commands.items()}
    paper.write_lines(terminal.in_two_columns(listed, paper.width))
    return True


def show_outcome(place: seats.SeatClient, outcome: Any, *, as_json: bool) -> None:
    from msgspec import to_builtins

    from astragal.surfaces.cli import table_view
    from astragal.surfaces.shared import pending

    is_open = outcome.waits_for and place.table in place.host.archive.tables()
    askings = [asking for asking in pending.asked_of(place.view) if asking.act == outcome.act] if is_open else []
    lines = [line for event in outcome.events for line in table_view.event_lines(event)]
    lines += [(line, "") for asking in askings for line in table_view.asking_lines(asking)]
    plain = {**to_builtins(outcome), "offers": [table_view.plain_asking(asking) for asking in askings]}
    terminal.Output().show(plain, lines, as_json=as_json)
