"""Signatures of webhooks, by which a receiver knows who sent a message, and that it is fresh.

Source: the Standard Webhooks specification 1.0. Its example is
packages/operations/tests/webhooks/test_signing.py.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Final

SECRET_PREFIX: Final = "whsec_"


def write_secret(secret: bytes) -> str:
    """Format a signing secret for its receiver: `whsec_` and base64.

    >>> write_secret(b"0123456789abcdef01234567")
    'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'
    """
    return SECRET_PREFIX + base64.b64encode(secret).decode()


def sign(secret: bytes, message_id: str, sent_at: int, body: bytes) -> dict[str, str]:
    """Build the signature headers for one attempt to deliver a message.

    sent_at: Unix seconds.
    """
    signed = f"{message_id}.{sent_at}.".encode() + body
    digest = hmac.new(secret, signed, hashlib.sha256).digest()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(sent_at),
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }
