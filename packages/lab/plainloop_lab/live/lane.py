"""One conversation in one lane: the same user turns for real models, its tools closed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any, Final, Literal, NotRequired, TypedDict, cast

from plainloop.agent.base.messages.contents import get_answer, seal_messages
from plainloop.agent.base.messages.wishes import to_options
from plainloop.agent.base.time.work_time import Stopwatch, WorkLimit
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.loop import run_agent
from plainloop.agent.core.models import Models
from plainloop.agent.core.spec import Pack
from plainloop.agent.core.state import START_NODE
from plainloop.agent.core.tools import Tool
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.designs.base import NodeTable
from plainloop.agent.designs.react import build_react_nodes
from plainloop.agent.errors import ContentFiltered, LimitReached, ModelRequestError
from plainloop.agent.packs.prompts import change_prompts, change_workers
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.outages import keep_trying
from plainloop.agent.store.outcomes.ratings import Thumb
from plainloop.agent.store.rates.provider_rates import NO_RATES, ProviderRates
from plainloop.agent.store.records import CallInfo, CallSettled, CallStart, StepCommit, StepInfo
from plainloop.agent.store.store import Store
from plainloop.agent.types import NO_WISHES, TOKEN_BUCKETS, Message, Update, Wishes
from plainloop_lab.replay.engine.closed_store import ClosedStore
from plainloop_lab.replay.engine.context import make_replay_context
from plainloop_lab.replay.engine.stored import build_nodes, close_interview

from ..settings import ReplayLimits
from ..store.sandbox import Sandbox
from .fast_rows import FastRows, make_fast_node, make_remembering_node
from .labels import label_efforts, price_uncached
from .origins import note_origins
from .paid_calls import PaidCalls, PaidModels
from .routing import RequestPart, drop_checks, end_at_workers, list_queries
from .tools import RecordedResults, complete_uses, make_live_tools

CALLS: Final = "calls"  # beside the tokens in `by_model`
UNANSWERED: Final = "unanswered"  # how a file's turn ended that ends inside a call
HistoryMode = Literal["recorded", "own"]


@dataclass(frozen=True, slots=True)
class Lane:
    """An opened variant, the baseline or a candidate, which answers conversations.

    design: for stored threads; None keeps each run's own. prompts: by `packs.prompts` names.
    agents: roles and workers that it gives another model or effort than today's.
    """

    name: str
    settings: Settings
    models: Models
    packs: Mapping[str, Pack]
    design: str | None = None
    prompts: Mapping[str, str] = field(default_factory=dict[str, str])
    agents: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LiveTurn:
    """A user turn to answer, in a thread of this kind. recorded: the recorded answer.

    contexts: what prompts said of the user, each time that a worker was asked. fast: rows found
    then, by node. data: the pack's fields before it; set_data: what calls set in them, by id.
    """

    user: Message
    recorded: tuple[Message, ...]
    design: str = "react"
    kind: str = "chat"
    contexts: tuple[str, ...] = ()
    fast: Mapping[str, list[FastRows]] = field(default_factory=dict[str, list[FastRows]])
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    set_data: Mapping[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    wishes: Wishes = NO_WISHES
    calls: int = 0  # of models that were answered then
    is_whole: bool = True  # it came to its end then: what a candidate can be held against
    # What triage had remembered then, by the visit of its node.
    remembered: Mapping[int, tuple[Update, str]] = field(
        default_factory=dict[int, tuple[Update, str]]
    )
    route: tuple[str, ...] = ("react",)  # nodes of then, without those of their tools
    called: frozenset[str] = frozenset()  # nodes in which a model answered then


@dataclass(frozen=True, slots=True)
class LiveConversation:
    """A conversation that a variant answers. pack: the one that answers, its tools not closed yet.

    system: an imported source's prompt; None for a stored thread, whose workers have their own.
    """

    conversation_id: str
    opening: tuple[Message, ...]
    turns: tuple[LiveTurn, ...]
    pack: Pack
    system: str | None
    user_id: str


class TurnResult(TypedDict):
    """A variant's answer to one turn. tokens: of the answered calls, by bucket; null: not stated.

    The recording has the same form; what its source did not tell is null.
    """

    turn: int
    path: list[str]
    # name, arguments, effect, served; in order. After text from outside: origins, by argument, and
    # asks: a person would have been asked, because of where they came from.
    tools: list[dict[str, Any]]
    text: str
    calls: int | None
    models: list[str]  # `provider:model` that answered
    tokens: dict[str, int | None]
    cost_usd: str | None  # null when a call's price is not known
    uncached_usd: NotRequired[str | None]  # likewise, as if no input came from a prompt cache
    duration_ms: int | None
    error: str | None  # code of what ended it early
    verdicts: list[dict[str, Any]]  # of its evaluator
    problems: int | None  # that the last review's check found; null when nothing was reviewed
    efforts: NotRequired[list[str]]  # `models` with the levels that were sent: `provider:model@low`
    # Tokens and number of calls, where several models answered.
    by_model: NotRequired[dict[str, dict[str, int | None]]]
    by_role: NotRequired[dict[str, str]]  # cost_usd by the calls' role, where each is known
    # What of it was not bought: {"calls", "tokens", "cost_usd"}; not there when all was.
    shared: NotRequired[dict[str, Any]]
    limit: NotRequired[str]  # which one ended it, where one did
    ended: NotRequired[str]  # of the recording: how, where it has no whole end
    is_empty: NotRequired[bool]  # of the recording: nothing was made, and nothing is replayed
    rating: NotRequired[Thumb]  # of the recorded answer, by its user
    is_tainted: NotRequired[bool]  # text from outside was read before a call of it
    queries: NotRequired[list[list[RequestPart]]]  # of its fast paths, as `routing.list_queries`
    is_routing: NotRequired[bool]  # it ended where its worker would have begun


async def replay_live(
    conversation: LiveConversation,
    lane: Lane,
    paid_calls: PaidCalls,
    store: Store,
    tenant_id: str,
    history: HistoryMode,
    *,
    allow_reads: bool,
    sandbox: Sandbox | None = None,
    only: Collection[int] | None = None,
    is_routing: bool = False,
) -> list[TurnResult]:
    """Answer every recorded turn of a conversation with a variant, and return the results.

    sandbox: where tools run; None: nowhere. only: no turns but these. is_routing: each turn ends
    where its worker would begin.

    Raises: ModelError when a model cannot be reached at all; whatever forbids to spend more.
    """
    set_data = {key: value for turn in conversation.turns for key, value in turn.set_data.items()}
    recorded = [(n, turn.recorded) for n, turn in enumerate(conversation.turns)]
    results = RecordedResults.collect([(-1, conversation.opening), *recorded], set_data)
    pack = build_lane_pack(
        conversation.pack, lane, results, allow_reads=allow_reads, sandbox=sandbox
    )
    pack = drop_checks(pack) if is_routing else pack
    said = seal_messages([], conversation.opening)
    done: list[TurnResult] = []
    data: dict[str, Any] = {}  # of the lane's own history
    for n, turn in enumerate(conversation.turns):
        made: Sequence[Message] = turn.recorded
        if turn.recorded and (only is None or n in only):
            paid_calls.begin_turn(n, choose_most_calls(lane.settings.get_table(ReplayLimits), turn))
            results.begin_turn(n)
            ledger = LaneLedger(store, paid_calls, sandbox)
            steps: list[StepCommit] = []
            known = data if history == "own" and done else {**turn.data}
            closed = ClosedStore(said, known, steps.append, ledger)
            asked = close_interview(pack, None if sandbox else turn.contexts)
            table = build_lane_table(conversation, turn, asked, lane)
            table = end_at_workers(asked, table) if is_routing else table
            ctx = make_replay_context(
                closed,
                PaidModels(lane.models, paid_calls),
                asked,
                table,
                lane.settings,
                len(said),
                prompt_context=next(iter(turn.contexts), ""),
                options=to_options(turn.wishes),
                tenant_id=tenant_id,
                user_id=conversation.user_id,
                run_id="",
            )
            result, produced = await _answer(n, turn, ctx, ledger, results, steps)
            if paid_calls.stop is not None:
                raise paid_calls.stop
            if closed.end is not None and closed.end.reason:
                result["limit"] = closed.end.reason
            if is_routing:
                result["is_routing"] = True
            thread = [*said, turn.user, *produced]
            whose = (ctx.prompt_context, conversation.pack.tools)
            judge = partial(note_origins, result["tools"], thread, len(said) + 1, *whose)
            if await asyncio.to_thread(judge):
                result["is_tainted"] = True
            done.append(result)
            for step in steps:
                known = {**known, **step.update.get("data", {})}
            data = known
            made = produced if history == "own" else turn.recorded
        said += seal_messages(said, [turn.user, *made])
    return done


def choose_most_calls(limits: ReplayLimits, turn: LiveTurn) -> int:
    """Return the maximum number of model calls of a replayed turn.

    A variant that makes many times as many as the recording has lost its way.
    """
    return min(limits.replay_calls, limits.replay_times * max(1, turn.calls))


def build_lane_pack(
    pack: Pack,
    lane: Lane,
    results: RecordedResults,
    *,
    allow_reads: bool,
    sandbox: Sandbox | None = None,
) -> Pack:
    """Build a variant's pack, whose tools return recorded results and whose workers store nothing.

    The pack has the variant's prompts.
    """
    tools: list[Tool] = make_live_tools(
        pack.tools, results, allow_reads=allow_reads, sandbox=sandbox
    )
    # A worker's check runs; its answer is not accepted anywhere.
    asked = change_workers(
        change_prompts(pack, lane.prompts), lambda worker: replace(worker, accept=None)
    )
    return replace(asked, tools=tuple(tools), load_prompt_context=None)


def build_lane_table(
    conversation: LiveConversation, turn: LiveTurn, pack: Pack, lane: Lane
) -> NodeTable:
    """Build the node table by which a variant answers a turn.

    Its fast paths return the recorded rows where the query is as recorded.
    """
    if conversation.system is not None:
        return build_react_nodes(pack, lane.prompts.get("react", conversation.system))
    table = build_nodes(lane.design or turn.design, turn.kind, pack)
    fast = {
        name: make_fast_node(table.nodes[name], rows)
        for name, rows in turn.fast.items()
        if name in table.nodes
    }
    # A candidate that sorts requests otherwise sorts these too.
    prompted = {name.rpartition(".")[2] for name in lane.prompts}
    sorts_otherwise = bool({"triage", "classifier"} & (lane.agents | prompted))
    if turn.remembered and lane.design in (None, turn.design) and not sorts_otherwise:
        fast[START_NODE] = make_remembering_node(table.nodes[START_NODE], turn.remembered)
    return NodeTable({**table.nodes, **fast}, table.start)


class LaneLedger:
    """A variant's access to the database: ledger rows of new calls, and reads.

    sandbox: what nodes and tools read instead of the tenant's own rows.
    """

    def __init__(self, store: Store, paid_calls: PaidCalls, sandbox: Sandbox | None = None) -> None:
        self._store = store
        self._sandbox = sandbox
        self._paid_calls = paid_calls
        self.settled: list[CallSettled] = []
        self._labels: dict[str, str] = {}
        self._efforts: dict[str, str | None] = {}
        self._roles: dict[str, str] = {}

    async def save_prompt_text(self, tenant_id: str, kind: str, text: str) -> str:
        """Store a prompt's text by its hash, as a live run does."""
        return await self._store.save_prompt_text(tenant_id, kind, text)

    def note_call_start(self, start: CallStart) -> None:
        """Note the model, effort and role of a call before it is made."""
        self._labels[start.call_id] = f"{start.provider}:{start.model}"
        self._efforts[start.call_id] = start.effort
        self._roles[start.call_id] = start.role
        self._paid_calls.note_start(start)

    @property
    def rates(self) -> ProviderRates:
        """Return the providers' rate limits.

        There are none while calls wait for a provider's batch.
        """
        return NO_RATES if self.is_waiting else self._store.rates

    @property
    def saved_ms(self) -> int:
        """Return how long this turn's reused answers took when they were generated, in ms."""
        return self._paid_calls.saved_ms

    @property
    def is_waiting(self) -> bool:
        """Whether calls wait for a provider's batch, which makes their durations meaningless."""
        return self._paid_calls.wrap is not None

    async def settle_calls(self, tenant_id: str, calls: Sequence[CallSettled]) -> None:
        """Settle the ledger rows of newly bought calls.

        Rows of reused answers were settled when they were bought.
        """
        self.settled += [call for call in calls if call.status == "succeeded"]
        told = self._paid_calls.list_settlements(calls)
        if told:
            await keep_trying(lambda: self._store.settle_calls(tenant_id, told))

    def sum_shared(self) -> dict[str, Any]:
        """Sum the calls, tokens and cost of this turn's shared answers, which were not bought."""
        taken = [call for call in self.settled if call.call_id in self._paid_calls.shared_calls]
        tokens = sum(sum_known_tokens(taken, name) or 0 for name in TOKEN_BUCKETS)
        cost_usd = sum_costs([call.cost_usd for call in taken])
        return {"calls": len(taken), "tokens": tokens, "cost_usd": cost_usd}

    def sum_by_role(self) -> dict[str, str]:
        """Sum the cost in USD of this turn's calls, by model role.

        {} if the cost of a call is unknown.
        """
        groups: dict[str, list[str | None]] = {}
        for call in self.settled:
            groups.setdefault(self._roles[call.call_id], []).append(call.cost_usd)
        sums = {role: sum_costs(costs) for role, costs in groups.items()}
        known = {role: cost for role, cost in sums.items() if cost is not None}
        return known if len(known) == len(sums) else {}

    def sum_uncached(self, prices: Prices) -> str | None:
        """Sum what this turn would have cost in USD without a prompt cache.

        None if it is unknown.
        """
        return sum_costs(
            [price_uncached(label, call, prices) for label, call in self.list_labelled()]
        )

    def list_models(self) -> list[str]:
        """List the models that answered this turn, each once."""
        return sorted({self._labels[call.call_id] for call in self.settled})

    def list_efforts(self) -> list[str]:
        """List the models that answered as `model@effort`.

        [] if no effort was sent.
        """
        sent = ((self._labels[it.call_id], self._efforts[it.call_id]) for it in self.settled)
        return label_efforts(sent)

    def list_labelled(self) -> list[tuple[str, CallSettled]]:
        """List the answered calls, each with the model that answered it."""
        return [(self._labels[call.call_id], call) for call in self.settled]

    def transaction(self, tenant_id: str) -> Any:
        """Open a transaction in the database."""
        return self._store.transaction(tenant_id)

    def read(self, tenant_id: str) -> Queryable:
        """Return the connection from which the variant reads.

        It is the variant's sandbox if it has one, else the database.
        """
        return self._sandbox or self._store.read(tenant_id)


