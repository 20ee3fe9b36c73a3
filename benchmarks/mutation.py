"""Mutation testing by clause: break the code that a clause of the rule books names, and see whether its tests notice.

    ./run mutate                                          every ruleset
    ./run mutate src/astragal/rulesets/new_shoes/harm.py  one file
    ./run mutate --clause SS-26 --clause SS-27            clauses
    ./run mutate --sample 10                              of each clause at most so many, the same ones each time
    ./run mutate guards                                   code that guards a table: see `guards.py`

`mutants.py` says what is changed. The tests are the files that name the clause, first the tests that name it, and only
those that run the changed statement. One process for each game loads everything, notes once which test runs which line,
and forks for each mutant: the child gets the changed function and stops at the first test that fails. A change to an
import is tried again in a child that imports from scratch. Only the results are written, in `artefacts/mutation.jsonl`:
a mutant that was noticed is not tried again until its function changes, a survivor not until the tests change.
"""

from __future__ import annotations

import argparse
import ast
import gc
import hashlib
import importlib.abc
import importlib.util
import json
import os
import random
import resource
import shutil
import signal
import sys
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper, cache, partial
from importlib.machinery import ModuleSpec
from itertools import accumulate
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from benchmarks.mutants import ROOT, SOURCE, Mutant, clauses_within, mutants_of

if TYPE_CHECKING:
    import pytest

RULESETS = SOURCE / "astragal" / "rulesets"
TESTS = ROOT / "tests" / "rulesets"
RESULTS = ROOT / "artefacts" / "mutation.jsonl"
WANTED = 0.95
SLOWER = 10
"""Factor by which the tests of a mutant may take longer than before: a loop that never ends is noticed too."""
MEMORY = 6 << 30
MEMORY_DISK = Path("/dev/shm")  # noqa: S108 - a folder of our own in it
ENOUGH = 3.0
"""Processor seconds: a mutant that passes tests of this length, its clause's own first, has survived."""
SCRATCH = (MEMORY_DISK if MEMORY_DISK.is_dir() else RESULTS.parent) / f"astragal-mutation-{os.getpid()}"
"""Folder for the tables of the tests, in memory if possible: most of their time would go to the disk."""


# ---------------------------------------------------------------- tests


@dataclass(frozen=True)
class TestFile:
    """A file of tests, with the clauses that it and each of its tests name."""

    path: Path
    clauses: frozenset[str]
    tests: dict[str, frozenset[str]]


@cache
def test_files(game: str) -> tuple[TestFile, ...]:
    """Return the test files of a game, and those of all games."""
    found = []
    for file in sorted([*(TESTS / game).rglob("test_*.py"), *TESTS.glob("test_*.py")]):
        text = file.read_text(encoding="utf-8")
        tests = [
            one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef) and one.name.startswith("test")
        ]
        named = {one.name: clauses_within(ast.get_docstring(one) or "") for one in tests}
        found.append(TestFile(file, clauses_within(text), named))
    return tuple(found)


def tests_of(mutants: Sequence[Mutant]) -> list[str]:
    """Return the test files for pytest: files of the game, and tests of all games, that name a clause."""
    clauses = {clause for mutant in mutants for clause in mutant.within}
    found = []
    for file in test_files(mutants[0].game):
        if file.path.parent == TESTS:
            found += [f"{file.path}::{name}" for name, named in file.tests.items() if named & clauses]
        elif file.clauses & clauses:
            found.append(str(file.path))
    return found


@cache
def tests_digest(game: str) -> str:
    """Hash the files that the tests of a game are made of."""
    return digest_of([*(TESTS / game).rglob("*.py"), *TESTS.glob("*.py")])


def digest_of(files: Iterable[Path]) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()[:12]


# ---------------------------------------------------------------- trying in a warm process

Place = tuple[str, str, int]
"""Location of a function: its file, its qualified name and its first line."""


