"""Replaces pictures of earlier turns by a line of text in what a model reads.

A picture is sent again with every later request, which costs its tokens and its bytes each time. It
leaves where a turn starts, as history is cut there, and never within a turn: the prefix of requests
breaks once for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import orjson

from ...types import Message, MessagePart, TextPart
from ..messages.contents import list_exchange_starts

LEFT_OUT: Final = (
    "(The user sent a picture here{name}. It is not shown again; ask for it if needed.)"
)
_PICTURE: Final = "image/"


def leave_out_pictures(messages: Sequence[Message], turns: int) -> list[Message]:
    """Replace each picture older than the last `turns` turns with a line of text.
    Documents stay. The list given is not changed.
    """
    if not [part for message in messages for part in message["parts"] if part["type"] == "file"]:
        return [*messages]  # nearly always
    starts = list_exchange_starts(messages)
    kept_from = starts[-turns] if len(starts) > turns else 0
    return [
        _leave_out(message) if n < kept_from and _has_picture(message) else message
        for n, message in enumerate(messages)
    ]


def restore_pictures(shown: Sequence[Message], thread: Sequence[Message]) -> list[Message]:
    """Put the thread's pictures back where `leave_out_pictures` replaced them."""
    known: dict[bytes, list[Message]] = {}
    for message in filter(_has_picture, thread):
        known.setdefault(_make_key(_leave_out(message)), []).append(message)
    restored: list[Message] = []
    for message in reversed(shown):  # the newest of equal ones is shown, whatever was cut
        is_user = message["role"] == "user"
        same = known.get(_make_key(_leave_out(message))) if is_user else None
        restored.append({**message, "parts": same.pop()["parts"]} if same else message)
    return restored[::-1]


def _make_key(message: Message) -> bytes:
    return orjson.dumps([p for p in message["parts"] if p["type"] != "text" or p["text"].strip()])


def _has_picture(message: Message) -> bool:
    return message["role"] == "user" and any(map(_is_picture, message["parts"]))


def _is_picture(part: MessagePart) -> bool:
    return part["type"] == "file" and part["media_type"].startswith(_PICTURE)


def _leave_out(message: Message) -> Message:
    parts = [_make_line(part) if _is_picture(part) else part for part in message["parts"]]
    shown = cast("Message", {**message, "parts": parts})
    shown.pop("tokens", None)  # of the whole
    return shown


def _make_line(part: MessagePart) -> TextPart:
    name = part.get("name")
    return {"type": "text", "text": LEFT_OUT.format(name=f": {name}" if name else "")}
