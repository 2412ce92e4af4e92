"""Sockets that listen."""

from __future__ import annotations

import socket

from ..errors import ConfigError


def open_listener(host: str, port: int) -> socket.socket:
    """Bind an address and listen; port 0: any free one. Raises: ConfigError when it cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named protocol: only then asyncio switches off the delay of small writes (40 ms an answer).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # from here on a client may connect: the address is printed next
    except OSError as e:
        listener.close()
        raise ConfigError(
            f"cannot listen on {host}:{port}: {e.strerror}",
            hint="Choose another --port; 0 picks any free one.",
        ) from e
    return listener
