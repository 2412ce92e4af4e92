"""One accepted WebSocket: what its client's frames ask for."""

from __future__ import annotations

from typing import Literal, assert_never, get_args
from uuid import UUID

from ...agent.errors import AccessDenied, ConflictError, NotFoundError, ShapeError
from ...agent.store.records import ThreadInfo
from ...agent.types import RunRequest
from ..auth.identity import Identity
from ..auth.models import check_choice
from ..http.endpoint import AppContext, make_request
from ..routes.branching import submit_message
from ..routes.onboarding import WRONG_KIND, make_interview, open_interview
from .frames import (
    ApproveFrame,
    CancelFrame,
    KickFrame,
    MessageFrame,
    PingFrame,
    ResumeFrame,
    parse_frame,
    to_error_frame,
)
from .outlet import Outlet, RunViews
from .reading import FrameReader

RunKind = Literal["chat", "onboarding"]


class Session:
    """A WebSocket connection: reads frames and streams the runs that they start."""

    def __init__(self, outlet: Outlet, identity: Identity, kind: RunKind, app: AppContext) -> None:
        self._outlet = outlet
        self._identity = identity
        self._user = (identity.tenant_id, identity.user_id)
        self._kind: RunKind = kind
        self._app = app
        self._views = RunViews(outlet, identity, app)

    async def serve(self) -> None:
        reader = FrameReader(self._outlet, self._identity, self._app, self._act, to_error_frame)
        try:
            await reader.read_all()
        finally:
            await self._views.close()

    async def _act(self, text: str | None) -> None:
        frame = parse_frame(text)
        match frame:
            case PingFrame():
                await self._outlet.send({"type": "pong"})
            case MessageFrame():
                await self._begin(await self._open_thread(frame), frame)
            case KickFrame():
                if self._kind != "onboarding":
                    raise ShapeError(
                        "frames of type kick are supported only on /ws/onboarding",
                        hint="Send a message instead.",
                    )
                await self._begin(await self._open_thread(frame), None)
            case CancelFrame():
                thread = await self._find_thread(frame.conversation_id)
                # No reply: the run's own `error` frame with CANCELLED tells all viewers
                # (test_a_cancel_frame_ends_the_run).
                await self._app.runs.cancel(*self._user, thread.thread_id)
            case ResumeFrame():
                thread = await self._find_thread(frame.conversation_id)
                named_run = None if frame.run_id is None else str(frame.run_id)
                target = (*self._user, thread.thread_id, named_run)
                run_id = await self._app.find_run(*target, or_last=True)
                if run_id is None:
                    raise ConflictError(
                        "this conversation has no run to resume",
                        hint="Send a message to start one.",
                        code="NO_RUN",
                    )
                usage = frame.usage
                self._views.open(run_id, thread.thread_id, frame.after, tells_usage=usage)
            case ApproveFrame():
                await self._approve(frame)
            case _:
                assert_never(frame)

    async def _approve(self, frame: ApproveFrame) -> None:
        """Record a decision and report the approval's new status.

        Raises: AccessDenied for a run or an approval of somebody else, ConflictError.
        """
        run_id, approval_id = str(frame.run_id), str(frame.approval_id)
        decision = (frame.approve, self._user[1], frame.reason)
        decided = await self._app.runs.decide_approval(*self._user, run_id, approval_id, *decision)
        reply = {"type": "approval", "approval_id": approval_id, "status": decided.status}
        await self._outlet.send({**reply, "run_id": run_id})

    async def _open_thread(self, frame: MessageFrame | KickFrame) -> ThreadInfo:
        """Return the thread in which the frame starts a run; create an interview's if needed.

        Raises: ShapeError for a chat's frame without a conversation, and as `_load_thread`.
        """
        begins_new = isinstance(frame, KickFrame) and frame.new
        if self._kind == "chat":
            if frame.conversation_id is None:
                raise ShapeError(
                    "not a valid frame: `conversation_id` is missing: create one with POST "
                    "/api/chat/conversations"
                )
            return await self._find_thread(frame.conversation_id)
        if frame.conversation_id is None:
            return await open_interview(self._app.service, self._user, begin_new=begins_new)
        if begins_new:
            raise ShapeError(
                "not a valid frame: `new` and `conversation_id` exclude each other: send one of "
                "them"
            )
        thread = await self._load_thread(frame.conversation_id)
        if thread.kind == "chat":
            return await make_interview(self._app.service, self._user, thread)
        return self._check_kind(thread)

    async def _find_thread(self, conversation_id: UUID) -> ThreadInfo:
        """Load a thread of this socket's kind. Raises: as `_load_thread` and `_check_kind`."""
        return self._check_kind(await self._load_thread(conversation_id))

    async def _load_thread(self, conversation_id: UUID) -> ThreadInfo:
        """Load the user's thread; called for every frame, because a thread may be erased meanwhile.

        Raises: AccessDenied for a missing one and another's alike.
        """
        try:
            return await self._app.store.load_thread(*self._user, str(conversation_id))
        except NotFoundError as error:
            raise AccessDenied(
                "no such conversation",
                hint="Check the id; only conversations of the same user are visible.",
            ) from error

    def _check_kind(self, thread: ThreadInfo) -> ThreadInfo:
        """Return the thread if it belongs to this kind of socket.

        Raises: ConflictError WRONG_KIND for a conversation of the other socket.
        """
        if thread.kind == self._kind:
            return thread
        # As if it did not exist: such threads are in no list.
        if thread.kind not in get_args(RunKind):  # a parsed text's, a helper's
            raise AccessDenied(
                "no such conversation",
                hint="Check the id; only conversations of the same user are visible.",
            )
        text = f"open this conversation at /ws/{thread.kind}"
        raise ConflictError(text, code=WRONG_KIND)

    async def _begin(self, thread: ThreadInfo, message: MessageFrame | None) -> None:
        """Submit a message, or let the interviewer speak first without one.

        Raises: as `check_choice`, `NewMessage.to_request` and `submit_message`.
        """
        run_request = RunRequest(None)
        if message is not None:
            caller = make_request(self._app, self._identity, self._app.service.pack, {})
            await check_choice(caller, self._app.service, message.model)
            run_request = message.to_request(self._app.settings, message.idempotency_key)
        replaces = None if message is None else message.replaces
        ticket = await submit_message(self._app, self._user, thread, run_request, replaces)
        # Before the view opens: its frames name a run, not the conversation that the client has to
        # switch to (test_a_websocket_reports_the_branchs_conversation).
        if ticket.thread_id != thread.thread_id:
            notice = {"type": "branch", "conversation_id": ticket.thread_id}
            await self._outlet.send(
                {**notice, "branch_of": thread.thread_id, "run_id": ticket.run_id}
            )
        usage = message is not None and message.usage
        self._views.open(ticket.run_id, ticket.thread_id, 0, tells_usage=usage)
