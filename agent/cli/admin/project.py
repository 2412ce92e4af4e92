"""`plainloop new` writes a project; `plainloop dev` restarts the server after each change."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import Process
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from watchfiles import (
    Change,
    DefaultFilter,
    awatch,  # pyright: ignore[reportUnknownVariableType]
)

from ...config.settings import load_settings
from ...errors import AgentError
from ...project.new import write_project
from ..terminal import output

WATCHED: Final = (".py", ".sql", ".md", ".toml", ".json", ".html", ".css")
DOTENV: Final = ".env"
STOP_S: Final = 5  # for runs that are under way
# Not `-m` alone: a folder of the project must not be taken for a module of ours.
PLAINLOOP: Final = (sys.executable, "-P", "-m", "plainloop")


def write_new(folder: Path) -> None:
    """Write a new project from the template and print its files. Raises: InputError."""
    for path in write_project(folder):
        output.write_line(str(folder / path))
    output.write_status(f'Next: cd {folder} && plainloop ask "add a task: water the plants"')


async def serve_again(host: str | None, port: int | None) -> None:
    """Run `serve` as a child process and restart it whenever a watched file changes.

    The server is a child process, because modules are not imported again in this one.
    """
    options = [*(("--host", host) if host else ()), *(("--port", str(port)) if port else ())]
    await _reset_tables()
    child = await _start("serve", *options)
    try:
        async for changes in awatch(*list_folders(), watch_filter=make_filter()):
            names = sorted({Path(path).name for _, path in changes})
            output.write_status(f"changed: {', '.join(names)}")
            # Stop it before the next one starts: both would need the port.
            await _stop(child)
            if any(name.endswith(".sql") for name in names):
                await _reset_tables()
            child = await _start("serve", *options)
    finally:
        await _stop(child)


def make_filter() -> SourceFilter:
    """Build the watcher's filter: source files, without the service's own data folder."""
    with suppress(AgentError):  # who serves tells it
        return SourceFilter(ignore_paths=[load_settings().data_dir.resolve()])
    return SourceFilter()


class SourceFilter(DefaultFilter):
    """Selects changes of files that packs, designs or settings consist of."""

    def __call__(self, change: Change, path: str) -> bool:
        is_source = path.endswith(WATCHED) or Path(path).name == DOTENV
        return is_source and super().__call__(change, path)


def list_folders() -> Iterator[Path]:
    """Yield the folders to watch: the current one, and packs' and design's folders outside it."""
    here = Path.cwd()
    yield here
    try:
        agent = load_settings().agent
    except AgentError:  # who serves tells it
        return
    for name in (*agent.packs, agent.design):
        spec = find_spec(name.partition(".")[0])
        for folder in spec.submodule_search_locations or () if spec else ():
            if not Path(folder).is_relative_to(here):
                yield Path(folder)


async def _start(*arguments: str) -> Process:
    return await asyncio.create_subprocess_exec(*PLAINLOOP, *arguments)


async def _reset_tables() -> None:
    """Run `migrate --reset`, which reports its own errors."""
    await (await _start("migrate", "--reset")).wait()


async def _stop(child: Process) -> None:
    if child.returncode is not None:
        return
    # SIGTERM first, so that runs are handed back; a process that hangs is killed
    # (tests/project/test_dev.py).
    child.terminate()
    try:
        async with asyncio.timeout(STOP_S):
            await child.wait()
    except TimeoutError:
        child.kill()
        await child.wait()
