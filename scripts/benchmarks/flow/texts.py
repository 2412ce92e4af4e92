"""The texts of the flows: the user's data, six messages, and what the scripted model answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from plainloop_wire.answer import split_text


def _read(name: str) -> str:
    return (Path(__file__).parent / "data" / name).read_text(encoding="utf-8").strip()


PROFILE: Final = _read("profile.md")
RESUME: Final = _read("resume.md")

JOBS: Final = (
    ("Northwind", "Data Engineer", "saved", "Oslo", 920_000, "Kafka streams, team of six"),
    ("Aurora Energy", "Senior Data Engineer", "saved", "remote", 900_000, "dbt, Airflow, grids"),
    ("Polar Retail", "Analytics Engineer", "saved", "Bergen", 780_000, "dbt, many meetings"),
    ("Skagen Health", "Data Engineer", "applied", "Stavanger", 860_000, "Postgres, registers"),
    ("Tromso Space", "Platform Engineer", "applied", "Tromso", 880_000, "downlinks, Flink"),
    ("Lofoten Foods", "BI Developer", "applied", "Svolvaer", 700_000, "Power BI reports"),
    ("Nordlys Media", "Data Engineer", "interviewing", "Oslo", 870_000, "click streams, Kafka"),
    ("Vestland Rail", "Data Architect", "rejected", "Bergen", 950_000, "ten years asked"),
)  # fmt: skip

# A letter's number, which the reviewer sends back, as the résumé says 38.
WRONG, RIGHT = "by 50 percent", "by 38 percent"
FEEDBACK_MARK: Final = "Reviewer feedback"

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Flow:
    """One message, and how a good model handles it.

    calls: tools of the worker's first answer. answer: its last one. is_long: on a thread of 40
    stored messages. is_new: said in other words each time, so that remembered triage never helps.
    """

    name: str
    message: str
    worker: str
    calls: tuple[Call, ...]
    answer: str
    criteria: str = ""
    is_long: bool = False
    is_new: bool = False

    @property
    def label(self) -> str:
        return f"{self.name}, new sentence" if self.is_new else self.name

    def word(self, number: int) -> Flow:
        """The flow as it is said the n-th time."""
        if not self.is_new:
            return self
        spelled = "".join(chr(ord("a") + int(digit)) for digit in str(number))
        return replace(self, message=f"{self.message} My note on it is called {spelled}.")


FLOWS: Final = (
    Flow(
        "count",
        "How many jobs have I applied to?",
        "tracker",
        (("list_jobs", {"status": "applied"}),),
        "You have applied to 3 jobs.",
    ),
    Flow(
        "lookup",
        "Show me the job at Northwind.",
        "tracker",
        (("list_jobs", {"company": "Northwind"}),),
        "#1 Data Engineer at Northwind (saved): Oslo, up to 920,000 NOK; Kafka streams.",
    ),
    Flow(
        "one tool",
        "I found a Backend Engineer position at Contoso in Berlin, please keep it for me.",
        "tracker",
        (
            (
                "create_job",
                {"company": "Contoso", "title": "Backend Engineer", "location": "Berlin"},
            ),
        ),
        "I saved the job: Backend Engineer at Contoso in Berlin (saved).",
        "The job at Contoso is saved with its title and place.",
    ),
    Flow(
        "three tools",
        "Which of the saved ones suits me best, and why?",
        "search",
        (("list_jobs", {"status": "saved"}), ("read_resume", {}), ("read_user_profile", {})),
        _read("comparison.md"),
        "Ranks the saved jobs by résumé and profile, each with a reason.",
    ),
    Flow(
        "letter",
        "Write a cover letter for the job at Northwind.",
        "letters",
        (("list_jobs", {"company": "Northwind"}), ("read_resume", {})),
        _read("letter.md").format(percent=50),
        "A formal cover letter for Northwind whose facts all stand in the résumé.",
    ),
    Flow(
        "long thread",
        "Good. Please put Northwind to interviewing, they called me today.",
        "tracker",
        (("update_job", {"job_id": 1, "status": "interviewing"}),),
        "I moved #1 Data Engineer at Northwind to interviewing.",
        "The Northwind job has the status interviewing.",
        is_long=True,
    ),
)

# The turn before the flow's in the long thread.
PREVIOUS: Final = Flow(
    "previous turn",
    "And what do you have on those where I applied and heard nothing?",
    "tracker",
    (("list_jobs", {"status": "applied"}),),
    "Three are open: #4 at Skagen Health, #5 at Tromso Space and #6 at Lofoten Foods (applied).",
    "Names the jobs applied to.",
)


def renew(flows: Sequence[Flow] = FLOWS) -> list[Flow]:
    """The tool call and the letter as a user says them for the first time: triage asks the model,
    which counts and look-ups never do.
    """
    return [replace(flow, is_new=True) for flow in flows if flow.name in ("one tool", "letter")]


def lengthen(pieces: int) -> tuple[Flow, ...]:
    """The tool call and the letter with answers that stream in that many pieces."""
    return tuple(_lengthen(flow, pieces) for flow in FLOWS if flow.name in ("one tool", "letter"))


def _lengthen(flow: Flow, pieces: int) -> Flow:
    answer, words = flow.answer, cycle(PROFILE.split())
    while len(list(split_text(answer))) < pieces:
        answer += f" {next(words)}"
    return replace(flow, answer=answer)


def build_script(flows: Sequence[Flow] = FLOWS) -> list[dict[str, Any]]:
    """The scripted model's steps; the same for every implementation, whatever it asks."""
    passed = {"verdict": "pass", "feedback": "", "score": 0.95}
    retry = {
        "verdict": "retry",
        "feedback": 'The résumé says that the warehouse bill was cut by 38 percent, not "50".',
        "score": 0.4,
    }
    steps: list[dict[str, Any]] = [
        _step({"schema": "verdict", "user": WRONG}, json=retry),
        _step({"schema": "verdict"}, json=passed),
        _step({"system": "^You review", "schema": False, "user": WRONG}, json=retry),
        _step({"system": "^You review", "schema": False}, json=passed),
        *(
            _step({"user": FEEDBACK_MARK}, text=flow.answer.replace(WRONG, RIGHT))
            for flow in flows
            if WRONG in flow.answer
        ),
    ]
    for flow in (*flows, PREVIOUS):
        said = flow.message.replace("?", "[?]")
        route = {"worker": flow.worker, "success_criteria": flow.criteria, "fast_intent": "none"}
        route |= {"entity_type": "none", "filters": []}
        calls = [{"name": name, "arguments": arguments} for name, arguments in flow.calls]
        steps += [
            _step({"schema": "worker", "user": said}, json=route),
            _step({"system": "^You route", "schema": False, "user": said}, json=route),
            _step({"after_tool": False, "user": said}, tool_calls=calls),
            _step({"after_tool": True, "user": said}, text=flow.answer),
        ]
    return steps


def _step(match: dict[str, Any], **answer: Any) -> dict[str, Any]:
    return {"match": match, "answer": answer, "times": None}
