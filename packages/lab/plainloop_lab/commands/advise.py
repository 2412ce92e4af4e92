"""`plainloop advise`: each step is a live replay, so that nothing is bought twice. A folder keeps
which replay each step was, and which conversations were drawn.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final

import orjson

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.models import connect_models
from plainloop.agent.errors import InputError, NotFoundError
from plainloop.agent.packs.loading import load_served_packs
from plainloop.agent.providers.endings import load_endings
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.service.variants import name_role_model, split_effort
from plainloop.agent.store.store import Store
from plainloop_lab.replay.commands.files import open_folder
from plainloop_lab.replay.commands.threads import load_conversation
from plainloop_lab.replay.engine.stored import leave_out

from ..advise.proposing import estimate_cost, find_successor, list_names, price_candidate
from ..advise.rendering import render_junit, render_lines, render_markdown
from ..advise.sampling import draw_threads
from ..advise.search import Candidate, Question, advise, choose_first
from ..advise.verdict import VERDICTS, Traffic, describe_advice
from ..advise.watching import WEEK, Watched, watch_switch
from ..decide.candidates import MONTH_DAYS
from ..decide.outcomes import Place, Side, find_request, name_task, read_side
from ..decide.rules import Rule, Rules, read_rules
from ..decide.tuning import OutOfMoney
from ..live.plan import BASELINE, CANDIDATE, LanePlan, LivePlan, make_judge
from ..live.spend_limit import PriceUnknown, SpendLimitReached
from ..report.live_report import report_replay
from ..service.lanes import open_lanes
from ..service.worker import NewItem, create_replay
from ..store import replays as store_replays
from ..store.workers import WorkerUsage, count_worker_runs, list_worker_threads, list_worker_usage
from .files import write_file, write_json
from .live import run_replay
from .options import Advising
from .reports import load_info

STATE: Final = "advise.json"
CONSIDERED: Final = 5  # times the sample: so many of the newest threads are drawn from


@dataclass(frozen=True, slots=True)
class Task:
    """A worker with what it has today and what may answer instead."""

    usage: WorkerUsage
    traffic: Traffic
    question: Question
    refused: Mapping[str, str]  # candidates that are not tried, and why


async def advise_models(options: Advising) -> int:
    """Exit code: 0 when something can be switched, 1 when nothing should be, 10 when undecided."""
    rules = make_rules(options)
    owner = Owner(options.tenant_id)
    open_folder(options.into)
    async with open_store(load_settings()) as store:
        bench = ReplayBench(store, owner, options, rules)
        tasks = await load_tasks(store, owner, options, bench.drawn)
        plan = describe_plan(tasks, options)
        if options.plan:
            output.write_lines(plan)
            return 0
        output.write_status("\n".join(plan))
        bench.save()
        try:
            findings = await advise(bench, rules, [task.question for task in tasks])
        finally:
            await close_clients()
        spent = await bench.load_spent()
    traffic = {task.question.worker: task.traffic for task in tasks}
    told = describe_advice(
        findings,
        rules,
        traffic,
        float(spent),
        list_doubts(options, tasks),
        is_successor=options.successor,
    )
    output.write_lines(render_lines(told))
    keep(options, rules, told)
    return VERDICTS[told["verdict"]]


async def watch_advice(options: Advising) -> int:
    """Compare each switched worker's live traffic with the promise. Exit code: 0 as promised, 1
    not, 10 too early to say.
    """
    path = options.into / "result.json"
    if not path.exists():
        raise InputError(f"{path} is missing", hint="Run `plainloop advise` first.")
    promises = [it for it in orjson.loads(path.read_bytes())["workers"] if it["kind"] == "switch"]
    now = datetime.now(UTC)
    found: list[Watched] = []
    async with open_store(load_settings()) as store:
        rows = store.read(options.tenant_id)
        for promise in promises:
            worker, today, name = promise["worker"], promise["today"], promise["candidate"]
            model, _ = split_effort(name)
            if ":" not in model:  # of today's provider, or today's model at another effort
                own, _ = split_effort(today)
                provider = own.partition(":")[0]
                name = f"{own}{name}" if not model else f"{provider}:{name}"
            since = now - timedelta(days=2 * MONTH_DAYS)
            before = await count_worker_runs(rows, since, today, worker)
            after = await count_worker_runs(rows, now - WEEK, name, worker)
            found.append(watch_switch(promise, before, after, now))
    for item in found:
        output.write_line(f"{item.worker}: {item.state}: {item.reason}")
    states = {item.state for item in found}
    return 1 if "not as promised" in states else 0 if states == {"as promised"} else 10


def make_rules(options: Advising) -> Rules:
    """Read the rules, or make them: no measure may be worse by the margin."""
    if options.rules is not None:
        return read_rules(options.rules)
    measures = ["failed", "same_arguments", *(["judged"] if options.judge else [])]
    return Rules(rule=tuple(Rule(measure=name, margin=options.margin) for name in measures))


async def load_tasks(
    store: Store, owner: Owner, options: Advising, drawn: dict[str, list[str]]
) -> list[Task]:
    """Load each worker's traffic, draw its conversations and list its candidates.

    drawn: conversations by worker of an earlier call of the command; filled.
    Raises: NotFoundError where no worker answered.
    """
    settings = load_settings()
    prices, models = Prices(settings.prices), await connect_models(settings)
    endings = load_endings(settings.endings_file)
    packs = {pack.name: pack for pack in load_served_packs(settings)}
    since = datetime.now(UTC) - timedelta(days=MONTH_DAYS)
    found: dict[str, list[WorkerUsage]] = {}
    for usage in await list_worker_usage(store.read(owner.tenant_id), since):
        found.setdefault(usage.worker, []).append(usage)
    known = {spec.name for pack in packs.values() for spec in pack.workers}
    wanted = options.of_worker or sorted(found.keys() & known)
    tasks: list[Task] = []
    for worker in wanted:
        if worker not in found:
            raise NotFoundError(
                f"no worker {worker!r} answered in the last {MONTH_DAYS} days",
                hint=f"Workers that did: {', '.join(sorted(found)) or 'none'}.",
            )
        first = found[worker][0]
        if options.successor:
            successor = find_successor(endings, first)
            if successor is None:
                continue
            names = [successor[0]]
        else:
            names = options.candidate or list_names(models.resolve("worker", worker))
        candidates: list[Candidate] = []
        refused: dict[str, str] = {}
        for name in names:
            cost = price_candidate(name, first, prices)
            if cost is None:
                refused[name] = "its price is unknown"
            elif cost >= 1 and not options.successor:
                refused[name] = f"at list prices it costs about {cost:.0%} of today"
            else:
                candidates.append(Candidate(name, cost))
        if worker not in drawn:
            drawn[worker] = await draw(store, owner, worker, options, packs)
        ordered = candidates if options.successor else choose_first(candidates)
        question = Question(worker, drawn[worker], ordered)
        tasks.append(Task(first, describe_traffic(found[worker]), question, refused))
    if not tasks:
        what = "has a shutdown date with a successor" if options.successor else "answered"
        raise NotFoundError(f"no worker's model {what} in the last {MONTH_DAYS} days")
    return tasks


async def draw(
    store: Store, owner: Owner, worker: str, options: Advising, packs: Mapping[str, Any]
) -> list[str]:
    """Draw threads, of those with the same first request one."""
    rows = store.read(owner.tenant_id)
    threads = await list_worker_threads(rows, worker, CONSIDERED * options.sample)
    async with store.transaction(owner.tenant_id) as tx:
        can_replay, _ = await leave_out(tx, [thread.thread_id for thread in threads], packs)
    fit = {*can_replay}
    ordered = draw_threads([t for t in threads if t.thread_id in fit], len(fit), options.seed)
    chosen: dict[str, str] = {}
    for thread_id in ordered:
        if len(chosen) == options.sample:
            break
        talk = await load_conversation(store, owner.tenant_id, thread_id)
        chosen.setdefault(name_task(thread_id, {}, find_request(talk)), thread_id)
    return [*chosen.values()]


def describe_traffic(usages: Sequence[WorkerUsage]) -> Traffic:
    """Describe a worker's last 30 days; its model is that of most calls."""
    first, calls = usages[0], sum(usage.calls for usage in usages)
    is_priced = all(usage.cost_usd is not None and not usage.unpriced for usage in usages)
    usd = float(sum((usage.cost_usd or Decimal(0) for usage in usages), Decimal(0)))
    share = first.calls / calls
    return Traffic(first.worker, first.label, share, calls, usd if is_priced else None)


