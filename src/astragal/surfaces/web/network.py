"""Find the addresses of this machine, without sending anything, and listen on them."""

import os
import socket
from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache
from ipaddress import IPv4Address, ip_address

THIS_MACHINE = "127.0.0.1"
SOMEWHERE = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "192.0.2.1")
"""An address in each range that home networks use, and one in a range that nobody uses. The addresses from which this
machine would send to them are its own."""
USUAL_PORT = 8000
MOST_TRIES = 50
MOST_UNREAD = 128 * 1024
"""Bytes that the system buffers for a client that does not read. The system doubles this number."""
LONGEST_SILENCE = 30_000
"""Milliseconds after which a client that acknowledges nothing counts as gone, for example with an empty battery."""


class NoPort(OSError):
    """No port is free."""


class NoNetwork(Exception):
    """This machine has no network that others could reach it by."""


@lru_cache(1024)
def is_loopback(address: str) -> bool:
    """Return whether this is a loopback address, by which a machine reaches itself."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def lan_addresses() -> list[str]:
    """Addresses by which others in the home network reach this machine, the likeliest first.

    A datagram socket that is "connected" only asks the machine's own routing table; no packet leaves.
    """
    found = []
    for address in SOMEWHERE:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking:
            try:
                asking.connect((address, 9))
            except OSError:
                continue
            own = IPv4Address(asking.getsockname()[0])
        if not (own.is_loopback or own.is_unspecified) and str(own) not in found:
            found.append(str(own))
    return found


def listening(addresses: Sequence[str], port: int | None = None) -> tuple[list[socket.socket], int]:
    """Listen on all addresses at one port: the given one, or by default the usual one or the next that is free."""
    first, tries = (USUAL_PORT, MOST_TRIES) if port is None else (port, 1)
    why = "there is none of that number"
    for candidate in range(max(first, 0), min(first + tries, 65536)):
        try:
            return _bound(addresses, candidate)
        except OSError as taken:
            why = os.strerror(taken.errno) if taken.errno else str(taken)
    which = f"No port from {first} on can" if port is None else f"Port {port} can't"
    raise NoPort(f"{which} be had at {', '.join(addresses)} ({why}).")


def _bound(addresses: Sequence[str], port: int) -> tuple[list[socket.socket], int]:
    """Listen with sockets whose connections send without delay, limit unread data, and time out when silent."""
    made: list[socket.socket] = []
    try:
        for address in addresses:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            made.append(one := socket.create_server((address, port), family=family))
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_UNREAD)
            if silence := getattr(socket, "TCP_USER_TIMEOUT", None):  # Linux alone has it
                one.setsockopt(socket.IPPROTO_TCP, silence, LONGEST_SILENCE)
            port = made[0].getsockname()[1]  # port 0 is any: the first socket says which
    except OSError:
        for one in made:
            one.close()
        raise
    return made, port
