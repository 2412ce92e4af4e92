"""Answers are read in time proportional to their length, whatever stands in them: in one loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from plainloop.agent.providers.http.mended_stream import mend_lines
from plainloop.agent.providers.openai.chat_fold import ToolCallFold
from plainloop.agent.providers.reading.thoughts import ThoughtSplitter, split_text
from tests.linear import is_linear

PIECE_CHARS = 4  # about a token
CHUNK = 4  # a read of 16 bytes


def cut(text: str, size: int = PIECE_CHARS) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def test_a_long_calls_pieces_are_not_joined_again_with_each():
    def read(text: str) -> Any:
        fold = ToolCallFold()
        fold.add({"index": 0, "id": "c1", "function": {"name": "write", "arguments": ""}})
        for piece in cut(text):
            fold.add({"index": 0, "function": {"arguments": piece}})
        return fold.finish()

    assert is_linear(read, "a letter ")


@pytest.mark.parametrize(
    "kind", ["`<think>` ", "`<think>`\n", '"<think>" ', "a word ", "```\n<think>\n"]
)
@pytest.mark.parametrize("is_held", [False, True])
def test_splitting_thoughts_from_text_takes_linear_time(kind: str, is_held: bool):
    def read(text: str) -> Any:
        splitter = ThoughtSplitter(is_held=is_held)
        for piece in cut(text):
            splitter.feed(piece)
        return splitter.finish(), split_text(text)

    assert is_linear(read, kind)


def test_a_long_line_of_geminis_stream_is_not_joined_again_with_each_chunk():
    async def collect(text: str) -> bytes:
        async def give() -> AsyncIterator[bytes]:
            for piece in cut(text):
                yield piece.encode() * CHUNK

        return b"".join([line async for line in mend_lines(b"data: ", give())])

    whole = asyncio.run(collect("ab\ncd\ne"))
    assert whole == b"data: " + (b"ab\nc" * CHUNK + b"d\ne" * CHUNK)
    assert is_linear(lambda text: asyncio.run(collect(text)), "x")
