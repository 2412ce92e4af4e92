"""A block on the network for the whole process, so that "no network" is proven, not claimed."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Any

from agent.errors import AgentError


class NetworkBlocked(AgentError):
    code = "NETWORK_BLOCKED"


_SENDING = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo")


def block_network(allowed: Collection[Any] = ()) -> None:
    """From now on, no socket of this process reaches anybody; there is no way back.

    allowed: addresses as `socket.connect` takes them, for the database of a stored recording.
    Python's audit events see every way to a socket, whatever library takes it.
    """

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in _SENDING:
            return
        address = arguments[0] if event == "socket.getaddrinfo" else arguments[-1]
        if address not in allowed:
            raise NetworkBlocked(f"a recorded replay tried to reach {address!r}")

    sys.addaudithook(refuse)
