"""Mutation testing of what guards a table: break its code, one small change at a time, and see whether a test notices.

    ./run mutate guards                             all of it: see GUARDS
    ./run mutate src/astragal/table/visibility      one file or folder of it
    ./run mutate guards --sample 20                 of each part at most so many mutants, the same ones each time

The tests of a mutant are those that run the changed line, the most telling and quickest first, of the tests beside what
guards: those of the table for `table`, those of the web table for its security. One process loads them; a child of it
runs those of one module to note the lines that each test reaches, and another child tries one mutant. What was noted
stays in `artefacts/guards`, and is noted again for a module when it changes, or the code that it reached. The results
are in `artefacts/mutation-guards.jsonl`: a mutant that was noticed is not tried again until its function changes, and a
survivor only with tests that are new to it.

`survivors.toml` says why a survivor makes no difference. One without a reason fails the run, and so does an entry that
fits no survivor.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import importlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import time
import tomllib
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from benchmarks import mutation
from benchmarks.mutants import ROOT, SOURCE, Mutant, mutants_of

if TYPE_CHECKING:
    import pytest
    from coverage import Coverage

PACKAGE = SOURCE / "astragal"


class Part(NamedTuple):
    """Part of the score: the file or folder that it is about, and the folder of its tests."""

    place: str
    tests: str


GUARDS = {
    "visibility": Part("table/visibility", "table"),
    "consent": Part("table/commands/consent.py", "table"),
    "audit": Part("table/log/audit.py", "table"),
    "session": Part("table/log/session.py", "table"),
    "repository": Part("table/log/repository.py", "table"),
    "mcp/execute": Part("surfaces/mcp/execute.py", "surfaces/mcp"),
    "security": Part("surfaces/web/security", "surfaces/web"),
    "webhooks": Part("surfaces/web/webhooks.py", "surfaces/web"),
    "addresses": Part("surfaces/shared/addresses.py", "surfaces/web"),
}
TESTS = ROOT / "tests"
ARTEFACTS = ROOT / "artefacts"
RESULTS = ARTEFACTS / "mutation-guards.jsonl"
LOG = ARTEFACTS / "mutation-guards.log"
REACHED = ARTEFACTS / "guards"
"""Folder with what each test module reaches."""
SURVIVORS = Path(__file__).with_name("survivors.toml")
WANTED = 0.95
ENOUGH = 15.0
"""Processor seconds: a mutant that passes tests of this length, the most telling first, has survived."""
IS_ABOUT = 4
"""How much more a test is worth whose module is about the changed one."""
LEAST_SECONDS = 0.02
"""Processor seconds that even the quickest test costs."""
MODULES_ANEW = 3
"""Most test modules that are imported again for a change to what is evaluated while importing."""
HANGS = 8.0
"""Seconds without work after which a child is ended: it waits for a lock that nobody releases, or a message in vain."""
IDLE_SHARE = 0.02
"""Share of a processor that a program may take which only looks now and then whether there is something to do."""
NOTICED, SURVIVED, NOT_PUT_IN = 1, 0, 3
"""Exit codes of a child that tries a mutant. The last one: the change needs modules that are imported again."""


class TestRun(msgspec.Struct):
    """What one test of a module did: the processor seconds it took, and the lines it ran in each file that guards."""

    seconds: float
    lines: dict[str, list[int]]


class Reached(msgspec.Struct):
    """What the tests of a module reached, for this digest of the module and these of the files they ran."""

    digest: str
    files: dict[str, str]
    tests: dict[str, TestRun]
    failed: list[str]
    imports: list[str]
    """Modules of ours that the tests import late. The process that loads all tests imports them before it forks."""


class Result(msgspec.Struct):
    """Result of a mutant: whether it survived, what noticed it, and the test modules that it has passed so far."""

    key: str
    survived: bool
    noticed_by: str = ""
    passed: dict[str, str] = {}
    """Digest of each test module that it passed."""


class KnownSurvivors(msgspec.Struct, forbid_unknown_fields=True):
    """Changes of a function that survive, with the reason why no test can notice them or, if `accepted`, has to."""

    file: str
    function: str
    changes: list[str]
    reason: str
    nth: int = 0
    """Which of several changes of the function that read the same; 0 for all of them."""
    accepted: bool = False
    """True if they make a difference: they count as survivors. Others make none, and are left out of the score."""

    def have(self, mutant: Mutant) -> bool:
        return mutant.change in self.changes and self.is_function_of(mutant) and self.nth in (0, mutant.nth)

    def is_function_of(self, mutant: Mutant) -> bool:
        return self.file == mutant.path.relative_to(PACKAGE).as_posix() and self.function == mutant.function


# ---------------------------------------------------------------- what is tried


def are_meant(arguments: Sequence[str]) -> bool:
    """Return whether a command line of `./run mutate` is about what guards: it says so, or names one of its files."""
    paths = [argument for argument in arguments if not argument.startswith("-")]
    return "guards" in paths or any(part_of(Path(path).resolve()) for path in paths)


def part_of(path: Path) -> str:
    """Return the part that a file or folder belongs to, or an empty string."""
    for part, (place, _) in GUARDS.items():
        guarded = PACKAGE / place
        if path == guarded or guarded in path.parents:
            return part
    return ""


def guarded_files() -> list[Path]:
    files = []
    for place, _ in GUARDS.values():
        guarded = PACKAGE / place
        if not guarded.exists():
            raise FileNotFoundError(f"{guarded} guards a table, says GUARDS in {__file__}, and is not there.")
        files += sorted(guarded.rglob("*.py")) if guarded.is_dir() else [guarded]
    return files


def wanted_mutants(paths: Sequence[str], sample: int | None) -> list[Mutant]:
    places = [Path(path).resolve() for path in paths if path != "guards"]
    by_part: dict[str, list[Mutant]] = defaultdict(list)
    for file in guarded_files():
        if not places or any(place in (file, *file.parents) for place in places):
            by_part[part_of(file)] += mutants_of(file, guards=True)
    wanted = []
    for mutants in by_part.values():
        wanted += mutants if sample is None else random.Random(1).sample(mutants, min(sample, len(mutants)))
    return wanted


def module_digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


# ---------------------------------------------------------------- the process that has loaded all tests


class GuardTrials:
    """Pytest plugin that runs the collected tests against each mutant, instead of once."""

    def __init__(self, mutants: Sequence[Mutant], earlier: Mapping[str, Result], importing: Coverage) -> None:
        self.mutants, self.earlier, self._importing = mutants, earlier, importing
        self.failed = ""
        self._items: dict[str, list[pytest.Item]] = defaultdict(list)
        """The tests by their module's path."""
        self._digests: dict[str, str] = {}
        """Digests of the modules as they were loaded: somebody may write on meanwhile."""
        self._reached: dict[str, Reached] = {}
        self._runs_of: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        """The tests that run each line, by file and line."""
        self._seconds: dict[str, float] = {}
        self._item: dict[str, pytest.Item] = {}
        self._imports: dict[Path, set[str]] = {}
        self._noticed: Counter[str] = Counter()
        """How many mutants of a function each test has noticed: it may well notice the next one."""

    def pytest_configure(self) -> None:
        """Skip shrinking: a failing example is enough."""
        from hypothesis import Phase, settings

        house = settings.get_profile("house")
        settings.register_profile("mutation", house, phases=[Phase.explicit, Phase.generate], database=None)
        settings.load_profile("mutation")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or (report.nodeid if report.failed else "")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._importing.stop()
        imported_lines = {path: set(self._importing.get_data().lines(path) or ()) for path in map(str, guarded_files())}
        for item in session.items:
            self._items[str(item.path)].append(item)
            self._item[item.nodeid] = item
        self._digests = {path: module_digest(Path(path)) for path in self._items}
        self._measure()
        self._import_late_modules()
        functions = mutation.living_functions(PACKAGE)
        for place, mutant in enumerate(self.mutants, 1):
            body = range(mutant.lines[0], mutant.function_lines[1] + 1)
            runs_at_import = not imported_lines[str(mutant.path)].isdisjoint(body)
            result = self._tried(mutant, functions, runs_at_import=runs_at_import)
            with RESULTS.open("ab") as results:
                results.write(msgspec.json.encode(result) + b"\n")
            show_progress(place, len(self.mutants))
        return True

    # ------------------------------------------------------------ what the tests reach

    def _measure(self) -> None:
        """Note what the tests of each module reach, where that is not known; each in a child with empty caches."""
        REACHED.mkdir(exist_ok=True)
        for done, (path, items) in enumerate(self._items.items()):
            kept = REACHED / f"{Path(path).relative_to(TESTS).as_posix().replace('/', '.')}.json"
            if not is_up_to_date(kept, self._digests[path]):
                show_progress(done, len(self._items), "measured")
                in_child(partial(self._write_reached, kept, path, items), limit=600)
            if not kept.exists():
                print(f"The tests of {path} end the process that runs them, and are left out.", file=sys.stderr)
                continue
            self._take_in(path, msgspec.json.decode(kept.read_bytes(), type=Reached))

    def _take_in(self, path: str, reached: Reached) -> None:
        self._reached[path] = reached
        if reached.failed:
            print(f"Nothing was changed, and yet these fail; they are left out: {reached.failed}", file=sys.stderr)
        for test, run in reached.tests.items():
            if test in self._item and test not in reached.failed:
                self._seconds[test] = run.seconds
                for file, lines in run.lines.items():
                    for line in lines:
                        self._runs_of[file][line].append(test)

    def _write_reached(self, kept: Path, path: str, items: Sequence[pytest.Item]) -> int:
        from coverage import Coverage

        loaded, failed = set(sys.modules), list[str]()
        caches = {name: dict(cache) for name, cache in caches_of_modules()}
        guarded = [str(file) for file in guarded_files()]
        tests: dict[str, TestRun] = {}
        for item, following in zip(items, [*items[1:], None], strict=True):
            mutation.empty_caches("astragal.")
            for name, cache in caches_of_modules():
                cache.clear()
                cache.update(caches.get(name, {}))
            watched = Coverage(data_file=None, config_file=False, include=guarded)
            watched.set_option("run:disable_warnings", ["no-data-collected"])
            began, self.failed = time.process_time(), ""
            watched.start()
            try:
                item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            finally:
                watched.stop()
            seconds, data = time.process_time() - began, watched.get_data()
            lines = {file: sorted(data.lines(file) or ()) for file in data.measured_files()}
            tests[item.nodeid] = TestRun(seconds, {relative(file): some for file, some in lines.items() if some})
            if self.failed:
                failed.append(item.nodeid)
        files = {file: module_digest(ROOT / file) for run in tests.values() for file in run.lines}
        imports = sorted(name for name in set(sys.modules) - loaded if name.startswith("astragal"))
        reached = Reached(self._digests[path], files, tests, failed, imports)
        kept.write_bytes(msgspec.json.encode(reached))
        return 0

    def _import_late_modules(self) -> None:
        """Import what tests import late, and all that guards: so the functions are there to be changed."""
        names = {name for reached in self._reached.values() for name in reached.imports}
        names |= {module_name(file) for file in guarded_files()}
        for name in sorted(names):
            importlib.import_module(name)

    # ------------------------------------------------------------ trying

    def _tried(self, mutant: Mutant, functions: Any, *, runs_at_import: bool) -> Result:
        """Try a mutant with the tests that are new to it."""
        earlier = self.earlier.get(mutant.key, Result(mutant.key, survived=True))
        tests = self._tests_for(mutant)
        modules = {str(item.path) for item in tests}
        digests = {relative(path): self._reached[path].digest for path in sorted(modules)}
        tests = [item for item in tests if earlier.passed.get(relative(item.path)) != digests[relative(item.path)]]
        if not tests:
            return Result(mutant.key, survived=True, passed=digests)

        code, noticed_by = SURVIVED, ""
        if not mutant.at_import:
            code, noticed_by = self._tried_in_child(mutant, functions, tests)
        if code == NOT_PUT_IN or mutant.at_import or (code == SURVIVED and runs_at_import):
            return Result(mutant.key, survived=survives_import(mutant, tests), passed=digests)
        if code == SURVIVED:
            return Result(mutant.key, survived=True, passed=digests)
        self._noticed[f"{mutant.path} {mutant.function} {noticed_by}"] += 1
        return Result(mutant.key, survived=False, noticed_by=noticed_by)

    def _tests_for(self, mutant: Mutant) -> list[pytest.Item]:
        """Choose tests that run the changed lines, or for what is evaluated while importing any line of the function.

        First come those that noticed another change of the function. Then come those that run lines of the function
        that few others run, for the time that they take: hidden rolls are told by a line that every event comes by, but
        the tests of hidden rolls also run the lines beside it. Tests of modules that import the changed one, or are
        named after it, count several times as much. Of a test with many examples, the second follows after the first of
        every other test.
        """
        runs = self._runs_of[relative(mutant.path)]
        first, last = mutant.function_lines if mutant.at_import else mutant.lines
        tests = {test for line in range(first, last + 1) for test in runs.get(line, ())}
        rarity: dict[str, float] = defaultdict(float)
        for line in range(mutant.function_lines[0] + 1, mutant.function_lines[1] + 1):
            for test in runs.get(line, ()):
                rarity[test] += 1 / len(runs[line])
        examples = Counter[str]()
        order: dict[str, tuple[int, int, float]] = {}
        for test in sorted(tests, key=lambda test: (self._seconds[test], test)):
            name = test.partition("[")[0]
            noticed = self._noticed[f"{mutant.path} {mutant.function} {test}"]
            worth = rarity[test] / (LEAST_SECONDS + self._seconds[test])
            if self._is_about(self._item[test].path, mutant.path):
                worth *= IS_ABOUT
            order[test] = -noticed, examples[name], -worth
            examples[name] += 1

        chosen, seconds = list[Any](), 0.0
        for test in sorted(tests, key=order.__getitem__):
            if chosen and seconds + self._seconds[test] > ENOUGH:
                break
            seconds += self._seconds[test]
            chosen.append(self._item[test])
        return chosen

    def _is_about(self, tests: Path, changed: Path) -> bool:
        """Return whether a test module imports the changed module, or is named after it."""
        if tests not in self._imports:
            names: set[str] = set()
            for node in ast.walk(ast.parse(tests.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    names |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
            self._imports[tests] = names
        return module_name(changed) in self._imports[tests] or changed.stem in tests.stem

    def _tried_in_child(self, mutant: Mutant, functions: Any, tests: Sequence[pytest.Item]) -> tuple[int, str]:
        here, there = os.pipe()
        limit = 5 + mutation.SLOWER * max(self._seconds[test.nodeid] for test in tests)
        limit += 2 * sum(self._seconds[test.nodeid] for test in tests)
        code = in_child(partial(self._passes_with, mutant, functions, tests, there), limit)
        os.close(there)
        with os.fdopen(here, encoding="utf-8") as reading:
            last_test = (reading.read().splitlines() or [""])[-1]
        return code, last_test if code == NOTICED else ""

    def _passes_with(self, mutant: Mutant, functions: Any, tests: Sequence[pytest.Item], there: int) -> int:
        changed = {
            at: code
            for at, code in mutation.codes_in(mutant.compiled())
            if at in functions and functions[at][0].__code__ != code
        }
        if not changed or any(
            code.co_freevars != functions[at][0].__code__.co_freevars for at, code in changed.items()
        ):
            return NOT_PUT_IN
        mutation.put_in(changed, functions)
        mutation.empty_caches("astragal.")
        for test, following in zip(tests, [*tests[1:], None], strict=True):
            os.write(there, f"{test.nodeid}\n".encode())
            test.ihook.pytest_runtest_protocol(item=test, nextitem=following)
            if self.failed:
                return NOTICED
        return SURVIVED


def caches_of_modules() -> Iterator[tuple[str, dict[Any, Any]]]:
    """Yield the dictionaries that modules which guard fill as they go. A test that finds them full runs fewer lines."""
    for file in guarded_files():
        module = sys.modules.get(module_name(file))
        for name, value in vars(module).items() if module else ():
            if isinstance(value, dict) and name.startswith("_") and not name.startswith("__"):
                yield f"{file} {name}", value


def module_name(file: Path) -> str:
    return ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def relative(path: str | Path) -> str:
    return Path(path).relative_to(ROOT).as_posix()


def is_up_to_date(kept: Path, digest_of_module: str) -> bool:
    """Return whether what a module's tests reach was noted for the module and the code as they are."""
    if not kept.exists():
        return False
    reached = msgspec.json.decode(kept.read_bytes(), type=Reached)
    return reached.digest == digest_of_module and all(
        (ROOT / file).exists() and module_digest(ROOT / file) == digest for file, digest in reached.files.items()
    )


def in_child(work: Callable[[], int], limit: float | None = None) -> int:
    """Return the exit code of a child process.

    One that takes more than `limit` processor seconds, or waits for something that never comes, has noticed.
    """
    if not (child := os.fork()):
        code = NOTICED
        try:
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
                resource.setrlimit(resource.RLIMIT_AS, (mutation.MEMORY, mutation.MEMORY))
            code = work()
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1] if limit is None else wait_for(child)
    code = os.waitstatus_to_exitcode(status)
    return NOTICED if code < 0 else code


def wait_for(child: int) -> int:
    """Wait for a child, and end one that hangs: for HANGS seconds it has neither run nor wanted to.

    However slow the machine is, a child that wants a processor is let alone.
    """
    pause, idle_since, used = 0.002, time.monotonic(), 0.0
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(pause)
        pause = min(2 * pause, 0.2)
        wants_processor, used_now = activity_of(child)
        if wants_processor or used_now - used > HANGS * IDLE_SHARE:
            idle_since, used = time.monotonic(), used_now
        elif time.monotonic() - idle_since > HANGS:
            os.kill(child, signal.SIGKILL)


def activity_of(process: int) -> tuple[bool, float]:
    """Return whether a thread of a process runs or waits for a processor, and its processor seconds so far."""
    wants_processor, ticks = False, 0
    for stat in Path(f"/proc/{process}/task").glob("*/stat"):
        with contextlib.suppress(OSError):  # a thread may end at any time
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
            wants_processor = wants_processor or fields[0] == "R"
            ticks += int(fields[11]) + int(fields[12])
    return wants_processor, ticks / os.sysconf("SC_CLK_TCK")


def survives_import(mutant: Mutant, tests: Sequence[pytest.Item]) -> bool:
    """Try a mutant in an interpreter of its own, as it changes what was evaluated while importing."""
    modules = list(dict.fromkeys(item.path for item in tests))[:MODULES_ANEW]
    names = [item.nodeid for item in tests if item.path in modules]
    request = {"path": relative(mutant.path), "index": mutant.index, "tests": names}
    here, there = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(here, 0)
        os.close(there)
        os.execv(sys.executable, [sys.executable, "-m", "benchmarks.guards", "--import-anew"])  # noqa: S606 - our own
    os.close(here)
    with os.fdopen(there, "w", encoding="utf-8") as writing:
        json.dump(request, writing)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == SURVIVED


def import_anew() -> int:
    """Run the tests that stdin names, with a changed module in place of the real one."""
    request = json.load(sys.stdin)
    mutants = mutants_of(ROOT / request["path"], guards=True)
    mutant = next(mutant for mutant in mutants if mutant.index == request["index"])
    mutation.silence()
    sys.meta_path.insert(0, mutation.Changed(mutant))
    return in_child(lambda: mutation.run_pytest(request["tests"]), limit=60 + mutation.SLOWER * ENOUGH)


# ---------------------------------------------------------------- the command


def main(arguments: Sequence[str]) -> int:
    reader = argparse.ArgumentParser(
        prog="./run mutate", description="Break what guards, and see whether tests notice."
    )
    reader.add_argument("paths", nargs="*", help="guards, or files and folders of it")
    reader.add_argument("--sample", type=int, help="of each part at most so many mutants, the same ones each time")
    reader.add_argument("--anew", action="store_true", help="forget earlier results and what the tests reach")
    options = reader.parse_args(arguments)
    mutants = wanted_mutants(options.paths, options.sample)
    ARTEFACTS.mkdir(exist_ok=True)
    if options.anew:
        RESULTS.unlink(missing_ok=True)
        shutil.rmtree(REACHED, ignore_errors=True)
    os.nice(10)
    earlier = results_so_far()
    due = [mutant for mutant in mutants if mutant.key not in earlier or earlier[mutant.key].survived]
    for tests in dict.fromkeys(part.tests for part in GUARDS.values()):
        of_tests = [mutant for mutant in due if GUARDS[part_of(mutant.path)].tests == tests]
        if of_tests:
            in_child(partial(try_all, TESTS / tests, of_tests, earlier))
    shutil.rmtree(mutation.SCRATCH, ignore_errors=True)
    return tell(mutants, results_so_far())


def try_all(tests: Path, mutants: Sequence[Mutant], earlier: Mapping[str, Result]) -> int:
    """Load the tests in a folder, and try these mutants. What the tests print goes to a file."""
    from coverage import Coverage

    sys.stderr = os.fdopen(os.dup(2), "w", buffering=1)  # ours stays, and that of the tests goes to the file
    log = os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(log, stream)
    importing = Coverage(data_file=None, config_file=False, include=[str(file) for file in guarded_files()])
    importing.start()
    return mutation.run_pytest([str(tests)], GuardTrials(mutants, earlier, importing))


def show_progress(done: int, total: int, what: str = "tried") -> None:
    if done % 25 == 0 or sys.stderr.isatty():
        print(f"{what} {done} of {total}", file=sys.stderr)


def results_so_far() -> dict[str, Result]:
    """Load the newest result of each mutant."""
    results: dict[str, Result] = {}
    for line in RESULTS.read_bytes().splitlines() if RESULTS.exists() else ():
        result = msgspec.json.decode(line, type=Result)
        results[result.key] = result
    return results


def known_survivors() -> list[KnownSurvivors]:
    read = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
    return msgspec.convert(read.get("survivors", []), list[KnownSurvivors])


class Score(NamedTuple):
    """How many mutants of a part were tried, how many of them were noticed, and how many make no difference."""

    tried: int
    noticed: int
    equivalent: int

    @property
    def share(self) -> float:
        return self.noticed / max(1, self.tried - self.equivalent)


def tell(mutants: Sequence[Mutant], results: Mapping[str, Result]) -> int:
    """Print the survivors without a reason, then the score by part and in all; return 1 if something is missing."""
    tried = [mutant for mutant in mutants if mutant.key in results]
    survivors = [mutant for mutant in tried if results[mutant.key].survived]
    known = known_survivors()
    reasons = {mutant.key: next((entry for entry in known if entry.have(mutant)), None) for mutant in survivors}
    unexplained = [mutant for mutant in survivors if reasons[mutant.key] is None]
    for mutant in unexplained:
        print(mutant)
    stale = list(stale_entries(known, tried, survivors))
    for words in stale:
        print(f"survivors.toml: nothing survives there any more: {words}")

    scores: dict[str, Score] = {}
    for part in [*GUARDS, "all"]:
        keys = [mutant.key for mutant in tried if part in ("all", part_of(mutant.path))]
        noticed = sum(not results[key].survived for key in keys)
        entries = [reasons.get(key) for key in keys]
        scores[part] = Score(len(keys), noticed, sum(entry is not None and not entry.accepted for entry in entries))
    print(f"\n{'part':12} {'caught':>8} {'mutants':>8} {'of them equivalent':>20}")
    for part, score in scores.items():
        if score.tried:
            print(f"{part:12} {score.share:8.1%} {score.tried:8} {score.equivalent:20}")
    not_tried = len(mutants) - len(tried)
    print(f"wanted: {WANTED:.0%}, and a reason for each survivor" + (f"; {not_tried} not tried" if not_tried else ""))
    return 0 if scores["all"].share >= WANTED and not (unexplained or stale or not_tried) else 1


def stale_entries(
    known: Sequence[KnownSurvivors], tried: Sequence[Mutant], survivors: Sequence[Mutant]
) -> Iterator[str]:
    """Yield the changes in `survivors.toml` that fit no survivor, of functions that were tried in full."""
    for entry in known:
        path = PACKAGE / entry.file
        of_file = list(mutants_of(path, guards=True)) if path.exists() else []
        keys = {mutant.key for mutant in of_file if entry.is_function_of(mutant)}
        if keys <= {mutant.key for mutant in tried}:
            lived = {mutant.change for mutant in survivors if entry.have(mutant)}
            yield from (f"{entry.file} {entry.function}: {change}" for change in entry.changes if change not in lived)


if __name__ == "__main__":
    sys.exit(import_anew())
