"""Names tools of servers for models: equal in every process, at most 64 plain characters."""

from __future__ import annotations

import hashlib
import re
from typing import Final

MAX_CHARS: Final = 64  # OpenAI's, Anthropic's and Gemini's bound
SEPARATOR: Final = "__"
_HASH_CHARS: Final = 8
_NOT_PLAIN: Final = re.compile(r"[^A-Za-z0-9_-]")


def make_tool_name(server: str, tool: str) -> str:
    """Build the name `server__tool` under which models see a server's tool.
    A name that had to be changed gets a hash, as two tools could become one; a long one keeps its
    end, which differs from its neighbours'.

    >>> make_tool_name("tickets", "search"), make_tool_name("tickets", "a.b")
    ('tickets__search', 'tickets__a_b_35f256a0')
    """
    whole = f"{server}{SEPARATOR}{tool}"
    plain = _NOT_PLAIN.sub("_", whole)
    if plain == whole and len(plain) <= MAX_CHARS:
        return plain
    digest = hashlib.sha256(whole.encode()).hexdigest()[:_HASH_CHARS]
    room = MAX_CHARS - _HASH_CHARS - 1
    if len(plain) <= room:
        return f"{plain}_{digest}"
    # The front is cut: cutting the end made two tools one (xorbitsai/xagent PR #1342)
    # (tests/tool_servers/test_rules.py::test_tool_names_suit_every_provider_and_stay_distinct).
    return f"m{SEPARATOR}{digest}_{plain[-(room - 3) :]}"
