"""The fault campaign: `./run soak`, for minutes or for a night, with a report from which it resumes.

Each kind of harm is done in rounds, and each round has a seed. Results are written down after every round, so an
interrupted campaign resumes where it was, until each kind has reached its goal. A round that fails is named with its
seed, and `./run soak KIND --seed SEED --rounds 1` plays it again.
"""

import argparse
import json
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from os import getloadavg
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from benchmarks.soak import api, disk, fuzzing, kills, pages, proxies, simulation, stores


class Kind(NamedTuple):
    """A kind of harm: the function of a round with a seed, and how much of it makes a whole campaign."""

    does: Callable[[int], dict[str, int]]
    counted: str
    goal: int


KINDS: dict[str, Kind] = {
    "kills": Kind(kills.kills, "kills", 5_000),
    "page": Kind(pages.pages, "kills", 200),
    "postgres": Kind(kills.postgres, "kills", 500),
    "power": Kind(disk.power, "cuts", 10_000),
    "io": Kind(disk.io, "faults", disk.CALLS * len(disk.WAYS)),
    "proxies": Kind(proxies.proxies, "commands", 10_000),
    "pool": Kind(stores.pool, "points spent", 1_000),
    "migrations": Kind(stores.migrations, "databases", 14),
    "simulation": Kind(simulation.simulation, "seeds", 5_000),
    "resent": Kind(simulation.resent, "commands", 1_000_000),
    "notation": Kind(fuzzing.notation, "inputs", 10_000_000),
    "exports": Kind(fuzzing.exports, "inputs", 1_000_000),
    "skins": Kind(fuzzing.skins, "inputs", 1_000_000),
    "commands": Kind(fuzzing.commands, "inputs", 100_000),
    "mcp": Kind(fuzzing.mcp, "inputs", 100_000),
    "api": Kind(api.api, "requests", 100_000),
}
REPORT = Path(".soak/report.json")


class Report:
    """Progress so far, in a file that survives an interruption."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.kinds: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def next_seed(self, kind: str) -> int:
        return int(self.kinds.get(kind, {}).get("rounds", 0))

    def seconds(self, kind: str) -> float:
        return float(self.kinds.get(kind, {}).get("seconds", 0))

    def is_done(self, kind: str) -> bool:
        return self._reached(kind) >= KINDS[kind].goal

    def _reached(self, kind: str) -> int:
        return int(self.kinds.get(kind, {}).get("figures", {}).get(KINDS[kind].counted, 0))

    def note(self, kind: str, figures: dict[str, int], seconds: float, failed: str = "") -> None:
        done = self.kinds.setdefault(kind, {"rounds": 0, "seconds": 0.0, "figures": {}, "failed": []})
        done["rounds"] += 1
        done["seconds"] = round(done["seconds"] + seconds, 1)
        done["figures"] = dict(Counter(done["figures"]) + Counter(figures))
        if failed:
            done["failed"].append(failed)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps(self.kinds, indent=2) + "\n", encoding="utf-8")
        part.replace(self._path)

    @property
    def failures(self) -> list[str]:
        return [failed for done in self.kinds.values() for failed in done["failed"]]

    def __str__(self) -> str:
        lines = []
        for kind, done in self.kinds.items():
            figures = ", ".join(f"{count:,} {name}" for name, count in done["figures"].items())
            failed = f"; {len(done['failed'])} FAILED" if done["failed"] else ""
            share = self._reached(kind) / KINDS[kind].goal
            rounds = f"{done['rounds']:7,} rounds in {done['seconds']:8,.0f} s"
            lines.append(f"{kind:12}{rounds} ({share:4.0%} of a campaign): {figures}{failed}")
        return "\n".join([*lines, *self.failures])


def campaign(kinds: list[str], report: Report, *, minutes: float | None, rounds: int | None, seed: int | None) -> bool:
    """Run rounds of these kinds, until there were enough of each or the time is up. Returns whether all went well.

    Without a number of rounds, the kind that had the least time is next, until it has reached its goal.
    """
    ends = monotonic() + 60 * (minutes or 0)
    done: Counter[str] = Counter()
    while rounds is not None or monotonic() < ends:
        if rounds is None:
            due = [kind for kind in kinds if not report.is_done(kind)]
        else:
            due = [kind for kind in kinds if done[kind] < rounds]
        if not due:
            break
        kind = min(due, key=lambda one: (done[one] if rounds else report.seconds(one), kinds.index(one)))
        number = report.next_seed(kind) if seed is None else seed + done[kind]
        done[kind] += 1
        began = monotonic()
        try:
            figures, failed = KINDS[kind].does(number), ""
        except Exception as fault:  # noqa: BLE001 - any exception is a finding
            traceback.print_exc()
            said = f"{type(fault).__name__}: {fault}"[:250]
            figures, failed = {}, f"./run soak {kind} --seed {number} --rounds 1   {said}"
        report.note(kind, figures, monotonic() - began, failed)
        print(f"{kind} {number}: {failed or figures}", file=sys.stderr, flush=True)
    return not report.failures


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run soak", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="kind", help=f"of harm; all, if none is named: {', '.join(KINDS)}")
    parser.add_argument("--minutes", type=float, default=5.0, help="for all kinds together; five, if not said")
    parser.add_argument("--rounds", type=int, help="so many of each kind instead")
    parser.add_argument("--seed", type=int, help="of the first round; where the report ends, if not said")
    parser.add_argument("--report", type=Path, default=REPORT, help=f"where it is written; {REPORT}, if not said")
    parser.add_argument("--anew", action="store_true", help="forget what was done before")
    asked = parser.parse_args()
    if unknown := [kind for kind in asked.kinds if kind not in KINDS]:
        parser.error(f"there is no {unknown[0]!r}; there are {', '.join(KINDS)}")
    if asked.anew:
        asked.report.unlink(missing_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # children end with it, and no round counts as failed
    report = Report(asked.report)
    sound = campaign(asked.kinds or list(KINDS), report, minutes=asked.minutes, rounds=asked.rounds, seed=asked.seed)
    print(report)
    print(f"Load of the machine at the end: {getloadavg()[0]:.1f}.")
    return 0 if sound else 1
