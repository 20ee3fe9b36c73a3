"""Processes that are forked from one which has loaded the program: to load it takes longer than most of its work."""

import multiprocessing
import os
import sys
from collections.abc import Callable
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Any

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


def performed(perform: Callable[..., None], *arguments: Any) -> tuple[int, str]:
    """How the process of a function ended, and what it printed."""
    heard, saying = _forks().Pipe(duplex=False)
    process = _forks().Process(target=_perform, args=(saying, perform, arguments), daemon=True)
    process.start()
    saying.close()
    said = b""
    with heard:
        while heard.poll(LONG) and (read := os.read(heard.fileno(), 10_000)):
            said += read
    process.join(LONG)
    assert process.exitcode is not None, "it does not end"
    return process.exitcode, said.decode()


@cache
def _forks() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    return context


def _perform(saying: Connection, perform: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    os.dup2(saying.fileno(), 1)
    saying.close()
    with open(1, "w", encoding="utf-8", closefd=False) as sys.stdout:  # as it was, it may believe that it can seek
        perform(*arguments)
