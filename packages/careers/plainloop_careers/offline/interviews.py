"""The profile interview: one topic after the other, each answer stored through the tools."""

from __future__ import annotations

import re
from typing import Final

from plainloop.agent.offline.brain.asking import find_asked, is_aside
from plainloop.agent.offline.brain.composing import drop_front_matter, find_markdown
from plainloop.agent.offline.brain.schemas import fit_arguments
from plainloop.agent.offline.brain.tool_names import find_reader, get_content_param, parse_tool_name
from plainloop.agent.offline.reading import Call, Move, Reading, take_call
from plainloop.agent.types import ChatRequest, ToolSchema

from ..onboarding import list_missing_topics

_MARKER: Final = re.compile(r"\[[A-Z]+(?:_[A-Z]+)*_COMPLETE\]")
_BULLET: Final = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(.+)$")
_TOPIC_HEAD: Final = re.compile(
    r"\b(?:topics?|ask|cover|learn|collect|find out|questions?|know|information|missing)\b", re.I
)
_SKIP: Final = re.compile(
    r"^\W*(?:skip|pass|next|rather not|prefer not|no comment|none of)\b", re.I
)
_QUESTION: Final = re.compile(r"\?\W*\Z")
_STATUS: Final = re.compile(
    r"\b(?:missing|left|remaining|how (?:far|long|many)|what else)\b.*\?", re.I
)
SKIPPED: Final = "Prefers not to say"


def get_marker(system: str) -> str:
    """The completion marker that the system prompt names; "" when it names none."""
    match = _MARKER.search(system)
    return match[0] if match else ""


def is_interview(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    return bool(get_marker(reading.system)) and find_profile_writer(tools) is not None


def choose_interview_move(reading: Reading, request: ChatRequest) -> Move:
    """Read the profile, store the answer, ask for the next topic; end with the marker."""
    tools = request.tools
    writer, reader, queue = find_profile_writer(tools), find_reader(tools, "profile"), reading.calls
    topics = parse_topics(reading.system)
    profile = ""
    if reader is not None:
        done = take_call(queue, reader.name)
        if done is None:
            return Move(calls=(Call(reader.name, {}),))
        profile = drop_front_matter(find_markdown(done.result)) if done.error is None else ""
    missing = list_missing_topics(profile, topics)
    # A question is no answer, whatever was asked before it.
    is_answer = not is_aside(reading.request) and not _QUESTION.search(reading.request)
    asked = find_asked(reading.last_answer, missing) if is_answer else ""
    if asked and writer is not None:
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
        topic = re.sub(r"[*_`]", "", bullet[1])
        groups[-1][1].append(re.split(r":|\(|\s[-–—]\s|\.|,|;", topic)[0].strip())
    chosen = next((topics for wanted, topics in groups if wanted and len(topics) > 1), None)
    longest = max((topics for _, topics in groups), key=len, default=list[str]())
    return list(dict.fromkeys(topic for topic in chosen or longest if topic))


def _compose_next(reading: Reading, topics: list[str], missing: list[str], asked: str) -> str:
    if not missing:
        return f"Thank you, your profile is complete. {get_marker(reading.system)}"
    if _STATUS.search(reading.request):
        return f"Still missing: {', '.join(missing)}. {_ask_topic(missing[0])}"
    if asked:
        return f"Noted. {_ask_topic(missing[0])}"
    if _QUESTION.search(reading.request):
        return f"I am fixed rules, no language model, and cannot say. {_ask_topic(missing[0])}"
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


def find_profile_writer(tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The tool that replaces the user's profile by one Markdown text."""
    for tool in tools:
        name = parse_tool_name(tool)
        if name.verb == "update" and "profile" in name.nouns and get_content_param(tool):
            return tool
    return None


def merge_section(body: str, heading: str, line: str) -> str:
    """The Markdown with a line at the end of the section; the section is made when missing."""
    lines = body.splitlines()
    wanted = heading.casefold()
    at = next((i for i, text in enumerate(lines) if text.strip().casefold() == wanted), None)
    if at is None:
        return "\n".join([*lines, *([""] if lines else []), heading, "", line]).strip()
    end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("#")), len(lines))
    while end > at + 1 and not lines[end - 1].strip():
        end -= 1
    rest = lines[end:]
    return "\n".join([*lines[:end], *([""] if end == at + 1 else []), line, *rest]).strip()
