"""`/api/replays`: live replays begun, watched and read over HTTP."""

from __future__ import annotations

import asyncio
import logging
import re
import tempfile
from collections import ChainMap, Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import orjson

from plainloop.agent.core.api import ApiFile, ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.errors import (
    AccessDenied,
    ConfigError,
    ConflictError,
    InputError,
    NotFoundError,
)
from plainloop.agent.packs.prompts import list_workers
from plainloop.agent.store.database import parse_id
from plainloop.agent.store.threads import describe_threads, make_missing_thread
from plainloop.server.http.endpoint import AppContext
from plainloop.server.routes.choosing import choose_user, to_aware
from plainloop.server.routes.config import read_screens
from plainloop_lab.replay.engine.stored import leave_out
from plainloop_lab.replay.report.recorded_report import describe_left_out
from plainloop_lab.replay.report.report_files import PAGE_FILE, REPORT_FILE, TURNS_FILE
from plainloop_lab.replay.sources.conversations import Conversation
from plainloop_lab.replay.sources.openai_format import parse_conversation, to_openai
from plainloop_lab.replay.sources.sampling import choose_places, choose_threads
from plainloop_lab.replay.sources.tool_inference import INFERRED, infer_tools
from plainloop_lab.replay.sources.tool_schemas import read_tool_file

from ..batches.batch_run import cancel_orphans
from ..decide.estimating import CostEstimate, check_limit, estimate_replay
from ..live.lane import Lane
from ..live.plan import (
    BASELINE,
    CANDIDATE,
    LanePlan,
    LivePlan,
    choose_drift,
    describe_source,
    limit_to_routing,
    make_judge,
)
from ..report.live_report import report_replay
from ..report.rules import count_needed, decide_replacement
from ..service.hosting import (
    check_budgets,
    describe_candidate,
    make_candidate,
    make_hosting,
    open_hosted_lanes,
)
from ..service.worker import NewItem, create_replay, drop_left_sandboxes
from ..settings import ReplayLimits
from ..store import replays as store_replays
from ..store.recordings import ThreadFilter, list_replay_threads
from ..store.replays import ReplayInfo
from .allowed import check_plan
from .conversations import load_own
from .reports import KeptReports
from .running_parts import list_running_parts
from .setup import describe_setup, require_same_setup
from .shapes import (
    NewReplay,
    PromptList,
    PromptText,
    ReplayDetail,
    ReplayEstimate,
    ReplayList,
    ReplaysQuery,
    ReplayState,
    ReportQuery,
    Resumption,
    ThreadSource,
)

logger = logging.getLogger(__name__)

ALL: Final = "/api/replays"
ONE: Final = "/api/replays/{replay_id}"
CONCURRENCY: Final = 4
MICRO: Final = Decimal("0.000001")  # USD, to which estimates are rounded
CANCEL_WAIT_S: Final = 20.0  # for providers, until the answer to a request that cancels
_FILES: Final = {
    "json": (REPORT_FILE, "application/json"),
    "csv": (TURNS_FILE, "text/csv; charset=utf-8"),
    "html": (PAGE_FILE, "text/html; charset=utf-8"),
}


@dataclass(frozen=True, slots=True)
class PreparedReplay:
    """A replay that a request describes. items: those drawn from the `stored` that match."""

    plan: LivePlan
    lanes: Mapping[str, Lane]
    items: list[NewItem]
    stored: int
    source: str


