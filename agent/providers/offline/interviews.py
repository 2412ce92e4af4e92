"""Interviews: ask for one thing after the other, store each answer through the tools.

Two kinds, told apart by the tools: a profile in Markdown (topics from the system prompt), and
named fields that a tool reads and writes one by one.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

from agent.providers.offline.composing import compose_value
from agent.providers.offline.profiles import drop_front_matter, find_markdown, merge_section
from agent.providers.offline.reading import Done, Reading
from agent.providers.offline.schemas import MISSING, fit_arguments, fit_value, list_params
from agent.providers.offline.tool_choice import find_profile_writer, find_reader, get_content_param
from agent.providers.offline.verbs import parse_tool_name
from agent.providers.offline.words import fold, list_words
from agent.providers.offline.working import Call, Move, take_call
from agent.providers.types import ToolSchema

_MARKER: Final = re.compile(r"\[[A-Z]+(?:_[A-Z]+)*_COMPLETE\]")
_BULLET: Final = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(.+)$")
_TOPIC_HEAD: Final = re.compile(
    r"\b(?:topics?|ask|cover|learn|collect|find out|questions?|know|information|missing)\b", re.I
)
_SKIP: Final = re.compile(
    r"^\W*(?:skip|pass|next|rather not|prefer not|no comment|none of)\b", re.I
)
_STATUS: Final = re.compile(
    r"\b(?:missing|left|remaining|how (?:far|long|many)|what else)\b.*\?", re.I
)
_YES: Final = re.compile(
    r"^\W*(?:yes|yep|yeah|sure|ok|okay|please|go|do it|correct|confirmed?|right|export)\b", re.I
)
_TRUE: Final = re.compile(r"\b(?:yes|yep|yeah|true|done|scheduled|already|sure|of course)\b", re.I)
_FALSE: Final = re.compile(r"\b(?:no|not|nope|false|never|n['’]t)\b", re.I)
_ENVELOPE: Final = frozenset({"status", "message", "valid_fields", "error"})
_WRITTEN_BY_MACHINE: Final = re.compile(r"summary")
SKIPPED: Final = "Prefers not to say"
_VALUE_LEAD: Final = re.compile(
    r"^(?:(?:hi|hello|hey|sure|yes|well|ok|okay)[,.!\s]+)*(?:it['’]?s|it is|my (?:\w+ ){1,3}is|i['’]?m|i am"
    r"|call me|i(?:['’]d| would) (?:like|prefer|take|choose)|that would be|i (?:want|need|choose|take))\s+"
    r"(?:an?\s+|the\s+)?",
    re.I,
)


def get_marker(system: str) -> str:
    """The completion marker that the system prompt names; "" when it names none."""
    match = _MARKER.search(system)
    return match[0] if match else ""


def is_interview(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    return bool(get_marker(reading.system)) and find_profile_writer(tools) is not None


def find_field_writer(tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The tool that stores one named field: it has `field_name` and `value`."""
    for tool in tools:
        if {"field_name", "value"} <= set(list_params(tool.parameters)):
            return tool
    return None


def choose_interview_move(reading: Reading, tools: tuple[ToolSchema, ...]) -> Move:
    """Read the profile, store the answer to the last question, ask the next; end with the marker."""
    writer, reader, queue = find_profile_writer(tools), find_reader(tools, "profile"), reading.calls
    topics = parse_topics(reading.system)
    profile = ""
    if reader is not None:
        done = take_call(queue, reader.name)
        if done is None:
            return Move(calls=(Call(reader.name, {}),))
        profile = drop_front_matter(find_markdown(done.result)) if done.error is None else ""
    missing = [topic for topic in topics if not has_topic(profile, topic)]
    asked = _find_asked(reading.last_answer, missing)
    if (
        asked
        and writer is not None
        and not _STATUS.search(reading.request)
        and reading.request.strip()
    ):
        written = take_call(queue, writer.name)
        if written is None:
            content = merge_section(profile, f"## {asked}", _clean_answer(reading.request))
            arguments = fit_arguments(writer.parameters, {get_content_param(writer): content})
            if arguments is not None:
                return Move(calls=(Call(writer.name, arguments),))
        elif written.error is not None:
            return Move(text=f"I could not store that: {written.error} {_ask_topic(asked)}")
        missing = [topic for topic in missing if topic != asked]
    return Move(text=_compose_next(reading, topics, missing, asked))


def parse_topics(system: str) -> list[str]:
    """The topics that a prompt lists as bullets: below the line that speaks of topics, if any."""
    groups: list[tuple[bool, list[str]]] = []
    is_head, is_open = False, False
    for line in system.splitlines():
        bullet = _BULLET.match(line)
        if bullet is None:
            if line.strip():
                is_head, is_open = _TOPIC_HEAD.search(line) is not None, False
            continue
        if not is_open:
            groups.append((is_head, []))
            is_open = True
        groups[-1][1].append(_name_topic(bullet[1]))
    chosen = next((topics for wanted, topics in groups if wanted and len(topics) > 1), None)
    longest = max((topics for _, topics in groups), key=len, default=[])
    return list(dict.fromkeys(topic for topic in chosen or longest if topic))


def has_topic(profile: str, topic: str) -> bool:
    """Whether the profile has a heading or a label of this topic with text to it."""
    wanted = list_words(topic)
    lines = profile.splitlines()
    for i, line in enumerate(lines):
        label, colon, value = line.strip(" #*-_").partition(":")
        if list_words(label) != wanted:
            continue
        below = next((text for text in lines[i + 1 :] if text.strip()), "#")
        if (colon and value.strip(" *_")) or (line.startswith("#") and not below.startswith("#")):
            return True
    return False


