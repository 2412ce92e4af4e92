"""Anthropic Messages: neutral conversation ⇄ wire. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final

from ...base.copies import replace
from ...base.messages.files import PDF
from ...base.text.cleaning import clean_json, clean_text
from ...base.text.foreign_json import as_object
from ...types import (
    ChatRequest,
    FunctionCall,
    JsonSchema,
    LLMResponse,
    Message,
    MessagePart,
    ProviderState,
    Stop,
    ToolSchema,
    Usage,
)
from ..efforts import add_effort
from ..files import fit_files
from ..http.bodies import add_sampling, to_result_text, unforce
from ..http.json_schema import choose_json_mode, close_schema, from_forced_call, to_system
from ..http.stated_usage import build_usage, choose_sum, has_words
from ..provider_state import SentCall, Target, ToolIds, read_id, to_wire_id
from ..shown_thinking import asks_for_thinking
from ..state_reader import StateReader
from .prefix import (
    CHANGED,
    UNKNOWN,
    Prefix,
    binds_prefix,
    is_thinking,
    read_transformations,
    store_prefixes,
    to_thinking,
)

# Source: platform.claude.com, build-with-claude/handling-stop-reasons.
_STOPS: Final[Mapping[str, Stop]] = {
    "end_turn": "end",
    "tool_use": "tool_use",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "stop_sequence": "stop_sequence",
    "refusal": "refusal",
    "pause_turn": "pause",
}
_CACHED: Final = {"type": "ephemeral"}  # for five minutes
_CACHED_LONG: Final = _CACHED | {"ttl": "1h"}


def to_body(request: ChatRequest, target: Target) -> tuple[dict[str, Any], list[str]]:
    """Convert a request to the Messages API's JSON body and notes on omitted options."""
    states = StateReader(target)
    messages, notes = fit_files(request.messages, target)
    request = unforce(request, target, notes)
    wanted, is_forced = choose_json_mode(request, target), has_forced_json(request, target)
    if wanted is not None and not is_forced and close_schema(wanted) is None:
        wanted = None  # its schema mode knows closed objects only
    system = to_system(request, is_native=wanted is not None)
    # The longer lifetime must not come after the shorter one, else the request is refused.
    stable = _CACHED if request.cache_for == "short" else _CACHED_LONG
    body: dict[str, Any] = {"model": target.model, "max_tokens": request.max_tokens}
    if system:
        body["system"] = [{"type": "text", "text": system, "cache_control": stable}]
    body |= to_tools(request, stable)
    if wanted is not None:
        body |= to_answer_shape(body, wanted, is_forced=is_forced)
    # Only thinking is bound to what stands before it: without any, nothing is digested.
    has_thinking = any(
        True for one in messages for part in one["parts"] if part["type"] == "reasoning"
    )
    # Not before the tools are in the body: the digest begins with the system prompt and them.
    prefix = Prefix(body) if has_thinking and binds_prefix(target.model) else None
    body["messages"] = to_messages(messages, target, states, prefix)
    body |= to_thinking(body, shows_reasoning=asks_for_thinking(request, target, notes))
    add_effort(body, request, target, "output_config.effort")
    if request.cache_key is not None:
        mark_newest(body["messages"], request)
        if target.quirks.tells_misses:  # asked with every call, else nothing is kept to compare
            body["diagnostics"] = {"previous_message_id": request.answered_before}
    notes += states.notes()
    # "each stop sequence must contain non-whitespace": HTTP 400 for any other.
    if request.stop:
        request = replace(request, stop=tuple(text for text in request.stop if text.strip()))
    add_sampling(body, notes, request, target, "stop_sequences")
    return body, notes


def to_answer_shape(
    body: Mapping[str, Any], wanted: JsonSchema, *, is_forced: bool
) -> dict[str, Any]:
    """Return the body's fields that make the API answer in JSON of this schema.

    The tool is appended to those of `body`.
    """
    if not is_forced:
        schema = close_schema(wanted)
        return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
    # Behind the request's own tools: before them, it would change the cached prefix of all of them.
    answer = ToolSchema(wanted.name, "Gives the answer.", {"type": "object", **wanted.schema})
    return {
        "tools": [*body.get("tools", ()), to_tool(answer)],
        "tool_choice": {"type": "tool", "name": wanted.name},
    }


def mark_newest(messages: Sequence[dict[str, Any]], request: ChatRequest) -> None:
    """Mark the newest user messages so that the next call reads them from the prompt cache.

    The one before is marked as well: Anthropic looks for a known prefix only 20 blocks back, and a
    turn of many parallel calls is longer than that.
    """
    newest = _CACHED_LONG if request.cache_for == "long" else _CACHED
    user_messages = [message for message in messages if message["role"] == "user"]
    # Two here, one mark on the system prompt and one on the tools: Anthropic refuses a fifth
    # (test_strict_servers_accept_every_kind_of_request).
    for message in (user_messages[:-1] if request.is_newest_passing else user_messages)[-2:]:
        message["content"][-1]["cache_control"] = newest


