"""`/api/runs`: a run as its steps, and what it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

import orjson

from ...agent.base.messages.contents import get_text
from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.dataclasses import dataclass, replace
from ...agent.errors import InputError
from ...agent.mcp.forms import check_content, load_fields
from ...agent.providers.answered_models import is_rerouted
from ...agent.providers.cost_parts import CostPart, split_cost
from ...agent.providers.pricing import Prices
from ...agent.store.approvals import Decided
from ...agent.store.database import Queryable, parse_id
from ...agent.store.helper_runs import HelperRun, find_caller, list_helpers
from ...agent.store.outcomes.ratings import list_ratings
from ...agent.store.records import Approval, CallInfo, RunInfo, StepInfo, ToolCallRecord
from ...agent.types import Message, sum_known
from ...agent.usage.caches import LOSSES, load_cache_losses
from ..http.endpoint import AppContext
from ..http.error_table import find_action
from .config import read_screens
from .conversations import check_limit
from .present import load_present
from .requests import read_request
from .shapes import (
    ApprovalList,
    AvoidedStep,
    Decision,
    Decisions,
    PendingApproval,
    RunDetail,
    RunStep,
    RunSteps,
    RunSummary,
    StepCall,
    StepCost,
    StepHelper,
    StepsQuery,
    StepTool,
)
from .showing import to_pending, to_shape, to_visible_parts
from .summary import RunStory, sum_cost

ONE: Final = "/api/runs/{run_id}"


@dataclass(frozen=True, slots=True)
class RunRoutes:
    """The routes of runs."""

    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute("GET", ONE, read_run, "Read a run"),
            ApiRoute("GET", ONE + "/steps", list_steps, "Read a run's steps"),
            ApiRoute("GET", ONE + "/summary", self.summarize, "Summarise a run in sentences"),
            ApiRoute(
                *("GET", ONE + "/calls/{call_id}", read_request),
                "Read a model call's request, and what it shares with the previous one",
            ),
            ApiRoute("GET", ONE + "/approvals", self.list_approvals, "List a run's approvals"),
            ApiRoute(
                "POST",
                ONE + "/approvals",
                self.decide_together,
                "Decide several of a run's tool calls: all of them, or none",
            ),
            ApiRoute(
                "POST",
                ONE + "/approvals/{approval_id}",
                self.decide,
                "Approve or deny a tool call, once",
            ),
        )

    async def summarize(self, request: ApiRequest) -> RunSummary:
        store, run_id = request.store, request.params["run_id"]
        run = await store.load_run(*request.owner, run_id)
        story = RunStory(
            run,
            await store.load_steps(request.tenant_id, run_id),
            await store.list_calls(request.tenant_id, run_id),
            await store.list_tool_calls(request.tenant_id, run_id),
            await self.app.runs.list_approvals(*request.owner, run_id),
            [read_screens(pack) for pack in self.app.service.packs],
        )
        return RunSummary(run_id, [*story.tell()], find_action(run.error_code))

    async def list_approvals(self, request: ApiRequest) -> ApprovalList:
        listed = await self.app.runs.list_approvals(*request.owner, request.params["run_id"])
        shown = [to_pending(item) for item in listed]
        for one, item in zip(shown, listed, strict=True):
            if item.status == "pending":
                one.present = await load_present(request.db, self.app.service.packs, item)
                one.form = await _load_fields(request.db, item)
        return ApprovalList(shown)

    async def decide(self, request: ApiRequest, body: Decision) -> PendingApproval:
        run_id, approval_id = request.params["run_id"], request.params["approval_id"]
        [decided] = await self._decide(request, run_id, {approval_id: body})
        return to_pending(decided)

    async def decide_together(self, request: ApiRequest, body: Decisions) -> ApprovalList:
        named = {item.approval_id: item for item in body.decisions}
        # Refused, not the last one kept: yes and no to the same call is a bug of the client.
        if len(named) < len(body.decisions):
            raise InputError(
                "the same approval is listed twice",
                hint="List each approval once.",
                param="decisions",
            )
        decided = await self._decide(request, request.params["run_id"], named)
        return ApprovalList([*map(to_pending, decided)])

    async def _decide(
        self, request: ApiRequest, run_id: str, named: Mapping[str, Decision]
    ) -> list[Approval]:
        """Decide these questions of a run, all or none, with the forms that they ask for."""
        approvals = await self.app.runs.list_approvals(*request.owner, run_id)
        waiting = {item.approval_id: item for item in approvals if item.status == "pending"}
        decisions = list[Decided]()
        for approval_id, decision in named.items():
            content: dict[str, Any] | None = None
            # Only an approval has a form; a question that is decided already is refused below, with
            # its state.
            if decision.approve and (item := waiting.get(parse_id(approval_id, "approval"))):
                content = check_content(await _load_fields(request.db, item), decision.content)
            decisions.append(Decided(approval_id, decision.approve, decision.reason, content))
        return await self.app.runs.decide_approvals(
            *request.owner, run_id, decisions, request.user_id
        )


async def _load_fields(db: Queryable, item: Approval) -> dict[str, Any] | None:
    return await load_fields(db, item.run_id, item.tool_name, item.arguments)


async def read_run(request: ApiRequest) -> RunDetail:
    run = await request.store.load_run(*request.owner, request.params["run_id"])
    calls = await request.store.list_calls(request.tenant_id, run.run_id)
    # A provider's error text may name keys, organisations and other users
    # (test_failure_reasons_are_shown_only_to_admins).
    causes = [call.error_message for call in calls if call.error_message and request.is_admin]
    questions: Sequence[Message] = ()
    if run.status != "queued":  # its message is not in the thread yet: the last one is another's
        questions = await request.store.load_messages(
            request.tenant_id, run.thread_id, max_tokens=0, until_position=run.input_position
        )
    caller = await find_caller(request.db, run.run_id)
    return to_shape(
        RunDetail,
        run,
        id=run.run_id,
        question=get_text(questions[-1]) if questions else "",
        caller_run_id=caller["caller_run_id"] if caller else None,
        rating=next(iter(await list_ratings(request.db, run.thread_id, run.run_id)), None),
        conversation_id=run.thread_id,
        cause=causes[-1] if causes and run.error_code else None,
        calls=len(calls),
        input_tokens=sum_known(*(call.usage.input_total for call in calls)),
        output_tokens=sum_known(*(call.usage.output_total for call in calls)),
        cost_usd=None if (cost := sum_cost(calls)) is None else f"{cost:f}",
    )


async def list_steps(request: ApiRequest, query: StepsQuery) -> RunSteps:
    run = await request.store.load_run(*request.owner, request.params["run_id"])
    steps = await request.store.load_steps(request.tenant_id, run.run_id)
    calls = await request.store.list_calls(request.tenant_id, run.run_id)
    called = await request.store.list_tool_calls(request.tenant_id, run.run_id)
    tools = {tool.tool_call_id: tool for tool in called}
    helpers = {item.tool_call_id: item for item in await list_helpers(request.db, run.run_id)}
    steps = [*steps, *_list_cut_steps(run, steps, calls)]
    limit = None if query.limit is None else check_limit(request, query.limit)
    shown = [step for step in steps if step.n > query.after][:limit]
    saved = sum(item.tokens for step in steps for item in step.avoided)
    if not request.is_admin:
        calls = [replace(call, error_message=None) for call in calls]
    numbers = {step.n for step in shown}
    calls = [call for call in calls if call.step in numbers]
    # The public list takes 0.4 s to load.
    prices = Prices(request.settings.prices)
    costs = await asyncio.to_thread(_split_costs, prices, calls)
    losses = await load_cache_losses(request.db, run.thread_id, run.run_id, prices)
    described = [_to_step(step, calls, costs, losses, tools, helpers) for step in shown]
    lost = [_sum_losses(losses, name) for name in LOSSES]
    return RunSteps(run.run_id, described, len(steps), saved, *lost)


def _sum_losses(losses: Mapping[str, Mapping[str, str]], name: str) -> str | None:
    amounts = [Decimal(item[name]) for item in losses.values() if name in item]
    return f"{sum(amounts, Decimal()):f}" if amounts else None


def _split_costs(prices: Prices, calls: Sequence[CallInfo]) -> dict[str, list[CostPart]]:
    return {
        call.call_id: split_cost(
            *(prices, call.provider, call.model, call.model_answered),
            *(call.usage, call.created_at, call.cost_usd),
        )
        for call in calls
    }


def _list_cut_steps(
    run: RunInfo, steps: Sequence[StepInfo], calls: Sequence[CallInfo]
) -> list[StepInfo]:
    """Return the step within which an ended run was stopped or failed, if it called a model.

    Such a step is not recorded, but its calls cost something.
    """
    last = steps[-1].n if steps else -1
    cut = [call for call in calls if call.step is not None and call.step > last]
    if not cut or run.ended_at is None:
        return []
    begun = cut[0].created_at
    took_ms = round((run.ended_at - begun) / timedelta(milliseconds=1))
    return [StepInfo(cut[0].step or 0, cut[0].node, "", {}, (), (), begun, took_ms)]


def _to_step(
    step: StepInfo,
    calls: list[CallInfo],
    costs: dict[str, list[CostPart]],
    losses: dict[str, dict[str, str]],
    tools: dict[str, ToolCallRecord],
    helpers: dict[str, HelperRun],
) -> RunStep:
    update: dict[str, Any] = dict(step.update)
    parts = [part for message in update.get("messages", []) for part in message["parts"]]
    gave = {part["id"]: part["result"] for part in parts if part["type"] == "tool_result"}
    if "messages" in update:
        update["messages"] = [
            {"role": message["role"], "parts": to_visible_parts(message["parts"])}
            for message in update["messages"]
        ]
    return to_shape(
        RunStep,
        step,
        next=step.next_node or None,
        update=update,
        avoided=[to_shape(AvoidedStep, item) for item in step.avoided],
        calls=[
            to_shape(
                *(StepCall, call.usage, call),
                usage_source=call.usage.source,
                is_rerouted=is_rerouted(call.model, call.model_answered),
                started_at=call.created_at,
                cost_parts=[to_shape(StepCost, part) for part in costs[call.call_id]],
                **dict.fromkeys(LOSSES) | losses.get(call.call_id, {}),
            )
            for call in calls
            if call.step == step.n
        ],
        tools=[
            to_shape(
                StepTool,
                tools[item],
                size_bytes=len(orjson.dumps(result)),
                helper=_to_helper(helpers.get(item)),
            )
            for item, result in gave.items()
            if item in tools
        ],
    )


def _to_helper(helper: HelperRun | None) -> StepHelper | None:
    if helper is None or helper.status is None:
        return None
    return to_shape(StepHelper, helper, conversation_id=helper.thread_id)
