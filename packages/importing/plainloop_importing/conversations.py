"""What every source is made into: conversations, and the model calls that they rest on."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.types import Usage

from .messages import Said
from .usage import NO_USAGE


@dataclass(slots=True)
class ModelCall:
    """One model call, as its source describes it.

    name: the source's own id of it. group: the conversation's own name there; None: it has none,
    and `trace` stands in. sent and answer: None where the source kept no words. error: why there is
    no answer.
    """

    name: str
    trace: str
    started_at: datetime
    ended_at: datetime
    provider: str = ""
    model: str = ""
    model_answered: str | None = None
    group: str | None = None
    parent: str | None = None
    system: str = ""
    tools: list[dict[str, Any]] | None = None  # None: not told
    sent: list[Said] | None = None
    answer: Said | None = None
    usage: Usage = NO_USAGE
    cost_usd: Decimal | None = None  # as the source says
    finish: str | None = None
    response_id: str | None = None
    error: str | None = None
    node: str | None = None  # of a graph, or an agent's name
    user: str | None = None
    alias: str | None = None  # names its conversation where another one has the trace's name
    gaps: list[str] = field(default_factory=list[str])  # what its source lost of it
    notes: list[str] = field(default_factory=list[str])  # what was mended


@dataclass(slots=True)
class ToolSpan:
    """One tool call as a trace describes it, apart from the messages."""

    trace: str
    started_at: datetime
    name: str
    call_id: str | None
    result: str | None
    is_error: bool = False
    group: str | None = None


@dataclass(slots=True)
class PlacedCall:
    """A model call, and the positions of its messages in the conversation.

    answered_at: of its answer; None: that is none of the conversation's. first and last: of what
    was sent, inclusive; None: `call.sent` is all of it.
    """

    call: ModelCall
    answered_at: int | None = None
    first: int | None = None
    last: int | None = None


@dataclass(slots=True)
class Conversation:
    """A conversation to be imported.

    name: the source's own, unique there. times: of the messages, None where nobody knows. waiting:
    ids of calls that wait for a person, each with its question. gaps: why it is not whole.
    """

    name: str
    title: str = ""
    system: str = ""
    tools: list[dict[str, Any]] | None = None
    messages: list[Any] = field(default_factory=list[Any])  # of type Message
    times: list[datetime | None] = field(default_factory=list["datetime | None"])
    calls: list[PlacedCall] = field(default_factory=list[PlacedCall])
    waiting: dict[str, str] = field(default_factory=dict[str, str])
    error: str | None = None  # why the last turn has no answer
    gaps: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    alias: str | None = None  # its name where another conversation has the first one
    expected: Any = None  # of a dataset's row: the last answer, or a list of accepted ones

    @property
    def began_at(self) -> datetime | None:
        """Return the conversation's earliest known time, or None."""
        called = [placed.call.started_at for placed in self.calls]
        return min((*filter(None, self.times), *called), default=None)
