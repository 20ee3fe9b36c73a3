"""Monitoring of a running server: its log, its metrics for Prometheus, and the middleware that feeds both.

Log lines are text or JSON on stderr, each with time, level and the id of the request it is about. Only routes are
logged, never the URLs that were called, so that no log has a link that lets someone in. Metrics have an address of
their own, for the operator alone.
"""

import json
import logging
import re
import secrets
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Literal, TextIO

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astragal.surfaces.web.live.hub import Hub
from astragal.surfaces.web.network import NoPort
from astragal.surfaces.web.settings import BadAddress

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
        trace = _trace(record)
        line = f"{head} {record.getMessage()}"
        return f"{line}\n{trace}" if trace else line


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "request": request_id.get(),
            "message": record.getMessage(),
            "trace": _trace(record),
        }
        return json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _trace(record: logging.LogRecord) -> str:
    if not record.exc_info or record.exc_info[0] is None:
        return ""
    return "".join(traceback.format_exception(*record.exc_info)).rstrip()


SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
"""Upper bounds of the histogram's buckets for request times."""


class Metrics:
    """Counters and gauges of one process. They are counted in memory, whether or not they are served."""

    def __init__(self, hub: Hub) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self._requests = Counter(
            "astragal_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "astragal_request_seconds",
            "Time from a request to the end of its answer; streams are not counted.",
            ("route",),
            buckets=SECONDS,
            registry=self.registry,
        )
        streams = Gauge("astragal_streams", "Open live streams.", registry=self.registry)
        streams.set_function(lambda: hub.all_streams)
        tables = Gauge("astragal_tables_followed", "Tables with live streams.", registry=self.registry)
        tables.set_function(lambda: hub.rooms)

    def answered(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count a request. `seconds` is None for a stream, which lasts as long as its client listens."""
        self._requests.labels(method, route, str(status)).inc()
        if seconds is not None:
            self._seconds.labels(route).observe(seconds)

    @contextmanager
    def served_at(self, address: str, offset: int = 0) -> Iterator[None]:
        """Serve the metrics at `host:port`, or at a port that is `offset` higher, until the context ends."""
        host, _, first_port = address.rpartition(":")
        if not host or not first_port.isdecimal() or int(first_port) + offset > 65535:
            raise BadAddress(f"{address!r} is not an address for metrics. Use one like 127.0.0.1:9464.")
        try:
            server, thread = start_http_server(int(first_port) + offset, host.strip("[]"), self.registry)
        except OSError as fault:
            raise NoPort(f"Metrics can't be served at {address} ({fault.strerror}).") from fault
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


HEADER = "X-Request-ID"
"""Header for the id of a request. It is taken from a proxy that sends one, and sent back with every response."""
NOWHERE = "none"
"""Route that is logged and counted for a request that matches none."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
STREAM = "text/event-stream"

log = logging.getLogger("astragal.requests")


class MonitoringMiddleware:
    """Outermost middleware of the application: gives each request an id, logs it and counts it."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        own_id = _id_of(scope)
        status = 500
        is_stream = False
        begun_at = time.perf_counter()

        async def send_with_id(message: Message) -> None:
            nonlocal status, is_stream
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers[HEADER] = own_id
                is_stream = headers.get("Content-Type", "").startswith(STREAM)
            await send(message)

        token = request_id.set(own_id)
        try:
            await self._app(scope, receive, send_with_id)
        finally:
            seconds = time.perf_counter() - begun_at
            method = scope["method"] if scope["method"] in METHODS else "other"
            route = getattr(scope.get("route"), "path", NOWHERE)
            self._metrics.answered(method, route, status, None if is_stream else seconds)
            log.info("%s %s %d %.0f ms", method, route, status, seconds * 1000)
            request_id.reset(token)


def _id_of(scope: Scope) -> str:
    """Return the id that a proxy has given to a request, or a new one."""
    from_proxy = Headers(scope=scope).get(HEADER, "")
    if re.fullmatch(r"[\w-]{1,64}", from_proxy):
        return from_proxy
    return secrets.token_hex(8)
