"""Rows of the core's tables to records and back. Pure; no SQL, no I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise, zip_longest
from operator import attrgetter
from typing import Any, Final, cast

import msgspec

from ..base.messages.contents import get_text
from ..base.tokens.estimate import estimate_message_tokens
from ..events import Event
from ..types import NO_OPTIONS, TOKEN_BUCKETS, Message, RunOptions, Update, Usage
from .records import (
    AvoidedCall,
    CallInfo,
    CallSettled,
    CallStart,
    Run,
    RunInfo,
    RunStart,
    StepCommit,
    StepInfo,
    ToolCallRecord,
    price_nothing,
)

_RUN_FIELDS: Final = tuple(RunInfo.__dataclass_fields__)
_RUN_COLUMNS: Final = tuple(Run.__dataclass_fields__)
_NO_COLUMNS: Final = (
    *("message", "options", "position", "title"),
    *("history_tokens", "sentence", "prompt_reads"),
)
_START_COLUMNS: Final = tuple(
    name for name in RunStart.__struct_fields__ if name not in _NO_COLUMNS
)
_OPTIONS: Final = tuple(RunOptions.__dataclass_fields__)
_DELTAS: Final = ("text_delta", "reasoning_delta")
# Of a usage event, without its node, in the form of a step's row.
_USAGE_KEYS: Final = (
    *("provider", "model", "input_tokens", "output_tokens", "source"),
    *("cache_read_tokens", "cache_write_tokens", "reasoning_tokens", "cost_usd"),  # not in old rows
)
_SETTLED_FIELDS: Final = sorted(
    {*CallSettled.__struct_fields__}
    - {"tenant_id", "usage", "response", "notes", "response_id", "base_url"}
)
_CALL_COLUMNS: Final = tuple(
    name for name in CallStart.__struct_fields__ if name not in {"tenant_id", "fence", "reserved"}
)
_get_call_columns: Final = attrgetter(*_CALL_COLUMNS)
_HASHES: Final = ("fingerprint", "system_hash", "tools_hash")
# Of the ledger, what `from_call_row` reads.
CALL_COLUMNS: Final = (
    *(name for name in CallInfo.__dataclass_fields__ if name != "usage"),
    *TOKEN_BUCKETS,
    "usage_raw",
    "usage_source",
)
_TOOL_CALL_FIELDS: Final = ToolCallRecord.__struct_fields__


def from_run_row(row: Mapping[str, Any]) -> RunInfo:
    """Convert a row of `runs` to a RunInfo for display."""
    fields: dict[str, Any] = {name: row[name] for name in _RUN_FIELDS}
    fields["notes"] = tuple(fields["notes"] or ())
    return RunInfo(**fields)


def to_run_row(start: RunStart, **columns: Any) -> dict[str, Any]:
    """Build the columns of a new run, from which SQL inserts its row.
    An option with a column of its own fills that too.
    """
    changed: dict[str, Any] = {}  # most runs: nothing was wanted for
    if start.options != NO_OPTIONS:
        wanted = {name: getattr(start.options, name) for name in _OPTIONS}
        changed = {k: value for k, value in wanted.items() if value != getattr(NO_OPTIONS, k)}
    # Twice, as replicas of the version before read the single columns
    # (test_run_options_are_also_in_columns_for_older_versions).
    own = {name: getattr(start, name) for name in _START_COLUMNS}
    none = {"tags": (), "attempt": 0, "fence": 0, "cancel_requested": False}
    return drop_nulls({**none, **changed, **own, "options": changed or None, **columns})


def drop_nulls(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row's values without nulls, which Postgres need not read then."""
    return {name: value for name, value in row.items() if value is not None}


def from_held_row(row: Mapping[str, Any]) -> Run:
    """Convert a claimed or locked row of `runs` to a Run, with input_position -1 if queued."""
    held: dict[str, Any] = {name: row[name] for name in _RUN_COLUMNS if name in row}
    if held["input_position"] is None:
        held["input_position"] = -1
    held["owner"] = held["owner"] or ""
    return Run(**held)


def from_begun_row(row: Mapping[str, Any]) -> RunOptions:
    """Convert a run's row, of this or an older version, to its RunOptions."""
    held = {name: row.get(name) for name in _OPTIONS}
    columns = {name: value for name, value in held.items() if value is not None}
    return msgspec.convert(row["options"] or columns, RunOptions)


def from_message_row(row: Mapping[str, Any]) -> Message:
    """Convert a row of `messages` to a message with its token counts."""
    return {
        "role": row["role"],
        "parts": row["parts"],
        "tokens": row["tokens"],
        "offset": row["tokens_before"],
    }


def from_step_row(row: Mapping[str, Any], messages: list[Message]) -> StepInfo:
    """Convert a row of `steps` to a StepInfo. messages: those that the step added."""
    update = {**row["update"], "messages": messages} if messages else row["update"]
    return StepInfo(
        n=row["n"],
        node=row["node"],
        next_node=row["next_node"],
        update=cast(Update, update),
        notes=tuple(row["notes"] or ()),
        avoided=tuple(AvoidedCall(*item) for item in row["avoided"] or ()),
        started_at=row["started_at"],
        duration_ms=row["duration_ms"],
    )


