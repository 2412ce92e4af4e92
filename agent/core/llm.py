"""The door to the models: which model answers a role, and one logical call with its attempts.

One retry owner: the SDKs retry nothing. Each attempt is a ledger row, written before the request
and settled after it. Text shown by a failed attempt is reset, never spliced.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from dataclasses import dataclass, replace
from typing import Any, Final

import orjson

from agent.core.answers import AnswerStream
from agent.core.context import RequestContext
from agent.core.history import make_text_message
from agent.core.ids import make_id
from agent.core.json_text import parse_json_object
from agent.core.models import ModelHandle, Models
from agent.core.policy import get_turn
from agent.core.pricing import price_usage
from agent.core.records import CallSettled, CallStart, CallStatus
from agent.core.state import Tokens
from agent.core.tokens import estimate_message_tokens, estimate_request_tokens, estimate_tokens
from agent.errors import ContentFiltered, InputError, ModelError, ModelTimeout, StreamCut
from agent.providers.anthropic_messages import call_anthropic
from agent.providers.openai_chat import call_openai
from agent.providers.types import ChatRequest, LLMResponse, Message, StreamDelta, Usage

__all__ = ["ModelCall", "Models", "call_anthropic", "call_model", "call_openai"]

BACKOFF_FIRST_S: Final = 0.5
BACKOFF_MOST_S: Final = 8.0
RETRY_AFTER_MOST_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One logical call.

    view: the thread's messages that the request is made from, the newest part of the state's.
    extra: messages of the request that cannot be made from the thread again (kept for replay).
    worker: whose prompt this is; None for roles without one. answer: shows the text
    as it arrives; None asks for the answer in one piece.
    """

    role: str
    request: ChatRequest
    view: list[Message]
    extra: list[Message] | None = None
    worker: str | None = None
    answer: AnswerStream | None = None
    is_repair: bool = False


async def call_model(call: ModelCall, ctx: RequestContext) -> LLMResponse:
    """The answer of the role's model, or of the next in its chain when that one fails.

    In JSON mode an answer that is not the object asked for gets one more try, with the reason.

    Raises: ModelError of the last attempt, when the attempt budget or the chain is used up.
    """
    chain = ctx.models.resolve_chain(call.role, call.worker)
    budget = ctx.limits.model_attempts
    attempt, position = 0, 0
    while True:
        attempt += 1
        try:
            response = await _attempt(call, chain[position], attempt, ctx)
            problem = find_json_problem(call.request, response)
            if problem is None or call.is_repair:
                return response
            call, pause_s = build_repair_call(call, response, problem), 0.0
            ctx.journal.note(f"the answer was not the JSON asked for ({problem}): asked once more")
        except ModelError as error:
            left_here = budget - attempt > len(chain) - 1 - position
            if error.retryable and left_here and attempt < budget:
                pause_s = _choose_pause(error, attempt)
            elif _has_fallback(error, chain, position) and attempt < budget:
                position, pause_s = position + 1, 0.0
            else:
                raise
            if call.answer is not None and ctx.journal.partial_text:
                call.answer.restart(f"retry after {error.code}")
            ctx.journal.note(f"{chain[position].label}: attempt {attempt} failed: {error.code}")
        await asyncio.sleep(pause_s)


