"""`/v1/responses`: create a response, continue an earlier one, read one, resume its stream."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from itertools import dropwhile, takewhile
from typing import Any, Final

from starlette.responses import JSONResponse, Response

from plainloop.agent.base.messages.contents import get_words
from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.errors import InputError, NotFoundError, RunCancelled
from plainloop.agent.events import WAITING, Event
from plainloop.agent.store.records import RunInfo
from plainloop.agent.types import Message, ToolSchema
from plainloop.server.http.endpoint import AppContext
from plainloop.server.http.sse import EventStream
from plainloop.server.protocols.conversations import (
    Conversations,
    PostedMessage,
    create_thread,
    read_history,
)
from plainloop.server.protocols.encoder import USAGE, collect_run, encode_events, show_run
from plainloop.server.protocols.pasts import append_all, join_answers
from plainloop.server.settings import ServerLimits

from .answers import Answer
from .asking import Wanted, act_for_user, find_by_key, go_on, read_model, settle_shown
from .chat import ask_in_words
from .responses import UNSTORED, ResponseEncoder, to_usage
from .shapes import ChatMessage, CompactBody, ResponseBody, ResponseQuery
from .threads import Opened, Posted, Started, follow, read_posted

_ALL: Final = "/v1/responses"
_ID: Final = re.compile(rf"resp_([0-9a-f]{{32}})(?:_([0-9]{{1,9}}))?(_{UNSTORED})?")

# The content of a compaction item: the id of a thread, and the number of its messages.
_COMPACTION: Final = re.compile(r"plainloop:([0-9a-f-]{36}):([0-9]{1,8})")


@dataclass(frozen=True, slots=True)
class ResponseRoutes:
    """Serves the Responses API. kept: the response of `store: false` that this connection may
    continue.
    """

    app: AppContext
    kept: str = ""

    def list_routes(self) -> tuple[ApiRoute, ...]:
        max_bytes = self.app.settings.get_table(ServerLimits).message_bytes
        named = "Compact a conversation into an item"
        return (
            ApiRoute(
                "POST",
                _ALL,
                self.create,
                "Ask an agent",
                max_bytes=max_bytes,
                ends_with_client=True,
            ),
            ApiRoute(
                *("POST", _ALL + "/compact", self.compact, named),
                max_bytes=max_bytes,
                ends_with_client=True,
            ),
            ApiRoute("GET", _ALL + "/{response_id}", self.read, "Read a response"),
            ApiRoute("POST", _ALL + "/{response_id}/cancel", self.cancel, "Cancel a response"),
            ApiRoute("GET", _ALL + "/{response_id}/input_items", self.refuse, "Not supported: 400"),
            ApiRoute("DELETE", _ALL + "/{response_id}", self.refuse, "Not supported: 400"),
        )

    async def create(self, request: ApiRequest, body: ResponseBody) -> EventStream | Response:
        answer = await self.begin(request, body)
        resource = answer.encoder.resource
        if body.background and not body.stream:  # every run continues without its client
            return JSONResponse(resource, headers=answer.started.headers)
        return await answer.serve(lambda _: resource, is_stream=bool(body.stream))

    async def begin(self, request: ApiRequest, body: ResponseBody) -> Answer[ResponseEncoder]:
        """Start or resume the run that a Responses request wants, and return its Answer.

        Raises: InputError, NotFoundError, and as `RunHost.submit`.
        """
        if body.background and body.store is False:
            wrong = "`background` needs `store`: the response is read later by its id"
            raise InputError(wrong, param="background")
        design = read_model(self.app, request, body.model)
        request = act_for_user(request)
        chats = Conversations(self.app, "responses")
        wanted = await Wanted.read(chats, request, body, body.messages, design)
        wanted = replace(wanted, conversation=body.previous_response_id or body.compaction)
        started = await self._start(request, chats, body, wanted)
        echo = {**body.echo, "tools": [to_tool(item) for item in wanted.options.client_tools]}
        arguments = (started.run_id, body.model, started.after)
        encoder = ResponseEncoder(*arguments, echo, notice=started.notice)
        return Answer(self.app, request, chats.space, wanted.posted, started, encoder)

    async def compact(self, request: ApiRequest, body: CompactBody) -> dict[str, Any]:
        """Store the conversation so far, and return an item to send instead of its items.

        It is stored here, and what a model sees of it is chosen here: nothing is summarised and no
        model is called.

        Raises: InputError, NotFoundError.
        """
        read_model(self.app, request, body.model)
        request = act_for_user(request)
        shown = [item for item in body.messages if item.role in ("user", "assistant")]
        posted = [PostedMessage(item.role, item.text, item.files) for item in shown]
        if body.previous_response_id is not None:
            run, _ = await self._load(request, body.previous_response_id, is_previous=True)
            stored = await request.store.load_messages(request.tenant_id, run.thread_id)
            ends = find_turn_end(stored, run.input_position)
            spoken = [(item["role"], get_words(item)) for item in stored[:ends]]
            if not posted:
                return to_compaction(run.thread_id, ends, spoken)
            posted = [
                *(PostedMessage(role, text) for role, text in spoken if role != "tool"),
                *posted,
            ]
        if not any(item.role == "user" for item in posted):
            raise InputError(
                "the request contains nothing to compact",
                hint="Send `input`, or a `previous_response_id`.",
                code="EMPTY_MESSAGE",
            )
        first = next(item.text for item in posted if item.role == "user")
        messages = await read_history(self.app, request, join_answers(posted))
        thread = await create_thread(request, first, history=messages)
        spoken = [(item["role"], get_words(item)) for item in messages]
        return to_compaction(thread.thread_id, len(messages), spoken)

    async def read(self, request: ApiRequest, query: ResponseQuery) -> EventStream | dict[str, Any]:
        request = act_for_user(request)
        run, after = await self._load(request, request.params["response_id"])
        model = f"{run.pack}/{run.design}"
        seen = -1 if query.starting_after is None else query.starting_after
        encoder = ResponseEncoder(run.run_id, model, after, starting_after=seen)
        if query.stream:
            batches = watch_response(self.app, request, run.run_id, encoder)
            return show_run(self.app, request, run.run_id, encoder, batches=batches)
        return await fold_resource(request, run, encoder)

    async def cancel(self, request: ApiRequest) -> dict[str, Any]:
        request = act_for_user(request)
        run, after = await self._load(request, request.params["response_id"], is_kept=True)
        model = f"{run.pack}/{run.design}"
        encoder = ResponseEncoder(run.run_id, model, after)
        resource = await fold_resource(request, run, encoder)
        active = await self.app.runs.find_active(*request.owner, run.thread_id)
        if active == run.run_id and not encoder.is_over:  # else another response would be stopped
            await self.app.runs.cancel(*request.owner, run.thread_id)
            await collect_run(self.app, request, run.run_id, ResponseEncoder(run.run_id, ""))
            encoder = ResponseEncoder(run.run_id, model, after)
            resource = await fold_resource(request, run, encoder)
        return {**resource, "id": request.params["response_id"]}

    async def refuse(self, request: ApiRequest) -> dict[str, Any]:
        """Refuse an operation on a response that is not supported.

        Raises: InputError, NotFoundError.
        """
        request = act_for_user(request)
        run, _ = await self._load(request, request.params["response_id"], is_kept=True)
        raise InputError(
            "reading a response's input items and deleting a single response are not supported",
            hint=f"Read or delete its conversation at /api/chat/conversations/{run.thread_id}.",
            code="unsupported_operation",
        )

    async def _start(
        self, request: ApiRequest, chats: Conversations, body: ResponseBody, wanted: Wanted
    ) -> Started:
        posted = wanted.posted
        opened = await find_by_key(request, wanted)
        if opened is None and body.compaction is not None:
            opened = await self._follow_compaction(request, chats, body.compaction)
            opened = await self._bring(request, chats, opened, posted.history)
        elif opened is None and body.previous_response_id is not None:
            run, after = await self._load(request, body.previous_response_id, is_previous=True)
            events = await request.store.load_events(request.tenant_id, run.run_id)
            new = posted.history  # all of the input follows the response that is named
            if questions := find_questions(events, after):
                shown = ChatMessage("assistant", ask_in_words(questions))
                posted = read_posted([shown, *body.messages])
            if started := await settle_shown(self.app, request, posted, wanted.options):
                return started
            opened = await self._follow(request, chats, run, posted)
            opened = await self._bring(request, chats, opened, new)
        elif opened is None:
            started = await settle_shown(self.app, request, posted, wanted.options)
            if started is not None:
                return started
        wanted = replace(wanted, posted=posted)
        return await go_on(self.app, request, chats, wanted, opened)

    async def _bring(
        self,
        request: ApiRequest,
        chats: Conversations,
        opened: Opened,
        new: Sequence[PostedMessage],
    ) -> Opened:
        """Store the input's messages before the newest one in a continued thread."""
        if not any(item.text.strip() or item.files for item in new):
            return opened
        unsaid = await append_all(chats, request, opened.thread, new)
        thread = await request.store.load_thread(*request.owner, opened.thread.thread_id)
        position = None if opened.position is None else thread.messages
        return replace(opened, thread=thread, position=position, unsaid=unsaid)

    async def _follow(
        self, request: ApiRequest, chats: Conversations, run: RunInfo, posted: Posted
    ) -> Opened:
        """The run's thread; where others followed it there, a branch that ends with it."""
        thread = await request.store.load_thread(*request.owner, run.thread_id)
        active = await self.app.runs.find_active(*request.owner, run.thread_id)
        if posted.answers or active == run.run_id:  # its response is named: it may be stopped
            return Opened(thread)
        stored = await request.store.load_messages(request.tenant_id, run.thread_id)
        return await follow(request, chats, thread, find_turn_end(stored, run.input_position))

    async def _follow_compaction(
        self, request: ApiRequest, chats: Conversations, name: str
    ) -> Opened:
        """The thread that it names; a branch, where others went on with it.

        Raises: NotFoundError, also for another user's.
        """
        match = _COMPACTION.fullmatch(name)
        if match is None:
            raise NotFoundError(
                "no such compaction",
                hint="Use the id that /v1/responses/compact returned.",
                code="compaction_not_found",
            )
        thread = await request.store.load_thread(*request.owner, match[1])
        return await follow(request, chats, thread, int(match[2]))

    async def _load(
        self,
        request: ApiRequest,
        response_id: str,
        *,
        is_previous: bool = False,
        is_kept: bool = False,
    ) -> tuple[RunInfo, int]:
        """Load a response's run, and the last event in earlier responses.

        Raises: NotFoundError, also for another user's, and for one with `store: false`.
        """
        code = "previous_response_not_found" if is_previous else "NOT_FOUND"
        missing = NotFoundError(
            f"no such response: {response_id[:80]}",
            hint="Check the id; only responses of the same user are visible.",
            code=code,
        )
        match = _ID.fullmatch(response_id)
        if match is None or (match[3] and not is_kept and response_id != self.kept):
            raise missing
        try:
            run = await request.store.load_run(*request.owner, match[1])
        except NotFoundError as error:
            raise missing from error
        return run, int(match[2] or 0)


