"""Helpers of a run: before a step's tools are called, those of its calls that are helpers' are run.

    WORKER ─► begin a run for each call ─► work on them here, at once ─► WORKER.tools ─► WORKER
                      │ (known by the call: one that was begun goes on)       reads the answers
                      └─► one waits for a person: the caller waits, too (`asking`)

A helper's run works under its caller's turn, limits and budget, and stops with it. When the process
dies, whoever takes the caller up goes on with the helpers that have not ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

from ...base.finishing import end_tasks, finish_despite_cancel
from ...base.ids import make_id
from ...base.messages import list_open_calls
from ...base.text import make_title
from ...core.context import Node, RequestContext
from ...core.journal import RunLeft, Viewer
from ...core.policy import is_repeating
from ...core.spec import Pack
from ...core.state import AgentState
from ...core.taint import has_untrusted_text
from ...designs.base import HELPING
from ...errors import LeaseLost, StoreError
from ...events import Event, RunEvent
from ...packs.helping import list_helper_tools
from ...store import helper_runs as store_helpers
from ...store.helper_runs import HelperRun
from ...store.leases import require_held
from ...store.queue import cancel_below
from ...store.records import Approval, Run, RunStart, ToolCallRecord
from ...store.runs import insert_run
from ...store.threads import create_thread
from ...types import FunctionCall, Message, RunOptions, TextPart, Update
from ...workers.approvals import is_well_formed
from ..live_runs import LiveRuns
from ..taking import Taking, Work, prepare_work
from .asking import ask_for_helpers, pass_decisions

ACTIVE: Final = ("queued", "running", "waiting")
# What a caller's viewers are told of a helper's events; the helper's own log has all of it.
_TOLD: Final[Mapping[str, tuple[str, ...]]] = {
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


class Serving(Taking, Protocol):
    """Names what is asked of the service that runs callers and helpers."""

    owner: str
    code: str | None
    live: LiveRuns

    async def execute(
        self,
        run: Run,
        table: Any,
        message: str | Message,
        viewer: Viewer | None = None,
        *,
        shown: str = "",
        is_recoverable: bool = False,
    ) -> AgentState: ...


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of a helper. index: its place among the calls of its message."""

    call: FunctionCall
    index: int
    worker: str


