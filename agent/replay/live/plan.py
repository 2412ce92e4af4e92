"""A live replay as it is written down: what every process that works on it must do alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from ...config.settings import Settings, load_settings
from ...core.models import connect_models
from ...core.spec import Pack
from ...core.tools import Tool, ToolContext
from ...designs.base import load_design
from ...errors import ConfigError
from ...packs import load_served_packs
from ...providers.defaults import PROVIDER_DEFAULTS
from ...providers.registry import preload
from ..batches.chat import ROLES, check_batching, with_patience
from ..sources.tool_schemas import ToolShape
from .lane import HistoryMode, Lane

BASELINE: Final = "baseline"
CANDIDATE: Final = "candidate"
JUDGE: Final = "judge"  # its items wait for those of the lanes that it judges


@dataclass(frozen=True, slots=True)
class LanePlan:
    """What a lane changes. settings: `AGENT_…` variables over those of the working process, so
    that keys are never written down. prompts: by worker, `react` for an imported source.
    """

    settings: dict[str, str] = field(default_factory=dict[str, str])
    prompts: dict[str, str] = field(default_factory=dict[str, str])
    design: str | None = None


@dataclass(frozen=True, slots=True)
class LivePlan:
    """shapes: an imported source's tools; () for stored threads, whose pack has its own."""

    lanes: dict[str, LanePlan]
    history: HistoryMode = "recorded"
    allow_reads: bool = False
    shapes: tuple[ToolShape, ...] = ()
    requests_per_minute: int | None = None  # per provider and process; None: no limit
    sandbox: bool = False  # tools run for real, on a copy of the tenant's rows for each item
    judge: LanePlan | None = None  # prompts: `judge`, the rubric; None: nobody judges
    batch_api: bool = False  # models are asked by their providers' batch APIs, wave by wave

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


async def open_lane(name: str, plan: LanePlan, environ: Mapping[str, str]) -> Lane:
    """The lane's models and packs, made from this process's settings with the plan's over them.

    Raises: ConfigError, also for a design that is not there or a prompt of a worker that no pack
    has.
    """
    settings = drop_access(load_settings({**environ, **plan.settings}), plan, environ)
    models = await connect_models(settings)
    models.resolve("evaluator" if name == JUDGE else "worker")
    if name == JUDGE:
        return Lane(name, settings, models, {}, prompts=plan.prompts)
    packs = {pack.name: pack for pack in load_served_packs(settings)}
    check_prompts(plan, packs)
    if plan.design is not None:
        load_design(plan.design)
    return Lane(name, settings, models, packs, plan.design, plan.prompts)


def drop_access(settings: Settings, plan: LanePlan, environ: Mapping[str, str]) -> Settings:
    """A lane of another provider does not send it the key, or go to the address, that the working
    process has for its own; what the lane itself sets stays, and so do the providers' own
    variables.
    """
    named = plan.settings.get("AGENT_PROVIDER")
    if named is None or named == load_settings(environ).provider:
        return settings
    variables = {
        "api_key": "AGENT_API_KEY",
        "api_base": "AGENT_API_BASE",
        "protocol": "AGENT_PROTOCOL",
    }
    given = {field for field, name in variables.items() if name in plan.settings}
    return replace(settings, **dict.fromkeys(variables.keys() - given))


def check_prompts(plan: LanePlan, packs: Mapping[str, Pack]) -> None:
    """Raises: ConfigError for a prompt of a worker that no pack has."""
    known = {"react", *(worker.name for pack in packs.values() for worker in pack.workers)}
    unknown = sorted(set(plan.prompts) - known)
    if unknown:
        raise ConfigError(
            f"there is no worker {unknown[0]!r} to give a prompt to",
            hint=f"known: {', '.join(sorted(known))}",
        )


async def open_lanes(
    plan: LivePlan, environ: Mapping[str, str], *, is_imported: bool = False
) -> dict[str, Lane]:
    """All lanes of the plan, the judge's among them.

    is_imported: the source will be a file, whose shapes the plan does not have yet.

    Raises: ConfigError, also for a provider without a batch API in a plan that needs one.
    """
    lanes = {name: await open_lane(name, lane, environ) for name, lane in plan.all_lanes.items()}
    for provider in {lane.models.provider for lane in lanes.values()} & set(PROVIDER_DEFAULTS):
        await preload(provider)  # an import in its first call would count as a lane's latency
    return fit_lanes(plan, lanes, is_imported=is_imported)


def fit_lanes(
    plan: LivePlan, lanes: Mapping[str, Lane], *, is_imported: bool = False
) -> dict[str, Lane]:
    """The lanes with the limits that the plan asks for. Raises: as `open_lanes`."""
    fitted = dict(lanes)
    if plan.shapes:
        fitted = {name: lift_tool_budget(lane) for name, lane in fitted.items()}
    if plan.batch_api:
        for name, lane in fitted.items():
            answering = ("worker",) if plan.shapes or is_imported else ROLES
            check_batching(lane, ("evaluator",) if name == JUDGE else answering)
            fitted[name] = replace(lane, settings=with_patience(lane.settings))
    return fitted


def make_imported_pack(shapes: tuple[ToolShape, ...]) -> Pack:
    """The tools of an imported source: known by their schemas, executable by nobody."""
    return Pack("imported", "Imported tools", (), "react", tuple(map(_make_tool, shapes)))


def lift_tool_budget(lane: Lane) -> Lane:
    """An imported source's results are what the model saw then: they are not cut again."""
    limits = replace(lane.settings.limits, tool_result_tokens=2**31)
    return replace(lane, settings=replace(lane.settings, limits=limits))


def _make_tool(shape: ToolShape) -> Tool:
    async def nobody(tool: ToolContext, /, **_: Any) -> Any:
        raise NotImplementedError(f"{shape.name} is known by its schema only")

    return Tool(shape.name, shape.description, shape.effect, nobody, parameters=shape.parameters)
