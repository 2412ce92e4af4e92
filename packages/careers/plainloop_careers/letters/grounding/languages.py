"""How well a letter says that a language is spoken, against what the résumé says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from plainloop.agent.base.foreign_json import list_objects

from .view import Finding

# Words for a level, best first. A résumé without a level supports any.
_LEVELS: Final = (
    (5, r"native|mother tongue|bilingual|first language|muttersprache"),
    (4, r"fluent|fluency|full professional|c1|c2|proficient|verhandlungssicher|business[- ]level"),
    (3, r"professional|advanced|b2|good|working"),
    (2, r"intermediate|conversational|b1|limited"),
    (1, r"basic|beginner|elementary|a1|a2|some"),
)


def check_languages(text: str, languages: Any) -> Iterator[Finding]:
    """Each language of the résumé that the sentence puts a higher level to.

    languages: the section of a JSON Resume. That a language is there at all is checked as a name.
    """
    for item in list_objects(languages):
        name, fluency = str(item.get("language") or ""), str(item.get("fluency") or "")
        known = _read_level(fluency)
        claimed = _find_claimed(name, text) if name and known else None
        if known and claimed and claimed[0] > known:
            problem = f"“{claimed[1]}”: the résumé says {name} is “{fluency}”."
            yield Finding(claimed[1], problem=problem)


def _read_level(text: str) -> int | None:
    """The level that a text speaks of; the lower one of two."""
    lowest = None
    for level, words in _LEVELS:
        text, count = re.subn(rf"\b(?:{words})\b", " ", text, flags=re.I)
        lowest = level if count else lowest
    return lowest


def _find_claimed(name: str, text: str) -> tuple[int, str] | None:
    """As "fluent in French", "native French speaker": (level, words); None: no level is said."""
    for level, words in _LEVELS:
        language = re.escape(name)
        pattern = (
            rf"\b(?:{words})\b(?: (?:level|command|knowledge|speaker|user|proficiency))?"
            rf"(?: (?:in|of))? {language}\b"
            rf"|\b{language} \(?(?:at (?:an? )?)?(?:{words})\b"
        )
        match = re.search(pattern, text, re.I)
        if match:
            return level, match[0]
    return None
