"""`/api/agui/{agent}` for AG-UI's `HttpAgent`, and the four routes of CopilotKit's runtime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from starlette.responses import Response

from plainloop.agent.base.messages.contents import name_files
from plainloop.agent.base.messages.files import read_files
from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.errors import ConflictError, InputError, NotFoundError, ShapeError
from plainloop.agent.service.consents import read_consent
from plainloop.agent.service.runs import RunTicket
from plainloop.agent.store.api import StoredMessage, list_messages
from plainloop.agent.store.clients.names import Place, save_place
from plainloop.agent.store.records import ThreadInfo
from plainloop.agent.store.threads import load_last_run
from plainloop.server.http.endpoint import AppContext
from plainloop.server.http.sse import EVENT_STREAM, EventStream
from plainloop.server.protocols.agents import list_agents, read_agent
from plainloop.server.protocols.client_tools import make_answer, read_client_tools
from plainloop.server.protocols.conversations import Conversations
from plainloop.server.protocols.encoder import (
    Frame,
    list_questions,
    show_run,
    tell_ignored,
    to_data,
)
from plainloop.server.protocols.pasts import Newest, Placed, place_message
from plainloop.server.routes.streaming import CONVERSATION_HEADER
from plainloop.server.settings import ServerLimits

from ..openai.asking import find_seqs
from .encoder import AgUiEncoder
from .history import to_agui_messages
from .shapes import AgUiMessage, RunInput, StopInput, Stopped

PATH: Final = "/api/agui/{agent}"
KIT: Final = "/api/copilotkit"
_MOST_MESSAGES: Final = 1_000  # of one history


@dataclass(frozen=True, slots=True)
class AgUiRoutes:
    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        one, most = (
            KIT + "/agent/{agent}",
            self.app.settings.get_table(ServerLimits).message_bytes,
        )
        return (
            ApiRoute("POST", PATH, self.run, "Run an agent", max_bytes=most),
            ApiRoute(
                "GET",
                PATH + "/{thread_id}/messages",
                self.list_messages,
                "List a thread's messages",
            ),
            ApiRoute("GET", KIT + "/info", self.read_info, "List what the runtime serves"),
            ApiRoute("POST", one + "/run", self.run, "Run an agent", max_bytes=most),
            ApiRoute(
                "POST",
                one + "/connect",
                self.connect,
                "Stream past messages, then the live run",
                max_bytes=most,
            ),
            ApiRoute("POST", one + "/stop/{thread_id}", self.stop, "Stop the active run"),
        )

    @property
    def _chats(self) -> Conversations:
        return Conversations(self.app, "agui")

    async def run(self, request: ApiRequest, body: RunInput) -> EventStream:
        design = read_agent(self.app, request)
        if body.resume:
            return await self._resume(request, body)
        messages = read_messages(body.messages)
        if messages and messages[-1].role == "tool":
            return await self._answer_calls(request, body, messages)
        users = [n for n, item in enumerate(messages) if item.role == "user"]
        newest = messages[users[-1]] if users else None
        files = read_files(newest.files, request.settings) if newest else []
        if newest is None or not (newest.text.strip() or files):
            raise InputError(
                "the last message is not the user's",
                hint="Send a message with role `user` last.",
                code="EMPTY_MESSAGE",
            )
        key = self._chats.make_key(body.thread_id, body.run_id)
        known = await request.store.load_run_by_key(*request.owner, key)
        if known is None and newest is messages[-1]:
            if shown := await self._settle_typed(request, body, newest):
                return shown

        async def submit(placed: Placed) -> RunTicket:
            busy = await self._chats.choose_when_busy(request, placed.thread)
            tools = read_client_tools(self.app.service, body.tools)
            options = body.to_options(messages, tools, request.settings.limits)
            asked = placed.make_request(newest.text, files, request.settings)
            asked = replace(
                asked, idempotency_key=key, when_busy=busy, design=design, options=options
            )
            return await self.app.submit(*request.owner, placed.thread, asked)

        async def begin(thread: ThreadInfo, _: bool) -> RunTicket:
            before = [item.to_posted() for item in messages[: users[-1]] if item.is_said]
            said = Newest(newest.to_posted(), before)
            placed = await place_message(self._chats, request, thread, said, body.thread_id)
            return await submit(placed)

        if known is not None:  # sent again: joined, or refused if its content differs
            thread = await request.store.load_thread(*request.owner, known.thread_id)
            ticket = await submit(Placed(thread))
        else:
            title = newest.text.strip() or name_files(files)
            opening = partial(self._chats.open, request, body.thread_id, title)
            ticket = await self._chats.begin_in(request, body.thread_id, opening, begin)
        await self._chats.remember(request, ticket.run_id, newest.id)
        headers = tell_ignored(ticket.unused)
        return self._show(request, body, ticket.run_id, ticket.thread_id, headers=headers)

    async def list_messages(self, request: ApiRequest) -> list[Frame]:
        read_agent(self.app, request)
        thread = await self._chats.find(request, request.params["thread_id"])
        stored = await list_messages(request.db, thread.thread_id, _MOST_MESSAGES, None)
        return await self._to_shown(request, thread, stored)

    async def read_info(self, request: ApiRequest) -> dict[str, Any]:
        pack = self.app.service.pack
        agents = {
            name: {"name": name, "description": pack.title, "className": "HttpAgent"}
            for name in (*list_agents(self.app), pack.name)
        }
        threads = dict.fromkeys(("list", "inspect", "mutations", "realtimeMetadata"), False)
        return {
            "version": "1.75.0",
            "agents": agents,
            "mode": "sse",
            "threadEndpoints": threads,
            "suggestions": False,
            "audioFileTranscriptionEnabled": False,
            "a2uiEnabled": False,
            "openGenerativeUIEnabled": False,
            "telemetryDisabled": True,
        }

    async def connect(self, request: ApiRequest, body: RunInput) -> EventStream | Response:
        """Stream the messages so far as one finished run, then the active run, after a reload."""
        read_agent(self.app, request)
        names = {"threadId": body.thread_id, "runId": body.run_id}
        try:
            thread = await self._chats.find(request, body.thread_id)
        except NotFoundError:
            return make_stream([])
        active = await self.app.runs.find_active(*request.owner, thread.thread_id)
        stored = await list_messages(request.db, thread.thread_id, _MOST_MESSAGES, None)
        past = [item for item in stored if item.role == "user" or item.run_id != active]
        shown = await self._to_shown(request, thread, past)
        frames: list[Frame] = [
            {"type": "RUN_STARTED", **names},
            {"type": "MESSAGES_SNAPSHOT", "messages": shown},
            {"type": "RUN_FINISHED", **names},
        ]
        if active is None:
            return make_stream(frames)
        is_old = body.protocol_version is None
        encoder = AgUiEncoder(active, body.thread_id, active, shown, is_old=is_old)
        return show_run(self.app, request, active, encoder, opening=frames)

    async def stop(self, request: ApiRequest, body: StopInput) -> Stopped:
        read_agent(self.app, request)
        thread = await self._chats.find(request, request.params["thread_id"])
        return Stopped(await self.app.runs.cancel(*request.owner, thread.thread_id) is not None)

    async def _resume(self, request: ApiRequest, body: RunInput) -> EventStream:
        """Decide all pending approvals as the client answers. Raises: ConflictError without any."""
        runs = self.app.runs
        thread, run_id = await self._find_run(request, body)
        answers = {item.interrupt_id: item.is_approved for item in body.resume or []}
        told = await request.store.load_events(request.tenant_id, run_id)
        after = 0
        for event in (event for event in told if event["event"] == "approval_request"):
            approval_id = event["data"]["approval_id"]
            if approval_id in answers:
                decision = (approval_id, answers[approval_id], request.user_id)
                await runs.decide_approval(*request.owner, run_id, *decision)
                after = event["seq"]
        if not after:
            raise ConflictError(
                "there is no pending interrupt with this id",
                hint="Reload the thread; the interrupt was answered or has expired.",
                code="NO_INTERRUPT",
            )
        return self._show(request, body, run_id, thread.thread_id, after)

    async def _settle_typed(
        self, request: ApiRequest, body: RunInput, newest: AgUiMessage
    ) -> EventStream | None:
        """Let a typed yes or no decide pending approvals; ask again after any other message.

        Returns None if nothing is pending, or the message replaces an earlier one.
        """
        runs, owner = self.app.runs, request.owner
        try:
            thread, run_id = await self._find_run(request, body)
        except NotFoundError:
            return None
        asked = [i for i in await runs.list_approvals(*owner, run_id) if not i.is_client]
        if not asked:
            return None
        known = await self._chats.load_positions(request, thread.thread_id)
        pending = [item for item in asked if item.status == "pending"]
        is_again = newest.id in known  # without a position: it was such a reply
        if known.get(newest.id) is not None or not (pending or (is_again and asked)):
            return None
        approve = None if newest.files or is_again else read_consent(newest.text)
        if newest.id:
            async with request.store.transaction(request.tenant_id) as tx:
                named = (request.user_id, self._chats.name_messages(thread.thread_id), newest.id)
                await save_place(tx, *named, Place(thread.thread_id, None))
        told = await request.store.load_events(request.tenant_id, run_id)
        if approve is not None:
            for item in pending:
                decision = (item.approval_id, approve, request.user_id)
                await runs.decide_approval(*owner, run_id, *decision)
        is_open = approve is None and bool(pending)
        after = find_seqs(told, pending)[0] - 1 if is_open else find_seqs(told, asked)[-1]
        return self._show(request, body, run_id, thread.thread_id, max(after, 0))

    async def _answer_calls(
        self, request: ApiRequest, body: RunInput, messages: Sequence[AgUiMessage]
    ) -> EventStream:
        """Deliver the results of the client's tools. Raises: ConflictError if none is pending."""
        runs = self.app.runs
        thread, run_id = await self._find_run(request, body)
        results = {item.tool_call_id: item for item in messages if item.role == "tool"}
        told = await request.store.load_events(request.tenant_id, run_id)
        after = 0
        for event in list_questions(told):
            result = results.get(event["data"]["id"])
            if event["event"] == "tool_request" and result is not None:
                answer = make_answer(result.error or result.text, is_error=bool(result.error))
                await runs.answer_call(*request.owner, run_id, event["data"]["id"], answer)
                after = event["seq"]
        if not after:
            raise ConflictError(
                "no tool call is waiting for this result",
                hint="Reload the thread; the call was answered or has expired.",
                code="NO_CALL",
            )
        return self._show(request, body, run_id, thread.thread_id, after)

    async def _find_run(self, request: ApiRequest, body: RunInput) -> tuple[ThreadInfo, str]:
        """Return the thread and its active run, else its last one."""
        thread = await self._chats.find(request, body.thread_id)
        active = await self.app.runs.find_active(*request.owner, thread.thread_id)
        last = active or await load_last_run(request.db, request.user_id, thread.thread_id)
        return thread, last

    async def _to_shown(
        self, request: ApiRequest, thread: ThreadInfo, stored: Sequence[StoredMessage]
    ) -> list[Frame]:
        names = await self._chats.list_names(request, thread.thread_id)
        return to_agui_messages(thread.thread_id, stored, names)

    def _show(
        self,
        request: ApiRequest,
        body: RunInput,
        run_id: str,
        thread_id: str,
        after: int = 0,
        headers: Mapping[str, str] | None = None,
    ) -> EventStream:
        history = [
            {key: value for key, value in message.items() if value is not None}
            for message in body.messages
        ]
        is_old = body.protocol_version is None
        encoder = AgUiEncoder(run_id, body.thread_id, body.run_id, history, is_old=is_old)
        told = {CONVERSATION_HEADER: thread_id, **(headers or {})}
        return show_run(self.app, request, run_id, encoder, after=after, headers=told)


def read_messages(told: Sequence[dict[str, Any]]) -> list[AgUiMessage]:
    """Convert posted data to AG-UI messages. Raises: ShapeError."""
    try:
        return msgspec.convert(told, list[AgUiMessage])
    except msgspec.ValidationError as error:
        raise ShapeError(
            f"the messages have the wrong shape: {error}",
            hint="docs/frontends.md shows their form.",
        ) from error


def make_stream(frames: Sequence[Frame]) -> Response:
    """Build a stream response from a complete list of frames."""
    return Response(b"".join(map(to_data, frames)), media_type=EVENT_STREAM)
