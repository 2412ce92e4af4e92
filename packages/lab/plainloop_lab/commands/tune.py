"""`plainloop tune`: every try is a live replay, so that nothing is bought twice and no call is made
that the budget has no room for. A folder keeps which replay each step was; the same command again
goes on where it was stopped.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Final

import orjson

from plainloop.agent.base.text.cleaning import cut_text
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.errors import InputError, NotFoundError
from plainloop.agent.packs.loading import load_served_packs
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.store.store import Store
from plainloop_lab.replay.commands.files import (
    index_source,
    open_folder,
    open_source,
    prepare,
    survey,
)
from plainloop_lab.replay.commands.threads import load_conversation, select_threads
from plainloop_lab.replay.report.report_files import REPORT_FILE
from plainloop_lab.replay.sources.line_ranges import read_range
from plainloop_lab.replay.sources.openai_format import parse_conversation, to_openai

from ..decide.gate import EXIT_CODES
from ..decide.outcomes import Place, Side, find_request, find_task, list_report, read_side
from ..decide.rules import Rules, read_rules
from ..decide.tuning import AFTER, BEFORE, OutOfMoney, estimate_power, split_tasks, tune
from ..decide.verdicts import render_lines
from ..live.plan import BASELINE, CANDIDATE, LanePlan, LivePlan
from ..live.spend_limit import PriceUnknown, ReplayStopped, SpendLimitReached
from ..report.live_report import report_replay
from ..service.lanes import open_lanes
from ..service.worker import NewItem, create_replay
from ..store import replays as store_replays
from .files import lock_folder, write_file, write_json
from .live import run_replay
from .options import TriedModels, Tuning
from .reports import load_info, load_spent, name_report

LANES: Final = {BEFORE: BASELINE, AFTER: CANDIDATE}
TODAY: Final = {CANDIDATE: LanePlan()}
SEALED: Final = "sealed"
RESERVED: Final = 1.5  # times what the sealed test would cost at the price of the first steps
SHOWN_TURNS: Final = 4
SHOWN_CHARS: Final = 1_000
GAINS: Final = (0.1, 0.2)
PROPOSE: Final = Path(__file__).parents[1] / "decide" / "propose.md"


@dataclass(frozen=True, slots=True)
class Material:
    """The conversations and settings with which a worker's prompt is tuned.

    items, tasks: by conversation. prompt: today's. settings: of the model that it is tuned for; {}:
    today's.
    """

    worker: str
    items: Mapping[str, NewItem]
    tasks: Mapping[str, str]
    prompt: str
    plan: LivePlan
    settings: Mapping[str, str] = field(default_factory=dict[str, str])

    def plan_with(self, prompts: Mapping[str, str | None]) -> LivePlan:
        """Plan a replay that compares these prompts of the worker.

        prompts: by variant; None is today's prompt.
        """
        lanes = {
            lane: LanePlan({**self.settings}, {} if prompt is None else {self.worker: prompt})
            for lane, prompt in prompts.items()
        }
        return replace(self.plan, lanes=lanes)


async def tune_prompt(worker: str, options: Tuning, tried: TriedModels) -> int:
    """Search a better prompt for each candidate model, or for today's, and print the result.

    Each of several has a folder and an equal part of the money. Returns: exit code 0 when a better
    prompt was found, 10 when none was.
    """
    rules = read_rules(options.rules)
    usual = "worker" if options.source else worker  # a file's conversations have no worker
    own = replace(tried, of_worker=tried.of_worker or [usual]) if tried.candidate else tried
    candidates = own.list_settings() or {"": {}}
    names = [name if len(candidates) > 1 else "" for name in candidates]
    share = replace(options, max_cost_usd=options.max_cost_usd / len(candidates))
    async with open_store(load_settings()) as store:
        is_imported = options.source is not None
        material = await _load(store, worker, options, rules)
        parts = split_tasks(material.tasks, options.seed)
        materials = [replace(material, settings=settings) for settings in candidates.values()]
        for each in materials:
            await open_lanes(each.plan_with({CANDIDATE: None}), os.environ, is_imported=is_imported)
        if options.plan:
            for name in names:
                _show_plan(rules, parts, options.tries, name)
            return 0
        codes: list[int] = []
        for name, each in zip(names, materials, strict=True):
            if name:
                output.write_line(f"{name}:")
            part = replace(share, into=name_report(options.into, name))
            codes.append(await tune_model(store, part, rules, each, parts))
    return min(codes)


async def tune_model(
    store: Store,
    options: Tuning,
    rules: Rules,
    material: Material,
    parts: Mapping[str, Sequence[str]],
) -> int:
    """Search a better prompt for one model, and print each try and the result.

    Returns the exit code.
    """
    open_folder(options.into)
    with lock_folder(options.into, "tune"):
        bench = ReplayBench(store, options, rules, material, len(parts[SEALED]))
        try:
            tuned = await tune(bench, rules, parts, options.tries)
        finally:
            await close_clients()
        spent = await load_spent(store, Owner(options.tenant_id), bench.steps)
    for item in tuned.tries:
        chosen = "" if item.chosen is None else f", choose {item.chosen:.3f}"
        output.write_line(f"{item.step}: {item.score:.3f}{chosen}")
    if tuned.result is not None:
        write_json(options.into / "result.json", tuned.result)
        output.write_lines(render_lines(tuned.result))
    if tuned.prompt is None:
        output.write_line(f"no better prompt found, cost ${spent:.4f}")
        return EXIT_CODES["undecided"]
    target = options.into / f"{material.worker}.md"
    write_file(target, tuned.prompt.encode() + b"\n")
    output.write_line(f"better: {target}, cost ${spent:.4f}")
    return 0


def _show_plan(
    rules: Rules, parts: Mapping[str, Sequence[str]], tries: int, name: str = ""
) -> None:
    sizes = {name: len(part) for name, part in parts.items()}
    most = (tries + 1) * (sizes["learn"] + sizes["choose"]) + 2 * sizes[SEALED]
    told = f"{sizes['learn']:,} to learn, {sizes['choose']:,} to choose, {sizes[SEALED]:,} sealed"
    told = f"{name}: {told}" if name else told
    output.write_line(f"{told}; at most {most:,} conversations are run, with {tries} proposals")
    for gain in GAINS:
        power = estimate_power(0.5, sizes[SEALED], gain, rules.gate.alpha)
        output.write_line(
            f"an improvement of {gain:.0%} would be proven with a probability of {power:.0%}"
        )


async def _load(store: Store, worker: str, options: Tuning, rules: Rules) -> Material:
    if options.source is None:
        packs = load_served_packs(load_settings())
        workers = {spec.name: spec for pack in packs for spec in pack.workers}
        if worker not in workers:
            raise NotFoundError(
                f"there is no worker {worker!r}", hint=f"Workers: {', '.join(sorted(workers))}."
            )
        found = await select_threads(store, options.select(worker))
        threads = {thread_id: NewItem(thread_id=thread_id) for thread_id in found}
        own: dict[str, str] = {}
        for thread_id in found:
            talk = await load_conversation(store, options.tenant_id, thread_id)
            own[thread_id] = find_task(thread_id, {}, find_request(talk), rules)
        return Material(worker, threads, own, workers[worker].prompt, LivePlan(TODAY))
    if worker != "react":
        raise InputError(
            "conversations from a file can tune only `react`, not this worker",
            hint="Run `plainloop tune react`.",
        )
    with open_source(options.source) as url:
        index = index_source(url)
        shapes = prepare(index, survey(index, repair=True), None).shapes
        items: dict[str, NewItem] = {}
        tasks: dict[str, str] = {}
        prompts: set[str] = set()
        for number, line in read_range(index.get_range(range(len(index)))):
            conversation = parse_conversation(line, number, repair=True)
            name = conversation.conversation_id
            items[name] = NewItem(conversation=to_openai(conversation))
            tasks[name] = find_task(name, orjson.loads(line), find_request(conversation), rules)
            prompts.add(conversation.system)
    if len(prompts) > 1:
        raise InputError(
            "the conversations have different system prompts",
            hint="Keep only those with the prompt that you want to tune.",
        )
    return Material(worker, items, tasks, prompts.pop(), LivePlan(TODAY, shapes=shapes))


class ReplayBench:
    """`decide.tuning.Bench` over live replays."""

    def __init__(
        self, store: Store, options: Tuning, rules: Rules, material: Material, sealed: int
    ) -> None:
        self._store = store
        self._options = options
        self._owner = Owner(options.tenant_id)
        self._rules = rules
        self._material = material
        self._sealed = sealed
        self._costs: list[float] = []  # of conversations that were asked today's prompt
        self._state = options.into / "tune.json"
        self.steps: dict[str, str] = {}  # the replay of each step
        with suppress(FileNotFoundError):
            self.steps = orjson.loads(self._state.read_bytes())

    async def answer(
        self, step: str, part: Sequence[str], lanes: Mapping[str, str | None]
    ) -> Mapping[str, Side]:
        """Replay a step's conversations with these prompts, and return the outcomes by variant."""
        plan = self._material.plan_with({LANES[lane]: prompt for lane, prompt in lanes.items()})
        items = [self._material.items[name] for name in part]
        folder = await self._run(step, plan, items)
        sides = {
            lane: read_side(Place(folder, LANES[lane]), self._rules, is_baseline=lane == BEFORE)
            for lane in lanes
        }
        if set(lanes.values()) == {None}:
            costs = [outcome.cost_usd for side in sides.values() for outcome in side.values()]
            self._costs += [cost for cost in costs if cost is not None]
        return sides

    async def propose(self, step: str, prompt: str | None, after: str, worst: Side) -> str:
        """Let a model propose a better prompt, from the worst conversations so far."""
        said = prompt or self._material.prompt
        rule = self._rules.rule[0]
        told = [
            f"# The instructions now\n\n{said}",
            f"# What is measured\n\n{rule.measure}, {'more' if rule.direction > 0 else 'less'} "
            "is better",
            *self._describe(after, worst),
        ]
        asked = {
            "conversation_id": step,
            "messages": [
                {"role": "system", "content": PROPOSE.read_text(encoding="utf-8").strip()},
                {"role": "user", "content": "\n\n".join(told)},
                {"role": "assistant", "content": "(not written yet)"},
            ],
        }
        provider, _, model = (self._options.proposer or "").partition(":")
        named = {"AGENT_AGENTS_WORKER_PROVIDER": provider, "AGENT_AGENTS_WORKER_MODEL": model}
        plan = LivePlan({CANDIDATE: LanePlan({name: it for name, it in named.items() if it})})
        folder = await self._run(step, plan, [NewItem(conversation=asked)])
        answers = list_report(folder / REPORT_FILE)[1]
        text: str = next(answers)["turns"][0]["lanes"][CANDIDATE]["text"].strip()
        return "\n".join(text.splitlines()[1:-1]) if text.startswith("```") else text

    async def _find_limit(self, step: str) -> Decimal:
        """Return what this step's replay may cost, in USD: the rest of the budget.

        A try leaves what the sealed test will need. Raises: OutOfMoney.
        """
        spent = await load_spent(self._store, self._owner, self.steps, but=step)
        left = Decimal(str(self._options.max_cost_usd)) - spent
        if step == SEALED or not self._costs or step.endswith(" 0"):
            return max(left, Decimal(0))
        mean = sum(self._costs) / len(self._costs)
        left -= Decimal(str(round(2 * self._sealed * mean * RESERVED, 9)))
        if left <= 0:
            raise OutOfMoney(
                "the search has used its part of the cost limit; the rest is reserved for the "
                "final test",
                hint="Raise --max-cost-usd to continue the search.",
            )
        return left

    async def _run(self, step: str, plan: LivePlan, items: Sequence[NewItem]) -> Path:
        """Run a step's replay to its end and return its report's folder.

        Raises: OutOfMoney; ReplayStopped when conversations failed.
        """
        limit = await self._find_limit(step)
        store, owner = self._store, self._owner
        replay_id = self.steps.get(step)
        if replay_id is None:
            source = f"tune {self._material.worker}, {step}"
            replay_id = await create_replay(
                store, owner.tenant_id, owner.user_id, items, plan, source, limit
            )
            # Nothing is bought of a replay before it is written down here which step it is.
            self.steps[step] = replay_id
            write_json(self._state, self.steps)
        elif (await load_info(store, owner, replay_id)).status != "succeeded":
            async with store.transaction(owner.tenant_id) as tx:
                await store_replays.reopen_replay(tx, replay_id, limit)
        info = await load_info(store, owner, replay_id)
        if info.status != "succeeded":
            output.write_status(f"{step}: replay {replay_id}")
            await self._work(step, replay_id)
            info = await load_info(store, owner, replay_id)
        if info.items.get("failed"):
            raise ReplayStopped(
                f"{info.items['failed']} conversations failed in the step {step}",
                hint=f"`plainloop replay show {replay_id}` shows why. Run this command again to "
                "continue.",
            )
        folder = self._options.into / step.replace(" ", "-")
        open_folder(folder)
        await report_replay(store, owner.tenant_id, info, folder)
        return folder

    async def _work(self, step: str, replay_id: str) -> None:
        try:
            await run_replay(self._store, self._owner, replay_id, self._options.concurrency)
        except PriceUnknown:
            raise  # no other limit of cost mends that
        except SpendLimitReached as error:
            if step == SEALED or step.endswith(" 0"):
                hint = "To continue, run the same command with a higher --max-cost-usd."
                raise SpendLimitReached(error.message, hint=hint) from error
            raise OutOfMoney(error.message) from error

    def _describe(self, after: str, worst: Side) -> list[str]:
        """Describe the conversations with the worst results, as text for the proposing model."""
        told: list[str] = []
        folder = self._options.into / after.replace(" ", "-")
        for found in list_report(folder / REPORT_FILE)[1]:
            if found["conversation_id"] not in worst:
                continue
            lines = [f"# A conversation that did badly ({len(told) + 1})"]
            for turn in found["turns"][-SHOWN_TURNS:]:
                lane = turn["lanes"].get(CANDIDATE)
                if lane is not None:
                    tools = ", ".join(use["name"] for use in lane["tools"])
                    lines += [
                        f"User: {cut_text(turn['user'], SHOWN_CHARS)}",
                        *([f"Tools called: {tools}"] if tools else []),
                        f"Assistant: {cut_text(lane['text'], SHOWN_CHARS)}",
                    ]
            told.append("\n".join(lines))
        return told
