"""Which of Anthropic's blocks end a cached prefix."""

from __future__ import annotations

from typing import Any

from plainloop.agent.providers.anthropic.wire import to_body
from plainloop.agent.providers.defaults import quirks_for
from plainloop.agent.providers.provider_state import Target
from plainloop.agent.types import ChatRequest, Message

URL = "https://api.anthropic.com"
TARGET = Target("anthropic", "m", quirks_for("anthropic", "m", URL))


def say(role: Any, text: str) -> Message:
    return {"role": role, "parts": [{"type": "text", "text": text}]}


def list_marked(**options: Any) -> list[str]:
    messages = [
        say("user", "first"),
        say("assistant", "draft"),
        say("user", "second"),
        say("assistant", "draft"),
        say("user", "newest"),
    ]
    body, _ = to_body(ChatRequest("system", messages, **options), TARGET)
    blocks = [block for message in body["messages"] for block in message["content"]]
    return [block["text"] for block in blocks if "cache_control" in block]


def test_a_thread_is_cached_up_to_its_two_newest_user_messages():
    assert list_marked(cache_key="thread") == ["second", "newest"]


def test_feedback_that_no_later_request_repeats_is_not_paid_for_as_a_cache_write():
    assert list_marked(cache_key="thread", is_newest_passing=True) == ["first", "second"]


def test_what_belongs_to_no_thread_is_not_cached():
    assert list_marked() == []
