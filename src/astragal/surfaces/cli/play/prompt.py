"""The live prompt, with completion; what others do is printed above the line being typed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli import table_view, terminal
from astragal.surfaces.cli.play.plain_words import Lexicon, split
from astragal.surfaces.shared.pending import asked_of
from astragal.table.fields import definitions, lookup, shapes

if TYPE_CHECKING:
    from fractions import Fraction

    from astragal.surfaces.cli.play.session import Sitting
    from astragal.surfaces.shared.context import SeatView
    from astragal.surfaces.shared.pending import Asking
    from astragal.table.log.repository import Outcome
    from astragal.table.preview import Preview
    from astragal.table.state.table import State
    from astragal.table.visibility.events import SeenEvent

OWN_WORDS = ("look", "sheet", "odds", "quit", "?")


class Spoken:
    """Prints what happens as lines of text."""

    def __init__(self, view: SeatView) -> None:
        self._paper = terminal.Prose()
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
        """Nothing: the events were printed already."""

    def refused(self, code: str, sentence: str) -> None:  # noqa: ARG002 - the code is for programs
        self._write([(sentence, "red")])

    def shown(self, lines: list[str]) -> None:
        self._write(lines)

    def previewed(self, view: SeatView, preview: Preview | None, wanted: Fraction | None) -> None:
        table_view.write_preview(self._paper, view, preview, wanted)
        self._paper.flush()

    def _write(self, lines: Iterable[terminal.Line]) -> None:
        self._paper.write_lines(lines)
        self._paper.flush()


def is_plain() -> bool:
    """Whether the terminal can't move its cursor, and gets a simple prompt."""
    return os.environ.get("TERM", "dumb") == "dumb"


@contextmanager
def printing_above() -> Iterator[None]:
    """Print above the prompt, not into it."""
    if is_plain():
        yield
        return
    from prompt_toolkit.patch_stdout import patch_stdout

    with patch_stdout(raw=True):
        yield


def reader(sitting: Sitting) -> Callable[[], str]:
    """Reads a line, with history and completion."""
    name = sitting.place.view.own.name
    if is_plain():
        return lambda: input(f"{name}> ")
    from platformdirs import user_state_path
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import FileHistory

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
        f"{name}> ", history=FileHistory(str(history)), completer=FromTheTable(), complete_while_typing=False
    )
    return session.prompt


# ---------------------------------------------------------------- completion


def completions(view: SeatView, begun: str) -> list[str]:
    """Candidates for the word at the end of the line."""
    commands, words = view.commands, split(begun)
    if words and begun.endswith(" "):
        words.append("")
    if len(words) <= 1:
        answers = [str(answer.value) for asking in asked_of(view)[:1] for answer in asking.notable]
        return [*answers, *commands, *OWN_WORDS]
    if words[0] in OWN_WORDS:
        del words[0]
        if len(words) == 1:
            return [*commands, *_names(view.state)]
    kind = next((kind for name, kind in commands.items() if lookup.spoken(name) == lookup.spoken(words[0])), None)
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
        _quoted(phrase) for phrase, meant in lexicon.fillings.items() if any(name in names for name, _ in meant)
    )
    yield from (f"{name}=" for name in names)


def _names(state: State) -> Iterable[str]:
    return (_quoted(one.name) for one in state.characters.values())


def _quoted(phrase: str) -> str:
    return f'"{phrase}"' if " " in phrase else phrase
