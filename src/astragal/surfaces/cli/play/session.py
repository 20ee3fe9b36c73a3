"""Session of one seat at a table: read lines, run them as commands, and send the listener what happens."""

from __future__ import annotations

import secrets
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from astragal.background import start_daemon
from astragal.chance import ChanceError
from astragal.surfaces.cli import errors, table_view, terminal
from astragal.surfaces.cli.fields import command_help, json_object
from astragal.surfaces.cli.parser import HELP
from astragal.surfaces.cli.play.answers import DECLINING, NO, YES, answered, fits, is_answer, is_cut_short, is_price
from astragal.surfaces.cli.play.plain_words import split
from astragal.surfaces.cli.play.readings import (
    PUNCTUATION,
    NoCommand,
    Reading,
    bare,
    named_command,
    said_aloud,
    understood,
)
from astragal.surfaces.shared import odds, pending
from astragal.surfaces.shared.slash import SLASHES, is_slash, slash
from astragal.surfaces.shared.words import first_sentence
from astragal.table.declarations import Sight, kind_of_command
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.lookup import find, matching, normalised
from astragal.table.log import store
from astragal.table.refusals import Refusal

if TYPE_CHECKING:
    from fractions import Fraction

    from astragal.surfaces.cli import seats
    from astragal.surfaces.shared.context import SeatView
    from astragal.table.log import repository
    from astragal.table.preview import Preview
    from astragal.table.visibility.events import SeenEvent

LEAVING = frozenset({"quit", "exit", "q", "bye"})
ASKING_HELP = frozenset({"?", "help"})
ALL = "all"
LOOKING = frozenset({"look", "look around", "look at the table"})
LONGEST_ANSWER = 2
"""Most words of a line that begins like an answer and is refused as one; more are read as a command, or said."""
LONGEST_QUOTED = 60
REACH = " --reach "
"""Separates the command whose odds are asked for from the chance to reach."""


class Listener(Protocol):
    """Output of a session, for a person at a terminal or for a program that reads lines."""

    @property
    def width(self) -> int: ...
    def event(self, event: SeenEvent) -> None: ...
    def asking(self, asking: pending.Asking) -> None: ...
    def done(self, outcome: repository.Outcome) -> None: ...
    def refused(self, code: str, sentence: str) -> None: ...
    def asked_back(self, sentence: str, reading: Reading) -> None: ...
    def shown(self, lines: list[str]) -> None: ...
    def previewed(self, view: SeatView, preview: Preview | None, wanted_chance: Fraction | None) -> None: ...


