"""Signs thinking blocks. A signature is opaque to the client and says what it is bound to."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import orjson

from .models import Claude

_SECRET: Final = b"plainloop wire server"


class Bound(msgspec.Struct, frozen=True, array_like=True):
    """Values that a thinking block is bound to. prefix: digest of the request before it."""

    model: str
    account: str
    prefix: str
    thinking: str  # digest of its text
    tokens: int = 0  # of the whole thinking, sent or not


class Prefix:
    """Digest of a request: system and tools, then each block in order."""

    def __init__(self, system: Any, tools: Any) -> None:
        # Source: platform.claude.com, build-with-claude/preserved-thinking/prefix-checks, "What
        # counts as a change": `system`, `tools`, earlier messages; marks for the cache do not.
        blocks = [{"type": "text", "text": system}] if isinstance(system, str) else system
        self._hash = hashlib.blake2b(digest_size=16)
        for value in (blocks, tools):
            self._hash.update(_dump([_strip(item) for item in value or ()]))

    def add(self, role: str, block: Mapping[str, Any]) -> None:
        """Append a content block of the request or of its answer to the hashed prefix."""
        self._hash.update(_dump([role, _strip(block)]))

    def copy(self) -> Prefix:
        """Return a copy of the hashed prefix that further blocks do not change."""
        other = Prefix(None, None)
        other._hash = self._hash.copy()
        return other

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def sign(thinking: str, model: Claude, account: str, prefix: Prefix, *, tokens: int = 0) -> str:
    """Sign a thinking block for a model, account and preceding request.

    tokens: size of the whole thinking, sent or not.
    """
    bound = Bound(model.name, account, prefix.digest, _digest(thinking), tokens)
    raw = msgspec.json.encode(bound)
    return base64.b64encode(_seal(raw) + raw).decode()


def read_signature(thinking: str, signature: str) -> Bound | None:
    """Return to which model, account and prefix a thinking block is bound.

    None if the signature is not valid.
    """
    try:
        raw = base64.b64decode(signature, validate=True)
        bound = msgspec.json.decode(raw[16:], type=Bound)
    except (binascii.Error, ValueError):
        return None
    is_ours = hmac.compare_digest(_seal(raw[16:]), raw[:16])
    return bound if is_ours and bound.thinking == _digest(thinking) else None


def _seal(raw: bytes) -> bytes:
    return hashlib.blake2b(raw, key=_SECRET, digest_size=16).digest()


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _strip(block: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in block.items() if key != "cache_control"}


def _dump(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
