"""Replies to a question of ours: the action that it was about goes on with what is known now.

A question of ours ends in the name of its tool, as in "For that I still need: title (create_job)."
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ...types import ToolSchema
from ..reading import Reading, Said, get_said
from .rows import choose_mark, list_marks
from .schemas import MISSING, fit_value, list_params
from .slots import read_slots
from .tool_choice import Action, build_action, plan_actions
from .verbs import is_question, parse_tool_name
from .words import list_words

_PENDING: Final = re.compile(r"\((?P<tool>[\w.-]+)\)[.?]\s*$")
_YES: Final = re.compile(
    r"^\W*(?:yes|yep|yeah|sure|ok|okay|please(?: do)?|do it|go ahead|of course|correct|right|ja"
    r"|s[ií]|oui)\b",
    re.I,
)
_ASIDE: Final = re.compile(
    r"^\W*(?:thanks|thank you|hi|hello|hey|help|wait|hm+|what|why|i don['’]?t know|no idea)\b", re.I
)
_NO: Final = re.compile(r"^\W*(?:no|nope|nah|don['’]t|never mind|cancel|stop|forget it)\b", re.I)


def is_refused(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    """Whether the user says no to a question of ours."""
    is_asked = _find_pending(reading.last_answer, tools) is not None
    return is_asked and _NO.match(reading.request) is not None


def resume_pending(reading: Reading, tools: tuple[ToolSchema, ...]) -> list[Action]:
    """The action that the last answer asked something about, with the reply filled in."""
    tool = _find_pending(reading.last_answer, tools)
    if tool is None or (plan_actions(reading.request, tools) and not _YES.match(reading.request)):
        return []
    if is_question(reading.request) or _ASIDE.match(reading.request):
        return []
    texts = _collect_texts(reading, tools)
    verb = parse_tool_name(tool).verb or "update"
    action = build_action(tool, verb, ". ".join(texts))
    marks = list_marks(reading.last_answer)
    if action.kind == "by_id" and marks:
        chosen = choose_mark(reading.request, marks)
        if chosen is None:
            return [action]
        arguments = {**action.arguments, action.id_param: chosen}
        return [replace(action, kind="call", arguments=arguments)]
    return [_fill_missing(action, texts)]


def _fill_missing(action: Action, texts: list[str]) -> Action:
    """A bare reply is the value of the one parameter that was asked for."""
    if not action.missing:
        return action
    params = list_params(action.tool.parameters)
    slots = read_slots(texts[-1], params)
    known = {**action.arguments, **{k: v for k, v in slots.items() if k not in action.arguments}}
    missing = [name for name in action.missing if name not in known]
    is_bare = not any(param.is_required and name in slots for name, param in params.items())
    if len(missing) == 1 and len(texts) > 1 and is_bare:
        value = fit_value(params[missing[0]], texts[-1].strip(' .!"“”'))
        if value is not MISSING:
            known[missing.pop()] = value
    return replace(action, arguments=known, missing=tuple(missing))


def _find_pending(text: str, tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The tool that a question of ours was about."""
    match = _PENDING.search(text)
    return next((tool for tool in tools if match and tool.name == match["tool"]), None)


def _collect_texts(reading: Reading, tools: tuple[ToolSchema, ...]) -> list[str]:
    """The user's texts since the action began, oldest first, without "yes"."""
    texts = [reading.request]
    said = [event for event in reading.before if isinstance(event, Said)]
    while len(said) > 1 and _find_pending(get_said(said[-1], "assistant"), tools):
        said.pop()
        if said[-1].role == "assistant":
            break
        texts.insert(0, said.pop().text)
        if not _YES.match(texts[0]) and plan_actions(texts[0], tools):
            break
    return [text for text in texts if not _YES.match(text) or len(list_words(text)) > 3] or texts
