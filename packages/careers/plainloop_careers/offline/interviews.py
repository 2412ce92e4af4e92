"""The profile interview: one topic after the other, each answer stored through the tools."""

from __future__ import annotations

import re
from typing import Final

from plainloop.agent.base.text.gibberish import is_gibberish
from plainloop.agent.types import ChatRequest, ToolSchema
from plainloop_rules.offline.brain.asking import find_asked, is_aside, is_no_answer, is_refusal
from plainloop_rules.offline.brain.composing import find_markdown
from plainloop_rules.offline.reading import Call, Move, Reading, take_call

from ..onboarding import (
    MARKER,
    SKIPPED,
    SKIPPED_NOTES,
    list_missing_topics,
    list_topics,
    read_answers,
)
from ..profile import strip_front_matter
from ..sections import set_section

_READ: Final = "read_user_profile"
_WRITE: Final = "update_user_profile"
# The signs behind the last word. Looking for "?" from each sign took minutes for a row of them
# (test_a_reply_of_question_marks_is_read_in_linear_time).
_ENDING: Final = re.compile(r"(?:.*\w)?(\W*)\Z", re.S)
_STATUS: Final = re.compile(
    r"\b(?:missing|left|remaining|how (?:far|long|many)|what else)\b.*\?", re.I
)
_NOT_STORED: Final = (
    "I found no answer in that and stored nothing. “skip” leaves a topic out; an "
    "answer in quotes is stored unchanged."
)
_COMPLETE: Final = "Thank you, your profile is complete."
_ENDED: Final = (
    "Thank you, that was the last question. Skipped: {topics}. You can add this later on the page "
    "Résumé and profile."
)
_LEFT_OUT: Final = "Skipped: {topic}. You can add it later on the page Résumé and profile."


def is_interview(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    """Whether the offline provider is to answer as the profile's interviewer."""
    return MARKER in reading.system and {_READ, _WRITE} <= {tool.name for tool in tools}


def choose_interview_move(reading: Reading, request: ChatRequest) -> Move:
    """Choose the interview's next step: read the profile, save an answer or ask."""
    queue = reading.calls
    done = take_call(queue, _READ)
    if done is None:
        return Move(calls=(Call(_READ, {}),))
    if done.error is not None:
        return Move(text=f"I could not read your profile: {done.error}")
    profile = strip_front_matter(find_markdown(done.result))
    missing = list_missing_topics(profile, list_topics())
    # A question is no answer; "?" alone is no question.
    ending = _ENDING.match(reading.request)
    is_question = ending is not None and "?" in ending[1] and not is_gibberish(reading.request)
    asked = "" if is_question or is_aside(reading.request) else reading.last_answer
    topic = find_asked(asked, missing)
    is_left_out = is_refusal(reading.request)
    if topic and is_no_answer(reading.request) and not is_left_out:
        is_left_out = _NOT_STORED in reading.last_answer  # it was asked again already
        if not is_left_out:
            return Move(text=f"{_NOT_STORED} {_ask_topic(topic)}")
    if topic:
        written = take_call(queue, _WRITE)
        if written is None:
            said = SKIPPED if is_left_out else reading.request
            content = _add_answer(profile, topic, said)
            return Move(calls=(Call(_WRITE, {"content": content}),))
        if written.error is not None:
            return Move(text=f"I could not store that: {written.error} {_ask_topic(topic)}")
        missing.remove(topic)
    left_out = _LEFT_OUT.format(topic=topic) if topic and is_left_out else ""
    if not missing:
        answers = read_answers(profile, list_topics())
        skipped = [name for name, text in answers.items() if text in SKIPPED_NOTES]
        skipped += [topic] if topic and is_left_out else []
        said = _ENDED.format(topics=", ".join(skipped)) if skipped else _COMPLETE
        return Move(text=f"{said} {MARKER}")
    if _STATUS.search(reading.request):
        said = f"Still missing: {', '.join(missing)}."
    elif topic:
        said = left_out or "Noted."
    elif is_question:
        said = "I follow fixed rules without a language model, so I cannot answer this."
    elif profile:
        said = "Let us continue with your profile."
    else:
        said = "Welcome! I ask a few questions to set up your profile."
    return Move(text=f"{said} {_ask_topic(missing[0])}")


def _ask_topic(topic: str) -> str:
    """Word a topic as a question, from its description.

    >>> _ask_topic("Locations")
    'What should I note about your locations: cities and regions to work in?'
    """
    return f"What should I note about your {topic.lower()}: {list_topics()[topic]}?"


def _add_answer(profile: str, topic: str, said: str) -> str:
    """Return the profile with the user's answer, as one line, below the topic's heading."""
    line = re.sub(r"^[#>\s-]+", "", " ".join(said.replace(MARKER, "").split()))
    line = re.sub(r"\A[\"“]([^\"“”]+)[\"”]\Z", r"\1", line)
    return set_section(profile, list_topics(), topic, line or SKIPPED)