def describe_plan(tasks: Sequence[Task], options: Advising) -> list[str]:
    """Describe what is tried for whom, and what it costs at most.

    Raises: InputError where there is no candidate.
    """
    if not any(task.question.candidates for task in tasks):
        told = "; ".join(f"{name}: {why}" for task in tasks for name, why in task.refused.items())
        raise InputError(f"there is no candidate to try ({told or 'none is known'})")
    total = 0.0
    lines: list[str] = []
    for task in tasks:
        question, names = task.question, [each.name for each in task.question.candidates]
        cost = estimate_cost(
            task.usage, len(question.conversations), question.candidates, batched=options.batch_api
        )
        total += cost or 0.0
        money = "cost unknown" if cost is None else f"at most about ${cost:,.4f}"
        lines.append(
            f"{question.worker}: {len(question.conversations):,} conversations, today "
            f"{task.traffic.model}, candidates: {', '.join(names) or 'none'}; {money}"
        )
    limit = f"it stops at ${options.max_cost_usd:,.2f}"
    return [*lines, f"estimate: at most about ${total:,.4f}; {limit}"]


def list_doubts(options: Advising, tasks: Sequence[Task]) -> list[str]:
    """List what the method itself cannot say."""
    found = [
        f"{task.question.worker}: {name} was not tried: {why}"
        for task in tasks
        for name, why in task.refused.items()
    ]
    if options.judge is None and options.rules is None:
        found.append("what the answers say was not judged: use --judge or rules of your own")
    found.append(
        "turns were judged one by one on recorded histories, so where a conversation goes after "
        "another answer is unknown; requests unlike the drawn ones were not judged"
    )
    if options.batch_api:
        found.append("latency was not measured: batches were used")
    return found


