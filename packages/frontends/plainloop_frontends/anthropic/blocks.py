"""Blocks of a user's message that are no text: images, documents, results of tools."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.errors import InputError

_AS_DATA: Final = "must contain its data: use a source of type base64 or text"
_WHERE: Final = "messages"
# In what a tool gave: the model gets its results as text.
_UNREAD: Final = ("image", "document", "tool_reference")


def read_file_block(block: Mapping[str, Any]) -> dict[str, Any] | None:
    """Convert an image or document block to a file part of OpenAI's API.

    None for other blocks. Raises: InputError for one that is no data.
    """
    kind = block.get("type")
    if kind not in ("image", "document"):
        return None
    source, title = as_object(block.get("source")), block.get("title")
    data, media_type = source.get("data"), source.get("media_type")
    if source.get("type") == "text" and isinstance(data, str):
        data = b64encode(data.encode()).decode()
    elif source.get("type") == "content":
        texts = [str(as_object(item).get("text", "")) for item in as_list(source.get("content"))]
        text = source["content"] if isinstance(source.get("content"), str) else "\n".join(texts)
        data, media_type = b64encode(text.encode()).decode(), "text/plain"
    elif source.get("type") != "base64" or not isinstance(data, str):
        raise InputError(f"a block of type {kind!r} {_AS_DATA}", param="messages")
    name = title if isinstance(title, str) else None
    file = {"file_data": f"data:{media_type};base64,{data}", "filename": name}
    return {"type": "file", "file": file}


def read_context(block: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Convert a document block's `context` to text parts.

    [] without one.
    """
    context = block.get("context")
    if block.get("type") != "document" or not isinstance(context, str) or not context:
        return []
    return [{"type": "text", "text": f"{context}\n"}]


def read_search_result(block: Mapping[str, Any]) -> dict[str, Any] | None:
    """Convert a `search_result` block to one text part.

    None for another block.
    """
    if block.get("type") != "search_result":
        return None
    head = (str(block.get(key)) for key in ("title", "source") if block.get(key))
    texts = (str(as_object(item).get("text", "")) for item in as_list(block.get("content")))
    return {"type": "text", "text": "\n".join((*head, *texts, ""))}


def read_result_text(block: Mapping[str, Any]) -> str:
    """Convert a `tool_result` block to text, with a note for each part that is not text.

    Raises: InputError for what is no list of blocks.
    """
    content = block.get("content")
    if isinstance(content, str) or content is None:
        return content or ""
    if not isinstance(content, list):
        raise InputError(
            "the content of a tool_result must be text or a list of blocks", param=_WHERE
        )
    return "\n".join(map(_to_result_text, map(as_object, as_list(content))))


def _to_result_text(item: Mapping[str, Any]) -> str:
    kind, text = item.get("type"), item.get("text")
    if kind == "text" and isinstance(text, str):
        return text
    source = as_object(item.get("source"))
    if kind == "document" and source.get("type") in ("text", "content"):
        file = as_object(as_object(read_file_block(item)).get("file"))
        return b64decode(str(file.get("file_data")).partition(",")[2]).decode()
    if search_result := read_search_result(item):
        return search_result["text"]
    if kind not in _UNREAD:
        wrong = f"a tool_result with a block of type {str(kind)[:40]!r} is not supported"
        raise InputError(wrong, param=_WHERE)
    named = source.get("media_type") or item.get("tool_name") or ""
    return f"[{kind} {named}: not shown here]".replace(" :", ":")


def list_unread(blocks: Iterable[Mapping[str, Any]]) -> list[str]:
    """List the names of block fields that are ignored and never sent to a model."""
    unread: set[str] = set()
    for block in blocks:
        if as_object(block.get("citations")).get("enabled") is True:
            unread.add("messages.citations")
        if block.get("type") == "tool_result":
            items = map(as_object, as_list(block.get("content")))
            is_read = ("text", "content")
            unread |= {
                f"messages.tool_result.{item['type']}"
                for item in items
                if item.get("type") in _UNREAD
                and as_object(item.get("source")).get("type") not in is_read
            }
    return sorted(unread)
