"""Where no request from outside may lead: addresses in every form, and the list of exceptions."""

from __future__ import annotations

import ipaddress

import pytest

from plainloop.agent.errors import ConfigError
from plainloop.agent.outbound.addresses import AllowList, is_public, parse_allow_list

REFUSED = {
    "loopback": "127.0.0.1 127.255.255.254 ::1",
    "this network": "0.0.0.0 0.1.2.3 ::",
    "private": "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fd12:3456::1",
    "link-local": "169.254.0.1 fe80::1 fec0::1",
    "metadata": "169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 fd00:ec2::254",
    "carrier-grade NAT": "100.64.0.1 100.127.255.255",
    "mapped IPv4": "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:8.8.8.8",
    "compatible IPv4": "::127.0.0.1 ::a00:1",
    "NAT64": "64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1",
    "6to4": "2002:7f00:1:: 2002:a9fe:a9fe:: 192.88.99.1",
    "Teredo": "2001:0:7f00:1::1 2001::1",
    "documentation and tests": "192.0.2.1 198.51.100.7 203.0.113.9 198.18.0.1 2001:db8::1 3fff::1",
    "multicast": "224.0.0.1 239.255.255.250 ff02::1 ff0e::1",
    "reserved": "240.0.0.1 255.255.255.255 192.0.0.8 100::1 5f00::1 4000::1 2001:10::1 2001:20::1",
}
PUBLIC = "1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 2606:4700::1111 2a00::1"


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in REFUSED.items() for text in texts.split()]
)
def test_a_non_public_address_is_refused(kind: str, text: str):
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", PUBLIC.split())
def test_a_public_address_is_allowed(text: str):
    assert is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize(
    ("entry", "opened", "closed"),
    [
        ("intranet.example:8080", [("INTRANET.example.", 8080)], [("intranet.example", 80)]),
        ("intranet.example", [("intranet.example", 443)], [("intranet.example", 8080)]),
        ("intranet.example", [], [("x.intranet.example", 443), ("intranet.example.evil", 443)]),
    ],
)
def test_a_host_can_be_allowed_by_name_and_port(
    entry: str, opened: list[tuple[str, int]], closed: list[tuple[str, int]]
):
    allow = parse_allow_list((entry,))

    assert [place for place in opened if not allow.has_host(*place)] == []
    assert [place for place in closed if allow.has_host(*place)] == []


@pytest.mark.parametrize(
    ("entry", "address", "port", "is_open"),
    [
        ("127.0.0.1:9", "127.0.0.1", 9, True),
        ("127.0.0.1:9", "127.0.0.1", 80, False),
        ("127.0.0.1:9", "127.0.0.2", 9, False),
        ("127.0.0.1", "127.0.0.1", 443, True),
        ("127.0.0.1", "127.0.0.1", 9, False),
        ("10.1.0.0/16", "10.1.255.1", 80, True),
        ("10.1.0.0/16", "10.2.0.1", 80, False),
        ("10.1.0.0/16:8080", "10.1.0.1", 8080, True),
        ("10.1.0.0/16:8080", "10.1.0.1", 80, False),
        ("[fd00::1]:8443", "fd00::1", 8443, True),
        ("fd00::/8", "fd12::1", 443, True),
        ("fd00::/8", "fe80::1", 443, False),
    ],
)
def test_an_address_can_be_allowed_by_network_and_port(
    entry: str, address: str, port: int, is_open: bool
):
    allow = parse_allow_list((entry,))

    assert allow.has_address(ipaddress.ip_address(address), port) is is_open


@pytest.mark.parametrize(
    "entry",
    ["", "   ", "http://intranet", "a b", "host:0", "host:70000", "10.0.0.0/99", "[::1", "."],
)
def test_an_invalid_allow_list_entry_is_named(entry: str):
    with pytest.raises(ConfigError, match="AGENT_OUTBOUND_ALLOW"):
        parse_allow_list((entry,))


def test_no_internal_address_is_allowed_by_default():
    assert parse_allow_list(()) == AllowList()
