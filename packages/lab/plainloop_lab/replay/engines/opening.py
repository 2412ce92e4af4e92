"""Which engines there are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from plainloop.agent.config.installed import find_entries, load_entry
from plainloop.agent.config.modules import make_unknown

from .local import open_local
from .tasks import Run

LOCAL: Final = "local"


# Opens an engine that runs a replay's tasks: at the address of a cluster, or (None) with so many
# processes of this machine, begun for this replay.
OpenEngine = Callable[[str | None, int], AbstractContextManager[Run]]


def load_engine(name: str) -> OpenEngine:
    """Load a replay engine, which runs the tasks of a replay.

    `local` is built in; packages bring others. Raises: ConfigError for an unknown name; the error
    names the nearest known one.
    """
    if name == LOCAL:
        return open_local
    brought = find_entries("engines")
    if name not in brought:
        raise make_unknown("engine", name, [LOCAL, *brought])
    engine: OpenEngine = load_entry("engines", name)
    return engine
