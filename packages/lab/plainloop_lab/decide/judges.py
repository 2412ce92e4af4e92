"""Whether a model that judges can be believed: both orders, and people's own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

import msgspec

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop_lab.replay.report.report_files import REPORT_FILE, list_report

from ..comparing.comparison import choose_reference
from ..comparing.judge import Winner
from ..report.json_lines import read_json_lines
from ..report.judge_tally import ALPHA, JudgeTally
from ..store.replays import Verdict
from .proofs import bound_mean

# Who has won, by what people say of the candidate.
WINNERS: Final[Mapping[Verdict, Winner]] = {
    "better": "candidate",
    "worse": "reference",
    "same": "tie",
}

Place = tuple[str, int]  # conversation, turn


class Label(msgspec.Struct, frozen=True):
    """A person's choice between two answers, made without knowing which is whose."""

    conversation_id: str
    turn: int
    winner: Winner


@dataclass(frozen=True, slots=True)
class Calibration:
    """Says how far a judge agrees with people. tally: what the judge said. labelled, matched: turns
    with a label (and conversations of which people said something in the console), and those with
    the same one. by_chance: how many would match if both only knew how often each side wins. doubt:
    why nothing may be decided by it; "": nothing is known against it.
    """

    tally: JudgeTally
    labelled: int
    matched: int
    by_chance: float
    doubt: str

    @property
    def kappa(self) -> float | None:
        """Return Cohen's kappa: 0 is as good as chance, 1 is always the same.

        None without labels.
        """
        room = self.labelled - self.by_chance
        return (self.matched - self.by_chance) / room if self.labelled and room > 0 else None


def calibrate(folder: Path, labels: Mapping[Place, str] | None = None) -> Calibration:
    """Measure how far a report's judge agrees with itself and with people's labels.

    Raises: InputError for a report without a judge.
    """
    head, conversations = list_report(folder / REPORT_FILE)
    reference = choose_reference([*head["lanes"]])
    tally = JudgeTally()
    matched = 0
    winners: Counter[str] = Counter()
    people: Counter[str] = Counter()
    for found in conversations:
        said: list[str] = []
        pairs: list[tuple[str, str]] = []  # the judge's word, people's
        for turn in found["turns"]:
            tally.add(turn, reference)
            judged = turn["judgement"]
            if judged is None or judged["winner"] is None or not judged.get("answers"):
                continue
            said.append(judged["winner"])
            place = (found["conversation_id"], turn["turn"])
            label = labels.get(place) if labels else None
            if label is None and "people" in turn:
                label = WINNERS[turn["people"]]
            pairs += [] if label is None else [(judged["winner"], label)]
        if said and not pairs and "people" in found:
            pairs = [(_add_up(said), WINNERS[found["people"]])]
        for word, label in pairs:
            matched += word == label
            winners[word] += 1
            people[label] += 1
    if not tally.is_there and not head.get("judge"):
        raise InputError(
            f"no turn of {folder} was judged",
            hint="Run `plainloop replay live --judge …`, which judges turns that differ.",
        )
    labelled = people.total()
    by_chance = sum(winners[name] * people[name] for name in people) / max(1, labelled)
    doubt = tally.find_doubt() or _doubt_labels(labelled, matched, by_chance)
    return Calibration(tally, labelled, matched, by_chance, doubt)


def _add_up(winners: Sequence[str]) -> str:
    """Return the winner of a conversation by its turns' winners.

    >>> _add_up(["candidate", "tie", "tie"]), _add_up(["candidate", "reference"])
    ('candidate', 'tie')
    """
    balance = winners.count("candidate") - winners.count("reference")
    return "candidate" if balance > 0 else "reference" if balance < 0 else "tie"


def read_labels(path: Path) -> dict[Place, str]:
    """Read people's labels from a JSONL file, by conversation and turn.

    Raises: InputError that names the line.
    """
    labels = read_json_lines(path, Label)
    return {(label.conversation_id, label.turn): label.winner for label in labels}


def render_calibration(found: Calibration) -> list[str]:
    """Render a judge's agreement with itself and people as lines for a terminal."""
    tally = found.tally
    said = ", ".join(f"{name} {count:,}" for name, count in sorted(tally.places.items()))
    lines = [
        (
            f"both orders agree in {tally.agreed:,} of {tally.asked:,} turns "
            f"({tally.agreed / max(1, tally.asked):.0%}) · verdicts: {said or 'none'}"
        )
    ]
    if tally.unread or tally.missing:
        lines.append(f"unreadable: {tally.unread:,} turns · not judged: {tally.missing:,}")
    if found.labelled:
        kappa = "" if found.kappa is None else f" · kappa {found.kappa:.2f}"
        lines.append(
            f"people agree with the judge in {found.matched:,} of {found.labelled:,} "
            f"({found.matched / found.labelled:.0%}; by chance {found.by_chance:.1f}){kappa}"
        )
    return [*lines, found.doubt or "no sign that the judge is unreliable"]


def _doubt_labels(labelled: int, matched: int, by_chance: float) -> str:
    """Explain why agreement with people is not proven to exceed chance; "" if it is."""
    if not labelled:
        return ""
    low = bound_mean(
        [(Fraction(1), 1)] * matched + [(Fraction(0), 1)] * (labelled - matched), 0.0, ALPHA
    )
    if low > by_chance / labelled:
        return ""
    return (
        "it is not proven that the judge agrees with people more often than by "
        f"chance ({labelled} labels)"
    )
