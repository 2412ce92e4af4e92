"""A worker's turn: what the request asks for, one call after the other, until there is an answer.

The plan comes from the text alone; the calls of the turn say how far it has come.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from ...base.foreign_json import as_object
from ...types import ToolSchema
from ..reading import Call, Done, Move, Reading, take_call
from .composing import compose_outcome, compose_smalltalk, compose_unread, join_filters, join_names
from .rows import Row, find_reference, find_rows, format_row, get_row_id, narrow_rows
from .schemas import MISSING, fit_arguments, fit_value, list_params
from .sentence import IT, Deed, Unread, read_request
from .tool_names import find_lister, find_page_reader, get_id_param, parse_tool_name

_READS: Final = frozenset({"list", "read", "search"})
_MOST_ROWS: Final = 20
Step = Call | str


def choose_move(reading: Reading, tools: tuple[ToolSchema, ...], *, parallel: bool) -> Move:
    """The next calls of the turn, or its answer."""
    said = compose_smalltalk(reading.request)
    deeds = Unread(reading.request) if said else read_request(reading.request, tools)
    if isinstance(deeds, Unread):
        return Move(text=said or compose_unread(deeds.words, tools))
    queue, texts, calls = list(reading.calls), list[str](), list[Call]()
    for deed in deeds:
        if calls and not _can_join(deed, calls, tools, parallel):
            break
        step = _advance(deed, queue, reading, tools)
        if isinstance(step, str):
            if not calls:
                texts.append(step)
            continue
        calls.append(step)
        if step.name != deed.tool.name:  # a row is looked for first
            break
    return Move(calls=tuple(calls)) if calls else Move(text="\n\n".join(texts))


def _can_join(deed: Deed, calls: list[Call], tools: tuple[ToolSchema, ...], parallel: bool) -> bool:
    """Reads may run side by side, and so may calls of one tool; a write before a read may not."""
    if not parallel or deed.named:
        return False
    names = {call.name for call in calls} | {deed.tool.name}
    verbs = {parse_tool_name(tool).verb for tool in tools if tool.name in names}
    return len(names) == 1 or verbs <= _READS


def _advance(
    deed: Deed, queue: list[Done], reading: Reading, tools: tuple[ToolSchema, ...]
) -> Step:
    if deed.named or deed.is_added:
        return _advance_named(deed, queue, reading, tools)
    if deed.missing:
        return _advance_missing(deed, queue, tools)
    return _advance_call(deed, queue)


def _advance_call(deed: Deed, queue: list[Done]) -> Step:
    arguments = fit_arguments(deed.tool.parameters, deed.arguments)
    if arguments is None:
        return _tell_missing(deed)
    done = take_call(queue, deed.tool.name)
    if done is None:
        return Call(deed.tool.name, arguments)
    return compose_outcome(deed.tool, done, deed.clause)


def _advance_missing(deed: Deed, queue: list[Done], tools: tuple[ToolSchema, ...]) -> Step:
    """A page that the text links may say what the text does not."""
    url, reader = deed.arguments.get("url"), find_page_reader(tools)
    if not url or reader is None or reader.name == deed.tool.name:
        return _tell_missing(deed)
    done = take_call(queue, reader.name)
    if done is None:
        return Call(reader.name, {"url": url})
    if done.error is not None:
        return f"I could not read the page: {done.error} {_tell_missing(deed)}"
    found = _collect_values(done.result, deed.tool)
    return _advance_call(replace(deed, arguments={**found, **deed.arguments}), queue)


def _advance_named(
    deed: Deed, queue: list[Done], reading: Reading, tools: tuple[ToolSchema, ...]
) -> Step:
    """The row that is meant is found first, by what was said last, its number or its name."""
    id_param = get_id_param(deed.tool)
    row_id: Any = deed.arguments.get(id_param)
    if deed.named == IT:
        so_far = tuple(done for done in reading.calls if done not in queue)
        row_id = find_reference((*reading.before, *so_far))
        if row_id is None:
            return "Which one do you mean? Please say it with its number, as in: #1."
    given = dict(deed.arguments)
    if row_id is None or deed.is_added:
        row = _find_row(deed, row_id, queue, tools)
        if not isinstance(row, dict):
            return row
        row_id = get_row_id(row, id_param)
        if deed.is_added:
            given = {name: _add_to(row.get(name), value) for name, value in given.items()}
    value = fit_value(list_params(deed.tool.parameters)[id_param], row_id)
    if value is MISSING:
        return "Please say it with its number, as in: #1."
    return _advance_call(replace(deed, arguments={**given, id_param: value}), queue)


def _find_row(
    deed: Deed, row_id: Any, queue: list[Done], tools: tuple[ToolSchema, ...]
) -> Row | Step:
    """The one row of that number, or with that name; else a call, or what to tell the user."""
    lister = find_lister(deed.tool, tools)
    if lister is None:
        return "Please say it with its number, as in: #1."
    place = deed.named.rpartition(" at ")[2]
    params = list_params(lister.parameters)
    texts = [name for name, p in params.items() if "string" in p.kinds and not p.enum][:2]
    for name in [*texts, ""] if row_id is None else [""]:
        done = take_call(queue, lister.name)
        if done is None:
            return Call(lister.name, {name: place} if name else {})
        if done.error is not None:
            return f"I could not look it up: {done.error}"
        found = find_rows(done.result)
        total = as_object(done.result).get("total", len(found))
        if not name and row_id is None and total != len(found):
            break  # who is not shown may be called so, too
        rows = narrow_rows(found, deed.named if row_id is None else "")
        rows = [row for row in rows if row_id is None or get_row_id(row) == row_id]
        if len(rows) == 1:
            return rows[0]
        if rows:
            lines = [f"- {format_row(row)}" for row in rows[:_MOST_ROWS]]
            return "\n".join(["Several match; please say it with a number:", *lines])
    noun = " ".join(parse_tool_name(deed.tool).nouns) or "entry"
    called = f"#{row_id}" if row_id is not None else deed.named
    return f"I found no {noun}{join_filters({'named': called})}."


def _add_to(old: Any, new: Any) -> Any:
    """What is added stands below the old text."""
    return f"{old}\n{new}" if isinstance(old, str) and old and isinstance(new, str) else new


def _tell_missing(deed: Deed) -> str:
    params = list_params(deed.tool.parameters).values()
    names = deed.missing or tuple(param.name for param in params if param.is_required)
    forms = ", ".join(f"{name.replace('_', ' ')}: …" for name in names)
    return f"For that I still need {join_names(names)}. Please say it whole, with “{forms}”."


def _collect_values(result: Any, tool: ToolSchema, depth: int = 0) -> dict[str, Any]:
    """Values in a result under the names of the tool's parameters."""
    values: dict[str, Any] = {}
    params = list_params(tool.parameters)
    for key, item in as_object(result).items() if depth <= 3 else ():
        if isinstance(item, dict):
            values = {**_collect_values(item, tool, depth + 1), **values}
        elif key in params and item not in (None, ""):
            fitted = fit_value(params[key], item)
            if fitted is not MISSING:
                values[key] = fitted
    return values