async def _attempt(
    call: ModelCall, handle: ModelHandle, attempt: int, ctx: RequestContext
) -> LLMResponse:
    """One request to one provider, between its ledger row and the settlement of it."""
    start = await _record_start(call, handle, attempt, ctx)
    meter = _Meter(start, handle)
    try:
        async with asyncio.timeout(ctx.limits.model_timeout_s):
            if call.answer is None:
                response = await handle.chat.generate(call.request)
            else:
                response = None
                async for item in handle.chat.generate_stream(call.request):
                    if isinstance(item, LLMResponse):
                        response = item
                    else:
                        meter.see(item)
                        if item.text:
                            call.answer.show(item.text)
    except TimeoutError as error:
        limit_s = ctx.limits.model_timeout_s
        failure = ModelTimeout(f"{handle.label} gave no complete answer within {limit_s:g} s")
        await ctx.store.settle_calls(ctx.tenant_id, [meter.settle_failure(failure)])
        raise failure from error
    except ModelError as error:
        await ctx.store.settle_calls(ctx.tenant_id, [meter.settle_failure(error)])
        raise
    except asyncio.CancelledError:
        ctx.journal.settle(meter.settle_cut("cancelled", "CANCELLED"))
        raise
    if response is None:
        failure = StreamCut(f"{handle.label} ended its stream without an answer")
        await ctx.store.settle_calls(ctx.tenant_id, [meter.settle_failure(failure)])
        raise failure
    settled = meter.settle_success(response, keep_response=call.answer is None)
    ctx.journal.settle(settled)
    _emit_usage(settled, start, ctx)
    return replace(response, usage=settled.usage)


class _Meter:
    """Clock and counter of one attempt; makes its settlement."""

    def __init__(self, start: CallStart, handle: ModelHandle) -> None:
        self._start = start
        self._handle = handle
        self._began = time.perf_counter()
        self._first_ms: int | None = None
        self._received = ""

    def see(self, delta: StreamDelta) -> None:
        if self._first_ms is None:
            self._first_ms = self._elapsed_ms()
        self._received += delta.text + delta.reasoning

    def settle_success(self, response: LLMResponse, *, keep_response: bool) -> CallSettled:
        usage = response.usage
        if usage.source == "missing":
            usage = self._estimate(response.text)
        return self._settle(
            "succeeded",
            usage,
            model_answered=response.model,
            request_id=response.request_id,
            stop=response.stop,
            response={"message": response.message, "stop": response.stop}
            if keep_response
            else None,
            notes=response.notes,
        )

    def settle_failure(self, error: ModelError) -> CallSettled:
        """A stream that broke was paid for in part; a refused request was not."""
        if error.partial is not None or self._received:
            return self.settle_cut("cut", error.code, error)
        return self._settle(
            "failed", Usage(source="missing"), error_code=error.code, request_id=error.request_id
        )

    def settle_cut(
        self, status: CallStatus, code: str, error: ModelError | None = None
    ) -> CallSettled:
        partial = error.partial if error else None
        usage = partial.usage if partial and partial.usage.source == "provider" else None
        return self._settle(
            status,
            usage or self._estimate(self._received),
            error_code=code,
            request_id=error.request_id if error else None,
        )

    def _estimate(self, text: str) -> Usage:
        factor = self._handle.token_factor
        return Usage(
            input_tokens=round(self._start.estimated_input_tokens * factor),
            output_tokens=round(estimate_tokens(text) * factor),
            source="estimated",
        )

    def _settle(self, status: CallStatus, usage: Usage, **details: Any) -> CallSettled:
        cost = price_usage(self._start.provider, self._start.model, usage)
        return CallSettled(
            call_id=self._start.call_id,
            tenant_id=self._start.tenant_id,
            status=status,
            usage=usage,
            duration_ms=self._elapsed_ms(),
            first_token_ms=self._first_ms,
            cost_usd=cost.amount_usd,
            price_version=cost.version,
            **details,
        )

    def _elapsed_ms(self) -> int:
        return round((time.perf_counter() - self._began) * 1000)


async def _record_start(
    call: ModelCall, handle: ModelHandle, attempt: int, ctx: RequestContext
) -> CallStart:
    request, run = call.request, ctx.run
    tools = [
        {"name": t.name, "description": t.description, "parameters": t.parameters}
        for t in request.tools
    ]
    tools_text = orjson.dumps(tools).decode() if tools else ""
    first, last = _find_positions(call.view, run.input_position)
    start = CallStart(
        call_id=make_id(),
        tenant_id=ctx.tenant_id,
        user_id=ctx.user_id,
        thread_id=ctx.thread_id or None,
        run_id=run.run_id or None,
        step=ctx.journal.step if run.run_id else None,
        node=ctx.journal.node or call.role,
        worker=call.worker,
        role=call.role,
        attempt=attempt,
        provider=handle.provider,
        model=handle.model,
        estimated_input_tokens=_estimate_input(request, tools_text),
        fingerprint=fingerprint_request(request, tools_text),
        system_hash=await ctx.store.save_prompt_text(ctx.tenant_id, "system", request.system),
        tools_hash=await ctx.store.save_prompt_text(ctx.tenant_id, "tools", tools_text)
        if tools
        else None,
        first_position=first,
        last_position=last,
        extra_messages=call.extra,
    )
    await ctx.store.record_call_start(start)
    return start


