"""Verdicts on an answer: known problems, emptiness and missing relation make it fail."""

from __future__ import annotations

import re
from typing import Any, Final

from ...base.text import cut_text
from ..reading import Reading
from .words import list_concepts

_ANSWER: Final = re.compile(r"<answer>(.*)</answer>", re.S | re.I)
_PART: Final = re.compile(
    r"^(Request|Success criteria|Material|Answer|Problems found)\s*:", re.M | re.I
)
_ABOUT: Final = ("request", "success criteria", "material")
_NO_PROBLEM: Final = re.compile(r"^\W*(?:none|no problems?|nothing|-)?\W*$", re.I)
_MIN_CONCEPTS: Final = 8
_FEEDBACK_CHARS: Final = 2000


def answer_verdict(reading: Reading) -> dict[str, Any]:
    """{"verdict", "feedback", "score"} for the request, answer and problems in the message."""
    text = reading.request
    found = _ANSWER.search(text)
    outside = text[: found.start()] + text[found.end() :] if found else text
    parts = _split_parts(outside)
    answer = (found[1] if found else parts.get("answer", "")).strip()
    problems = parts.get("problems found", "")
    if not _NO_PROBLEM.match(problems):
        return _make_retry(problems.strip(), 0.3)
    if not answer:
        return _make_retry("The answer is empty: answer the request.", 0.0)
    # "make it shorter" names nothing itself: then the material says what the answer is about.
    wanted = list_concepts(" ".join(parts.get(name, "") for name in _ABOUT))
    given = list_concepts(answer)
    if wanted and len(given) >= _MIN_CONCEPTS and not wanted & given:
        return _make_retry("The answer is not about the request.", 0.1)
    return {"verdict": "pass", "feedback": "", "score": 1.0}


def _make_retry(feedback: str, score: float) -> dict[str, Any]:
    return {"verdict": "retry", "feedback": cut_text(feedback, _FEEDBACK_CHARS), "score": score}


def _split_parts(text: str) -> dict[str, str]:
    """The message's labelled parts, by label in lower case."""
    marks = list(_PART.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)][: len(marks)]
    return {m[1].lower(): text[m.end() : end] for m, end in zip(marks, ends, strict=True)}