def to_tools(request: ChatRequest, mark: Mapping[str, str]) -> dict[str, Any]:
    """Return the body's fields `tools` and `tool_choice`.

    {} if neither the request nor its history needs tools.
    mark: `cache_control` of the last tool.
    """
    if request.tools:
        tools = [to_tool(tool) for tool in request.tools]
        tools[-1]["cache_control"] = mark
        choice = to_tool_choice(request)
        return {"tools": tools, "tool_choice": choice} if choice else {"tools": tools}
    called = dict.fromkeys(
        part["name"]
        for message in request.messages
        for part in message["parts"]
        if part["type"] == "tool_call"
    )
    if not called:
        return {}
    # Anthropic refuses calls in the history of a request that defines no tools.
    tools = [to_tool(ToolSchema(name, "", {"type": "object"})) for name in called]
    return {"tools": tools, "tool_choice": {"type": "none"}}


def to_tool_choice(request: ChatRequest) -> dict[str, Any]:
    """Return the field `tool_choice`; {} if the model may call any tools, also in parallel."""
    wish = request.tool_choice
    kind = "auto" if wish is None else "none" if wish.mode == "none" else "any"
    choice = {"type": "tool", "name": wish.name} if wish and wish.name else {"type": kind}
    # The flag is part of a choice, so one has to be stated (`auto`); `none` has no such field.
    if not request.parallel_tool_calls and kind != "none":
        return {**choice, "disable_parallel_tool_use": True}
    return choice if wish else {}


def to_messages(
    messages: list[Message], target: Target, states: StateReader, prefix: Prefix | None
) -> list[dict[str, Any]]:
    """Convert messages to the API's alternating user and assistant messages.

    prefix: digest of system and tools, for a model that validates thinking, and messages that have
    some; it grows by each block.
    """
    wire: list[dict[str, Any]] = []
    sent_ids: dict[str, str] = {}
    for message in messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        blocks: list[dict[str, Any]] = []
        for part in message["parts"]:
            block = _to_block(part, target, states, sent_ids)
            if block is None or not _is_valid(part, block, states, prefix):
                continue
            blocks.append(block)
            if prefix is not None:
                prefix.add(role, block)
        if not blocks:
            continue
        # The results of parallel calls must be in the one user message right behind them, else 400.
        if wire and wire[-1]["role"] == role:
            wire[-1]["content"].extend(blocks)
        else:
            wire.append({"role": role, "content": blocks})
    return wire


def to_tool(tool: ToolSchema) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


def from_message(
    body: Mapping[str, Any], sent: SentCall, *, is_complete: bool = True
) -> LLMResponse:
    """Convert the API's message, complete or cut off, to an answer."""
    request, target = sent.request, sent.target
    ids = ToolIds(target, request.messages)
    blocks: list[dict[str, Any]] = body["content"] or []  # an answer without is none
    made = [_from_block(block, target, ids) for block in blocks]
    store_prefixes(made, blocks, sent)
    parts = [*chain.from_iterable(made)]
    # The stop reason comes in message_delta, and the connection may break before message_stop.
    stop_raw: str | None = body.get("stop_reason") if is_complete else None
    # Servers like Anthropic's may name no reason; then what they sent tells.
    has_calls = any(part["type"] == "tool_call" for part in parts)
    unknown: Stop = "tool_use" if has_calls else "other" if stop_raw else "end"
    stated = _STOPS.get(stop_raw or "") or unknown
    stop = stated if is_complete else "error"
    details: dict[str, Any] = body.get("stop_details") or {}
    answer = LLMResponse(
        message={"role": "assistant", "parts": parts},
        stop=stop,
        usage=from_usage(body.get("usage"), has_answer=has_words(parts)),
        model=target.read_model(body.get("model")),
        stop_raw=stop_raw,
        request_id=sent.request_id,
        response_id=read_id(body),
        refusal=details.get("explanation") if stop == "refusal" else None,
        notes=(
            *sent.notes,
            *read_miss(body.get("diagnostics")),
            *read_transformations(body.get("input_transformations")),
        ),
    )
    if request.json_schema is not None and has_forced_json(request, target):
        return from_forced_call(answer, request.json_schema.name)
    return answer


def read_miss(stated: object) -> list[str]:
    """Describe why the prompt cache missed, as Anthropic reports it; [] without a miss."""
    reason = as_object(as_object(stated).get("cache_miss_reason"))
    missed = reason.get("cache_missed_input_tokens")
    tokens = f", {missed:,} tokens" if isinstance(missed, int) else ""
    return (
        [f"cache missed, its provider says: {reason['type']}{tokens}"] if "type" in reason else []
    )


