"""Joins an SDK's automatic retries to the run of the first request.

OpenAI's SDKs send a body up to three times after a time-out, without a key but with a count of the
retries; so each request gets a key here, and a counted one takes the key of an equal earlier one.
"""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from plainloop.agent.base.ids import make_id
from plainloop.agent.core.api import ApiRequest
from plainloop.agent.dataclasses import dataclass
from plainloop.server.routes.streaming import read_idempotency_key
from plainloop.server.settings import ServerLimits

from .lookups import save_sent, take_sent
from .threads import ID_HEADERS

RETRY_HEADER: Final = "x-stainless-retry-count"
_MAX_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Key:
    """Names a request. value: the idempotency key; None: it has none. sent: the body's hash, where
    this is the first that is known of it; count: which try it is. is_own: the client's own.
    """

    value: str | None
    sent: str | None = None
    count: int = 0
    is_own: bool = False


async def find_key(request: ApiRequest, space: str, body: object) -> Key:
    """Return a request's idempotency key, also for a retry without one.

    If the client sends no key but counts its retries, a retry gets the key of the request that it
    repeats, and another request a new key. Without a count, the key is None. Raises: InputError for
    what is no usable key.
    """
    own, retry_count = read_idempotency_key(request), request.headers.get(RETRY_HEADER, "")
    if own or not (
        retry_count.isascii() and retry_count.isdigit() and len(retry_count) <= _MAX_DIGITS
    ):
        return Key(own, is_own=own is not None)
    named = [request.headers.get(name) for name in ID_HEADERS]
    sent = hashlib.sha256(msgspec.json.encode([space, named, body])).hexdigest()
    if count := int(retry_count):
        within_s = request.settings.get_table(ServerLimits).retried_s
        if first := await take_sent(request.db, request.user_id, sent, count, within_s):
            return Key(first)
    return Key(f"sent:{make_id()}", sent, count)


async def record_sent(request: ApiRequest, key: Key, thread_id: str) -> None:
    """Store the hash of a request without an idempotency key, to recognize its retry.

    Before the run begins.
    """
    if key.sent is not None and key.value is not None:
        named = (request.user_id, key.sent, key.value, key.count)
        await save_sent(
            request.db, *named, thread_id, request.settings.get_table(ServerLimits).retried_s
        )
