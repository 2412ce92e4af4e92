"""Second node: the worker that triage named, or one model call where triage named none."""

from __future__ import annotations

from typing import Any

from ..base.messages.contents import get_request_message
from ..base.text.json_text import parse_json_object
from ..core.context import RequestContext, quiet
from ..core.llm import ModelCall, call_model, count_tokens_used
from ..core.state import AgentState
from ..errors import InputError
from ..types import Update
from .triage import build_route_request, estimate_tokens_of


@quiet
async def agent_router(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
    """Choose the worker: triage's, the only one, or a model's choice. Next: its node."""
    request_message = get_request_message(state["messages"])
    triaged: dict[str, Any] = state["result"] or {}
    named: str | None = triaged.get("worker")
    request = build_route_request(ctx.pack, state["messages"])
    if named is not None and ctx.pack.get_worker(named):
        ctx.journal.avoid("router", "triage named the worker", estimate_tokens_of(request))
        return {"result": None}, named
    if len(ctx.pack.workers) == 1:
        ctx.journal.avoid("router", "the pack has only one worker", estimate_tokens_of(request))
        return {"result": None}, ctx.pack.workers[0].name
    if named is not None:
        ctx.journal.note(f"triage named the unknown worker {named!r}: calling the router's model")
    response = await call_model(ModelCall("router", request, [request_message]), ctx)
    worker, criteria = _read_route(response.text, ctx)
    update: Update = {
        "tokens": count_tokens_used(response.usage),
        "success_criteria": criteria,
        "result": None,
    }
    return update, worker


def _read_route(text: str, ctx: RequestContext) -> tuple[str, str]:
    try:
        answer = parse_json_object(text)
    except InputError as error:
        ctx.journal.note(f"the router's answer was not JSON ({error}): default worker")
        return ctx.pack.default_worker, ""
    worker = str(answer.get("worker"))
    if ctx.pack.get_worker(worker) is None:
        ctx.journal.note(f"the router named the unknown worker {worker!r}: default worker")
        worker = ctx.pack.default_worker
    return worker, str(answer.get("success_criteria") or "")
