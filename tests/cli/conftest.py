"""The command as people run it: a process of its own, a database of the test's own, no keys."""

from __future__ import annotations

import asyncio
import functools
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from plainloop_wire.serving import build_environ
from tests.cli.forking import IS_ON, READ_AT_START, Forks
from tests.cli.terminal import Terminal
from tests.fixtures import TESTS_PACK, skip_without_package

COMMAND = (sys.executable, "-m", "plainloop")
KEPT = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
AT_START = KEPT | {"PYTHONPATH": str(Path(__file__).parents[2])}
# For a shell. What serves has a process that signals reach, the rest is a fork that is asked for.
SCRIPT = """#!/bin/sh
case $1 in {alone}) exec "{python}" -m plainloop "$@" ;; esac
exec "{python}" -SE -c '
import json, os, socket, sys
forks, (told, theirs) = socket.socket(fileno={forks}), socket.socketpair()
request = json.dumps([sys.argv[1:], os.getcwd(), {{**os.environ}}, False])
socket.send_fds(forks, [request.encode()], [0, 1, 2, theirs.fileno()])
theirs.close()
_, code = told.makefile()
sys.exit(int(code))
' "$@"
"""
TIMEOUT_S = 180
# Nobody answers here when a program asks the terminal where its cursor is.
TERMINAL = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
point_at = build_environ


@dataclass(frozen=True)
class Finished:
    code: int
    out: str
    err: str


@dataclass
class Command:
    """`await plainloop("ask", "…")`; `start` gives the running process instead."""

    environ: dict[str, str]
    folder: Path
    running: list[Any] = field(default_factory=list)
    program: tuple[str, ...] = COMMAND

    async def __call__(self, *arguments: str | bytes, stdin: Any = b"", **environ: str) -> Finished:
        process = await self.start(*arguments, **environ)
        async with asyncio.timeout(TIMEOUT_S):
            out, err = await process.communicate(stdin)
        skip_without_package(err.decode())
        return Finished(await process.wait(), out.decode(), err.decode())

    async def start(
        self, *arguments: str | bytes, program: Any = (), **environ: str
    ) -> asyncio.subprocess.Process:
        given = self.environ | environ
        if self._can_fork(program, given):
            forked: Any = await open_forks().start(
                [*map(os.fsdecode, arguments)], self.folder, given
            )
            self.running.append(forked)
            return forked
        process = await asyncio.create_subprocess_exec(
            *(program or self.program),
            *arguments,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            cwd=self.folder,
            env=given,
            limit=2**20,
        )
        self.running.append(process)
        return process

    async def open_terminal(self, *arguments: str, program: Any = (), **environ: str) -> Terminal:
        """The command with a terminal of its own on all three streams."""
        given = self.environ | TERMINAL | environ
        can_fork = self._can_fork(program, given)
        terminal = await Terminal.open(
            [*arguments] if can_fork else [*(program or self.program), *arguments],
            self.folder,
            given,
            open_forks() if can_fork else None,
        )
        self.running.append(terminal.process)
        return terminal

    def _can_fork(self, program: Any, given: dict[str, str]) -> bool:
        """Not where Python would start otherwise, or take the copy of us that is there."""
        at_start = {name: given[name] for name in given if name.startswith(READ_AT_START)}
        is_ours = (program or self.program) == COMMAND and at_start == AT_START
        return IS_ON and is_ours and not (self.folder / "plainloop").is_dir()

    async def close(self) -> None:
        """End what still runs."""
        for process in self.running:
            if process.returncode is None:
                with suppress(ProcessLookupError):  # it has just ended; its exit code is under way
                    process.kill()
                await process.wait()


@pytest.fixture
async def plainloop(database_url: str, tmp_path: Path) -> AsyncIterator[Command]:
    environ = make_environ(tmp_path) | {"DATABASE_URL": database_url}
    command = Command(environ, tmp_path)
    yield command
    await command.close()


@functools.cache
def open_forks() -> Forks:
    """This process's, at their first use."""
    return Forks(AT_START)


def write_command(path: Path) -> tuple[int, ...]:
    """Write the command of this Python, also where no script of it was installed, for a shell that
    is given the descriptors returned."""
    forks, alone = (open_forks().fileno(), "serve | wire-server") if IS_ON else (0, "*")
    path.write_text(SCRIPT.format(python=sys.executable, forks=forks, alone=alone))
    path.chmod(0o755)
    return (forks,)


async def run_together(work: Sequence[Awaitable[Finished]]) -> list[Finished]:
    """As many processes at once as there are processors."""
    places = asyncio.Semaphore(os.cpu_count() or 1)

    async def run(one: Awaitable[Finished]) -> Finished:
        async with places:
            return await one

    return await asyncio.gather(*map(run, work))


def make_environ(folder: Path) -> dict[str, str]:
    """Nothing of this machine's settings and keys; no Ollama."""
    return AT_START | {
        "AGENT_DATA_DIR": str(folder / "data"),
        "AGENT_PACKS": TESTS_PACK,
        "AGENT_TITLES": "false",
        "OLLAMA_HOST": "http://127.0.0.1:9",
        "COLUMNS": "200",
    }
