"""A worker's turn: what the request asks for, one call after the other, until there is an answer.

The plan comes from the text alone; the calls of the turn say how far it has come.
"""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.types import ToolSchema

from ..reading import Call, Move, Reading, take_call
from .composing import compose_outcome, compose_unread
from .rows import find_reference, find_rows, format_row, get_row_id, narrow_rows
from .schemas import MISSING, fit_arguments, fit_value, list_params
from .sentence import IT, Deed, Unread, read_request
from .tool_names import find_lister, find_page_reader, get_id_param

_MOST_ROWS: Final = 20
_SAY_NUMBER: Final = "Please give its number, as in: #1."


def choose_move(reading: Reading, tools: tuple[ToolSchema, ...]) -> Move:
    """Choose the turn's next tool call, or its answer."""
    deed = read_request(reading.request, tools)
    if isinstance(deed, Unread):
        made = next(reversed(reading.calls), None)  # by a script, of which we are the fallback
        for tool in tools:
            if made is not None and made.name == tool.name:
                return Move(text=compose_outcome(tool, made))
        return Move(text=compose_unread(deed.words, reading.request, deed.tool))
    given = dict(deed.arguments)
    if deed.named:
        found = _find_row(deed, reading, tools)
        if isinstance(found, Move):
            return found
        given[get_id_param(deed.tool)] = found
    elif deed.missing:
        url, reader = given.get("url"), find_page_reader(tools)
        told = _tell_missing(deed)
        if not url or reader is None or reader.name == deed.tool.name:
            return Move(text=told)
        done = take_call(reading.calls, reader.name)  # the page may say what the text does not
        if done is None:
            return Move((Call(reader.name, {"url": url}),))
        if done.error is not None:
            return Move(text=f"I could not read the page: {done.error} {told}")
        given = {**_collect_values(done.result, deed.tool), **given}
    arguments = fit_arguments(deed.tool.parameters, given)
    if arguments is None:
        return Move(text=_tell_missing(deed))
    done = take_call(reading.calls, deed.tool.name)
    if done is None:
        return Move((Call(deed.tool.name, arguments),))
    return Move(text=compose_outcome(deed.tool, done))


def _find_row(deed: Deed, reading: Reading, tools: tuple[ToolSchema, ...]) -> Any:
    """Return the id of the row meant (mentioned last, or by name), else a Move to find it."""
    id_param, row_id = get_id_param(deed.tool), None
    if deed.named == IT:
        row_id = find_reference(reading.before)
        if row_id is None:
            return Move(text=f"Which one do you mean? {_SAY_NUMBER}")
    else:
        lister = find_lister(deed.tool, tools)
        if lister is None:
            return Move(text=_SAY_NUMBER)
        done = take_call(reading.calls, lister.name)
        if done is None:
            return Move((Call(lister.name, {}),))
        if done.error is not None:
            return Move(text=f"I could not look it up: {done.error}")
        listed = find_rows(done.result)
        if as_object(done.result).get("total", len(listed)) != len(listed):
            # Who is not shown may be called so, too.
            return Move(text=f"I can see only {len(listed)} of them. {_SAY_NUMBER}")
        rows = narrow_rows(listed, deed.named)
        if not rows:
            return Move(text=f"I found nothing named {deed.named}.")
        if len(rows) > 1:
            lines = [f"- {format_row(row)}" for row in rows[:_MOST_ROWS]]
            head = "Several match; please choose one by its number:"
            return Move(text="\n".join([head, *lines]))
        row_id = get_row_id(rows[0], id_param)
    fitted = fit_value(list_params(deed.tool.parameters)[id_param], row_id)
    return Move(text=_SAY_NUMBER) if fitted is MISSING else fitted


def _tell_missing(deed: Deed) -> str:
    params = list_params(deed.tool.parameters).values()
    missing = deed.missing or tuple(param.name for param in params if param.is_required)
    names = [name.replace("_", " ") for name in missing]
    forms = ", ".join(f"{name}: …" for name in names)
    return (
        f"For that I still need {' and '.join(names)}. Please repeat the whole "
        f"request, with “{forms}”."
    )


def _collect_values(result: Any, tool: ToolSchema, depth: int = 0) -> dict[str, Any]:
    """Collect a result's values under the names of the tool's parameters."""
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