@dataclass(frozen=True, slots=True)
class ReplayRoutes:
    """The routes of live replays."""

    app: AppContext
    poke: Callable[[], None]  # tells the host that there is something to do
    reports: KeptReports = field(default_factory=KeptReports)

    def list_routes(self) -> tuple[ApiRoute, ...]:
        """List the routes of `/api/replays`."""
        return (
            ApiRoute("POST", ALL, self.begin, "Start a live replay", status=202),
            ApiRoute(
                *("POST", ALL + "/estimate", self.estimate),
                "Estimate what a live replay will cost; nothing is bought",
            ),
            ApiRoute("GET", ALL, list_all, "List live replays"),
            ApiRoute(
                "GET",
                ONE,
                self.read_one,
                "Read a live replay and its report",
                files=tuple(media_type for _, media_type in _FILES.values()),
            ),
            ApiRoute("POST", ONE + "/cancel", self.cancel, "Cancel a live replay"),
            ApiRoute(
                *("POST", ONE + "/resume", self.resume),
                "Continue an ended live replay; what was paid is kept",
            ),
            ApiRoute(
                *("GET", "/api/prompts", self.list_prompts),
                "List the prompts that a live replay may change (admins)",
            ),
        )

    async def begin(self, request: ApiRequest, body: NewReplay) -> ReplayState:
        """Store a new live replay and return its state.

        Any process of the service works on it.
        """
        self.app.messages.take(*request.owner)
        await check_budgets(request.db, request.user_id)
        found = await self._prepare(request, body)
        plan, items = found.plan, found.items
        limits = self.app.settings.get_table(ReplayLimits)
        if body.sandbox and not request.is_admin and len(items) > limits.replay_sandboxes:
            raise InputError(
                f"a replay with `sandbox` copies rows for each of its {len(items)} conversations, "
                f"and at most {limits.replay_sandboxes} are allowed",
                hint="Choose fewer with `sample`, or ask an administrator to start the replay "
                "or to raise limits.replay_sandboxes.",
                code="TOO_MANY_SANDBOXES",
            )
        about_usd: str | None = None
        if limit_usd := to_decimal(body.max_cost_usd):  # refused before anything is paid
            estimate = await self._estimate(request, found)
            check_limit(estimate, limit_usd)
            about_usd = to_text(estimate.about_usd)
        at_once = limits.batch_conversations if body.batch_api else CONCURRENCY
        # A user without access to the current prompts must not learn from a name what differs.
        present = self._list_prompts() if request.is_admin else []
        texts = {prompt.name: prompt.text for prompt in present}
        today = {prompt: texts[prompt] for prompt in body.prompts if prompt in texts}
        titles = ChainMap(*(read_screens(pack).words for pack in self.app.service.packs))
        described = await asyncio.to_thread(plan.describe, texts, titles)  # a second if long
        name = f"{described}, {f'{datetime.now(UTC):%d %B %Y}'.lstrip('0')}"
        name = ": ".join(filter(None, (body.name.strip(), name)))
        hosting = make_hosting(at_once if body.concurrency is None else body.concurrency)
        replay_id = await create_replay(
            request.store,
            request.tenant_id,
            request.user_id,
            items,
            plan,
            found.source,
            limit_usd,
            {
                **hosting,
                "name": name,
                "own_name": body.name.strip(),
                "today": today,
                "about_usd": about_usd,
                "setup": describe_setup(found.lanes, self.app.service.packs),
                "conversations": len(items),
            },
            limits.replays_per_user,
        )
        self.poke()
        return await to_state(request, await load_own(request, replay_id))

    async def estimate(self, request: ApiRequest, body: NewReplay) -> ReplayEstimate:
        """Estimate what a live replay of this body costs, and the lowest limit it can have."""
        found = await self._prepare(request, body)
        estimate = await self._estimate(request, found)
        limit = self.app.settings.get_table(ReplayLimits).replay_worse
        more = count_needed(0, 1, limit)
        candidate = found.plan.to_json()["lanes"][CANDIDATE]
        tried = store_replays.find_candidate_replay(request.db, request.user_id, candidate)
        return ReplayEstimate(
            *(estimate.conversations, found.stored, estimate.touched),
            about_usd=to_text(estimate.about_usd),
            low_usd=to_text(estimate.low_usd),
            high_usd=to_text(estimate.high_usd),
            most_usd=to_text(estimate.most_usd),
            basis=estimate.basis,
            least_usd=to_text(estimate.least_usd),
            unpriced=estimate.unpriced,
            needed=None if more is None else more + 1,
            tried_id=await tried,
        )

    async def _estimate(self, request: ApiRequest, found: PreparedReplay) -> CostEstimate:
        present = self._list_prompts() if request.is_admin else []
        prompts = {prompt.name: prompt.text for prompt in present}
        ids = [item.thread_id for item in found.items]
        whole = found.plan, found.lanes, self.app.service.models, prompts, ids
        return await estimate_replay(request.db, *whole)

    async def _prepare(self, request: ApiRequest, body: NewReplay) -> PreparedReplay:
        """Read and check what a request would replay.

        Raises: InputError, AccessDenied, NotFoundError for an impossible replay.
        """
        # A body of a megabyte has a thousand of them, which takes seconds.
        conversations = await asyncio.to_thread(read_conversations, body)
        drift = self.app.settings.get_table(ReplayLimits).replay_drift
        plan = await asyncio.to_thread(build_plan, body, conversations, drift)
        if body.like is not None and BASELINE in plan.lanes:
            plan = replace(plan, answers_from=((await load_own(request, body.like)).replay_id,))
        lanes = await check_plan(request, self.app.service, plan)
        left_out: dict[str, list[str]] = {}
        if conversations:
            lines = await asyncio.to_thread(lambda: [*map(to_openai, conversations)])
            items = [NewItem(conversation=line) for line in lines]
        else:
            packs = {pack.name: pack for pack in self.app.service.packs}
            chosen = await select_threads(request, body)
            kept, left_out = await leave_out(request.db, chosen, packs)
            items = [NewItem(thread_id=found) for found in kept]
        places = choose_places(len(items), body.sample, body.seed)
        source = "conversations of the request" if conversations else "stored threads"
        source = describe_source(source, body.sample, body.seed)
        return PreparedReplay(
            plan,
            lanes,
            [item for place, item in enumerate(items) if place in places],
            len(items),
            ", ".join([source, *describe_left_out(left_out)]),
        )

    async def read_one(self, request: ApiRequest, query: ReportQuery) -> ReplayDetail | ApiFile:
        """Return one replay, or its report as a file.

        The report is included if the query asks for it.
        """
        info = await load_own(request, request.params["replay_id"])
        most_worse = self.app.settings.get_table(ReplayLimits).replay_worse
        is_open = info.ended_at is None
        decide = partial(decide_replacement, most_worse=most_worse, is_open=is_open)
        if query.format is None:
            plan = LivePlan.from_json(info.candidate)
            candidate = describe_candidate(plan.lanes[CANDIDATE])
            candidate["only_routing"] = plan.role is not None
            candidate["name"] = info.source.get("own_name", "")
            if not query.report:
                return ReplayDetail(await to_state(request, info), None, candidate=candidate)
            report = await self.reports.load(request.store, request.tenant_id, info)
            # Of many conversations it takes a moment.
            decision = await asyncio.to_thread(decide, report["summary"])
            if info.ended_at is not None:  # else its verdict is open, as in lists
                info = replace(info, verdict=decision.status)
            stored = None
            if decision.status == "undecided":  # a page offers to try more of them
                own = ThreadFilter(user_id=request.user_id, has_answer=True)
                stored = len(await list_replay_threads(request.db, own))
            counts = report["summary"]  # not of the state: it is of a moment before
            state = msgspec.structs.replace(
                await to_state(request, info),
                conversations=counts["conversations"],
                compared=counts["conversations"] - counts["uncompared"],
            )
            return ReplayDetail(state, report, decision, candidate, stored)
        name, media_type = _FILES[query.format]
        with tempfile.TemporaryDirectory() as folder:
            await report_replay(request.store, request.tenant_id, info, Path(folder), decide)
            content = await asyncio.to_thread((Path(folder) / name).read_bytes)
        return ApiFile(content, media_type, name_file(info, name))

    async def cancel(self, request: ApiRequest) -> ReplayState:
        """Cancel a replay and return its state.

        Its workers stop at their next call. Its batches at providers are cancelled. Raises:
        ConflictError when it has ended.
        """
        info = await load_own(request, request.params["replay_id"])
        async with request.store.transaction(request.tenant_id) as tx:
            if not await store_replays.cancel_replay(tx, None, info.replay_id):
                raise ConflictError(
                    "the replay has already ended",
                    hint="Read its result; it cannot be cancelled any more.",
                )
            await store_replays.finish_replay(tx, info.replay_id)
        plan = LivePlan.from_json(info.candidate)
        if plan.sandbox:  # no process may come that would drop them
            await drop_left_sandboxes(request.store, info.replay_id)
        if plan.batch_api:  # nor one that would cancel them
            try:
                lanes = await open_hosted_lanes(plan, self.app.service)
                async with asyncio.timeout(CANCEL_WAIT_S):
                    await cancel_orphans(request.store, request.tenant_id, info.replay_id, lanes)
            except (ConfigError, TimeoutError) as error:
                told = {"replay_id": info.replay_id, "reason": str(error)}
                logger.warning("batches_not_cancelled", extra=told)
        return await to_state(request, await load_own(request, info.replay_id))

    async def resume(self, request: ApiRequest, body: Resumption) -> ReplayState:
        """Continue a stopped, cancelled or failed replay and return its state.

        Answers that were paid for are kept, and only the others are bought. Raises: ConflictError
        while it is open or when it is complete, REPLAY_CHANGED if models or prompts are others
        than at its beginning; InputError LIMIT_TOO_LOW.
        """
        self.app.messages.take(*request.owner)
        await check_budgets(request.db, request.user_id)
        info = await load_own(request, request.params["replay_id"])
        plan = LivePlan.from_json(info.candidate)
        if info.ended_at is None or info.status == "succeeded" or plan.beside is not None:
            raise ConflictError(
                "only a stopped, cancelled or failed replay can be continued",
                hint="Read its result, or wait until it has ended.",
            )
        lanes = await check_plan(request, self.app.service, plan)
        setup = describe_setup(lanes, self.app.service.packs)
        require_same_setup(info.source.get("setup", {}), setup)
        costs = await store_replays.list_costs(request.db, [info.replay_id])
        limit_usd, spent_usd = to_decimal(body.max_cost_usd), costs[info.replay_id] or Decimal(0)
        if limit_usd is not None and limit_usd <= spent_usd:
            raise InputError(
                f"max_cost_usd ${limit_usd} is not above the ${spent_usd:.4f} that it has cost",
                hint="The limit is of the whole replay: raise it.",
                code="LIMIT_TOO_LOW",
                param="max_cost_usd",
            )
        most = self.app.settings.get_table(ReplayLimits).replays_per_user
        async with request.store.transaction(request.tenant_id) as tx:
            await store_replays.reopen_replay(tx, info.replay_id, limit_usd, most)
        self.poke()
        return await to_state(request, await load_own(request, info.replay_id))

    async def list_prompts(self, request: ApiRequest) -> PromptList:
        """List the prompts that a candidate may replace, and who runs with them, for admins."""
        if not request.is_admin:
            raise AccessDenied(
                "only an administrator can list the prompts", hint="Use an administrator's access."
            )
        prompts = self._list_prompts()
        workers = {spec.name for pack in self.app.service.packs for spec in list_workers(pack)}
        for prompt in prompts:
            if (worker := prompt.name.rpartition(".")[2]) in workers:
                own = ThreadFilter(user_id=request.user_id, worker=worker, has_answer=True)
                prompt.conversations = len(await list_replay_threads(request.db, own))
        return PromptList(prompts, list_running_parts(self.app.service))

    def _list_prompts(self) -> list[PromptText]:
        found = [
            (name, text, pack.name)
            for pack in self.app.service.packs
            for name, text in {
                **{spec.name: spec.prompt for spec in list_workers(pack)},
                **pack.prompts,
            }.items()
        ]
        packs = Counter(name for name, *_ in found)
        return [
            PromptText(name if packs[name] == 1 else f"{pack}.{name}", text, pack, None)
            for name, text, pack in found
        ]


