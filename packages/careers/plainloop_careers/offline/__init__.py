"""Careers without a language model: letters from résumé facts, the interview, the words."""

from __future__ import annotations

from typing import Any

from plainloop.agent.offline.rules import OfflineRules, TurnRule

from ..files import load_data
from .interviews import choose_interview_move, is_interview
from .letters import choose_letter_move, is_letter_turn
from .resume_facts import describe_resume, find_resume
from .resumes import parse_resume
from .wording import read_values


def load_rules() -> OfflineRules:
    """Load this pack's rules for the stand-in: turns in code, words in `rules.toml`."""
    return OfflineRules(
        turns=(
            TurnRule(is_interview, choose_interview_move, reads_all=True),
            TurnRule(is_letter_turn, choose_letter_move),
        ),
        json_answers={frozenset({"basics", "work"}): parse_resume},
        describe_result=describe_result,
        read_values=read_values,
        **load_data(__file__, "rules.toml"),
    )


def describe_result(nouns: tuple[str, ...], result: Any, clause: str) -> str:
    """Describe what a résumé says to the question; "" for the result of another tool."""
    resume = find_resume(result) if "resume" in nouns else {}
    return describe_resume(resume, clause) if resume else ""
