"""Conversations of ChatGPT's export: a tree of messages, of which one path is shown.

What has no text (recordings, frames, pictures) is counted by its type; what has is imported,
whatever its type.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from .messages import MessageReader, Said, join_answers
from .spool import Spool
from .values import as_dict, as_list, as_text, parse_json, parse_moment, parse_time
from .whole import keep_whole

# Where contents of all types have their texts.
_TEXTS: Final = ("summary", "text", "result", "output_str", "output", "content")
# Of the page or the account, not of the conversation: named, and left out.
_NOT_SAID: Final = ("user_editable_context", "model_editable_context", "reasoning_recap")
_PICTURES: Final = ("image_asset_pointer",)


def read_chatgpt(spool: Spool, item: dict[str, Any], reader: MessageReader) -> None:
    """Put the last shown branch of a ChatGPT conversation into the spool (a temporary store)."""
    nodes = {key: as_dict(node) for key, node in as_dict(item["mapping"]).items()}
    path = find_path(nodes, item.get("current_node"), reader)
    said: list[Said] = []
    times: list[datetime | None] = []
    for node in path:
        message = as_dict(node.get("message"))
        for one in read_message(message, reader) if message else ():
            if not (said and said[-1].role == one.role == "assistant"):  # else they are joined
                times.append(parse_time(message.get("create_time")))
            said.append(one)
    name = item.get("conversation_id") or item.get("id")
    keep_whole(
        spool, reader, join_answers(said), name=str(name) if name else None,
        title=as_text(item.get("title")), times=times,
    )  # fmt: skip


def find_path(
    nodes: dict[str, dict[str, Any]], current: Any, reader: MessageReader
) -> list[dict[str, Any]]:
    """List the nodes from the conversation's first message to `current`.

    If `current` is unknown, the path leads to the newest leaf. Messages of other branches are
    counted.
    """
    at = current if isinstance(current, str) and current in nodes else find_newest_leaf(nodes)
    if at is not None and at != current:
        reader.note("the export does not say which branch is shown: the newest is used")
    above = _list_parents(nodes)
    path: dict[str, None] = {}
    while at in nodes and at not in path:
        path[at] = None
        at = above.get(at, "")
    for key, node in nodes.items():
        if key not in path and node.get("message"):
            reader.note("a message of another branch: left out")
    return [nodes[key] for key in reversed(path)]


def _list_parents(nodes: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return each node's parent, as the node or its parent states."""
    said = {
        child: key
        for key, node in nodes.items()
        for child in as_list(node.get("children"))
        if isinstance(child, str)
    }
    own = {key: as_text(node["parent"]) for key, node in nodes.items() if node.get("parent")}
    return said | own


def find_newest_leaf(nodes: dict[str, dict[str, Any]]) -> str | None:
    """Return the key of the leaf with the newest message.

    If several are the newest, it is the last of them in the file. None if no leaf has a message.
    """
    parents = set(_list_parents(nodes).values())
    leaves = [key for key, node in nodes.items() if key not in parents and node.get("message")]
    made = {key: parse_moment(as_dict(nodes[key]["message"]).get("create_time")) for key in leaves}
    return max(reversed(leaves), key=lambda key: made[key], default=None)


def read_message(message: dict[str, Any], reader: MessageReader) -> list[Said]:
    about = as_dict(message.get("metadata"))
    content = as_dict(message.get("content"))
    kind = as_text(content.get("content_type"))
    is_hidden = message.get("weight") == 0 or about.get("is_visually_hidden_from_conversation")
    for _ in as_list(about.get("attachments")):
        reader.note("an attached file, which is not in the export: left out")
    if kind in _NOT_SAID:
        reader.note(f"content of type {kind!r}: left out")
        return []
    if is_hidden:
        if any(kind or text for kind, text in _list_parts(content)):
            reader.note("a hidden message: left out")
        return []
    role = as_text(as_dict(message.get("author")).get("role"))
    if kind == "thoughts":
        texts = [_join(as_dict(one)) for one in as_list(content.get("thoughts"))]
        text = "\n\n".join(filter(None, texts))
        return [Said("assistant", [{"type": "reasoning", "text": text}])] if text else []
    text = "\n".join(read_parts(content, reader))
    recipient = message.get("recipient")
    if role == "assistant" and recipient not in (None, "all"):
        call = {"name": recipient, "arguments": as_dict(parse_json(text)) or {"text": text}}
        return reader.read([{"role": "assistant", "tool_calls": [call]}])
    if role == "tool":
        name = as_dict(message.get("author")).get("name")
        return reader.read([{"role": "tool", "name": name, "content": text}])
    if not text:
        reader.note(f"an empty message of role {role or 'unknown'}: left out")
        return []
    return reader.read([{"role": role, "content": text}])


def read_parts(content: dict[str, Any], reader: MessageReader) -> list[str]:
    """List a message's texts, with a note such as `[image_asset_pointer]` for each picture.

    A recording is left out if its transcript is there.
    """
    parts = list(_list_parts(content))
    has_text = any(text for _, text in parts)
    texts: list[str] = []
    for kind, text in parts:
        if text:
            texts.append(text)
        elif kind in _PICTURES or (kind and not has_text and "pointer" in kind):
            reader.note(f"content of type {kind[:40]} is not text: replaced with [{kind[:40]}]")
            texts.append(f"[{kind[:40]}]")
        elif kind:
            reader.note(f"content of type {kind[:40]!r} without text: left out")
    return texts


def _list_parts(content: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the type and text of each part of a message's content."""
    parts = content.get("parts")
    if not isinstance(parts, list) and content:
        yield as_text(content.get("content_type")) or "none", _join(content)
    for part in as_list(parts):
        if isinstance(part, str):
            yield "", part
        elif part is not None:
            kind = as_dict(part).get("content_type")
            yield as_text(kind) or type(part).__name__, _join(as_dict(part))


def _join(content: dict[str, Any]) -> str:
    """Join the texts of a content or part, each once, below a quotation's title and address."""
    found = [content.get(name) for name in _TEXTS]
    texts = [text for text in found if isinstance(text, str) and text.strip()]
    heads = [content.get(name) for name in ("title", "url")] if texts else []
    said = [head for head in heads if isinstance(head, str) and head]
    return "\n".join(dict.fromkeys([*said, *texts]))
