"""What leaves through one WebSocket: single frames, and the runs that its client watches."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

import orjson
from starlette.websockets import WebSocket, WebSocketDisconnect

from ...agent.base.finishing import end_tasks
from ...agent.errors import AgentError, AuthError, ConflictError, StoreError
from ...agent.events import TERMINAL, Event
from ...agent.service.runs import ViewerDropped
from ..auth.identity import Identity
from ..http.endpoint import AppContext
from ..routes.streaming import load_answer_id
from .frames import Frame, join_pieces, to_error_frame, to_frame

logger = logging.getLogger(__name__)

# Of RFC 6455, 7.4.1, and of the IANA registry of close codes (1012, 1013); 4401 is our own.
CLOSE_ABNORMAL: Final = 1006  # never sent: receivers report it for a lost connection
CLOSE_FAILED: Final = 1011
CLOSE_RESTARTING: Final = 1012
CLOSE_TOO_SLOW: Final = 1013
CLOSE_UNAUTHENTICATED: Final = 4401


class Outlet:
    """The sending side of an accepted WebSocket."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self._sending_since: float | None = None

    async def send(self, frame: Frame) -> None:
        """Send one frame. Raises: WebSocketDisconnect when the client is gone."""
        text = orjson.dumps(frame).decode()
        self._sending_since = time.monotonic()
        try:
            await self.socket.send_text(text)
        # Starlette's error for a closed socket. Converted here, not where frames are handled: there
        # a RuntimeError is a bug, which would end the socket without a line in the log
        # (test_a_runtime_error_ends_a_frame_not_the_socket).
        except RuntimeError as error:
            raise WebSocketDisconnect(CLOSE_ABNORMAL) from error
        self._sending_since = None

    async def close(self, code: int) -> None:
        """Close the socket with this code. Raises: WebSocketDisconnect when it is closed."""
        try:
            await self.socket.close(code)
        except RuntimeError as error:  # as above
            raise WebSocketDisconnect(CLOSE_ABNORMAL) from error

    async def wait_until_stuck(self, timeout_s: float) -> None:
        """Wait until a send has been blocked for `timeout_s` seconds.

        The client no longer reads then.
        """
        while True:
            # Polled, not a timer for each send: tokens would start and stop thousands a second. So
            # a stuck client is dropped after the time-out and half of it at most
            # (test_a_blocked_send_is_noticed).
            await asyncio.sleep(timeout_s / 2)
            since = self._sending_since
            if since is not None and time.monotonic() - since > timeout_s:
                logger.info("viewer_dropped")
                return


class Views:
    """The streams that one client receives, each in a task of its own, by name."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._tasks

    def start(
        self,
        name: str,
        show: Callable[[], Coroutine[Any, Any, None]],
        tell: Callable[[AgentError], Frame],
    ) -> None:
        """Run a stream in a task, which replaces the task of the same name.

        tell: builds the frame of an error.
        """
        self.end(name)
        self._tasks[name] = task = asyncio.create_task(self._run(show, tell))

        def forget(ended: asyncio.Task[None]) -> None:
            if self._tasks.get(name) is ended:
                del self._tasks[name]
            error = None if ended.cancelled() else ended.exception()
            if error is not None and not isinstance(error, WebSocketDisconnect):
                logger.error("view_failed", exc_info=error)

        task.add_done_callback(forget)

    async def _run(
        self, show: Callable[[], Coroutine[Any, Any, None]], tell: Callable[[AgentError], Frame]
    ) -> None:
        """Run a stream to its end; report an error to the client by a frame or a close code."""
        try:
            await show()
        except ViewerDropped:
            await self._outlet.close(CLOSE_TOO_SLOW)
        except StoreError as error:  # the run goes on when the database is back
            logger.warning("view_ended", extra={"code": error.code})
            await self._outlet.close(CLOSE_RESTARTING)
        except AuthError as error:  # the token has expired, or the key was revoked
            await self._outlet.send(tell(error))
            await self._outlet.close(CLOSE_UNAUTHENTICATED)
        except AgentError as error:
            await self._outlet.send(tell(error))
        except WebSocketDisconnect:
            raise
        except Exception:  # the edge: without an end, its client would wait for ever
            logger.exception("view_failed")
            await self._outlet.close(CLOSE_FAILED)

    def end(self, name: str) -> None:
        """Cancel the stream of this name, if there is one."""
        if (task := self._tasks.pop(name, None)) is not None:
            task.cancel()

    async def close(self) -> None:
        """Cancel all streams, and wait until they have ended."""
        await end_tasks(*self._tasks.values())


class RunViews:
    """The runs that one client watches."""

    def __init__(self, outlet: Outlet, identity: Identity, app: AppContext) -> None:
        self._outlet = outlet
        self._identity = identity
        self._app = app
        self._views = Views(outlet)  # by run

    def open(self, run_id: str, thread_id: str, after: int, *, tells_usage: bool = False) -> None:
        """Stream a run's events numbered above `after` in a task, replacing that run's stream."""
        # One view of a run at a time: two would send each frame twice, in any order.
        show = partial(self._show, run_id, thread_id, after, tells_usage)
        self._views.start(run_id, show, to_error_frame)

    async def close(self) -> None:
        await self._views.close()

    async def _show(self, run_id: str, thread_id: str, after: int, tells_usage: bool) -> None:
        user = (self._identity.tenant_id, self._identity.user_id)
        has_ended, batches = False, self._app.runs.watch_batches(*user, run_id, after)
        async for batch in self._app.auth.show_while_held(self._identity, batches):
            for event in join_pieces(batch):  # several only where they had to wait
                if event["event"] != "usage" or tells_usage:
                    await self._send_event(event, run_id, thread_id)
                has_ended = event["event"] in TERMINAL
        # 1012, "Service Restart": clients come again, to another replica
        # (test_a_stopping_replica_closes_sockets_with_code_1012).
        if not has_ended and self._app.runs.is_draining:
            await self._outlet.close(CLOSE_RESTARTING)
        elif not has_ended:  # the run has ended before the cursor
            message = "all events of this run were already sent: nothing is left to resume"
            raise ConflictError(message, code="NO_RUN")

    async def _send_event(self, event: Event, run_id: str, thread_id: str) -> None:
        message_id = None
        if event["event"] == "done":
            db = self._app.store.read(self._identity.tenant_id)
            message_id = await load_answer_id(db, thread_id, run_id)
        frame = to_frame(event, thread_id, message_id)
        if frame is not None:
            await self._outlet.send({**frame, "run_id": run_id, "seq": event["seq"]})
