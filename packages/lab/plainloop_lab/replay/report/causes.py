"""The cause of a divergence in a sentence, and both sides in rows for a page."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

from plainloop.agent.dataclasses import dataclass

from ..engine.divergence import Divergence, to_lines

CauseKind = Literal["prompt", "tool", "order", "rule", "history", "model", "settings", "code"]
CONTEXT_ROWS: Final = 3
MAX_ROWS: Final = 400
SHOWN_CHARS: Final = 120
_WORD: Final = re.compile(r"\s+|\w+|[^\w\s]")
_ROUTING: Final = ("intent_classifier", "agent_router")


@dataclass(frozen=True, slots=True)
class Cause:
    """Says why a conversation differs. kind: what to look at first."""

    kind: CauseKind
    sentence: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line on both sides, in pieces: (text, whether it differs). gap: so many equal lines."""

    recorded: tuple[tuple[str, bool], ...] = ()
    today: tuple[tuple[str, bool], ...] = ()
    differs: bool = False
    is_first: bool = False
    gap: int = 0


def find_cause(found: Divergence) -> Cause:
    """Return the most likely cause of a divergence, with a sentence."""
    before, now = found.recorded, found.replayed
    match found.kind:
        case "request":
            return explain_request(found.node, before, now)
        case "path":
            return explain_path(found.node, before, now)
        case "update" if found.node in _ROUTING:
            sentence = f"{found.node} decides differently: {_name_fields(before, now)}."
            return Cause("rule", f"A routing rule has changed: {sentence}")
        case "update" if found.node.endswith(".tools"):
            return Cause("tool", f"The result that {found.node} passes on has changed.")
        case "update":
            told = f"{found.node} stores something else: {_name_fields(before, now)}."
            return Cause("code", f"The code of a step has changed: {told}")
        case "approval":
            return Cause(
                "rule", "The rules for approvals have changed: another call asks a person."
            )
        case "calls":
            told = "today's code makes a model call that the recording does not have"
            return Cause("model", f"The number of model calls has changed: {told}.")
        case "end":
            return Cause("rule", f"The run ends differently: today with {_show(now)}.")


def explain_request(node: str, before: Any, now: Any) -> Cause:
    """Explain why a model request differs: prompt, tools, messages, else a parameter."""
    if "fingerprint" in before:
        told = "temperature, effort, token limit, tool choice or the answer's JSON schema"
        return Cause("settings", f"A parameter of the request of {node} has changed: {told}.")
    if before.get("system") != now.get("system"):
        line = find_changed_line(str(before.get("system")), str(now.get("system")))
        return Cause("prompt", f"The prompt of {node} has changed: {line}")
    if before.get("tools", now.get("tools")) != now.get("tools"):
        return Cause("tool", f"The tools of {node} have changed: {name_tools(before, now)}.")
    then: list[Any] = before.get("messages") or []
    today: list[Any] = now.get("messages") or []
    if sorted(map(repr, then)) == sorted(map(repr, today)):
        return Cause("order", f"{node} gets the same messages in another order.")
    place = next((n for n, (a, b) in enumerate(zip(then, today, strict=False)) if a != b), None)
    if place is None:
        count = f"{len(then)} messages then, {len(today)} today"
        return Cause("history", f"{node} gets another part of the history: {count}.")
    role = today[place].get("role", "")
    kind: CauseKind = "tool" if role == "tool" else "history"
    what = "a tool's result" if role == "tool" else f"a message of the {role}"
    return Cause(kind, f"{node} gets {what} in another form: message {place + 1} differs.")


def explain_path(node: str, before: Any, now: Any) -> Cause:
    """Explain why a run takes another path than recorded after a node."""
    (then,), (today,) = before.values(), now.values()
    if "ends with" in now or "ends with" in before:
        ends = f"then it {_say(before)}, today it {_say(now)}"
        return Cause("rule", f"The run has another length: {ends}.")
    if node in _ROUTING or "node" in now:
        told = f"after the same steps, {then} answered then and {today} answers today"
        return Cause("rule", f"A routing rule has changed: {told}.")
    return Cause(
        "order", f"The order of steps has changed: {node} leads to {today}, not to {then}."
    )


def _say(side: Mapping[str, Any]) -> str:
    ((word, node),) = side.items()
    return f"{word} {node}"


