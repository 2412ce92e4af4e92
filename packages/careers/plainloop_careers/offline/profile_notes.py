"""What the user wants remembered, as a line of the profile."""

from __future__ import annotations

import re
from typing import Final

from plainloop.agent.offline.brain.composing import drop_front_matter, find_markdown
from plainloop.agent.offline.brain.schemas import fit_arguments
from plainloop.agent.offline.brain.tool_names import find_reader, get_content_param, parse_tool_name
from plainloop.agent.offline.reading import Call, Move, Reading, take_call
from plainloop.agent.types import ChatRequest, ToolSchema

_REMEMBER: Final = re.compile(
    r"\s*(?:please\s+)?(?:remember(?:\s+that|\s*:)|(?:add|note)\s+(?:to|in)\s+my\s+profile\s*:)"
    r"\s+(?P<fact>[^?]{3,})$",
    re.I,
)
_NOTHING_YET: Final = re.compile(r"\b(?:no|not|nothing|empty|missing|none)\b", re.I)
NOTES_HEADING: Final = "## Notes"


def is_note(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    return bool(_find_fact(reading.request)) and find_profile_writer(tools) is not None


def choose_note_move(reading: Reading, request: ChatRequest) -> Move:
    """Read the profile first, so that a new fact never replaces the old ones; then write it."""
    reader, writer = find_reader(request.tools, "profile"), find_profile_writer(request.tools)
    queue, old, fact = list(reading.calls), "", _find_fact(reading.request)
    if reader is not None:
        done = take_call(queue, reader.name)
        if done is None:
            return Move(calls=(Call(reader.name, {}),))
        if done.error is not None and not _NOTHING_YET.search(done.error):
            return Move(text=f"I could not read your profile: {done.error}")
        old = "" if done.error else find_markdown(done.result)
    written = take_call(queue, writer.name) if writer else None
    if written is not None:
        failed = f"That did not work: {written.error}"
        return Move(text=failed if written.error else f"I noted in your profile: {fact}.")
    arguments = None
    if writer is not None:
        content = {get_content_param(writer): _merge_note(old, fact)}
        arguments = fit_arguments(writer.parameters, content)
    if writer is None or arguments is None:
        return Move(text="I could not write your profile.")
    return Move(calls=(Call(writer.name, arguments),))


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


def _find_fact(text: str) -> str:
    match = _REMEMBER.fullmatch(text)
    return re.sub(r"\s+", " ", match["fact"]).strip(' .!,;:"“”') if match else ""


def _merge_note(markdown: str, fact: str) -> str:
    """The profile with the fact as a bullet under "Notes"; unchanged when it is there already."""
    body = drop_front_matter(markdown)
    bullet = f"- {fact[:1].upper()}{fact[1:]}"
    if bullet.casefold() in (line.strip().casefold() for line in body.splitlines()):
        return body
    return merge_section(body, NOTES_HEADING, bullet)
