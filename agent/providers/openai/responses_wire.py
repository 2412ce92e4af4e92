"""OpenAI Responses: neutral conversation ⇄ items. Pure. Nothing is stored at the provider."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from ...base.messages.contents import list_files
from ...base.messages.files import PDF, to_data_url
from ...base.text.cleaning import clean_text
from ...base.text.foreign_json import as_object
from ...types import ChatRequest, LLMResponse, Message, MessagePart, Stop, ToolSchema, Usage
from ..defaults import find_cache_offer
from ..efforts import add_effort
from ..files import fit_files
from ..http.bodies import add_sampling, from_call_text, to_json_text, to_result_text
from ..http.json_schema import choose_json_mode, is_strict, to_instruction, to_system
from ..http.stated_usage import build_usage, choose_sum, has_words
from ..provider_state import SentCall, Target, ToolIds, read_id, to_wire_id
from ..shown_thinking import asks_for_thinking, summarises
from ..state_reader import StateReader
from .caching import to_cache_fields

_INCOMPLETE: Final[Mapping[str, Stop]] = {
    "max_output_tokens": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
}


def to_body(request: ChatRequest, target: Target) -> tuple[dict[str, Any], list[str]]:
    """Convert a request to a Responses API body and notes on omitted options."""
    states = StateReader(target)
    messages, notes = fit_files(request.messages, target)
    wanted = choose_json_mode(request, target)
    system = to_system(request, is_native=wanted is not None)
    body: dict[str, Any] = {
        "model": target.model,
        "input": to_input(messages, target, states),
        "max_output_tokens": request.max_tokens,
        "store": False,
    }
    if target.quirks.encrypted_reasoning:
        body["include"] = ["reasoning.encrypted_content"]
        add_effort(body, request, target, "reasoning.effort")
        if asks_for_thinking(request, target, notes) and summarises(target, {}):
            body.setdefault("reasoning", {})["summary"] = "auto"
    offer = find_cache_offer(target.provider, target.model) if target.quirks.cache_key else None
    if system and offer is not None and offer.has_breakpoints:
        # `instructions` take no mark, and only what ends at a mark is found again.
        mark = {"mode": "explicit", "ttl": offer.short}
        if request.cache_for != "short" and offer.long is not None:
            mark["ttl"] = offer.long
        part = {"type": "input_text", "text": system, "prompt_cache_breakpoint": mark}
        body["input"].insert(0, {"role": "developer", "content": [part]})
    elif system:
        body["instructions"] = system
    if request.tools:
        body["tools"] = [to_tool(tool) for tool in request.tools]
        if (wish := request.tool_choice) is not None:
            named = {"type": "function", "name": wish.name}
            body["tool_choice"] = named if wish.name else wish.mode
        if not request.parallel_tool_calls:
            body["parallel_tool_calls"] = False
    if wanted is not None and not wanted.schema:
        body["text"] = {"format": {"type": "json_object"}}
        # Refused, unless the word JSON is in the input; the instructions do not count.
        instruction = {"role": "developer", "content": to_instruction(wanted)}
        body["input"] = [instruction, *body["input"]]
    elif wanted is not None:
        schema = {"name": wanted.name, "schema": wanted.schema, "strict": is_strict(wanted.schema)}
        body["text"] = {"format": {"type": "json_schema", **schema}}
    body |= to_cache_fields(request, target, offer)
    notes += states.notes()
    add_sampling(body, notes, request, target, "stop")
    return body, notes


def to_input(messages: list[Message], target: Target, states: StateReader) -> list[dict[str, Any]]:
    """Convert messages to the API's items (messages, reasoning, calls, outputs), in order."""
    items: list[dict[str, Any]] = []
    sent_ids: dict[str, str] = {}
    for message in messages:
        if list_files(message):
            content = [_to_content(part) for part in message["parts"]]
            items.append({"role": "user", "content": content})
            continue
        for part in message["parts"]:
            item = _to_item(message, part, target, states, sent_ids)
            if item is not None:
                items.append(item)
    return items


def to_tool(tool: ToolSchema) -> dict[str, Any]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "strict": False,  # the default would rewrite the schema: all properties required
    }


def from_response(body: Mapping[str, Any], sent: SentCall) -> LLMResponse:
    """Convert a response object of the API, complete or not, to an answer."""
    ids = ToolIds(sent.target, sent.request.messages)
    items = cast("list[dict[str, Any]]", body.get("output") or [])
    parts = [part for item in items for part in _from_item(item, sent.target, ids)]
    refusal = "".join(_read_contents(items, "refusal", "refusal"))
    status = cast("str", body.get("status") or "in_progress")
    details = cast("dict[str, Any]", body.get("incomplete_details") or {})
    reason = cast("str", details.get("reason") or "")
    return LLMResponse(
        message={"role": "assistant", "parts": parts},
        stop=_from_status(status, reason, parts, refusal),
        usage=from_usage(body.get("usage"), has_answer=has_words(parts)),
        model=sent.target.read_model(body.get("model")),
        stop_raw=f"{status}:{reason}" if reason else status,
        request_id=sent.request_id,
        response_id=read_id(body),
        refusal=clean_text(refusal) or None,
        notes=tuple(sent.notes),
    )