def from_call_row(row: Mapping[str, Any]) -> CallInfo:
    """Convert a ledger row to a CallInfo, with the cost as decimal text."""
    rest = dict(row)
    buckets: dict[str, Any] = {name: rest.pop(name) for name in TOKEN_BUCKETS}
    usage = Usage(**buckets, raw=rest.pop("usage_raw"), source=rest.pop("usage_source"))
    cost, most = rest.pop("cost_usd"), rest.pop("most_usd")
    notes = tuple(rest.pop("notes") or ())
    return CallInfo(
        **rest,
        usage=usage,
        cost_usd=None if cost is None else f"{cost:f}",
        most_usd=None if most is None else f"{most:f}",
        notes=notes,
    )


def from_tool_call_row(row: Mapping[str, Any]) -> ToolCallRecord:
    """Convert a row of `tool_calls` to a ToolCallRecord."""
    fields: dict[str, Any] = {name: row[name] for name in _TOOL_CALL_FIELDS}
    fields["receipt"] = row["receipt"] or {}
    return ToolCallRecord(**fields)


def to_call_row(start: CallStart) -> dict[str, Any]:
    """Build the ledger row of an attempt at a model call that begins."""
    most = start.reserved and start.reserved.cost_usd
    row = dict(zip(_CALL_COLUMNS, _get_call_columns(start), strict=True))
    for name in _HASHES:
        if row[name] is not None:
            row[name] = f"\\x{row[name]}"  # as Postgres reads bytes
    return drop_nulls({**row, "most_usd": None if most is None else str(most)})


def to_settled_row(call: CallSettled) -> dict[str, Any]:
    """Build the ledger columns that change when a model call ends."""
    call = price_nothing(call)
    usage = call.usage
    row = {name: getattr(call, name) for name in _SETTLED_FIELDS}
    more = {
        "usage_source": usage.source,
        "usage_raw": usage.raw,
        "response": to_response_row(call.response),
        "notes": list(call.notes) or None,
    }
    return drop_nulls({**row, **usage.buckets, **more})


def to_response_row(response: Mapping[str, Any] | None) -> Mapping[str, Any] | str | None:
    """Convert an answer that is no thread's message to JSON for storage."""
    match response:
        case {"message": {"parts": [{"type": "text", "text": text, **rest}]}} if not rest:
            return text
        case _:
            return response


def from_response_row(kept: Any) -> Message:
    """Convert an answer stored by `to_response_row` back to a message."""
    if isinstance(kept, str):
        return {"role": "assistant", "parts": [{"type": "text", "text": kept}]}
    return kept["message"]


def to_tool_call_row(call: ToolCallRecord) -> dict[str, Any]:
    """Convert a ToolCallRecord to a row of `tool_calls`."""
    fields = {name: getattr(call, name) for name in _TOOL_CALL_FIELDS}
    return {**fields, "receipt": call.receipt or None}


def to_step_row(commit: StepCommit, said: range) -> dict[str, Any]:
    """Convert a finished step to a row of `steps`. said: positions of its messages."""
    first_seq, last_seq, events = to_event_row(commit.events, commit) or (None, None, None)
    # Events may point to the message before the step: then a step without messages is placed too,
    # with an end before its start.
    is_placed = said or any(entry[2:] == [-1] for entry in events or ())
    return {
        "n": commit.n,
        "node": commit.node,
        "update": {key: value for key, value in commit.update.items() if key != "messages"},
        "next_node": commit.next_node,
        "first": said.start if is_placed else None,
        "last": said.stop - 1 if is_placed else None,
        "avoided": [[call.role, call.reason, call.tokens] for call in commit.avoided] or None,
        "notes": list(commit.notes) or None,
        "started_at": commit.started_at,
        "duration_ms": commit.duration_ms,
        "first_seq": first_seq,
        "last_seq": last_seq,
        "events": events,
    }


def to_message_rows(messages: Sequence[Message]) -> tuple[list[dict[str, Any]], int]:
    """Convert messages to (rows, their estimated tokens in total)."""
    stored: list[dict[str, Any]] = [
        {
            "role": message["role"],
            "parts": message["parts"],
            "tokens": estimate_message_tokens(message),
        }
        for message in messages
    ]
    return stored, sum(row["tokens"] for row in stored)