async def _answer(
    n: int,
    turn: LiveTurn,
    ctx: RequestContext,
    ledger: LaneLedger,
    results: RecordedResults,
    steps: Sequence[StepCommit],
) -> tuple[TurnResult, list[Message]]:
    """Answer one turn with a variant; return (its result, its messages).

    steps: filled while it runs.

    Raises: what another try may not meet again.
    """
    watch, work, first_use = Stopwatch(), WorkLimit(None), len(results.uses)
    prices = Prices(ctx.settings.prices, is_batch=ledger.is_waiting)
    error: str | None = None
    try:
        async with work:
            state = await run_agent(turn.user, ctx)
        error = None if state["done"] else LimitReached.code
    except (ModelRequestError, ContentFiltered) as failure:
        # What this candidate makes of the turn; any other failure is one of today only.
        error = failure.code
    worked_s = watch.passed_s - work.waited_s
    duration_ms = round(worked_s * 1000) + ledger.saved_ms
    made = [message for step in steps for message in step.update.get("messages", [])]
    calls, (verdicts, problems) = ledger.settled, read_review(steps)
    result: TurnResult = {
        "turn": n,
        "path": [step.node for step in steps],
        "tools": complete_uses(results.uses[first_use:], made),
        "text": get_answer([turn.user, *made]),
        "calls": len(calls),
        "models": ledger.list_models(),
        "tokens": {name: sum_known_tokens(calls, name) for name in TOKEN_BUCKETS},
        "cost_usd": sum_costs([call.cost_usd for call in calls]),
        "uncached_usd": ledger.sum_uncached(prices),
        "duration_ms": None if ledger.is_waiting else duration_ms,
        "error": error,
        "verdicts": verdicts,
        "problems": problems,
        "queries": list_queries(steps),
    }
    if efforts := ledger.list_efforts():
        result["efforts"] = efforts
    if by_model := sum_by_model(ledger.list_labelled()):
        result["by_model"] = by_model
    if by_role := ledger.sum_by_role():
        result["by_role"] = by_role
    if (shared := ledger.sum_shared())["calls"]:
        result["shared"] = shared
    return result, made


