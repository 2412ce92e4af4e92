"""`tools/call`: a read at once, everything else as a run, which outlives whoever asked for it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any, Final, TypeVar, cast

import msgspec
import orjson
from msgspec import Meta, Struct

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.core.api import ApiRequest
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.designs.one_call import NAME as ONE_CALL
from plainloop.agent.errors import AgentError, ConflictError, InputError, NotFoundError
from plainloop.agent.events import TERMINAL, WAITING, Event
from plainloop.agent.mcp.forms import check_content, load_fields
from plainloop.agent.service.runs import RunTicket
from plainloop.agent.store.records import Approval, RunInfo, ThreadInfo
from plainloop.agent.types import RunRequest
from plainloop.server.http.endpoint import AppContext
from plainloop.server.protocols.conversations import begin_once
from plainloop.server.protocols.encoder import encode_events
from plainloop.server.protocols.json_rpc import (
    INTERNAL,
    INVALID_PARAMS,
    Message,
    Rpc,
    RpcError,
    RpcId,
    to_answer,
)
from plainloop.server.routes.streaming import read_idempotency_key

from .catalog import ASK_PREFIX, GET_RUN, find_tools
from .encoder import RunEncoder, to_failure, to_result, to_tool_result
from .eras import Era

T = TypeVar("T", bound=Struct)
TITLE: Final = "{name} (over MCP)"


class AskArguments(Struct, forbid_unknown_fields=True):
    message: Annotated[str, Meta(min_length=1)]
    thread_id: str | None = None
    cancel_on_disconnect: bool = False


class GetRunArguments(Struct, forbid_unknown_fields=True):
    run_id: str


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer that is streamed: a run from an event on."""

    run_id: str
    encoder: RunEncoder
    batches: AsyncGenerator[list[Event]]

    def make_unfinished(self) -> RpcError:
        """Build the error for a tool call whose stream ended before its run.

        The run continues. Sent again without an idempotency key, the call would begin a second run.
        """
        reason = f"the run {self.run_id} is not finished, and it goes on: read it with {GET_RUN}"
        return RpcError(INTERNAL, reason, {"run_id": self.run_id}, status=503)