def from_usage(stated: object, *, has_answer: bool) -> Usage:
    """Convert Anthropic's token counts to a Usage, in which no token counts twice.
    Its input excludes both cache buckets, its output includes thinking.
    """
    usage = as_object(stated)
    # Two prices: an hour's writes cost twice the input, five minutes' 1.25 times.
    written = as_object(usage.get("cache_creation"))
    short, long = (written.get(f"ephemeral_{life}_input_tokens") for life in ("5m", "1h"))
    return build_usage(
        stated,
        uncached=usage.get("input_tokens"),
        cache_read=usage.get("cache_read_input_tokens"),
        cache_write=choose_sum(usage.get("cache_creation_input_tokens"), short, long),
        cache_write_long=long,
        output=usage.get("output_tokens"),
        reasoning=as_object(usage.get("output_tokens_details")).get("thinking_tokens"),
        has_answer=has_answer,
    )


def has_forced_json(request: ChatRequest, target: Target) -> bool:
    """Return whether JSON is requested as the arguments of a forced tool call."""
    return choose_json_mode(request, target) is not None and target.quirks.json_mode == "tool"


def _to_block(
    part: MessagePart, target: Target, states: StateReader, sent_ids: dict[str, str]
) -> dict[str, Any] | None:
    """Convert a part to its block; None if it has none (empty text, another model's reasoning)."""
    match part["type"]:
        case "text":
            # "text content blocks must contain non-whitespace text": 400 for the whole request.
            if not part["text"].strip():
                return None
            return {"type": "text", "text": part["text"], **states.read(part)}
        case "file":
            source = {"type": "base64", "media_type": part["media_type"], "data": part["data"]}
            if part["media_type"] != PDF:
                return {"type": "image", "source": source}
            title = {"title": part["name"]} if "name" in part else {}
            return {"type": "document", "source": source, **title}
        case "reasoning":
            state = states.read(part)
            # Empty thinking with a signature goes back too (`display: "omitted"` makes it so): left
            # out, it voids the thinking behind it. Source: build-with-claude/preserved-thinking.
            if "signature" in state:
                return {"type": "thinking", "thinking": part["text"], **state}
            return state.get("block")
        case "tool_call":
            wire_id = states.read(part).get("id")
            # Two calls of one id are refused, also by the server that sent them.
            if wire_id is None or wire_id in sent_ids.values():
                wire_id = to_wire_id(target, part["id"])
            sent_ids[part["id"]] = wire_id
            call = {"type": "tool_use", "id": wire_id, "name": part["name"]}
            return {**call, "input": part["arguments"]}
        case "tool_result":
            sent_id = sent_ids.get(part["id"]) or to_wire_id(target, part["id"])
            result = {"type": "tool_result", "tool_use_id": sent_id}
            failed = {"is_error": True} if part["is_error"] else {}
            return {**result, "content": to_result_text(part["result"]), **failed}


def _is_valid(
    part: MessagePart, block: dict[str, Any], states: StateReader, prefix: Prefix | None
) -> bool:
    """Return whether the model accepts the block here; count thinking that it would refuse."""
    if prefix is None or not is_thinking(block):
        return True
    state: ProviderState | None = part.get("provider_state")
    expected = state and state.get("prefix")
    if expected == prefix.digest:
        return True
    states.leave_out(UNKNOWN if expected is None else CHANGED)
    return False


def _from_block(block: dict[str, Any], target: Target, ids: ToolIds) -> list[MessagePart]:
    match block.get("type"):
        case "text":
            text, citations = clean_text(block.get("text") or ""), block.get("citations")
            state = {"citations": citations} if citations else None
            return [target.make_part("text", text, state)] if text else []
        case "thinking":
            raw: str = block.get("thinking") or ""
            state, text = None, clean_text(raw)
            # Cleaned for Postgres, the text would no longer match its signature
            # (test_thinking_that_cannot_be_stored_as_signed_is_not_sent_back).
            if text == raw and block.get("signature"):
                state = {"signature": block["signature"]}
            elif text == raw and target.quirks.reasoning_echo != "never":
                state = {"block": block}  # an empty signature is not the same as none
            return [target.make_part("reasoning", text, state)]
        case "tool_use":
            call: FunctionCall = {
                "type": "tool_call",
                "id": "",
                "name": block.get("name") or "",
                "arguments": clean_json(block.get("input") or {}),
            }
            if "invalid_input" in block:
                call["invalid_arguments"] = clean_text(block["invalid_input"])
            return [ids.assign(call, block.get("id"), {})]
        case _:
            # Redacted thinking, server tools and what comes later: carried, not understood.
            return [target.make_part("reasoning", "", {"block": block})]
