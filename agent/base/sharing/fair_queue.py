"""A fair queue: users take turns for a shared resource, such as database connections.

If served in order of arrival, a user with four hundred active runs has four hundred entries in each
queue, and another user waits for all of them.
"""

from __future__ import annotations

from collections import deque
from contextvars import ContextVar
from typing import Generic, TypeVar

T = TypeVar("T")
Party = tuple[str, str]  # a tenant and its user; empty: work for all of them

_party: ContextVar[Party] = ContextVar("party", default=("", ""))


def act_for(tenant_id: str, user_id: str) -> None:
    """Set the user for whom the current task works, for use by fair queues."""
    _party.set((tenant_id, user_id))


def get_party() -> Party:
    """Return the (tenant, user) for whom the current task works; ("", "") if none is set."""
    return _party.get()


class FairQueue(Generic[T]):
    """A queue that serves users in turn; one user's items are served in order of arrival."""

    def __init__(self) -> None:
        self._lines: dict[Party, deque[T]] = {}  # the first party is the next; none is empty
        self.length = 0  # an attribute: each statement reads it for every lane

    def push(self, party: Party, item: T, *, is_next: bool = False) -> None:
        """Append an item to the user's queue, or put it before all others with `is_next`."""
        if is_next:
            line = self._lines.pop(party, None) or deque[T]()
            line.appendleft(item)
            # Takes time linear in the number of users, but happens only after the database refused
            # an item (tests/base/test_sharing.py::test_a_fair_queue_returns_a_retried_item_first).
            self._lines = {party: line, **self._lines}
        else:
            self._lines.setdefault(party, deque()).append(item)
        self.length += 1

    def pop(self) -> T:
        """Remove and return the next item; users take turns."""
        party = next(iter(self._lines))
        line = self._lines.pop(party)
        item = line.popleft()
        self.length -= 1
        if line:
            # After one item the user goes behind all others
            # (tests/base/test_sharing.py::test_a_fair_queue_alternates_between_users).
            self._lines[party] = line
        return item

    def remove(self, party: Party, item: T) -> None:
        """Remove an item if it is still queued."""
        line = self._lines.get(party, ())
        if item in line:
            self._lines[party].remove(item)
            self.length -= 1
            if not self._lines[party]:
                del self._lines[party]