async def list_all(request: ApiRequest, query: ReplaysQuery) -> ReplayList:
    """List the user's replays, newest first.

    An administrator gets the replays of all users of the tenant.
    """
    user_id = None if request.is_admin else request.user_id
    found = await store_replays.list_replays(request.db, user_id, query.limit, query.q)
    return ReplayList(await list_states(request, found))


def read_conversations(body: NewReplay) -> list[Conversation]:
    """Parse and check the conversations in a request's body.

    Raises: InputError that names the conversation's place as its line.
    """
    if body.conversations and body.threads is not None:
        raise InputError("send either `threads` or `conversations`, not both")
    if body.max_cost_usd == 0:
        raise InputError(
            "max_cost_usd must be above 0",
            hint="Set it to the maximum cost of the replay in USD, or leave it out: no limit.",
        )
    if body.conversations and body.sandbox:
        raise InputError(
            "`sandbox` works only with `threads`: leave it out, because the tools of "
            "`conversations` are only schemas, which nothing can execute"
        )
    if body.conversations and body.design is not None:
        raise InputError(
            "`conversations` always use the design `react`; to choose another design, "
            "send `threads`"
        )
    found = [
        parse_conversation(orjson.dumps(line), number, repair=False)
        for number, line in enumerate(body.conversations, 1)
    ]
    ids = [conversation.conversation_id for conversation in found]
    if len(set(ids)) < len(ids):
        raise InputError(
            "two conversations have the same conversation_id",
            hint="Give each conversation its own id.",
        )
    return found


