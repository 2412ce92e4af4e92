"""A worker's turn: walk through the plan, one call after the other, until there is an answer.

The plan comes from the text alone; the calls of the turn say how far it has come.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from ...types import ToolSchema
from ..reading import Call, Done, Move, Reading, take_call
from .composing import (
    compose_abilities,
    compose_greeting,
    compose_outcome,
    join_filters,
    join_names,
)
from .hedges import is_denied, is_supposed
from .pending import is_refused, resume_pending
from .profiles import find_markdown, merge_note
from .rows import (
    Row,
    find_pointed,
    find_reference,
    find_rows,
    format_row,
    get_row_id,
    is_about_nothing,
    narrow_rows,
)
from .schemas import MISSING, fit_arguments, fit_value, list_params
from .slots import find_enum, find_url
from .tool_choice import (
    Action,
    find_reader,
    get_content_param,
    plan_actions,
)
from .verbs import Verb, find_verb, parse_tool_name

_NOTHING_YET: Final = re.compile(r"\b(?:no|not|nothing|empty|missing|none)\b", re.I)
_GREETING: Final = re.compile(
    r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|moin|hallo|servus"
    r"|guten (?:tag|morgen|abend)|bonjour|bonsoir|salut|hola|buen[oa]s(?: d[ií]as| tardes)?)\b"
    r"[\s\w,]{0,20}[.!]?\s*$",
    re.I,
)
_ASKS_ABILITY: Final = re.compile(
    r"^\W*(?:(?:so |and )?what (?:else )?(?:can|do) you (?:do|know)|who are you|how does this work"
    r"|help(?: me)?|was kannst du|wer bist du|hilfe|que (?:sais|peux)[- ]tu(?: faire)?|qui es[- ]tu"
    r"|aide|qu[eé] (?:puedes|sabes) hacer|qui[eé]n eres|ayuda)\b[\s\w,]{0,25}\W*$",
    re.I,
)
_THANKS: Final = re.compile(r"^\W*(?:thanks|thank you|thx|cheers|great|perfect)\b[^?]{0,30}$", re.I)
_ADDS_NOTE: Final = re.compile(r"\b(?:add|leave)\b|^\W*note\b", re.I)
_POINTS: Final = re.compile(
    r"\b(?:it|that|this|those|them|(?:first|second|third|fourth|last)(?: one)?)\W*$", re.I
)
_SEVERAL: Final = re.compile(r"\b(?:all|every|each|both)\b", re.I)
_READS: Final = frozenset({"list", "read", "search"})


Step = Call | str


def choose_move(reading: Reading, tools: tuple[ToolSchema, ...], *, parallel: bool) -> Move:
    """The next calls of the turn, or its answer."""
    if is_refused(reading, tools):
        return Move(text="All right, I changed nothing.")
    actions = resume_pending(reading, tools)
    if not actions and not find_pointed(reading.request, reading.last_answer):
        actions = plan_actions(reading.request, tools)
    if not actions:
        return Move(text=_compose_without_deed(reading, tools))
    queue, texts, calls = list(reading.calls), list[str](), list[Call]()
    for action in actions:
        if calls and not _can_join(action, calls, tools, parallel):
            break
        step = _advance(action, queue, reading, tools)
        if isinstance(step, Call):
            calls.append(step)
            if action.kind != "call":
                break
        elif not calls:
            texts.append(step)
    return Move(calls=tuple(calls)) if calls else Move(text="\n\n".join(texts))


def _compose_without_deed(reading: Reading, tools: tuple[ToolSchema, ...]) -> str:
    """The answer where there is nothing to call."""
    said = reading.request
    pointed = find_pointed(said, reading.last_answer)
    if pointed:
        return pointed
    if is_denied(said):
        return "All right, I changed nothing."
    if is_supposed(said) and find_verb(said) not in (None, *_READS):
        return "I change nothing on a condition. Tell me when it has happened."
    return compose_smalltalk(said) or compose_abilities(tools)


def compose_smalltalk(text: str) -> str:
    """An answer to a greeting, thanks or "what can you do?"; "" for anything else."""
    if _THANKS.match(text):
        return "You are welcome."
    if _ASKS_ABILITY.match(text):
        return compose_greeting("")
    return compose_greeting("Hello. ") if _GREETING.match(text) else ""


def _can_join(
    action: Action, calls: list[Call], tools: tuple[ToolSchema, ...], parallel: bool
) -> bool:
    """Reads may run side by side, and so may calls of one tool; a write before a read may not."""
    if not parallel or action.kind != "call":
        return False
    names = {call.name for call in calls} | {action.tool.name}
    verbs = {parse_tool_name(tool).verb for tool in tools if tool.name in names}
    return len(names) == 1 or verbs <= _READS


def _advance(
    action: Action, queue: list[Done], reading: Reading, tools: tuple[ToolSchema, ...]
) -> Step:
    if action.kind == "merge":
        return _advance_merge(action, queue, tools)
    if action.kind == "by_id":
        return _advance_by_id(action, queue, reading, tools)
    if action.missing:
        return _advance_missing(action, queue, tools)
    return _advance_call(action, queue)


def _advance_call(action: Action, queue: list[Done]) -> Step:
    arguments = fit_arguments(action.tool.parameters, action.arguments)
    if arguments is None:
        return _ask_missing(action)
    done = take_call(queue, action.tool.name)
    if done is None:
        return Call(action.tool.name, arguments)
    return compose_outcome(action.tool, action.verb, done, action.clause)


def _advance_missing(action: Action, queue: list[Done], tools: tuple[ToolSchema, ...]) -> Step:
    """A page that the text links may say what the text does not."""
    url, reader = find_url(action.clause), _find_page_reader(tools)
    if not url or reader is None or reader.name == action.tool.name:
        return _ask_missing(action)
    done = take_call(queue, reader.name)
    if done is None:
        return Call(reader.name, {"url": url})
    if done.error is not None:
        return f"I could not read the page: {done.error} {_ask_missing(action)}"
    found = _collect_values(done.result, action.tool)
    filled = replace(action, arguments={**found, **action.arguments, "url": url}, missing=())
    return _advance_call(filled, queue)


def _advance_merge(action: Action, queue: list[Done], tools: tuple[ToolSchema, ...]) -> Step:
    """Read the profile first, so that a new fact never replaces the old ones."""
    reader, old = find_reader(tools, "profile"), ""
    if reader is not None:
        done = take_call(queue, reader.name)
        if done is None:
            return Call(reader.name, {})
        if done.error is not None and not _NOTHING_YET.search(done.error):
            return f"I could not read your profile: {done.error}"
        old = "" if done.error else find_markdown(done.result)
    written = take_call(queue, action.tool.name)
    if written is not None:
        if written.error is not None:
            return f"That did not work: {written.error}"
        return f"I noted in your profile: {action.clause}."
    content = merge_note(old, action.clause)
    arguments = fit_arguments(action.tool.parameters, {get_content_param(action.tool): content})
    return Call(action.tool.name, arguments) if arguments else "I could not write your profile."


def _advance_by_id(
    action: Action, queue: list[Done], reading: Reading, tools: tuple[ToolSchema, ...]
) -> Step:
    row_id, lister = None, _find_lister(action.tool, tools)
    filters = _build_filters(lister, action) if lister else {}
    # "the rejected one" and "all of them" are not the row that was talked about last.
    if not action.names and not filters and not _SEVERAL.search(action.clause):
        done_so_far = tuple(done for done in reading.calls if done not in queue)
        earlier = (*reading.before, *done_so_far)
        if is_about_nothing(earlier):
            return _ask_number(action)
        row_id = find_reference(action.clause, earlier)
        if row_id is None and action.verb == "delete" and _POINTS.search(action.clause):
            return _ask_number(action)  # what is pointed to may be no row of this kind
    if row_id is None and lister is not None:
        done = take_call(queue, lister.name)
        if done is None:
            return Call(lister.name, filters)
        if done.error is not None:
            return f"I could not look it up: {done.error}"
        rows = narrow_rows(find_rows(done.result), action.names, action.clause)
        if len(rows) != 1:
            return _ask_row(action, rows, filters, tools)
        row_id = get_row_id(rows[0], action.id_param)
        action = _fit_to_row(action, rows[0])
    value = fit_value(list_params(action.tool.parameters)[action.id_param], row_id)
    if row_id is None or value is MISSING:
        return _ask_number(action)
    if action.verb == "update" and not action.arguments:
        return f"What shall I change on #{value} ({action.tool.name})?"
    arguments = {**action.arguments, action.id_param: value}
    return _advance_call(replace(action, arguments=arguments), queue)


def _fit_to_row(action: Action, row: Row) -> Action:
    """A note that is added stands below the old ones; a lone salary above the highest is both."""
    given = dict(action.arguments)
    old, new = row.get("notes"), given.get("notes")
    if old and new and _ADDS_NOTE.search(action.clause):
        given["notes"] = f"{old}\n{new}"
    low, high = given.get("salary_min"), row.get("salary_max")
    if low and high and low > high and "salary_max" not in given:
        given["salary_max"] = low
    return replace(action, arguments=given)


def _ask_number(action: Action) -> str:
    return f"Which one do you mean? Please give its number ({action.tool.name})."


def _ask_missing(action: Action) -> str:
    names = action.missing or tuple(
        param.name for param in list_params(action.tool.parameters).values() if param.is_required
    )
    return f"For that I still need: {join_names(names)} ({action.tool.name})."


def _ask_row(
    action: Action, rows: list[Any], filters: dict[str, Any], tools: tuple[ToolSchema, ...]
) -> str:
    if rows:
        lines = [f"- {format_row(row)}" for row in rows[:20]]
        return "\n".join(["Several match:", *lines, f"Which one do you mean ({action.tool.name})?"])
    noun = " ".join(parse_tool_name(action.tool).nouns) or "entry"
    creator = _find_sibling(action.tool, "create", tools)
    text = f"I found no {noun}{join_filters(filters)}."
    if creator is None or action.verb == "delete" or not action.names:
        return text
    return f"{text} Shall I add it ({creator.name})?"


def _collect_values(result: Any, tool: ToolSchema, depth: int = 0) -> dict[str, Any]:
    """Values in a result under the names of the tool's parameters."""
    values: dict[str, Any] = {}
    if depth > 3 or not isinstance(result, dict):
        return values
    params = list_params(tool.parameters)
    for key, item in result.items():  # pyright: ignore[reportUnknownVariableType]
        if isinstance(item, dict):
            values = {**_collect_values(item, tool, depth + 1), **values}
        elif key in params and item not in (None, ""):
            fitted = fit_value(params[str(key)], item)  # pyright: ignore[reportUnknownArgumentType]
            if fitted is not MISSING:
                values[str(key)] = fitted  # pyright: ignore[reportUnknownArgumentType]
    return values


