"""`plainloop label`: a person says which answers are better, and does not know whose they are."""

from __future__ import annotations

import asyncio
import os
import select
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store

from ..decide.judges import WINNERS, read_labels
from ..decide.labelling import ANSWERS, Question, list_questions
from ..store import replays as store_replays
from ..store.replays import Verdict
from .reports import find_report

POLL_S: Final = 0.1  # in which it is looked whether the command has ended
_ASKED = "1 or 2 is better, 0 neither, Enter: skip, q: quit > "


VERDICTS: Final[Mapping[str, Verdict]] = {winner: verdict for verdict, winner in WINNERS.items()}
Save = Callable[[Question, str], None]


async def label(owner: Owner, report: str, target: Path | None) -> None:
    """Let a person choose the better answer turn by turn.

    Each choice is stored at once. It is stored with the replay, as the console does, or in the file
    target. One may stop at any time.
    """
    with tempfile.TemporaryDirectory() as made:
        folder = await find_report(owner, report, Path(made))
        if target is None and not folder.is_relative_to(made):
            target = Path("labels.jsonl")
        lines = InputLines()
        try:
            if target is not None:
                await asyncio.to_thread(_write_labels, folder, target, lines)
                return
            async with open_store(load_settings()) as store:
                await _keep_labels(store, owner, report, folder, lines)
        finally:
            lines.stopped.set()


class InputLines:
    """Reads stdin line by line in a thread, which ends soon after `stopped` is set.

    `sys.stdin.readline` would go on: at Ctrl-C the event loop waits for its threads, and this one
    for a line that nobody writes (`test_ctrl_c_ends_label_at_its_question`).
    """

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self._rest = b""

    def read(self) -> str:
        """Return the next input line, or "" at the end.

        Also "" after reading was stopped.
        """
        while b"\n" not in self._rest and sys.stdin is not None and not self.stopped.is_set():
            place = sys.stdin.fileno()
            if select.select([place], [], [], POLL_S)[0]:
                piece = os.read(place, 4096)
                if not piece:
                    break
                self._rest += piece
        if self.stopped.is_set():
            return ""
        line, end, self._rest = self._rest.partition(b"\n")
        return (line + end).decode(errors="replace")


def _write_labels(folder: Path, target: Path, lines: InputLines) -> None:
    known = read_labels(target) if target.exists() else {}
    try:
        with target.open("ab") as file:

            def save(question: Question, answer: str) -> None:
                file.write(question.to_line(answer))
                file.flush()

            given = ask_all(list_questions(folder, known), lines, save)
    except OSError as error:
        raise InputError(
            f"cannot write {target}: {error.strerror}",
            hint="Choose a folder that you can write to.",
        ) from error
    output.write_status(f"{given:,} labels added to {target}: plainloop judge --labels {target}")


async def _keep_labels(
    store: Store, owner: Owner, text: str, folder: Path, lines: InputLines
) -> None:
    replay_id = await store_replays.find_replay(store.read(owner.tenant_id), text)
    loop = asyncio.get_running_loop()

    async def keep(question: Question, verdict: Verdict) -> None:
        place = (owner.user_id, replay_id, question.n, question.turn)
        tx = store.read(owner.tenant_id)
        await store_replays.save_turn_verdict(tx, *place, verdict, seen="hidden")

    def save(question: Question, answer: str) -> None:
        verdict = VERDICTS[question.name_winner(answer)]
        asyncio.run_coroutine_threadsafe(keep(question, verdict), loop).result()

    given = await asyncio.to_thread(ask_all, list_questions(folder, {}), lines, save)
    output.write_status(f"{given:,} verdicts added to the replay: plainloop judge {text}")


def ask_all(questions: Sequence[Question], lines: InputLines, save: Save) -> int:
    """Show a person one question after the other until they stop.

    Returns the number of answered questions.
    """
    given = 0
    for place, question in enumerate(questions, 1):
        answer = _ask(question, lines, place, len(questions))
        if answer is None:
            break
        if answer in ANSWERS:
            save(question, answer)
            given += 1
    return given


def _ask(question: Question, lines: InputLines, place: int, count: int) -> str | None:
    """Show one question in the terminal; return the answer, or None when the person stops."""
    output.write_line(f"── {place:,} of {count:,} ── the user wrote")
    output.write_line(question.user)
    for number, side in (("1", question.first), ("2", question.second)):
        output.write_line(f"── {number}")
        output.write_line(side)
    if question.differences:
        output.write_line("── differences")
        output.write_lines(f"- {told}" for told in question.differences)
    while True:
        output.write_line(_ASKED)
        line = lines.read()
        answer = line.strip().lower()
        if not line or answer == "q":
            return None
        if answer in ("", *ANSWERS):
            return answer
