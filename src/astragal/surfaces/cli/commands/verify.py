"""`astragal verify`: checks a ledger, an export or receipts, and says where and why it fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from astragal.surfaces.cli.errors import BadCall, Exit
from astragal.surfaces.cli.fairness.receipts import kept_of
from astragal.surfaces.cli.input.options import AsJson, Parameter
from astragal.surfaces.cli.output.progress import watched
from astragal.surfaces.cli.output.terminal import Paper

if TYPE_CHECKING:
    from astragal.table.log.audit import Edit


def verify(
    file: Annotated[Path, Parameter("A public ledger, or the export of a table or a player.")],
    receipts: Annotated[Path | None, Parameter("Your own receipts, or your export.")] = None,
    /,
    *,
    json: AsJson = False,
) -> Exit:
    """Check that no roll was altered, dropped, retried or given another purpose.

    astragal verify evening.jsonl                the ledger and the log of an export
    astragal verify evening.jsonl mine.receipts  and whether it is what you saw

    Without receipts, those that this program kept of the table are used.
    Exit code 0 if all is sound, 1 if it is not, 2 if the file can't be read.
    """
    from astragal import fair
    from astragal.table.log.audit import edits_in, is_whole_export
    from astragal.table.log.export import BadExport, ledger_in, receipts_in

    try:
        lines = _lines(file)
        ledger = ledger_in(lines)
        receipts = receipts or kept_of(ledger)
        kept = receipts_in(_lines(receipts)) if receipts else ()
        with watched("Checking the ledger", len(ledger)) as tell:
            report = fair.verify(ledger, kept, tell)
        with watched("Comparing the log with it"):
            edits = edits_in(lines) if is_whole_export(lines) else None
    except BadExport as bad:
        raise BadCall(f"{file}{f' or {receipts}' if receipts else ''}: {bad}") from bad
    sentences = [*_told(edits), *report.sentences()] if edits else [*report.sentences(), *_told(edits)]
    sound = report.sound and not edits
    if json:
        import json as json_module

        found = None if edits is None else [asdict(edit) for edit in edits]
        document = {"sound": sound, **asdict(report), "edits": found, "sentences": sentences}
        Paper().write(json_module.dumps(document, ensure_ascii=False))
    else:
        Paper().write("\n".join(sentences))
    return Exit.FINE if sound else Exit.REFUSED


def _lines(file: Path) -> list[bytes]:
    with file.open("rb") as opened:
        return list(opened)


def _told(edits: list[Edit] | None) -> Iterator[str]:
    if edits:
        yield "This export was edited:"
        yield from (edit.sentence for edit in edits)
    elif edits is not None:
        yield "The log agrees with the facts and rolls of the ledger: nothing in it was edited."
