"""Careers without a language model: letters from résumé facts, the interview, the words."""

from __future__ import annotations

from typing import Any

from ....offline.rules import OfflineRules, TurnRule
from ..files import load_data
from .amounts import find_rating, find_salary
from .interviews import choose_interview_move, is_interview
from .letters import choose_letter_move, is_letter_turn
from .names import parse_names
from .resume_facts import describe_resume, find_resume
from .resumes import parse_resume


def load_rules() -> OfflineRules:
    """This pack for the stand-in: turns in code, words in `rules.toml`."""
    return OfflineRules(
        turns=(
            TurnRule(is_interview, choose_interview_move, reads_all=True),
            TurnRule(is_letter_turn, choose_letter_move),
        ),
        json_answers={frozenset({"basics", "work"}): parse_resume},
        describe_result=describe_result,
        read_names=read_names,
        read_values=read_values,
        **load_data(__file__, "rules.toml"),
    )


def describe_result(nouns: tuple[str, ...], result: Any, clause: str) -> str:
    """What a résumé says to the question; "" for the result of another tool."""
    resume = find_resume(result) if "resume" in nouns else {}
    return describe_resume(resume, clause) if resume else ""


def read_names(text: str) -> dict[str, str]:
    names = parse_names(text)
    return {"company": names.company, "title": names.title}


def read_values(text: str) -> dict[str, Any]:
    return {**find_salary(text), "job_fit": find_rating(text)}
