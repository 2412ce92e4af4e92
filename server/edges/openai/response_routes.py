"""`/v1/responses`: ask, go on from an earlier response, read one again, take its stream up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ....agent.base.files import read_files
from ....agent.core.api import ApiRequest, ApiRoute
from ....agent.errors import NotFoundError
from ....agent.store.records import RunInfo, ThreadInfo
from ....agent.types import ToolSchema
from ...http.endpoint import Surroundings
from ...http.sse import EventStream
from ...routes.streaming import make_run_error, read_idempotency_key
from ..client_tools import read_client_tools
from ..conversations import Conversations, create_thread, import_history
from ..encoder import collect_run, encode_events, show_run
from .asking import Started, act_for_user, find_by_key, go_on, read_model
from .chat import ASK
from .responses import ResponseEncoder
from .shapes import ChatMessage, ResponseBody, ResponseQuery
from .threads import read_posted

_ID: Final = re.compile(r"resp_([0-9a-f]{32})(?:_([0-9]{1,9}))?")


@dataclass(frozen=True, slots=True)
class ResponseRoutes:
    around: Surroundings

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute(
                *("POST", "/v1/responses", self.create, "Ask an agent"),
                max_bytes=self.around.settings.limits.message_bytes,
            ),
            ApiRoute("GET", "/v1/responses/{response_id}", self.read, "Read a response again"),
            ApiRoute("POST", "/v1/responses/{response_id}/cancel", self.cancel, "Stop its run"),
        )

    async def create(self, request: ApiRequest, body: ResponseBody) -> EventStream | dict[str, Any]:
        design = read_model(self.around, request, body.model)
        request = act_for_user(request)
        tools = read_client_tools(self.around.service, body.functions)
        started = await self._start(request, body, design, tools)
        echo: dict[str, Any] = {
            "previous_response_id": body.previous_response_id,
            "instructions": body.instructions,
            "metadata": body.metadata or {},
            "tools": [to_tool(item) for item in tools],
        }
        encoder = ResponseEncoder(started.run_id, body.model, started.after, echo)
        if body.stream:
            return show_run(self.around, request, started.run_id, encoder)
        frames, last = await collect_run(self.around, request, started.run_id, encoder)
        if frames[-1]["type"] == "response.failed":
            raise make_run_error(last)
        return encoder.resource

    async def read(self, request: ApiRequest, query: ResponseQuery) -> EventStream | dict[str, Any]:
        run, after = await self._load(request, request.params["response_id"])
        model = f"{run.pack}/{run.design}"
        seen = -1 if query.starting_after is None else query.starting_after
        encoder = ResponseEncoder(run.run_id, model, after, starting_after=seen)
        if query.stream:
            return show_run(self.around, request, run.run_id, encoder)
        events = await request.store.load_events(request.tenant_id, run.run_id)
        encode_events(encoder, events)
        return encoder.resource

    async def cancel(self, request: ApiRequest) -> dict[str, Any]:
        run, _ = await self._load(request, request.params["response_id"])
        user = (request.tenant_id, request.user_id)
        if await self.around.runs.find_active(*user, run.thread_id) == run.run_id:
            await self.around.runs.cancel(*user, run.thread_id)
        answer = await self.read(request, ResponseQuery())
        assert isinstance(answer, dict)
        return answer

    async def _start(
        self, request: ApiRequest, body: ResponseBody, design: str, tools: Sequence[ToolSchema]
    ) -> Started:
        messages, user = body.messages, (request.tenant_id, request.user_id)
        chats = Conversations(self.around, "responses")
        key = read_idempotency_key(request)
        if key and (known := await find_by_key(request, key, read_posted(messages))):
            return known
        if body.previous_response_id is None:
            posted = read_posted(messages)
            thread = await create_thread(request, posted.users[-1] if posted.users else "")
            await import_history(request, thread, posted.history)
        else:
            run, _ = await self._load(request, body.previous_response_id, is_previous=True)
            asked = await self.around.runs.list_approvals(*user, run.run_id)
            if any(item.status == "pending" for item in asked):
                messages = [ChatMessage("assistant", ASK), *messages]
            posted = read_posted(messages)
            if posted.is_going_on:
                return await go_on(self.around, request, run.thread_id, posted)
            thread = await self._follow(request, chats, run)
        busy = await chats.choose_when_busy(request, thread)
        ticket = await self.around.submit(
            *(*user, thread, posted.users[-1], key, busy),
            design=design,
            client_tools=tools,
            tells_reasoning=body.tells_reasoning,
            files=read_files(posted.files, request.settings),
        )
        return Started(ticket.run_id, thread.thread_id)

    async def _follow(self, request: ApiRequest, chats: Conversations, run: RunInfo) -> ThreadInfo:
        """The run's thread; where others followed it there, a branch that ends with it."""
        user = (request.tenant_id, request.user_id)
        thread = await request.store.load_thread(*user, run.thread_id)
        stored = await request.store.load_messages(request.tenant_id, run.thread_id)
        places = [n for n, item in enumerate(stored) if item["role"] == "user"]
        later = [place for place in places if place > run.input_position]
        return await chats.fork(request, thread, later[0], None) if later else thread

    async def _load(
        self, request: ApiRequest, response_id: str, *, is_previous: bool = False
    ) -> tuple[RunInfo, int]:
        """The response's run, and what earlier responses had told of it.

        Raises: NotFoundError, also for another user's.
        """
        code = "previous_response_not_found" if is_previous else "NOT_FOUND"
        missing = NotFoundError(f"no such response: {response_id[:80]}", code=code)
        match = _ID.fullmatch(response_id)
        if match is None:
            raise missing
        try:
            run = await request.store.load_run(request.tenant_id, request.user_id, match[1])
        except NotFoundError as error:
            raise missing from error
        return run, int(match[2] or 0)


def to_tool(tool: ToolSchema) -> dict[str, Any]:
    """As the resource repeats it."""
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "strict": False,
    }
