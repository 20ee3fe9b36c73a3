"""Calls that are read without cyclopts: they are taken just as cyclopts takes them, or left to it."""

import subprocess
import sys
from functools import partial
from inspect import signature, unwrap
from pathlib import Path
from typing import Any

import pytest
from cyclopts import CycloptsError
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.surfaces.cli.app import program
from astragal.surfaces.cli.command_list import COMMANDS
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.input.plain_calls import plain_call
from astragal.wiring import host_of, installed_rulesets, store_at

CONTEXT = Context(installed_rulesets, store_at, host_of)
PLAIN = [
    "roll 2d6 + 1",
    "odds 2d6",
    "odds sinew_steel simple_test",
    "games",
    "games sinew_steel --json",
    "convert sinew_steel score=12 --with narraject.dice=5 --with new_shoes.dice=3 --to narraject",
    "verify evening.jsonl mine.receipts --json",
    "skin list sinew_steel",
    "hero random sinew_steel --seed 7 --out kira.json --wish theme=REF",
    "table list --json",
    "table show gorge --as Bo --json",
    "table new sinew_steel gorge --gm Ada --player Bo --player Cy --house seeded=yes",
    "table export gorge file.jsonl --ledger",
    "do gorge say words=Hello",
    "do gorge attack --attacker kira --defender guard --as Bo --hidden",
    "do gorge attack --help",
    "odds sinew_steel simple_test --score 12 --of success --vary stance=all",
    "hero new sinew_steel --name Kira --scores REF=12 --out kira.json",
    "answer gorge spend 2",
    "play gorge --all",
    "roll 2d6 --times 3",
    "convert sinew_steel score=12 --most 3",
    "table show gorge --db tables.db",
    "table log gorge --last 5",
    "tables sinew_steel opposed",
    "tables sinew_steel opposed damage --markdown",
]
NOT_PLAIN = [
    "",
    "table",
    "fly",
    "roll 2d6 --times 0",
    "roll 2d6 --times 03",
    "roll 2d6 --times three",
    "odds 2d6 --json --csv",
    "odds sinew_steel simple_test --score=12",
    "odds --version",
    "odds -- -1d6",
    "games sinew_steel narraject",
    "games --json --json",
    "games --json=yes",
    "convert sinew_steel score=12 --most 21",
    "table show",
    "table show gorge --as",
    "table show gorge --as --json",
    "table show gorge --db",
    "table show gorge --db one.db --db another.db",
    "table show --table gorge",
    "completion bash",
    "do gorge say words=Hello --as",
    "do gorge move --by -1",
]
OF_A_GAME = [
    "sinew_steel",
    "12",
    "--score",
    "--Score",
    "--json",
    "--csv",
    "--as",
    "--hidden",
    "--help",
    "-h",
    "--x=1",
    "-1",
]
WORDS = [
    "gorge",
    "a=1",
    "",
    "spend 2",
    "--json",
    "--as",
    "--out",
    "--seed",
    "--to",
    "--with",
    "--all",
    "--yes",
    "--db",
    "--last",
    "--most",
    "7",
    "-x",
    "--",
]


def in_full(command: Any, *given: Any, **named: Any) -> dict[str, Any]:
    bound = signature(command).bind_partial(*given, **named)
    bound.apply_defaults()
    return {name: value for name, value in bound.arguments.items() if name != "context"}


def plainly(words: list[str]) -> tuple[Any, dict[str, Any]] | None:
    called = plain_call(words, CONTEXT)
    if called is None:
        return None
    assert isinstance(called, partial)
    return called.func, in_full(called.func, *called.args, **called.keywords)


def by_cyclopts(words: list[str]) -> tuple[Any, dict[str, Any]]:
    command, bound, _ = program.parse_args(words, exit_on_error=False, print_error=False)
    function = unwrap(command)
    return function, in_full(function, *bound.args, **bound.kwargs)


@pytest.mark.parametrize("call", PLAIN)
def test_a_plain_call_is_taken_as_cyclopts_takes_it(call: str) -> None:
    assert plainly(call.split()) == by_cyclopts(call.split())


@pytest.mark.parametrize("call", NOT_PLAIN)
def test_whatever_is_not_plain_is_left_to_cyclopts(call: str) -> None:
    assert plainly(call.split()) is None


@pytest.mark.slow
@given(st.sampled_from(sorted(COMMANDS)), st.lists(st.sampled_from(WORDS + OF_A_GAME), max_size=5))
@settings(deadline=None, max_examples=400)
def test_no_call_is_taken_otherwise(command: str, words: list[str]) -> None:
    call = [*command.split(), *words]
    taken = plainly(call)
    if taken is None:
        return
    try:
        assert taken == by_cyclopts(call)
    except CycloptsError as fault:
        raise AssertionError(f"{call} is a fault for cyclopts: {fault}") from fault


@pytest.mark.parametrize(
    "call",
    [
        "odds 2d6",
        "odds sinew_steel simple_test --score 12",
        "games --json",
        "table list",
        "hero random new_shoes --seed 7",
    ],
)
def test_nobody_waits_for_a_reader_that_has_nothing_to_read(
    call: str, environment: dict[str, str], tmp_path: Path
) -> None:
    program = """
import sys
from astragal.wiring import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, *call.split()],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout
    assert not {"cyclopts", "rich", "numpy", "fastapi", "asyncio"} & set(done.stderr.split())
