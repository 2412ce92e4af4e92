"""Named fields, collected one by one: read what is stored, ask for the rest, then export.

For agents with a tool that reads fields and one that writes a field by `field_name` and `value`.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

from plainloop.agent.base.foreign_json import as_list, as_object
from plainloop.agent.offline.brain.asking import find_asked, is_aside
from plainloop.agent.offline.brain.composing import compose_value
from plainloop.agent.offline.brain.schemas import fit_arguments, fit_value, list_params
from plainloop.agent.offline.brain.tool_names import get_content_param, parse_tool_name
from plainloop.agent.offline.brain.words import list_words
from plainloop.agent.offline.reading import Call, Done, Move, Reading, take_call
from plainloop.agent.offline.rules import OfflineRules, TurnRule
from plainloop.agent.types import ChatRequest, ToolSchema

_YES: Final = re.compile(
    r"^\W*(?:yes|yep|yeah|sure|ok|okay|please|go|do it|correct|confirmed?|right|export)\b", re.I
)
_OFFERED: Final = re.compile(r"\bPossible: ([^.\n]+)\.")
_QUESTION: Final = re.compile(r"(?:Please tell me: [^.]+\.|Shall I export it\?)$")
_POLITE_END: Final = re.compile(r"(?<![\s,])[\s,]*\b(?:please|thanks|thank you)\W*$", re.I)
_TRUE: Final = re.compile(r"\b(?:yes|yep|yeah|true|done|scheduled|already|sure|of course)\b", re.I)
_FALSE: Final = re.compile(r"\b(?:no|not|nope|false|never|n['’]t)\b", re.I)
_ENVELOPE: Final = frozenset({"status", "message", "valid_fields", "error"})
_FLAG: Final = re.compile(r"scheduled|^is_|^has_")  # names of fields that are yes or no
_VALUE_LEAD: Final = re.compile(
    r"^(?:(?:hi|hello|hey|sure|yes|well|ok|okay)[,.!\s]+)*(?:it['’]?s|it is|my (?:\w+ ){1,3}is"
    r"|i['’]?m|i am"
    r"|call me|i(?:['’]d| would) (?:like|prefer|take|choose)|that would be|i (?:want|need|choose"
    r"|take))\s+"
    r"(?:an?\s+|the\s+)?",
    re.I,
)


def load_rules() -> OfflineRules:
    """Load this pack's rules for the stand-in."""
    return OfflineRules(turns=(TurnRule(has_field_writer, choose_field_move, reads_all=True),))


