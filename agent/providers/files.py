"""Files of a conversation as a model takes them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ..base.files import decode_text, is_text_file
from ..errors import FilesNotTaken
from ..types import FilePart, Message, MessagePart, TextPart
from .provider_state import Target


def fit_files(messages: Sequence[Message], target: Target) -> tuple[list[Message], list[str]]:
    """The messages with the files that the target takes, and a note on each that it does not.

    Text files go to every model, as text. What it cannot take is named in words where it came
    earlier: the conversation may have had another model then.

    Raises: FilesNotTaken where the newest message of the user brings it.
    """
    places = [n for n, message in enumerate(messages) if message["role"] == "user"]
    newest = places[-1] if places else None
    fitted: list[Message] = []
    notes: list[str] = []
    for n, message in enumerate(messages):
        if not any(part["type"] == "file" for part in message["parts"]):
            fitted.append(message)
            continue
        parts = [_fit(part, target, notes, is_newest=n == newest) for part in message["parts"]]
        fitted.append(cast("Message", {**message, "parts": parts}))
    return fitted, notes


def _fit(part: MessagePart, target: Target, notes: list[str], *, is_newest: bool) -> MessagePart:
    if part["type"] != "file":
        return part
    if is_text_file(part):
        return _say(f"<file{_name(part)}>\n{decode_text(part)}\n</file>")
    kind = part["media_type"]
    if kind in target.quirks.files:
        return part
    if is_newest:
        raise FilesNotTaken(
            f"{target.provider}:{target.model} takes no {kind}",
            hint="Say it in words, or choose a model that takes such files.",
        )
    notes.append(f"left out a file of {kind}: the model takes none")
    return _say(f"(Here was a file{_name(part)}, {kind}, that you cannot see.)")


def _name(part: FilePart) -> str:
    name = part.get("name", "").replace('"', "'")
    return f' "{name}"' if name else ""


def _say(text: str) -> TextPart:
    return {"type": "text", "text": text}
