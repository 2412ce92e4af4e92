"""A block on the network for the whole process, so that "no network" is proven, not claimed."""

from __future__ import annotations

import socket
import sys
from collections.abc import Collection, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from plainloop.agent.errors import AgentError


class NetworkBlocked(AgentError):
    code = "NETWORK_BLOCKED"


_replaying: ContextVar[bool] = ContextVar("replaying", default=False)
_SENDING = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo")


@contextmanager
def replaying() -> Generator[None]:
    """Mark the block as a replay, to which `block_network` can limit its effect.

    The tasks that it starts are marked too.
    """
    token = _replaying.set(True)
    try:
        yield
    finally:
        _replaying.reset(token)


def block_network(allowed: Collection[Any] = (), *, replays_only: bool = False) -> None:
    """Block network access of this process permanently, except to the addresses in `allowed`.

    replays_only: just within `replaying`, in a process that others talk to by the network (a worker
    of Ray or Dask) or that reads its conversations over it. allowed: addresses and names as the
    socket module takes them; a socket in the file system leads to this machine only and is none
    of the network.
    Python's audit events see every way to a socket, whatever library takes it.
    """

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in _SENDING or getattr(arguments[0], "family", None) == socket.AF_UNIX:
            return
        if replays_only and not _replaying.get():
            return
        address = arguments[0] if event == "socket.getaddrinfo" else arguments[-1]
        if address not in allowed:
            raise NetworkBlocked(
                f"a recorded replay tried to connect to {address!r}, but has no network",
                hint="Connect only in tools: a replay uses their recorded results.",
            )

    sys.addaudithook(refuse)
