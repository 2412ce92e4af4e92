"""How a command hands its work to the loop, which is imported only then."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, NoReturn

import typer


def launch(work: Coroutine[Any, Any, int | None]) -> NoReturn:
    """Run it; what it returns is the exit code. Raises: typer.Exit."""
    from .running import run_async

    raise typer.Exit(run_async(work) or 0)
