"""Identifiers: UUID version 7, so that rows made together lie together in an index."""

from __future__ import annotations

import os
import time
import uuid


def make_id() -> str:
    """A new UUIDv7 as text: 48 bits of Unix milliseconds, then random bits (RFC 9562)."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds << 80) | int.from_bytes(os.urandom(10), "big")
    value = (value & ~(0xF << 76)) | (0x7 << 76)
    value = (value & ~(0x3 << 62)) | (0x2 << 62)
    return str(uuid.UUID(int=value))
