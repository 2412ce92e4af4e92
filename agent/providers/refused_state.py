"""Opaque state that a provider refuses to take back: left out once, noted, never sent again.

The fact is stored in the thread: the answer that came without the state begins with an empty part
that says so. Whoever builds the next request, on any replica, reads it there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, cast

from ..base.messages.contents import get_turn
from ..base.text.cleaning import format_count
from ..types import Message, MessagePart, ProviderState, ReasoningPart
from .state_reader import PLAIN, Origin, is_opaque, read_origin

# A second refusal: whatever this model makes here is refused later, so none of it is sent.
_REFUSED_FOR_GOOD: Final = 2


def drop_state(messages: Sequence[Message], origins: Iterable[Origin]) -> list[Message]:
    """Copy the messages without the opaque state that these models made.

    Messages without such state stay the same objects.
    """
    gone = frozenset(origins)
    return [_drop(message, gone) if _list_origins(message) else message for message in messages]


def drop_all_state(message: Message) -> Message:
    """Copy an answer without any opaque state, and without parts that would be empty.

    >>> state = {"provider": "acme", "model": "m", "value": {"signature": "x"}}
    >>> parts = [{"type": "reasoning", "text": "", "provider_state": state},
    ...     {"type": "text", "text": "{}", "provider_state": state}]
    >>> drop_all_state({"role": "assistant", "parts": parts})
    {'role': 'assistant', 'parts': [{'type': 'text', 'text': '{}'}]}
    """
    parts: list[MessagePart] = []
    for part in message["parts"]:
        if "provider_state" in part:
            if part["type"] == "reasoning" and not part["text"]:
                continue
            kept = {key: value for key, value in part.items() if key != "provider_state"}
            part = cast("MessagePart", kept)
        parts.append(part)
    return {**message, "parts": parts}


def drop_earlier_state(messages: Sequence[Message]) -> list[Message]:
    """Copy the messages without the opaque state of earlier turns."""
    end = len(messages) - len(get_turn(messages))
    origins = {origin for message in messages[:end] for origin in _list_origins(message)}
    return [*drop_state(messages[:end], origins), *messages[end:]]


def drop_refused_state(messages: Sequence[Message]) -> list[Message]:
    """Copy the messages without the opaque state that its provider has refused.

    A model's state before its newest mark is removed; after a second mark, all of it.
    """
    marks = _list_marks(messages)
    if not marks:
        return [*messages]
    times = Counter(origin for _, origin in marks)
    # Before its newest mark only: what the model made after it was made with the present account
    # (tests/providers/test_refused_state.py::test_only_state_from_before_a_refusal_is_omitted).
    ends = {  # of each model, before which message its state is left out
        origin: len(messages) if times[origin] >= _REFUSED_FOR_GOOD else place
        for place, origin in marks
    }
    return [
        drop_state([message], (origin for origin, end in ends.items() if place < end))[0]
        for place, message in enumerate(messages)
    ]


def mark_refused(message: Message, origin: Origin) -> Message:
    """Copy an answer with a mark that the provider refused this model's earlier opaque state."""
    state: ProviderState = {"provider": origin[0], "model": origin[1], "value": {}}
    state["refuses_earlier"] = True
    mark: ReasoningPart = {"type": "reasoning", "text": "", "provider_state": state}
    return {**message, "parts": [mark, *message["parts"]]}


def describe_refused(messages: Sequence[Message]) -> list[str]:
    """Describe, one line a model, how many parts of refused opaque state are no longer sent."""
    held = Counter(origin for message in messages for origin in _list_origins(message))
    held.subtract(o for message in drop_refused_state(messages) for o in _list_origins(message))
    return [
        f"{format_count(held[origin], 'part')} of opaque state refused by {':'.join(origin)}, "
        "not sent any more"
        for origin in dict.fromkeys(origin for _, origin in _list_marks(messages))
    ]


def _drop(message: Message, origins: frozenset[Origin]) -> Message:
    parts: list[MessagePart] = []
    for part in message["parts"]:
        state = _get_state(part)
        if state is not None and read_origin(state) in origins and is_opaque(state):
            plain = {key: value for key, value in state["value"].items() if key in PLAIN}
            part = cast("MessagePart", {**part, "provider_state": {**state, "value": plain}})
        parts.append(part)
    return {**message, "parts": parts}


def _list_origins(message: Message) -> list[Origin]:
    """Whose opaque state the message holds: one for each part."""
    states = filter(None, map(_get_state, message["parts"]))
    return [read_origin(state) for state in states if is_opaque(state)]


def _list_marks(messages: Sequence[Message]) -> list[tuple[int, Origin]]:
    """Return (place, model) of each message that says that a model's state was refused."""
    return [
        (place, read_origin(part["provider_state"]))
        for place, message in enumerate(messages)
        for part in message["parts"]
        if "provider_state" in part and "refuses_earlier" in part["provider_state"]
    ]


def _get_state(part: MessagePart) -> ProviderState | None:
    return cast("ProviderState | None", part.get("provider_state"))
