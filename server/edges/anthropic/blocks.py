"""Blocks of a user's message that are no text: images, documents, results of tools."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final

from ....agent.base.foreign_json import as_list, as_object
from ....agent.errors import InputError

_AS_DATA: Final = "must contain its data: use a source of type base64 or text"


def read_file_block(block: Mapping[str, Any]) -> dict[str, Any] | None:
    """An image or a document as a file of OpenAI's API; None for what is neither.

    Raises: InputError for one that is no data.
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
        said = source["content"] if isinstance(source.get("content"), str) else "\n".join(texts)
        data, media_type = b64encode(said.encode()).decode(), "text/plain"
    elif source.get("type") != "base64" or not isinstance(data, str):
        raise InputError(f"a block of type {kind!r} {_AS_DATA}", param="messages")
    name = title if isinstance(title, str) else None
    file = {"file_data": f"data:{media_type};base64,{data}", "filename": name}
    return {"type": "file", "file": file}


def read_result_text(block: Mapping[str, Any]) -> str:
    """Read what a tool gave, as text. Raises: InputError for what is none."""
    told = block.get("content")
    if isinstance(told, str) or told is None:
        return told or ""
    texts: list[str] = []
    for item in map(as_object, as_list(told)):
        if item.get("type") != "text" or not isinstance(item.get("text"), str):
            wrong = f"a tool_result with a block of type {str(item.get('type'))[:40]!r}"
            raise InputError(f"{wrong} is not supported: send text only", param="messages")
        texts.append(item["text"])
    return "\n".join(texts)
