"""An address with several hosts: each has its own time to answer, the one that did is asked first.

The driver has one time for all of them: a host that has vanished, from which not even a refusal
comes, would use it up, and the next one be never asked (tests/core/test_hosts.py).
"""

from __future__ import annotations

from typing import Any, Final, cast
from urllib.parse import parse_qs, urlsplit

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

NEXT_HOST: Final = (OSError, asyncpg.PostgresError, asyncpg.InternalClientError)


class Hosts:
    """Connects to the hosts of one address, first to the one that answered last."""

    def __init__(self, url: str) -> None:
        self._urls = split_hosts(url)

    async def connect(self, timeout_s: float, **options: Any) -> Any:
        """A connection to the first host that gives one. timeout_s: for each of them.

        Raises: what the driver says of the last one.
        """
        urls = [*self._urls]
        while True:
            url = urls.pop(0)
            try:
                connection = await cast(Any, asyncpg).connect(url, timeout=timeout_s, **options)
            except NEXT_HOST:
                if not urls:
                    raise
            else:
                self._urls.sort(key=lambda other: other != url)
                return connection


def split_hosts(url: str) -> list[str]:
    """An address for each of its hosts. Where they are to be weighed against each other, or stand
    in parameters, that is the driver's: one for all.

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
