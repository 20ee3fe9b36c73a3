"""The server's log: lines of text or JSON on stderr, each with time, level and the id of the request it is about.

Only routes are logged, never the addresses that were called: a link that lets somebody in is in no log.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Literal, TextIO

LogFormat = Literal["text", "json"]

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being answered; empty outside of one."""


def log_to_stderr(level: str, style: LogFormat, out: TextIO | None = None) -> None:
    """Send the log of this process to stderr, from this level on."""
    handler = logging.StreamHandler(out or sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else TextLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


class TextLines(logging.Formatter):
    """`2026-05-01T19:30:00.123Z WARNING astragal.web [4f1c…] the sentence`."""

    def format(self, record: logging.LogRecord) -> str:
        request = f" [{request_id.get()}]" if request_id.get() else ""
        head = f"{_time(record)} {record.levelname} {record.name}{request}"
        return f"{head} {record.getMessage()}{_trace(record, before=chr(10))}"


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "request": request_id.get(),
            "message": record.getMessage(),
            "trace": _trace(record),
        }
        return json.dumps({name: value for name, value in said.items() if value}, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _trace(record: logging.LogRecord, *, before: str = "") -> str:
    if not record.exc_info or record.exc_info[0] is None:
        return ""
    return before + "".join(traceback.format_exception(*record.exc_info)).rstrip()