def choose_field_move(reading: Reading, tools: tuple[ToolSchema, ...]) -> Move:
    """Named fields: read them, write the answer to the last question, ask the next; then export."""
    writer, queue = find_field_writer(tools), reading.calls
    reader = next((t for t in tools if parse_tool_name(t).verb == "read"), None)
    search = next((t for t in tools if parse_tool_name(t).verb == "search"), None)
    if search is not None and reading.request.strip().endswith("?"):
        return _advance_search(reading, search, queue)
    if reader is None or writer is None:
        return Move(text=compose_value("The tools to read and write the fields are missing."))
    done = take_call(queue, reader.name)
    if done is None:
        return Move(calls=(Call(reader.name, {}),))
    if done.error is not None:
        return Move(text=f"I could not read what is stored: {done.error}")
    values = _list_fields(done.result, writer)
    missing = [name for name, value in values.items() if value is None]
    asked = _find_asked(reading.last_answer, missing)
    if asked and reading.request.strip():
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
        arguments = _build_write(writer, asked, reading.request)
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
        greeting = (
            "" if reading.last_answer else "Welcome! I collect a few details, one at a time. "
        )
        return Move(text=greeting + _ask_field(missing[0]))
    exporter = next((t for t in tools if "export" in t.name.casefold()), None)
    if exporter is None or not _YES.match(reading.request):
        return Move(text=_ask_confirmation(values))
    done = take_call(queue, exporter.name)
    if done is None:
        arguments = fit_arguments(exporter.parameters, {"confirmation_message": reading.request})
        return Move(calls=(Call(exporter.name, arguments or {}),))
    if done.error is not None:
        return Move(text=f"The export did not work: {done.error}.")
    return Move(text=compose_value(done.result))


def _advance_search(reading: Reading, search: ToolSchema, queue: list[Done]) -> Move:
    done = take_call(queue, search.name)
    if done is None:
        name = get_content_param(search) or "query"
        arguments = fit_arguments(search.parameters, {name: reading.request.strip()})
        return (
            Move(calls=(Call(search.name, arguments),))
            if arguments
            else Move(text="Please ask again.")
        )
    if done.error is not None:
        return Move(text=f"I could not look that up: {done.error}")
    return Move(text=compose_value(done.result))


def _build_write(writer: ToolSchema, name: str, text: str) -> dict[str, Any] | None:
    params = list_params(writer.parameters)
    is_flag = "boolean" in params["value"].kinds and re.search(r"scheduled|^is_|^has_|done", name)
    value: Any = _VALUE_LEAD.sub("", text.strip()).strip(' .!"“”') or text.strip()
    if is_flag or re.search(r"scheduled|^is_|^has_", name):
        value = False if _FALSE.search(text) else True if _TRUE.search(text) else value
    if isinstance(value, bool) and "boolean" not in params["value"].kinds:
        value = str(value).lower()
    if not isinstance(value, bool):
        fitted = fit_value(params["value"], value)
        value = fitted if fitted is not MISSING and isinstance(fitted, str) else value
    arguments = {"field_name": name, "value": value}
    fitted_all = fit_arguments(writer.parameters, arguments)
    return {**fitted_all, "value": value} if fitted_all is not None else None


def _list_fields(result: Any, writer: ToolSchema) -> dict[str, Any]:
    """Field → value or None, in order; without what the machine writes itself."""
    found = cast(dict[str, Any], result) if isinstance(result, dict) else {}
    names = list(list_params(writer.parameters)["field_name"].enum) or [
        name for name in found if name not in _ENVELOPE
    ]
    return {name: found.get(name) for name in names if not _WRITTEN_BY_MACHINE.search(name)}


def _find_asked(answer: str, names: list[str]) -> str:
    """The name that the last question was about: the one named last in it; "" for none."""
    question = " ".join(list_words(answer))
    places = {name: question.rfind(" ".join(list_words(name.replace("_", " ")))) for name in names}
    found = [name for name in names if places[name] >= 0]
    return max(found, key=lambda name: places[name]) if found else ""


def _compose_next(reading: Reading, topics: list[str], missing: list[str], asked: str) -> str:
    if not missing:
        return f"Thank you, your profile is complete. {get_marker(reading.system)}"
    if _STATUS.search(reading.request):
        return f"Still missing: {', '.join(missing)}. {_ask_topic(missing[0])}"
    if asked:
        return f"Noted. {_ask_topic(missing[0])}"
    if len(missing) < len(topics):
        return f"Let us go on with your profile. {_ask_topic(missing[0])}"
    return f"Welcome! I ask a few questions to set up your profile. {_ask_topic(missing[0])}"


def _clean_answer(text: str) -> str:
    """The user's words as one profile line; headings in them are no headings of ours."""
    if _SKIP.match(text):
        return SKIPPED
    return re.sub(r"^[#>\s-]+", "", re.sub(r"\s+", " ", _MARKER.sub("", text)).strip()) or SKIPPED


def _ask_topic(topic: str) -> str:
    return f"Please tell me about this: {topic}."


def _ask_field(name: str) -> str:
    return f"Please tell me: {name.replace('_', ' ')}."


def _ask_confirmation(values: dict[str, Any]) -> str:
    lines = [f"- {name.replace('_', ' ').capitalize()} – {value}" for name, value in values.items()]
    return "\n".join(["This is what I have:", *lines, "Shall I export it?"])


def _name_topic(bullet: str) -> str:
    plain = re.sub(r"[*_`]", "", bullet)
    return re.split(r"\s*(?::|\(|\s[-–—]\s|\.|,|;)", plain)[0].strip()


__all__ = [
    "choose_field_move",
    "choose_interview_move",
    "find_field_writer",
    "fold",
    "is_interview",
]