def from_usage(stated: object, *, has_answer: bool) -> Usage:
    """Convert the Responses API's token counts to a Usage.

    The input includes cached tokens, the output reasoning tokens.
    """
    usage = as_object(stated)
    details = as_object(usage.get("input_tokens_details"))
    written = as_object(details.get("cache_write_tokens_details"))
    short, long = (written.get(f"ttl_{life}_tokens") for life in ("30m", "12h"))
    return build_usage(
        stated,
        prompt=usage.get("input_tokens"),
        cache_read=details.get("cached_tokens"),
        cache_write=choose_sum(details.get("cache_write_tokens"), short, long),
        cache_write_long=long,
        output=usage.get("output_tokens"),
        reasoning=as_object(usage.get("output_tokens_details")).get("reasoning_tokens"),
        total=usage.get("total_tokens"),
        has_answer=has_answer,
    )


def _to_item(
    message: Message,
    part: MessagePart,
    target: Target,
    states: StateReader,
    sent_ids: dict[str, str],
) -> dict[str, Any] | None:
    """Convert a part to its item; None if it has none (empty text, another model's reasoning)."""
    if part["type"] == "tool_result":
        output = to_result_text(part["result"], is_error=part["is_error"])
        sent_id = sent_ids.get(part["id"]) or to_wire_id(target, part["id"])
        return {"type": "function_call_output", "call_id": sent_id, "output": output}
    state = states.read(part)
    if part["type"] == "tool_call":
        sent_ids[part["id"]] = state.get("id") or to_wire_id(target, part["id"])
        call = {"type": "function_call", "call_id": sent_ids[part["id"]], "name": part["name"]}
        # Reasoning and the call behind it belong together by id: without it, 400 "provided without
        # its required …"
        # (tests/providers/test_provider_state.py::test_responses_items_are_sent_back_unchanged).
        item_id = {"id": state["item_id"]} if state.get("item_id") else {}
        return {**call, "arguments": to_json_text(part["arguments"]), **item_id}
    if part["type"] == "reasoning":
        return state.get("item")
    if part["type"] == "file" or not part["text"].strip():
        return None
    phase = {"phase": state["phase"]} if "phase" in state else {}
    return {"role": message["role"], "content": part["text"], **phase}


def _to_content(part: MessagePart) -> dict[str, Any]:
    """Convert a part of a user's message that has files."""
    if part["type"] != "file":
        return {"type": "input_text", "text": part["text"] if part["type"] == "text" else ""}
    if part["media_type"] != PDF:
        return {"type": "input_image", "image_url": to_data_url(part), "detail": "auto"}
    name = part.get("name", "document.pdf")
    return {"type": "input_file", "filename": name, "file_data": to_data_url(part)}


def _from_item(item: dict[str, Any], target: Target, ids: ToolIds) -> list[MessagePart]:
    match item.get("type"):
        case "message":
            texts = map(clean_text, _read_contents([item], "output_text", "text"))
            state = {"phase": item["phase"]} if item.get("phase") else None
            return [target.make_part("text", text, state) for text in texts if text]
        case "function_call":
            call = from_call_text(item.get("name"), item.get("arguments") or "")
            state = {"item_id": item["id"]} if item.get("id") else {}
            return [ids.assign(call, item.get("call_id"), state)]
        case "reasoning":
            # Only encrypted reasoning can go back: nothing is stored at the provider.
            state = {"item": item} if item.get("encrypted_content") else None
            pieces: list[Any] = [*(item.get("summary") or []), *(item.get("content") or [])]
            text = clean_text("".join(piece.get("text") or "" for piece in pieces))
            return [target.make_part("reasoning", text, state)] if text or state else []
        case _:
            # The provider's own tools and what comes later: carried, not understood.
            return [target.make_part("reasoning", "", {"item": item})]


def _from_status(status: str, reason: str, parts: list[MessagePart], refusal: str) -> Stop:
    if status == "incomplete":
        return _INCOMPLETE.get(reason, "other") if reason else "length"
    if status != "completed":
        return "error"
    if any(part["type"] == "tool_call" for part in parts):
        return "tool_use"
    return "refusal" if refusal else "end"


def _read_contents(items: list[dict[str, Any]], kind: str, key: str) -> list[str]:
    """List the strings of one kind of content in all messages."""
    return [
        content.get(key) or ""
        for item in items
        if item.get("type") == "message"
        for content in cast("list[dict[str, Any]]", item.get("content") or [])
        if content.get("type") == kind
    ]
