"""Verdicts on an answer: known problems and emptiness make it fail, and nothing that is guessed."""

from __future__ import annotations

import re
from typing import Any, Final

from ...base.text import cut_text
from ..reading import Reading

_ANSWER: Final = re.compile(r"<answer>(.*)</answer>", re.S | re.I)
_PART: Final = re.compile(
    r"^(Request|Success criteria|Material|Answer|Problems found)\s*:", re.M | re.I
)
_NO_PROBLEM: Final = re.compile(r"^\W*(?:none|no problems?|nothing|-)?\W*$", re.I)
_FEEDBACK_CHARS: Final = 2000


def answer_verdict(reading: Reading) -> dict[str, Any]:
    """{"verdict", "feedback", "score"} for the request, answer and problems in the message."""
    text = reading.request
    found = _ANSWER.search(text)
    outside = text[: found.start()] + text[found.end() :] if found else text
    marks = list(_PART.finditer(outside))
    ends = [*(mark.start() for mark in marks[1:]), len(outside)][: len(marks)]
    parts = {m[1].lower(): outside[m.end() : end] for m, end in zip(marks, ends, strict=True)}
    answer = (found[1] if found else parts.get("answer", "")).strip()
    problems = parts.get("problems found", "")
    if not _NO_PROBLEM.match(problems):
        return _make_retry(problems.strip(), 0.3)
    if not answer:
        return _make_retry("The answer is empty: answer the request.", 0.0)
    return {"verdict": "pass", "feedback": "", "score": 1.0}


def _make_retry(feedback: str, score: float) -> dict[str, Any]:
    return {"verdict": "retry", "feedback": cut_text(feedback, _FEEDBACK_CHARS), "score": score}
