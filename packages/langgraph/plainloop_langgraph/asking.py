"""What a run's input says: the newest message of the user's, and what was said before it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from plainloop.agent.base.messages.files import ToldFile
from plainloop.agent.base.text.foreign_json import as_object, to_list
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import ShapeError
from plainloop.server.protocols.conversations import PostedMessage
from plainloop.server.protocols.files import make_file, read_openai_file

_ROLES: Final = {"human": "user", "user": "user", "ai": "assistant", "assistant": "assistant"}
_Message = tuple[str, str, list[ToldFile], str | None]  # its role, text, files and id
_FILES: Final = ("image", "file", "audio", "video")


@dataclass(frozen=True, slots=True)
class Asked:
    """A message to answer and its id. before: earlier messages in the client's history."""

    text: str
    files: Sequence[ToldFile]
    message_id: str | None
    before: Sequence[PostedMessage]


def read_input(told: Any, known: Collection[str], open_calls: Collection[str] = ()) -> Asked | None:
    """Parse a run's `input`, and return None if it has nothing new.

    known: ids of the thread's messages, which a client may send again. open_calls: the thread's
    calls without a result, for which a page that writes a user's message makes up results.

    Raises: ShapeError for what cannot be taken.
    """
    if told is None:
        return None
    if not isinstance(told, dict):
        raise ShapeError(
            '`input` must be an object: {"messages": […]}',
            hint='For example {"messages": [{"role": "user", "content": "Hello"}]}.',
            param="input",
        )
    given: dict[str, Any] = as_object(told)
    others = [name for name, value in given.items() if name != "messages" and value]
    if others:
        hint = "Only `messages` can be set; the pack provides all other state."
        raise ShapeError(f"input.{others[0]} is not supported", hint=hint, param="input")
    messages = to_list(given.get("messages") or [])
    new: list[_Message] = []
    for n, item in enumerate(messages, 1):
        message = as_object(item)
        if n < len(messages) and str(message.get("id")) in known:
            kind = _ROLES.get(str(message.get("type") or message.get("role")))
            new += [(kind, "", [], str(message["id"]))] if kind else []  # only its place counts
        elif n == len(messages) or not _is_giving_up(message, open_calls):
            new.append(_read_message(item))
    if not messages:
        return None
    if new[-1][0] != "user":
        raise ShapeError(
            "the last message is not the user's",
            hint="Send a message with role `user` last.",
            param="input",
        )
    _, text, files, message_id = new[-1]
    before = [PostedMessage(*item[:3], id=item[3] or "") for item in new[:-1]]
    return Asked(text, files, message_id, before)


def _is_giving_up(message: Mapping[str, Any], open_calls: Collection[str]) -> bool:
    kind = message.get("type") or message.get("role")
    return kind == "tool" and str(message.get("tool_call_id")) in open_calls


def _read_message(told: Any) -> _Message:
    """Parse one message in any of the forms that LangChain accepts. Raises: ShapeError."""
    if isinstance(told, str):
        return "user", told, [], None
    if isinstance(told, list) and len(pair := to_list(told)) == 2:
        told = {"role": pair[0], "content": pair[1]}
    message = as_object(told)
    kind = message.get("type") or message.get("role")
    role = _ROLES.get(kind) if isinstance(kind, str) else None
    if role is None:
        hint = "Send only messages of the user. The pack has the system prompt, plainloop stores "
        hint += "tool results, and command.resume decides pending calls."
        raise ShapeError(f"a message of type {str(kind)[:40]!r} is not supported", hint=hint)
    texts: list[str] = []
    files: list[ToldFile] = []
    for block in to_list(message.get("content") or ""):
        if isinstance(block, str):
            texts.append(block)
        elif as_object(block).get("type") == "text":
            texts.append(str(as_object(block).get("text") or ""))
        else:
            files.append(_read_file(as_object(block)))
    message_id = message.get("id")
    return role, "".join(texts), files, message_id if isinstance(message_id, str) else None


def _read_file(block: Mapping[str, Any]) -> ToldFile:
    """Parse a picture or document, of any version of LangChain's blocks."""
    if "file" not in block and block.get("type") in _FILES:
        data = block.get("data") or block.get("base64") or block.get("url")
        kind = block.get("mime_type") or block.get("mimeType")
        named = as_object(block.get("metadata"))
        return make_file(data, named.get("filename") or named.get("name"), kind)
    if (file := read_openai_file(block)) is None:
        kind = str(block.get("type"))[:40]
        raise ShapeError(
            f"a content block of type {kind!r} is not supported",
            hint="Send text, images or files.",
            param="input",
        )
    return file
