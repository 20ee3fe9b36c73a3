"""The command-line parser: every call as its command receives it."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.surfaces.cli.app import COMMANDS, find_command, load
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.parser import arguments_of, parse, wants_help
from astragal.wiring import OTHER_SURFACES, host_of, installed_rulesets, store_at

CONTEXT = Context(installed_rulesets, store_at, host_of)


def parsed(call: list[str]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What the command is given, without the context."""
    name, words = find_command(call, OTHER_SURFACES)
    bound = parse(load(name, OTHER_SURFACES), name, words, CONTEXT)
    assert isinstance(bound, partial)
    return bound.args, {name: value for name, value in bound.keywords.items() if name != "context"}


@pytest.mark.parametrize(
    ("call", "arguments", "options"),
    [
        ("roll 2d6 + 1", ("2d6", "+", "1"), {}),
        ("roll 2d6 - 3 --times 3", ("2d6", "-", "3"), {"times": 3}),
        ("roll -1d6 -3", ("-1d6", "-3"), {}),
        ("roll --times=3 2d6", ("2d6",), {"times": 3}),
        ("roll 2d6 --seed 7", ("2d6",), {"seed": 7}),
        ("roll 2d6 --seed -7", ("2d6",), {"seed": -7}),
        ("roll 2d6 --seed kira", ("2d6",), {"seed": "kira"}),
        ("odds -- -1d6 --json", ("-1d6", "--json"), {}),
        ("odds sinew_steel simple_test --score 12", ("sinew_steel", "simple_test", "--score", "12"), {}),
        ("odds dare leap --score=12 --of all", ("dare", "leap", "--score=12"), {"of": "all"}),
        ("odds dare leap --vary a=1 --vary b=2", ("dare", "leap"), {"vary": ("a=1", "b=2")}),
        ("do gorge move --by -1 --as Bo --to Kira", ("gorge", "move", "--by", "-1", "--to", "Kira"), {"seat": "Bo"}),
        ("do --as Bo gorge attack --help", ("gorge", "attack", "--help"), {"seat": "Bo"}),
        ("do gorge say words=Hello --hidden", ("gorge", "say", "words=Hello"), {"hidden": True}),
        ("games", (), {}),
        ("games sinew_steel --json", ("sinew_steel",), {"json": True}),
        ("convert six_pool --to narraject --with x.y=1", ("six_pool",), {"to": ("narraject",), "held": ("x.y=1",)}),
        ("verify a.jsonl mine --json", (Path("a.jsonl"), Path("mine")), {"json": True}),
        ("hero new dare --name Kira --out kira.json", ("dare", "--name", "Kira"), {"out": Path("kira.json")}),
        ("table log gorge --last 5", ("gorge",), {"last": 5}),
        ("completion bash", ("bash",), {}),
    ],
)
def test_a_call_is_read_as_it_is_meant(call: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    given, named = parsed(call.split())
    assert (given, named) == (arguments, options)


def test_a_store_and_games_in_files_are_options_of_every_command_at_a_table() -> None:
    assert parsed(["table", "show", "gorge", "--db", "t.db", "--game-file", "a.py", "--game-file", "b.py"])[1] == {}
    assert (CONTEXT.db, CONTEXT.game_files) == ("t.db", ("a.py", "b.py"))
    parsed(["table", "show", "gorge"])
    assert (CONTEXT.db, CONTEXT.game_files) == (None, ())


def test_another_surface_is_started_with_its_own_options() -> None:
    assert parsed(["serve", "--port", "0", "--no-open"])[1] == {"port": 0, "open": False}
    assert parsed(["serve", "--open", "--game", "a.py"])[1] == {"open": True, "game": ("a.py",)}
    assert parsed(["mcp", "--co-pilot", "--no-open-secrets"])[1] == {"co_pilot": True, "open_secrets": False}


def test_every_command_answers_programs_in_json_unless_it_is_a_server_or_for_shells() -> None:
    others = {"serve", "mcp", "complete"}
    for name in {*COMMANDS, *OTHER_SURFACES} - others:
        assert "--json" in [one.typed for one in arguments_of(load(name, OTHER_SURFACES))], name


@pytest.mark.parametrize(
    ("call", "is_about_it"),
    [
        ("table show --help", True),
        ("roll 2d6 -h", True),
        ("roll -- --help", False),
        ("do --help", True),
        ("do gorge attack --help", False),
        ("odds -h", True),
        ("odds dare leap -h", False),
    ],
)
def test_help_is_about_the_command_unless_something_of_a_game_is_named(call: str, is_about_it: bool) -> None:
    name, words = find_command(call.split())
    assert wants_help(load(name), words) is is_about_it


WORDS = ["gorge", "a=1", "", "2", "-3", "--json", "--as", "--out", "--seed", "--with", "--db", "--last", "7", "-x"]
STRANGE = ["--", "--score", "--Score", "--help", "--x=1", "--json=1", "--jso", "-", "--\u00e9", "a b", "-a b", "\udcff"]


@pytest.mark.slow
@given(st.sampled_from(sorted(COMMANDS)), st.lists(st.sampled_from(WORDS + STRANGE), max_size=6))
@settings(deadline=None, max_examples=400)
def test_every_call_is_read_in_order_or_refused_in_a_sentence(command: str, words: list[str]) -> None:
    try:
        given, named = parsed([*command.split(), *words])
    except BadCall as refused:
        assert str(refused).endswith("--help says more.")
        return
    left = iter(words)
    assert all(word in left for word in given if isinstance(word, str))
    assert named.keys() <= {"where", *(one.name for one in arguments_of(load(command)))}


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "odds 2d6",
        "odds sinew_steel simple_test --score 12",
        "games --json",
        "table list",
        "hero random new_shoes --seed 7",
        "roll 2d6 --times 3 --seed kira",
        "--help",
        "table --help",
        "table show --help",
    ],
)
def test_a_call_loads_nothing_heavy(call: str, environment: dict[str, str], tmp_path: Path) -> None:
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
    assert not {"rich", "numpy", "fastapi", "asyncio"} & set(done.stderr.split())


def test_help_imports_no_command(environment: dict[str, str]) -> None:
    program = "import sys; from astragal.wiring import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    called = [sys.executable, "-c", program, "--help"]
    done = subprocess.run(called, env=environment, capture_output=True, text=True, check=True)
    assert not [name for name in done.stderr.split() if name.startswith("astragal.surfaces.cli.commands.")]