def name_tools(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Describe which tools were removed, added or changed between two requests."""
    sides = [{tool["name"]: tool for tool in side.get("tools") or ()} for side in (before, now)]
    told = [f"{name} is gone" for name in sides[0] if name not in sides[1]]
    told += [f"{name} is new" for name in sides[1] if name not in sides[0]]
    for name, tool in sides[1].items():
        fields = [key for key in tool if tool[key] != sides[0].get(name, tool).get(key)]
        if fields:
            told.append(f"{name} has a different {' and '.join(fields)}")
    return ", ".join(told) or "their order is another"


def _name_fields(before: Any, now: Any) -> str:
    if not isinstance(before, dict) or not isinstance(now, dict):
        return f"{_show(before)} then, {_show(now)} today"
    sides = cast("dict[str, Any]", before), cast("dict[str, Any]", now)
    names = [key for key in {**sides[0], **sides[1]} if sides[0].get(key) != sides[1].get(key)]
    if len(names) != 1:
        return ", ".join(names)
    values = [_show(side.get(names[0])) for side in sides]
    return f"{names[0]} was {values[0]} and is {values[1]}"


def find_changed_line(before: str, now: str) -> str:
    """Quote the first line that differs between two texts, on both sides."""
    sides = before.splitlines(), now.splitlines()
    for tag, start, end, new_start, new_end in difflib.SequenceMatcher(
        None, *sides, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            gone, come = sides[0][start:end], sides[1][new_start:new_end]
            if not gone:
                return f"“{_show(come[0])}” is new."
            return f"“{_show(gone[0])}” is " + (f"now “{_show(come[0])}”." if come else "gone.")
    return "only in white space."


def _show(value: Any) -> str:
    text = str(value).strip()
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"


def list_rows(found: Divergence) -> list[Row]:
    """List a divergence as rows with a recorded and a replayed side.

    Equal lines are shown only next to a difference.
    """
    sides = to_lines(found.recorded), to_lines(found.replayed)
    rows: list[Row] = []
    matcher = difflib.SequenceMatcher(None, *sides, autojunk=False)
    codes = matcher.get_opcodes()
    for place, (tag, start, end, new_start, new_end) in enumerate(codes):
        before, now = sides[0][start:end], sides[1][new_start:new_end]
        if tag == "equal":
            rows += cut_equal(before, is_start=place == 0, is_end=place == len(codes) - 1)
            continue
        is_first = not any(row.differs for row in rows)
        for n in range(max(len(before), len(now))):
            pair = before[n] if n < len(before) else "", now[n] if n < len(now) else ""
            # Only the first rows are shown: of the rest, no words are compared.
            one, other = mark_words(*pair) if len(rows) < MAX_ROWS else ((), ())
            rows.append(Row(one, other, differs=True, is_first=is_first and n == 0))
    left = len(rows) - MAX_ROWS
    return rows if left <= 0 else [*rows[:MAX_ROWS], Row(gap=left)]


def cut_equal(lines: Sequence[str], *, is_start: bool, is_end: bool) -> Iterator[Row]:
    """Yield the equal lines next to a difference as rows.

    One more row counts the equal lines that are left out.
    """
    head = 0 if is_start else CONTEXT_ROWS
    tail = 0 if is_end else CONTEXT_ROWS
    if len(lines) <= head + tail + 1:
        yield from (Row(((line, False),), ((line, False),)) for line in lines)
        return
    yield from (Row(((line, False),), ((line, False),)) for line in lines[:head])
    yield Row(gap=len(lines) - head - tail)
    yield from (Row(((line, False),), ((line, False),)) for line in lines[len(lines) - tail :])


def mark_words(one: str, other: str) -> tuple[tuple[tuple[str, bool], ...], ...]:
    """Split both lines into pieces of (text, whether it differs)."""
    words = _WORD.findall(one), _WORD.findall(other)
    marked: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = [], []
    for tag, start, end, new_start, new_end in difflib.SequenceMatcher(
        None, *words, autojunk=False
    ).get_opcodes():
        pieces = "".join(words[0][start:end]), "".join(words[1][new_start:new_end])
        for side, piece in zip(marked, pieces, strict=True):
            if piece:
                side.append((piece, tag != "equal"))
    return tuple(marked[0]), tuple(marked[1])