@dataclass(eq=False)
class Trials:
    """Pytest plugin that runs the collected tests against each mutant, instead of once."""

    mutants: Sequence[Mutant]
    report: Callable[[dict[str, Any]], None]
    called_by_imports: set[Place] = field(default_factory=set)
    failed: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    tests_of: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    """The tests that run each line, by file and line."""

    def pytest_configure(self) -> None:
        """Skip shrinking: a failing example is enough."""
        from hypothesis import Phase, settings

        house = settings.get_profile("house")
        settings.register_profile("mutation", house, phases=[Phase.explicit, Phase.generate], database=None)
        settings.load_profile("mutation")

    def note_import(self, frame: FrameType, event: str, _: object) -> None:
        """Record a call: until all tests are collected, every call comes from an import."""
        if event == "call" and frame.f_code.co_filename.startswith(str(RULESETS)):
            self.called_by_imports.add(place(frame.f_code))

    def pytest_collection_finish(self) -> None:
        sys.setprofile(None)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or (report.nodeid if report.failed else "")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.measure(session.items)
        functions = living_functions(RULESETS)
        for mutant in self.mutants:
            tests = self.tests_for(mutant, session.items)
            changed = {
                at: code
                for at, code in codes_in(mutant.compiled())
                if at in functions and functions[at][0].__code__ != code
            }
            survived = not tests or in_child(partial(self.pass_with, changed, functions, tests), self.limit(tests))
            imports_it = mutant.at_import or bool(self.called_by_imports & changed.keys())
            self.report({"key": mutant.key, "survived": survived, "imports": imports_it, "tests": len(tests)})
        return True

    def measure(self, items: Sequence[pytest.Item]) -> None:
        """Record which test runs which line of the game, and its time; in a child, so that no cache is warm."""
        game = self.mutants[0].game
        kept = RESULTS.with_name(f"mutation-{tests_digest(game)}-{digest_of((RULESETS / game).rglob('*.py'))}.json")
        names = sorted(item.nodeid for item in items)
        found = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {"names": []}
        if not set(names) <= set(found["names"]):
            if not (child := os.fork()):
                try:
                    kept.write_text(json.dumps({"names": names, **self.measured(items)}), encoding="utf-8")
                except BaseException:
                    traceback.print_exc()
                    raise
                finally:
                    os._exit(0)
            os.waitpid(child, 0)
            found = json.loads(kept.read_text(encoding="utf-8"))
        if found["failed"]:
            kept.unlink()
            self.report({"fault": f"Nothing was changed, and yet {found['failed']} fails. Mend it first."})
            os._exit(2)
        self.seconds = found["seconds"]
        self.tests_of = {
            path: {int(line): set(tests) for line, tests in lines.items()} for path, lines in found["lines"].items()
        }

    def measured(self, items: Sequence[pytest.Item]) -> dict[str, Any]:
        from coverage import Coverage

        watched = Coverage(data_file=None, config_file=False, include=[f"{RULESETS / self.mutants[0].game}/*"])
        watched.start()
        for item, after in zip(items, [*items[1:], None], strict=True):
            empty_caches("astragal.rulesets.")
            watched.switch_context(item.nodeid)
            began = time.process_time()
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
            self.seconds[item.nodeid] = time.process_time() - began
        watched.stop()
        data = watched.get_data()
        lines = {path: data.contexts_by_lineno(path) for path in data.measured_files()}
        return {"failed": self.failed, "seconds": self.seconds, "lines": lines}

    def tests_for(self, mutant: Mutant, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Choose the tests of a mutant: those that run the changed lines, of files that name the clause.

        Tests that name it come first, then the fast ones.
        """
        files = {file.path: file for file in test_files(mutant.game) if file.clauses & mutant.within}
        lines = self.tests_of.get(str(mutant.path), {})
        runs = {test for line in range(mutant.lines[0], mutant.lines[1] + 1) for test in lines.get(line, ())}

        def order(item: pytest.Item) -> tuple[bool, float]:
            name = item.name.partition("[")[0]
            named = files[item.path].tests.get(name, frozenset())
            return not named & mutant.within, self.seconds.get(item.nodeid, 0.0)

        chosen = sorted((item for item in items if item.nodeid in runs and item.path in files), key=order)
        took = accumulate(self.seconds.get(item.nodeid, 0.0) for item in chosen)
        return [item for item, so_far in zip(chosen, took, strict=True) if so_far < ENOUGH or item is chosen[0]]

    def limit(self, tests: Sequence[pytest.Item]) -> float:
        return 5 + SLOWER * sum(self.seconds.get(test.nodeid, 0.0) for test in tests)

    def pass_with(
        self,
        changed: dict[Place, CodeType],
        functions: dict[Place, list[FunctionType]],
        tests: Sequence[pytest.Item],
    ) -> bool:
        put_in(changed, functions)
        empty_caches("astragal.rulesets.")
        for test, after in zip(tests, [*tests[1:], None], strict=True):
            test.ihook.pytest_runtest_protocol(item=test, nextitem=after)
            if self.failed:
                return False
        return True


def place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def codes_in(code: CodeType) -> Iterator[tuple[Place, CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield place(inner), inner
            yield from codes_in(inner)


def put_in(changed: dict[Place, CodeType], functions: dict[Place, list[FunctionType]]) -> None:
    for at, code in changed.items():
        for function in functions[at]:
            function.__code__ = code


def living_functions(folder: Path) -> dict[Place, list[FunctionType]]:
    """Return all functions of the files in a folder that exist by now, under decorators or not."""
    found: dict[Place, list[FunctionType]] = defaultdict(list)
    gc.unfreeze()
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(folder)):
            found[place(one.__code__)].append(one)
    gc.freeze()
    return found


@cache
def caches(package: str) -> tuple[_lru_cache_wrapper[Any], ...]:
    """Return the cached functions of a package, such as "astragal.rulesets."."""
    gc.unfreeze()
    kept = [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]
    gc.freeze()
    return tuple(one for one in kept if one.__module__.startswith(package))


def empty_caches(package: str) -> None:
    """Clear these caches: a test that finds a result cached does not run the lines behind it."""
    for one in caches(package):
        one.cache_clear()


def in_child(passes: Callable[[], bool], limit: float) -> bool:
    """Return whether the tests pass in a child process, within `limit` processor seconds."""
    if not (child := os.fork()):
        code = 1
        try:
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.alarm(60 + int(10 * limit))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            code = 0 if passes() else 1
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def warm_trials(mutants: Sequence[Mutant]) -> Iterator[dict[str, Any]]:
    """Yield the results of the mutants of one game, as they come."""
    here, there = os.pipe()
    if not (child := os.fork()):
        try:
            os.close(here)
            silence()
            reports = os.fdopen(there, "w", encoding="utf-8")
            trials = Trials(mutants, lambda found: print(json.dumps(found), file=reports, flush=True))
            sys.setprofile(trials.note_import)
            run_pytest(tests_of(mutants), trials)
        finally:
            os._exit(0)
    os.close(there)
    with os.fdopen(here, encoding="utf-8") as reading:
        yield from map(json.loads, reading)
    os.waitpid(child, 0)


def run_pytest(tests: Sequence[str], *plugins: object) -> int:
    import pytest

    options = [
        "-x",
        "-q",
        "--tb=no",
        "-n0",
        "-m",
        "not slow",
        "-p",
        "no:cacheprovider",
        f"--basetemp={SCRATCH}",
    ]
    return int(pytest.main([*options, *tests], plugins=list(plugins)))


def silence() -> None:
    """Redirect a child's output to a file."""
    told = os.open(RESULTS.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(told, stream)


# ---------------------------------------------------------------- trying with a new import


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import hook that loads the changed module in place of the real one."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self.mutant.module:
            return None
        return importlib.util.spec_from_file_location(name, self.mutant.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(self.mutant.compiled(), module.__dict__)  # noqa: S102 - our own code


def survives_import(mutant: Mutant) -> bool:
    def passes() -> bool:
        silence()
        sys.meta_path.insert(0, Changed(mutant))
        return run_pytest(tests_of([mutant])) == 0

    return in_child(passes, limit=120)


# ---------------------------------------------------------------- the command


def main() -> int:
    from benchmarks import guards

    if guards.are_meant(sys.argv[1:]):
        return guards.main(sys.argv[1:])
    reader = argparse.ArgumentParser(prog="./run mutate", description="Break clauses, and see whether tests notice.")
    reader.add_argument("paths", nargs="*", type=Path, default=[RULESETS], help="files or folders of the rulesets")
    reader.add_argument("--clause", action="append", default=[], help="only code that names it; may be repeated")
    reader.add_argument("--sample", type=int, help="of each clause at most so many mutants, the same ones each time")
    reader.add_argument("--anew", action="store_true", help="forget earlier results")
    asked = reader.parse_args()
    mutants = list(wanted_mutants(asked.paths, frozenset(asked.clause), asked.sample))
    if not mutants:
        print("No code there names a clause.")
        return 2
    RESULTS.parent.mkdir(exist_ok=True)
    if asked.anew:
        RESULTS.unlink(missing_ok=True)
    survived = earlier_results(mutants)
    if fault := try_all([mutant for mutant in mutants if mutant.key not in survived], survived):
        print(fault)
        return 2
    return tell(mutants, survived)


def try_all(mutants: Sequence[Mutant], survived: dict[str, bool]) -> str:
    """Try mutants, game by game, and record who survived; returns why it stopped, or an empty string."""
    began, done = time.monotonic(), 0
    for game in dict.fromkeys(mutant.game for mutant in mutants):
        by_key, again = {mutant.key: mutant for mutant in mutants if mutant.game == game}, list[Mutant]()
        for found in warm_trials(list(by_key.values())):
            if fault := found.get("fault"):
                return str(fault)
            mutant = by_key[found["key"]]
            if found["survived"] and found["imports"]:
                again.append(mutant)
            else:
                note(mutant, survived, lived=found["survived"])
            done += 1
            if sys.stderr.isatty():
                left = (time.monotonic() - began) / done * (len(mutants) - done)
                sys.stderr.write(f"\r\033[K{done} of {len(mutants)}, {left / 60:.0f} min to go")
        for mutant in again:
            note(mutant, survived, lived=survives_import(mutant))
    shutil.rmtree(SCRATCH, ignore_errors=True)
    return ""


def note(mutant: Mutant, survived: dict[str, bool], *, lived: bool) -> None:
    """Record a result, in memory and for the next run."""
    survived[mutant.key] = lived
    with RESULTS.open("a", encoding="utf-8") as results:
        print(json.dumps({"key": mutant.key, "survived": lived, "digest": tests_digest(mutant.game)}), file=results)


def wanted_mutants(paths: Sequence[Path], clauses: frozenset[str], sample: int | None) -> Iterator[Mutant]:
    files = sorted({file.resolve() for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))})
    by_clauses: dict[tuple[str, ...], list[Mutant]] = defaultdict(list)
    for file in files:
        for mutant in mutants_of(file):
            if not clauses or clauses & set(mutant.clauses):
                by_clauses[mutant.clauses].append(mutant)
    for found in by_clauses.values():
        yield from found if sample is None or sample >= len(found) else random.Random(1).sample(found, sample)


def earlier_results(mutants: Sequence[Mutant]) -> dict[str, bool]:
    """Load whether each mutant survived, where that is known and still holds."""
    digests = {mutant.key: tests_digest(mutant.game) for mutant in mutants}
    found: dict[str, bool] = {}
    for line in RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else ():
        result = json.loads(line)
        if digests.get(result["key"]) == result["digest"] or (result["key"] in digests and not result["survived"]):
            found[result["key"]] = result["survived"]
    return found


def tell(mutants: Sequence[Mutant], survived: dict[str, bool]) -> int:
    """Print the survivors, then the score by clause, by game and in all."""
    tried = [mutant for mutant in mutants if mutant.key in survived]
    for mutant in tried:
        if survived[mutant.key]:
            print(mutant)
    groups: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in tried:
        for group in (*mutant.clauses, mutant.game, "all"):
            groups[group].append(mutant)
    print(f"\n{'clause':12} {'noticed':>8} {'mutants':>8}")
    for group in sorted(groups, key=lambda group: (group == "all", group.islower(), group)):
        noticed = sum(not survived[mutant.key] for mutant in groups[group])
        print(f"{group:12} {noticed / len(groups[group]):8.1%} {len(groups[group]):8}")
    score = sum(not survived[mutant.key] for mutant in tried) / max(1, len(tried))
    print(f"wanted: {WANTED:.0%}" + ("" if len(tried) == len(mutants) else f"; {len(mutants) - len(tried)} not tried"))
    return 0 if score >= WANTED and len(tried) == len(mutants) else 1


if __name__ == "__main__":
    sys.exit(main())
