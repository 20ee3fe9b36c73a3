"""Processes that are forked from one which has loaded the program: to load it takes longer than most of its work."""

import multiprocessing
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess
from threading import Timer
from typing import Any, Self, TextIO, cast

from tests.patience import LONG

LOADED = [
    "astragal.storage.postgres",
    "astragal.lab.duels",
    "astragal.table.log.replay",
    *(f"astragal.rulesets.{name}" for name in ("narraject", "new_shoes", "sinew_steel", "six_pool")),
    *(f"astragal.surfaces.cli.commands.{name}" for name in ("convert", "do", "lab", "odds", "table", "verify")),
    "tests.storage.programs",
    "tests.table.programs",
]


@dataclass(frozen=True)
class Beside:
    """The process of a function that works beside a test, and what goes to it and comes from it."""

    process: ForkServerProcess
    stdin: TextIO
    stdout: TextIO
    watch: Timer
    """Ends it if it hangs."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdin.close()
        self.stdout.close()
        self.process.join()
        self.watch.cancel()

    def say(self, line: str) -> None:
        self.stdin.write(f"{line}\n")
        self.stdin.flush()


def beside(perform: Callable[..., None], *arguments: Any) -> Beside:
    heard, saying = _forks().Pipe(duplex=False)
    hearing, said = _forks().Pipe(duplex=False)
    process = _forks().Process(target=_perform, args=(hearing, saying, perform, arguments), daemon=True)
    process.start()
    watch = Timer(LONG, process.kill)
    watch.daemon = True
    watch.start()
    stdin, stdout = _text(said, "w"), _text(heard, "r")
    for end in (heard, saying, hearing, said):
        end.close()
    return Beside(process, stdin, stdout, watch)


def together(*processes: Beside) -> list[str]:
    """What each says from when all, once they are ready, are told to go."""
    assert {process.stdout.readline() for process in processes} == {"ready\n"}
    for process in processes:
        process.say("go")
    return [process.stdout.read() for process in processes]


def performed(perform: Callable[..., None], *arguments: Any) -> tuple[int, str]:
    """How the process of a function ended, and what it printed."""
    with beside(perform, *arguments) as process:
        said = process.stdout.read()
    assert process.process.exitcode is not None
    return process.process.exitcode, said


@cache
def _forks() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    return context


def _perform(hearing: Connection, saying: Connection, perform: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    os.dup2(hearing.fileno(), 0)
    os.dup2(saying.fileno(), 1)
    hearing.close()
    saying.close()
    with (
        open(0, encoding="utf-8", closefd=False) as sys.stdin,
        open(1, "w", encoding="utf-8", closefd=False) as sys.stdout,  # as it was, it may believe that it can seek
    ):
        perform(*arguments)


def _text(end: Connection, how: str) -> TextIO:
    return cast("TextIO", os.fdopen(os.dup(end.fileno()), how, encoding="utf-8", newline="\n"))
