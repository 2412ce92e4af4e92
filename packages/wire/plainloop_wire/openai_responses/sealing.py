"""Ids of output items and encrypted reasoning: what comes back must be what was sent.

An item that the model made after reasoning carries that in its id, so that the server can demand
the reasoning back without keeping anything.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import Final

from ..answer import make_id

_STEM_CHARS: Final = 32
_AFTER_REASONING: Final = re.compile(rf"(?:fc|msg)_([0-9a-zA-Z]{{{_STEM_CHARS}}})r[0-9a-zA-Z]+")


def make_item_id(prefix: str, seed: str, part_id: str, *, has_reasoning: bool) -> str:
    """Make an output item's id, such as `fc_…`, from the answer's seed."""
    mark = "r" if has_reasoning else "n"
    return prefix + make_id("", seed, _STEM_CHARS) + mark + make_id("", part_id, 15)


def make_reasoning_id(seed: str) -> str:
    return "rs_" + make_id("", seed, _STEM_CHARS)


def find_reasoning_id(item_id: str) -> str | None:
    """Return the id of the reasoning item that must precede this item, or None."""
    match = _AFTER_REASONING.fullmatch(item_id)
    return f"rs_{match[1]}" if match else None


def seal(model: str, account: str, reasoning_id: str) -> str:
    """Return the encrypted content of a reasoning item.

    Only the same model, account and item may send it back.

    Source of the account: openai/codex #3573 and #8119; developers.openai.com,
    api/docs/guides/reasoning, "Encrypted reasoning items".
    """
    digest = hashlib.sha512(f"{model}\x00{account}\x00{reasoning_id}".encode()).digest()
    return "gAAAA" + base64.urlsafe_b64encode(digest).decode()


def is_sealed(model: str, account: str, reasoning_id: str, encrypted: str) -> bool:
    """Return whether this model encrypted the item for this account."""
    return hmac.compare_digest(seal(model, account, reasoning_id).encode(), encrypted.encode())
