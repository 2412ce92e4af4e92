#!/usr/bin/env python3
"""Several hosts on one machine, some milliseconds apart, and cuts between them. Linux, as root.

    network.py DIR DELAY_MS HOST…    until it is killed

Each host is a network namespace with an address of its own, the machine itself is one more. All
packets between them come through this program: it keeps each for DELAY_MS, and drops those between
two hosts of DIR/cuts.json, which it reads again at SIGHUP. (A kernel's netem delays too, but not
every kernel has it; every one has TUN devices.)
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
from collections import deque
from contextlib import suppress
from pathlib import Path

OUTSIDE = "outside"  # the machine itself
ALL = "all"
PACKET_BYTES = 16_000
AT_ONCE = 64  # packets that are read of one host before the others have their turn
TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001


def name_namespace(folder: Path, host: str) -> str:
    """Of one network among others on this machine."""
    return f"{folder.name}-{host}"


def choose_subnet() -> str:
    """The first three numbers of addresses that nobody here has."""
    taken = subprocess.run(["ip", "-o", "-4", "addr"], capture_output=True, text=True).stdout
    return next(f"10.77.{n}" for n in range(256) if f"10.77.{n}." not in taken)


def run_ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


class Network:
    """addresses: of each host, the machine itself among them."""

    def __init__(self, folder: Path, delay_s: float, addresses: dict[str, str]) -> None:
        self._folder = folder
        self._delay_s = delay_s
        self._packed = {
            host: bytes(map(int, address.split("."))) for host, address in addresses.items()
        }
        self._devices: dict[bytes, int] = {}
        self._cuts: set[tuple[bytes, bytes]] = set()
        # Packets on their way: when they arrive, where, what.
        self._under_way: deque[tuple[float, int, bytes]] = deque()
        self._loop = asyncio.get_running_loop()
        for number, (host, address) in enumerate(addresses.items()):
            self._add(host, address, f"pl{os.getpid()}n{number}")

    def _add(self, host: str, address: str, device: str) -> None:
        file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH22x", device.encode(), IFF_TUN_NO_PI))
        where: tuple[str, ...] = ()
        if host != OUTSIDE:
            namespace = name_namespace(self._folder, host)
            run_ip("netns", "add", namespace)
            run_ip("link", "set", device, "netns", namespace)
            where = ("-n", namespace)
            run_ip(*where, "link", "set", "lo", "up")
        run_ip(*where, "addr", "add", f"{address}/24", "dev", device)
        run_ip(*where, "link", "set", device, "mtu", str(PACKET_BYTES), "up")
        self._devices[self._packed[host]] = file
        self._loop.add_reader(file, self._read, file)

    def load_cuts(self) -> None:
        pairs: list[tuple[str, str]] = json.loads((self._folder / "cuts.json").read_text())
        ways = [(one, other) for one, other in pairs if other != ALL]
        ways += [(one, other) for one, all_ in pairs if all_ == ALL for other in self._packed]
        found = {(self._packed[one], self._packed[other]) for one, other in ways}
        self._cuts = found | {(other, one) for one, other in found}

    def _read(self, file: int) -> None:
        for _ in range(AT_ONCE):
            try:
                packet = os.read(file, PACKET_BYTES)
            except BlockingIOError:
                return
            source, target = packet[12:16], packet[16:20]
            to = self._devices.get(target)
            if to is not None and packet[0] >> 4 == 4 and (source, target) not in self._cuts:
                self._under_way.append((self._loop.time() + self._delay_s, to, packet))
                if len(self._under_way) == 1:
                    self._loop.call_later(self._delay_s, self._deliver)

    def _deliver(self) -> None:
        while self._under_way:
            due, to, packet = self._under_way[0]
            if due > self._loop.time():
                self._loop.call_at(due, self._deliver)
                return
            self._under_way.popleft()
            with suppress(OSError):  # as a network does: who sent it sends it again
                os.write(to, packet)


async def main(folder: Path, delay_ms: float, hosts: list[str]) -> None:
    subnet = choose_subnet()
    addresses = {host: f"{subnet}.{n}" for n, host in enumerate([OUTSIDE, *hosts], start=1)}
    network = Network(folder, delay_ms / 1000, addresses)
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, network.load_cuts)
    (folder / "addresses.part").write_text(json.dumps(addresses))
    (folder / "addresses.part").rename(folder / "addresses.json")
    await asyncio.Event().wait()


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    asyncio.run(main(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]))
