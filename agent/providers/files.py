"""Converts files in messages to what the target model supports. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ..base.messages.files import decode_text, is_text_file
from ..errors import FilesUnsupported
from ..types import FilePart, Message, MessagePart, TextPart
from .provider_state import Target


def fit_files(messages: Sequence[Message], target: Target) -> tuple[list[Message], list[str]]:
    """Convert the messages' files to forms that the model supports, or to notes.

    Returns the messages, and a note on each replaced file. Older files are replaced because the
    conversation may have had another model when they were sent.

    Raises: FilesUnsupported for a refused file in the user's newest message.
    """
    places = [n for n, message in enumerate(messages) if message["role"] == "user"]
    newest = places[-1] if places else None
    fitted: list[Message] = []
    notes: list[str] = []
    for n, message in enumerate(messages):
        if not any(part["type"] == "file" for part in message["parts"]):
            fitted.append(message)
            continue
        parts: list[MessagePart] = []
        for part in message["parts"]:
            kind = part["media_type"] if part["type"] == "file" else None
            if part["type"] == "file" and is_text_file(part):
                parts.append(_say(f"<file{_name(part)}>\n{decode_text(part)}\n</file>"))
            elif part["type"] != "file" or kind in target.quirks.files:
                parts.append(part)
            # Raise only where the user can still change the message: otherwise a thread with one
            # picture could never continue with a model that reads no pictures
            # (test_unsupported_files_of_earlier_messages_are_named_in_text).
            elif n == newest:
                raise FilesUnsupported(
                    f"{target.provider}:{target.model} does not accept files of type {kind}",
                    hint="Describe the file in words, or choose a model that accepts such files.",
                )
            else:
                notes.append(f"left out a file of type {kind}: the model does not accept it")
                parts.append(_say(f"(Here was a file{_name(part)}, {kind}, that you cannot see.)"))
        fitted.append(cast("Message", {**message, "parts": parts}))
    return fitted, notes


def _name(part: FilePart) -> str:
    name = part.get("name", "").replace('"', "'")
    return f' "{name}"' if name else ""


def _say(text: str) -> TextPart:
    return {"type": "text", "text": text}
