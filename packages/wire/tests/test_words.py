"""The words of refusal are data: each is used, and none is missing."""

from __future__ import annotations

import re
from pathlib import Path

import plainloop_wire as wire
from plainloop_wire.api import load_api

DIALECTS = ("anthropic", "gemini", "ollama", "openai_chat")
REFUSED = re.compile(r'_API\.refuse\(\s*"(\w+)"')


def test_every_refusal_has_words_and_every_word_a_use() -> None:
    folder = Path(wire.__file__).parent
    for dialect in DIALECTS:
        also = ("openai_responses",) if dialect == "openai_chat" else ()
        files = [path for name in (dialect, *also) for path in (folder / name).glob("*.py")]
        used = {word for path in files for word in REFUSED.findall(path.read_text("utf-8"))}
        assert used == set(load_api(dialect).refusals)