class PlaySession:
    def __init__(self, place: seats.SeatClient, listener: Listener) -> None:
        self.place = place
        self.listener = listener
        self.refusals = 0
        self._lock = threading.RLock()
        self._cursor = ""
        self._asked: set[tuple[str, int]] = set()
        self._waiting: list[str] = []
        self._guess: Reading | None = None

    # ------------------------------------------------------------ events

    def begin(self, most: int | None) -> None:
        """Send the listener the newest `most` events (None: all of them), and what waits for this seat."""
        self.place.chains.witness()
        missed = list(self._unseen())
        for event in missed if most is None else missed[len(missed) - min(most, len(missed)) :]:
            self.listener.event(event)
        self._ask()

    def catch_up(self) -> None:
        """Send the listener new events, and what is newly asked of this seat. Can be called from any thread."""
        with self._lock:
            self.place.chains.witness()
            news = list(self._unseen())
            for event in news:
                self.listener.event(event)
            if news:
                self._ask()

    def watch(self) -> Callable[[], None]:
        """Start a thread that sends new events as others act, until the returned function is called."""
        woken = threading.Event()
        over = threading.Event()

        def tell() -> None:
            while woken.wait() and not over.is_set():
                woken.clear()
                try:
                    self.catch_up()
                except Refusal as refusal:  # this seat was emptied, or the table is gone
                    self.listener.refused(refusal.code, refusal.sentence)
                    return
                except store.StoreError as fault:  # retried at the next notification
                    self.listener.refused(errors.code_of(fault), str(fault))
                except errors.Declined as fault:  # the user's own chain can't be read, and the user can repair it
                    self.listener.refused(errors.code_of(fault), str(fault))

        thread = start_daemon(tell, "astragal-seat")
        unwatch = self.place.host.watch(lambda table: woken.set() if table in (None, self.place.table) else None)

        def end() -> None:
            over.set()
            unwatch()
            woken.set()
            thread.join()

        return end

    def _unseen(self) -> Iterator[SeenEvent]:
        for page in self.place.view.pages(self._cursor):
            self._cursor = page.cursor
            yield from page.events

    def _ask(self) -> None:
        """Ask each decision once, and show anything else that waits for this seat once."""
        view = self.place.view
        askings = pending.asked_of(view)
        for asking in askings:
            if asking.own and (asking.act, len(asking.answers)) not in self._asked:
                self.listener.asking(asking)
        self._asked = {(asking.act, len(asking.answers)) for asking in askings}
        waiting = list(table_view.asked_lines(view, own=True))
        if news := [line for line in waiting if line not in self._waiting]:
            self.listener.shown(news)
        self._waiting = waiting

    # ------------------------------------------------------------ input

    @property
    def is_refused(self) -> bool:
        """Return whether a line was refused, or asked back and not confirmed."""
        return self.refusals > 0 or self._guess is not None

    def hear(self, line: str) -> bool:
        """Run a line of input; return False if the user wants to leave."""
        line = line.strip()
        if normalised(line) in LEAVING:
            return False
        if line:
            try:
                self._do(line)
            except NoCommand as fault:
                self._offer_to_say(line, fault)
            except (Refusal, errors.BadCall, errors.Declined, store.StoreError, ChanceError) as fault:
                self.refusals += 1
                self.listener.refused(errors.code_of(fault), str(fault))
        return True

    def _do(self, line: str) -> None:
        """Run a command, an answer to what waits, or a word of the prompt itself, unless a command has that name."""
        if self._settles_guess(line):
            return
        place = self.place
        (first, _, arguments) = line.partition(" ")
        word = "" if first in place.book.actions else first.casefold()
        if line.startswith("{"):
            self._act(*_command_in_json(line))
        elif is_slash(line):
            slash_command = slash(place.view, line)
            self._act(slash_command.command, dict(slash_command.fields), sight=slash_command.sight)
        elif (about := _help_about(line, word)) is not None:
            self._show_help(line, about)
        elif bare(line) in LOOKING:
            self.listener.shown(list(table_view.lines_on(place.view)))
        elif word == "sheet":
            self.listener.shown(list(self._sheets(arguments)))
        elif word in ("odds", "preview"):
            asked_for, _, wanted_text = arguments.partition(REACH)
            if not asked_for.strip():
                raise errors.BadCall(f"{word} needs a command: {word} attack guard.")
            chance = odds.read_chance(wanted_text) if wanted_text else None
            view = place.view
            reading = understood(view, asked_for)
            self.listener.previewed(view, view.preview(reading.command, reading.fields), chance)
        elif answer := self._answer(line):
            self._do_or_ask_back(answer)
        else:
            self._command(line)

    def _settles_guess(self, line: str) -> bool:
        """Do what was asked back on a yes, drop it on a no; return False for any other line, which drops it, too."""
        guess = self._guess
        self._guess = None
        if guess is None:
            return False
        if bare(line) in YES:
            self._act(guess.command, guess.fields)
            return True
        if bare(line) in NO:
            return True
        self.refusals += 1
        return False

    def _answer(self, line: str) -> Reading | None:
        """Read a line as an answer to what waits for this seat; None if it is none."""
        view = self.place.view
        words = split(line)
        if normalised(words[0]) == "answer":
            return Reading(*answered(view, words[1:]))
        words = [word.strip(PUNCTUATION) or word for word in words]
        decisions = pending.asked_of(view)
        consents = [consent for consent in pending.consents_of(view) if consent.own]
        declines = decisions and not consents and bare(line) in DECLINING
        if named_command(view.book.commands, words) and not declines:
            return None
        if decisions and fits(decisions[0], words):
            return Reading(*answered(view, words), is_guess=is_cut_short(decisions[0], words))
        is_refused = decisions and is_answer(words) and len(words) <= LONGEST_ANSWER
        if is_refused or bare(line) in YES | NO or is_price(words):
            return Reading(*answered(view, words))  # a proposal's, or it is refused
        return None

    def _command(self, line: str) -> None:
        """Run the command that a line means, or ask whether the likeliest is meant."""
        reading = understood(self.place.view, line)
        if not reading.is_guess:
            self._echo(reading.command, reading.fields)
        self._do_or_ask_back(reading)

    def _do_or_ask_back(self, reading: Reading) -> None:
        if reading.is_guess:
            self._ask_back(f"Did you mean {reading.in_words(self.place.view)}? y/n", reading)
        else:
            self._act(reading.command, reading.fields)

    def _offer_to_say(self, line: str, fault: NoCommand) -> None:
        """Offer to say a line that is no command, or to answer with it if this seat was asked for words."""
        prompts = [prompt for prompt in pending.prompts_of(self.place.view) if prompt.own]
        if not fault.may_be_said or line.startswith("?"):
            self.refusals += 1
            self.listener.refused(errors.code_of(fault), str(fault))
        elif prompts:
            fields = {"prompt": prompts[0].id, "words": line}
            self._ask_back(f"{fault} Answer “{prompts[0].name}” with it? y/n", Reading("answer_prompt", fields))
        else:
            reading = said_aloud(self.place.view, line)
            verb = "Say" if reading.command == "say" else f"Or {normalised(reading.command)}"
            self._ask_back(f"{fault} {verb} “{_shortened(line)}”? y/n", reading)

    def _ask_back(self, sentence: str, reading: Reading) -> None:
        """Put a question that the next line answers. Any other line drops it."""
        self._guess = reading
        self.listener.asked_back(sentence, reading)

    def _echo(self, command: str, fields: Mapping[str, Any]) -> None:
        """Show who does what to whom if a line names two people: the words may have been meant otherwise."""
        kind = self.place.book.commands[command]
        names = self.place.view.things("character") or {}
        people = {
            field.label: names[fields[field.name]]
            for field in fields_of(kind)
            if isinstance(fields.get(field.name), str) and fields[field.name] in names
        }
        if len(people) > 1:
            listed = ", ".join(f"{label} {name}" for label, name in people.items())
            self.listener.shown([f"{normalised(command)}: {listed}"])

    def _act(self, command: str, fields: dict[str, Any], sight: Sight = Sight.OPEN) -> None:
        outcome = self.place.act(command, fields, command_id=secrets.token_hex(8), sight=sight)
        self.catch_up()
        self.listener.done(outcome)

    # ------------------------------------------------------------ help

    def _show_help(self, line: str, about: str) -> None:
        """Show help; but "help Kira" may be a command."""
        try:
            lines = list(self._help(about))
        except NoCommand:
            if line.startswith("?"):
                raise
            self._command(line)
        else:
            self.listener.shown(lines)

    def _help(self, about: str) -> Iterator[str]:
        """Help on the commands that can be given now, with a line on each of the game's own; or on one command.

        `all` gives a line on every command.
        """
        view = self.place.view
        game = view.ruleset
        commands = view.commands
        width = self.listener.width
        if about == ALL:
            listed = {normalised(name): first_sentence(kind) for name, kind in commands.items()}
            yield from terminal.in_two_columns(listed, width)
            return
        if about:
            yield from self._help_on(about, commands)
            return
        yield from table_view.asked_lines(view, own=True)
        yield from table_view.decision_lines(view)
        commands = {name: kind for name, kind in commands.items() if view.is_possible(kind)}
        game_commands = {action.name for chapter in game.chapters for action in chapter.actions}
        yield f"You can now, in {game.name}:"
        yield from terminal.in_two_columns(
            {normalised(name): first_sentence(kind) for name, kind in commands.items() if name in game_commands}, width
        )
        yield "At every table:"
        yield terminal.wrapped(", ".join(normalised(name) for name in commands if name not in game_commands), width)
        yield "Short for some of them:"
        yield from terminal.in_two_columns(SLASHES, width)
        yield f"And here: look, sheet NAME, odds COMMAND …, odds COMMAND …{REACH}75%, quit."
        yield f"? COMMAND says more, ? WORD finds one (? hurt), ? {ALL} lists those that lack something, too."

    def _help_on(self, about: str, commands: Mapping[str, type]) -> Iterator[str]:
        """Help on the command with this name; or a line on each command that people use this word for."""
        begun = [name for name in commands if normalised(name).startswith(normalised(about))]
        called = [name for name in commands if normalised(about) in map(normalised, self.place.book.everyday(name))]
        if begun or len(called) == 1:
            kind = commands[(begun or called)[0]]
            usage = f"{normalised(kind_of_command(kind).name)} …"
            width = self.listener.width
            view = self.place.view
            yield from command_help(usage, kind.__doc__ or "", fields_of(kind), width, view)
        elif called:
            listed = {normalised(name): first_sentence(commands[name]) for name in called}
            yield from terminal.in_two_columns(listed, self.listener.width)
        else:
            role = self.place.view.viewer.role
            raise NoCommand(f"There is no command {about!r} for a {role.value} here. ? lists what you can do.")

    def _sheets(self, name: str) -> Iterator[str]:
        """The sheets of the characters with this name; by default, the seat's own."""
        view = self.place.view
        people = view.state.characters
        names = {key: character.name for key, character in people.items()}
        for key in (matching(names, name) or [find(names, name, "character")]) if name else view.viewer.characters:
            yield from table_view.character_lines(view, people[key])


