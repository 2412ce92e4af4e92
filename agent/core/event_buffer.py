"""The events of one run, from the moment they are emitted until they are stored.

emit ──► unstored ──take──► flushing ──end_flush──► stored
          │  ▲  ▲              │
          │  │  └──────────────┘ the flush failed
          │  └─ restore: the step that held them was undone
          ├─ hold: with a step that waits ──store_held──► stored
          └─ store_all: with a commit ──► stored
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ..events import Event, RunEvent
from ..store.records import SEQ_ROOM, Run
from .observing import tell_events

Viewer = Callable[[Event], None]
_BEGINNINGS: Final = frozenset({"run_start", "node_start"})


class EventBuffer:
    """Numbers a run's events, sends them to viewers, and buffers each until it is stored.

    stored_seq: the number of the last stored event.
    """

    def __init__(self, run: Run, viewer: Viewer | None) -> None:
        self.stored_seq = run.next_seq - 1
        self._run = run
        self._viewer = viewer
        self._next_seq = run.next_seq
        self._held_seq = 0  # of the last event of a step that waits
        self._events: list[Event] = []
        self._flushing: list[Event] = []  # on their way to the database, between two commits

    @property
    def has_unstored(self) -> bool:
        """Whether events are buffered that the next flush must store."""
        return bool(self._events)

    def emit(self, event: RunEvent) -> None:
        """Number an event, send it to viewers at once, and buffer it for the step's commit."""
        self.show([self.append(event)])

    def append(self, event: RunEvent) -> Event:
        """Number and buffer an event; it is sent later by `show`, or withdrawn by `void`."""
        record: Event = {"seq": self._next_seq, "event": event["event"], "data": {**event["data"]}}
        self._next_seq += 1
        self._events.append(record)
        return record

    def show(self, events: Sequence[Event]) -> None:
        """Send events to observers and to the run's viewers."""
        tell_events(self._run, events)
        if self._viewer:
            for event in events:
                self._viewer(event)

    def void(self, count: int) -> None:
        """Withdraw the newest events, which were neither stored nor sent to viewers."""
        self._events = self._events[: len(self._events) - count]
        self._next_seq -= count

    def list_unstored(self) -> tuple[Event, ...]:
        """List the events that are not yet known to be stored, oldest first."""
        if not self._flushing:
            return tuple(self._events)
        return (*(e for e in self._flushing if e["seq"] > self._kept_seq), *self._events)

    def take(self, *, is_early: bool) -> list[Event]:
        """Take the events that a flush is to store; [] while another flush runs.

        is_early: the step has just begun, so its end will soon tell that too.
        """
        if self._flushing or (is_early and all(e["event"] in _BEGINNINGS for e in self._events)):
            return []
        room = self.stored_seq + SEQ_ROOM
        self._flushing = [event for event in self._events if event["seq"] <= room]
        self._events = self._events[len(self._flushing) :]
        return self._flushing

    def end_flush(self, *, is_stored: bool) -> None:
        """Finish the flush that `take` began; events that were not stored are buffered again."""
        flushing, self._flushing = self._flushing, []
        if is_stored:
            self.stored_seq = max(self.stored_seq, flushing[-1]["seq"])
        else:
            left = [event for event in flushing if event["seq"] > self._kept_seq]
            self._events = [*left, *self._events]

    def hold(self) -> None:
        """Leave the buffered events to a deferred step; they are stored together with it."""
        self._held_seq, self._events = self._next_seq - 1, []

    def store_held(self) -> None:
        """Mark the events of deferred steps as stored."""
        self.stored_seq = self._kept_seq

    def restore(self, events: Sequence[Event]) -> None:
        """Buffer the events of deferred steps again, because their commit was undone."""
        self._held_seq = 0
        self._events[:0] = events

    def store_all(self, unseen: Sequence[Event]) -> None:
        """Mark all events as stored by a commit, and send those not yet sent to viewers."""
        self.stored_seq, self._events = self._next_seq - 1, []
        self.show(unseen)

    @property
    def _kept_seq(self) -> int:
        """Return the number of the last event that is stored or part of a deferred step."""
        return max(self.stored_seq, self._held_seq)
