"""Commands as forks of one process that has imported what they are made of.

To start Python and import the command costs twice what most commands then do, and the tests run
hundreds. A fork is a process of its own like any other: its own arguments, variables, folder,
streams and end; only what it would import first is there already. AGENT_TEST_FORKS=0: each command
starts anew.
"""

from __future__ import annotations

import asyncio
import atexit
import fcntl
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import termios
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from plainloop.agent.intents.rules import load_rules
from tests.tracker.entities import ENTITIES
from tests.warm import warm_up

MODULE: Final = "plainloop"
IS_ON: Final = sys.platform == "linux" and os.environ.get("AGENT_TEST_FORKS") != "0"
# What commands import, some of them late: rooms with all that is in them, and what else is there.
ROOMS: Final = (
    *("agent.cli", "agent.config", "agent.core", "agent.designs", "agent.evaluators"),
    *("agent.intents", "agent.routers", "agent.service", "agent.store"),
    *("agent.usage", "agent.workers", "server.protocols", "server.http", "server.observe"),
)
IMPORTED: Final = (
    *("anthropic", "httpx2", "openai", "pydantic.type_adapter", "zoneinfo", "tests.tracker.pack"),
    *("genai_prices.decompose", "httpcore2", "uvloop", "uvicorn.protocols.websockets.auto"),
    *(
        "plainloop_lab.commands.commands",
        "plainloop_lab.replay.commands.recorded",
        "plainloop_lab.routes.conversations",
        "plainloop_lab.selection.answering",
    ),
    *("plainloop_careers.offline", "plainloop_careers.pack"),
    *("plainloop_memory.wanting", "plainloop_operations.settings", "plainloop_staff.settings"),
    *("plainloop_staff.offline", "typer._adapters"),
    *("plainloop_retrieval.settings", "plainloop_wire.app"),
    *("plainloop_rules.hook", "plainloop_rules.offline.brain.provider"),
    *("plainloop.server.app", "plainloop.server.serving"),
    "plainloop.agent.providers.http.transport",
)
COMPILING: Final = (
    *("plainloop_careers.offline.grammar", "plainloop_careers.entities"),
    "plainloop_documents.reading.pay",
)
# What an interpreter reads once, as it starts.
READ_AT_START: Final = ("PYTHON", "LANG", "LC_", "LD_", "TZ", "HOME", "PATH")
_REQUEST_BYTES: Final = 2**20
_STREAMS: Final = 3


