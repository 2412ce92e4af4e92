"""Opens listening TCP sockets."""

from __future__ import annotations

import socket

from ..errors import ConfigError


def open_listener(
    host: str, port: int, *, is_shared: bool = False, listens: bool = True
) -> socket.socket:
    """Open and return a TCP socket that listens at an address.
    port: 0 chooses any free port.
    is_shared: other processes of the user may listen there too, and the kernel spreads connections
    over them. listens: false reserves the address.

    Raises: ConfigError when the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named protocol: only then asyncio switches off the delay of small writes (40 ms an answer).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if is_shared:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        listener.bind((host, port))
        if listens:
            listener.listen()  # from here on a client may connect: the address is printed next
    except OSError as e:
        listener.close()
        raise ConfigError(
            f"cannot listen on {host}:{port}: {e.strerror}",
            hint="Choose another port with --port; --port 0 picks any free port.",
        ) from e
    return listener


def build_url(listener: socket.socket) -> str:
    """Build the URL of the address that a socket listens at."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
