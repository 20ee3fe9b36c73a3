"""The live prompt, with completion; what others do is printed above the line being typed."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import TextIOBase
from typing import TYPE_CHECKING, Any, TextIO

from astragal.surfaces.cli import table_view, terminal
from astragal.surfaces.cli.play.lexicon import Lexicon
from astragal.surfaces.cli.play.plain_words import split
from astragal.surfaces.shared.pending import asked_of
from astragal.table.fields import definitions, lookup, shapes

if TYPE_CHECKING:
    from fractions import Fraction

    from astragal.surfaces.cli.play.readings import Reading
    from astragal.surfaces.cli.play.session import PlaySession
    from astragal.surfaces.shared.context import SeatView
    from astragal.surfaces.shared.pending import Asking
    from astragal.table.log.repository import Outcome
    from astragal.table.preview import Preview
    from astragal.table.state.table import State
    from astragal.table.visibility.events import SeenEvent

OWN_WORDS = ("look", "sheet", "odds", "quit", "?")


class TextListener:
    """Listener that prints everything as lines of text."""

    def __init__(self, view: SeatView) -> None:
        self._paper = terminal.WrappedOutput()
        self._paper.write(f"{view.state.name}: you are {view.own.name}. ? lists what you can do.", "bold")

    @property
    def width(self) -> int:
        return self._paper.width

    def event(self, event: SeenEvent) -> None:
        self._write(table_view.event_lines(event))

    def asking(self, asking: Asking) -> None:
        self._write(
            (line, "bold yellow" if not line.startswith(" ") else "yellow") for line in table_view.asking_lines(asking)
        )

    def done(self, outcome: Outcome) -> None:
        """Do nothing: the events were printed already."""

    def refused(self, code: str, sentence: str) -> None:  # noqa: ARG002 - the code is for programs
        self._write([(sentence, "red")])

    def asked_back(self, sentence: str, reading: Reading) -> None:  # noqa: ARG002 - the reading is for programs
        self._write([(sentence, "bold yellow")])

    def shown(self, lines: list[str]) -> None:
        self._write(lines)

    def previewed(self, view: SeatView, preview: Preview | None, wanted_chance: Fraction | None) -> None:
        table_view.write_preview(self._paper, view, preview, wanted_chance)
        self._paper.flush()

    def _write(self, lines: Iterable[terminal.Line]) -> None:
        self._paper.write_lines(lines)
        self._paper.flush()


def is_plain() -> bool:
    """Return whether the terminal can't move its cursor, and therefore gets a simple prompt."""
    return os.environ.get("TERM", "dumb") == "dumb"


class AbovePrompt(TextIOBase):
    """Output stream that prints above the prompt while there is one, and directly while there is none. Thread-safe.

    prompt_toolkit's own stream has a race: it checks in a thread of its own whether there is a prompt, and by then
    there may be another. It then prints into that prompt, and no new one is drawn.
    """

    def __init__(self, terminal: TextIO) -> None:
        self.terminal = terminal
        self._lock = threading.Lock()
        self._waiting: list[str] = []
        self._loop: asyncio.AbstractEventLoop | None = None  # of the prompt

    def isatty(self) -> bool:
        return self.terminal.isatty()

    def write(self, text: str) -> int:
        with self._lock:
            self._waiting.append(text)
            if self._loop is None:
                self._print()
            elif len(self._waiting) == 1:
                with suppress(RuntimeError):  # the prompt is over: end_prompt prints it
                    self._loop.call_soon_threadsafe(self._print_above)
        return len(text)

    def begin_prompt(self) -> None:
        """Start printing above a prompt. Called on the prompt's loop before the prompt is drawn."""
        with self._lock:
            self._loop = asyncio.get_running_loop()

    def end_prompt(self) -> None:
        with self._lock:
            self._loop = None
            self._print()

    def _print_above(self) -> None:
        from prompt_toolkit.application import run_in_terminal

        def print_waiting() -> None:
            with self._lock:
                self._print()

        run_in_terminal(print_waiting)

    def _print(self) -> None:
        self.terminal.write("".join(self._waiting))
        self.terminal.flush()
        self._waiting.clear()


@contextmanager
def printing_above() -> Iterator[AbovePrompt | None]:
    """Redirect output to print above the prompt. Yields None for a simple prompt, which can't do that."""
    if is_plain():
        yield None
        return
    above = AbovePrompt(sys.stdout)
    with redirect_stdout(above), redirect_stderr(above):
        yield above


def reader(sitting: PlaySession, above: AbovePrompt | None) -> Callable[[], str]:
    """Return a function that reads a line, with history and completion."""
    name = terminal.harmless(sitting.place.view.own.name)
    if above is None:
        return lambda: input(f"{name}> ")
    from platformdirs import user_state_path
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.output import create_output

    from astragal.storage import private_files

    class FromTheTable(Completer):
        def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:  # noqa: ARG002
            begun = document.get_word_before_cursor(WORD=True)
            for word in completions(sitting.place.view, document.text_before_cursor):
                if word.casefold().startswith(begun.casefold()):
                    yield Completion(word, start_position=-len(begun))

    history = private_files.make_folder(user_state_path("astragal", appauthor=False)) / "history"
    private_files.make_file(history)
    private_files.close_to_others(history)
    session: PromptSession[str] = PromptSession(
        f"{name}> ",
        history=FileHistory(str(history)),
        completer=FromTheTable(),
        complete_while_typing=False,
        output=create_output(above.terminal),
    )

    def read() -> str:
        try:
            return session.prompt(pre_run=above.begin_prompt)
        finally:
            above.end_prompt()

    return read


# ---------------------------------------------------------------- completion


def completions(view: SeatView, begun: str) -> list[str]:
    """List candidates for the word at the end of the line."""
    commands = view.commands
    words = split(begun)
    if words and begun.endswith(" "):
        words.append("")
    if len(words) <= 1:
        answers = [str(answer.value) for asking in asked_of(view)[:1] for answer in asking.notable]
        return [*answers, *commands, *OWN_WORDS]
    if words[0] in OWN_WORDS:
        del words[0]
        if len(words) == 1:
            return [*commands, *_names(view.state)]
    command = lookup.normalised(words[0])
    kind = next((kind for name, kind in commands.items() if lookup.normalised(name) == command), None)
    return list(dict.fromkeys(_for_command(view, kind))) if kind else list(commands)


def _for_command(view: SeatView, kind: type) -> Iterator[str]:
    """People, things, choices and labels that the command takes, then its fields."""
    lexicon = Lexicon(view)
    names = {field.name for field in definitions.fields_of(kind)}
    for field in definitions.fields_of(kind):
        if field.names == "character":
            yield from _names(view.state)
        elif kind_of_thing := field.names or field.suggests:
            yield from map(_quoted, lexicon.things(kind_of_thing).values())
        yield from (_quoted(str(choice)) for choice in shapes.choices_in(field.shape))
    yield from (
        _quoted(phrase) for phrase, fillings in lexicon.fillings.items() if any(name in names for name, _ in fillings)
    )
    yield from (f"{name}=" for name in names)


def _names(state: State) -> Iterable[str]:
    return (_quoted(character.name) for character in state.characters.values())


def _quoted(phrase: str) -> str:
    return f'"{phrase}"' if " " in phrase else phrase
