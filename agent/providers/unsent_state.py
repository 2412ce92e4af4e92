"""Describes stored opaque state that no request of today sends, for people who check a thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from ..base.text.cleaning import format_count
from ..types import Message, ProviderState
from .anthropic.prefix import binds_prefix
from .defaults import PROVIDER_DEFAULTS, quirks_for
from .refused_state import describe_refused
from .state_reader import Origin, is_opaque, read_origin


def describe_unsent(messages: Sequence[Message], owners: Mapping[Origin, str]) -> list[str]:
    """Describe how many parts of stored opaque state are not sent, by model and reason.

    owners: who issues state today, by model; for a model that is not there, whoever issued last.
    """
    states = [
        cast("ProviderState", part["provider_state"])  # type: ignore[typeddict-item]
        for message in messages
        for part in message["parts"]
        if "provider_state" in part
    ]
    opaque = [state for state in states if is_opaque(state)]
    current = {read_origin(state): state["owner"] for state in opaque if "owner" in state}
    current |= owners
    counts: Counter[str] = Counter()
    for state in opaque:
        origin, owner = read_origin(state), state.get("owner", "")
        name = ":".join(origin)
        quirks = quirks_for(*origin, f"https://{owner}") if origin[0] in PROVIDER_DEFAULTS else None
        is_unsigned = quirks is not None and quirks.reasoning_echo != "never"
        if owner and owner != current[origin] and not is_unsigned:
            counts[f"opaque state of {name} from {owner}, not sent to {current[origin]}"] += 1
        elif "prefix" not in state and origin[0] == "anthropic" and binds_prefix(origin[1]):
            counts[f"thinking of {name} stored without its request, not sent any more"] += 1
    unsent = [f"{format_count(count, 'part')} of {reason}" for reason, count in counts.items()]
    return [*describe_refused(messages), *unsent]
