"""Who looks on while runs are executed in this process: numbers and traces, nothing that runs need.

An observer is told of every event of every run as viewers are, and of every attempt at a model
call when it is settled. It must be quick, and must not raise.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Protocol

from ..events import Event
from ..store.records import CallSettled, CallStart, Run

logger = logging.getLogger(__name__)


class RunObserver(Protocol):
    """Receives the events and model calls of all runs, for metrics or traces."""

    def see_event(self, run: Run, event: Event) -> None: ...

    def see_call(self, start: CallStart, settled: CallSettled) -> None: ...


_observers: list[RunObserver] = []  # of this process, as loggers are


@contextmanager
def observing(observer: RunObserver) -> Generator[None]:
    """Call an observer with this process's events and model calls while the block runs."""
    _observers.append(observer)
    try:
        yield
    finally:
        _observers.remove(observer)


def tell_events(run: Run, events: Sequence[Event]) -> None:
    """Pass a run's events to all observers, logging what an observer raises."""
    for observer in _observers:
        try:
            for event in events:
                observer.see_event(run, event)
        except Exception:  # the edge: who looks on must not stop a run
            logger.exception("observer_failed")


def tell_call(start: CallStart, settled: CallSettled) -> None:
    """Pass an ended model call to all observers, logging what an observer raises."""
    for observer in _observers:
        try:
            observer.see_call(start, settled)
        except Exception:  # as above
            logger.exception("observer_failed")
