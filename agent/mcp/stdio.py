"""MCP over a child process's stdin and stdout: one JSON message per line."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from ..base.finishing import end_tasks
from .wire import MAX_MESSAGE_BYTES, Message, Receive, ServerError, ServerGone, parse_message

logger = logging.getLogger(__name__)

KEEPER: Final = str(Path(__file__).with_name("keeper.py"))
GRACE_S: Final = 2.0  # for the process to end by itself, and again after SIGTERM
LAST_WORDS_S: Final = 0.5  # for what the process says as it ends
MAX_LOGGED: Final = 50  # lines of stderr, of one process
_LOGGED_CHARS: Final = 500
_READ_BYTES: Final = 1 << 16
_ID: Final = re.compile(rb'"id"\s*:\s*(\d+)')
_HEAD_BYTES: Final = 4096


class StdioWire:
    """MCP over stdin and stdout of a server process. Made by `open_stdio`."""

    is_closed_by_request = False

    def __init__(self, name: str, process: Process, lifeline: int, receive: Receive) -> None:
        self._name = name
        self._process = process
        self._lifeline = lifeline
        self._receive = receive
        self._open: dict[int, asyncio.Future[Message]] = {}
        self._last_words = deque[str](maxlen=2)  # the server's, and its exit code
        self._closing: asyncio.Future[None] | None = None
        self._tasks = [
            asyncio.create_task(self._read(), name=f"mcp {name}"),
            asyncio.create_task(self._log(), name=f"mcp {name} stderr"),
        ]

    async def request(self, message: Message, headers: Mapping[str, str]) -> Message:
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._open[message["id"]] = answer
        try:
            await self.send(message, headers)
            return await answer
        finally:
            del self._open[message["id"]]
            # The reader may have failed the call while `send` still waited for the pipe. No task
            # awaits the answer then, and asyncio would log an error when it is collected.
            if answer.done() and not answer.cancelled():
                answer.exception()

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:
        stdin = self._process.stdin
        # The output has ended: no process reads the pipe any more.
        if stdin is None or self._tasks[0].done():
            raise ServerGone(self._describe_end(), was_sent=False)
        try:
            stdin.write(orjson.dumps(message) + b"\n")
            await stdin.drain()
        # It may have read a part: `was_sent` stays true, and a write is not repeated.
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ServerGone(self._describe_end()) from error

    async def close(self) -> None:
        """End the server's process: close its input, wait, send SIGTERM, wait, send SIGKILL."""
        # Once, whoever else asks for it: the second would close somebody else's descriptor. And as
        # one piece: a cancelled caller must leave no process.
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        process = self._process
        if process.stdin is not None:
            process.stdin.close()
        for number in (signal.SIGTERM, signal.SIGKILL):
            # Its output has ended, which is how we know that it has.
            if (await asyncio.wait(self._tasks[:1], timeout=GRACE_S))[0]:
                break
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        # Also what it started and left: the group ends as a whole.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        os.close(self._lifeline)
        await end_tasks(*self._tasks)
        await process.wait()

    async def _read(self) -> None:
        """Pass answers to their callers and all else to `receive`, until the output ends."""
        assert self._process.stdout is not None
        line, is_skipping = bytearray(), False
        while chunk := await self._process.stdout.read(_READ_BYTES):
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                if not is_skipping and (whole := bytes(line) + end).strip():
                    self._take(whole)
                line, is_skipping = bytearray(), False
            if not is_skipping:
                line += rest
            if len(line) > MAX_MESSAGE_BYTES:
                self._fail_line(bytes(line[:_HEAD_BYTES]), "the server's answer is too large")
                line, is_skipping = bytearray(), True
        # Why it ended is said on the other stream, which may come later.
        await asyncio.wait(self._tasks[1:], timeout=LAST_WORDS_S)
        self._fail_all(ServerGone(self._describe_end()))

    def _take(self, line: bytes) -> None:
        try:
            message = parse_message(line)
        except ServerError as error:
            self._fail_line(line[:_HEAD_BYTES], str(error))
            return
        number: Any = message.get("id")
        # `True == 1`: an id of another type must not answer the call of that number.
        answer = self._open.get(number) if type(number) is int else None
        if "method" in message:
            self._receive(message)
        elif answer is not None and not answer.done():
            answer.set_result(message)

    def _fail_line(self, head: bytes, reason: str) -> None:
        """Fail the call that an unreadable line names; else all open calls."""
        # A line that is no JSON still fails only the call whose id stands in it
        # (test_an_unreadable_answer_leaves_other_calls_waiting).
        match = _ID.search(head)
        answer = self._open.get(int(match[1][:18])) if match else None
        if answer is None:
            self._fail_all(ServerError(reason))
        elif not answer.done():
            answer.set_exception(ServerError(reason))

    def _fail_all(self, error: ServerError) -> None:
        for answer in self._open.values():
            if not answer.done():
                answer.set_exception(error)

    async def _log(self) -> None:
        """Log the process's stderr, up to a number of lines."""
        assert self._process.stderr is not None
        count = 0
        while chunk := await self._process.stderr.read(_READ_BYTES):
            for line in chunk.decode(errors="replace").splitlines():
                if text := line.strip()[:_LOGGED_CHARS]:
                    # Keep lines beyond the log's limit too: the last ones are the reason that users
                    # see.
                    self._last_words.append(text)
                    count += 1
                    if count <= MAX_LOGGED:
                        logger.info("mcp_stderr", extra={"server": self._name, "text": text})

    def _describe_end(self) -> str:
        return ": ".join(("the server's process has ended", *self._last_words))


async def open_stdio(
    name: str, command: Sequence[str], env: Mapping[str, str], receive: Receive
) -> StdioWire:
    """Start the server's process with only these environment variables. Raises: ServerGone."""
    ours, lifeline = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", KEEPER, str(ours), *command),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=dict(env),
            pass_fds=(ours,),
            # A group of its own: what the server starts is ended with it.
            start_new_session=True,
        )
    except OSError as error:
        os.close(lifeline)
        raise ServerGone(
            f"the server's process cannot be started: {error}. Check `command` in its settings",
            was_sent=False,
        ) from error
    finally:
        os.close(ours)
    return StdioWire(name, process, lifeline, receive)
