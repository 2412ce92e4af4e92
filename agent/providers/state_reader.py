"""Reads opaque provider state out of a stored conversation, for the model that is being called."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from ..base.text.cleaning import format_count
from ..types import MessagePart, ProviderState
from .provider_state import Target

Origin = tuple[str, str]  # provider, model
# Keys of a state's value that are not opaque: a call's id at its server, an answer's phase,
# unsigned reasoning that goes back. All other keys may be signed or encrypted.
PLAIN: Final = frozenset({"id", "phase", "echo"})


class StateReader:
    """Returns the state that the target can read, and counts the parts that it cannot.

    Opaque state of the same model at another address, or from another API key, is left out before
    it is sent: OpenAI, Google and Anthropic refuse or drop it. State without an owner (stored by an
    older version) is sent: usually nothing has changed, and a refusal costs one request
    (`refused_state`).
    """

    def __init__(self, target: Target) -> None:
        """Begin to collect opaque state for a request to this target."""
        self._target = target
        self._left_out: Counter[str] = Counter()

    def read(self, part: MessagePart) -> dict[str, Any]:
        """Return the part of a message's opaque state that the target may get, or {}.

        Only its plain keys if it comes from another owner.
        """
        state: ProviderState | None = part.get("provider_state")
        if state is None:
            return {}
        origin, target = ":".join(read_origin(state)), self._target
        if read_origin(state) != (target.provider, target.model):
            self.leave_out(f"dropped provider_state of {origin}")
            return {}
        value: dict[str, Any] = state["value"]
        # Its plain part stays: without the call's id, DeepSeek and Kimi could not match its result.
        if is_opaque(state) and not is_owned(state, target):
            self.leave_out(f"left out opaque state of {origin} from {state.get('owner')}")
            return {name: item for name, item in value.items() if name in PLAIN}
        return value

    def leave_out(self, reason: str) -> None:
        """Count a message part whose opaque state is not sent, by the reason."""
        self._left_out[reason] += 1

    def notes(self) -> list[str]:
        """Return one note for each reason for which opaque state was not sent."""
        counts = self._left_out.items()
        return [f"{reason} ({format_count(count, 'part')})" for reason, count in counts]


def read_origin(state: ProviderState) -> Origin:
    """Return the provider and the model that made the state."""
    return state["provider"], state["model"]


def is_opaque(state: ProviderState) -> bool:
    """Return whether the state contains data that only its own model can read."""
    return bool(state["value"].keys() - PLAIN)


def is_owned(state: ProviderState, target: Target) -> bool:
    """Return whether opaque state may be sent to the target's account.

    Servers that want unsigned reasoning back accept it from anywhere, and refuse calls without it.
    """
    owner = state.get("owner")
    is_unsigned = target.quirks.reasoning_echo != "never"
    return is_unsigned or not owner or not target.owner or owner == target.owner
