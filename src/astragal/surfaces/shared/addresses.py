"""Validation of the addresses of servers that this one calls: models and webhooks."""

from urllib.parse import urlsplit

LONGEST_ADDRESS = 300


def is_server(address: str) -> bool:
    """Return whether this is the address of a server: http or https, with a host, without user, query or fragment."""
    try:
        parts = urlsplit(address)
        named = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False
    odd = parts.username or parts.password or parts.query or parts.fragment
    return named and not odd and len(address) <= LONGEST_ADDRESS and address.isprintable()
