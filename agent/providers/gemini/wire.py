"""Gemini: neutral conversation → contents and config in the SDK's dict form. Pure."""

from __future__ import annotations

import base64
from typing import Any, Final, cast

from ...base.text.tables import compact_value
from ...types import ChatRequest, Message, MessagePart, ToolSchema
from ..efforts import add_effort
from ..http.bodies import add_sampling
from ..http.json_schema import choose_json_mode, to_system
from ..provider_state import Target
from ..shown_thinking import asks_for_thinking, summarises
from ..state_reader import StateReader

# Google's own stand-in for calls that another model made: from Gemini 3 on a call without a
# signature is refused. Source: ai.google.dev, Gemini 3 guide, "migrating from other models".
_FOREIGN_SIGNATURE: Final = base64.b64encode(b"context_engineering_is_the_way_to_go").decode()
_FUNCTIONS: Final = frozenset({"functionCall", "functionResponse"})
_UNSIGNED_MODELS: Final = ("gemini-1", "gemini-2", "gemma")
# The SDK turns a read time-out into a deadline for the server; a long answer must not meet it.
_SERVER_DEADLINE_S: Final = 600


def to_contents(
    messages: list[Message], target: Target, states: StateReader
) -> list[dict[str, Any]]:
    """Convert messages to Gemini's field `contents`.

    Neighbours of one role are merged if they have no calls.
    """
    contents: list[dict[str, Any]] = []
    sent_ids: dict[str, str] = {}
    for message in messages:
        role = "model" if message["role"] == "assistant" else "user"
        parts = [
            wire
            for part in message["parts"]
            if (wire := _to_part(part, states, sent_ids)) is not None
        ]
        called = [part for part in parts if "functionCall" in part]
        # Only the first call of a message needs a signature; only another model's has none.
        if called and not is_before_3(target):
            called[0].setdefault("thoughtSignature", _FOREIGN_SIGNATURE)
        if not parts:
            continue
        last = contents[-1] if contents and contents[-1]["role"] == role else None
        together = [*last["parts"], *parts] if last else []
        # Google wants each result in the content right behind its call's: both stay apart.
        if last and not any(_FUNCTIONS & part.keys() for part in together):
            last["parts"] = together
        else:
            contents.append({"role": role, "parts": parts})
    return contents


def to_config(
    request: ChatRequest, target: Target, timeout_s: float, *, search_grounding: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """Convert a request to the SDK's config dict and notes on omitted options."""
    config: dict[str, Any] = {
        "max_output_tokens": request.max_tokens,
        # Else the SDK would run Python callables by itself, past approvals and ledger.
        "automatic_function_calling": {"disable": True},
        "http_options": {
            "timeout": int(timeout_s * 1000),
            "headers": {"X-Server-Timeout": str(max(_SERVER_DEADLINE_S, int(timeout_s)))},
        },
    }
    notes: list[str] = []
    # Before Gemini 3 JSON mode and tools were refused together.
    is_json_free = not request.tools or not is_before_3(target)
    wanted = choose_json_mode(request, target) if is_json_free else None
    if system := to_system(request, is_native=wanted is not None):
        config["system_instruction"] = system
    add_sampling(config, notes, request, target, "stop_sequences")
    add_effort(config, request, target, "thinking_config.thinking_level")
    # The SDK's enum is in capitals; providers.toml writes levels in one way for all vendors.
    if level := config.get("thinking_config", {}).get("thinking_level"):
        config["thinking_config"] = {"thinking_level": level.upper()}
    thinking = config.get("thinking_config", {})
    if summarises(target, thinking) and asks_for_thinking(request, target, notes):
        config["thinking_config"] = {**thinking, "include_thoughts": True}
    if wanted is not None:
        config["response_mime_type"] = "application/json"
    if wanted is not None and wanted.schema:
        config["response_json_schema"] = wanted.schema
    tools: dict[str, Any] = {"google_search": {}} if search_grounding else {}
    tool_config: dict[str, Any] = {}
    if request.tools:
        tools["function_declarations"] = [to_tool(tool) for tool in request.tools]
        if (wish := request.tool_choice) is not None:
            only = {"allowed_function_names": [wish.name]} if wish.name else {}
            mode = "NONE" if wish.mode == "none" else "ANY"
            tool_config["function_calling_config"] = {"mode": mode, **only}
    if len(tools) == 2:
        # Without it 400: what the search gave comes back with our own tools' results.
        # Source: ai.google.dev, "Combine built-in tools and function calling".
        tool_config["include_server_side_tool_invocations"] = True
    if tool_config:
        config["tool_config"] = tool_config
    if tools:
        config["tools"] = [tools]
    return config, notes


def to_tool(tool: ToolSchema) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters_json_schema": tool.parameters,
    }


def _to_part(
    part: MessagePart, states: StateReader, sent_ids: dict[str, str]
) -> dict[str, Any] | None:
    """Convert a part to Gemini's; None if it has none (empty text, another model's reasoning)."""
    if part["type"] == "tool_result":
        result = compact_value(part["result"])
        is_object = isinstance(result, dict)
        response = cast("dict[str, Any]", result) if is_object else {"result": result}
        # Google's own convention for a failed call. Source: ai.google.dev, api/caching,
        # FunctionResponse.
        if part["is_error"] and "error" not in response:
            response = {"error": result}
        sent_id = {"id": sent_ids[part["id"]]} if part["id"] in sent_ids else {}
        return {"functionResponse": {"name": part["name"], "response": response, **sent_id}}
    if part["type"] == "file":
        return {"inlineData": {"mimeType": part["media_type"], "data": part["data"]}}
    state = states.read(part)
    signature = {"thoughtSignature": state["signature"]} if "signature" in state else {}
    if "part" in state:
        return {**state["part"], **signature}
    if part["type"] == "tool_call":
        sent_id = {"id": state["id"]} if state.get("id") else {}
        sent_ids.update({part["id"]: state["id"]} if sent_id else {})
        function = {"name": part["name"], "args": part["arguments"], **sent_id}
        return {"functionCall": function, **signature}
    if part["type"] == "reasoning":
        thought = {"thought": True} if state.get("thought") else {}
        return {"text": part["text"], **thought, **signature} if signature else None
    return {"text": part["text"], **signature} if part["text"].strip() or signature else None


def is_before_3(target: Target) -> bool:
    """Return whether the model is older than Gemini 3, judged by its name."""
    return target.model.removeprefix("models/").startswith(_UNSIGNED_MODELS)
