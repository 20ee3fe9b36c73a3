"""Addresses that this server may be asked to call: what is one, and which of them are on the Internet."""

from __future__ import annotations

import ipaddress

import pytest

from astragal.surfaces.shared.addresses import LONGEST_ADDRESS, ip_of, is_public, is_server

LABEL = "a" * 61
LONGEST_NAME = f"{LABEL}.{LABEL}.{LABEL}.{LABEL}.abc"
"""A name of 251 letters."""


def padded(length: int) -> str:
    start = "https://bot.example/"
    return start + "x" * (length - len(start))


@pytest.mark.parametrize(
    "address",
    [
        "http://bot.example",
        "https://bot.example/",
        "https://bot.example/hook/1",
        "https://bot.example:8443/hook",
        "https://bot.example./hook",
        "https://my_bot.example/",
        "https://BOT.example/",
        "https://localhost/",
        "https://b-o-t.example/",
        "https://bücher.example/",
        "https://192.0.2.1/",
        "https://[2001:db8::1]:8443/",
        f"https://{'a' * 63}.example/",
        f"https://{LONGEST_NAME}x/",
        f"https://{LONGEST_NAME}xx./",
        padded(LONGEST_ADDRESS),
    ],
)
def test_these_are_addresses_of_servers(address: str) -> None:
    assert is_server(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "bot.example",
        "ftp://bot.example/",
        "file:///etc/passwd",
        "https://",
        "https:///hook",
        "https://user@bot.example/",
        "https://:password@bot.example/",
        "https://user:password@bot.example/",
        "https://bot.example/?token=1",
        "https://bot.example/#part",
        "https://bot.example:0/",
        "https://bot.example:99999/",
        "https://bot.example:port/",
        "https://bot.example/a hook",
        "https://bot.example/h\u00f6\u00f6k",
        "https://bot.example/\x7f",
        "https://bot.example/\u200b",
        "https://a..b/",
        "https://.b/",
        "https://-bot.example/",
        "https://bot-.example/",
        "https://bot!.example/",
        f"https://{'a' * 64}.example/",
        f"https://{LONGEST_NAME}xxx/",
        "https://[::1/",
        "https://[bot.example]/",
        "https://[::g]/",
        padded(LONGEST_ADDRESS + 1),
    ],
)
def test_these_are_none(address: str) -> None:
    assert not is_server(address)


def test_a_host_that_is_written_as_an_ip_is_one() -> None:
    assert ip_of("192.0.2.1") == ipaddress.ip_address("192.0.2.1")
    assert ip_of("::1") == ipaddress.ip_address("::1")
    assert ip_of("bot.example") is None
    assert ip_of("") is None


@pytest.mark.parametrize("ip", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111"])
def test_these_are_on_the_internet(ip: str) -> None:
    assert is_public(ipaddress.ip_address(ip))


@pytest.mark.parametrize(
    "ip",
    [
        "10.0.0.1",
        "127.0.0.1",
        "192.168.1.1",
        "192.88.99.1",
        "224.0.0.1",
        "239.255.255.255",
        "::1",
        "::8.8.8.8",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "64:ff9b:1::808:808",
        "2002:808:808::1",
        "fd00::1",
        "fec0::1",
        "feff::1",
        "ff0e::1",
    ],
)
def test_these_are_not_or_lead_to_several_machines_or_round_to_private_ones(ip: str) -> None:
    assert not is_public(ipaddress.ip_address(ip))
