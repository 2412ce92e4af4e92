"""What is known of a request when its model is chosen: cheap, and before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from plainloop.agent.base.messages.contents import (
    get_request_message,
    get_text,
    get_turn,
    list_calls,
)
from plainloop.agent.core.state import AgentState
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.types import Message

_LENGTHS: Final = ((1, "1 turn"), (3, "2–3 turns"), (7, "4–7 turns"))
DATA: Final = "data."  # and then a field of the pack's, as the thread has it


@dataclass(frozen=True, slots=True)
class Asked:
    """One call that a model is chosen for."""

    role: str
    worker: str | None
    state: AgentState
    tags: Sequence[str] = ()  # the run's

    @property
    def text(self) -> str:
        """Return the text of the user's message that is being answered."""
        return get_text(get_request_message(self.state["messages"]))

    @property
    def before(self) -> Sequence[Message]:
        """Return the thread's messages before the user's message."""
        messages = self.state["messages"]
        return messages[: len(messages) - len(get_turn(messages)) - 1]


def name_intent(fast: str | None, text: str) -> str:
    """Return what a request intends: a fast path's intent, "question" or "request"."""
    return fast or ("question" if any(mark in text for mark in "?？؟") else "request")


def name_length(turns: int) -> str:
    """Name the bucket of a conversation's length in turns.

    >>> name_length(1), name_length(3), name_length(20)
    ('1 turn', '2–3 turns', '8 turns or more')
    """
    return next((name for most, name in _LENGTHS if turns <= most), "8 turns or more")


def name_set(names: Iterable[str]) -> str:
    """Join names to one feature value, sorted, each once.

    >>> name_set(["send", "search", "send"]), name_set([])
    ('search + send', 'none')
    """
    return " + ".join(sorted(set(names))) or "none"


def read_language(asked: Asked) -> str:
    """Guess the language of the request's text."""
    from plainloop_rules.matching import guess_language  # the grammar of four languages

    return guess_language(asked.text)


FEATURES: Final[Mapping[str, Callable[[Asked], str]]] = {
    "role": lambda asked: asked.role,
    "worker": lambda asked: asked.worker or "",
    "intent": lambda asked: name_intent(asked.state["fast_intent"], asked.text),
    "language": read_language,
    "chars": lambda asked: str(len(asked.text)),
    # Of the conversation so far: the turn that is asked for counts, its own tools do not.
    "length": lambda asked: name_length(sum(it["role"] == "user" for it in asked.before) + 1),
    "tool": lambda asked: name_set(
        call["name"] for message in asked.before for call in list_calls(message)
    ),
    "tag": lambda asked: name_set(asked.tags),
}


def read_feature(name: str, asked: Asked) -> str:
    """Return the value of a feature of a model call, by the feature's name."""
    if name.startswith(DATA):
        return str(asked.state["data"].get(name.removeprefix(DATA), ""))
    return FEATURES[name](asked)


def is_known(name: str) -> bool:
    """Whether a feature is known at the time when a model is chosen."""
    return name in FEATURES or name.startswith(DATA)
