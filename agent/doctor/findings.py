"""The result of a check."""

from __future__ import annotations

from typing import Literal

from ..dataclasses import dataclass
from ..errors import AgentError

Level = Literal["ok", "note", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A result of a check by the doctor. todo: the remedy; None if nothing needs doing."""

    level: Level
    what: str  # the thing checked, one or two words
    text: str
    todo: str | None = None


def from_error(what: str, error: Exception) -> Finding:
    """Build the finding for a check that raised an error, with the error's hint as remedy."""
    if isinstance(error, AgentError):
        return Finding("fail", what, f"{error.message} [{error.code}]", error.hint)
    return Finding("fail", what, f"{type(error).__name__}: {error}")
