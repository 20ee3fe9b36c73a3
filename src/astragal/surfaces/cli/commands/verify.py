"""`astragal verify`: check a ledger, an export or receipts, and report where and why a check fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.parser import AsJson, Parameter

if TYPE_CHECKING:
    from astragal.table.log.audit import Audit
    from astragal.table.log.replay import Replay
    from astragal.table.log.seat_audit import SeatAudit


def verify(
    file: Annotated[Path, Parameter("A public ledger, or the export of a table or a player.")],
    receipts: Annotated[Path | None, Parameter("Your own receipts, or your export.")] = None,
    /,
    *,
    json: AsJson = False,
    context: Context,
) -> errors.Exit:
    """Check that no roll was altered, dropped, retried or given another purpose, and what came of each.

    astragal verify evening.jsonl                the ledger and the log of an export
    astragal verify evening.jsonl mine.receipts  and whether it is what you saw

    In a whole export, every roll is also replayed by the rules of its game.
    Without receipts, those that this program saved for the table are used.
    Exit code 0 if all is sound, 1 if something fails, 2 if the file can't be read, and 3 if nothing fails but something
    could not be checked: the first line then says what.
    """
    from astragal import fair
    from astragal.surfaces.cli.fairness import kept_of
    from astragal.table.log.export import BadExport, ledger_in, receipts_in

    try:
        lines = _lines(file)
        ledger = ledger_in(lines)
        receipts = receipts or kept_of(ledger)
        kept_receipts = receipts_in(_lines(receipts)) if receipts else ()
        with terminal.watched("Checking the ledger", len(ledger)) as tell:
            report = fair.verify(ledger, kept_receipts, tell)
        with terminal.watched("Holding the story against it"):
            audits = list(_audits(lines, context))
        findings = fair.together([audit.findings() for audit in (report, *audits)])
    except BadExport as bad:
        raise errors.BadCall(f"{file}{f' or {receipts}' if receipts else ''}: {bad}") from bad
    sentences = list(findings.sentences(report.headline))
    edits = [edit for audit in audits for edit in audit.edits]
    document = {
        "verdict": findings.verdict,
        "sound": findings.verdict is fair.Verdict.SOUND,
        "unchecked": findings.unchecked,
        **msgspec.to_builtins(report),
        "story": {"edits": [msgspec.to_builtins(edit) for edit in edits]} if audits else None,
        "sentences": sentences,
    }
    terminal.Output().report("\n".join(sentences), as_json=json, **document)
    return next(code for code in errors.Exit if code == findings.verdict.exit_code)


def _audits(lines: list[bytes], context: Context) -> Iterator[Audit | Replay | SeatAudit]:
    """Audit the story against the ledger: a whole log, which is also replayed by its rules; or what a player saw."""
    from astragal.table.log.audit import audit
    from astragal.table.log.export import opened, read_whole
    from astragal.table.log.replay import replay
    from astragal.table.log.seat_audit import audit_view
    from astragal.table.log.store import title_of
    from astragal.table.registry import Book

    header = opened(lines[0])
    if header.get("astragal") == "view":
        yield audit_view(header)
    elif header.get("astragal") == "table":
        report = audit(lines)
        yield report
        if not report.edits:
            carried = read_whole(lines)
            game = title_of(carried, carried.table).ruleset
            yield replay({game: Book.of(context.load(game))} if game in context.games else {}, carried)


def _lines(file: Path) -> list[bytes]:
    with file.open("rb") as opened:
        return list(opened)