def _build_filters(lister: ToolSchema, action: Action) -> dict[str, Any]:
    """The company finds a row more surely than its title, which is often said in part. What is to
    be deleted is also meant by a value that it has now: "the rejected one".
    """
    params, names = list_params(lister.parameters), action.names
    key = next((name for name in ("company", "title") if names.get(name) and name in params), "")
    values = {key: names[key]} if key else {}
    if action.verb == "delete" and not key:
        for name, param in params.items():
            if param.enum and (value := find_enum(action.clause, param.enum)):
                values[name] = value
    return fit_arguments(lister.parameters, values) or {}


def _find_lister(tool: ToolSchema, tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    found = _find_sibling(tool, "list", tools)
    return found if found and fit_arguments(found.parameters, {}) is not None else None


def _find_sibling(tool: ToolSchema, verb: Verb, tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The tool of another class for the same noun."""
    own = parse_tool_name(tool)
    for other in tools:
        name = parse_tool_name(other)
        is_same = name.stems == own.stems or (own.verb is None and name.stems < own.stems)
        if name.verb == verb and is_same:
            return other
    return None


def _find_page_reader(tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    for tool in tools:
        params = list_params(tool.parameters)
        required = [name for name, param in params.items() if param.is_required]
        if required == ["url"] and parse_tool_name(tool).verb == "read":
            return tool
    return None
