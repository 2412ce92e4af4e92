"""What Anthropic demands of a conversation, and the neutral messages that it means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.types import (
    FunctionCall,
    FunctionResponse,
    Message,
    MessagePart,
    ReasoningPart,
    TextPart,
)

from ..api import WireError, load_api
from ..results import IMAGES, PDFS, is_of_type, parse_result, to_file_part
from ..strict import Path, Shape, check_shape

_API: Final = load_api("anthropic")

_ID: Final = re.compile(r"[a-zA-Z0-9_-]+")
_BLOCKS: Final = _API.objects
_ALLOWED: Final = {
    "user": ("text", "image", "document", "tool_result"),
    "assistant": ("text", "tool_use", "thinking", "redacted_thinking"),
}


def check_history(messages: Sequence[Any], *, has_tools: bool, thinking: Mapping[str, Any]) -> None:
    """Check a request's messages by the rules of Anthropic's API.

    Raises: WireError, ShapeError.
    """
    if not messages:
        raise WireError(400, "messages: at least one message is required")
    for index, message in enumerate(messages):
        _check_message(message, index)
    if messages[0]["role"] != "user":
        raise WireError(400, 'messages: first message must use the "user" role')
    _check_pairs(messages)
    if messages[-1]["role"] == "assistant":
        raise _API.refuse("prefill")
    uses_tools = any(block["type"] == "tool_use" for block in _all_blocks(messages))
    if uses_tools and not has_tools:
        raise _API.refuse("tools_undefined")
    if thinking.get("type") == "enabled":
        # In a tool turn under thinking, the assistant's message starts with its thinking.
        last = max(
            i
            for i, message in enumerate(messages)
            if message["role"] == "user"
            and all(block["type"] != "tool_result" for block in _blocks_of(message))
        )
        for index in range(last, len(messages)):
            blocks = _blocks_of(messages[index])
            has_call = any(block["type"] == "tool_use" for block in blocks)
            if has_call and blocks[0]["type"] not in ("thinking", "redacted_thinking"):
                raise _API.refuse("thinking_not_first", index=index, found=blocks[0]["type"])


def to_messages(messages: Sequence[Any]) -> list[Message]:
    """Convert Anthropic's messages to plainloop's.

    Tool results become messages of their own.
    """
    names = {block["id"]: block["name"] for block in _all_blocks(messages) if "name" in block}
    neutral: list[Message] = []
    for message in messages:
        blocks = _blocks_of(message)
        results = [_to_result(block, names) for block in blocks if block["type"] == "tool_result"]
        others = [part for part in map(_to_part, blocks) if part is not None]
        if results:
            neutral.append({"role": "tool", "parts": cast(list[MessagePart], results)})
        if others:
            neutral.append({"role": message["role"], "parts": others})
    return neutral


def _check_message(value: Any, index: int) -> None:
    required: Shape = {"role": "string", "content": "string_or_array"}
    message = check_shape(value, ("messages", index), required)
    if message["role"] not in _ALLOWED:
        raise WireError(400, f"messages.{index}.role: Input should be 'user' or 'assistant'")
    if not message["content"]:
        raise WireError(400, f"messages.{index}: all messages must have non-empty content")
    if isinstance(message["content"], str):
        _check_text(message["content"])
        return
    for i, block in enumerate(message["content"]):
        _check_block(block, message["role"], ("messages", index, "content", i))


def _check_block(value: Any, role: str, path: Path) -> None:
    kind: Any = as_object(value).get("type")
    where = ".".join(str(step) for step in path)
    if kind not in _BLOCKS:
        raise _API.refuse(
            "unknown_block", where=where, kind=kind, value=", ".join(f"'{tag}'" for tag in _BLOCKS)
        )
    block = check_shape(value, (*path, kind), _BLOCKS[kind].required, _BLOCKS[kind].optional)
    if kind not in _ALLOWED[role]:
        article = "assistant" if role == "user" else "user"
        raise WireError(400, f"{where}: `{kind}` blocks can only be in `{article}` messages")
    if kind == "text":
        _check_text(block["text"])
    if kind in ("image", "document"):
        source = (*path, kind, "source")
        shape: Shape = {"type": "string", "media_type": "string", "data": "string"}
        check_shape(block["source"], source, shape)
        _check_file(block["source"], kind, f"{where}.{kind}.source.base64")
    if kind == "tool_use" and not _ID.fullmatch(block["id"]):
        raise WireError(400, f"{where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
    if kind == "tool_result" and isinstance(block.get("content"), list):
        text = _BLOCKS["text"]
        for i, value in enumerate(block["content"]):
            inner = (*path, "tool_result", "content", i)
            _check_text(check_shape(value, inner, text.required, text.optional)["text"])


def _check_file(source: Mapping[str, Any], kind: str, where: str) -> None:
    """Source: anthropics/claude-code #8184 and #13131, of images that are of another type."""
    types = IMAGES if kind == "image" else PDFS
    given = source["media_type"]
    if given not in types:
        raise _API.refuse("media_type", where=where, allowed=" or ".join(map(repr, types)))
    if is_of_type(given, source["data"], types):
        return
    if kind == "document":
        raise _API.refuse("no_document", where=where)
    raise _API.refuse("no_image", where=where, given=given)


