"""`astragal do`, `astragal preview`, `astragal answer`: commands at a table, read by their own definitions."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from astragal.surfaces.cli.errors import BadCall, Exit
from astragal.surfaces.cli.input.options import HERE, AsJson, AsSeat, Flag, Given, Parameter, Table, Where
from astragal.surfaces.cli.output.terminal import Paper

if TYPE_CHECKING:
    from astragal.surfaces.cli.input.seats import Place
    from astragal.table.authoring.declarations import Sight

Said = Annotated[
    str,
    Parameter(
        name="TABLE COMMAND FIELDS",
        allow_leading_hyphen=True,
        help="The table, the command, and its fields: --field value, or field=value.",
    ),
]


def do(
    *said: Said,
    seat: AsSeat = None,
    hidden: Annotated[bool, Flag, Parameter(help="The game master rolls behind the screen: a closed card.")] = False,
    secret: Annotated[bool, Flag, Parameter(help="The game master rolls, and nobody learns of it.")] = False,
    by_hand: Annotated[
        bool, Flag, Parameter(help="The dice are thrown by hand and entered by astragal answer.")
    ] = False,
    id: Annotated[str | None, Parameter(help="An id of your own: the same id is done once.")] = None,  # noqa: A002
    json: AsJson = False,
    where: Where = HERE,
    context: Given,
) -> int:
    """Give a command at a table.

    astragal do "The Gorge"                                what can be done
    astragal do "The Gorge" attack --help                  what a command needs
    astragal do "The Gorge" attack --attacker kira --defender guard
    astragal do "The Gorge" say words="Who goes there?" --as Bo

    Fields take the names of people; first letters of a name or a choice will do.
    Where a command has a field called hidden or secret, --hidden means that.
    """
    from astragal.surfaces.cli.input.seats import taken

    table, words = _table_of(said, "do")
    with taken(context, where, table, seat) as place:
        if _wants_help(words):
            return _help(place, words)
        place.chains.witness()
        kind = named_command(place, words[0])
        flags = {name: True for name, wanted in (("hidden", hidden), ("secret", secret)) if wanted}
        fields, sight = _sorted_out(kind, words[1:], flags)
        command_id = id or secrets.token_hex(8)
        outcome = place.act(name_of(kind), fields, sight=sight, by_hand=by_hand, command_id=command_id)
        show_outcome(place, outcome, as_json=json)
    return Exit.FINE


def preview(*said: Said, seat: AsSeat = None, json: AsJson = False, where: Where = HERE, context: Given) -> int:
    """Show what a command would do, exactly, as far as the seat may know. Nothing happens.

    astragal preview "The Gorge" attack --attacker kira --defender guard
    """
    from astragal.surfaces.cli.input.seats import taken
    from astragal.surfaces.cli.output.narration import in_json, plain_preview, write_preview

    paper = Paper()
    table, words = _table_of(said, "preview")
    with taken(context, where, table, seat) as place:
        if _wants_help(words):
            return _help(place, words)
        kind = named_command(place, words[0])
        fields, _ = _sorted_out(kind, words[1:], {})
        found = place.host.preview(place.table, place.seat, (name_of(kind), fields))
    if found is None:
        paper.write("null" if json else "Nothing is rolled for that.")
    elif json:
        paper.write(in_json(plain_preview(found)))
    else:
        write_preview(paper, found)
    return Exit.FINE


def answer(
    table: Table,
    *said: Annotated[
        str,
        Parameter(name="ANSWER", allow_leading_hyphen=True, help="One of the answers; for dice by hand, their faces."),
    ],
    seat: AsSeat = None,
    act: Annotated[str | None, Parameter(help="Which deed is answered, where several wait.")] = None,
    json: AsJson = False,
    where: Where = HERE,
    context: Given,
) -> int:
    """Answer what waits for a decision; without an answer, show what waits.

    astragal answer "The Gorge" --as Bo       what Bo has to decide, and the odds
    astragal answer "The Gorge" spend 2 --as Bo
    """
    from astragal.surfaces.cli.input.seats import taken
    from astragal.surfaces.cli.play.answers import meant
    from astragal.surfaces.shared.pending import asked_of

    with taken(context, where, table, seat) as place:
        place.chains.witness()
        asked = [one for one in asked_of(place.view) if act in (None, one.act)]
        if not said:
            _show_asked(asked, as_json=json)
            return Exit.FINE
        deed, value = meant(asked, said)
        outcome = place.act("answer", {"act": deed, "answer": value})
        show_outcome(place, outcome, as_json=json)
    return Exit.FINE


# ---------------------------------------------------------------- commands by their definitions


def named_command(place: Place, said: str) -> type:
    """The command of this name, or the only one that begins so."""
    from astragal.surfaces.cli.input.values import spoken

    names = {spoken(name): kind for name, kind in place.book.commands.items()}
    wanted = spoken(said)
    fitting = [wanted] if wanted in names else [name for name in names if wanted and name.startswith(wanted)]
    if len(fitting) != 1:
        could = f"It could be {', '.join(fitting)}." if fitting else "astragal do TABLE lists what there is."
        raise BadCall(f"This table knows no command {said!r}. {could}")
    return names[fitting[0]]


def name_of(kind: type) -> str:
    from astragal.table.authoring.declarations import kind_of_command

    return kind_of_command(kind).name


def _sorted_out(kind: type, words: Sequence[str], flags: dict[str, bool]) -> tuple[dict[str, Any], Sight]:
    """The command's fields, and how the deed is shown. A flag that names a field is that field."""
    from astragal.surfaces.cli.input.fields import fields_from
    from astragal.table.authoring.declarations import Sight
    from astragal.table.fields.definitions import fields_of

    own = {field.name for field in fields_of(kind)} & flags.keys()
    fields = {**fields_from(kind, words), **dict.fromkeys(own, True)}
    shown = flags.keys() - own
    sight = Sight.SECRET if "secret" in shown else Sight.HIDDEN if "hidden" in shown else Sight.OPEN
    return fields, sight


