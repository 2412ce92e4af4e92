"""Decides which addresses a request with a third-party URL may reach. Pure: no DNS."""

from __future__ import annotations

import ipaddress
import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

from ..dataclasses import dataclass, field
from ..errors import ConfigError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

USUAL_PORTS: Final = frozenset({80, 443})

# Written out rather than asked of `is_global`: that one calls NAT64, 6to4 and site-local global,
# and its answers differ between Python versions.
# Source: the IANA special-purpose address registries.
_REFUSED_V4: Final = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; some clouds' metadata
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local; most clouds' metadata
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "168.63.129.16/32",  # Azure's platform address: public by number, metadata by use
    )
)
# Everything public lives in 2000::/3, which leaves out loopback, mapped and compatible IPv4, NAT64,
# unique local, link-local, site-local and multicast; these are the holes in it.
_PUBLIC_V6: Final = IPv6Network("2000::/3")
_REFUSED_V6: Final = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # Teredo, ORCHID, benchmarking and their kin
        "2001:db8::/32",
        "2002::/16",  # 6to4: an IPv4 address in disguise
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)
_ENTRY: Final = re.compile(r"(?:\[(?P<bracketed>[^\]]+)\]|(?P<plain>[^\[\]]+?))(?::(?P<port>\d+))?")


def is_public(address: Address) -> bool:
    """Whether an IP address is a public one, to which any client may connect.

    >>> is_public(IPv4Address("8.8.8.8")), is_public(IPv6Address("::ffff:8.8.8.8"))
    (True, False)
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _REFUSED_V4)
    return address in _PUBLIC_V6 and not any(address in network for network in _REFUSED_V6)


@dataclass(frozen=True, slots=True)
class AllowList:
    """Addresses that the operator allows. A port of None means 80 and 443."""

    hosts: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[tuple[Network, int | None], ...] = field(default=())

    def has_host(self, host: str, port: int) -> bool:
        """Whether the operator allows connections to this host name and port."""
        name = normalize_host(host)
        return (name, port) in self.hosts or ((name, None) in self.hosts and port in USUAL_PORTS)

    def has_address(self, address: Address, port: int) -> bool:
        """Whether the operator allows connections to this address and port."""
        return any(
            address in network and (port == opened or (opened is None and port in USUAL_PORTS))
            for network, opened in self.networks
        )


def parse_allow_list(entries: tuple[str, ...]) -> AllowList:
    """Parse the hosts and networks that an operator allows. Raises: ConfigError naming a bad one.

    Entries: `host`, `host:port`, `address`, `[v6]:port`, `network/bits`, `network/bits:port`.
    """
    hosts: set[tuple[str, int | None]] = set()
    networks: list[tuple[Network, int | None]] = []
    for entry in entries:
        host, port = _split_entry(entry.strip())
        try:
            networks.append((ipaddress.ip_network(host), port))
        except ValueError:
            if "/" in host or ":" in host or not host.strip(".") or " " in host:
                raise _make_entry_error(entry) from None
            hosts.add((normalize_host(host), port))
    return AllowList(frozenset(hosts), tuple(networks))


def normalize_host(host: str) -> str:
    """Return a host name in lower case, without the dot at its end.

    >>> normalize_host("LOCALHOST.")
    'localhost'
    """
    return host.rstrip(".").lower()


def _split_entry(entry: str) -> tuple[str, int | None]:
    if entry.count(":") > 1 and "[" not in entry:  # a bare IPv6 address or network
        return entry, None
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise _make_entry_error(entry)
    port = int(match["port"]) if match["port"] else None
    if port is not None and not 0 < port < 65536:
        raise _make_entry_error(entry)
    return match["bracketed"] or match["plain"], port


def _make_entry_error(entry: str) -> ConfigError:
    return ConfigError(
        f"AGENT_OUTBOUND_ALLOW: {entry!r} is not a host, host:port or network",
        hint="Examples: intranet.example:8080, 10.1.0.0/16, [fd00::1]:443.",
    )