def to_event_row(
    events: Sequence[Event], step: StepCommit | None = None
) -> tuple[int, int, list[Any]] | None:
    """Pack events to (first number, last number, entries) for storage; None without events.
    None: there are no events.

    Consecutive deltas of one kind become one entry. Of a step's events, what the step's row or its
    messages say already is left out: `[name]`, or `[name, rest, index of the message]`; -1 is the
    message before the step. Of deltas of its text the rest is where they begin, and their lengths.

    >>> to_event_row([{"seq": 4, "event": "text_delta", "data": {"content": "a"}},
    ...               {"seq": 5, "event": "text_delta", "data": {"content": "b"}}])
    (4, 5, [['text_delta', ['a', 'b']]])

    Raises: ValueError when the numbers have a gap.
    """
    if not events:
        return None
    first, last = events[0]["seq"], events[-1]["seq"]
    # Unpacking counts from the first number: a gap would give all later events other numbers
    # (test_the_error_of_a_gap_in_events_names_their_numbers).
    if last - first + 1 != len(events):
        raise ValueError(
            f"only {len(events)} of the events {first} to {last} are stored: read the run again"
        )
    packed: list[Any] = []
    for event in events:
        name, data = event["event"], event["data"]
        if name in _DELTAS and data.keys() == {"content"}:
            if packed and packed[-1][0] == name and isinstance(packed[-1][1], list):
                packed[-1][1].append(data["content"])
            else:
                packed.append([name, [data["content"]]])
        else:
            packed.append(_pack_event(name, data, step))
    if step is not None:
        packed = [_pack_deltas(e, step) if e[0] == "text_delta" else e for e in packed]
        if step.update.get("messages") and all(len(entry) < 3 for entry in packed):
            # Replicas of the version before load messages from the first step with such an entry
            # on: one of a later step may point to this step's.
            packed = [[*e, 0] if e[0] == "usage" and isinstance(e[1], list) else e for e in packed]
    return first, last, packed


def _pack_deltas(entry: list[Any], step: StepCommit) -> list[Any]:
    """Replace text deltas that a message of the step ends with by their lengths."""
    name, pieces = entry
    if isinstance(pieces, dict):
        return entry
    for index, message in enumerate(step.update.get("messages", ())):
        text, streamed = get_text(message), "".join(pieces)
        if message["role"] == "assistant" and streamed and text.endswith(streamed):
            return [name, [len(text) - len(streamed), *map(len, pieces)], index]
    return entry


def _pack_event(name: str, data: Mapping[str, Any], step: StepCommit | None) -> list[Any]:
    """Pack an event, without the data that the step's row or message stores already."""
    if step is None:
        return [name, data]
    if data == _make_node_data(name, step.n, step.node, step.next_node):
        return [name]
    if name == "usage" and set(data) == {"node", *_USAGE_KEYS} and data["node"] == step.node:
        return [name, [data[key] for key in _USAGE_KEYS]]
    messages = [*enumerate(step.update.get("messages", ()))]
    for index, message in [*messages, (-1, step.before)] if step.before else messages:
        key, value = _find_in_message(name, data, message)
        if key and data[key] == value:
            return [name, {k: v for k, v in data.items() if k != key}, index]
    return [name, data]


def from_event_row(row: Mapping[str, Any], messages: Mapping[int, Message]) -> list[Event]:
    """Unpack a stored row of events. messages: the step's messages by position."""
    events: list[Event] = []
    for name, *rest in row["events"]:
        for data in _unpack_event(name, rest, row, messages):
            events.append({"seq": row["first_seq"] + len(events), "event": name, "data": data})
    return events


def has_message_reference(row: Mapping[str, Any]) -> bool:
    """Whether a row of events can only be unpacked with the step's messages."""
    return any(len(entry) == 3 for entry in row["events"])


def _unpack_event(
    name: str, rest: list[Any], row: Mapping[str, Any], messages: Mapping[int, Message]
) -> list[dict[str, Any]]:
    """Return the data of each event that one packed entry stands for."""
    if not rest:
        return [_make_node_data(name, row["n"], row["node"], row["next_node"]) or {}]
    data = rest[0]
    if name == "usage" and isinstance(data, list):
        usage = dict(zip_longest(_USAGE_KEYS, cast("list[Any]", data)))
        return [{"node": row["node"], **usage}]
    if len(rest) == 1:
        is_deltas = isinstance(data, list)
        return [{"content": text} for text in cast("list[str]", data)] if is_deltas else [data]
    message = messages.get(row["first_position"] + rest[1])
    if isinstance(data, list):
        text = get_text(message) if message else ""
        places = pairwise(accumulate(cast("list[int]", data)))
        return [{"content": text[start:end]} for start, end in places]
    key, value = _find_in_message(name, data, message) if message else (None, None)
    return [{**data, key: value} if key else data]


def _make_node_data(name: str, n: int, node: str, next_node: str) -> dict[str, Any] | None:
    """Build the data of a node_start or node_end event of this step; None for other events."""
    if name == "node_start":
        return {"step": n, "node": node}
    if name == "node_end":
        return {"step": n, "node": node, "next": next_node}
    return None


def _find_in_message(
    name: str, data: Mapping[str, Any], message: Message
) -> tuple[str | None, Any]:
    """Find the event's value that the message stores too: its key and value; (None, None)."""
    if name == "done" and message["role"] == "assistant":
        return "content", get_text(message)
    if name in ("tool_result", "tool_start"):
        kind, key = (
            ("tool_result", "result") if name == "tool_result" else ("tool_call", "arguments")
        )
        for part in message["parts"]:
            if part["type"] == kind and cast(Any, part)["id"] == data.get("id"):
                return key, cast(Any, part)[key]
    return None, None
