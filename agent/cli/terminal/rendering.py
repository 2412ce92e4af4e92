"""Renders stored threads and messages as lines of text. Pure: no I/O, no store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import orjson

from ...base.messages.contents import get_words, is_superseded
from ...provenance.refusals import read_refusal, word_refusal
from ...store.records import ThreadInfo
from ...types import Message, MessagePart

MAX_VALUE_CHARS = 2_000


def render_thread_rows(threads: Sequence[ThreadInfo]) -> Iterator[str]:
    """Render one line per thread: id, last activity, number of messages, title."""
    for thread in threads:
        kind = "" if thread.kind == "chat" else f"  ({thread.kind})"
        yield (
            f"{thread.thread_id}  {format_time(thread.updated_at)}  {thread.messages:>4}  "
            f"{thread.title or '(no title)'}{kind}"
        )


def render_thread(thread: ThreadInfo, messages: Sequence[Message]) -> Iterator[str]:
    """Render a thread with all its messages, tool calls and results."""
    yield f"thread {thread.thread_id} · {thread.pack} · {thread.kind}"
    yield f"{thread.title}"
    yield (
        f"{len(messages)} messages · started {format_time(thread.created_at)} · "
        f"last message {format_time(thread.updated_at)}"
    )
    for position, message in enumerate(messages):
        yield ""
        later = messages[position + 1] if position + 1 < len(messages) else None
        is_replaced = later is not None and is_superseded([message], later)
        is_kick = message["role"] == "user" and not get_words(message)
        mark = " (the agent speaks first)" if is_kick else ""
        mark = " (draft, replaced)" if is_replaced else mark
        yield f"[{position}] {message['role']}{mark}"
        for part in message["parts"]:
            yield from render_part(part)


def render_part(part: MessagePart) -> list[str]:
    """Render a message's part as indented lines: text, reasoning, file, tool call or result.

    >>> render_part({"type": "tool_call", "id": "1", "name": "list_jobs", "arguments": {"n": 1}})
    ['  → list_jobs {"n":1}']
    """
    match part["type"]:
        case "text":
            return [f"  {line}".rstrip() for line in part["text"].splitlines()]
        case "reasoning":
            # Empty where the provider keeps it to itself: nothing to read then.
            return [f"  | {line}" for line in part["text"].splitlines()]
        case "file":
            return [f"  [{part.get('name', 'file')}: {part['media_type']}]"]
        case "tool_call":
            bad = part.get("invalid_arguments")
            return [f"  → {part['name']} {format_json(part['arguments']) if bad is None else bad}"]
        case "tool_result":
            refused = read_refusal(part["result"]) if part["is_error"] else None
            if refused is not None:
                return [f"  ⊘ {part['name']} {word_refusal(refused)}"]
            mark = "✗" if part["is_error"] else "←"
            return [f"  {mark} {part['name']} {format_json(part['result'])}"]


def format_json(value: Any) -> str:
    """Format a value as compact JSON on one line, cut if very long."""
    text = orjson.dumps(value).decode()
    if len(text) <= MAX_VALUE_CHARS:
        return text
    return f"{text[:MAX_VALUE_CHARS]}… ({len(text):,} characters; --json shows all)"


def format_time(moment: datetime) -> str:
    """Format a moment to the minute in the local time zone: 2026-11-01 08:30."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def shorten_id(made_id: str) -> str:
    """Shorten an id to the part that is enough to name a thread or run.

    >>> shorten_id("01a1fd20-10aa-7a3c-bf0e-7d12ddbed684")
    '01a1fd20-10aa'
    """
    return made_id[:13]


def format_ms(duration_ms: int | None) -> str:
    """Format a duration for people, such as `12 ms`, `4.3 s` or `time unknown`.
    >>> format_ms(12), format_ms(4321), format_ms(None)
    ('12 ms', '4.3 s', 'time unknown')
    """
    if duration_ms is None:
        return "time unknown"
    return f"{duration_ms} ms" if duration_ms < 1000 else f"{duration_ms / 1000:.1f} s"


def render_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Render a table's headings and rows as aligned columns, numbers to the right.

    >>> list(render_table(["model", "calls"], [["a", "1"], ["bc", "12"]]))
    ['model  calls', 'a          1', 'bc        12']
    """
    columns = [*zip(heads, *rows, strict=True)]
    widths = [max(map(len, column)) for column in columns]
    is_number = [all(_is_number(cell) for cell in column[1:]) for column in columns]
    for cells in (heads, *rows):
        padded = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(cells, widths, is_number, strict=True)
        ]
        yield "  ".join(padded).rstrip()


def _is_number(cell: str) -> bool:
    digits = cell.lstrip("$").rstrip(" %+").replace(",", "").replace(".", "")
    return cell in ("–", "?") or digits.isdigit()
