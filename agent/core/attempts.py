"""Makes one attempt at a provider, from its ledger row to the settlement."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from ..base.copies import replace
from ..base.ids import make_id
from ..base.messages.contents import get_turn
from ..base.messages.requests import estimate_input, fingerprint_request, to_tools_text
from ..base.shown.notices import Epoch
from ..base.tokens.usage_event import make_usage_event
from ..errors import BudgetBusy, ModelError, ModelTimeout, StoreError, StreamCut
from ..providers.efforts import fit_settings
from ..providers.model_handle import ModelHandle
from ..providers.reading.answer_reader import AnswerReader
from ..providers.room import INPUT_MARGIN, INPUT_OVERHEAD, find_room, fit_answer
from ..providers.state_reader import Origin
from ..providers.stop_texts import cut_answer, stream_to_stop
from ..store.ledger import load_output_sizes, load_token_factors
from ..store.records import CallSettled, CallStart, Reserved
from ..types import ChatRequest, LLMResponse, Message, Record
from .answers import AnswerStream
from .budget_notices import send_notices, tell_alarm
from .call_meter import CallMeter
from .journal import START_FLUSH_DELAY_S
from .seams import RunView

BUSY_WAIT_S: Final = 30.0
BUSY_PAUSES_S: Final = (0.1, 0.2, 0.4, 0.8)  # then the last of them


class ModelCall(Record, frozen=True):
    """One logical model call, which may take several attempts.

    view: the thread's messages that the request is made from, the newest part of the state's.
    extra: messages of the request that cannot be made from the thread again (kept for replay).
    worker: whose prompt this is; None for roles without one. answer: shows the text
    as it arrives; None asks for the answer in one piece. refused: the model whose opaque state was
    refused and is not in the request. paused: what its provider said before it paused, which the
    request ends with. is_second: the same was asked before, and the answer was empty. room: tokens
    for the answer that the model's refusal left; no part of what a replay compares. epoch: whose
    notices the request shows. is_stored: False keeps the answer's text out of the ledger.
    """

    role: str
    request: ChatRequest
    view: list[Message]
    extra: list[Message] | None = None
    worker: str | None = None
    answer: AnswerStream | None = None
    is_repair: bool = False
    is_shortened: bool = False
    refused: Origin | None = None
    paused: LLMResponse | None = None
    is_second: bool = False
    room: int | None = None
    epoch: Epoch | None = None
    is_stored: bool = True


async def attempt_call(
    call: ModelCall, handle: ModelHandle, attempt: int, ctx: RunView
) -> LLMResponse:
    """Make one attempt at a model call and record it in the ledger; return the answer.

    Raises: ModelError, after the ledger row is settled.
    """
    await start_factors(handle, ctx)
    cache_scope = (ctx.store.read(ctx.tenant_id), call.role, call.worker or "")
    request, handle = await handle.pauses.plan_call(call.request, handle, *cache_scope)
    if handle.cache_alarm is not None:
        tell_alarm(handle.cache_alarm, ctx)
    request, handle = fit_settings(request, handle, call.role)
    start = await _describe_call(call, handle, attempt, ctx)
    reserved = await record_start(start, ctx)
    request = replace(request, timeout_s=ctx.limits.model_timeout_s)
    request = fit_answer(request, reserved and reserved.output_tokens)
    request = fit_answer(request, call.room or find_room(handle, start.estimated_input_tokens))
    meter = CallMeter(start, handle)
    reader = AnswerReader(request, handle)
    async with settled_failures(meter, handle, ctx):
        if call.answer is None:
            response = cut_answer(await handle.chat.generate(request), request.stop)
        else:
            response = None
            request = call.answer.begin(request)
            async with kept_request_id(start, meter, ctx) as keep:
                request = replace(request, on_request_id=keep)
                async for item in stream_to_stop(handle.chat, request):
                    if isinstance(item, LLMResponse):
                        response = item
                    else:
                        meter.see(item)
                        await call.answer.show(reader.read(item))
        if response is None:
            raise StreamCut(f"{handle.label} ended its stream without an answer: try again")
        response = reader.finish(response, may_be_empty=call.paused is not None)
    if response.stop == "length" and request.max_tokens < call.request.max_tokens:
        limit = f"limited to {request.max_tokens} output tokens by a budget or the model's window"
        ctx.journal.note(f"the answer was {limit}")
    settled = meter.settle_success(response, keep_response=call.answer is None and call.is_stored)
    ctx.journal.settle(settled)
    emit_usage(settled, start, ctx)
    return response if settled.usage is response.usage else replace(response, usage=settled.usage)


@asynccontextmanager
async def kept_request_id(
    start: CallStart, meter: CallMeter, ctx: RunView
) -> AsyncGenerator[Callable[[str], None]]:
    """Yield a function that stores the provider's request id with the call, after a short delay."""
    writing: list[asyncio.Task[None]] = []
    due: list[asyncio.TimerHandle] = []
    loop = asyncio.get_running_loop()

    async def record(request_id: str) -> None:
        with suppress(StoreError):  # then the settlement brings it
            await ctx.store.record_request_id(start.tenant_id, start.call_id, request_id)

    def begin(request_id: str) -> None:
        writing.append(asyncio.create_task(record(request_id)))

    def keep(request_id: str) -> None:
        meter.request_id = request_id
        due.append(loop.call_later(START_FLUSH_DELAY_S, begin, request_id))

    try:
        yield keep
    finally:
        for timer in due:
            timer.cancel()
        await asyncio.gather(*writing)


