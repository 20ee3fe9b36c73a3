"""Settings of the web server: its addresses, the origins that may call it, and its limits."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from urllib.parse import urlsplit

from msgspec import Struct

from astragal.surfaces.shared.rate_limit import Pace

NAMES_OF_THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")

SEAT_PACE = Pace(burst=80, per_second=15)
UPLOAD_PACE = Pace(burst=12, per_second=0.2)
ADDRESS_PACE = Pace(burst=400, per_second=60)
EFFORT_PACE = Pace(burst=30, per_second=2)


class Limits(Struct, frozen=True):
    """Limits of connections and streams. A server with many users can set them higher."""

    connections: int = 20_000
    """Connections of the whole process; fewer if it may not open as many files."""
    address: int = 256
    """Connections of one address."""
    address_streams: int = 128
    """Live streams to one address, which may be a whole club. This machine itself is exempt."""
    seat_streams: int = 12
    """Live streams to one seat: windows of one person."""
    headers_within: float = 10.0
    """Seconds for a request's headers, also for the first ones on a new connection."""
    body_within: float = 30.0
    """Seconds for a request's body."""
    header_bytes: int = 64 * 1024


class BadAddress(ValueError):
    """The public address is not valid."""


class Settings(Struct, frozen=True, dict=True):
    """Addresses by which browsers reach the table (nothing else is answered), and limits."""

    origins: frozenset[str]
    """Scheme, host and port, exactly as a browser sends them."""
    address: str
    """The address that links and QR codes are made of, with the base path."""
    largest_body: int = 256 * 1024
    """Bytes of one request."""
    largest_upload: int = 8 * 1024 * 1024
    """Bytes of a request that brings a picture. It is read only once its sender is known to have a seat."""
    seat_pace: Pace = SEAT_PACE
    upload_pace: Pace = UPLOAD_PACE
    address_pace: Pace = ADDRESS_PACE
    """Rate limit of one address, which may be a whole household. This machine itself is exempt, unless a proxy on it
    calls for others."""
    effort_pace: Pace = EFFORT_PACE
    """Budget of processor time that a seat has for odds: 3 seconds, and then a fifth of a core."""
    limits: Limits = Limits()
    proxied: bool = False
    """True if a proxy calls, and says for whom."""
    in_page: bool = False
    """True if the whole application runs inside a page of one browser: nobody else can come, and its pages are shown
    in a frame of that page."""

    @cached_property
    def hosts(self) -> frozenset[str]:
        """Allowed Host headers. Cached, because each request is compared with them; settings are never changed."""
        return frozenset(urlsplit(origin).netloc for origin in self.origins)

    @cached_property
    def path(self) -> str:
        """The base path: empty, or `/games`. Cached, because each link of a page begins with it."""
        return urlsplit(self.address).path.rstrip("/")

    @property
    def is_shared(self) -> bool:
        """True if other machines can reach it."""
        return urlsplit(self.address).hostname not in ("127.0.0.1", "localhost", "::1")

    @property
    def secure(self) -> bool:
        return self.address.startswith("https:")

    @classmethod
    def local(cls, port: int, lan: Iterable[str] = ()) -> Settings:
        """This machine only; with `lan`, also these addresses of its home network."""
        lan_names = tuple(lan)
        origins = frozenset(f"http://{name}:{port}" for name in (*NAMES_OF_THIS_MACHINE, *lan_names))
        main_name = (lan_names or NAMES_OF_THIS_MACHINE)[0]
        return cls(origins, f"http://{main_name}:{port}")

    @classmethod
    def public(cls, address: str, port: int) -> Settings:
        """Behind a proxy: `https://play.example/games`. The loopback names still work for the owner."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment or "@" in address:
            raise BadAddress(f"{address!r} is not an address for browsers. Use one like https://play.example/games.")
        local_origins = cls.local(port).origins
        public_origin = f"{parts.scheme}://{parts.netloc.lower()}"
        return cls(local_origins | {public_origin}, address.rstrip("/"), proxied=True)
