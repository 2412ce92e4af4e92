"""Signatures of thinking blocks: opaque to the client, checked when they come back."""

from __future__ import annotations

import base64
import hashlib
import hmac


def sign(thinking: str) -> str:
    digest = hashlib.sha256(b"thinking\x00" + thinking.encode()).digest()
    return base64.b64encode(digest).decode()


def is_signed(thinking: str, signature: str) -> bool:
    return hmac.compare_digest(sign(thinking).encode(), signature.encode())
