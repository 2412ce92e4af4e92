"""The search for advice, on replays that services work on, and what it costs."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections import ChainMap
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import msgspec

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import AccessDenied
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.service.service import Service
from plainloop.agent.service.variants import split_effort
from plainloop.agent.store.store import Store
from plainloop.server.auth.models import check_allowed
from plainloop.server.routes.config import read_screens

from ..advise.doubts import list_method_doubts, list_unjudged
from ..advise.preparing import Refuse, Serving, Task, fit_tasks, load_tasks, make_rules
from ..advise.roles import find_role, resolve_model
from ..advise.search import advise
from ..advise.steps import name_step, plan_step
from ..advise.verdict import describe_advice
from ..advise.wanted import Wanted
from ..decide.outcomes import Place, Side, read_side
from ..decide.rules import Rules
from ..decide.tuning import OutOfMoney
from ..live.plan import BASELINE, CANDIDATE, JUDGE, LanePlan, LivePlan, make_judge
from ..report.live_report import report_replay
from ..settings import ReplayLimits
from ..store import advices as store_advices
from ..store import replays as store_replays
from .advice_host import AdviceHost, AdviceLost
from .hosting import make_hosting, open_hosted_lanes
from .worker import NewItem, write_replay

logger = logging.getLogger(__name__)

CONCURRENCY: Final = 4  # conversations at once, per process


async def prepare_tasks(
    service: Service, tenant_id: str, wanted: Wanted, refuse: Refuse = lambda worker, name: None
) -> list[Task]:
    """Load what advice needs for each worker: its traffic, and candidate models.

    Only models that can answer in this service are candidates. Raises: NotFoundError; InputError
    for a margin or a judge that is none, and where there is no candidate.
    """
    make_rules(wanted)
    packs = {pack.name: pack for pack in service.packs}
    serving = Serving(service.settings, service.models, packs)
    tasks = await load_tasks(service.store, tenant_id, wanted, serving, {}, refuse)
    return await fit_tasks(tasks, wanted, lambda plan: open_hosted_lanes(plan, service))


def make_refusal(service: Service, settings: Settings, *, is_admin: bool) -> Refuse:
    """Make the check of whether `[auth]` allows a worker's candidate."""

    def refuse(worker: str, name: str) -> str | None:
        model, _ = split_effort(name)
        own = resolve_model(service.models, worker)
        provider, _, rest = model.partition(":")
        if provider not in PROVIDER_DEFAULTS:  # of today's provider
            provider, rest = own.provider, model or own.model
        try:
            check_allowed(settings, service.models, provider, rest, is_admin=is_admin)
        except AccessDenied as error:
            return error.message
        return None

    return refuse


async def check_judge(service: Service, wanted: Wanted) -> None:
    """Check that an administrator may choose the judge. Raises: AccessDenied MODEL_NOT_ALLOWED."""
    if wanted.judge is not None:
        judged = LivePlan({CANDIDATE: LanePlan()}, judge=make_judge(wanted.judge, None))
        handle = (await open_hosted_lanes(judged, service))[JUDGE].models.resolve("evaluator")
        named = (handle.provider, handle.model)
        check_allowed(service.settings, service.models, *named, is_admin=True)


async def search_advice(host: AdviceHost, service: Service, tenant_id: str, advice_id: str) -> None:
    """Replay what the advice needs until it has a result, and store the result.

    Raises: AdviceLost, ReplayStopped, AgentError.
    """
    rows = service.store.read(tenant_id)
    await host.keep_claim(tenant_id, advice_id)
    info = await store_advices.load_advice(rows, None, advice_id)
    wanted = msgspec.convert(info.request, Wanted)
    if info.tasks is None:
        # A schedule's, which only an administrator may have made.
        refuse = make_refusal(service, service.settings, is_admin=True)
        await check_judge(service, wanted)
        tasks = await prepare_tasks(service, tenant_id, wanted, refuse)
        await store_advices.save_tasks(rows, advice_id, msgspec.to_builtins(tasks))
    else:
        tasks = msgspec.convert(info.tasks, list[Task])
    rules = make_rules(wanted)
    bench = HostedBench(host, service, tenant_id, info, wanted, rules, tasks)
    findings = await advise(bench, rules, [task.question for task in tasks])
    result = describe_advice(
        findings,
        rules,
        {task.question.worker: task.traffic for task in tasks},
        float(await store_replays.sum_spending(rows, bench.steps.values())),
        [*list_method_doubts(wanted, tasks), *await list_unjudged(rows, wanted)],
        is_successor=wanted.successor,
    )
    await store_advices.finish_advice(rows, advice_id, "succeeded", result)


