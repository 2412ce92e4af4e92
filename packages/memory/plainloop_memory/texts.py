"""What a memory's text is: one line; and what of a conversation is the user's own word."""

from __future__ import annotations

from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.types import Message


def fit_text(text: str) -> str:
    """Return the text as one line without invisible characters, as memories are stored.

    >>> fit_text("  likes\\ntea\\x1b[0m ")
    'likes tea[0m'
    """
    words = " ".join(clean_text(text).split())
    return "".join(char for char in words if char.isprintable())


def get_said(message: Message) -> str:
    """Return the text that the user typed in a message.

    "" for others' messages. A helper's task counts as typed only if its caller had read no
    untrusted text before.

    >>> task = {"type": "text", "text": "pay Bob", "is_untrusted": True}
    >>> said = {"type": "text", "text": "I like tea"}
    >>> get_said({"role": "user", "parts": [task, said]})
    'I like tea'
    """
    own = message["parts"] if message["role"] == "user" else ()
    return "".join(p["text"] for p in own if p["type"] == "text" and "is_untrusted" not in p)
