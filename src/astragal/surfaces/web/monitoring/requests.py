"""Middleware around all others: gives each request an id, logs it and counts it."""

from __future__ import annotations

import logging
import re
import secrets
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astragal.surfaces.web.monitoring.logs import request_id
from astragal.surfaces.web.monitoring.metrics import Metrics

HEADER = "X-Request-ID"
"""Taken from a proxy that sends one; sent back with every answer."""
NOWHERE = "none"
"""The route of a request that no route answers."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
STREAM = "text/event-stream"

log = logging.getLogger("astragal.requests")


class MonitoringMiddleware:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = Headers(scope=scope).get(HEADER, "")
        own = said if re.fullmatch(r"[\w-]{1,64}", said) else secrets.token_hex(8)
        status, streams, begun = 500, False, time.perf_counter()

        async def noted(message: Message) -> None:
            nonlocal status, streams
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers[HEADER] = own
                streams = headers.get("Content-Type", "").startswith(STREAM)
            await send(message)

        token = request_id.set(own)
        try:
            await self._app(scope, receive, noted)
        finally:
            took = time.perf_counter() - begun
            method = scope["method"] if scope["method"] in METHODS else "other"
            route = getattr(scope.get("route"), "path", NOWHERE)
            self._metrics.answered(method, route, status, None if streams else took)
            log.info("%s %s %d %.0f ms", method, route, status, took * 1000)
            request_id.reset(token)
