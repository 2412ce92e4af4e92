"""Stored records as the JSON of `shapes`."""

from __future__ import annotations

import base64
import uuid
from datetime import datetime
from typing import Any, Final, TypeVar

import msgspec

from ...agent.base.messages.contents import get_output
from ...agent.errors import InputError
from ...agent.provenance.refusals import read_refusal
from ...agent.store.api import StoredMessage
from ...agent.store.records import Approval, ThreadInfo
from .shapes import Conversation, PendingApproval, ShownMessage

T = TypeVar("T", bound=msgspec.Struct)

# Where a file of a message is read; `part` counts the parts that are shown.
FILE_PATH: Final = "/api/chat/conversations/{conversation_id}/messages/{position}/files/{part}"
_HIDDEN_KEYS: Final = frozenset({"provider_state", "invalid_arguments"})
_MESSAGE_SPACE: Final = uuid.UUID("5f4d3a0c-7a52-4a0f-9b6e-2f6f0a1d8c11")


def make_message_id(thread_id: str, position: int) -> str:
    """Return a message's UUID, derived from its thread and position, which never change."""
    # Derived, not stored: clients need a UUID, and (thread, position) is the key already.
    return str(uuid.uuid5(_MESSAGE_SPACE, f"{thread_id}/{position}"))


def to_shape(kind: type[T], *records: Any, **more: Any) -> T:
    """Build an API struct from the records' attributes of the same names, and from `more`."""
    names = msgspec.structs.fields(kind)
    fields = {
        item.name: getattr(record, item.name)
        for record in reversed(records)
        for item in names
        if hasattr(record, item.name)
    }
    return msgspec.convert({**fields, **more}, kind)


def to_conversation(thread: ThreadInfo) -> Conversation:
    return to_shape(Conversation, thread, id=thread.thread_id, message_count=thread.messages)


def to_message(thread_id: str, message: StoredMessage) -> ShownMessage:
    parts = to_visible_parts(message.parts)
    for n, part in enumerate(parts):
        if part["type"] == "file":
            part["url"] = FILE_PATH.format(
                conversation_id=thread_id, position=message.position, part=n
            )
    return to_shape(
        ShownMessage,
        message,
        id=make_message_id(thread_id, message.position),
        content="".join(part["text"] for part in parts if part["type"] == "text"),
        output=get_output(message.message),
        parts=parts,
    )


def to_visible_parts(parts: Any) -> list[dict[str, Any]]:
    """Return the parts of a message that users may see.

    Reasoning, opaque state and the content of files are left out.
    """
    return [
        {key: value for key, value in part.items() if key not in _HIDDEN_KEYS} | _tell_refusal(part)
        if part["type"] != "file"
        else {
            **{key: part[key] for key in ("type", "media_type", "name") if key in part},
            "size_bytes": len(base64.b64decode(part["data"])),
        }
        for part in parts
        if part["type"] != "reasoning"
    ]


def _tell_refusal(part: Any) -> dict[str, Any]:
    """Return `refusal` for a call that a person did not allow; clients show it, not the result."""
    refusal = read_refusal(part.get("result")) if part.get("is_error") else None
    return {} if refusal is None else {"refusal": refusal._asdict()}


def to_pending(approval: Approval) -> PendingApproval:
    return to_shape(PendingApproval, approval, conversation_id=approval.thread_id)


def to_cursor(updated_at: datetime, thread_id: str) -> str:
    """Encode the next page's cursor from a row's time and thread id, as opaque URL-safe text.

    >>> from_cursor(to_cursor(datetime.fromisoformat("2026-01-02T03:04:05+00:00"), "0" * 32))[0]
    datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    """
    text = f"{updated_at.isoformat()}/{thread_id}"
    # Opaque on purpose: what clients cannot read, they do not build. Without `=`, which URLs would
    # quote.
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def from_cursor(cursor: str) -> tuple[datetime, str]:
    """Parse a page's cursor to (time, thread id) of the previous page's last row.

    Raises: InputError when it is none of ours.
    """
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        at, _, thread_id = text.partition("/")
        updated_at = datetime.fromisoformat(at)
        # Postgres would read it in the session's zone, and pages would skip or repeat rows.
        if updated_at.tzinfo is None:
            raise ValueError("the time zone is missing: add Z or an offset")
        return updated_at, str(uuid.UUID(thread_id))
    except (ValueError, OverflowError) as error:
        raise InputError(
            "the cursor is not valid", hint="Use `next_cursor` of the previous page."
        ) from error
