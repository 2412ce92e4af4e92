"""`/api/ui/{agent}/chat`: what `useChat` and `DefaultChatTransport` of the AI SDK ask.

A chat is named by its client; the first message begins it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from starlette.responses import PlainTextResponse

from plainloop.agent.base.messages.contents import name_files
from plainloop.agent.base.messages.files import read_files
from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.errors import AgentError, InputError, NotFoundError
from plainloop.agent.store.api import list_messages
from plainloop.agent.store.approvals import choose_pending
from plainloop.agent.store.outcomes.ratings import list_ratings
from plainloop.agent.store.records import Approval, ThreadInfo
from plainloop.server.http.drafts import find_drafts
from plainloop.server.http.endpoint import AppContext, build_error_headers
from plainloop.server.http.error_table import get_mapping, to_words
from plainloop.server.http.sse import EventStream
from plainloop.server.protocols.agents import read_agent
from plainloop.server.protocols.client_tools import make_answer, read_client_tools
from plainloop.server.protocols.conversations import Conversations
from plainloop.server.protocols.encoder import list_questions, show_run, tell_ignored
from plainloop.server.protocols.pasts import Newest, Placed, place_message
from plainloop.server.routes.streaming import CONVERSATION_HEADER
from plainloop.server.settings import ServerLimits, ServerSettings

from ..openai.asking import settle_shown
from ..openai.chat import ask_in_words
from ..openai.shapes import ChatMessage
from ..openai.threads import Posted, read_posted
from .encoder import UiEncoder, read_message_id
from .history import to_ui_messages
from .shapes import UiMessage, UiQuery, UiRequest, UiStopped, read_version

PATH: Final = "/api/ui/{agent}/chat"
ONE: Final = PATH + "/{chat_id}"
HEADERS: Final = {"x-vercel-ai-ui-message-stream": "v1"}
_MOST_MESSAGES: Final = 1_000  # of one history
_FRESH: Final = "submit-message"


def tell_error(error: AgentError) -> PlainTextResponse:
    """Build the plain-text error response that the AI SDK shows to users."""
    status = get_mapping(error).status
    return PlainTextResponse(to_words(error), status, build_error_headers(error))


@dataclass(frozen=True, slots=True)
class UiTurn:
    """The run that answers a request.

    after: the last event that an earlier stream has sent. typed_after: the last event before the
    message that a typed decision began; 0: the run has one message. notice: that message's first
    text.
    """

    run_id: str
    thread_id: str
    after: int = 0
    typed_after: int = 0
    notice: str = ""
    unused: Sequence[str] = ()  # preferences that no model is told of


@dataclass(frozen=True, slots=True)
class UiRoutes:
    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute(
                "POST",
                PATH,
                self.post,
                "Send a message, decide an approval, or regenerate an answer",
                max_bytes=self.app.settings.get_table(ServerLimits).message_bytes,
            ),
            ApiRoute("GET", ONE + "/stream", self.resume, "Watch the active run from its start"),
            ApiRoute("POST", ONE + "/stop", self.stop, "Stop the active run"),
            ApiRoute("GET", ONE + "/messages", self.list_messages, "Read the chat as UIMessage[]"),
        )

    @property
    def _chats(self) -> Conversations:
        return Conversations(self.app, "ui")

    async def post(self, request: ApiRequest, query: UiQuery, body: UiRequest) -> EventStream:
        return self._show(request, query, await self.begin(request, body))

    async def begin(self, request: ApiRequest, body: UiRequest) -> UiTurn:
        """Start the run that answers the posted message, or resume a waiting one.

        Raises: InputError, NotFoundError, ConflictError, and as `RunHost.submit`.
        """
        design = read_agent(self.app, request)
        newest = body.shown[-1]
        if newest.role == "assistant":
            return await self._go_on(request, body.id, newest)
        posted = await self._read_posted(request, body)
        is_again = body.trigger != _FRESH or body.message_id is not None
        is_reply = posted.decision is not None or not is_again
        started = await settle_shown(self.app, request, posted) if is_reply else None
        if started is not None:
            told = (started.run_id, started.thread_id, started.after, started.after)
            return UiTurn(*told, notice=started.notice)
        text, files = newest.text, read_files(newest.files, request.settings)
        if not text.strip() and not files:
            raise InputError("the message is empty", hint="Write a question.", code="EMPTY_MESSAGE")
        title = text.strip() or name_files(files)

        async def begin(thread: ThreadInfo, _: bool) -> UiTurn:
            placed = await self._place(request, thread, body, posted)
            thread = placed.thread
            busy = await self._chats.choose_when_busy(request, thread)
            key = self._chats.make_key(thread.thread_id, newest.id) if newest.id else None
            tools = read_client_tools(self.app.service, body.told_tools)
            options = body.to_options(tools, request.settings.limits)
            asked = placed.make_request(text, files, request.settings)
            asked = replace(
                asked, idempotency_key=key, when_busy=busy, design=design, options=options
            )
            ticket = await self.app.submit(*request.owner, thread, asked)
            await self._chats.remember(request, ticket.run_id, newest.id)
            return UiTurn(ticket.run_id, thread.thread_id, unused=ticket.unused)

        opening = partial(self._chats.open, request, body.id, title)
        return await self._chats.begin_in(request, body.id, opening, begin)

    async def _read_posted(self, request: ApiRequest, body: UiRequest) -> Posted:
        """Read the posted messages, with a typed yes or no to pending questions.

        For a client that sends only the newest message, the questions are the run's. Raises:
        ConflictError if it is not clear.
        """
        told: list[ChatMessage] = []
        for item in body.shown:  # with what its parts ask
            ids = [about["id"] for about, state in item.approvals if state == "approval-requested"]
            told.append(ChatMessage(item.role, item.text + (_ask(ids) if ids else "")))
        asked: list[Approval] = []
        if len(told) == 1:
            with suppress(NotFoundError):
                thread = await self._chats.find(request, body.id)
                asked = await self._chats.list_questions(request, thread)
        if pending := [i.approval_id for i in asked if i.status == "pending" and not i.is_client]:
            told.insert(0, ChatMessage("assistant", _ask(pending)))
        names = [*([""] if pending else []), *(item.id for item in body.shown)]
        posted = read_posted(told, names)
        if pending and posted.decision is not None:
            choose_pending(asked)
        return posted

    async def resume(self, request: ApiRequest, query: UiQuery) -> EventStream | None:
        """Stream the chat's active run again.

        None (204) if nothing runs.
        """
        turn = await self.find_running(request)
        return None if turn is None else self._show(request, query, turn)

    async def find_running(self, request: ApiRequest) -> UiTurn | None:
        """Return the chat's active run, to stream it from its first event.

        None without one.
        """
        read_agent(self.app, request)
        with suppress(NotFoundError):
            thread = await self._find(request)
            run_id = await self.app.runs.find_active(*request.owner, thread.thread_id)
            if run_id is not None:
                return UiTurn(run_id, thread.thread_id)
        return None

    async def stop(self, request: ApiRequest) -> UiStopped:
        read_agent(self.app, request)
        thread = await self._find(request)
        return UiStopped(await self.app.runs.cancel(*request.owner, thread.thread_id) is not None)

    async def list_messages(self, request: ApiRequest, query: UiQuery) -> list[dict[str, Any]]:
        read_agent(self.app, request)
        thread = await self._find(request)
        stored = await list_messages(request.db, thread.thread_id, _MOST_MESSAGES, None)
        names = await self._chats.list_names(request, thread.thread_id)
        asked = await self._chats.list_questions(request, thread)
        by_call = {item.tool_call_id: item for item in asked}
        version = self.read_version(request, query)
        rated = {r.run_id: r.rating for r in await list_ratings(request.db, thread.thread_id)}
        return to_ui_messages(thread.thread_id, stored, names, by_call, rated, version)

    async def _go_on(self, request: ApiRequest, chat_id: str, answer: UiMessage) -> UiTurn:
        """Apply the client's decisions on its own message's calls; ignore the rest of the message.

        Raises: NotFoundError, ConflictError; InputError where nothing was decided.
        """
        runs = self.app.runs
        thread = await self._chats.find(request, chat_id)
        run_id, typed_after = read_message_id(answer.id)
        run = await request.store.load_run(*request.owner, run_id)
        if run.thread_id != thread.thread_id:
            raise NotFoundError(
                "no such message in this chat", hint="Reload the chat and use an id that it lists."
            )
        outputs = dict(_read_outputs(answer))
        decided: dict[str, tuple[bool, str]] = {}  # by the approval's id: whether, and why not
        for told, _ in answer.approvals:
            if isinstance(told.get("approved"), bool):
                reason = "" if told["approved"] else told.get("reason")
                reason = reason if isinstance(reason, str) else ""
                decided[told["id"]] = (told["approved"], reason)
        events = await request.store.load_events(request.tenant_id, run.run_id)
        after = 0
        for event in list_questions(events):
            approval_id, call_id = event["data"].get("approval_id"), event["data"]["id"]
            if approval_id is None and call_id in outputs:
                await runs.answer_call(*request.owner, run.run_id, call_id, outputs[call_id])
            elif approval_id in decided:
                approve, reason = decided[approval_id]
                decision = (approval_id, approve, request.user_id, reason)
                await runs.decide_approval(*request.owner, run.run_id, *decision)
            else:
                continue
            after = event["seq"]
        if not after:
            raise InputError(
                "the message contains no decision",
                hint="Approve or deny the pending tool call.",
                code="NOTHING_DECIDED",
            )
        return UiTurn(run.run_id, thread.thread_id, after, typed_after)

    async def _place(
        self, request: ApiRequest, thread: ThreadInfo, body: UiRequest, posted: Posted
    ) -> Placed:
        """Return the thread for the newest message, or a branch if it replaces an earlier one."""
        newest, is_again = body.shown[-1], body.trigger != _FRESH
        is_cut = is_again or body.message_id is not None
        if newest.id and not is_cut:
            key = self._chats.make_key(thread.thread_id, newest.id)
            if await request.store.load_run_by_key(*request.owner, key) is not None:
                return Placed(thread)  # sent again: joined, or refused where it says something else
        position = None
        if is_again and body.message_id is not None:
            with suppress(NotFoundError):  # an answer's id is its run's
                run = await request.store.load_run(*request.owner, body.message_id)
                if run.thread_id == thread.thread_id:
                    position = run.input_position
        shown = {item.id: item for item in body.shown if item.id}
        before = [shown[item.id].to_posted() if item.id else item for item in posted.history]
        said = Newest(newest.to_posted(), before, is_cut, position)
        return await place_message(self._chats, request, thread, said, body.id)

    def make_encoder(self, turn: UiTurn, version: int) -> UiEncoder:
        return UiEncoder(
            *(turn.run_id, turn.thread_id, version, find_drafts(self.app.service.pack)),
            typed_after=turn.typed_after,
            is_continued=turn.after > turn.typed_after,
            notice=turn.notice,
        )

    def read_version(self, request: ApiRequest, query: UiQuery) -> int:
        return read_version(
            query.ai_sdk, request.headers, request.settings.get_table(ServerSettings).ai_sdk
        )

    def _show(self, request: ApiRequest, query: UiQuery, turn: UiTurn) -> EventStream:
        encoder = self.make_encoder(turn, self.read_version(request, query))
        headers = {**HEADERS, CONVERSATION_HEADER: turn.thread_id, **tell_ignored(turn.unused)}
        return show_run(self.app, request, turn.run_id, encoder, after=turn.after, headers=headers)

    async def _find(self, request: ApiRequest) -> ThreadInfo:
        return await self._chats.find(request, request.params["chat_id"])


def _ask(approval_ids: Sequence[str]) -> str:
    return ask_in_words([{"approval_id": item, "question": ""} for item in approval_ids])


def _read_outputs(answer: UiMessage) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (call id, result) for each tool output in the answer's parts."""
    for part in answer.parts:
        call_id, state = part.get("toolCallId"), part.get("state")
        if isinstance(call_id, str) and state in ("output-available", "output-error"):
            is_error = state == "output-error"
            content = part.get("errorText") if is_error else part.get("output")
            yield call_id, make_answer(content, is_error=is_error)
