"""What a request is for the ledger, and what remembering it takes."""

from __future__ import annotations

import gc
import tracemalloc

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.base.messages.requests import fingerprint_request
from plainloop.agent.types import ChatRequest


def test_the_cached_form_of_a_message_is_no_larger_than_the_message():
    messages = [make_text_message("user", f"message {n}") for n in range(200)]
    tracemalloc.start()
    try:
        fingerprint_request(ChatRequest("", messages), "")
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()

    assert kept / len(messages) < 1_000  # 4,300 when orjson's own bytes were kept
