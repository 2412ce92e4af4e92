"""Chat Completions: neutral conversation ⇄ wire. Pure; quirks of servers come in as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, cast

from ...base.messages.contents import list_files
from ...base.messages.files import PDF, to_data_url
from ...base.text.cleaning import clean_text
from ...base.text.foreign_json import as_object
from ...types import ChatRequest, LLMResponse, Message, MessagePart, Stop, ToolChoice, Usage
from ..defaults import Quirks, find_cache_offer
from ..efforts import add_effort
from ..files import fit_files
from ..http.bodies import (
    add_sampling,
    from_call_text,
    may_call,
    to_function_tool,
    to_json_text,
    to_result_text,
)
from ..http.failures import build_model_error, parse_failure
from ..http.json_schema import choose_json_mode, is_strict, to_system
from ..http.stated_usage import build_usage, has_words
from ..provider_state import SentCall, Target, ToolIds, read_id, to_wire_id
from ..state_reader import StateReader
from .caching import is_all_long, to_cache_fields

# In small letters: gateways send the words of the vendor behind them as well. "error": the server
# gave up in the middle and says so in the finish reason.
_STOPS: Final[Mapping[str, Stop]] = {
    **dict.fromkeys(("stop", "end_turn", "eos", "eos_token", "complete", "completed"), "end"),
    **dict.fromkeys(("tool_calls", "tool_call", "function_call", "tool_use"), "tool_use"),
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), "length"),
    "model_context_window_exceeded": "length",
    "stop_sequence": "stop_sequence",
    "refusal": "refusal",
    "pause_turn": "pause",
    **dict.fromkeys(
        ("content_filter", "content_filtered", "safety", "recitation"), "content_filter"
    ),
    **dict.fromkeys(("sensitive", "blocklist", "prohibited_content", "spii"), "content_filter"),
    **dict.fromkeys(("guardrail_intervened", "error_toxic"), "content_filter"),
    **dict.fromkeys(("network_error", "abort", "error"), "error"),
    "insufficient_system_resource": "error",
}
# What the reason of a vendor behind a gateway says that the gateway's own does not.
_TELLING: Final = ("refusal", "content_filter", "error", "length")


def to_body(request: ChatRequest, target: Target) -> tuple[dict[str, Any], list[str]]:
    """Convert a request to a Chat Completions body and notes on omitted options."""
    quirks, states = target.quirks, StateReader(target)
    wanted = choose_json_mode(request, target)
    # OpenAI takes its mode without a schema only where the word JSON is in the prompt.
    is_native = wanted is not None and quirks.json_mode == "schema" and bool(wanted.schema)
    system = to_system(request, is_native=is_native)
    offer = find_cache_offer(target.provider, target.model) if quirks.cache_key else None
    head: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    if head and offer is not None and offer.has_breakpoints:
        mark = {"mode": "explicit"}
        head[0]["content"] = [{"type": "text", "text": system, "prompt_cache_breakpoint": mark}]
    messages, notes = fit_files(request.messages, target)
    if head and offer is not None and offer.has_breakpoints and request.cache_for != "short":
        # Only a mark could ask for longer here, and no usage would tell what was written so.
        notes.append(f"Chat Completions keeps a cache for {offer.short} only: so it was asked for")
        request = replace(request, cache_for="short")
    body: dict[str, Any] = {
        "model": target.model,
        "messages": [*head, *to_messages(messages, target, states)],
        quirks.max_tokens_field: request.max_tokens,
        **to_response_format(request, target),
    }
    wish = None if "tool_choice" in target.refuses else request.tool_choice
    is_required = wish is not None and wish.mode == "required"
    if request.tools and ("tool_choice" not in target.refuses or may_call(request, notes)):
        body |= to_tools(request, wish, quirks)
    # DeepSeek refuses a forced call while it thinks, and an effort would switch thinking on again.
    if not (is_required and quirks.forced_choice):
        add_effort(body, request, target, "reasoning_effort")
    body |= to_cache_fields(request, target, offer)
    body.update(quirks.extra_body)
    notes += states.notes()
    add_sampling(body, notes, request, target, "stop")
    return body, notes


def to_tools(request: ChatRequest, wish: ToolChoice | None, quirks: Quirks) -> dict[str, Any]:
    """Return the body's field `tools`, and the fields on tool choice that are needed.

    wish: None if the choice is free, or the server has no `tool_choice`.
    """
    fields: dict[str, Any] = {"tools": [to_function_tool(tool) for tool in request.tools]}
    if wish is not None:
        named = {"type": "function", "function": {"name": wish.name}}
        fields["tool_choice"] = named if wish.name else wish.mode
        fields |= quirks.forced_choice if wish.mode == "required" else {}
    if quirks.parallel_flag and not request.parallel_tool_calls:
        fields["parallel_tool_calls"] = False
    return fields


def to_messages(
    messages: list[Message], target: Target, states: StateReader
) -> list[dict[str, Any]]:
    """Convert messages to Chat Completions messages, with one message for each tool result."""
    wire: list[dict[str, Any]] = []
    sent_ids: dict[str, str] = {}
    for message in messages:
        if message["role"] == "assistant":
            wire.extend(_to_assistant(message, target, states, sent_ids))
            continue
        for part in message["parts"]:
            if part["type"] == "tool_result":
                sent_id = sent_ids.get(part["id"]) or to_wire_id(target, part["id"])
                content = to_result_text(part["result"], is_error=part["is_error"])
                wire.append({"role": "tool", "tool_call_id": sent_id, "content": content})
        if content := _to_content(message):
            wire.append({"role": "user", "content": content})
    return wire


def to_response_format(request: ChatRequest, target: Target) -> dict[str, Any]:
    """Return the body's field `response_format`; {} if JSON is not requested through it."""
    wanted = choose_json_mode(request, target)
    if wanted is None or target.quirks.json_mode == "prompt":
        return {}
    if target.quirks.json_mode == "object" or not wanted.schema:
        return {"response_format": {"type": "json_object"}}
    schema: dict[str, Any] = {"name": wanted.name, "schema": wanted.schema}
    if target.quirks.strict_schema and is_strict(wanted.schema):
        schema["strict"] = True
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def from_completion(body: Mapping[str, Any], sent: SentCall) -> LLMResponse:
    """Convert a chat.completion object, complete or not, to an answer.

    Raises: ModelError for a body without a choice: no answer, whatever else it says.
    """
    if not body.get("choices"):
        raise build_model_error(parse_failure(body, None, {}), sent.target)
    choice = cast("dict[str, Any]", body["choices"][0])
    if choice.get("error"):  # OpenRouter's form for one whose upstream broke off
        raise build_model_error(parse_failure(choice, None, {}), sent.target)
    message = cast("dict[str, Any]", choice.get("message") or {})
    stop_raw = cast("str | None", choice.get("finish_reason"))
    parts = _from_message(message, sent)
    stop = read_stop(stop_raw)
    native = choice.get("native_finish_reason")
    if stop == "end" and isinstance(native, str) and native:
        # OpenRouter's: what the vendor behind it said (earendil-works/pi #8511: "network_error").
        stop = native_stop if (native_stop := read_stop(native)) in _TELLING else stop
        stop_raw = f"{stop_raw} ({native})" if not parts or stop != "end" else stop_raw
    # Several servers say `stop` for calls, too.
    if stop in ("end", "other") and list_wire_calls(message):
        stop = "tool_use"
    elif stop == "end" and message.get("refusal"):
        stop = "refusal"
    return LLMResponse(
        message={"role": "assistant", "parts": parts},
        stop=stop,
        usage=from_usage(
            body.get("usage") or choice.get("usage"),
            has_answer=has_words(parts),
            is_long=is_all_long(sent.request, sent.target),
        ),
        model=sent.target.read_model(body.get("model")),
        stop_raw=stop_raw,
        request_id=sent.request_id,
        response_id=read_id(body),
        refusal=clean_text(message.get("refusal") or "") or None,
        notes=tuple(sent.notes),
    )