@dataclass(frozen=True, slots=True)
class ToolCalls:
    """Serves the tool calls of the requesting user."""

    app: AppContext
    request: ApiRequest

    async def call(self, rpc: Rpc, era: Era) -> Message | Shown:
        """Answer a `tools/call` with its result, or with the stream of the run that it started.

        The stream's end is then the answer. An error that the model can fix is a result with
        `isError`. Raises: RpcError.
        """
        name: Any = rpc.params.get("name")
        arguments: Any = rpc.params.get("arguments") or {}
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise RpcError(
                INVALID_PARAMS, "tools/call needs a `name`, and an object as `arguments`"
            )
        tool_arguments = cast("dict[str, Any]", arguments)
        try:
            if "requestState" in rpc.params:
                return await self._go_on(rpc, era, name, tool_arguments)
            return await self._begin(rpc, era, name, tool_arguments)
        except AgentError as error:
            hint = f" {error.hint}" if error.hint else ""
            failed = to_failure(f"{error.public_message} [{error.code}]{hint}")
            return to_answer(rpc.id, to_result(failed, era))

    async def _begin(
        self, rpc: Rpc, era: Era, name: str, arguments: dict[str, Any]
    ) -> Message | Shown:
        service = self.app.service
        if name == GET_RUN:
            wanted = _read(arguments, GetRunArguments)
            return to_answer(rpc.id, to_result(await self._tell_run(wanted.run_id, era), era))
        if name == f"{ASK_PREFIX}{service.design.name}":
            return await self._ask(rpc, era, _read(arguments, AskArguments))
        offered = find_tools(service).get(name)
        if offered is None:
            raise RpcError(
                INVALID_PARAMS,
                f"unknown tool {name[:80]!r}: tools/list shows all tools",
                status=200,
            )
        if offered.tool.effect == "read" and not offered.tool.needs_approval:
            host = service.make_host(*self.request.owner, offered.pack)
            returned = await host.execute(offered.tool.name, arguments)
            is_error = isinstance(returned, dict) and "error" in returned
            result = {**to_tool_result(returned), "isError": is_error}
            return to_answer(rpc.id, to_result(result, era))
        text = orjson.dumps({"tool": name, "arguments": arguments}).decode()
        run_id, thread_id = await self._submit(text, None, TITLE.format(name=name), ONE_CALL)
        return self._show(rpc, era, run_id, thread_id, is_one_call=True)

    async def _ask(self, rpc: Rpc, era: Era, wanted: AskArguments) -> Shown:
        run_id, thread_id = await self._submit(wanted.message, wanted.thread_id, "", None)
        shown = self._show(rpc, era, run_id, thread_id)
        if not wanted.cancel_on_disconnect:
            return shown
        batches = self._cancelling(shown.batches, thread_id)
        return Shown(run_id, shown.encoder, batches)

    async def _submit(
        self, text: str, thread_id: str | None, title: str, design: str | None
    ) -> tuple[str, str]:
        """Start a run for a tool call; return (run id, thread id). Raises: AgentError."""
        key = read_idempotency_key(self.request)

        async def submit(thread: ThreadInfo) -> RunTicket:
            run_request = RunRequest(text, idempotency_key=key, design=design)
            return await self.app.submit(*self.request.owner, thread, run_request)

        named = (key, thread_id, title or text)
        ticket = await begin_once(self.app, self.request, *named, submit)
        return ticket.run_id, ticket.thread_id

    async def _go_on(
        self, rpc: Rpc, era: Era, name: str, arguments: dict[str, Any]
    ) -> Message | Shown:
        """Continue a run by the client's answers to its questions.

        The sent state only names the run: whose it is and what is pending is read from the
        database.
        """
        run = await self._load_waiting(str(rpc.params["requestState"]), name, arguments)
        decided = as_object(rpc.params.get("inputResponses"))
        for approval in await self.app.runs.list_approvals(*self.request.owner, run.run_id):
            reply = as_object(decided.get(approval.approval_id))
            if approval.status == "pending" and reply.get("action") in ("accept", "decline"):
                await self._decide(approval, reply)
        is_one_call = run.design == ONE_CALL
        return self._show(rpc, era, run.run_id, run.thread_id, is_one_call=is_one_call)

    async def _decide(self, approval: Approval, reply: dict[str, Any]) -> None:
        """Approve or deny a question as the client's user replied. Raises: ConflictError."""
        is_accepted = reply.get("action") == "accept"
        named = (approval.run_id, approval.tool_name, approval.arguments)
        fields = await load_fields(self.request.db, *named)
        is_filled = is_accepted and fields is not None
        content = check_content(fields, reply.get("content")) if is_filled else None
        decision = (approval.run_id, approval.approval_id, is_accepted, self.request.user_id)
        await self.app.runs.decide_approval(*self.request.owner, *decision, content=content)

    async def take_answer(self, answer: Rpc) -> None:
        """Deliver the client's answer to a question that was sent during its tool call.

        Only older MCP clients answer so. Raises: RpcError if that question is not pending.
        """
        run_id, _, approval_id = str(answer.id).partition("/")
        try:
            listed = await self.app.runs.list_approvals(*self.request.owner, run_id)
            [approval] = [item for item in listed if item.approval_id == approval_id]
            try:
                await self._decide(approval, as_object(answer.result))
            except InputError:
                await self._decide(approval, {})
        except (AgentError, ValueError) as error:
            raise RpcError(
                INVALID_PARAMS,
                "the request with this id was decided or has expired: call the tool again",
            ) from error

    async def _load_waiting(self, run_id: str, name: str, arguments: dict[str, Any]) -> RunInfo:
        """Load the user's run if it is of this very call. Raises: RpcError."""
        try:
            run = await self.request.store.load_run(*self.request.owner, run_id)
        except NotFoundError as error:
            raise RpcError(
                INVALID_PARAMS, "this requestState is unknown: send the call again without it"
            ) from error
        begun = await self.request.store.load_messages(
            self.request.tenant_id, run.thread_id, max_tokens=0, until_position=run.input_position
        )
        text = get_text(begun[-1])
        if run.design == ONE_CALL:
            is_same = orjson.loads(text) == {"tool": name, "arguments": arguments}
        else:
            message = str(arguments.get("message", "")).strip()
            is_same = name.startswith(ASK_PREFIX) and message == text.strip()
        if not is_same:
            raise RpcError(
                INVALID_PARAMS,
                "this requestState belongs to another call: send it only with that call",
            )
        return run

    def _show(
        self, rpc: Rpc, era: Era, run_id: str, thread_id: str, *, is_one_call: bool = False
    ) -> Shown:
        token = rpc.meta.get("progressToken")
        encoder = RunEncoder(
            cast(RpcId, rpc.id), era, run_id, thread_id, token, is_one_call=is_one_call
        )
        runs = self.app.runs
        watch = runs.watch_batches if era.asks_inline else runs.watch_turn
        batches = watch(*self.request.owner, run_id)
        if era.can_ask or era.asks_inline:
            batches = self._reading_forms(batches, encoder, era)
        return Shown(run_id, encoder, batches)

    async def _reading_forms(
        self, batches: AsyncGenerator[list[Event]], encoder: RunEncoder, era: Era
    ) -> AsyncGenerator[list[Event]]:
        """Yield the batches; load the form of each question, and ask inline if the client can."""
        async with aclosing(batches):
            async for batch in batches:
                for data in (e["data"] for e in batch if e["event"] == "approval_request"):
                    named = (encoder.run_id, data["name"], data["arguments"])
                    fields = await load_fields(self.request.db, *named)
                    if fields is not None:
                        encoder.fields[data["approval_id"]] = fields
                    if era.asks_inline:
                        listed = await self.app.runs.list_approvals(
                            *self.request.owner, encoder.run_id
                        )
                        pending = [i.approval_id for i in listed if i.status == "pending"]
                        encoder.asking.update(pending)
                yield batch

    async def _tell_run(self, run_id: str, era: Era) -> Message:
        """Describe a run from its stored events. Raises: NotFoundError."""
        run = await self.request.store.load_run(*self.request.owner, run_id)
        is_one_call = run.design == ONE_CALL
        encoder = RunEncoder(None, era, run.run_id, run.thread_id, is_one_call=is_one_call)
        events = await self.request.store.load_events(self.request.tenant_id, run.run_id)
        encode_events(encoder, events)
        return encoder.describe(run.status)

    async def _cancelling(
        self, batches: AsyncGenerator[list[Event]], thread_id: str
    ) -> AsyncGenerator[list[Event]]:
        """Yield the batches; cancel the run if the client leaves before its end."""
        has_ended = False
        try:
            async for batch in batches:
                has_ended = batch[-1]["event"] in TERMINAL | WAITING
                yield batch
        finally:
            if not has_ended and not self.app.runs.is_draining:
                await self.app.runs.cancel(*self.request.owner, thread_id)


def _read(arguments: dict[str, Any], kind: type[T]) -> T:
    """Convert a tool's arguments to their type.

    Raises: ConflictError with what is wrong, for the model to mend.
    """
    try:
        return msgspec.convert(arguments, kind)
    except msgspec.ValidationError as error:
        raise ConflictError(
            f"invalid arguments: {error}",
            hint="tools/list shows what the tool accepts.",
            code="INVALID_ARGUMENTS",
        ) from error