def read_shapes(body: NewReplay, conversations: list[Conversation]) -> Any:
    """Return the tools of a request's conversations, declared or inferred.

    Raises: InputError.
    """
    given = read_tool_file(orjson.dumps(body.tools or []))
    shapes = infer_tools(conversations, given)
    missing = [shape.name for shape in shapes if shape.description == INFERRED]
    if missing and body.tools is not None:
        raise InputError(
            f"`tools` has no schema of {', '.join(missing)}",
            hint="Each called tool needs a schema.",
        )
    return shapes


def build_plan(body: NewReplay, conversations: list[Conversation], drift: float) -> LivePlan:
    """Build the plan of a live replay from a request's body.

    Raises: InputError for tools that cannot be read, or a plan that has more than the routing.
    """
    chosen = body.provider, body.model, body.models
    candidate = make_candidate(*chosen, body.prompts, body.design)
    baseline = {BASELINE: LanePlan()} if body.baseline else {}
    plan = LivePlan(
        {**baseline, CANDIDATE: candidate},
        body.history,
        body.allow_reads,
        shapes=read_shapes(body, conversations),
        requests_per_minute=body.requests_per_minute,
        sandbox=body.sandbox,
        judge=None if body.judge is None else make_judge(body.judge, body.rubric),
        batch_api=body.batch_api,
        share=body.share,
        drift=0.0 if body.conversations else choose_drift(candidate, drift),
    )
    return limit_to_routing(plan, is_imported=bool(conversations)) if body.only_routing else plan


