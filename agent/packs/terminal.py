"""The terminal and service functions that commands of packs may use.

It names types of the whole machine, so it is imported when a command runs: see `commands`.
"""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from pathlib import Path
from typing import IO, Any, Protocol

import typer

from ..config.settings import Settings
from ..core.api import ApiService
from ..store.store import Store


class Terminal(Protocol):
    """Protocol of the terminal for a pack's commands: output, files, store and service.
    pack: the pack's own name, which is served even if no setting names it.
    """

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine until it ends or a signal cancels it; print an exception as one line."""
        ...

    def load_settings(self, pack: str) -> Settings: ...

    def open_store(self, pack: str) -> AbstractAsyncContextManager[Store]:
        """Open only the store: no model and no key is needed."""
        ...

    def open_service(self, pack: str, tenant_id: str) -> AbstractAsyncContextManager[ApiService]:
        """Open store, packs and models, and yield the service on behalf of a tenant."""
        ...

    def say(self, text: str) -> None:
        """Print a line of the result on stdout."""
        ...

    def remark(self, text: str) -> None:
        """Print a remark that is not part of the result."""
        ...

    def progress(self, text: str) -> AbstractContextManager[Any]:
        """Show this text with a spinner on stderr while the block runs."""
        ...

    def read_source(self, path: str) -> tuple[Path | bytes, str]:
        """Return (path or content, name) of a file; `-` stands for stdin, which is read at once."""
        ...

    def create_file(self, path: Path) -> IO[bytes]:
        """Create a file and open it for writing.

        Raises: InputError when it is there already, or cannot be made.
        """
        ...


def get_terminal(context: typer.Context) -> Terminal:
    """Return the terminal of a command's context."""
    return context.obj.terminal