class HelperCalls:
    """Runs what the workers of a run ask of helpers."""

    def __init__(self, service: Serving) -> None:
        self._service = service
        self._store = service.store

    def equip(self, nodes: Mapping[str, Node], pack: Pack) -> Mapping[str, Node]:
        """Return the nodes, those of tools each after the helpers that its calls name; the same
        ones where the pack has no helpers.
        """
        names = list_helper_tools(pack)
        if not names:
            return nodes
        return {
            name: self._wrap(name.removesuffix(".tools"), node, names)
            if name.endswith(".tools")
            else node
            for name, node in nodes.items()
        }

    def _wrap(self, worker: str, node: Node, names: Mapping[str, str]) -> Node:
        async def tools(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
            spec = ctx.pack.get_worker(worker)
            allowed = spec.tools if spec else tuple(names)
            calls = [
                _Call(call, index, names[call["name"]])
                for index, call in enumerate(list_open_calls(state["messages"]))
                if call["name"] in names
                and (tool := ctx.tools.get(call["name"])) is not None
                and is_well_formed(call, tool, allowed)
            ]
            if calls and not is_repeating(state["messages"], ctx.limits.repeated_calls):
                await ctx.journal.store_waiting()
                await self._run_all(calls, state, ctx)
            return await node(state, ctx)

        return tools

    async def _run_all(
        self, calls: Sequence[_Call], state: AgentState, ctx: RequestContext
    ) -> None:
        """Raises: RunParked when one waits for a person, once the others have ended; RunLeft,
        StoreError when somebody else goes on.
        """
        begun = await self._begin(calls, state, ctx)
        if not begun:
            return
        tasks = [asyncio.create_task(self._follow(it, work, ctx)) for _, it, work in begun]
        try:
            await asyncio.wait(tasks)  # what fails in one is no reason to cut another
        except asyncio.CancelledError:
            await finish_despite_cancel(self._stop(tasks, ctx))
            raise
        for error in (task.exception() for task in tasks):
            if error is not None:
                raise error
        waiting = [
            (_make_record(call, ctx), helper, task.result())
            for (call, helper, _), task in zip(begun, tasks, strict=True)
            if task.result()
        ]
        if waiting:
            await ask_for_helpers(waiting, self._store, ctx)

    async def _begin(
        self, calls: Sequence[_Call], state: AgentState, ctx: RequestContext
    ) -> list[tuple[_Call, HelperRun, Work | None]]:
        """Begin a run for each call that has none, all of them or none. Work: that of the new ones,
        which is to be done here.
        """
        run, new = ctx.run, dict[str, Work]()
        is_tainted = has_untrusted_text(state["messages"], ctx.prompt_context)
        async with self._store.transaction(ctx.tenant_id) as tx:
            depth = require_held(await store_helpers.hold_caller(tx, run), f"the run {run.run_id}")
            known = {item.tool_call_id for item in await store_helpers.list_helpers(tx, run.run_id)}
            count = len(known)
            for item in (item for item in calls if item.call["id"] not in known):
                place = (run, item.call["id"], item.worker, depth + 1)
                if told := _refuse(depth, count, ctx):
                    await store_helpers.insert_helper(tx, *place, refused=told)
                    continue
                start = self._make_start(item, ctx, is_tainted)
                title = make_title(item.call["arguments"]["task"])
                await create_thread(
                    *(tx, run.user_id), thread_id=start.thread_id, title=title, pack=run.pack,
                    kind="helper",
                )  # fmt: skip
                owner, lease_s = self._service.owner, ctx.limits.lease_s
                made_run = await insert_run(tx, start, owner, lease_s)
                table = self._service.build_run_table(made_run, "helper")
                new[item.call["id"]] = Work(made_run, table, start.message, "")
                made = {"run_id": start.run_id, "thread_id": start.thread_id}
                await store_helpers.insert_helper(tx, *place, **made)
                count += 1
            found = await store_helpers.list_helpers(tx, run.run_id)
        helpers = {item.tool_call_id: item for item in found}
        return [
            (item, helper, new.get(item.call["id"]))
            for item in calls
            if (helper := helpers[item.call["id"]]).run_id is not None
        ]

    def _make_start(self, item: _Call, ctx: RequestContext, is_tainted: bool) -> RunStart:
        """What was asked after text from outside is nobody's word: the helper is told so."""
        part: TextPart = {"type": "text", "text": item.call["arguments"]["task"]}
        if is_tainted:
            part = {**part, "is_untrusted": True}
        asked = ctx.run.options
        return RunStart(
            ctx.user_id,
            make_id(),
            {"role": "user", "parts": [part]},
            f"{HELPING}{item.worker}",
            ctx.run.pack,
            options=RunOptions(tags=asked.tags, chosen_model=asked.chosen_model),
            code=self._service.code,
        )

    async def _follow(
        self, helper: HelperRun, work: Work | None, ctx: RequestContext
    ) -> Sequence[Approval]:
        """Work on the helper's run, or wait for whoever does, until it has ended: (). Or until it
        waits for a person: what it asks.
        """
        assert helper.run_id is not None
        while True:
            if work is not None:
                await self._work(work, helper, ctx)
            info = await self._store.load_run(ctx.tenant_id, ctx.user_id, helper.run_id)
            if info.status not in ACTIVE:
                return ()
            if info.status == "waiting":
                if is_open := await pass_decisions(self._store, ctx, helper):
                    return is_open
            if (work := await self._take_up(helper.run_id, ctx)) is None:
                await self._service.live.wait_for(helper.run_id, ctx.limits.cancel_poll_s)

    async def _take_up(self, run_id: str, ctx: RequestContext) -> Work | None:
        """Take the helper's run when nobody works on it; not from whoever does."""
        is_here = self._service.live.get(run_id) is not None
        claims = await self._store.queue.claim_lost_runs(
            self._service.owner,
            ctx.limits.lease_s,
            dropped=() if is_here else (run_id,),
            held=(run_id,) if is_here else (),
            run_id=run_id,
        )
        return await prepare_work(self._service, claims[0]) if claims else None

    async def _work(self, work: Work, helper: HelperRun, ctx: RequestContext) -> None:
        """One owner's work on the helper's run, in a task of its own: so it can be stopped alone.

        Raises: RunLeft, StoreError where the caller cannot go on either.
        """
        is_recoverable = ctx.journal.is_recoverable
        task = asyncio.create_task(
            self._service.execute(
                *(work.run, work.table, work.message, partial(_forward, helper, ctx)),
                shown=work.shown,
                is_recoverable=is_recoverable,
            )
        )
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            await finish_despite_cancel(self._halt(task, work.run, ctx))
            raise
        error = None if task.cancelled() else task.exception()
        if isinstance(error, RunLeft | StoreError) and not isinstance(error, LeaseLost):
            raise error

    async def _halt(self, task: asyncio.Task[Any], run: Run, ctx: RequestContext) -> None:
        """End the work on a helper's run as the caller's ends: cancelled, or left to others."""
        if (live := self._service.live.get(run.run_id)) is None:
            task.cancel()
        elif ctx.journal.is_leaving:
            live.leave(at_once=True)
        else:
            live.cancel()
        await asyncio.wait({task})

    async def _stop(self, tasks: Sequence[asyncio.Task[Any]], ctx: RequestContext) -> None:
        """The caller stops here: so do its helpers, wherever they are, unless others go on."""
        await end_tasks(*tasks)
        if not ctx.journal.is_leaving:
            async with self._store.transaction(ctx.tenant_id) as tx:
                await cancel_below(tx, ctx.run.run_id)


def _refuse(depth: int, count: int, ctx: RequestContext) -> str | None:
    """Why no more helpers are begun; None: one may be."""
    if depth >= ctx.limits.helper_depth:
        return "a helper this deep has none itself: do the work without"
    if count >= ctx.limits.helpers_per_run:
        return f"the limit is {ctx.limits.helpers_per_run} helpers: go on with what they gave"
    return None


def _make_record(item: _Call, ctx: RequestContext) -> ToolCallRecord:
    call = item.call
    key = f"{ctx.run.run_id}:{ctx.journal.step}:{call['id']}"
    place = (call["id"], item.index, call["name"])
    return ToolCallRecord(*place, "read", "approval", call["arguments"], 0, key)


def _forward(helper: HelperRun, ctx: RequestContext, event: Event) -> None:
    """Tell the caller's viewers of it, in short."""
    kept = _TOLD.get(event["event"])
    if kept is None or helper.run_id is None or ctx.journal.is_leaving:
        return
    told: RunEvent = {
        "event": "helper",
        "data": {
            "id": helper.tool_call_id,
            "run_id": helper.run_id,
            "worker": helper.worker,
            "event": event["event"],
            "data": {name: event["data"][name] for name in kept if name in event["data"]},
        },
    }
    ctx.emit(told)
