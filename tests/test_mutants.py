"""Mutants of what guards a table: which changes are made, and reasons for survivors that still name some of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import guards, mutants
from benchmarks.mutants import mutants_of

CODE = '''
def may_enter(seat, seats, passes):
    """Say whether somebody may come in."""
    if seat is None or not passes:
        raise Refused("No.")
    good = [one for one in passes if one.is_good]
    seats.last = seat
    try:
        seats.note(seat)
    finally:
        seats.release()
    return any(one.seat == seat for one in good)


async def forget(seats):
    del seats.last
    await seats.close()
'''


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(mutants, "SOURCE", tmp_path)
    path = tmp_path / "door.py"
    path.write_text(CODE, encoding="utf-8")
    return path


def test_code_that_guards_is_changed_in_each_of_its_conditions_and_statements(file: Path) -> None:
    changes = [f"{mutant.function}: {mutant.change}" for mutant in mutants_of(file, guards=True)]
    assert sorted(changes) == sorted(
        [
            "may_enter: if seat is None or not passes: never",
            "may_enter: raise Refused('No.'): left out",
            "may_enter: seats.last = seat: left out",
            "may_enter: seat is None or not passes: and/or turned",
            "may_enter: seat is None: left out beside not passes",
            "may_enter: not passes: left out beside seat is None",
            "may_enter: seat is None: comparison turned",
            "may_enter: not passes: not dropped",
            "may_enter: one.is_good: filter left out",
            "may_enter: seats.note(seat): left out",
            "may_enter: seats.release(): left out",
            "may_enter: any becomes all",
            "may_enter: one.seat == seat: comparison turned",
            "forget: del seats.last: left out",
            "forget: await seats.close(): left out",
        ]
    )
    assert list(mutants_of(file)) == []  # no clause of a rule book is named


def test_each_change_is_another_program(file: Path) -> None:
    codes = {repr(guards_code(mutant)) for mutant in mutants_of(file, guards=True)}
    assert len(codes) == 15


def guards_code(mutant: mutants.Mutant) -> list[tuple[bytes, tuple[object, ...]]]:
    functions = [code for code in mutant.compiled().co_consts if hasattr(code, "co_code")]
    return [(function.co_code, function.co_consts) for function in functions]


def test_reasons_for_survivors_are_about_changes_that_are_made() -> None:
    by_file: dict[str, set[tuple[str, str, int]]] = {}
    for entry in guards.known_survivors():
        if entry.file not in by_file:
            found = mutants_of(guards.PACKAGE / entry.file, guards=True)
            by_file[entry.file] = {(mutant.function, mutant.change, mutant.nth) for mutant in found}
        for change in entry.changes:
            assert (entry.function, change, entry.nth or 1) in by_file[entry.file], (entry.file, change)
        assert entry.reason


def test_all_that_guards_is_there_and_has_tests() -> None:
    assert {guards.part_of(file) for file in guards.guarded_files()} == set(guards.GUARDS)
    assert all((guards.TESTS / part.tests).is_dir() for part in guards.GUARDS.values())


ENDED = """
import time
from benchmarks import guards

def spin():
    while True:
        pass

guards.HANGS = 0.3
works = [lambda: guards.SURVIVED, lambda: guards.NOT_PUT_IN, lambda: 1 // 0, lambda: time.sleep(300), spin]
print([guards.in_child(work, limit=1) for work in works])
"""


@pytest.mark.slow
def test_a_change_after_which_a_test_never_ends_was_noticed() -> None:
    run = subprocess.run([sys.executable, "-c", ENDED], cwd=mutants.ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == f"{[guards.SURVIVED, guards.NOT_PUT_IN, *[guards.NOTICED] * 3]}\n"
