"""The interview without a language model: read what is stored, ask for the rest, then export."""

from __future__ import annotations

import re
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object, list_objects
from plainloop.agent.types import ChatRequest, ToolSchema
from plainloop_rules.offline.brain.asking import find_asked, is_aside, is_no_answer
from plainloop_rules.offline.brain.composing import compose_value
from plainloop_rules.offline.brain.words import list_words
from plainloop_rules.offline.reading import Call, Done, Move, Reading, take_call
from plainloop_rules.offline.rules import OfflineRules, TurnRule

from .fields import ASKED, get_field, list_missing_fields

_READ, _WRITE, _SEARCH, _EXPORT = "read_data", "write_data", "rag_search", "export_data"
_YES: Final = re.compile(r"^\W*(?:yes|yep|yeah|sure|ok|okay|correct|confirmed?|right)\b", re.I)
_QUESTION: Final = re.compile(r"(?:Please tell me: [^.]+\.|Shall I export it\?)$")
_TRUE: Final = re.compile(r"\b(?:yes|yep|yeah|true|done|scheduled|already|sure)\b", re.I)
_FALSE: Final = re.compile(r"\b(?:no|not|nope|false|never|n['’]t)\b", re.I)
_NONE: Final = re.compile(r"\W*(?:no|none|nothing)\W*", re.I)
_LEAD: Final = re.compile(r"^(?:my (?:\w+ ){1,3}is|it is|it['’]s|i am|i['’]m)\s+", re.I)


def load_rules() -> OfflineRules:
    """Load this pack's rules for the offline provider."""
    return OfflineRules(turns=(TurnRule(is_interview, choose_interview_move, reads_all=True),))


def is_interview(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    """Return whether a worker is an interview, to which this pack's rules apply.

    It is if it has the interview's tools.
    """
    return {_READ, _WRITE, _EXPORT} <= {tool.name for tool in tools}


def choose_interview_move(reading: Reading, request: ChatRequest) -> Move:
    """Choose the interview's next step without a model: read, record, ask or export."""
    queue = reading.calls
    if reading.request.strip().endswith("?"):
        return _look_up(reading, queue)
    done = take_call(queue, _READ)
    if done is None:
        return Move(calls=(Call(_READ, {}),))
    if done.error is not None:
        return Move(text=f"I could not read what is stored: {done.error}")
    stored = as_object(done.result)
    values = {name: stored.get(name) for name in ASKED}
    missing = list_missing_fields(values, ASKED)
    asked = "" if is_aside(reading.request) else find_asked(reading.last_answer, missing)
    if not asked and missing:
        welcome = "Welcome! I collect a few details, one at a time. "
        return Move(text=("" if reading.last_answer else welcome) + _ask_field(missing[0]))
    if not asked:
        return _finish(reading, values, queue)
    field = get_field(asked)
    is_none = _NONE.fullmatch(reading.request) is not None  # of allergies, say: an answer
    if is_no_answer(reading.request) and not is_none and not (field and field.is_bool):
        why = (
            "I found no answer in that and stored nothing. An answer in quotes is stored unchanged."
        )
        return Move(text=f"{why} {_ask_field(asked)}")
    written = take_call(queue, _WRITE)
    if written is None:
        value = read_value(asked, reading.request)
        return Move(calls=(Call(_WRITE, {"field_name": asked, "value": value}),))
    if written.error is not None:
        choice = f" Possible: {', '.join(field.choices)}." if field and field.choices else ""
        return Move(text=f"That cannot be stored: {written.error}.{choice} {_ask_field(asked)}")
    missing.remove(asked)
    if missing:
        return Move(text=f"Noted. {_ask_field(missing[0])}")
    return Move(text=_ask_confirmation({**values, asked: written.arguments.get("value")}))


def read_value(name: str, said: str) -> str | bool:
    """Parse a field's value from what the user said.

    If no value fits, the text is the value.

    >>> read_value("starter_kit", "a keyboard, please"), read_value("meeting_scheduled", "not yet")
    ('keyboard', False)
    >>> read_value("employee_name", "My name is Ada Lovelace.")
    'Ada Lovelace'
    """
    field = get_field(name)
    if field and field.choices:
        return next((one for one in field.choices if one in list_words(said)), said.strip())
    if field and field.is_bool and (_FALSE.search(said) or _TRUE.search(said)):
        return _FALSE.search(said) is None
    return _LEAD.sub("", said.strip()).strip(' .!"“”') or said.strip()


def _finish(reading: Reading, values: dict[str, Any], queue: list[Done]) -> Move:
    """Ask for confirmation of all fields; once confirmed, export them."""
    if not _YES.match(reading.request):
        return Move(text=_ask_confirmation(values))
    done = take_call(queue, _EXPORT)
    if done is None:
        return Move(calls=(Call(_EXPORT, {"confirmation_message": reading.request}),))
    if done.error is not None:
        return Move(text=f"The export did not work: {done.error}.")
    return Move(text=compose_value(done.result))


def _look_up(reading: Reading, queue: list[Done]) -> Move:
    """Answer a question with the best passage of the company's documents, then ask on."""
    done = take_call(queue, _SEARCH)
    if done is None:
        return Move(calls=(Call(_SEARCH, {"query": reading.request.strip()}),))
    if done.error is not None:
        return Move(text=f"I could not look that up: {done.error}")
    found = as_object(done.result)
    best = next(iter(list_objects(found.get("passages"))), None)
    answer = f"{best['text']} ({best['document']})" if best else str(found.get("message"))
    question = _QUESTION.search(reading.last_answer)
    return Move(text=answer + (f"\n\n{question[0]}" if question else ""))


def _ask_field(name: str) -> str:
    return f"Please tell me: {name.replace('_', ' ')}."


def _ask_confirmation(values: dict[str, Any]) -> str:
    lines = [f"- {name.replace('_', ' ').capitalize()} – {value}" for name, value in values.items()]
    return "\n".join(["This is what I have:", *lines, "Shall I export it?"])
