"""`plainloop advise`: each step is a live replay, so that nothing is bought twice. A folder keeps
which replay each step was, and which conversations were drawn.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from decimal import Decimal
from typing import Final

import msgspec
import orjson

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.models import connect_models
from plainloop.agent.errors import InputError
from plainloop.agent.packs.loading import load_served_packs
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.store.store import Store
from plainloop_lab.replay.commands.files import open_folder

from ..advise.doubts import list_method_doubts, list_unjudged
from ..advise.preparing import Serving, describe_plan, fit_tasks, load_tasks, make_rules
from ..advise.rendering import (
    render_junit,
    render_lines,
    render_markdown,
    render_plan,
    render_rules,
)
from ..advise.roles import WORKER, find_role
from ..advise.search import advise
from ..advise.steps import name_step, plan_step
from ..advise.verdict import VERDICTS, describe_advice
from ..advise.wanted import Wanted
from ..advise.watching import watch_switches
from ..decide.outcomes import Place, Side, read_side
from ..decide.rules import Rules, read_rules
from ..decide.tuning import OutOfMoney
from ..live.plan import BASELINE, CANDIDATE
from ..live.spend_limit import PriceUnknown, SpendLimitReached
from ..report.live_report import report_replay
from ..service.lanes import open_lanes
from ..service.worker import NewItem, create_replay
from ..store import replays as store_replays
from .files import lock_folder, write_file, write_json
from .live import run_replay
from .options import Advising, TriedModels
from .reports import load_info, load_spent

STATE: Final = "advise.json"


async def advise_models(options: Advising, tried: TriedModels) -> int:
    """Run `plainloop advise`, print the advice, and return its exit code.

    Returns: exit code 0 when something can be switched, 1 when nothing should be, 10 when
    undecided.
    """
    wanted = Wanted(
        options.max_cost_usd,
        tuple(tried.candidate or ()),
        tuple(tried.of_worker or ()),
        options.successor,
        options.sample,
        options.margin,
        options.judge,
        options.batch_api,
        options.seed,
    )
    own = options.rules
    rules = make_rules(wanted, None if own is None else read_rules(own))
    owner = Owner(options.tenant_id)
    open_folder(options.into)
    settings = load_settings()
    async with AsyncExitStack() as stack:
        if not options.plan:  # two would buy each step twice
            stack.enter_context(lock_folder(options.into, "advise"))
        store = await stack.enter_async_context(open_store(settings))
        bench = ReplayBench(store, owner, options, wanted, rules)
        packs = {pack.name: pack for pack in load_served_packs(settings)}
        serving = Serving(settings, await connect_models(settings), packs)
        loaded = await load_tasks(store, owner.tenant_id, wanted, serving, bench.drawn)
        try:
            tasks = await fit_tasks(loaded, wanted, lambda plan: open_lanes(plan, os.environ))
            plan = render_plan(describe_plan(tasks, wanted, rules))
            if options.plan:
                output.write_lines(plan)
                return 0
            bench.check_question()
            output.write_status("\n".join(plan))
            bench.save()
            findings = await advise(bench, rules, [task.question for task in tasks])
        finally:
            await close_clients()
        spent = await load_spent(store, owner, bench.steps)
        unjudged = await list_unjudged(store.read(owner.tenant_id), wanted)
    result = describe_advice(
        findings,
        rules,
        {task.question.worker: task.traffic for task in tasks},
        float(spent),
        [*list_method_doubts(wanted, tasks, has_rules=own is not None), *unjudged],
        is_successor=wanted.successor,
    )
    output.write_lines(render_lines(result))
    # The rules are for a gate that guards the switch later; a file's own text stays.
    text = render_rules(result) if own is None else own.read_text(encoding="utf-8")
    write_json(options.into / "result.json", result)
    write_file(options.into / "rules.toml", text.encode())
    if options.json:
        write_json(options.json, result)
    write_file(options.junit, render_junit(result))
    write_file(options.markdown, render_markdown(result))
    output.write_line(f"rules for a gate: {options.into / 'rules.toml'}")
    return VERDICTS[result["verdict"]]


async def watch_advice(options: Advising) -> int:
    """Print whether live traffic keeps the promise of earlier advice.

    Returns: exit code 0 as promised, 1 not, 10 too early to say.
    """
    path = options.into / "result.json"
    if not path.exists():
        raise InputError(f"{path} is missing", hint="Run `plainloop advise` first.")
    async with open_store(load_settings()) as store:
        found = await watch_switches(store.read(options.tenant_id), orjson.loads(path.read_bytes()))
    for item in found:
        output.write_line(f"{item.worker}: {item.state}: {item.reason}")
    states = {item.state for item in found}
    return 1 if "not as promised" in states else 0 if states == {"as promised"} else 10


class ReplayBench:
    """`advise.search.Bench` over live replays."""

    def __init__(
        self,
        store: Store,
        owner: Owner,
        options: Advising,
        wanted: Wanted,
        rules: Mapping[str, Rules],
    ) -> None:
        self._store, self._owner, self._options, self._rules = store, owner, options, rules
        self._wanted = wanted
        self._state = options.into / STATE
        self.steps: dict[str, str] = {}  # the replay of each step
        self.drawn: dict[str, list[str]] = {}  # conversations by worker
        # More money is no other question: it goes on with this one.
        request = replace(wanted, max_cost_usd=0.0)
        self._question = msgspec.json.encode((request, rules[WORKER])).decode()
        self._earlier = self._question
        with suppress(FileNotFoundError):
            found = orjson.loads(self._state.read_bytes())
            self.steps, self.drawn = found["steps"], found["drawn"]
            self._earlier = found.get("question", self._question)

    def check_question(self) -> None:
        """Check that the settings are those of the replays that the folder already has.

        Raises: InputError.
        """
        if self.steps and self._earlier != self._question:
            raise InputError(
                f"{self._options.into} contains advice with other settings: candidates, workers, "
                "rules, margin or sample",
                hint="Name another folder with --into, or use the earlier settings.",
            )

    def save(self) -> None:
        """Save the drawn conversations and the replays of steps in the folder."""
        kept = {"steps": self.steps, "drawn": self.drawn, "question": self._question}
        write_json(self._state, kept)

    async def answer(self, worker: str, candidate: str, part: Sequence[str]) -> tuple[Side, Side]:
        """Replay conversations with today's model and the candidate.

        Returns the outcomes of both. Raises: OutOfMoney.
        """
        step = name_step(self.drawn[worker], worker, candidate, part)
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
            read_side(
                Place(folder, lane), self._rules[find_role(worker)], is_baseline=lane == BASELINE
            )
            for lane in (BASELINE, CANDIDATE)
        )
        return today, mine

    async def _begin(self, step: str, worker: str, candidate: str, part: Sequence[str]) -> str:
        """Create the replay of a step, or reopen it with the money left; return its id.

        Raises: OutOfMoney.
        """
        spent = await load_spent(self._store, self._owner, self.steps, but=step)
        left = Decimal(str(self._options.max_cost_usd)) - spent
        if left <= 0:
            raise OutOfMoney("the cost limit is reached", hint="Raise --max-cost-usd.")
        store, owner = self._store, self._owner
        replay_id = self.steps.get(step)
        if replay_id is None:
            plan = plan_step(self._wanted, worker, candidate, self.steps)
            await open_lanes(plan, os.environ)  # refuse what cannot work before it is paid
            items = [NewItem(thread_id=thread_id) for thread_id in part]
            whose = (owner.tenant_id, owner.user_id)
            replay_id = await create_replay(
                store, *whose, items, plan, f"advise {worker}, {candidate}", left
            )
            self.steps[step] = replay_id
            self.save()
        elif (await load_info(store, owner, replay_id)).status != "succeeded":
            async with store.transaction(owner.tenant_id) as tx:
                await store_replays.reopen_replay(tx, replay_id, left)
        return replay_id
