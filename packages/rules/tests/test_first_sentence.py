"""What the first sentence needs is made beside the event loop, which others wait for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from msgspec import structs

from plainloop.agent.config.settings import Settings
from plainloop.agent.service.opening import open_service
from plainloop_rules import matching
from plainloop_rules.language import LANGUAGES, Language
from plainloop_rules.lexicon import Lexicon, LexiconCache, build_lexicon
from plainloop_rules.offline.brain import brain
from tests.tracker.entities import TRACKER


@contextmanager
def count_calls(*functions: Callable[..., Any]) -> Iterator[list[str]]:
    """Of the functions, in this thread only."""
    calls: list[str] = []
    codes = {function.__code__ for function in functions}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in codes:
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
    with count_calls(build_lexicon, Lexicon.known.func) as built:
        assert await say(settings, "how many jobs do I have?") == "You have no jobs."
    assert built == []


def test_a_text_without_any_word_of_an_entity_splits_no_phrases(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(matching, "LEXICONS", LexiconCache())
    with count_calls(Language.split_phrases.func) as split:
        unused = tuple(structs.replace(language) for language in LANGUAGES)
        assert matching.match_intent("sing me a song", TRACKER, unused) is None
    assert split == []


async def test_the_rules_are_loaded_outside_the_event_loop(settings: Settings):
    with count_calls(brain.answer) as read:
        assert "No model is set" in await say(settings, "tell me a joke")
    assert read == []
