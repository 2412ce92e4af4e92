"""Runs a command's coroutine in an event loop, which is imported only then."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, NoReturn, ParamSpec

import typer

P = ParamSpec("P")


def launch(work: Coroutine[Any, Any, int | None]) -> NoReturn:
    """Run a command's coroutine; exit the process with its result as code. Raises: typer.Exit."""
    from .running import run_async

    raise typer.Exit(run_async(work) or 0)


def launch_with_store(
    work: Callable[Concatenate[Any, P], Coroutine[Any, Any, int | None]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> NoReturn:
    """Run `work(store, …)` with an open store; exit the process with its result as code."""
    from ...config.settings import load_settings
    from .opening import open_store

    async def run() -> int | None:
        async with open_store(load_settings()) as store:
            return await work(store, *args, **kwargs)

    launch(run())
