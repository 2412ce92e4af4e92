"""The first place where a replay and its recording part, as people read it."""

from __future__ import annotations

import difflib
import re
from typing import Any, Final, Literal

import orjson

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import AgentError

CONTEXT_LINES: Final = 3
MOST_DIFF_LINES: Final = 60
# At least so many characters, up to the next place where a sentence or a value may end.
_PIECE: Final = re.compile(r".{80,400}?(?:\\n|[,;.}\]] ?)|.{1,400}")

DivergenceKind = Literal["path", "request", "update", "approval", "calls", "end"]


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference of a replay from its recording.

    kind: where it shows: the path through the nodes, a model request, a step's update, which calls
    need approval, the number of model calls, the run's end. recorded and replayed: JSON of both
    sides.
    """

    kind: DivergenceKind
    step: int
    node: str
    recorded: Any
    replayed: Any

    def to_json(self) -> dict[str, Any]:
        """Convert the divergence to JSON, with its diff."""
        return {"kind": self.kind, "step": self.step, "node": self.node, "diff": self.render_diff()}

    def render_diff(self) -> list[str]:
        """Render a unified diff from the recorded to the replayed value, without header lines."""
        sides = (to_lines(self.recorded), to_lines(self.replayed))
        lines = list(difflib.unified_diff(*sides, lineterm="", n=CONTEXT_LINES))[2:]
        if len(lines) <= MOST_DIFF_LINES:
            return lines
        left = len(lines) - MOST_DIFF_LINES
        return [*lines[:MOST_DIFF_LINES], f"… {left} more lines of difference"]


class Diverged(AgentError):
    """Ends a replayed run at its first divergence."""

    code = "REPLAY_DIVERGED"

    def __init__(self, divergence: Divergence) -> None:
        super().__init__(f"the replay differs from its recording at step {divergence.step}")
        self.divergence = divergence


class RecordingEnded(AgentError):
    """The recording has no answer for this call: it stops inside the turn."""

    code = "RECORDING_ENDED"

    def __init__(self) -> None:
        super().__init__("the recording ends here")


def to_lines(value: Any) -> list[str]:
    """Convert a value to lines of JSON, so that a diff shows what differs.

    Each value has a line of its own; long texts are cut into pieces. Quotes in texts, which are
    often JSON themselves, stand as they are: this is for people.
    """
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode()
    pieces = (piece for line in text.splitlines() for piece in _PIECE.findall(line))
    return [piece.replace('\\"', '"') for piece in pieces]
