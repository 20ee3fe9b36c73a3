"""Addresses of servers that this one calls, models and webhooks: what an address may be, and which IPs are public."""

import ipaddress
import re
from urllib.parse import urlsplit

LONGEST_ADDRESS = 300
LONGEST_HOST = 253
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.IGNORECASE | re.ASCII)
"""Part of a host's name between two dots."""

LEADS_ELSEWHERE = tuple(
    ipaddress.ip_network(network)
    for network in (
        "::/96",  # IPv4 addresses as IPv6 once wrote them
        "::ffff:0:0/96",  # IPv4 addresses, mapped
        "64:ff9b::/96",  # NAT64: any IPv4 address, by a gateway
        "64:ff9b:1::/48",  # NAT64 within a network
        "2002::/16",  # 6to4: any IPv4 address, by a relay
        "192.88.99.0/24",  # relays of 6to4
        "fec0::/10",  # private, as IPv6 once wrote it
        "224.0.0.0/4",  # multicast
        "ff00::/8",  # multicast
    )
)
"""Networks that Python's `is_global` lets pass, though private machines, or several machines, may be behind them."""


def is_server(address: str) -> bool:
    """Return whether this is the address of a server: http or https, with a host, without user, query or fragment."""
    try:
        parts = urlsplit(address)
        has_host = parts.scheme in ("http", "https") and parts.port != 0 and _is_host(parts.hostname or "")
    except ValueError:
        return False
    odd = parts.username or parts.password or parts.query or parts.fragment
    is_writable = address.isprintable() and " " not in address and parts.path.isascii()
    return has_host and not odd and is_writable and len(address) <= LONGEST_ADDRESS


def _is_host(host: str) -> bool:
    """Return whether a connection to this host can be tried: an IP address, or a name that DNS can be asked for."""
    if ":" in host:
        return ip_of(host) is not None
    try:
        name = host.encode("idna").decode("ascii").removesuffix(".")
    except UnicodeError:
        return False
    return len(name) <= LONGEST_HOST and all(LABEL.fullmatch(label) for label in name.split("."))


def ip_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the IP address that a host is written as, or None if it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_public(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Return whether an IP address is one machine on the Internet: not private, and no way round to a private one."""
    return ip.is_global and not any(ip in network for network in LEADS_ELSEWHERE)
