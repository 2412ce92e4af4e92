"""Helpers of a run: before a step's tools are called, those of its calls that are helpers' are run.

    WORKER ─► begin a run for each call ─► work on them here, at once ─► WORKER.tools ─► WORKER
                      │ (known by the call: one that was begun goes on)       reads the answers
                      └─► one waits for a person: the caller waits, too (`asking`)

A helper's run works under its caller's turn, limits and budget, and stops with it. When the process
dies, whoever takes the caller up goes on with the helpers that have not ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, Final

from ...base.finishing import end_tasks, finish_despite_cancel
from ...base.ids import make_id
from ...base.messages.contents import list_open_calls
from ...base.messages.repeating import find_loop
from ...base.text.cleaning import make_title
from ...core.context import Node, RequestContext
from ...core.journal import RunHandedOver
from ...core.spec import Pack
from ...core.state import AgentState
from ...core.taint import has_untrusted_text
from ...designs.base import HELPING, NodeTable
from ...errors import LeaseLost, StoreError
from ...events import Event
from ...packs.helping import list_helper_tools
from ...store.helper_runs import SQL, HelperRun, insert_helper, list_helpers
from ...store.leases import require_held
from ...store.queue import Claim, cancel_below
from ...store.records import Approval, Run, RunStart
from ...store.runs import insert_run
from ...store.store import Store
from ...store.threads import create_thread
from ...types import FunctionCall, Message, TextPart, Update
from ...workers.approvals import is_well_formed
from ..live_runs import LiveRuns
from ..settings import RunLimits
from ..taking import Work
from .asking import ask_for_helpers, pass_decisions

ACTIVE: Final = ("queued", "running", "waiting")
# What a caller's viewers are told of a helper's events; the helper's own log has all of it.
_UPDATE_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "run_start": ("thread_id", "model"),
    "node_start": ("step", "node"),
    "tool_start": ("id", "name"),
    "tool_result": ("id", "name"),
    "tool_error": ("id", "name", "error"),
    "helper": ("id", "run_id", "worker", "event", "data"),
    "approval_request": ("approval_id", "question"),
    "done": (),
    "error": ("message", "code"),
}
Begun = tuple[FunctionCall, HelperRun, Work | None]


class HelperCalls:
    """Runs the helpers that the workers of a run call.

    name_code: of this process, as a run's `code` and `parts_name`. The others are `Service`'s.
    """

    def __init__(
        self,
        store: Store,
        live: LiveRuns,
        limits: RunLimits,
        name_code: Callable[[], tuple[str | None, str | None]],
        build_table: Callable[[Run, str], NodeTable],
        prepare: Callable[[Claim], Awaitable[Work | None]],
        execute: Callable[..., Coroutine[Any, Any, AgentState]],
    ) -> None:
        self._store = store
        self._live = live
        self._limits = limits
        self._name_code = name_code
        self._build_table = build_table
        self._prepare = prepare
        self._execute = execute

    def equip(self, nodes: Mapping[str, Node], pack: Pack) -> Mapping[str, Node]:
        """Wrap the tools nodes so that they run the helpers which the model called.
        Without helpers: return the same nodes.
        """
        names = list_helper_tools(pack)
        tools = [name for name in nodes if names and name.endswith(".tools")]
        return {**nodes, **{n: self._wrap(n, nodes[n], names) for n in tools}} if tools else nodes

    def _wrap(self, name: str, node: Node, names: Mapping[str, str]) -> Node:
        """Wrap a tools node: run the helpers that are called (`names`) before it."""

        async def tools(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
            spec = ctx.pack.get_worker(name.removesuffix(".tools"))
            allowed = spec.tools if spec else tuple(names)
            calls = [
                call
                for call in list_open_calls(state["messages"])
                if call["name"] in names
                and (tool := ctx.tools.get(call["name"])) is not None
                and is_well_formed(call, tool, allowed)
            ]
            limit = ctx.limits.repeated_calls  # a loop ends the run in the node: begin no helper
            if calls and not find_loop(state["messages"], limit, ctx.tools.all_reads):
                await ctx.journal.store_waiting()
                is_tainted = has_untrusted_text(state["messages"], ctx.prompt_context, ctx.tools)
                await self._run(await self._begin(calls, names, is_tainted, ctx), ctx)
            return await node(state, ctx)

        return tools

    async def _begin(
        self,
        calls: Sequence[FunctionCall],
        names: Mapping[str, str],
        is_tainted: bool,
        ctx: RequestContext,
    ) -> list[Begun]:
        """Begin a run for each call that has none, all or none; leave out refused calls.
        Work: what is to be done here of a new one.
        """
        run, limits, new = ctx.run, ctx.limits, dict[str, Work]()
        async with self._store.transaction(ctx.tenant_id) as tx:
            # Its row is held until the commit: a new owner of the caller sees either no helper or
            # all of them.
            held = await tx.fetchval(SQL["hold_caller"], run.tenant_id, run.run_id, run.fence)
            depth: int = require_held(held, f"the run {run.run_id}") + 1
            # By the call's id: after a takeover, the caller continues with the helpers that an
            # earlier owner began.
            known = {item.tool_call_id for item in await list_helpers(tx, run.run_id)}
            for call in (call for call in calls if call["id"] not in known):
                worker, refused = names[call["name"]], None
                if depth > limits.helper_depth:
                    refused = "a helper this deep has none itself: do the work without"
                elif len(known) >= (most := limits.helpers_per_run):
                    refused = f"the limit is {most} helpers: go on with what they gave"
                known.add(call["id"])
                if refused:
                    await insert_helper(tx, run, call["id"], worker, depth, refused=refused)
                    continue
                task: str = call["arguments"]["task"]
                part: TextPart = {"type": "text", "text": task}
                if is_tainted:  # nobody's word: it may be that of somebody outside
                    part = {**part, "is_untrusted": True}
                message: Message = {"role": "user", "parts": [part]}
                code, parts_name = self._name_code()
                start = RunStart(
                    *(ctx.user_id, make_id(), message, f"{HELPING}{worker}", run.pack),
                    options=run.options.of_helpers,
                    code=code,
                    parts_name=parts_name,
                )
                place = {"thread_id": start.thread_id, "pack": run.pack, "kind": "helper"}
                await create_thread(tx, run.user_id, title=make_title(task), **place)
                made = await insert_run(tx, start, self._live.owner, self._limits.lease_s)
                new[call["id"]] = Work(made, self._build_table(made, "helper"), message)
                await insert_helper(tx, run, call["id"], worker, depth, begun=made)
            existing = {item.tool_call_id: item for item in await list_helpers(tx, run.run_id)}
        begun = [(call, existing[call["id"]], new.get(call["id"])) for call in calls]
        return [item for item in begun if item[1].run_id is not None]

    async def _run(self, begun: Sequence[Begun], ctx: RequestContext) -> None:
        """Run the helpers and record their results.

        Raises: RunSuspended when a helper waits for an approval, once the others have ended;
        RunHandedOver, StoreError when another process continues the run.
        """
        tasks = [asyncio.create_task(self._follow(helper, work, ctx)) for _, helper, work in begun]
        try:
            # Not in a group: what fails in one is no reason to cut another.
            await asyncio.gather(*tasks, return_exceptions=True)
        except asyncio.CancelledError:
            await finish_despite_cancel(self._stop(tasks, ctx))
            raise
        outcomes = [
            (call, it, task.result()) for (call, it, _), task in zip(begun, tasks, strict=True)
        ]
        if waiting := [item for item in outcomes if item[2]]:
            await ask_for_helpers(waiting, self._store, ctx)

    async def _follow(
        self, helper: HelperRun, work: Work | None, ctx: RequestContext
    ) -> Sequence[Approval]:
        """Execute or await the helper's run; return () once it ended, or its pending approvals."""
        run_id, live = str(helper.run_id), self._live
        while True:
            if work is not None:
                await self._work(work, helper, ctx)
            info = await self._store.load_run(ctx.tenant_id, ctx.user_id, run_id)
            if info.status not in ACTIVE:
                return ()
            if info.status == "waiting":
                if pending := await pass_decisions(self._store, ctx, run_id):
                    return pending
            # Nobody may work on it: then we do.
            here, gone = ((run_id,), ()) if live.get(run_id) else ((), (run_id,))
            claims = await self._store.queue.claim_lost_runs(
                live.owner, self._limits.lease_s, dropped=gone, held=here, run_id=run_id
            )
            work = await self._prepare(claims[0]) if claims else None
            if not claims:
                await live.wait_for(run_id, self._limits.cancel_poll_s)

    async def _work(self, work: Work, helper: HelperRun, ctx: RequestContext) -> None:
        """Execute the helper's run in a task of its own, so that it can be stopped alone.

        Raises: RunHandedOver, StoreError where the caller cannot go on either.
        """
        task = asyncio.create_task(
            self._execute(
                work, partial(_forward, helper, ctx), is_recoverable=ctx.journal.is_recoverable
            )
        )
        try:
            # Not awaited itself: a cancel of this task would go on to it, and end the helper as
            # cancelled where it should be handed over. Nor does what it raises end the caller
            # (test_parallel_helpers_can_fail_or_wait_and_the_run_replays).
            await asyncio.wait({task})
        except asyncio.CancelledError:
            if (live := self._live.get(work.run.run_id)) is None:
                task.cancel()
            elif ctx.journal.is_leaving:
                live.leave(at_once=True)
            else:
                live.cancel()
            await finish_despite_cancel(asyncio.wait({task}))
            raise
        error = None if task.cancelled() else task.exception()
        if isinstance(error, RunHandedOver | StoreError) and not isinstance(error, LeaseLost):
            raise error

    async def _stop(self, tasks: Sequence[asyncio.Task[Any]], ctx: RequestContext) -> None:
        """Stop the helpers of a stopping caller, wherever they are, unless others continue."""
        await end_tasks(*tasks)
        if not ctx.journal.is_leaving:
            async with self._store.transaction(ctx.tenant_id) as tx:
                await cancel_below(tx, ctx.run.run_id)


def _forward(helper: HelperRun, ctx: RequestContext, event: Event) -> None:
    """Emit a helper's event, shortened, to the caller's viewers."""
    name, data = event["event"], event["data"]
    if name in _UPDATE_FIELDS and not ctx.journal.is_leaving:
        ctx.emit(
            {
                "event": "helper",
                "data": {
                    "id": helper.tool_call_id,
                    "run_id": str(helper.run_id),
                    "worker": helper.worker,
                    "event": name,
                    "data": {key: data[key] for key in _UPDATE_FIELDS[name] if key in data},
                },
            }
        )
