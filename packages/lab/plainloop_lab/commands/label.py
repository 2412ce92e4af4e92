"""`plainloop label`: a person says which answers are better, and does not know whose they are."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.errors import InputError

from ..decide.judges import read_labels
from ..decide.labelling import ANSWERS, Question, list_questions
from .reports import find_report

_ASKED = "1 or 2 is better, 0 neither, Enter: the next one, q: enough > "


async def label(owner: Owner, report: str, target: Path) -> None:
    """Ask turn by turn; each answer is written at once, so that one may stop at any time."""
    with tempfile.TemporaryDirectory() as made:
        folder = await find_report(owner, report, Path(made))
        return await asyncio.to_thread(ask_all, folder, target)


def ask_all(folder: Path, target: Path) -> None:
    known = read_labels(target) if target.exists() else {}
    questions = list_questions(folder, known)
    given = 0
    try:
        with target.open("ab") as file:
            for place, question in enumerate(questions, 1):
                answer = _ask(question, place, len(questions))
                if answer is None:
                    break
                if answer in ANSWERS:
                    file.write(question.to_line(answer))
                    file.flush()
                    given += 1
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from error
    output.write_status(f"{given:,} labels more in {target}: plainloop judge --labels {target}")


def _ask(question: Question, place: int, count: int) -> str | None:
    """What was said; None: enough, or nobody is there any more."""
    output.write_line(f"── {place:,} of {count:,} ── the user says")
    output.write_line(question.user)
    for number, side in (("1", question.first), ("2", question.second)):
        output.write_line(f"── {number}")
        output.write_line(side)
    while True:
        output.write_line(_ASKED)
        line = sys.stdin.readline()
        answer = line.strip().lower()
        if not line or answer == "q":
            return None
        if answer in ("", *ANSWERS):
            return answer
