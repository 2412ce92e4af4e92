"""How many runs this process works on at once; further ones wait, and tenants take turns.

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
from dataclasses import dataclass

from ..core.journal import RunLeft


@dataclass(slots=True, eq=False)
class _Waiting:
    """number: who came before has a smaller one. told: the place that was told last."""

    number: int
    turn: asyncio.Future[None]
    tell: Callable[[int], None]
    told: int = 0


class Turns:
    """Gives waiting runs their turns, fairly between tenants. most: so many have a turn at once.
    tell_s: how often one who waits is told its place.
    """

    def __init__(self, most: int, tell_s: float) -> None:
        self._most = most
        self._free = most
        self._tell_s = tell_s
        # By tenant; those that are not there have none.
        self._taken: Counter[str] = Counter()
        self._lines: dict[str, deque[_Waiting]] = {}
        self._last: dict[str, int] = {}  # the number of the turn that was given last
        self._numbers = itertools.count()
        self._is_closed = False
        self._timer: asyncio.TimerHandle | None = None  # one, however many wait

    @property
    def taking(self) -> int:
        """How many have a turn."""
        return self._most - self._free

    @property
    def waiting(self) -> int:
        """How many wait for a turn."""
        return sum(map(len, self._lines.values()))

    @property
    def has_free(self) -> bool:
        """Whether who comes next has its turn at once."""
        return self._free > 0

    def count_waiting(self, tenant_id: str) -> int:
        """How many of the tenant's wait for a turn."""
        return len(self._lines.get(tenant_id, ()))

    @asynccontextmanager
    async def taken(self, tell: Callable[[int], None], tenant_id: str = "") -> AsyncGenerator[None]:
        """Inside is our turn. tell: is given our place, 1 is the next; only when we must wait.

        Raises: RunLeft when the process goes while we wait.
        """
        if self._free > 0:
            self._free -= 1
            self._give(tenant_id)
        else:
            await self._wait(tell, tenant_id)
        try:
            yield
        finally:
            self._pass_on(tenant_id)

    def close(self) -> None:
        """Nobody waits any more: others shall go on with those runs."""
        self._is_closed = True
        for one in itertools.chain.from_iterable(self._lines.values()):
            if not one.turn.done():
                one.turn.set_exception(RunLeft())

    async def _wait(self, tell: Callable[[int], None], tenant_id: str) -> None:
        if self._is_closed:
            raise RunLeft
        loop = asyncio.get_running_loop()
        one = _Waiting(next(self._numbers), loop.create_future(), tell)
        line = self._lines.setdefault(tenant_id, deque())
        line.append(one)
        try:
            self._tell(one, len(line) - 1, tenant_id)
            if self._timer is None:
                self._timer = loop.call_later(self._tell_s, self._tell_all)
            await one.turn
        except BaseException:
            if one in self._lines.get(tenant_id, ()):
                self._lines[tenant_id].remove(one)
                self._drop_line(tenant_id)
            elif (
                not one.turn.cancelled() and one.turn.exception() is None
            ):  # it was given to us, and nobody takes it
                self._pass_on(tenant_id)
            raise

    def _tell_all(self) -> None:
        self._timer = None
        for tenant_id, line in self._lines.items():
            for own, one in enumerate(line):
                self._tell(one, own, tenant_id)
        if self._lines:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._tell_s, self._tell_all)

    def _tell(self, one: _Waiting, own: int, tenant_id: str) -> None:
        """Tell its place, where that is another one. own: of its tenant's, so many are before."""
        if not one.turn.done() and one.told != (place := self._find_place(one, own, tenant_id)):
            one.told = place
            one.tell(place)

    def _find_place(self, one: _Waiting, own: int, tenant_id: str) -> int:
        """When it is its turn if nobody comes and nobody's turn ends but for the next."""
        level = self._taken[tenant_id] + own  # so many will its tenant have then
        place = own + 1
        for other, line in self._lines.items():
            before = level - self._taken[other]
            if other != tenant_id and before >= 0:
                is_first = before < len(line) and line[before].number < one.number
                place += min(before + is_first, len(line))
        return place

    def _give(self, tenant_id: str) -> None:
        self._taken[tenant_id] += 1
        self._last[tenant_id] = next(self._numbers)

    def _pass_on(self, tenant_id: str) -> None:
        """The tenant's turn has ended: it is that of the next. Which one is chosen while it still
        counts: else, of one turn at a time, the tenant with a thousand runs would have all.
        """
        is_given = False
        while self._lines and not is_given:
            next_id = min(self._lines, key=self._rank)
            one = self._lines[next_id].popleft()
            self._drop_line(next_id)
            if is_given := not one.turn.done():
                self._give(next_id)
                one.turn.set_result(None)
        self._taken[tenant_id] -= 1
        if not self._taken[tenant_id]:
            del self._taken[tenant_id]
            if tenant_id not in self._lines:
                del self._last[tenant_id]
        self._free += not is_given

    def _rank(self, tenant_id: str) -> tuple[int, int, int]:
        """Whose turn is first has the smallest."""
        first = self._lines[tenant_id][0].number
        return self._taken[tenant_id], self._last.get(tenant_id, -1), first

    def _drop_line(self, tenant_id: str) -> None:
        if not self._lines[tenant_id]:
            del self._lines[tenant_id]
            if tenant_id not in self._taken:
                self._last.pop(tenant_id, None)
