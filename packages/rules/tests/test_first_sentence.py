"""What the first sentence needs is made beside the event loop, which others wait for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.service.opening import open_service
from plainloop_rules import matching
from plainloop_rules.lexicon import LexiconCache, build_lexicon
from plainloop_rules.offline.brain import brain


@contextmanager
def count_calls(function: Callable[..., Any]) -> Iterator[list[str]]:
    """Of the function, in this thread only."""
    calls: list[str] = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is function.__code__:
            calls.append(frame.f_code.co_name)

    sys.setprofile(watch)
    try:
        yield calls
    finally:
        sys.setprofile(None)


async def say(settings: Settings, text: str) -> str:
    async with open_service(replace(settings, provider="offline"), loads_sdk=True) as service:
        thread = await service.ensure_thread("t1", "u1", None, text)
        return (await service.answer("t1", "u1", thread.thread_id, text)).answer


async def test_a_server_builds_its_lexicon_outside_the_event_loop(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(matching, "LEXICONS", LexiconCache())
    with count_calls(build_lexicon) as built:
        assert await say(settings, "how many jobs do I have?") == "You have no jobs."
    assert built == []


async def test_the_rules_are_loaded_outside_the_event_loop(settings: Settings):
    with count_calls(brain.answer) as read:
        assert "No model is set" in await say(settings, "tell me a joke")
    assert read == []
