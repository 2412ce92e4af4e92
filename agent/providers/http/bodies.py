"""Bodies as several protocols have them: answers in one piece, tools, calls, results as text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, Final, cast

import orjson

from ...base.text.cleaning import clean_json, clean_text
from ...base.text.json_text import parse_arguments
from ...base.text.tables import compact_json
from ...types import ChatRequest, FunctionCall, ToolCallDelta, ToolSchema
from ..provider_state import Target
from .failure_kinds import Failure
from .failures import build_model_error, parse_failure
from .json_values import parse_json

USUAL_TEMPERATURE: Final = 1.0  # of models that take no other
MAX_STOPS: Final = 4  # what every server takes
_UNFORCED: Final = "tool_choice was not sent: the provider refuses it"
BLANK: Final = b" \t\r\n\xef\xbb\xbf"  # what may stand before a body's first word


async def read_start(chunks: AsyncIterator[bytes]) -> bytes:
    """Read a body's first chunks until one is not blank; b"" for a blank body."""
    start = b""
    async for chunk in chunks:
        start += chunk
        if start.strip(BLANK):
            break
    return start


def is_event_stream(start: bytes) -> bool:
    """Return whether a body's first bytes begin an event stream, not JSON or an HTML page.

    The body tells; the content type that servers state is not always true.
    """
    return not start.startswith((b"{", b"[", b"<"))


def parse_body(raw: bytes, target: Target, headers: Mapping[str, str]) -> dict[str, Any]:
    """Parse the JSON object of a response with status 200.

    Raises: ModelError for what is no answer of this API: an HTML page, an error inside a 200.
    """
    try:
        body: object = parse_json(raw)
    except ValueError as error:
        text = raw.decode("utf-8", "replace")
        failure = Failure(text[:2000] or "an empty answer", status=502)
        raise build_model_error(failure, target) from error
    if not isinstance(body, dict):
        raise build_model_error(
            Failure(f"an answer in an unknown form: {str(body)[:200]}", status=502), target
        )
    answer = cast("dict[str, Any]", body)
    if is_error(answer):
        raise build_model_error(parse_failure(answer, None, headers), target)
    return answer


def make_call_delta(index: int, wire_id: object, name: object, content: object) -> ToolCallDelta:
    """Build the delta of a tool call that is being streamed. wire_id: the provider's id."""
    return {
        "index": index,
        "id": (clean_text(str(wire_id)) or None) if wire_id else None,
        "name": clean_text(str(name)) if name else "",
        "content": clean_text(str(content)) if content else "",
    }


def is_error(body: Mapping[str, Any]) -> bool:
    """Return whether the body of an HTTP 200 is an error.

    {"error": …}; vLLM's {"object": "error", …}; MiniMax's base_resp with a code; a gateway's
    {"code": …, "msg": …} without an answer.
    """
    if body.get("error") or body.get("object") == "error":
        return True
    base = body.get("base_resp")
    if isinstance(base, Mapping):
        return cast("Mapping[str, Any]", base).get("status_code", 0) not in (0, "0", None)
    message = body.get("message") or body.get("msg")
    return isinstance(message, str) and "code" in body and "choices" not in body


def add_sampling(
    body: dict[str, Any], notes: list[str], request: ChatRequest, target: Target, stop: str
) -> None:
    """Add the supported sampling options to `body`, and notes on the others to `notes`.

    stop: the field's name. Unsent stop sequences still apply: see `stop_texts`.
    """
    # OpenAI refuses a fifth. The others still apply: the service itself cuts the text there.
    texts = [*request.stop][:MAX_STOPS]
    requested = {"temperature": request.temperature, **request.sampling, stop: texts or None}
    for field, value in requested.items():
        if value is None:
            continue
        name = "stop" if field == stop else field
        if name not in target.refuses:
            body[field] = value
        # No note for what changes nothing: 1 is what such models do anyway.
        elif name != "stop" and (name, value) != ("temperature", USUAL_TEMPERATURE):
            notes.append(
                f"{name} was ignored: {target.provider}:{target.model} does not support it"
            )


def unforce(request: ChatRequest, target: Target, notes: list[str]) -> ChatRequest:
    """Return the request in a form whose `tool_choice` the server supports.

    If a forced call is not supported, it is removed, with a note. If the model then answers in
    text, `needs_call` has it asked again.
    """
    wish = request.tool_choice
    if wish is None or wish.mode != "required" or "tool_choice" not in target.refuses:
        return request
    notes.append(_UNFORCED)
    return replace(request, tool_choice=None)


def may_call(request: ChatRequest, notes: list[str]) -> bool:
    """Return whether to send tools to a server that knows no `tool_choice`.

    They are not sent if calls are forbidden. A forced call cannot be sent either: a note says so.
    """
    wish = request.tool_choice
    if wish is not None and wish.mode != "none":
        notes.append(_UNFORCED)
    return wish is None or wish.mode != "none"


def to_function_tool(tool: ToolSchema) -> dict[str, Any]:
    """Convert a tool to the form of Chat Completions and similar APIs."""
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def from_call_text(name: str | None, raw: str) -> FunctionCall:
    """Build a tool call from its name and its arguments as JSON text.

    Arguments that are no JSON object are kept as text. The call's id is assigned later.
    """
    arguments = parse_arguments(raw)
    call: FunctionCall = {
        "type": "tool_call",
        "id": "",
        "name": name or "",
        "arguments": clean_json(arguments or {}),
    }
    if arguments is None:
        call["invalid_arguments"] = clean_text(raw)
    return call


def to_json_text(value: Any) -> str:
    """Serialize a JSON value; return a string unchanged."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def to_result_text(result: Any, *, is_error: bool = False) -> str:
    """Convert a tool's result to compact text for the model.

    Lists become tables.
    >>> to_result_text("no clock", is_error=True)
    '{"error":"no clock"}'
    """
    if is_error and not (isinstance(result, dict) and "error" in result):
        return to_json_text({"error": result})
    return compact_json(to_json_text(result))
