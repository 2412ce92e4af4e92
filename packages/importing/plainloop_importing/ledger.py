"""Model calls of elsewhere as rows of the ledger: their places, ends and costs."""

from __future__ import annotations

import math
from typing import Any, Final

import msgspec
import orjson

from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.base.tokens.estimate import estimate_message_tokens, estimate_tokens
from plainloop.agent.providers.answered_models import price_call
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, is_own_model
from plainloop.agent.store import ledger as store_ledger
from plainloop.agent.store.records import REPORTED, CallSettled, CallStart, Run
from plainloop.agent.types import Message, Usage
from plainloop_lab.replay.sources.tool_schemas import convert_tools

from .conversations import Conversation, ModelCall, PlacedCall
from .target import Target
from .values import NEVER, make_dated_id

NODE: Final = "react"
CALL_ERROR: Final = "IMPORTED_FAILED"
# What sources call providers that bear other names here.
_PROVIDERS: Final = {
    "azure": "openai",
    "azure.ai.openai": "openai",
    "azure-openai": "openai",
    "google": "gemini",
    "google_genai": "gemini",
    "gcp.gemini": "gemini",
    "gcp.gen_ai": "gemini",
    "gcp.vertex_ai": "gemini",
    "google_vertexai": "gemini",
    "vertexai": "gemini",
    "moonshot_ai": "kimi",
    "x_ai": "xai",
}
# What sources say of an end other than the usual one.
_STOPS: Final = {
    "tool_calls": "tool_use",
    "tool_call": "tool_use",
    "tool_use": "tool_use",
    "function_call": "tool_use",
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "content_filter": "content_filter",
    "refusal": "refusal",
}


def name_call(target: Target, whole: Conversation, call: ModelCall) -> str:
    """Derive a call's id, which is the same in each import.

    It is made of the call's names and its start.
    """
    names = (target.tenant_id, target.user_id, target.source, whole.name, call.name)
    return make_dated_id(max(call.started_at, NEVER), *names)


def to_tools_text(call: ModelCall) -> str:
    """Convert a request's tools to the ledger's JSON.

    "" if they are not valid tools.
    """
    try:
        shapes = convert_tools(call.tools)
    except msgspec.ValidationError:
        return ""
    told = [
        {"name": one.name, "description": one.description, "parameters": one.parameters}
        for one in shapes
    ]
    return clean_text(orjson.dumps(told).decode()) if told else ""


def make_start(
    target: Target,
    whole: Conversation,
    placed: PlacedCall,
    call_id: str,
    run: Run | None,
    step: int | None,
) -> CallStart:
    """Build the ledger row that records the start of an imported call.

    The row names the positions of messages that are in the conversation; others are stored beside
    it.
    """
    call = placed.call
    beside: list[Any] = [{"role": one.role, "parts": one.parts} for one in call.sent or []]
    view: list[Any] = beside
    extra: list[Message] | None = None
    if placed.first is not None and placed.last is not None:
        view = whole.messages[placed.first : placed.last + 1]
    elif beside:
        extra = [one for one in beside if one["role"] != "system"]
    estimated = sum(map(estimate_message_tokens, view)) + estimate_tokens(call.system)
    system = store_ledger.hash_prompt_text(clean_text(call.system)) if call.system else None
    told = to_tools_text(call)
    tools = store_ledger.hash_prompt_text(told) if told else None
    return CallStart(
        tenant_id=target.tenant_id,
        call_id=call_id,
        user_id=target.user_id,
        thread_id=None if run is None else run.thread_id,
        run_id=None if run is None else run.run_id,
        step=step,
        node=clean_text(call.node or "") or NODE,
        worker=NODE if (placed.first, placed.answered_at) != (None, None) else None,
        role="worker",
        attempt=1,
        provider=_name_provider(call),
        model=clean_text(call.model or call.model_answered or "unknown"),
        estimated_input_tokens=estimated,
        fingerprint="",
        system_hash=system if run is not None else None,
        tools_hash=tools if run is not None else None,
        first_position=placed.first,
        last_position=placed.last,
        extra_messages=extra if run is not None else None,
        fence=None if run is None else run.fence,
    )


def _name_provider(call: ModelCall) -> str:
    """Return the provider's name as in the ledger, else the provider of the model's name."""
    told = clean_text(call.provider.strip().lower())
    if told:
        names = (told, told.partition(".")[0])  # the AI SDK's "openai.responses"
        known = (_PROVIDERS.get(n, n) for n in names if n in _PROVIDERS or n in PROVIDER_DEFAULTS)
        return next(known, told)
    model = call.model or call.model_answered or ""
    known = [name for name, told in PROVIDER_DEFAULTS.items() if told.own_models is not None]
    owners = [name for name in known if is_own_model(name, model)]
    return owners[0] if model and len(owners) == 1 else "unknown"


def make_settled(
    target: Target, call: ModelCall, call_id: str, start: CallStart, *, is_message: bool = False
) -> CallSettled:
    """Build the ledger data that records the end of an imported call.

    Tokens and cost that the source does not state are estimated and marked so.
    """
    usage = call.usage
    money = target.money
    money.calls += 1
    if usage.source == "missing" and call.error is None:
        said = {"role": "assistant", "parts": call.answer.parts} if call.answer else None
        out = estimate_message_tokens(said) if said else 0  # pyright: ignore[reportArgumentType]
        usage = Usage(
            input_tokens=start.estimated_input_tokens, output_tokens=out, source="estimated"
        )
        money.estimated += 1
    priced = price_call(
        target.prices, start.provider, start.model, call.model_answered, usage, call.started_at
    )
    cost, version = priced.amount_usd, priced.version
    money.priced_usd += priced.amount or 0
    if call.cost_usd is not None and call.cost_usd.is_finite():
        money.stated_usd += call.cost_usd
        cost, version = f"{call.cost_usd:f}", f"{REPORTED}{target.source}"
    money.unpriced += cost is None
    duration = (call.ended_at - call.started_at).total_seconds() * 1000
    response = None
    if call.answer is not None and not is_message:
        response = {"message": {"role": "assistant", "parts": call.answer.parts}}
    return CallSettled(
        call_id=call_id,
        tenant_id=target.tenant_id,
        status="failed" if call.error is not None else "succeeded",
        usage=usage,
        duration_ms=max(0, min(math.ceil(duration), 2**31 - 1)),
        model_answered=call.model_answered,
        request_id=call.response_id,
        stop=_STOPS.get(call.finish or "", "end"),
        error_code=CALL_ERROR if call.error is not None else None,
        cost_usd=cost,
        price_version=version,
        response=response,
        notes=(f"imported from {target.source}",),
    )
