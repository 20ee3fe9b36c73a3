"""Figures of a running server for Prometheus, on an address of their own: they are the operator's alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

from astragal.surfaces.web.live.hub import Hub
from astragal.surfaces.web.network import NoPort
from astragal.surfaces.web.settings import BadAddress

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
"""Upper ends of the buckets in which the times of requests are counted."""


class Metrics:
    """Counters and gauges of one process. Counted in memory, whether or not anybody asks for them."""

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
        for name, about, value in (
            ("astragal_streams", "Open live streams.", lambda: hub.all_streams),
            ("astragal_tables_followed", "Tables with live streams.", lambda: hub.rooms),
        ):
            Gauge(name, about, registry=self.registry).set_function(value)

    def answered(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count a request; `seconds` is None for a stream, which takes as long as somebody listens."""
        self._requests.labels(method, route, str(status)).inc()
        if seconds is not None:
            self._seconds.labels(route).observe(seconds)

    @contextmanager
    def served_at(self, address: str, further: int = 0) -> Iterator[None]:
        """Serve the figures at `host:port` meanwhile, or so many ports further on."""
        host, _, port = address.rpartition(":")
        if not host or not port.isdecimal() or int(port) + further > 65535:
            raise BadAddress(f"{address!r} is not an address for metrics. Use one like 127.0.0.1:9464.")
        try:
            server, thread = start_http_server(int(port) + further, host.strip("[]"), self.registry)
        except OSError as taken:
            raise NoPort(f"Metrics can't be served at {address} ({taken.strerror}).") from taken
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
