"""MCP over stdin and stdout, for a client that starts us itself: one message per line, one user."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, suppress
from typing import Any

import orjson

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.errors import AgentError
from plainloop.server.auth.identity import LOCAL
from plainloop.server.http.endpoint import AppContext, encode_json, make_request
from plainloop.server.http.error_table import INTERNAL_MESSAGE
from plainloop.server.http.reading import parse_json
from plainloop.server.protocols.encoder import encode_events
from plainloop.server.protocols.json_rpc import (
    INTERNAL,
    Message,
    Rpc,
    RpcError,
    read_refusal,
    to_refusal,
)

from .calls import Shown
from .older import offers_form
from .routes import answer_message

logger = logging.getLogger(__name__)

Write = Callable[[bytes], Any]


class StdioServer:
    """Serves MCP on stdin and stdout; answers come as they are ready, not in order."""

    def __init__(self, app: AppContext, write: Write) -> None:
        self._app = app
        self._write = write
        self._requests: dict[str, asyncio.Task[None]] = {}
        self._asks_inline = False
        # As the one user of a machine asks, who needs no token.
        self._request = make_request(app, LOCAL, app.service.pack, {})

    async def serve(self, lines: AsyncIterator[bytes]) -> None:
        """Answer JSON-RPC messages from stdin until it closes.

        Runs that were started continue.
        """
        async for line in lines:
            if line.strip():
                self._take(line)
        await end_tasks(*self._requests.values())

    def _take(self, line: bytes) -> None:
        try:
            rpc = parse_json(line, Rpc)
        except AgentError as error:
            self._say(to_refusal(None, read_refusal(error)))
            return
        if rpc.method == "notifications/cancelled":
            task = self._requests.get(_to_key(rpc.params.get("requestId")))
            if task is not None:
                task.cancel()
        elif rpc.is_request:
            if rpc.method == "initialize":
                self._asks_inline = offers_form(rpc)
            task = asyncio.create_task(self._answer(rpc))
            key = _to_key(rpc.id)
            self._requests[key] = task
            task.add_done_callback(lambda _: self._requests.pop(key, None))

    async def _answer(self, rpc: Rpc) -> None:
        """Answer a request, also when that fails: its client would wait for good."""
        try:
            answer = await answer_message(
                self._app, self._request, rpc, None, asks_inline=self._asks_inline
            )
            if isinstance(answer, Shown):
                await self._show(answer)
            elif answer is not None:
                self._say(answer)
        except RpcError as error:
            if rpc.method:  # an answer is not answered
                self._say(to_refusal(rpc.id, error))
        except AgentError as error:  # the database is away, or the run was erased
            self._say(to_refusal(rpc.id, read_refusal(error)))
        except Exception:  # the edge: a bug ends this request, not the others
            logger.exception("request_failed")
            self._say(to_refusal(rpc.id, RpcError(INTERNAL, INTERNAL_MESSAGE)))

    async def _show(self, shown: Shown) -> None:
        """Send a run's messages. Raises: RpcError if they end without its answer."""
        has_answer = False
        async with aclosing(shown.batches) as batches:
            async for events in batches:
                for frame in encode_events(shown.encoder, events):
                    self._say(frame)
                    has_answer = has_answer or "method" not in frame
        if has_answer:
            return
        if not shown.encoder.is_waiting:
            raise shown.make_unfinished()
        for frame in shown.encoder.wait():
            self._say(frame)

    def _say(self, message: Message) -> None:
        with suppress(BrokenPipeError):  # it has left; the end of its input follows
            self._write(encode_json(message) + b"\n")


def _to_key(request_id: Any) -> str:
    """Convert a request id to a key, distinguishing 1 and "1"."""
    return orjson.dumps(request_id).decode()
