"""What people are asked of a replay's turns: two answers, without saying whose they are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop_lab.replay.report.report_files import list_live_report

from ..comparing.comparison import choose_reference
from ..comparing.differences import describe_differences
from ..comparing.judge import Winner
from ..live.plan import CANDIDATE
from .judges import Place

ANSWERS: Final = ("1", "2", "0")  # the first is better, the second, neither


@dataclass(frozen=True, slots=True)
class Question:
    """One turn. n: its conversation's place in the replay. first, second: what each side did and
    said. is_swapped: the candidate is first. differences: between them, in words, the worst first.
    """

    conversation_id: str
    turn: int
    user: str
    first: str
    second: str
    is_swapped: bool
    n: int
    differences: list[str]

    def name_winner(self, answer: str) -> Winner:
        """Return which side an answer chose: candidate, reference or tie.

        answer: one of `ANSWERS`.
        """
        if answer == "0":
            return "tie"
        return "candidate" if (answer == "1") == self.is_swapped else "reference"

    def to_line(self, answer: str) -> bytes:
        """Format the chosen winner as a line of a labels file, as `judges.read_labels` reads it."""
        place = {"conversation_id": self.conversation_id, "turn": self.turn}
        return orjson.dumps({**place, "winner": self.name_winner(answer)}) + b"\n"


def list_questions(folder: Path, labels: Mapping[Place, str]) -> list[Question]:
    """List the turns of a live report that people have yet to label.

    Their sides differ. If a judge judged, only those that it judged. Their order has nothing to do
    with the verdicts.

    Raises: InputError when there is nothing to ask.
    """
    head, conversations = list_live_report(folder)
    reference = choose_reference([*head["lanes"]])
    found: list[tuple[bool, str, Question]] = []
    for conversation in conversations:
        for turn in conversation["turns"]:
            place = (conversation["conversation_id"], turn["turn"])
            sides = [turn["lanes"].get(lane) for lane in (reference, CANDIDATE)]
            one, other = sides
            if place in labels or one is None or other is None or "people" in turn:
                continue
            told = [_describe(one), _describe(other)]
            if told[0] == told[1]:
                continue
            digest = hashlib.sha256(orjson.dumps([*place])).hexdigest()
            is_swapped = digest[-1] in "02468ace"
            first, second = reversed(told) if is_swapped else told
            shown = (other, one) if is_swapped else (one, other)
            differences = describe_differences(*shown, ("1", "2"))
            answers = (turn["user"], first, second, is_swapped)
            question = Question(*place, *answers, conversation["n"], differences)
            judgement: dict[str, Any] = turn["judgement"] or {}
            is_judged = bool(judgement.get("answers"))
            found.append((is_judged, digest, question))
    if any(is_judged for is_judged, _, _ in found):
        found = [item for item in found if item[0]]
    if not found:
        raise InputError(
            f"{folder} has no turn left to label",
            hint="Every turn has a label, or no answers differ: name another report.",
        )
    return [question for _, _, question in sorted(found, key=lambda item: item[1])]


def _describe(side: Mapping[str, Any]) -> str:
    """Describe a side's calls and text without what reveals the side: models, cost, time."""
    calls = [f"[{use['name']} {orjson.dumps(use['arguments']).decode()}]" for use in side["tools"]]
    ended = [f"[ended by {side['error']}]"] if side["error"] else []
    return "\n".join([*calls, side["text"], *ended])