class Forked:
    """A running fork, asked and told as an `asyncio.subprocess.Process` is."""

    returncode: int | None = None
    stdin: asyncio.StreamWriter | None = None  # a terminal's stay here: the terminal is read
    stdout: asyncio.StreamReader | None = None
    stderr: asyncio.StreamReader | None = None

    def __init__(self, pid: int, told: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = pid
        self._ending = asyncio.create_task(self._end(told, writer))

    async def _end(self, told: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        self.returncode = int(await told.readline())
        writer.close()
        return self.returncode

    async def wait(self) -> int:
        return await asyncio.shield(self._ending)

    def send_signal(self, number: int) -> None:
        if self.returncode is not None:
            raise ProcessLookupError
        os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    async def communicate(self, content: bytes | None = None) -> tuple[bytes, bytes]:
        """All that it says, once it has ended; it is told this and no more."""
        _, out, err, _ = await asyncio.gather(
            self._tell(content or b""), _read(self.stdout), _read(self.stderr), self.wait()
        )
        return out, err

    async def _tell(self, content: bytes) -> None:
        if self.stdin is not None:
            with suppress(ConnectionError):
                self.stdin.write(content)
                await self.stdin.drain()
            self.stdin.close()


class Forks:
    """A process that forks itself for each command; it ends with the one that started it."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                cwd="/",
                env={**environ},
            )

    def fileno(self) -> int:
        """Of its end here, for a process that asks by itself."""
        return self._socket.fileno()

    async def start(
        self,
        arguments: Sequence[str],
        folder: Path,
        environ: Mapping[str, str],
        *,
        terminal: int | None = None,
        joins_stderr: bool = False,
    ) -> Forked:
        """Begin the command. terminal: stands for all its streams, and is its own; joins_stderr:
        what it says there comes with its standard output."""
        pipes = [os.pipe(), os.pipe(), os.pipe()] if terminal is None else []
        (into, out, err) = (
            (pipes[0][0], pipes[1][1], pipes[2][1]) if pipes else (terminal or 0,) * 3
        )
        told, theirs = socket.socketpair()
        request = [[*arguments], str(folder), {**environ}, terminal is not None]
        passed = (into, out, out if joins_stderr else err, theirs.fileno())
        socket.send_fds(self._socket, [json.dumps(request).encode()], passed)
        theirs.close()
        for number in (into, out, err)[: len(pipes)]:
            os.close(number)
        reader, writer = await asyncio.open_connection(sock=told)
        forked = Forked(int(await reader.readline()), reader, writer)
        if pipes:
            forked.stdin = await _open_writer(pipes[0][1])
            forked.stdout, forked.stderr = [await _open_reader(pipe[0]) for pipe in pipes[1:]]
        return forked


async def _open_reader(number: int) -> asyncio.StreamReader:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(2**20)
    pipe = open(number, "rb", 0)  # noqa: SIM115  # its transport closes it
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    return reader


async def _open_writer(number: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
    pipe = open(number, "wb", 0)  # noqa: SIM115  # likewise
    transport, _ = await loop.connect_write_pipe(lambda: protocol, pipe)
    return asyncio.StreamWriter(transport, protocol, None, loop)


async def _read(stream: asyncio.StreamReader | None) -> bytes:
    return await stream.read() if stream else b""


def serve_forks() -> None:
    """Fork for each request until nobody can ask any more."""
    for name in IMPORTED:
        with suppress(ModuleNotFoundError):  # of a package that is not installed
            importlib.import_module(name)
    for name in ROOMS:
        room = importlib.import_module(f"{MODULE}.{name}")
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(module.name)
    load_rules().prepare(ENTITIES)
    with suppress(ModuleNotFoundError):  # likewise; what the first sentence compiles there
        grammar, entities, pay = map(importlib.import_module, COMPILING)
        load_rules().prepare(entities.ENTITIES)
        grammar.rephrase("add a job: Cook at Cafe Uno")
        pay.parse_pay("5 EUR")
    warm_up("anthropic", "openai", "gemini")
    requests = socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that keep a command
    while True:
        request, numbers, _, _ = socket.recv_fds(requests, _REQUEST_BYTES, _STREAMS + 1)
        if not request:
            return
        if os.fork() == 0:
            requests.close()
            _keep(json.loads(request), *numbers)
            return
        for number in numbers:
            os.close(number)


def _keep(request: Any, stdin: int, stdout: int, stderr: int, told: int) -> None:
    """Fork once more into the command, and tell its number and its end; here and there."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    process_id = os.fork()
    if process_id == 0:
        os.close(told)
        _become(request, stdin, stdout, stderr)
        return
    for number in (stdin, stdout, stderr):
        os.close(number)
    os.write(told, b"%d\n" % process_id)
    _, status = os.waitpid(process_id, 0)
    with suppress(BrokenPipeError):  # who asked for it has killed it
        os.write(told, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(request: Any, *streams: int) -> None:
    """`python -m plainloop …` from here on: what it raises at last is this process's end."""
    arguments, folder, environ, is_in_terminal = request
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if is_in_terminal:  # its controlling one: Ctrl-C becomes a signal, closing it a hang-up
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    was = sys.stderr  # of what may have been a file, which a pipe is not
    sys.stderr = open(2, "w", 1, was.encoding, was.errors, closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    sys.path[:1] = folder, *filter(None, environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv = ["", *arguments]
    try:
        runpy._run_module_as_main(MODULE)  # type: ignore[attr-defined]
    except SystemExit as ended:
        if ended.code is not None and not isinstance(ended.code, int):
            raise
        _exit(ended.code or 0)


def _exit(code: int) -> None:
    """End as the interpreter does, except for taking down every object: that costs ten forks."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)  # the interpreter reports a closed stream
    os._exit(code & 0xFF)


if __name__ == "__main__":
    serve_forks()