class HostedBench:
    """`advise.search.Bench` over replays that services work on."""

    def __init__(
        self,
        host: AdviceHost,
        service: Service,
        tenant_id: str,
        info: store_advices.AdviceInfo,
        wanted: Wanted,
        rules: Mapping[str, Rules],
        tasks: Sequence[Task],
    ) -> None:
        self._host, self._service, self._tenant_id = host, service, tenant_id
        self._info, self._wanted, self._rules = info, wanted, rules
        self._drawn = {task.question.worker: task.question.conversations for task in tasks}
        self.steps = dict(info.steps)

    async def answer(self, worker: str, candidate: str, part: Sequence[str]) -> tuple[Side, Side]:
        """Replay conversations with today's model and the candidate.

        Returns the outcomes of both. Raises: OutOfMoney, AdviceLost, ReplayStopped.
        """
        step = name_step(self._drawn[worker], worker, candidate, part)
        replay_id = self.steps.get(step) or await self._begin(step, worker, candidate, part)
        store, tenant_id = self._service.store, self._tenant_id
        info = await self._host.finish_replay(tenant_id, self._info.advice_id, replay_id)
        if info.status == "stopped":
            raise OutOfMoney(await store_replays.load_stop(store.read(tenant_id), replay_id))
        with tempfile.TemporaryDirectory() as text:
            folder = Path(text)
            await report_replay(store, tenant_id, info, folder)
            today, mine = [
                await asyncio.to_thread(
                    read_side,
                    Place(folder, lane),
                    self._rules[find_role(worker)],
                    is_baseline=lane == BASELINE,
                )
                for lane in (BASELINE, CANDIDATE)
            ]
        return today, mine

    async def _begin(self, step: str, worker: str, candidate: str, part: Sequence[str]) -> str:
        """Create a step's replay and record its name with the advice, in one transaction.

        Raises: OutOfMoney, AdviceLost.
        """
        store, tenant_id = self._service.store, self._tenant_id
        spent = await store_replays.sum_spending(store.read(tenant_id), self.steps.values())
        left = Decimal(str(self._wanted.max_cost_usd)) - spent
        if left <= 0:
            raise OutOfMoney("the cost limit is reached", hint="Raise `max_cost_usd`.")
        plan = plan_step(self._wanted, worker, candidate, self.steps)
        limits = self._service.settings.get_table(ReplayLimits)
        at_once = limits.batch_conversations if plan.batch_api else CONCURRENCY
        advice_id = self._info.advice_id
        titles = ChainMap(*(read_screens(pack).words for pack in self._service.packs))
        drawn = self._drawn[worker]
        first = drawn.index(part[0])
        place = f"conversations {first + 1} to {first + len(part)} of {len(drawn)}"
        known = {"name": f"{plan.describe(None, titles)}, {place}", "advice": advice_id}
        async with store.transaction(tenant_id) as tx:
            if await store_advices.hold_steps(tx, advice_id, self._service.owner) is None:
                raise AdviceLost
            replay_id = await write_replay(
                tx,
                self._info.user_id,
                [NewItem(thread_id=thread_id) for thread_id in part],
                plan,
                f"advice on {worker}: {candidate}",
                left,
                {**make_hosting(at_once), **known},
            )
            self.steps[step] = replay_id
            await store_advices.save_steps(tx, advice_id, self.steps)
        return replay_id


async def cancel_advice(store: Store, tenant_id: str, info: store_advices.AdviceInfo) -> bool:
    """Cancel advice and the replays that it has started.

    Returns False if the advice had ended.
    """
    async with store.transaction(tenant_id) as tx:
        told = ("CANCELLED", "it was cancelled")
        if not await store_advices.finish_advice(tx, info.advice_id, "cancelled", None, told):
            return False
        steps = (await store_advices.load_advice(tx, None, info.advice_id)).steps
        for replay_id in steps.values():
            if await store_replays.cancel_replay(tx, None, replay_id):
                await store_replays.finish_replay(tx, replay_id)
    return True


async def begin_advice(
    store: Store,
    tenant_id: str,
    user_id: str,
    wanted: Wanted,
    tasks: Sequence[Task] | None,
    max_open: int,
) -> str:
    """Store new advice, and return its id.

    The service's processes will search for its result. Raises: TooManyRequests.
    """
    request: dict[str, Any] = msgspec.to_builtins(wanted)
    kept = None if tasks is None else msgspec.to_builtins(list(tasks))
    async with store.transaction(tenant_id) as tx:
        return await store_advices.insert_advice(tx, user_id, request, kept, max_open)
