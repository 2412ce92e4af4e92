"""Identifiers: UUID version 7, which ascend, so that new rows are neighbours in an index."""

from __future__ import annotations

import os
import threading
import time
import uuid

_STEPS_PER_MS = 1 << 12
_lock = threading.Lock()
_last = 0  # the newest id's time, in steps


def make_id() -> str:
    """Make a new UUIDv7 as text, greater than all that this process made before.

    48 bits of Unix milliseconds, 12 bits of the fraction, then random bits (RFC 9562, 6.2,
    method 3). Calls of one step are ordered by their ids, so two in one millisecond must be too.
    """
    global _last
    with _lock:
        # `max`: also after the clock was set back, ids ascend
        # (tests/core/test_ids.py::test_ids_ascend_when_the_clock_is_set_back).
        _last = now = max(time.time_ns() * _STEPS_PER_MS // 1_000_000, _last + 1)
    milliseconds, fraction = divmod(now, _STEPS_PER_MS)
    value = (milliseconds << 80) | (0x7 << 76) | (fraction << 64)
    value |= (0x2 << 62) | (int.from_bytes(os.urandom(8), "big") >> 2)
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def get_question_code(approval_id: str) -> str:
    """Return the short code (the end of its id) by which a user names an approval.

    >>> get_question_code("0197a0b1-93c2-7e11-8a9b-3c5d7e9f0a1b")
    '3c5d7e9f0a1b'
    """
    # Not its beginning, which is a time: approvals of the same moment begin alike.
    return approval_id[-12:]


def read_created_s(made_id: str) -> int:
    """Read the creation time of an id made by `make_id`, in whole seconds since 1970."""
    return (uuid.UUID(made_id).int >> 80) // 1000
