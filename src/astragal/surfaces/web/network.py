"""Find the addresses of this machine, without sending anything, and listen on them."""

import os
import socket
from collections.abc import Sequence
from contextlib import closing
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
    addresses: list[str] = []
    for destination in SOMEWHERE:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as route:
            try:
                route.connect((destination, 9))
            except OSError:
                continue
            own_address = IPv4Address(route.getsockname()[0])
        if own_address.is_loopback or own_address.is_unspecified:
            continue
        if str(own_address) not in addresses:
            addresses.append(str(own_address))
    return addresses


def listening(addresses: Sequence[str], port: int | None = None) -> tuple[list[socket.socket], int]:
    """Listen on all addresses at one port: the given one, or by default the usual one or the next that is free."""
    if port is None:
        first = USUAL_PORT
        tries = MOST_TRIES
    else:
        first = port
        tries = 1
    reason = "there is none of that number"
    for candidate in range(max(first, 0), min(first + tries, 65536)):
        try:
            return _bound(addresses, candidate)
        except OSError as fault:
            reason = os.strerror(fault.errno) if fault.errno else str(fault)
    ports = f"No port from {first} on can" if port is None else f"Port {port} can't"
    raise NoPort(f"{ports} be had at {', '.join(addresses)} ({reason}).")


def _bound(addresses: Sequence[str], port: int) -> tuple[list[socket.socket], int]:
    """Listen with sockets whose connections send without delay, limit unread data, and time out when silent."""
    sockets: list[socket.socket] = []
    try:
        for address in addresses:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            listener = socket.create_server((address, port), family=family)
            sockets.append(listener)
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_UNREAD)
            if user_timeout := getattr(socket, "TCP_USER_TIMEOUT", None):  # Linux alone has it
                listener.setsockopt(socket.IPPROTO_TCP, user_timeout, LONGEST_SILENCE)
            port = sockets[0].getsockname()[1]  # port 0 is any: the first socket says which
    except OSError:
        for listener in sockets:
            listener.close()
        raise
    return sockets, port
