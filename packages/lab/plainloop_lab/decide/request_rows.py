"""A live replay's report as rows for a table of routes: one row a turn, and of each request what is
known before it is sent (`selection/features.py`), so that the engine finds the rows again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop_lab.replay.report.report_files import list_live_report
from plainloop_lab.selection.features import name_intent, name_length, name_set
from plainloop_rules.matching import guess_language

from ..comparing.comparison import RECORDING, choose_reference
from ..comparing.measures import BY_NAME, JUDGED, find_route
from ..live.plan import CANDIDATE
from .judges import calibrate
from .outcomes import get_request, name_task
from .routing import Outcomes

KNOWN: Final = ("worker", "intent", "language", "chars", "length", "tool", "tag")
_EARLIER: Final = ("length", "tool")  # what only the turns before tell
_FAST: Final = "fast_"


@dataclass(frozen=True, slots=True)
class Answered:
    """One turn of one lane. quality: 1 right, 0 wrong, or between; None: no such measure there."""

    task: str
    features: tuple[str, ...]
    quality: float | None
    cost_usd: float | None


def join_reports(
    reports: Mapping[str, Path], by: Sequence[str], measure: str, prices: Mapping[str, float]
) -> Outcomes:
    """Read reports as a table of how well each model answered each turn.

    It has a row per turn that the baseline and all candidates have. reports: by candidate.

    prices: by side; one that is missing is what its turns cost. Raises: InputError.
    """
    unknown = [name for name in by if name not in KNOWN]
    if unknown:
        raise InputError(
            f"--by: unknown feature {', '.join(unknown)}", hint=f"Use one of: {', '.join(KNOWN)}."
        )
    if measure not in BY_NAME or BY_NAME[measure].unit not in ("share", "ratio"):
        shares = ", ".join(name for name, known in BY_NAME.items() if known.unit == "share")
        raise InputError(
            f"{measure} is not a measure that scores turns from 0 to 1",
            hint=f"Use one of: {shares}.",
        )
    for path in reports.values():
        if measure == JUDGED and (doubt := calibrate(path).doubt):
            raise InputError(f"{path}: {doubt}", hint="`plainloop judge` shows more.")
    sides = {"baseline": _read_turns(next(iter(reports.values())), None, by, measure)}
    sides |= {name: _read_turns(path, CANDIDATE, by, measure) for name, path in reports.items()}
    shared = [
        key
        for key in sides["baseline"]
        if all(key in side and side[key].quality is not None for side in sides.values())
    ]
    if not shared:
        raise InputError(
            f"no turn has a value for {measure} in the baseline and in every candidate",
            hint="Choose another measure, or more conversations.",
        )
    known = [sides["baseline"][key] for key in shared]
    costs: dict[str, float] = {}
    for name, side in sides.items():
        told = [cost for key in shared if (cost := side[key].cost_usd) is not None]
        if name not in prices and not told:
            raise InputError(
                f"the cost of a turn of {name} is unknown",
                hint="Give a price with --model NAME=PRICE.",
            )
        costs[name] = prices[name] if name in prices else sum(told) / len(told)
    return Outcomes(
        costs,
        [turn.features for turn in known],
        {name: [side[key].quality or 0.0 for key in shared] for name, side in sides.items()},
        [turn.task for turn in known],
    )


def _read_turns(
    path: Path, lane: str | None, by: Sequence[str], measure: str
) -> dict[tuple[str, int], Answered]:
    """Read one variant's turns of a report, by (conversation id, turn), for a table of routes.

    lane None: today's, the baseline or the recording.
    """
    head, conversations = list_live_report(path)
    chosen = lane or choose_reference([*head["lanes"]])
    turns: dict[tuple[str, int], Answered] = {}
    for found in conversations:
        unfinished = found["unfinished"].get(chosen)
        if unfinished is not None and unfinished["status"] != "failed":
            continue  # nobody has asked yet
        if "task" in found and not {*by}.isdisjoint(_EARLIER):
            raise InputError(
                f"{path} contains single runs without their earlier turns",
                hint=f"Leave out --by {' and --by '.join(_EARLIER)}, which need earlier turns.",
            )
        for n, turn in enumerate(found["turns"]):
            key = (found["conversation_id"], turn["turn"])
            features = _describe(found, n)
            cost = as_object(turn["lanes"].get(chosen)).get("cost_usd")
            turns[key] = Answered(
                task=name_task(found["conversation_id"], found, get_request(found["turns"])),
                features=tuple(features[name] for name in by),
                quality=_measure(turn, chosen, measure),
                cost_usd=None if cost is None else float(cost),
            )
    return turns


def _describe(found: Mapping[str, Any], n: int) -> dict[str, str]:
    """Describe a turn's request by its features, from the recording, never from candidates."""
    *earlier, turn = found["turns"][: n + 1]
    path: Sequence[str] = turn["lanes"][RECORDING]["path"]
    fast = next((node.removeprefix(_FAST) for node in path if node.startswith(_FAST)), None)
    used = [use["name"] for before in earlier for use in before["lanes"][RECORDING]["tools"]]
    return {
        "worker": next(iter(find_route(path)), ""),
        "intent": name_intent(fast, turn["user"]),
        "language": guess_language(turn["user"]),
        "chars": str(len(turn["user"])),
        "length": name_length(n + 1),
        "tool": name_set(used),
        "tag": name_set(found.get("tags", ())),
    }


def _measure(turn: Mapping[str, Any], lane: str, measure: str) -> float | None:
    """Return a turn's quality from 0 to 1; 0 without an answer, None without such a measure."""
    if lane not in turn["lanes"]:
        return 0.0
    value: float | None = turn["measures"][lane].get(measure)
    if value is None:
        return None
    return 1 - value if BY_NAME[measure].better == "less" else value
