"""Which engines there are."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Final, Protocol

from ...config.installed import find_entries, load_entry
from ...config.modules import make_unknown
from .local import open_local
from .tasks import Run

LOCAL: Final = "local"


class OpenEngine(Protocol):
    """Opens an engine that runs a replay's tasks. address: of a cluster; None: one that is begun
    for this replay, on this machine. processes: of such a one.
    """

    def __call__(self, address: str | None, processes: int) -> AbstractContextManager[Run]: ...


def load_engine(name: str) -> OpenEngine:
    """The engine of this name: processes of this machine, or one that a package brings.

    Raises: ConfigError for an unknown one, which names the nearest.
    """
    if name == LOCAL:
        return open_local
    brought = find_entries("engines")
    if name not in brought:
        raise make_unknown("engine", name, [LOCAL, *brought])
    engine: OpenEngine = load_entry("engines", name)
    return engine
