"""The three verifiers of a seat's export: the terminal's, the page's in Node, and the documentation's."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from astragal.fair import Findings, Verdict, together, verify
from astragal.surfaces import web
from astragal.table.log.export import BadExport, ledger_in
from astragal.table.log.seat_audit import audit_view
from tests.table.seat_forgeries import Document, encoded

ROOT = Path(__file__).parents[2]
SCRIPT = """
import { createInterface } from "node:readline";
const { checkSeat } = await import(process.argv[1]);
for await (const text of createInterface({ input: process.stdin })) {
  const { faults, unchecked } = checkSeat(text);
  console.log(JSON.stringify(faults.length ? "broken" : unchecked.length ? "sound as far as it goes" : "sound"));
}
"""

Verifier = Callable[[Document], Verdict]


def of_the_terminal(document: Document) -> Verdict:
    """As `astragal verify` does."""
    text = encoded(document)
    try:
        of_ledger = _findings_of(tuple(ledger_in([text])))
        return together([of_ledger, audit_view(json.loads(text)).findings()]).verdict
    except BadExport:
        return Verdict.BROKEN


@cache
def _findings_of(ledger: tuple[bytes, ...]) -> Findings:
    """Most forgeries leave the ledger as it is."""
    return verify(ledger).findings()


def of_the_documentation() -> Verifier:
    """`docs/verifier.py`, which shares nothing with the program."""
    module: Any = _module(ROOT / "docs" / "verifier.py")

    def check(document: Document) -> Verdict:
        try:
            code, _ = module.verify(encoded(document))
        except module.Broken:
            return Verdict.BROKEN
        return {verdict.exit_code: verdict for verdict in Verdict}[code]

    return check


@contextmanager
def of_the_page() -> Iterator[Verifier]:
    """The script of the page Fair dice, in one process for all files."""
    script = Path(web.__file__).parent / "static" / "js" / "fd1" / "seat.js"
    command = ["node", "--input-type=module", "--eval", SCRIPT, script.as_uri()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as node:
        assert node.stdin
        assert node.stdout
        lines_in, lines_out = node.stdin, node.stdout

        def check(document: Document) -> Verdict:
            lines_in.write(encoded(document).decode())
            lines_in.flush()
            return Verdict(json.loads(lines_out.readline()))

        yield check
        lines_in.close()


def verdicts(verifiers: Mapping[str, Verifier], document: Document) -> dict[str, Verdict]:
    return {name: check(document) for name, check in verifiers.items()}


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("stranger", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
