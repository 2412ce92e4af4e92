"""Connects to one of several database hosts, first to the one that answered last.

The driver has one time for all of them: a host that has vanished, from which not even a refusal
comes, would use it up, and the next one be never asked (tests/core/test_hosts.py). Nor does it know
of what libpq has against such hosts: `connect_timeout`, `keepalives…` and `tcp_user_timeout` in an
address would go to the server, which refuses names that it does not know.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Final, cast
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

# InternalClientError: asyncpg's TargetServerAttributeNotMatched, of a host that is the standby.
NEXT_HOST: Final = (OSError, asyncpg.PostgresError, asyncpg.InternalClientError)
LOOK_S: Final = 0.5  # after which those that refused are asked again, beside a silent one
PROBES: Final = 3  # of the kernel, within the time that a host may be silent
# What libpq calls them, and the kernel. A system without one goes by the others.
SOCKET_OPTIONS: Final = {
    "keepalives": (socket.SOL_SOCKET, "SO_KEEPALIVE"),
    "keepalives_idle": (socket.IPPROTO_TCP, "TCP_KEEPIDLE"),
    "keepalives_interval": (socket.IPPROTO_TCP, "TCP_KEEPINTVL"),
    "keepalives_count": (socket.IPPROTO_TCP, "TCP_KEEPCNT"),
    "tcp_user_timeout": (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT"),  # milliseconds
}


class Hosts:
    """Connects to the hosts of one database URL, first to the one that answered last.
    silent_s: how long a host may acknowledge nothing before its connections end, where the address
    does not say it. on_move: called when a host answers in the place of one that has fallen silent.
    """

    def __init__(self, url: str, silent_s: float, on_move: Callable[[], None]) -> None:
        address, options = take_libpq_options(url)
        self._urls = split_hosts(address)
        self._timeout_s = options.pop("connect_timeout", None) or None  # 0 is libpq's "none"
        self._options = choose_socket_options(silent_s) | options
        self._on_move = on_move
        self._answered: str | None = None  # the last one that did
        self._silent = set[str]()  # those that said nothing, to a statement or when asked last
        self._again_at = 0.0

    async def connect(self, timeout_s: float, **options: Any) -> Any:
        """Connect to the first host in the URL that accepts; return the driver's connection.
        While one is silent, hosts that refused are tried again: one of them becomes the primary
        (test_a_new_primary_is_found_beside_a_silent_host). timeout_s: for each of them, unless the
        address has a `connect_timeout`.

        Raises: what the driver says of the last one.
        """
        options["timeout"] = self._timeout_s or timeout_s
        urls, refused = [*self._urls], list[str]()
        attempts: dict[asyncio.Task[Any], str] = {}
        try:
            while True:
                # Try hosts in order, but do not wait for one that was silent the last time
                # (test_a_new_primary_is_found_beside_a_silent_host).
                if urls and self._silent.issuperset(attempts.values()):
                    url = urls.pop(0)
                    connecting = cast(Any, asyncpg).connect(url, **options)
                    attempts[asyncio.ensure_future(connecting)] = url
                done, _ = await asyncio.wait(
                    attempts, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    url = attempts.pop(task)
                    try:
                        return self._take(url, task.result())
                    except NEXT_HOST as error:
                        if isinstance(error, TimeoutError):
                            self._silent.add(url)
                        else:
                            self._silent.discard(url)
                            refused.append(url)
                        if not urls and not attempts:
                            self._ask_silent_last()
                            raise
                is_silent = not done and self._silent.issuperset(attempts.values())
                if is_silent and not urls and self._may_ask_again():
                    urls, refused = refused, []
        finally:
            # A task that ended before its cancel has a connection, which `_drop` closes.
            for task in attempts:
                task.add_done_callback(_drop)
                task.cancel()

    def doubt(self) -> None:
        """Mark the last used host as silent, so that other hosts are tried before it."""
        if self._answered is not None:
            self._silent.add(self._answered)
        self._ask_silent_last()

    def _take(self, url: str, connection: Any) -> Any:
        """Note which host answered, set its socket's options, and return its connection."""
        set_socket_options(connection, self._options)
        self._silent.discard(url)
        # A stable sort: behind it the others keep the address's order
        # (test_the_last_working_database_host_is_tried_first).
        self._urls.sort(key=lambda other: other != url)
        has_moved, self._answered = self._answered in self._silent, url
        if has_moved:
            self._on_move()
        return connection

    def _ask_silent_last(self) -> None:
        self._urls.sort(key=lambda url: url in self._silent)

    def _may_ask_again(self) -> bool:
        """Whether hosts that refused may be tried again now: one waiter does it for all."""
        now = asyncio.get_running_loop().time()
        is_due = now >= self._again_at or self._answered not in {None, *self._silent}
        if is_due:
            self._again_at = now + LOOK_S
        return is_due


def _drop(task: asyncio.Task[Any]) -> None:
    """Close a connection that was made after another host had answered."""
    if not task.cancelled() and task.exception() is None:
        task.result().terminate()


def take_libpq_options(url: str) -> tuple[str, dict[str, int]]:
    """Take timeout and keepalive options out of a database URL; return (URL, options).

    >>> take_libpq_options("postgresql://u@a/db?connect_timeout=3&sslmode=require")
    ('postgresql://u@a/db?sslmode=require', {'connect_timeout': 3})

    Raises: ValueError when one of them is no number.
    """
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    options = {
        key: int(value) for key, value in pairs if key in {"connect_timeout", *SOCKET_OPTIONS}
    }
    if not options:
        return url, {}
    kept = [(key, value) for key, value in pairs if key not in options]
    return parts._replace(query=urlencode(kept, safe="/:,")).geturl(), options


def choose_socket_options(silent_s: float) -> dict[str, int]:
    """Return socket options that end a connection after `silent_s` seconds of silence.

    >>> choose_socket_options(10)["tcp_user_timeout"], choose_socket_options(10)["keepalives_idle"]
    (10000, 3)
    """
    pause_s = max(1, int(silent_s / PROBES))
    return {
        "keepalives": 1,
        "keepalives_idle": pause_s,
        "keepalives_interval": pause_s,
        "keepalives_count": PROBES,
        "tcp_user_timeout": int(silent_s * 1000),
    }


def set_socket_options(connection: Any, options: dict[str, int]) -> None:
    """Set socket options on a driver's TCP connection; a Unix socket needs none."""
    sock = connection._transport.get_extra_info("socket")  # it has no public way to it
    if sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    for name, value in options.items():
        level, kernels = SOCKET_OPTIONS[name]
        if (option := getattr(socket, kernels, None)) is not None:
            sock.setsockopt(level, option, value)


def split_hosts(url: str) -> list[str]:
    """Split a database URL with several hosts into one URL per host.
    The whole URL is returned if the driver must choose between hosts, or they are parameters.

    >>> split_hosts("postgresql://u:p@a:1,b/db?target_session_attrs=read-write")[1]
    'postgresql://u:p@b/db?target_session_attrs=read-write'
    >>> split_hosts("postgresql:///db?host=/run/postgresql")
    ['postgresql:///db?host=/run/postgresql']
    """
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    wanted = parse_qs(parts.query).get("target_session_attrs", [])
    if "," not in hosts or "prefer-standby" in wanted:
        return [url]
    return [parts._replace(netloc=f"{user}{at}{host}").geturl() for host in hosts.split(",")]
