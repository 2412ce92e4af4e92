"""Messages of Vercel's AI SDK and of Gemini as messages with blocks that `messages` reads.

A UI message holds a whole turn: several steps, each call with its result in one part.
Sources: vercel/ai packages/ai/src/ui/ui-messages.ts and convert-to-model-messages.ts (version 4:
packages/ai/core/prompt/convert-to-core-messages.ts); googleapis/python-genai types.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from .values import as_dict, as_list, as_text

Note = Callable[[str], None]
_STEP: Final[dict[str, Any]] = {"type": "step-start"}
_APPROVALS: Final = ("tool-approval-request", "tool-approval-response")
_BESIDE: Final = ("source", "source-url", "source-document", "data", *_APPROVALS)
_MEDIA: Final = ("mediaType", "mimeType", "contentType")  # versions 5, 4, attachments of 4
_UNFINISHED: Final = ("input-streaming", "partial-call")
_DENIED: Final = "Tool execution denied."
# Gemini's parts have no type, but one of these fields; Python's client may write the second form.
_CALLS: Final = ("functionCall", "function_call")
_RESPONSES: Final = ("functionResponse", "function_response")
_INLINE: Final = ("inlineData", "inline_data")


def split_message(found: dict[str, Any], note: Note) -> list[dict[str, Any]]:
    """Split a message into steps: its parts, then a tool message of the calls' results.

    Returns a message without parts of these formats unchanged.
    """
    inner = as_dict(found.get("content"))
    if isinstance(inner.get("parts"), list):  # a candidate of Gemini
        found = {**found, "content": inner["parts"]}
    blocks = as_list(found.get("parts")) or as_list(found.get("content"))
    invocations = as_list(found.get("toolInvocations"))
    attached = as_list(found.get("experimental_attachments"))
    if invocations and not any(_kind(block) == "tool-invocation" for block in blocks):
        blocks = _place_invocations(blocks or [found.get("content")], invocations)
    elif attached:
        text = [] if any(_kind(block) == "text" for block in blocks) else [found.get("content")]
        blocks = [*text, *blocks, *({**as_dict(one), "type": "file"} for one in attached)]
    if not any(map(_is_known, blocks)):
        return [found]
    is_answer = found.get("role") in ("assistant", "model")
    bare = {name: value for name, value in found.items() if name not in ("parts", "content")}
    messages: list[dict[str, Any]] = []
    for parts, results in _fold(blocks, note):
        step = [{**bare, "content": parts}] if parts else []
        answered = [{"role": "tool", "content": results}] if results else []
        messages += [*step, *answered] if is_answer else [*answered, *step]
    return messages or [{**bare, "content": []}]


def _kind(block: Any) -> str:
    return as_text(as_dict(block).get("type"))


def _is_known(block: Any) -> bool:
    found, kind = as_dict(block), _kind(block)
    if not kind:
        return any(name in found for name in ("thought", *_CALLS, *_RESPONSES, *_INLINE))
    is_beside = kind in _BESIDE or kind.startswith("data-")
    is_file = kind == "file" and any(name in found for name in _MEDIA)
    return kind == "step-start" or is_beside or is_file or _is_tool(found, kind)


def _is_tool(found: dict[str, Any], kind: str) -> bool:
    return kind == "tool-invocation" or (
        "toolCallId" in found and (kind.startswith("tool-") or kind == "dynamic-tool")
    )


def _place_invocations(blocks: list[Any], invocations: list[Any]) -> list[Any]:
    """Place the invocations of version 4, which stand beside its text, in their steps.

    With numbers of steps, the text is of the last one.
    """
    steps: dict[int, list[Any]] = {}
    for one in map(as_dict, invocations):
        number = one["step"] if isinstance(one.get("step"), int) else 0
        steps.setdefault(number, []).append({"type": "tool-invocation", "toolInvocation": one})
    ordered = [block for number in sorted(steps) for block in (*steps[number], _STEP)]
    has_numbers = any("step" in as_dict(one) for one in invocations)
    blocks = [block for block in blocks if block]
    return [*ordered, *blocks] if has_numbers else [*blocks, *ordered]


def _fold(blocks: list[Any], note: Note) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield each step's (parts, results): other content after a result begins the next step."""
    parts: list[Any] = []
    results: list[Any] = []
    for block in blocks:
        for piece in to_plain(block, note):
            kind = _kind(piece)
            if kind == "step-start" or (results and kind not in ("tool_use", "tool_result")):
                if parts or results:
                    yield parts, results
                parts, results = [], []
            if kind != "step-start":
                (results if kind == "tool_result" else parts).append(piece)
    if parts or results:
        yield parts, results


