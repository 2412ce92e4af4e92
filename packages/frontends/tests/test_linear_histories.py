"""Posted histories are read in time proportional to their length: in one loop with all others."""

from __future__ import annotations

from typing import Any

from plainloop.server.protocols.conversations import PostedMessage
from plainloop_frontends.openai.threads import Posted
from tests.linear import is_linear


def test_many_consecutive_answers_are_joined_in_linear_time():
    def read(text: str) -> Any:
        pieces = [text[n : n + 4] * 20 for n in range(0, len(text), 4)]
        return Posted([PostedMessage("assistant", piece) for piece in pieces], []).name_before

    assert is_linear(read, "word ")
