"""Whether a model that judges can be believed: both orders, and people's own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final, Literal

import msgspec

from ..errors import InputError
from ..replay.report.report_files import REPORT_FILE, list_report
from ..replay.report.statistics import compare_signs
from .proofs import bound_mean

ALPHA: Final = 0.05
LEAST_AGREEMENT: Final = 0.5  # of two orders: below it the place decides more than the answer
_LEAST_TURNS: Final = 10  # fewer tell nothing
_WORDS: Final = {"better": "candidate", "worse": "reference", "same": "tie"}

Place = tuple[str, int]  # conversation, turn
Winner = Literal["candidate", "reference", "tie"]


class Label(msgspec.Struct, frozen=True):
    """What somebody says of one turn, who did not know which side is which."""

    conversation_id: str
    turn: int
    winner: Winner


@dataclass(frozen=True, slots=True)
class Calibration:
    """turns: judged in both orders. agreed: the same side in both, or twice a tie. places: how
    often A, B and tie were said. labelled, matched: turns with a label (and conversations of which
    people said something in the console), and those with the same one. by_chance: how many would
    match if both only knew how often each side wins. doubt: why nothing may be decided by it; "":
    nothing is known against it.
    """

    turns: int
    agreed: int
    places: Mapping[str, int]
    labelled: int
    matched: int
    by_chance: float
    doubt: str

    @property
    def kappa(self) -> float | None:
        """Cohen's: 0 as good as chance, 1 always the same; None: nothing to tell by."""
        room = self.labelled - self.by_chance
        return (self.matched - self.by_chance) / room if self.labelled and room > 0 else None


def calibrate(folder: Path, labels: Mapping[Place, str] | None = None) -> Calibration:
    """Raises: InputError for a report without a judge."""
    _, conversations = list_report(folder / REPORT_FILE)
    places: Counter[str] = Counter()
    turns = agreed = matched = 0
    winners: Counter[str] = Counter()
    people: Counter[str] = Counter()
    for found in conversations:
        said: list[str] = []
        pairs: list[tuple[str, str]] = []  # the judge's word, people's
        for turn in found["turns"]:
            judged = turn["judgement"]
            if judged is None or not judged.get("answers"):
                continue
            turns += 1
            places.update(judged["answers"])
            agreed += _is_agreed(*judged["answers"])
            said.append(judged["winner"])
            label = (labels or {}).get((found["conversation_id"], turn["turn"]))
            pairs += [] if label is None else [(judged["winner"], label)]
        if said and not pairs and "people" in found:
            pairs = [(_add_up(said), _WORDS[found["people"]])]
        for word, label in pairs:
            matched += word == label
            winners[word] += 1
            people[label] += 1
    if not turns:
        raise InputError(
            f"no turn of {folder} was judged",
            hint="`replay live --judge …` asks one, where both answers are not the same.",
        )
    labelled = people.total()
    by_chance = sum(winners[name] * people[name] for name in people) / max(1, labelled)
    doubt = _find_doubt(turns, agreed, places) or _doubt_labels(labelled, matched, by_chance)
    return Calibration(turns, agreed, dict(places), labelled, matched, by_chance, doubt)


def _add_up(winners: Sequence[str]) -> str:
    """Who won a conversation, turn by turn.

    >>> _add_up(["candidate", "tie", "tie"]), _add_up(["candidate", "reference"])
    ('candidate', 'tie')
    """
    balance = winners.count("candidate") - winners.count("reference")
    return "candidate" if balance > 0 else "reference" if balance < 0 else "tie"


def read_labels(path: Path) -> dict[Place, str]:
    """Raises: InputError that names the line."""
    found: dict[Place, str] = {}
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                label = msgspec.json.decode(line, type=Label)
            except msgspec.DecodeError as error:
                raise InputError(f"{path}, line {number}: {error}") from error
            found[label.conversation_id, label.turn] = label.winner
    return found


def render_calibration(found: Calibration) -> list[str]:
    said = ", ".join(f"{name} {count:,}" for name, count in sorted(found.places.items()))
    lines = [
        f"both orders agree in {found.agreed:,} of {found.turns:,} turns "
        f"({found.agreed / found.turns:.0%}) · said: {said}"
    ]
    if found.labelled:
        kappa = "" if found.kappa is None else f" · kappa {found.kappa:.2f}"
        lines.append(
            f"people agree in {found.matched:,} of {found.labelled:,} "
            f"({found.matched / found.labelled:.0%}; by chance {found.by_chance:.1f}){kappa}"
        )
    return [*lines, found.doubt or "nothing is known against it"]


def _is_agreed(first: str, swapped: str) -> bool:
    """
    >>> _is_agreed("A", "B"), _is_agreed("A", "A"), _is_agreed("tie", "tie")
    (True, False, True)
    """
    return {first, swapped} == {"A", "B"} or (first, swapped) == ("tie", "tie")


def _find_doubt(turns: int, agreed: int, places: Mapping[str, int]) -> str:
    first, second = places.get("A", 0), places.get("B", 0)
    for name, count in (("A", first), ("B", second)):
        if count == 2 * turns and turns >= _LEAST_TURNS:
            return f'the judge says "{name}" whatever stands there'
    if turns < _LEAST_TURNS:
        return ""
    share = agreed / turns
    if share <= LEAST_AGREEMENT:
        leaning = compare_signs(first, second) < ALPHA
        place = f", mostly for {'A' if first > second else 'B'}" if leaning else ""
        return f"the judge changes its mind with the order in {1 - share:.0%} of turns{place}"
    return ""


def _doubt_labels(labelled: int, matched: int, by_chance: float) -> str:
    """Whether it is not proven that judge and people agree more than by chance."""
    if not labelled:
        return ""
    low = bound_mean(
        [(Fraction(1), 1)] * matched + [(Fraction(0), 1)] * (labelled - matched), 0.0, ALPHA
    )
    if low > by_chance / labelled:
        return ""
    return (
        f"the judge is not proven to agree with people more than chance would ({labelled} labels)"
    )