def find_questions(events: Sequence[Event], after: int) -> list[dict[str, Any]]:
    """Return the approval requests with which a response ended.

    after: number of the last event before the response.
    """
    rest = dropwhile(lambda e: e["event"] not in WAITING, (e for e in events if e["seq"] > after))
    waiting = takewhile(lambda e: e["event"] in WAITING, rest)
    return [event["data"] for event in waiting if event["event"] == "approval_request"]


async def watch_response(
    app: AppContext, request: ApiRequest, run_id: str, encoder: ResponseEncoder
) -> AsyncGenerator[list[Event]]:
    """Yield a run's events until this response ends.

    A later response may continue the run.
    """
    async with aclosing(app.runs.watch_turn(*request.owner, run_id)) as batches:
        async for events in batches:
            yield events
            if encoder.is_over:
                return


async def fold_resource(
    request: ApiRequest, run: RunInfo, encoder: ResponseEncoder
) -> dict[str, Any]:
    """Build the API's response object from the run's stored events so far."""
    events = await request.store.load_events(request.tenant_id, run.run_id)
    encode_events(encoder, events)
    if events and events[-1]["event"] in WAITING:
        encoder.wait()
    is_cancelled = bool(events) and events[-1]["data"].get("code") == RunCancelled.code
    if is_cancelled and not encoder.is_over:
        encoder.resource["status"] = "cancelled"
    return encoder.resource


