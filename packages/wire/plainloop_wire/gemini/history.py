"""What Gemini demands of a conversation, and the neutral messages that it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from plainloop.agent.types import FunctionCall, FunctionResponse, Message, MessagePart

from ..api import WireError, load_api
from ..results import to_file_part, to_tool_result
from ..strict import Path, Shape, format_path
from .fields import CALL, CONTENT, DATA, PART, RESPONSE, read_fields
from .signature import check_signature, is_third_generation

_API: Final = load_api("gemini")

_OTHER_MEDIA: Final = ("audio/", "video/", "text/")
_WRAPPERS: Final = ("result", "output")


def read_contents(contents: Sequence[Any], name: str) -> list[dict[str, Any]]:
    """Check a request's contents and return them as dicts with `role` and `parts`.

    Raises: ShapeError, WireError.
    """
    read: list[dict[str, Any]] = []
    for i, value in enumerate(contents):
        path = (name, i) if name == "contents" else (name,)
        content = read_fields(value, path, CONTENT)
        parts = [
            _read_part(part, (*path, "parts", j)) for j, part in enumerate(content.get("parts", []))
        ]
        role = content.get("role") or "user"
        if name == "contents" and role not in ("user", "model", "function"):
            raise WireError(400, "Please use a valid role: user, model.")
        if name == "contents" and not parts:
            raise _not_initialised(f"contents[{i}].parts: contents.parts must not be empty.")
        read.append({"role": role, "parts": parts})
    return read


def check_history(contents: Sequence[dict[str, Any]], model: str, account: str) -> None:
    """Check a request's contents by the rules of Gemini's API.

    Raises: WireError for the first fault.
    """
    if not contents:
        raise _not_initialised("contents: contents is not specified")
    open_calls: list[dict[str, Any]] = []
    for i, content in enumerate(contents):
        before = contents[i - 1] if i else None
        calls = [part["functionCall"] for part in content["parts"] if "functionCall" in part]
        responses = [p["functionResponse"] for p in content["parts"] if "functionResponse" in p]
        if calls and (content["role"] != "model" or before is None or before["role"] == "model"):
            raise _API.refuse("call_out_of_turn")
        if responses and not open_calls:
            raise _API.refuse("response_out_of_turn")
        if len(responses) != len(open_calls):
            raise _API.refuse("responses_missing")
        if sorted(call["name"] for call in open_calls) != sorted(
            item["name"] for item in responses
        ):
            raise _API.refuse("response_names")
        open_calls = calls
    if contents[-1]["role"] == "model":
        raise _API.refuse("ends_with_model")
    if is_third_generation(model):
        # In the current turn the first call of each step is signed; what is signed is ours.
        # Source: ai.google.dev/gemini-api/docs/thought-signatures (validation is for the
        # current turn).
        users = [
            i
            for i, content in enumerate(contents)
            if content["role"] != "model"
            and any("text" in part or "inlineData" in part for part in content["parts"])
        ]
        start = users[-1] if users else 0
        for i, content in enumerate(contents):
            signed = [part for part in content["parts"] if "functionCall" in part]
            for j, part in enumerate(signed):
                call = part["functionCall"]
                signature = part.get("thoughtSignature")
                if signature is not None:
                    check_signature(signature, model, account, call["name"], call.get("args", {}))
                elif j == 0 and i > start:
                    raise _API.refuse("signature_missing", name=call["name"], position=i + 1)


def to_messages(contents: Sequence[dict[str, Any]]) -> list[Message]:
    """Convert Gemini's contents to plainloop's messages.

    Calls without an id are numbered.
    """
    neutral: list[Message] = []
    open_calls: list[FunctionCall] = []
    for i, content in enumerate(contents):
        if content["role"] == "model":
            parts = _model_parts(content["parts"], i)
            open_calls = [part for part in parts if part["type"] == "tool_call"]
            if parts:
                neutral.append({"role": "assistant", "parts": parts})
            continue
        responses = [p["functionResponse"] for p in content["parts"] if "functionResponse" in p]
        results: list[MessagePart] = [
            _to_result(response, _find_call(open_calls, response, j))
            for j, response in enumerate(responses)
        ]
        texts: list[MessagePart] = [
            {"type": "text", "text": part["text"]}
            if "text" in part
            else to_file_part(part["inlineData"]["mimeType"], part["inlineData"]["data"])
            for part in content["parts"]
            if "text" in part or "inlineData" in part
        ]
        if results:
            neutral.append({"role": "tool", "parts": results})
        if texts:
            neutral.append({"role": "user", "parts": texts})
    return neutral


def _read_part(value: Any, path: Path) -> dict[str, Any]:
    part = read_fields(value, path, PART)
    where = format_path(path)
    data = [key for key in DATA if key in part]
    if len(data) > 1:
        raise _not_initialised(f"{where}.data: oneof field 'data' is already set.")
    is_empty = not data or (part.get("text") == "" and "thoughtSignature" not in part)
    if is_empty and path[0] == "contents":
        raise _not_initialised(
            f"{where}.data: required oneof field 'data' must have one initialized field"
        )
    if "functionCall" in part:
        part["functionCall"] = read_fields(part["functionCall"], (*path, "function_call"), CALL)
    if "functionResponse" in part:
        inner = (*path, "function_response")
        part["functionResponse"] = read_fields(part["functionResponse"], inner, RESPONSE)
    for key in ("functionCall", "functionResponse"):
        if key in part and not part[key].get("name"):
            snake = "function_call" if key == "functionCall" else "function_response"
            raise _not_initialised(f"{where}.{snake}.name: Name cannot be empty.")
    if "inlineData" in part:
        blob: Shape = {"mimeType": "string", "data": "string"}
        part["inlineData"] = read_fields(part["inlineData"], (*path, "inline_data"), blob, blob)
        media_type = part["inlineData"]["mimeType"]
        # Source: ai.google.dev, gemini-api/docs/image-understanding; microsoft/vscode #286628.
        if media_type not in _API.lists["mime_types"] and not media_type.startswith(_OTHER_MEDIA):
            raise WireError(400, f"Unsupported MIME type: {media_type}")
    elif data and data[0] not in ("text", "functionCall", "functionResponse"):
        raise WireError(400, f"{where}: {data[0]} is not simulated here")
    return part


def _model_parts(parts: Sequence[dict[str, Any]], index: int) -> list[MessagePart]:
    neutral: list[MessagePart] = []
    for j, part in enumerate(parts):
        if "functionCall" in part:
            call = part["functionCall"]
            neutral.append(
                {
                    "type": "tool_call",
                    "id": call.get("id") or f"call_{index}_{j}",
                    "name": call["name"],
                    "arguments": call.get("args", {}),
                }
            )
        elif part.get("thought"):
            neutral.append({"type": "reasoning", "text": part["text"]})
        elif part.get("text"):
            neutral.append({"type": "text", "text": part["text"]})
    return neutral


def _find_call(
    calls: Sequence[FunctionCall], response: dict[str, Any], index: int
) -> FunctionCall | None:
    """By id where one was sent, else by place."""
    by_id = [call for call in calls if call["id"] == response.get("id")]
    return by_id[0] if by_id else calls[index] if index < len(calls) else None


def _to_result(response: dict[str, Any], call: FunctionCall | None) -> FunctionResponse:
    """A response that is only `{"result": …}` or `{"output": …}` stands for what is in it."""
    result: Any = response.get("response", {})
    if len(result) == 1 and next(iter(result)) in _WRAPPERS:
        result = next(iter(result.values()))
    return to_tool_result(call["id"] if call else "", response["name"], result)


def _not_initialised(text: str) -> WireError:
    return WireError(400, f"* GenerateContentRequest.{text}\n")
