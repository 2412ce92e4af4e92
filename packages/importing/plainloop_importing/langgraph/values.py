"""Values of LangGraph's checkpoints, read without LangGraph: what was an object is its fields.

Nothing that a checkpoint names is imported: the library does so, and that is CVE-2026-28277.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from plainloop.agent.errors import InputError

from ..messages import CLASS
from ..values import as_dict, as_list

REMOVE_ALL: Final = "__remove_all__"
_DELTA: Final = 7  # the snapshot of a DeltaChannel


class Snapshot:
    """The whole value of a channel that stores changes, as of one checkpoint."""

    def __init__(self, value: Any) -> None:
        self.value = value


def decode_value(kind: str | None, blob: bytes | None, channel: str) -> Any:
    """Decode the stored value of a channel in a checkpoint.

    Raises: InputError for pickled or encrypted values.
    """
    if blob is None or kind in ("null", "empty"):
        return None
    if kind in ("bytes", "bytearray"):
        return bytes(blob)
    try:
        if kind == "msgpack":
            return decode_msgpack(bytes(blob))
        if kind == "json":
            return _simplify(msgspec.json.decode(bytes(blob)))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TypeError) as error:
        raise InputError(
            f"the channel {channel!r} cannot be read: {error}", hint="The thread is left out."
        ) from error
    hint = "The thread is left out."
    if kind == "pickle":
        hint = (
            "Reading the value would run code of the program that wrote it: let that program "
            "store the value without pickle."
        )
    elif kind is not None and "+" in kind:
        hint = (
            "The value is encrypted, and only the program that wrote it has the key: the thread is "
            "left out."
        )
    raise InputError(
        f"the channel {channel!r} is stored as {kind}, which is not supported", hint=hint
    )


def decode_msgpack(data: bytes | memoryview) -> Any:
    return msgspec.msgpack.decode(data, ext_hook=_decode_object)


def _decode_object(code: int, data: memoryview) -> Any:
    found = decode_msgpack(data)
    if code == _DELTA:
        return Snapshot(found)
    parts = as_list(found)
    if code == 6:
        return None  # an array of numbers
    if len(parts) < 3:
        return found
    if code in (2, 4, 5) and isinstance(parts[2], dict):
        return {CLASS: str(parts[1]), **as_dict(parts[2])}
    if code == 1:
        return {CLASS: str(parts[1]), "args": parts[2]}
    return parts[2]


def _simplify(value: Any) -> Any:
    """Convert a decoded value to plain JSON; messages keep their envelope."""
    if isinstance(value, list):
        return [_simplify(item) for item in as_list(value)]
    found = as_dict(value)
    if not found:
        return value
    if found.get("lc") == 2:
        if found.get("type") == "undefined":
            return None
        name = str((as_list(found.get("id")) or [""])[-1])
        fields = _simplify(found.get("kwargs"))
        args = as_list(_simplify(found.get("args")))
        return {CLASS: name, **fields} if fields else (args[0] if args else None)
    return {key: _simplify(item) for key, item in found.items()}
