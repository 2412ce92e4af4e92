"""What is known of a request when its model is chosen: cheap, and before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ..base.messages import get_request_message, get_text
from ..core.state import AgentState
from ..intents.matching import guess_language

DATA: Final = "data."  # and then a field of the pack's, as the thread has it


@dataclass(frozen=True, slots=True)
class Asked:
    """One call that a model is chosen for."""

    role: str
    worker: str | None
    state: AgentState

    @property
    def text(self) -> str:
        """The user's message that is being answered."""
        return get_text(get_request_message(self.state["messages"]))


def name_intent(asked: Asked) -> str:
    """What a fast path was chosen for; else whether something is asked at all."""
    known = asked.state["fast_intent"]
    return known or ("question" if any(mark in asked.text for mark in "?？؟") else "request")


FEATURES: Final[Mapping[str, Callable[[Asked], str]]] = {
    "role": lambda asked: asked.role,
    "worker": lambda asked: asked.worker or "",
    "intent": name_intent,
    "language": lambda asked: guess_language(asked.text),
    "chars": lambda asked: str(len(asked.text)),
}


def read_feature(name: str, asked: Asked) -> str:
    if name.startswith(DATA):
        return str(asked.state["data"].get(name.removeprefix(DATA), ""))
    return FEATURES[name](asked)


def is_known(name: str) -> bool:
    """Whether the engine can tell this feature when it chooses a model."""
    return name in FEATURES or name.startswith(DATA)