def _table_of(said: Sequence[str], command: str) -> tuple[str, Sequence[str]]:
    from astragal.surfaces.cli.input.fields import HELP

    words = list(said)
    if not words or words[0] in HELP:
        from astragal.surfaces.cli.app import program

        program.help_print([command])
        raise SystemExit(Exit.FINE if words else Exit.BAD_INPUT)
    return words[0], words[1:]


def _wants_help(words: Sequence[str]) -> bool:
    from astragal.surfaces.cli.input.fields import HELP

    return not words or bool(HELP & set(words))


def _help(place: Place, words: Sequence[str]) -> int:
    """What can be asked for, or how one thing is asked for."""
    from astragal.surfaces.cli.input.fields import HELP
    from astragal.surfaces.cli.output.command_help import command_help, list_of
    from astragal.surfaces.shared.words import first_sentence
    from astragal.table.fields.definitions import fields_of

    paper = Paper()
    named = [word for word in words if word not in HELP]
    if named:
        kind = named_command(place, named[0])
        usage = f"astragal do TABLE {name_of(kind)} --field value …"
        for line in command_help(usage, kind.__doc__ or "", fields_of(kind), paper.width):
            paper.write(line)
        return Exit.FINE
    role = place.look().seats[place.seat].role
    paper.write(f"What a {role.value} can ask for; --help after a command says what it needs:")
    for line in list_of(
        {name: first_sentence(kind) for name, kind in place.book.commands_for(role).items()}, paper.width
    ):
        paper.write(line)
    return Exit.FINE


# ---------------------------------------------------------------- showing


def show_outcome(place: Place, outcome: Any, *, as_json: bool) -> None:
    from astragal.surfaces.cli.output.narration import asking_lines, outcome_json, write_outcome
    from astragal.surfaces.shared.pending import asked_of

    paper = Paper()
    state = place.look() if outcome.waits_for and place.table in place.host.archive.tables() else None
    asked = [one for one in asked_of(place.view) if one.act == outcome.act] if state else []
    if as_json:
        paper.write(outcome_json(outcome, asked))
        return
    write_outcome(paper, outcome)
    for asking in asked:
        for line in asking_lines(asking):
            paper.write(line)


def _show_asked(asked: Sequence[Any], *, as_json: bool) -> None:
    from astragal.surfaces.cli.output.narration import asking_lines, in_json, plain_asking

    paper = Paper()
    if as_json:
        paper.write(in_json([plain_asking(one) for one in asked]))
        return
    for asking in asked:
        for line in asking_lines(asking):
            paper.write(line)
    if not asked:
        paper.write("Nothing waits for this seat.")
