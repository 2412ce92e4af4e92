"""The words of refusal are data: each is used, and none is missing."""

from __future__ import annotations

import re
from pathlib import Path

import plainloop_wire as wire
from plainloop_wire.api import load_api

DIALECTS = ("anthropic", "gemini", "ollama", "openai_chat", "openai_responses")
REFUSED = re.compile(r'_API\.refuse\(\s*"(\w+)"')
# Said where a body is read, whatever the dialect.
SHARED = {*("no_json", "too_long", "missing", "type", "type_at_top", "unknown", "unknown_at_top")}


def test_every_refusal_of_the_strict_server_has_a_text() -> None:
    folder = Path(wire.__file__).parent
    used: dict[str, set[str]] = {}
    for dialect in DIALECTS:
        files = (folder / dialect).glob("*.py")
        used[dialect] = {
            word for path in files for word in REFUSED.findall(path.read_text("utf-8"))
        }
    # The same words serve both of OpenAI's.
    used["openai_chat"] |= used["openai_responses"]
    used["openai_responses"] = used["openai_chat"]
    for dialect, words in used.items():
        assert words == set(load_api(dialect).refusals) - SHARED
