"""The live prompt: what others do scrolls by above the line that is being typed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli.output.narration import asking_lines, write_event, write_preview
from astragal.surfaces.cli.output.terminal import Paper

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer

    from astragal.surfaces.cli.input.seats import Place
    from astragal.surfaces.cli.play.session import Sitting
    from astragal.surfaces.shared.pending import Asking
    from astragal.table.log.repository import Outcome
    from astragal.table.preview import Preview
    from astragal.table.visibility.events import SeenEvent


class Spoken:
    """Tells a person, in lines of text."""

    def __init__(self, place: Place) -> None:
        self._paper = Paper()
        state = place.look()
        self._paper.write(f"{state.name}: you are {state.seats[place.seat].name}. ? says what can be done.", "bold")

    def event(self, event: SeenEvent) -> None:
        write_event(self._paper, event)
        self._paper.flush()

    def asking(self, asking: Asking) -> None:
        for line in asking_lines(asking):
            self._paper.write(line, "bold yellow" if not line.startswith(" ") else "yellow")
        self._paper.flush()

    def done(self, outcome: Outcome) -> None:
        """The log has told it."""

    def refused(self, code: str, sentence: str) -> None:  # noqa: ARG002 - the code is for programs
        self._paper.write(sentence, "red")
        self._paper.flush()

    def shown(self, lines: list[str]) -> None:
        for line in lines:
            self._paper.write(line)
        self._paper.flush()

    def previewed(self, preview: Preview | None) -> None:
        if preview is None:
            self._paper.write("Nothing is rolled for that.")
        else:
            write_preview(self._paper, preview)
        self._paper.flush()


def is_plain() -> bool:
    """A terminal that can't move its cursor gets a prompt that needs no more than a line."""
    return os.environ.get("TERM", "dumb") == "dumb"


@contextmanager
def printing_above() -> Iterator[None]:
    """Whatever is printed meanwhile stands above the prompt."""
    if is_plain():
        yield
        return
    from prompt_toolkit.patch_stdout import patch_stdout

    with patch_stdout(raw=True):
        yield


def reader(sitting: Sitting) -> Callable[[], str]:
    """Reads a line, with history and completion."""
    name = sitting.place.look().seats[sitting.place.seat].name
    if is_plain():
        return lambda: input(f"{name}> ")
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory

    session: PromptSession[str] = PromptSession(
        f"{name}> ", history=FileHistory(str(_history())), completer=_completer(sitting), complete_while_typing=False
    )
    return session.prompt


def _history() -> Path:
    from platformdirs import user_state_path

    from astragal.storage import private_files

    history = private_files.make_folder(user_state_path("astragal", appauthor=False)) / "history"
    private_files.make_file(history)
    private_files.close_to_others(history)
    return history


def _completer(sitting: Sitting) -> Completer:
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    from astragal.surfaces.cli.input.completions import at_the_prompt

    class FromTheTable(Completer):
        def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:  # noqa: ARG002
            begun = document.get_word_before_cursor(WORD=True)
            for word in at_the_prompt(sitting.place, document.text_before_cursor):
                if word.casefold().startswith(begun.casefold()):
                    yield Completion(word, start_position=-len(begun))

    return FromTheTable()
