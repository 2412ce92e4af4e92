"""Careers without a language model: letters from résumé facts, the interview, the words."""

from __future__ import annotations

from plainloop_rules.offline.rules import OfflineRules, TurnRule

from ..files import load_data
from .grammar import list_help, rephrase
from .interviews import choose_interview_move, is_interview
from .letters import choose_letter_move, is_letter_turn
from .resumes import parse_resume
from .suggesting import choose_import_move, choose_posting_move, is_import, is_posting, suggest
from .wording import read_values


def load_rules() -> OfflineRules:
    """Load the rules by which the offline provider answers for this pack."""
    return OfflineRules(
        turns=(
            TurnRule(is_interview, choose_interview_move, reads_all=True),
            TurnRule(is_letter_turn, choose_letter_move),
            TurnRule(is_import, choose_import_move),
            TurnRule(is_posting, choose_posting_move, reads_all=True),
        ),
        json_answers={frozenset({"basics", "work"}): parse_resume},
        read_values=read_values,
        suggest=suggest,
        rephrase=rephrase,
        help=list_help(),
        **load_data(__file__, "rules.toml"),
    )