def _help_about(line: str, word: str) -> str | None:
    """Return the command that help is asked on, "" for all of them, or None if a line does not ask for help."""
    words = line.split()
    if bare(line) in ASKING_HELP or words[0] in HELP:
        return ""
    if words[-1] in HELP:
        return " ".join(words[:-1])
    if line.startswith("?") or word in ASKING_HELP:
        return line.removeprefix(words[0] if word in ASKING_HELP else "").strip(" ?!.")
    return None


def _command_in_json(line: str) -> tuple[str, dict[str, Any]]:
    command = json_object(line, "A command is a JSON object.")
    name = command.get("command")
    fields = command.get("fields", {})
    if not isinstance(name, str) or not isinstance(fields, dict):
        raise errors.BadCall('A command is {"command": "its name", "fields": {…}}.')
    return name, fields


def _shortened(line: str) -> str:
    return line if len(line) <= LONGEST_QUOTED else f"{line[: LONGEST_QUOTED - 1].rstrip()}…"


# ---------------------------------------------------------------- for programs


class JsonListener:
    """Listener that writes lines of JSON, each whole and flushed at once. Thread-safe."""

    width = terminal.WIDTH

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def event(self, event: SeenEvent) -> None:
        self._write({"event": msgspec.to_builtins(event)})

    def asking(self, asking: pending.Asking) -> None:
        self._write({"offer": table_view.plain_asking(asking)})

    def done(self, outcome: repository.Outcome) -> None:
        receipt = outcome.receipt.public if outcome.receipt else None
        self._write({"done": {"act": outcome.act, "waits_for": outcome.waits_for, "receipt": receipt}})

    def refused(self, code: str, sentence: str) -> None:
        self._write({"refused": {"code": code, "sentence": sentence}})

    def asked_back(self, sentence: str, reading: Reading) -> None:
        parsed = {"command": reading.command, "fields": reading.fields}
        self._write({"asked_back": {"sentence": sentence, **parsed}})

    def shown(self, lines: list[str]) -> None:
        self._write({"shown": lines})

    def previewed(self, view: SeatView, preview: Preview | None, wanted_chance: Fraction | None) -> None:  # noqa: ARG002
        self._write({"preview": table_view.plain_preview(preview, wanted_chance) if preview else None})

    def _write(self, line: dict[str, Any]) -> None:
        with self._lock:
            sys.stdout.write(terminal.in_json(line) + "\n")
            sys.stdout.flush()
