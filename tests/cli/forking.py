"""Commands as forks of one process that has imported what they are made of.

To start Python and import the command costs twice what most commands then do, and the tests run
hundreds. A fork is a process of its own like any other: its own arguments, variables, folder,
streams and end; only what it would import first is there already. AGENT_TEST_FORKS=0: each command
starts anew.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

MODULE: Final = "plainloop"
IS_ON: Final = sys.platform == "linux" and os.environ.get("AGENT_TEST_FORKS") != "0"
# What commands import, some of them late: rooms of the service with all that is in them, and what
# else is there.
ROOMS: Final = (
    *("cli", "config", "core", "designs", "evaluators", "offline", "replay", "routers"),
    *("service", "store", "usage", "workers"),
)
IMPORTED: Final = (
    *("anthropic", "httpx2", "openai", "pydantic.type_adapter", "zoneinfo", "tests.tracker.pack"),
    *("plainloop_lab.commands.commands", "plainloop_careers.pack"),
)
# What an interpreter reads once, as it starts.
READ_AT_START: Final = ("PYTHON", "LANG", "LC_", "LD_", "TZ", "HOME", "PATH")
_REQUEST_BYTES: Final = 2**20
_STREAMS: Final = 3


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

    async def run(
        self, arguments: list[str], folder: Path, environ: Mapping[str, str], stdin: bytes
    ) -> tuple[int, bytes, bytes]:
        """(exit code, standard output, standard error) of the command; it is killed on a cancel."""
        own, theirs = socket.socketpair()
        (in_read, in_write), (out_read, out_write), (err_read, err_write) = (
            os.pipe(),
            os.pipe(),
            os.pipe(),
        )
        passed = (in_read, out_write, err_write, theirs.fileno())
        request = json.dumps([arguments, str(folder), {**environ}]).encode()
        socket.send_fds(self._socket, [request], passed)
        theirs.close()
        for number in (in_read, out_write, err_write):
            os.close(number)
        reader, writer = await asyncio.open_connection(sock=own)
        process_id = int(await reader.readline())
        try:
            _, out, err, ended = await asyncio.gather(
                asyncio.to_thread(_write, in_write, stdin),
                _read(out_read),
                _read(err_read),
                reader.readline(),
            )
        except asyncio.CancelledError:
            with suppress(ProcessLookupError):
                os.kill(process_id, signal.SIGKILL)
            raise
        finally:
            writer.close()
        return int(ended), out, err


def _write(number: int, content: bytes) -> None:
    with open(number, "wb") as pipe, suppress(BrokenPipeError):
        pipe.write(content)
        pipe.flush()


async def _read(number: int) -> bytes:
    """All of a pipe. In the event loop: a command may wait for what another one does."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    pipe = open(number, "rb", 0)  # noqa: SIM115  # its transport closes it
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader, loop=loop), pipe
    )
    try:
        return await reader.read()
    finally:
        transport.close()


def serve_forks() -> None:
    """Fork for each request until nobody can ask any more."""
    for name in IMPORTED:
        with suppress(ModuleNotFoundError):  # of a package that is not installed
            importlib.import_module(name)
    for name in ROOMS:
        room = importlib.import_module(f"{MODULE}.agent.{name}")
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()  # or each fork copies what its collector looks at
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
    arguments, folder, environ = request
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    was = sys.stderr  # of what may have been a file, which a pipe is not
    sys.stderr = open(2, "w", 1, was.encoding, was.errors, closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    sys.path[0] = folder
    sys.argv = ["", *arguments]
    runpy._run_module_as_main(MODULE)  # type: ignore[attr-defined]


if __name__ == "__main__":
    serve_forks()
