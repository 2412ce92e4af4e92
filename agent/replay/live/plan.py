"""A live replay as it is written down: what every process that works on it must do alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from ...core.spec import Pack
from ...service.variants import Variant as LanePlan
from ..sources.tool_schemas import ToolShape, make_closed_tool
from .lane import HistoryMode

BASELINE: Final = "baseline"
CANDIDATE: Final = "candidate"
JUDGE: Final = "judge"  # its items wait for those of the lanes that it judges
JUDGE_PROVIDER: Final = "AGENT_AGENTS_EVALUATOR_PROVIDER"
JUDGE_MODEL: Final = "AGENT_AGENTS_EVALUATOR_MODEL"


@dataclass(frozen=True, slots=True)
class LivePlan:
    """Says how a live replay is run. shapes: an imported source's tools; () for stored threads,
    whose pack has its own.
    """

    lanes: dict[str, LanePlan]
    history: HistoryMode = "recorded"
    allow_reads: bool = False
    shapes: tuple[ToolShape, ...] = ()
    requests_per_minute: int | None = None  # per provider and process; None: no limit
    sandbox: bool = False  # tools run for real, on a copy of the tenant's rows for each item
    judge: LanePlan | None = None  # prompts: `judge`, the rubric; None: nobody judges
    batch_api: bool = False  # models are asked by their providers' batch APIs, batch by batch
    # Calls wait while more live runs than this are at work in the process; None: they do not.
    beside: int | None = None

    @property
    def all_lanes(self) -> dict[str, LanePlan]:
        """The lanes that answer, and the judge's."""
        return self.lanes if self.judge is None else {**self.lanes, JUDGE: self.judge}

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> LivePlan:
        rest = dict(given)
        lanes = {name: LanePlan(**lane) for name, lane in rest.pop("lanes").items()}
        shapes = tuple(ToolShape(**shape) for shape in rest.pop("shapes"))
        judge = rest.pop("judge", None)
        return cls(
            lanes=lanes, shapes=shapes, judge=None if judge is None else LanePlan(**judge), **rest
        )


def make_judge(model: str, rubric: str | None) -> LanePlan:
    """Make the plan of the lane that judges. model: `provider:model`, or a provider with its
    default one. rubric None: our own.
    """
    provider, _, name = model.partition(":")
    settings = {JUDGE_PROVIDER: provider} | ({JUDGE_MODEL: name} if name else {})
    return LanePlan(settings, {} if rubric is None else {JUDGE: rubric})


def make_imported_pack(shapes: tuple[ToolShape, ...]) -> Pack:
    """The tools of an imported source: known by their schemas, executable by nobody."""
    return Pack("imported", "Imported tools", (), "react", tuple(map(make_closed_tool, shapes)))
