"""`/api/advice`: which model, at which effort, for which worker. Planned, begun, followed, read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec

from plainloop.agent.core.api import ApiFile, ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import ConflictError, InputError
from plainloop.server.http.endpoint import AppContext
from plainloop.server.routes.choosing import choose_user

from ..advise.doubts import list_doubts
from ..advise.preparing import Task, describe_plan, make_rules
from ..advise.rendering import (
    list_rows,
    render_headline,
    render_junit,
    render_markdown,
    render_money,
    render_plan,
    render_rules,
    render_settings,
)
from ..advise.roles import WORKER
from ..advise.wanted import Wanted
from ..advise.watching import watch_switches
from ..comparing.measures import JUDGED
from ..live.plan import CANDIDATE, LanePlan, LivePlan, make_judge
from ..service.advising import begin_advice, cancel_advice, make_refusal, prepare_tasks
from ..service.hosting import check_budgets
from ..settings import ReplayLimits
from ..store import advices as store_advices
from ..store.advices import AdviceInfo
from ..store.replays import list_costs
from .advice_shapes import (
    AdviceDetail,
    AdviceList,
    AdvicePlan,
    AdviceQuery,
    AdvicesQuery,
    AdviceState,
    AdviceStep,
    Advised,
    NewAdvice,
)
from .allowed import check_plan

ALL: Final = "/api/advice"
PLAN: Final = ALL + "/plan"  # a POST: no advice has this name
ONE: Final = ALL + "/{advice_id}"
_OTHERS: Final = "only an administrator can replay the conversations of other users"
_MEDIA: Final = {
    "rules": ("application/toml", "rules.toml"),
    "markdown": ("text/markdown; charset=utf-8", "advice.md"),
    "junit": ("application/xml", "advice.xml"),
}


@dataclass(frozen=True, slots=True)
class AdviceRoutes:
    """The routes of advice."""

    app: AppContext
    poke: Callable[[], None]  # tells the host that there is something to do
    # Plans made at once: each reads up to MAX_PLANNED conversations of each worker.
    plans: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))

    def list_routes(self) -> tuple[ApiRoute, ...]:
        """List the routes of `/api/advice`."""
        return (
            ApiRoute("POST", PLAN, self.plan, "Show what advice would try, and its cost limit"),
            ApiRoute("POST", ALL, self.begin, "Start advice on models", status=202),
            ApiRoute("GET", ALL, list_all, "List advice"),
            ApiRoute(
                "GET",
                ONE,
                read_one,
                "Read advice, its settings and what came of a switch",
                files=tuple(media_type for media_type, _ in _MEDIA.values()),
            ),
            ApiRoute("POST", ONE + "/cancel", cancel, "Cancel advice"),
        )

    async def plan(self, request: ApiRequest, body: NewAdvice) -> AdvicePlan:
        """Plan the replays that advice needs and estimate their cost, without calling a model."""
        wanted = to_wanted(request, body)
        return await asyncio.to_thread(to_plan, await self._prepare(request, wanted), wanted)

    async def begin(self, request: ApiRequest, body: NewAdvice) -> AdviceDetail:
        """Store new advice and return it as the API shows it.

        The service's processes then search for its result.
        """
        self.app.messages.take(*request.owner)
        await check_budgets(request.db, request.user_id)
        wanted = to_wanted(request, body)
        if wanted.max_cost_usd <= 0:
            raise InputError(
                "max_cost_usd must be above 0",
                hint=f"Set a limit; `POST {PLAN}` shows the plan without calling a model.",
            )
        tasks = await self._prepare(request, wanted)
        most = self.app.settings.get_table(ReplayLimits).replays_per_user
        advice_id = await begin_advice(request.store, *request.owner, wanted, tasks, most)
        self.poke()
        return await describe(request, await load_own(request, advice_id))

    async def _prepare(self, request: ApiRequest, wanted: Wanted) -> list[Task]:
        if wanted.judge is not None:
            judged = LivePlan({CANDIDATE: LanePlan()}, judge=make_judge(wanted.judge, None))
            await check_plan(request, self.app.service, judged)
        refuse = make_refusal(self.app.service, request.settings, is_admin=request.is_admin)
        async with self.plans:
            return await prepare_tasks(self.app.service, request.tenant_id, wanted, refuse)


def to_wanted(request: ApiRequest, body: NewAdvice) -> Wanted:
    """Convert a request's body to `Wanted`, the parameters of advice.

    Raises: AccessDenied for others' conversations.
    """
    values = msgspec.structs.asdict(body)
    values["user_id"] = choose_user(request, body.user_id, _OTHERS)
    values |= {name: tuple(values[name]) for name in ("candidates", "workers")}
    return Wanted(**values)


def to_plan(tasks: list[Task], wanted: Wanted) -> AdvicePlan:
    """Convert tasks to the plan of advice that the API returns."""
    plan = describe_plan(tasks, wanted, make_rules(wanted))
    return msgspec.convert({**plan, "lines": render_plan(plan)}, AdvicePlan)


async def load_own(request: ApiRequest, advice_id: str) -> AdviceInfo:
    """Load the advice of this id, if the user may read it.

    Users can read their own advice, administrators that of every user of the tenant. Raises:
    NotFoundError.
    """
    user_id = None if request.is_admin else request.user_id
    return await store_advices.load_advice(request.db, user_id, advice_id)


async def list_all(request: ApiRequest, query: AdvicesQuery) -> AdviceList:
    """List the advice that the user started, newest first.

    An administrator gets the advice of all users of the tenant.
    """
    user_id = None if request.is_admin else request.user_id
    found = await store_advices.list_advices(request.db, user_id, query.limit)
    return AdviceList([to_state(info) for info in found])


async def read_one(request: ApiRequest, query: AdviceQuery) -> AdviceDetail | ApiFile:
    """Return one advice, or its result as a file in the requested format.

    Raises: ConflictError for a file of what has no result.
    """
    info = await load_own(request, request.params["advice_id"])
    if query.format is None:
        return await describe(request, info)
    if info.result is None:
        raise ConflictError("the advice is not ready yet", hint="Wait until it has ended.")
    media_type, name = _MEDIA[query.format]
    if query.format == "junit":
        return ApiFile(render_junit(info.result), media_type, name)
    render = render_rules if query.format == "rules" else render_markdown
    return ApiFile(render(info.result).encode(), media_type, name)


async def cancel(request: ApiRequest) -> AdviceDetail:
    """Cancel the advice that the request names.

    Raises: ConflictError when it has ended.
    """
    info = await load_own(request, request.params["advice_id"])
    if not await cancel_advice(request.store, request.tenant_id, info):
        raise ConflictError(
            "the advice is finished and cannot be cancelled", hint="Read its result instead."
        )
    return await describe(request, await load_own(request, info.advice_id))


async def describe(request: ApiRequest, info: AdviceInfo) -> AdviceDetail:
    """Describe advice for the API: its plan, cost and result.

    Includes the traffic since models were switched.
    """
    wanted, result = msgspec.convert(info.request, Wanted), info.result
    tasks = None if info.tasks is None else msgspec.convert(info.tasks, list[Task])
    # As lists of replays have it: with bounds of open calls the sum would fall when they end.
    costs = await list_costs(request.db, list(info.steps.values()))
    return AdviceDetail(
        advice=to_state(info),
        plan=None if tasks is None else await asyncio.to_thread(to_plan, tasks, wanted),
        spent_usd=float(sum(cost or 0 for cost in costs.values())),
        steps=[AdviceStep(name, replay_id) for name, replay_id in info.steps.items()],
        result=result,
        table=[] if result is None else list_rows(result),
        money=[] if result is None else render_money(result),
        settings="" if result is None else "\n".join(render_settings(result)),
        doubts=[] if result is None else list_doubts(result),
        watched=[] if result is None else await watch_switches(request.db, result, wanted.user_id),
    )


def to_state(info: AdviceInfo) -> AdviceState:
    """Convert stored advice to its entry in a list."""
    wanted, result = msgspec.convert(info.request, Wanted), info.result
    tasks = msgspec.convert(info.tasks or [], list[Task])
    return AdviceState(
        id=info.advice_id,
        user_id=info.user_id,
        status=info.status,
        successor=wanted.successor,
        max_cost_usd=wanted.max_cost_usd,
        workers=[
            Advised(
                task.question.worker,
                task.traffic.model,
                [candidate.name for candidate in task.question.candidates],
            )
            for task in tasks
        ],
        verdict=None if result is None else result["verdict"],
        headline=None if result is None else render_headline(result),
        saves_usd=None if result is None else result["saves_usd"],
        unread=result is not None
        and all(demand["measure"] != JUDGED for demand in result.get("demands", ()))
        and any((it["kind"], it.get("role")) == ("switch", WORKER) for it in result["workers"]),
        error=info.error_message,
        created_at=info.created_at,
        ended_at=info.ended_at,
    )
