"""What is sent where: a proxy that counts, so that no figure depends on the machine."""

from __future__ import annotations

import socket
import struct
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

COMPLETE = ord("C")  # "command complete": one statement of a script has ended
READY = ord("Z")  # "ready for query": the server has answered all that it was sent
IDLE = ord("I")  # and is outside a transaction


@dataclass(slots=True)
class Traffic:
    """What has gone through a proxy. The first two only of one before Postgres."""

    round_trips: int = 0
    transactions: int = 0
    sent_bytes: int = 0


@contextmanager
def counted_postgres(url: str) -> Iterator[tuple[str, Traffic]]:
    """The database's URL through a proxy. url: of a server on a Unix socket."""
    parts = urlsplit(url)
    (folder,) = parse_qs(parts.query)["host"]

    def connect() -> socket.socket:
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{folder}/.s.PGSQL.5432")
        return server

    with _proxy(connect, reads_postgres=True) as (port, traffic):
        yield f"postgresql://{parts.username}@127.0.0.1:{port}{parts.path}?sslmode=disable", traffic


@contextmanager
def counted_http(url: str) -> Iterator[tuple[str, Traffic]]:
    """The server's URL through a proxy."""
    parts = urlsplit(url)
    address = (parts.hostname or "", parts.port or 80)
    with _proxy(lambda: socket.create_connection(address), reads_postgres=False) as found:
        yield f"http://127.0.0.1:{found[0]}{parts.path}", found[1]


@contextmanager
def counted_calls() -> Iterator[list[int]]:
    """Python functions that are called inside, in this thread; filled at the end."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        if event == "call":
            calls += 1

    found: list[int] = []
    sys.setprofile(count)
    try:
        yield found
    finally:
        sys.setprofile(None)
        found.append(calls)


@contextmanager
def _proxy(
    connect: Callable[[], socket.socket], *, reads_postgres: bool
) -> Iterator[tuple[int, Traffic]]:
    traffic = Traffic()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server = connect()
            read = _read_answers(traffic) if reads_postgres else None
            for source, target, see in (
                (client, server, _count_bytes(traffic)),
                (server, client, read),
            ):
                threading.Thread(target=_pump, args=(source, target, see), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1], traffic
    finally:
        listener.close()


def _pump(source: socket.socket, target: socket.socket, see: Any) -> None:
    if see is not None:
        next(see)
    try:
        while data := source.recv(65536):
            if see is not None:
                see.send(data)
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        target.close()


def _count_bytes(traffic: Traffic) -> Generator[None, bytes]:
    while True:
        size_bytes = len((yield))
        traffic.sent_bytes += size_bytes


def _read_answers(traffic: Traffic) -> Generator[None, bytes]:
    """Follow the server's messages: a letter, a length that counts itself, the rest.

    A script may commit one transaction and begin the next: it ends inside of one, and counts too.
    """
    data = bytearray()
    has_committed = False
    while True:
        data += yield
        while len(data) >= 5 and len(data) > (size := struct.unpack_from("!I", data, 1)[0]):
            if data[0] == COMPLETE and data[5:12] == b"COMMIT\0":
                has_committed = True
            elif data[0] == READY:
                traffic.round_trips += 1
                traffic.transactions += has_committed or data[5] == IDLE
                has_committed = False
            del data[: size + 1]