def read_stop(reason: str | None) -> Stop:
    """Convert a server's finish reason to our stop reason.

    >>> read_stop("content_filter: PROHIBITED_CONTENT"), read_stop("STOP"), read_stop("new")
    ('content_filter', 'end', 'other')
    """
    return _STOPS.get((reason or "stop").partition(":")[0].strip().lower(), "other")


def from_usage(stated: object, *, has_answer: bool, is_long: bool = False) -> Usage:
    """Convert OpenAI's token counts to a Usage.

    The input includes cached tokens, the output reasoning tokens. Servers that exclude either are
    told by the total: earendil-works/pi #2048, Portkey gateway #1754. is_long: what is written was
    to live for the longer time, which it does not tell.
    """
    usage = as_object(stated)
    details = as_object(usage.get("prompt_tokens_details"))
    stated_as = (details.get("cached_tokens"), usage.get("cached_tokens"))
    cached = (*stated_as, usage.get("prompt_cache_hit_tokens"))
    return build_usage(
        stated,
        prompt=usage.get("prompt_tokens"),
        cache_read=next((value for value in cached if value is not None), None),
        cache_write=details.get("cache_write_tokens"),
        cache_write_long=details.get("cache_write_tokens") if is_long else None,
        output=usage.get("completion_tokens"),
        reasoning=as_object(usage.get("completion_tokens_details")).get("reasoning_tokens"),
        total=usage.get("total_tokens"),
        has_answer=has_answer,
    )


