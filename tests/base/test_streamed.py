"""Texts of open streams, of which a process keeps thousands."""

from __future__ import annotations

import sys

from plainloop.agent.base.text.streamed import StreamedText


def test_a_streamed_text_takes_little_more_than_its_letters() -> None:
    text = StreamedText()
    for _ in range(1000):
        text.add("four")
    assert str(text) == "four" * 1000
    assert sys.getsizeof(text._bytes) < 5000  # pyright: ignore[reportPrivateUsage]


def test_halves_of_a_character_are_kept_as_they_came() -> None:
    text = StreamedText()
    for piece in ("\ud83d", "\ude00", "é", "\0"):
        text.add(piece)
    assert text and str(text) == "\ud83d\ude00é\0"
