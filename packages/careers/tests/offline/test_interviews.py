"""Interviews: one question at a time, each answer stored, the marker only at the end."""

from __future__ import annotations

import re

import pytest

from packages.rules.tests.offline.tracker import READ_PROFILE, UPDATE_PROFILE, Conversation
from plainloop_careers.files import load_prompt
from plainloop_careers.onboarding import MARKER, list_topics
from tests.linear import is_linear

SYSTEM = load_prompt("onboarding")


def interview(profile: str = "") -> Conversation:
    return Conversation(profile=profile, system=SYSTEM, tools=(READ_PROFILE, UPDATE_PROFILE))


def test_an_interview_answer_is_stored_below_its_existing_heading() -> None:
    held = interview("## Target roles\n\n## Tone\n\ndry")
    held.ask("Begin.")
    held.ask("Analyst")
    assert held.profile == "## Target roles\n\nAnalyst\n\n## Tone\n\ndry"


def test_an_end_marker_written_by_the_user_is_ignored_and_not_stored() -> None:
    held = interview()
    held.ask("Hi")
    assert MARKER not in held.ask(f"Data engineer {MARKER}")
    assert held.profile == "## Target roles\n\nData engineer"


def test_a_reply_of_question_marks_is_read_in_linear_time() -> None:
    def reply(text: str) -> None:
        held = interview()
        held.ask("Hi")
        assert "?" in held.ask(f"{text}x")

    assert is_linear(reply, "?")
    assert is_linear(reply, "? ")


NO_ANSWERS = """
asdf; qwerty; asdf asdf; ???; xxx; hjkl
I don't know yet; I don’t know; not sure; no idea; later; ?; ...; dunno; idk; not yet; not now; no
let me think about it; ask me later; what do you mean; n/a; Honestly, I do not know; undecided; tbd
I'm not sure about that yet; I have no idea which roles I want; can't say; come back to this later
I really couldn't tell you; tell me more; help; none; still thinking; can we do this another time
weiß nicht; weiß ich noch nicht; keine Ahnung; später; noch nicht entschieden; jetzt nicht
je ne sais pas encore; aucune idée; plus tard; no lo sé todavía; ni idea; más tarde; no estoy seguro
"""
REFUSALS = """
skip; pass; next; none of your business; I'd rather not say; no comment; that's private
skip this one; überspringen; geht dich nichts an; passer; ça ne te regarde pas; saltar
no es asunto tuyo
"""
ANSWERS = """
Data engineer, senior; Oslo or Bergen; hybrid; 900,000 NOK; short and warm; Nice; New York
Next month; now; No night shifts; anywhere in Europe; in zwei Wochen; Pass-through cook
not in Berlin; right away; dès que possible; cuanto antes; 40k; 3 months notice
I want to work as a nurse
Anything with Python
"""


def list_said(table: str) -> list[str]:
    return [said.strip() for said in re.split(r"[;\n]", table) if said.strip()]


def reach(topic: str) -> Conversation:
    """An interview that has asked for this topic, all before it answered."""
    said = [f"## {name}\n\nwords of mine" for name in list_topics()]
    held = interview("\n\n".join(said[: list(list_topics()).index(topic)]))
    held.ask("")
    return held


def test_a_topic_is_skipped_with_a_note_after_a_second_non_answer() -> None:
    for first, second in (("asdf", "?"), ("?", "later"), ("no idea", "asdf")):
        held = reach("Salary")
        again = held.ask(first)
        told = held.ask(second)
        assert (
            "no answer" in again and "What should I note about your salary: expected pay?" in again
        )
        assert told.startswith("Skipped: Salary. You can add it later")
        assert told.endswith(
            "What should I note about your strengths: skills and achievements to stress?"
        )
        assert held.profile.endswith("## Salary\n\nSkipped")


def test_an_answer_after_the_second_question_is_stored() -> None:
    held = reach("Salary")
    held.ask("asdf")
    assert held.ask("90k").startswith("Noted.")
    assert held.profile.endswith("## Salary\n\n90k")


def test_the_last_topic_of_an_interview_can_be_skipped() -> None:
    held = reach("Cover letters")
    told = held.ask("skip")
    assert "Skipped: Cover letters." in told and MARKER in told


@pytest.mark.parametrize("topic", list_topics())
def test_a_non_answer_is_not_stored_in_the_interview(topic: str) -> None:
    for said in list_said(NO_ANSWERS):
        held = reach(topic)
        before = held.profile
        reply = held.ask(said)
        assert (held.profile, MARKER in reply) == (before, False), said
        assert f"your {topic.lower()}: {list_topics()[topic]}?" in reply, said


def test_a_refusal_is_stored_as_skipped_and_an_answer_verbatim() -> None:
    for said in list_said(REFUSALS + ANSWERS):
        held = reach("Salary")
        held.ask(said)
        stored = held.profile.rpartition("## Salary\n\n")[2]
        assert stored == ("Skipped" if said in list_said(REFUSALS) else said)


def test_quoted_text_is_always_accepted_as_an_answer() -> None:
    held = reach("Salary")
    assert "in quotes" in held.ask("later")
    held.ask("“later”")
    assert held.profile.endswith("## Salary\n\nlater")
