"""Results of tool calls that a person did not allow, as text for models and for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

# By the approval's status. The model reads these, also in threads that are stored already.
REFUSALS: Final[Mapping[str, str]] = {
    "denied": "the user did not allow this call; do not make it again unless asked to",
    "expired": "nobody allowed this call in time; it was not made",
    "consumed": "the user's approval was used already; it was not made again",
}
_REASON: Final = ". They said: "
_FOR_PEOPLE: Final[Mapping[str, str]] = {
    "denied": "the user did not allow this call",
    "expired": "nobody approved the call in time",
    "consumed": "the approval was for one call, which was already made",
}


class Refusal(NamedTuple):
    """An approval's status, and the user's reason for declining; "" without one."""

    status: str
    reason: str


def make_refusal(status: str, reason: str | None) -> dict[str, str]:
    """Build the tool result of a call that was not allowed."""
    return {"error": REFUSALS[status] + (f"{_REASON}{reason}" if reason else "")}


def read_refusal(result: Any) -> Refusal | None:
    """Parse a failed tool result as a refusal; None if it failed in another way.

    >>> read_refusal(make_refusal("denied", "keep it"))
    Refusal(status='denied', reason='keep it')
    >>> read_refusal({"error": "no such job"})
    """
    if not isinstance(result, dict) or result.keys() != {"error"}:
        return None
    error = str(cast(dict[str, Any], result)["error"])
    for status, text in REFUSALS.items():
        # By its text, which is all that stored threads have of it.
        if error == text or error.startswith(text + _REASON):
            return Refusal(status, error.removeprefix(text).removeprefix(_REASON))
    return None


def word_refusal(refusal: Refusal) -> str:
    """Describe a refusal for people, without the instructions to the model.

    >>> word_refusal(Refusal("denied", "keep it"))
    'the user did not allow this call: keep it'
    """
    why = f": {refusal.reason}" if refusal.reason else ""
    return _FOR_PEOPLE[refusal.status] + why
