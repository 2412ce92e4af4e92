"""Limits the runs that this process executes at once; tenants take turns for slots.

The next turn goes to the tenant that has fewest, of several to the one whose turn was longest ago,
there to who came first: one with a thousand runs delays another's by one turn.

A run that waits is stored and ours: its lease is extended, it can be stopped, whoever watches it is
told its place. When the process goes, others take it up.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from ..core.journal import RunHandedOver


class Turn:
    """A run's entry in the queue for a slot, or the slot that it was granted. It needs no task.

    number: who came before has a smaller one. reported: the position that was reported last.
    """

    # No task waits for it: that took 11 kB for each queued run, this takes 4
    # (test_a_queued_run_needs_no_task_and_little_memory).
    __slots__ = ("go_on", "is_granted", "number", "on_position", "reported", "tenant_id")

    def __init__(self, tenant_id: str) -> None:
        self.tenant_id = tenant_id
        self.is_granted = False
        self.number = self.reported = 0
        self.on_position: Callable[[int], None] | None = None
        self.go_on: Callable[[], object] | None = None

    def begin(self) -> None:
        """End the run's wait for a slot by calling its callback, at most once."""
        go_on, self.go_on, self.on_position = self.go_on, None, None
        if go_on is not None:
            go_on()

    def check(self) -> None:
        """Raise RunHandedOver if the run stopped waiting without a slot."""
        if not self.is_granted:
            raise RunHandedOver


class Turns:
    """Grants slots to runs of this process, at most `limit` at once, fairly between tenants.
    report_s: how often a waiting run hears its position.
    """

    def __init__(self, limit: int, report_s: float) -> None:
        self._limit = limit
        self._free = limit
        self._report_s = report_s
        # By tenant; those that are not there have none.
        self._held: Counter[str] = Counter()
        self._lines: dict[str, deque[Turn]] = {}
        self._last: dict[str, int] = {}  # the number of the turn that was given last
        self._numbers = itertools.count()
        self._is_closed = False
        self._timer: asyncio.TimerHandle | None = None  # one, however many wait

    @property
    def taking(self) -> int:
        """Return how many runs hold a slot now."""
        return self._limit - self._free

    @property
    def waiting(self) -> int:
        """Return how many runs wait for a slot."""
        return sum(map(len, self._lines.values()))

    @property
    def has_free(self) -> bool:
        """Whether the next run would get a slot at once."""
        return self._free > 0

    def count_waiting(self, tenant_id: str) -> int:
        """Count the tenant's runs that wait for a slot."""
        return len(self._lines.get(tenant_id, ()))

    @asynccontextmanager
    async def hold(
        self, on_position: Callable[[int], None], tenant_id: str = ""
    ) -> AsyncGenerator[None]:
        """Hold a run slot while the block runs; wait for a free one first.
        While queued, call `on_position` with the position (1 = next).

        Raises: RunHandedOver when the process goes while we wait.
        """
        turn = Turn(tenant_id)
        try:
            if not self.take(turn):
                come = asyncio.get_running_loop().create_future()
                self.line_up(turn, on_position, lambda: come.done() or come.set_result(None))
                await come
                turn.check()
            yield
        finally:
            # Also when a slot was granted in the moment of the cancel: it goes to the next
            # (test_cancelled_queued_runs_lose_no_run_slot).
            self.end(turn)

    def take(self, turn: Turn) -> bool:
        """Give the run a slot if one is free; return whether the run has one."""
        if self._free > 0:
            self._free -= 1
            self._give(turn)
        return turn.is_granted

    def line_up(
        self, turn: Turn, on_position: Callable[[int], None], go_on: Callable[[], object]
    ) -> None:
        """Put a run into the queue for slots. The caller must call `end` later.
        go_on: is called once, when the waiting ends. on_position: as of `hold`.
        """
        turn.on_position, turn.go_on = on_position, go_on
        if self._is_closed:
            turn.begin()
            return
        turn.number = next(self._numbers)
        line = self._lines.setdefault(turn.tenant_id, deque())
        line.append(turn)
        self._report(turn, len(line) - 1)
        # One timer for all: ten thousand queued runs must not need ten thousand timers
        # (test_one_timer_updates_all_queue_positions).
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._report_s, self._report_all)

    def end(self, turn: Turn) -> None:
        """Free the run's slot, or take the run out of the queue."""
        tenant_id = turn.tenant_id
        if turn.is_granted:
            self._pass_on(tenant_id)
        elif turn in self._lines.get(tenant_id, ()):
            self._lines[tenant_id].remove(turn)
            self._drop_line(tenant_id)

    def close(self) -> None:
        """Let all queued runs stop waiting without a slot; other replicas will continue them."""
        self._is_closed = True
        # Cleared first: the woken runs leave by `end`, which must not find them in a queue.
        lines, self._lines = self._lines, {}
        for turn in itertools.chain.from_iterable(lines.values()):
            turn.begin()

    def _report_all(self) -> None:
        """Report to each waiting run its position, and set the timer for the next time."""
        self._timer = None
        for line in self._lines.values():
            for own, turn in enumerate(line):
                self._report(turn, own)
        if self._lines:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._report_s, self._report_all)

    def _report(self, turn: Turn, own: int) -> None:
        """Report a waiting run's position if it changed. own: how many of its tenant precede it."""
        if turn.on_position is not None and turn.reported != (
            position := self._find_position(turn, own)
        ):
            turn.reported = position
            turn.on_position(position)

    def _find_position(self, turn: Turn, own: int) -> int:
        """Compute a turn's position if no more runs come. own: as of `_report`."""
        level = self._held[turn.tenant_id] + own  # so many will its tenant have then
        place = own + 1
        for other, line in self._lines.items():
            before = level - self._held[other]
            if other != turn.tenant_id and before >= 0:
                is_first = before < len(line) and line[before].number < turn.number
                place += min(before + is_first, len(line))
        return place

    def _give(self, turn: Turn) -> None:
        """Mark the turn as granted, and count it for its tenant."""
        turn.is_granted = True
        self._held[turn.tenant_id] += 1
        self._last[turn.tenant_id] = next(self._numbers)

    def _pass_on(self, tenant_id: str) -> None:
        """Pass the slot of a tenant's ended run on to the next waiting one.
        Which one is chosen while the old one still counts: else, of one slot at a time, the tenant
        with a thousand runs would have all.
        """
        self._free += not self._lines
        if self._lines:
            next_id = min(self._lines, key=self._rank)
            turn = self._lines[next_id].popleft()
            self._drop_line(next_id)
            self._give(turn)
            turn.begin()
        self._held[tenant_id] -= 1
        if not self._held[tenant_id]:
            del self._held[tenant_id]
            if tenant_id not in self._lines:
                del self._last[tenant_id]

    def _rank(self, tenant_id: str) -> tuple[int, int, int]:
        """Return the sort key of a tenant's queue: fewest slots, then longest without one."""
        first = self._lines[tenant_id][0].number
        return self._held[tenant_id], self._last.get(tenant_id, -1), first

    def _drop_line(self, tenant_id: str) -> None:
        """Remove a tenant's queue if it is empty."""
        if not self._lines[tenant_id]:
            del self._lines[tenant_id]
            if tenant_id not in self._held:
                self._last.pop(tenant_id, None)