async def select_threads(request: ApiRequest, body: NewReplay) -> list[str]:
    """Select the ids of the stored threads that a request names or filters, oldest first.

    Raises: NotFoundError when there is none, or one of another user.
    """
    source = body.threads or ThreadSource()
    user_id = choose_user(
        request, source.user_id, "only an administrator can replay the conversations of other users"
    )
    if source.ids:
        ids = {parse_id(thread_id, "thread") for thread_id in source.ids}
        whose = user_id or request.user_id, sorted(ids), user_id is None
        known = {str(row["id"]) for row in await describe_threads(request.db, *whose)}
        for thread_id in sorted(ids - known):
            raise make_missing_thread(thread_id)
        return sorted(ids)
    wanted = ThreadFilter(
        user_id=user_id,
        since=to_aware(source.since),
        until=to_aware(source.until),
        tag=source.tag,
        worker=source.worker,
        is_failed=source.failed,
        min_cost_usd=to_decimal(source.min_cost_usd),
        rating=source.rating,
        has_answer=True,
    )
    found = await choose_threads(request.db, wanted, source.others, body.seed)
    if not found:
        raise NotFoundError("no stored conversation matches", hint="Select other conversations.")
    return found


def to_decimal(usd: float | None) -> Decimal | None:
    """Convert an amount of a request to a decimal number, as it was written."""
    return None if usd is None else Decimal(str(usd))


def to_text(usd: Decimal | None) -> str | None:
    """Convert an estimated amount to text, rounded to a ten-thousandth of a cent."""
    return None if usd is None else f"{usd.quantize(MICRO):f}"


def name_file(info: ReplayInfo, name: str) -> str:
    """Name a downloaded report after its experiment: in words, and by the end of its id.

    name: the file's name in a folder of its own.
    """
    words = re.sub(r"[^a-z0-9]+", "-", str(info.source.get("name", "")).lower())[:80].strip("-")
    return "-".join(filter(None, (words, info.replay_id[-6:], name)))


async def to_state(request: ApiRequest, info: ReplayInfo) -> ReplayState:
    """Convert a stored replay to the form in which the API returns it."""
    (state,) = await list_states(request, [info])
    return state


async def list_states(request: ApiRequest, found: Sequence[ReplayInfo]) -> list[ReplayState]:
    """Convert stored replays to the form in which the API returns them.

    Includes what each has cost and why it ended early.
    """
    ids = [info.replay_id for info in found]
    costs = await store_replays.list_costs(request.db, ids)
    ended_early = [info.replay_id for info in found if info.status in ("stopped", "failed")]
    reasons = await store_replays.list_reasons(request.db, ended_early)
    return [
        ReplayState(
            id=info.replay_id,
            status=info.status,
            name=info.source.get("name", plan.name),
            source=info.source["text"],
            advice_id=info.source.get("advice"),
            lanes=list(plan.all_lanes),
            max_cost_usd=None if info.max_cost_usd is None else f"{info.max_cost_usd:f}",
            created_at=info.created_at,
            ended_at=info.ended_at,
            verdict=None if info.ended_at is None else info.verdict,
            items={str(status): count for status, count in info.items.items()},
            conversations=info.conversations,
            compared=info.compared,
            done=info.done,
            left_s=None if info.left_s is None else round(info.left_s),
            changed=info.changed,
            deleted=info.deleted,
            estimate_usd=info.source.get("about_usd"),
            cost_usd=None if (cost := costs[info.replay_id]) is None else f"{cost:f}",
            reason=reasons.get(info.replay_id),
        )
        for info, plan in ((info, LivePlan.from_json(info.candidate)) for info in found)
    ]