def _check_text(text: str) -> None:
    if not text:
        raise WireError(400, "messages: text content blocks must be non-empty")
    if not text.strip():
        raise WireError(400, "messages: text content blocks must contain non-whitespace text")


def _check_pairs(messages: Sequence[Any]) -> None:
    """Each call has exactly one result, first thing in the next message, and no other has."""
    seen: set[str] = set()
    open_ids: list[str] = []
    for index, message in enumerate(messages):
        blocks = _blocks_of(message)
        _check_results(blocks, open_ids, index)
        open_ids = [block["id"] for block in blocks if block["type"] == "tool_use"]
        for tool_id in open_ids:
            if tool_id in seen:
                raise WireError(400, "messages: `tool_use` ids must be unique")
            seen.add(tool_id)
    if open_ids:
        raise _missing_results(open_ids, len(messages) - 1)


def _check_results(blocks: Sequence[Any], open_ids: Sequence[str], index: int) -> None:
    answered: list[str] = []
    has_other = False
    for i, block in enumerate(blocks):
        if block["type"] != "tool_result":
            has_other = True
            continue
        tool_id = block["tool_use_id"]
        where = f"messages.{index}.content.{i}"
        if tool_id not in open_ids:
            raise _API.refuse("result_without_call", where=where, tool_id=tool_id)
        if tool_id in answered:
            raise _API.refuse("result_twice", where=where, tool_id=tool_id)
        if has_other:
            raise _missing_results([tool_id], index - 1)
        answered.append(tool_id)
    missing = [tool_id for tool_id in open_ids if tool_id not in answered]
    if missing:
        raise _missing_results(missing, index - 1)


def _missing_results(tool_ids: Sequence[str], index: int) -> WireError:
    return _API.refuse("results_missing", index=index, tool_ids=", ".join(tool_ids))


def _all_blocks(messages: Sequence[Any]) -> list[dict[str, Any]]:
    return [block for message in messages for block in _blocks_of(message)]


def _blocks_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _to_part(block: Mapping[str, Any]) -> MessagePart | None:
    if block["type"] == "text":
        return TextPart(type="text", text=block["text"])
    if block["type"] in ("image", "document"):
        return to_file_part(block["source"]["media_type"], block["source"]["data"])
    if block["type"] == "thinking":
        return ReasoningPart(type="reasoning", text=block["thinking"])
    if block["type"] == "tool_use":
        return FunctionCall(
            type="tool_call", id=block["id"], name=block["name"], arguments=block["input"]
        )
    return None


def _to_result(block: Mapping[str, Any], names: Mapping[str, str]) -> FunctionResponse:
    content = block.get("content") or ""
    text = content if isinstance(content, str) else "".join(item["text"] for item in content)
    return FunctionResponse(
        type="tool_result",
        id=block["tool_use_id"],
        name=names.get(block["tool_use_id"], ""),
        result=parse_result(text),
        is_error=bool(block.get("is_error")),
    )