def fingerprint_request(request: ChatRequest, tools_text: str) -> str:
    """What makes two requests the same for replay: prompt, tools, messages, JSON mode.

    The model is not part of it, nor are stored sizes and opaque provider state.
    """
    digest = hashlib.sha256()
    for text in (request.system, tools_text):
        digest.update(text.encode() + b"\x00")
    for message in request.messages:
        digest.update(orjson.dumps([message["role"], _list_visible_parts(message)]))
    if request.json_schema:
        digest.update(orjson.dumps(request.json_schema.schema, option=orjson.OPT_SORT_KEYS))
    return digest.hexdigest()


def _list_visible_parts(message: Message) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in part.items() if key != "provider_state"}
        for part in message["parts"]
        if part["type"] != "reasoning"
    ]


def _estimate_input(request: ChatRequest, tools_text: str) -> int:
    known = sum(estimate_message_tokens(message) for message in request.messages)
    return estimate_request_tokens(request.system, ()) + estimate_tokens(tools_text) + known


def _find_positions(view: list[Message], input_position: int) -> tuple[int | None, int | None]:
    """The thread positions of the view: it ends with the current turn, which follows the input."""
    if not view:
        return None, None
    turn = len(get_turn(view))
    return input_position - (len(view) - turn - 1), input_position + turn


def find_json_problem(request: ChatRequest, response: LLMResponse) -> str | None:
    """Why the answer is not the JSON object that was asked for; None when it is, or none was."""
    if request.json_schema is None:
        return None
    try:
        answer = parse_json_object(response.text)
    except InputError as error:
        return str(error)
    missing = [
        name for name in request.json_schema.schema.get("required", []) if name not in answer
    ]
    return f"missing {', '.join(missing)}" if missing else None


def build_repair_call(call: ModelCall, response: LLMResponse, problem: str) -> ModelCall:
    """The same call again, with the bad answer and what is wrong with it at its end."""
    ask = make_text_message("user", f"That was not valid ({problem}). Answer with the JSON only.")
    bad = make_text_message("assistant", response.text or "(empty)")
    messages = [*call.request.messages, bad, ask]
    request = replace(call.request, messages=messages)
    return replace(call, request=request, extra=[*(call.extra or []), bad, ask], is_repair=True)


def _has_fallback(error: ModelError, chain: tuple[ModelHandle, ...], position: int) -> bool:
    return position + 1 < len(chain) and not isinstance(error, ContentFiltered)


def _choose_pause(error: ModelError, attempt: int) -> float:
    """The provider's own wish when it states one, else exponential with jitter."""
    if error.retry_after_s is not None:
        return min(error.retry_after_s, RETRY_AFTER_MOST_S)
    longest = min(BACKOFF_MOST_S, BACKOFF_FIRST_S * 2 ** (attempt - 1))
    return longest * random.uniform(0.75, 1.0)


def _emit_usage(settled: CallSettled, start: CallStart, ctx: RequestContext) -> None:
    ctx.emit(
        "usage",
        {
            "node": start.node,
            "provider": start.provider,
            "model": settled.model_answered or start.model,
            "input_tokens": settled.usage.input_total,
            "output_tokens": settled.usage.output_total,
            "source": settled.usage.source,
        },
    )


def count_tokens_used(usage: Usage) -> Tokens:
    """What a call adds to the state's `tokens`; a bucket that nobody stated counts 0 there."""
    return {"in": usage.input_total or 0, "out": usage.output_total or 0}
