"""Runs all periodic polls of the database in this process, by one rule.

    "runs", "replays", …  work that nobody does, by kind     when `poll_all` has found some
    "viewers"             runs of other replicas (far_runs)  every `viewer_poll_ms`, while watched
    "changes"             what changed of all runs           every second, while watched

After a look comes a pause: the one that the look returns, at least REST_FACTOR times as long as the
look took; after a failure the usual one. None: until `poke`. A poke ends any pause.

Nothing is pushed (LISTEN): a transaction pooler gives no process a connection of its own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, get_args

from ..base.finishing import end_tasks
from ..store.outages import try_once
from ..store.queue import WorkKind
from ..store.store import Store
from .settings import RunLimits

# At most a tenth of the time is spent polling (test_a_slow_poll_is_followed_by_a_longer_pause).
REST_FACTOR: Final = 9  # so many times as long as a look took, none is made, at least
WORK: Final = frozenset[str](get_args(WorkKind))
ROUNDS: Final = "work"

Look = Callable[[], Awaitable[float | None]]  # seconds until the next look; None: until it is poked


class Poller:
    """Repeats a poll in a task. every_s: the pause after a poll that failed. Made by `Watcher`."""

    def __init__(self, name: str, look: Look, every_s: float, first_s: float) -> None:
        self.look = look
        self.has_looked = asyncio.Event()  # at least once, whatever came of it
        self.task = asyncio.create_task(self._repeat(name, every_s))
        self._poked = asyncio.Event()
        self._pause_s: float | None = first_s

    def poke(self, *, if_idle: bool = False) -> None:
        """Run the poll now. if_idle: only if none is scheduled."""
        if not if_idle or self._pause_s is None:
            self._poked.set()

    async def _repeat(self, name: str, every_s: float) -> None:
        """Poll for ever, each time after the pause or a `poke`."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause_s):
                    await self._poked.wait()
            # Cleared before the poll, not after: a poke during the poll may be for work that the
            # poll missed (test_waking_ends_a_long_pause_but_starts_no_stopped_poll).
            self._poked.clear()
            # The pause after a failed poll (test_a_failed_poll_is_repeated_after_the_usual_pause).
            self._pause_s = every_s
            await try_once(f"look_for_{name}", self._look_once())
            self.has_looked.set()

    async def _look_once(self) -> None:
        """Poll once and set the next pause: REST_FACTOR times the poll's own time at least."""
        begun = time.monotonic()
        pause_s = await self.look()
        rest_s = REST_FACTOR * (time.monotonic() - begun)
        self._pause_s = None if pause_s is None else max(pause_s, rest_s)


class Watcher:
    """Runs all periodic polls of this process, each after its pause.
    One statement looks for all kinds of work, and replicas take turns with it: many of them query
    the database no more often than one.
    """

    def __init__(self, store: Store, owner: str, limits: RunLimits) -> None:
        self._store = store
        self.owner = owner
        self._every_s = limits.recovery_s
        self._longest_s = max(limits.recovery_s, limits.lease_s)
        self.pollers: dict[str, Poller] = {}

    def start(
        self, name: str, look: Look, every_s: float | None = None, first_s: float = 0.0
    ) -> None:
        """Start to run `look` regularly under a name, or resume it if it exists."""
        if (known := self.pollers.get(name)) is not None:
            known.poke(if_idle=True)
            return
        every_s = self._every_s if every_s is None else every_s
        self.pollers[name] = Poller(name, look, every_s, first_s)
        if name in WORK:  # whose own first looks begin now: no connection more at a start
            self.start(ROUNDS, self.poll_all, first_s=self._every_s)

    def poke(self, name: str) -> None:
        """Run the named poll now, if it was started."""
        if (poller := self.pollers.get(name)) is not None:
            poller.poke()

    async def stop(self, *names: str) -> None:
        """Stop these polls, also while they run."""
        ended = [self.pollers.pop(name) for name in names if name in self.pollers]
        if ROUNDS in self.pollers and not WORK & self.pollers.keys():
            ended.append(self.pollers.pop(ROUNDS))
        await end_tasks(*(poller.task for poller in ended))

    async def poll_all(self) -> float:
        """Run the polls whose work is due; return the seconds until the next check."""
        pauses = self._every_s, self._longest_s
        pause_s, due_kinds = await self._store.queue.poll_all(self.owner, *pauses)
        for kind in due_kinds:
            self.poke(kind)
        return pause_s