def to_plain(block: Any, note: Note) -> list[Any]:
    """Convert a part to blocks that `messages` reads: a call and its result are two."""
    found, kind = as_dict(block), _kind(block)
    if not kind:
        return from_gemini(found, note) if found else [block]
    if kind in _BESIDE or kind.startswith("data-"):
        note(f"a part of type {kind[:40]}, which no model was sent: left out")
        return []
    if kind == "file":
        url = found.get("url", found.get("data"))
        if inner := as_dict(url):  # version 7: {"type": "data", "data": …}, or a URL or a text
            url = inner.get("url", inner.get("data", inner.get("text")))
        media = next((found[name] for name in _MEDIA if name in found), None)
        return [{**found, "data": url, "url": url, "media_type": media}]
    if not _is_tool(found, kind):
        return [block]
    invocation = as_dict(found.get("toolInvocation")) or found
    name = as_text(invocation.get("toolName")) or kind.removeprefix("tool-")
    call_id = as_text(invocation.get("toolCallId"))
    if kind == "tool-result" and "state" not in invocation:  # of a ModelMessage
        text, is_error = _read_output(invocation, note)
        return [_make_result(call_id, name, text, is_error)]
    sent = invocation.get("input", invocation.get("args"))
    state = invocation.get("state")
    call: dict[str, Any] = {"type": "tool_use", "id": call_id, "name": name, "input": sent}
    if state in _UNFINISHED:
        note("a call whose arguments were not complete: imported as cut")
        call["is_cut"] = True
    elif sent is None and "rawInput" in invocation:
        call["input"] = invocation["rawInput"]
    approval = as_dict(invocation.get("approval"))
    if state == "output-denied" or approval.get("approved") is False:
        reason = as_text(approval.get("reason")) or _DENIED
        return [call, _make_result(call_id, name, reason, is_error=True)]
    if state == "output-error":
        return [
            call,
            _make_result(call_id, name, as_text(invocation.get("errorText")), is_error=True),
        ]
    if state not in ("output-available", "result"):
        return [call]
    if invocation.get("preliminary") is True:
        note("a preliminary tool result: left out")
        return [call]
    output = invocation.get("output", invocation.get("result"))
    failed = as_dict(output).get("isError") is True  # MCP's
    return [call, _make_result(call_id, name, as_text(output), is_error=failed)]


def _read_output(invocation: dict[str, Any], note: Note) -> tuple[str, bool]:
    """Read the output of a ModelMessage's tool result as (text, whether it is an error)."""
    output = as_dict(invocation.get("output"))
    kind, value = _kind(output), output.get("value")
    if "output" not in invocation or not kind:
        result = invocation.get("output", invocation.get("result"))
        return as_text(result), invocation.get("isError") is True
    if kind == "execution-denied":
        return as_text(output.get("reason")) or _DENIED, True
    if kind != "content":
        return as_text(value), kind.startswith("error-")
    texts: list[str] = []
    for one in map(as_dict, as_list(value)):
        texts.append(as_text(one["text"]) if "text" in one else f"[{_kind(one)[:40]}]")
        if "text" not in one:
            note(f"content of type {_kind(one)[:40]} in a tool result: replaced with its type")
    return "\n".join(texts), False


def from_gemini(found: dict[str, Any], note: Note) -> list[Any]:
    """Convert a part of Gemini, which has no type; return an unknown one unchanged."""
    if call := _first(found, _CALLS):
        return [{**call, "type": "tool_use", "input": call.get("args")}]
    if part := _first(found, _RESPONSES):
        if part.get("willContinue", part.get("will_continue")) is True:
            note("a preliminary tool result: left out")
            return []
        call_id, name = as_text(part.get("id")), as_text(part.get("name"))
        response = as_dict(part.get("response"))
        if part.get("parts"):
            note("files of a tool result: left out")
        if response.keys() == {"output"} or response.keys() == {"result"}:
            (output,) = response.values()
            return [_make_result(call_id, name, as_text(output))]
        is_error = bool(response.get("error")) and "output" not in response
        text = response["error"] if is_error and len(response) == 1 else response
        return [_make_result(call_id, name, as_text(text), is_error=is_error)]
    if data := _first(found, _INLINE):
        media = data.get("mimeType", data.get("mime_type"))
        return [{"type": "file", "data": data.get("data"), "media_type": media}]
    if "text" in found:
        kind = "reasoning" if found.get("thought") is True else "text"
        return [{"type": kind, "text": as_text(found["text"])}]
    return [found]


def _first(found: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return as_dict(next((found[name] for name in names if found.get(name)), None))


def _make_result(call_id: str, name: str, text: str, is_error: bool = False) -> dict[str, Any]:
    """Build a result with one text block: a list's items would be read as blocks of content."""
    return {
        "type": "tool_result",
        "tool_use_id": call_id,
        "name": name,
        "content": text,
        "is_error": is_error,
    }