def read_review(steps: Sequence[StepCommit | StepInfo]) -> tuple[list[dict[str, Any]], int | None]:
    """Return the reviewers' verdicts on a turn, as (verdicts, problems in the last check).

    The number is None when nothing was reviewed, 0 when a model reviewed.
    """
    for step in reversed(steps):
        result: Any = step.update.get("result")
        said = cast(dict[str, Any], result) if isinstance(result, dict) else {}
        verdicts: list[dict[str, Any]] = said.get("verdicts", [])
        if verdicts:
            is_checked = any(call.role == "evaluator" for call in step.avoided)
            return verdicts, len(verdicts[-1]["feedback"].splitlines()) if is_checked else 0
    return [], None


def sum_known_tokens(calls: Sequence[CallSettled | CallInfo], bucket: str) -> int | None:
    """Sum the tokens of one kind, such as `output`, over calls.

    None if no call states them.
    """
    known = [value for call in calls if (value := getattr(call.usage, bucket)) is not None]
    return sum(known) if known else None


def sum_by_model(
    calls: Sequence[tuple[str, CallSettled | CallInfo]],
) -> dict[str, dict[str, int | None]]:
    """Sum tokens and calls by model, because prices differ.

    {} if only one model answered.
    """
    models = dict.fromkeys(model for model, _ in calls)
    if len(models) < 2:
        return {}
    groups = {model: [call for name, call in calls if name == model] for model in models}
    return {
        model: {
            CALLS: len(group),
            **{name: sum_known_tokens(group, name) for name in TOKEN_BUCKETS},
        }
        for model, group in groups.items()
    }


def sum_costs(costs: Sequence[str | None]) -> str | None:
    """Sum costs in USD, or return None if a cost is unknown.

    A sum is never too small.
    """
    known = [Decimal(cost) for cost in costs if cost is not None]
    return f"{sum(known, Decimal(0)):f}" if len(known) == len(costs) else None
