"""JSON lines for programs: one object for each event, offer, outcome and refusal."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.surfaces.cli.output.narration import plain_asking, plain_preview
from astragal.surfaces.cli.output.terminal import in_json

if TYPE_CHECKING:
    from fractions import Fraction

    from astragal.surfaces.shared.pending import Asking
    from astragal.table.log.repository import Outcome
    from astragal.table.preview import Preview
    from astragal.table.visibility.events import SeenEvent


class Lines:
    """Written whole and at once, whichever thread writes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def event(self, event: SeenEvent) -> None:
        self._write({"event": msgspec.to_builtins(event)})

    def asking(self, asking: Asking) -> None:
        self._write({"offer": plain_asking(asking)})

    def done(self, outcome: Outcome) -> None:
        receipt = outcome.receipt._asdict() if outcome.receipt else None
        self._write({"done": {"act": outcome.act, "waits_for": outcome.waits_for, "receipt": receipt}})

    def refused(self, code: str, sentence: str) -> None:
        self._write({"refused": {"code": code, "sentence": sentence}})

    def shown(self, lines: list[str]) -> None:
        self._write({"shown": lines})

    def previewed(self, preview: Preview | None, wanted: Fraction | None) -> None:
        self._write({"preview": plain_preview(preview, wanted) if preview else None})

    def _write(self, line: dict[str, Any]) -> None:
        with self._lock:
            sys.stdout.write(in_json(line) + "\n")
            sys.stdout.flush()