def _to_assistant(
    message: Message, target: Target, states: StateReader, sent_ids: dict[str, str]
) -> list[dict[str, Any]]:
    """Convert an assistant's message; [] if nothing of it can be sent."""
    reasoning: list[str] = []
    details: list[Any] = []
    calls: list[dict[str, Any]] = []
    for part in message["parts"]:
        state = states.read(part)
        if part["type"] == "reasoning" and state:
            reasoning.append(part["text"])
            details.extend(state.get("details") or [])
        elif part["type"] == "tool_call":
            sent_ids[part["id"]] = state.get("id") or to_wire_id(target, part["id"])
            function = {"name": part["name"], "arguments": to_json_text(part["arguments"])}
            calls.append({"id": sent_ids[part["id"]], "type": "function", "function": function})
    text = _join_text(message)
    if not text and not calls:
        return []
    wire: dict[str, Any] = {"role": "assistant", "content": text or target.quirks.empty_content}
    if calls:
        wire["tool_calls"] = calls
    if details:
        wire["reasoning_details"] = details
    # DeepSeek: 400 "must be passed back", also where the thought was empty. Source:
    # NousResearch/hermes-agent #18263.
    elif calls and target.quirks.reasoning_echo == "tool_calls":
        wire["reasoning_content"] = "".join(reasoning) or target.quirks.empty_reasoning
    return [wire]


def _to_content(message: Message) -> str | list[dict[str, Any]]:
    """Convert a user's message to `content`: its text, or a list of parts if it has files."""
    text = _join_text(message)
    files: list[dict[str, Any]] = []
    for part in list_files(message):
        if part["media_type"] != PDF:
            files.append({"type": "image_url", "image_url": {"url": to_data_url(part)}})
        else:
            name = part.get("name", "document.pdf")
            file = {"filename": name, "file_data": to_data_url(part)}
            files.append({"type": "file", "file": file})
    return [*files, {"type": "text", "text": text}] if files and text else files or text


def _join_text(message: Message) -> str:
    """Join a message's visible texts; "" for blank text, which several servers refuse."""
    texts = [part["text"] for part in message["parts"] if part["type"] == "text"]
    joined = ("" if message["role"] == "assistant" else "\n\n").join(texts)
    return joined if joined.strip() else ""


def _from_message(message: dict[str, Any], sent: SentCall) -> list[MessagePart]:
    target, parts = sent.target, list[MessagePart]()
    thought, details = clean_text(read_reasoning(message)), message.get("reasoning_details")
    if thought or details:
        echo = {"echo": True} if target.quirks.reasoning_echo != "never" else None
        state = {"details": details} if details else echo
        parts.append(target.make_part("reasoning", thought, state))
    if text := clean_text(read_text(message.get("content"))):
        parts.append({"type": "text", "text": text})
    ids = ToolIds(target, sent.request.messages)
    for wire in list_wire_calls(message):
        function = cast("dict[str, Any]", wire.get("function") or {})
        arguments = to_json_text(function.get("arguments") or "")
        wire_id = str(wire.get("id") or "") or None
        parts.append(ids.assign(from_call_text(function.get("name"), arguments), wire_id, {}))
    return parts


def list_wire_calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    """List the tool calls of a message or delta, in the current or the older form."""
    if calls := message.get("tool_calls"):
        return cast("list[dict[str, Any]]", calls)
    only = message.get("function_call")
    return [{"index": 0, "function": only}] if only else []


def read_text(content: object) -> str:
    """Return a message's content, a string or typed pieces, as one text."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    pieces = cast("list[dict[str, Any]]", content)
    return "".join(piece.get("text") or "" for piece in pieces if piece.get("type") == "text")


def read_reasoning(message: dict[str, Any]) -> str:
    """Return a message's reasoning, from whichever field contains it; else ""."""
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and message[key]:
            return message[key]
    if details := cast("list[dict[str, Any]]", message.get("reasoning_details") or []):
        return "".join(detail.get("text") or detail.get("summary") or "" for detail in details)
    content = message.get("content")  # Mistral sends it between the typed pieces of the content
    if not isinstance(content, list):
        return ""
    pieces = cast("list[dict[str, Any]]", content)
    thoughts = [piece.get("thinking") for piece in pieces if piece.get("type") == "thinking"]
    return "".join(
        thought if isinstance(thought, str) else read_text(thought) for thought in thoughts
    )