def keep(options: Advising, rules: Rules, told: Mapping[str, Any]) -> None:
    """Write the result's files, and the rules for a gate that guards the switch later."""
    write_json(options.into / "result.json", told)
    write_file(options.into / "rules.toml", render_rules(options, rules).encode())
    if options.json:
        write_json(options.json, told)
    write_file(options.junit, render_junit(told))
    write_file(options.markdown, render_markdown(told).encode())
    output.write_line(f"rules for a gate: {options.into / 'rules.toml'}")


def render_rules(options: Advising, rules: Rules) -> str:
    """Render the rules as a gate reads them; a file's own text stays."""
    if options.rules is not None:
        return options.rules.read_text(encoding="utf-8")
    lines = ["[gate]", f"alpha = {rules.gate.alpha}"]
    for rule in rules.rule:
        lines += ["", "[[rule]]", f'measure = "{rule.measure}"', f'margin = "{rule.margin}"']
        lines += ['by = ["worker"]']
    return "\n".join(lines) + "\n"


class ReplayBench:
    """`advise.search.Bench` over live replays."""

    def __init__(self, store: Store, owner: Owner, options: Advising, rules: Rules) -> None:
        self._store, self._owner, self._options, self._rules = store, owner, options, rules
        self._state = options.into / STATE
        self._steps: dict[str, str] = {}  # the replay of each step
        self.drawn: dict[str, list[str]] = {}  # conversations by worker
        with suppress(FileNotFoundError):
            found = orjson.loads(self._state.read_bytes())
            self._steps, self.drawn = found["steps"], found["drawn"]

    def save(self) -> None:
        """Keep what was drawn and bought."""
        write_json(self._state, {"steps": self._steps, "drawn": self.drawn})

    async def answer(self, worker: str, candidate: str, part: Sequence[str]) -> tuple[Side, Side]:
        """Replay the conversations with today's model and the candidate. Raises: OutOfMoney."""
        at = self.drawn[worker].index(part[0])
        step = f"{worker} {candidate} {at}-{at + len(part)}"
        replay_id = await self._begin(step, worker, candidate, part)
        try:
            if (await load_info(self._store, self._owner, replay_id)).status != "succeeded":
                output.write_status(f"{step}: replay {replay_id}")
                # Batches are as large as settings say: each open conversation adds a request.
                at_once = None if self._options.batch_api else self._options.concurrency
                await run_replay(self._store, self._owner, replay_id, at_once)
        except PriceUnknown:
            raise  # no other limit of cost mends that
        except SpendLimitReached as error:
            raise OutOfMoney(error.message) from error
        folder = self._options.into / step.replace(" ", "-").replace(":", "-")
        open_folder(folder)
        info = await load_info(self._store, self._owner, replay_id)
        await report_replay(self._store, self._owner.tenant_id, info, folder)
        today, mine = (
            read_side(Place(folder, lane), self._rules, is_baseline=lane == BASELINE)
            for lane in (BASELINE, CANDIDATE)
        )
        return today, mine

    async def load_spent(self, but: str = "") -> Decimal:
        """Load what all replays but one step's have cost; calls of unknown cost at their most."""
        rows = self._store.read(self._owner.tenant_id)
        found = [
            await store_replays.load_spending(rows, replay_id)
            for step, replay_id in self._steps.items()
            if step != but
        ]
        return sum((item.cost_usd + item.open_usd for item in found), Decimal(0))

    async def _begin(self, step: str, worker: str, candidate: str, part: Sequence[str]) -> str:
        """Write the step's replay down, or open it again. Raises: OutOfMoney."""
        left = Decimal(str(self._options.max_cost_usd)) - await self.load_spent(step)
        if left <= 0:
            raise OutOfMoney("the cost limit is reached")
        store, owner = self._store, self._owner
        replay_id = self._steps.get(step)
        if replay_id is None:
            earlier = [it for name, it in self._steps.items() if name.startswith(f"{worker} ")]
            judge = None if self._options.judge is None else make_judge(self._options.judge, None)
            plan = LivePlan(
                {BASELINE: LanePlan(), CANDIDATE: LanePlan(name_role_model(worker, candidate))},
                judge=judge,
                batch_api=self._options.batch_api,
                answers_from=tuple(earlier),
                worker=worker,
            )
            await open_lanes(plan, os.environ)  # what cannot work is told before it is paid
            items = [NewItem(thread_id=thread_id) for thread_id in part]
            whose = (owner.tenant_id, owner.user_id)
            replay_id = await create_replay(
                store, *whose, items, plan, f"advise {worker}, {candidate}", left
            )
            self._steps[step] = replay_id
            self.save()
        elif (await load_info(store, owner, replay_id)).status != "succeeded":
            async with store.transaction(owner.tenant_id) as tx:
                await store_replays.reopen_replay(tx, replay_id, left)
        return replay_id
