"""Records what a rule saved: the triage call and at least one worker call."""

from __future__ import annotations

from ..base.messages.contents import get_request_message
from ..base.tokens.estimate import estimate_message_tokens, estimate_tokens
from ..core.context import RequestContext
from ..core.state import AgentState
from ..types import Message
from .triage import build_triage_request, estimate_tokens_of


def avoid_all_calls(state: AgentState, rule: str, ctx: RequestContext) -> None:
    """Record that a fast path saved the calls of triage and of a worker."""
    reason = f"fast path rule {rule}"
    if ctx.settings.agent.triage and len(ctx.pack.workers) > 1:
        request = build_triage_request(ctx.pack, ctx.schema_context, state["messages"])
        ctx.journal.avoid("classifier", reason, estimate_tokens_of(request))
    request_message = get_request_message(state["messages"])
    ctx.journal.avoid("worker", reason, estimate_worker(request_message, ctx))


def estimate_worker(message: Message, ctx: RequestContext) -> int:
    """Estimate an avoided worker call's input tokens, by the shortest prompt and the message.

    Its tools would have come on top; their schemas are not built for what is not called.
    """
    prompt = min(estimate_tokens(worker.prompt) for worker in ctx.pack.workers)
    return prompt + estimate_message_tokens(message)