def find_turn_end(stored: Sequence[Message], position: int) -> int:
    """Return the position of the next user message after `position`, or the thread's end."""
    later = [n for n, item in enumerate(stored) if n > position and item["role"] == "user"]
    return later[0] if later else len(stored)


def to_compaction(thread_id: str, end: int, spoken: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Build a compaction, which replaces a conversation's items in later requests.

    It has the user's messages, and one item that stands for the whole conversation.
    """
    name = f"{thread_id.replace('-', '')}_{end}"
    users = [
        {
            "type": "message",
            "id": f"msg_{name}_{n}",
            "status": "completed",
            "role": "user",
            "content": [{"type": "input_text", "text": text}],
        }
        for n, (role, text) in enumerate(spoken)
        if role == "user"
    ]
    sealed = f"plainloop:{thread_id}:{end}"
    return {
        "id": f"resp_cmp_{name}",
        "object": "response.compaction",
        "created_at": int(time.time()),
        "output": [
            *users,
            {"type": "compaction", "id": f"cmp_{name}", "encrypted_content": sealed},
        ],
        "usage": to_usage(dict.fromkeys(USAGE, 0)),
    }


def to_tool(tool: ToolSchema) -> dict[str, Any]:
    """Convert a client's tool to the form in which a response lists it."""
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "strict": False,
    }
