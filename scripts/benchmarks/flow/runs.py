"""What each implementation offers to the measurement, and what one run of it gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from scripts.benchmarks.flow.texts import Flow

TENANT = USER = "bench"
MODEL = "claude-sonnet-5-5"


@dataclass(frozen=True, slots=True)
class Told:
    """What the user got. first_token_ms: of the last streamed model call, from when it was begun;
    None: no model was called.
    """

    answer: str
    first_token_ms: float | None


class Contender(Protocol):
    """One implementation of the flows."""

    name: str

    async def prepare(self, flow: Flow) -> str:
        """A fresh thread for the flow, filled where the flow wants it. Not measured."""
        ...

    async def run(self, thread_id: str, flow: Flow) -> Told:
        """Answer the flow's message. Measured."""
        ...
