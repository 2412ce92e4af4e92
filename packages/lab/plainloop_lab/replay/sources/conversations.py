"""A conversation as a replay takes it: what the users said, and what was recorded after it."""

from __future__ import annotations

from collections.abc import Sequence

from plainloop.agent.base.messages.contents import list_calls
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.store.outcomes.ratings import Thumb
from plainloop.agent.types import Message

from .tool_schemas import ToolShape


@dataclass(frozen=True, slots=True)
class Turn:
    """One user message and the assistant and tool messages that followed it.

    Without an answer: the conversation was recorded up to its question, a call, or a tool's result.
    """

    user: Message
    recorded: tuple[Message, ...]

    @property
    def is_answered(self) -> bool:
        """Whether the turn ends with an answer and no open tool call."""
        if not self.recorded or self.recorded[-1]["role"] != "assistant":
            return False
        return not list_calls(self.recorded[-1])


@dataclass(frozen=True, slots=True)
class TurnRating:
    """Says what its user thought of the answer to a turn, counted from 0."""

    turn: int
    rating: Thumb
    note: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A whole conversation. system: the source's own prompt, "" when it had none."""

    conversation_id: str
    system: str
    turns: tuple[Turn, ...]
    opening: tuple[Message, ...] = ()  # what the model said before the first user message
    repairs: tuple[str, ...] = ()  # what was mended when it was read, one sentence each
    tools: tuple[ToolShape, ...] = ()  # that its source declared beside it
    ratings: tuple[TurnRating, ...] = ()

    @property
    def messages(self) -> list[Message]:
        """Return all messages of the conversation in order."""
        return [*self.opening, *(m for turn in self.turns for m in (turn.user, *turn.recorded))]


def split_turns(messages: Sequence[Message]) -> tuple[Turn, ...]:
    """Split messages into turns, which begin at each message of the user.

    Messages before the first turn are dropped.

    >>> from plainloop.agent.core.history import make_text_message as text
    >>> turns = split_turns([text("user", "Hi"), text("assistant", "Hello"), text("user", "Bye")])
    >>> [(len(turn.recorded), turn.is_answered) for turn in turns]
    [(1, True), (0, False)]
    """
    starts = [i for i, message in enumerate(messages) if message["role"] == "user"]
    ends = [*starts[1:], len(messages)]
    return tuple(
        Turn(messages[start], tuple(messages[start + 1 : end]))
        for start, end in zip(starts, ends, strict=True)
    )
