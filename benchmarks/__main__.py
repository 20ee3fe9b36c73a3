"""Run the benchmarks named on the command line, or all of them. A missed target is reported, but is no error."""

import argparse
import importlib
import json
import pkgutil
import sys
from pathlib import Path

import benchmarks
from benchmarks import harness

LOAD = {"minutes": "how long", "tables": "how many", "rate": "commands a second"}


def main() -> int:
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if not module.name.startswith("_"):
            importlib.import_module(f"benchmarks.{module.name}")
    asked = arguments()
    harness.options.update({name: value for name in LOAD if (value := getattr(asked, name)) is not None})
    wanted = dict(harness.chosen(asked.names))
    if not wanted:
        print(f"No benchmark is called so. There are: {', '.join(harness.registered)}.", file=sys.stderr)
        return 2
    marks: list[harness.Mark] = []
    for name, measure in wanted.items():
        print(f"{name} …", file=sys.stderr)
        for mark in measure():
            marks.append(mark)
            print(f"  {mark.name}: {mark.figure}", file=sys.stderr)
    print(harness.table(marks))
    if asked.json:
        asked.json.write_text(json.dumps(harness.as_data(marks), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=benchmarks.__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="name", help="such as chance, or chance.hits; all, if none is given"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the marks there as well")
    for name, what in LOAD.items():
        parser.add_argument(f"--{name}", type=float, metavar="N", help=f"of load: {what}")
    return parser.parse_args()


sys.exit(main())