async def start_factors(handle: ModelHandle, ctx: RunView) -> None:
    """Load the tenant's token factors and usual answer sizes from the ledger, once per process."""
    if not handle.factors.has_tenant(ctx.tenant_id):
        with handle.factors.starting(ctx.tenant_id) as start:
            async with ctx.store.transaction(ctx.tenant_id) as tx:
                start(await load_token_factors(tx))
                handle.outputs.start(await load_output_sizes(tx))


@asynccontextmanager
async def settled_failures(
    meter: CallMeter, handle: ModelHandle, ctx: RunView
) -> AsyncGenerator[None]:
    """Settle an attempt's ledger row if the block fails, is cancelled or exceeds the time limit.

    A cancelled attempt's row is closed with the step; the others' at once.
    """
    limit_s = ctx.limits.model_timeout_s
    try:
        async with ctx.store.rates.heeded(handle.label), asyncio.timeout(limit_s):
            yield
    except TimeoutError as error:
        failure = ModelTimeout(f"{handle.label} gave no complete answer within {limit_s:g} s")
        await _settle_failure(meter, failure, ctx)
        raise failure from error
    except ModelError as error:
        await _settle_failure(meter, error, ctx)
        raise
    except asyncio.CancelledError:
        ctx.journal.settle(meter.settle_cut("cancelled", "CANCELLED"))
        raise


async def _settle_failure(meter: CallMeter, error: ModelError, ctx: RunView) -> None:
    settled = meter.settle_failure(error)
    await ctx.store.settle_calls(ctx.tenant_id, [settled])
    if settled.usage.source != "missing":
        emit_usage(settled, meter.start, ctx)


async def _describe_call(
    call: ModelCall, handle: ModelHandle, attempt: int, ctx: RunView
) -> CallStart:
    """Build the ledger row of an attempt; store what was sent with it, each text once."""
    request = call.request
    tools_text = to_tools_text(request)
    first, last = find_positions(call.view, ctx.run.input_position)
    save = ctx.store.save_prompt_text
    return build_start(
        *(handle, attempt, ctx),
        worker=call.worker,
        role=call.role,
        max_output_tokens=request.max_tokens,
        estimated_input_tokens=estimate_input(request, tools_text),
        fingerprint=fingerprint_request(request, tools_text),
        system_hash=await save(ctx.tenant_id, "system", request.system),
        tools_hash=await save(ctx.tenant_id, "tools", tools_text) if tools_text else None,
        first_position=first,
        last_position=last,
        extra_messages=call.extra,
        token_factor=handle.factors.get_steady(handle.label),
        effort=handle.effort,
    )


def build_start(
    handle: ModelHandle,
    attempt: int,
    ctx: RunView,
    *,
    role: str,
    estimated_input_tokens: int,
    max_output_tokens: int = 0,
    **details: Any,
) -> CallStart:
    """Build the ledger row of an attempt that begins, with its worst-case cost."""
    run = ctx.run
    return CallStart(
        call_id=make_id(),
        tenant_id=ctx.tenant_id,
        user_id=ctx.user_id,
        thread_id=ctx.thread_id or None,
        run_id=run.run_id or None,
        fence=run.fence if run.run_id else None,
        step=ctx.journal.step if run.run_id else None,
        node=ctx.journal.node or role,
        role=role,
        attempt=attempt,
        provider=handle.provider,
        model=handle.model,
        estimated_input_tokens=estimated_input_tokens,
        reserved=reserve_worst_case(handle, role, estimated_input_tokens, max_output_tokens),
        **details,
    )


async def record_start(start: CallStart, ctx: RunView) -> Reserved | None:
    """Record that an attempt begins and reserve its cost; wait for rate limit and budget.
    Returns: what its budgets hold for it, if any do.

    Raises: LeaseLost; BudgetExceeded.
    """
    await ctx.store.rates.take(start, ctx.limits.rate_wait_s)
    deadline = time.monotonic() + BUSY_WAIT_S
    pauses_s = itertools.chain(BUSY_PAUSES_S, itertools.repeat(BUSY_PAUSES_S[-1]))
    while True:
        try:
            granted = await ctx.journal.record_call_start(start)
            break
        except BudgetBusy:
            if time.monotonic() >= deadline:
                raise
        await asyncio.sleep(random.uniform(0.5, 1.5) * next(pauses_s))
    if granted is None:
        return None
    send_notices(granted.notices, ctx)
    return granted.reserved


def reserve_worst_case(
    handle: ModelHandle, role: str, estimated_input: int, max_output_tokens: int
) -> Reserved:
    """Compute a call's maximum tokens and cost, to reserve in budgets before it is made."""
    input_tokens = round(estimated_input * handle.token_factor * INPUT_MARGIN) + INPUT_OVERHEAD
    cost_usd = handle.price_bound(input_tokens, max_output_tokens)
    usual = min(max_output_tokens, handle.outputs.get(handle.label, role))
    reserved = (input_tokens + max_output_tokens, cost_usd, max_output_tokens, usual)
    if cost_usd is None or not max_output_tokens:
        return Reserved(*reserved)
    alone = handle.price_bound(input_tokens, 0) or 0
    return Reserved(*reserved, output_usd=(cost_usd - alone) / max_output_tokens)


def find_positions(view: Sequence[Message], input_position: int) -> tuple[int | None, int | None]:
    """Return the positions of a request's first and last message in the thread, or (None, None)."""
    if not view:
        return None, None
    turn = len(get_turn(view))
    return input_position - (len(view) - turn - 1), input_position + turn


def emit_usage(settled: CallSettled, start: CallStart, ctx: RunView) -> None:
    """Emit the event that reports an attempt's tokens and cost."""
    model = settled.model_answered or start.model
    fields = (start.node, start.provider, model, settled.usage, settled.cost_usd)
    ctx.emit(make_usage_event(*fields))