def has_field_writer(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    return find_field_writer(tools) is not None


def find_field_writer(tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The tool that stores one named field: it has `field_name` and `value`."""
    for tool in tools:
        if {"field_name", "value"} <= set(list_params(tool.parameters)):
            return tool
    return None


def choose_field_move(reading: Reading, request: ChatRequest) -> Move:
    """Named fields: read them, write the answer to the last question, ask the next; then export."""
    tools = request.tools
    writer, queue = find_field_writer(tools), reading.calls
    readers = (tool for tool in tools if parse_tool_name(tool).verb == "read")
    reader = next((one for one in readers if fit_arguments(one.parameters, {}) is not None), None)
    search = next((t for t in tools if parse_tool_name(t).verb == "search"), None)
    if search is not None and reading.request.strip().endswith("?"):
        return _advance_search(reading, search, queue)
    if reader is None or writer is None:
        return Move(text="The tools to read and write the fields are missing.")
    done = take_call(queue, reader.name)
    if done is None:
        return Move(calls=(Call(reader.name, {}),))
    if done.error is not None:
        return Move(text=f"I could not read what is stored: {done.error}")
    # Field → value or None, in order; without what the machine writes itself.
    found = as_object(done.result)
    names = list(list_params(writer.parameters)["field_name"].enum) or [
        name for name in found if name not in _ENVELOPE
    ]
    values = {name: found.get(name) for name in names if "summary" not in name}
    missing = [name for name, value in values.items() if value is None]
    asked = find_asked(reading.last_answer, missing)
    if asked and not is_aside(reading.request):
        return _advance_write(reading, writer, asked, missing, values, queue)
    return _finish_fields(reading, tools, missing, values, queue)


def _advance_write(
    reading: Reading,
    writer: ToolSchema,
    asked: str,
    missing: list[str],
    values: dict[str, Any],
    queue: list[Done],
) -> Move:
    written = take_call(queue, writer.name)
    if written is None:
        chosen = _choose_allowed(reading.request, reading.last_answer)
        arguments = _build_write(writer, asked, chosen or reading.request)
        if arguments is None:
            return Move(text=_ask_field(asked))
        return Move(calls=(Call(writer.name, arguments),))
    if written.error is not None:
        allowed = cast(dict[str, Any], written.result).get("valid_values")
        choice = f" Possible: {', '.join(map(str, cast(list[Any], allowed)))}." if allowed else ""
        return Move(text=f"That cannot be stored: {written.error}.{choice} {_ask_field(asked)}")
    rest = [name for name in missing if name != asked]
    if rest:
        return Move(text=f"Noted. {_ask_field(rest[0])}")
    stored = {**values, asked: written.arguments.get("value")}
    return Move(text=_ask_confirmation(stored))


def _finish_fields(
    reading: Reading,
    tools: tuple[ToolSchema, ...],
    missing: list[str],
    values: dict[str, Any],
    queue: list[Done],
) -> Move:
    if missing:
        welcome = "Welcome! I collect a few details, one at a time. "
        return Move(text=("" if reading.last_answer else welcome) + _ask_field(missing[0]))
    exporter = next((t for t in tools if "export" in t.name.casefold()), None)
    if exporter is None or not _YES.match(reading.request):
        return Move(text=_ask_confirmation(values))
    done = take_call(queue, exporter.name)
    if done is None:
        arguments = fit_arguments(exporter.parameters, {"confirmation_message": reading.request})
        if arguments is None:
            return Move(text="Everything is collected, but the export needs more than I know.")
        return Move(calls=(Call(exporter.name, arguments),))
    if done.error is not None:
        return Move(text=f"The export did not work: {done.error}.")
    return Move(text=compose_value(done.result))


def _advance_search(reading: Reading, search: ToolSchema, queue: list[Done]) -> Move:
    done = take_call(queue, search.name)
    if done is None:
        name = get_content_param(search) or "query"
        arguments = fit_arguments(search.parameters, {name: reading.request.strip()})
        if not arguments:
            return Move(text="Please ask again.")
        return Move(calls=(Call(search.name, arguments),))
    if done.error is not None:
        return Move(text=f"I could not look that up: {done.error}")
    question = _QUESTION.search(reading.last_answer)
    told = as_object(done.result).get("message")
    # The best passage of a search, with the document that says so; "" for another result.
    passages = as_list(as_object(done.result).get("passages"))
    best = as_object(passages[0]) if passages else {}
    text, document = best.get("text"), best.get("document")
    answer = (f"{text} ({document})" if text and document else "") or (
        str(told) if told else compose_value(done.result)
    )
    return Move(text=answer + (f"\n\n{question[0]}" if question else ""))


def _choose_allowed(text: str, question: str) -> str | None:
    """The one of the values that the question offered which the text names."""
    offered = _OFFERED.search(question)
    words = list_words(text)
    values = re.split(r",\s*", offered[1]) if offered else []
    return next((value for value in values if set(list_words(value)) <= set(words)), None)


def _build_write(writer: ToolSchema, name: str, text: str) -> dict[str, Any] | None:
    param = list_params(writer.parameters)["value"]
    plain = _VALUE_LEAD.sub("", _POLITE_END.sub("", text.strip())).strip(' .!"“”')
    value: Any = plain or text.strip()
    if _FLAG.search(name):
        value = False if _FALSE.search(text) else True if _TRUE.search(text) else value
    if isinstance(value, bool) and "boolean" not in param.kinds:
        value = str(value).lower()
    if not isinstance(value, bool):
        fitted = fit_value(param, value)
        value = fitted if isinstance(fitted, str) else value
    arguments = fit_arguments(writer.parameters, {"field_name": name, "value": value})
    return {**arguments, "value": value} if arguments is not None else None


def _ask_field(name: str) -> str:
    return f"Please tell me: {name.replace('_', ' ')}."


def _ask_confirmation(values: dict[str, Any]) -> str:
    lines = [f"- {name.replace('_', ' ').capitalize()} – {value}" for name, value in values.items()]
    return "\n".join(["This is what I have:", *lines, "Shall I export it?"])
