"""First node: a certain rule costs no token; else one model call names worker and criteria."""

from __future__ import annotations

from typing import Any

from ..base.json_text import parse_json_object
from ..base.messages import get_request_message, get_text
from ..base.tokens import estimate_message_tokens, estimate_prompt_tokens
from ..core.context import RequestContext
from ..core.entities import validate_fast_query
from ..core.llm import ModelCall, call_model, count_tokens_used
from ..core.state import AgentState
from ..errors import InputError
from ..intents.matching import guess_language, match_intent
from ..types import Message, Update
from .triage import NONE, build_triage_request, estimate_tokens_of

ROUTER = "agent_router"


async def intent_classifier(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
    """Decide between a fast path and a worker. Next: `fast_*` or `agent_router`."""
    asked = get_request_message(state["messages"])
    match = match_intent(get_text(asked), ctx.pack.entities)
    if match is not None:
        ctx.journal.note(
            f"rule {match.rule!r} is certain: {match.fast_intent} of {match.entity_type}"
        )
        _avoid_all_calls(asked, state, match.rule, ctx)
        update: Update = {
            "fast_intent": match.fast_intent,
            "entity_type": match.entity_type,
            "query": match.query,
            "result": {"language": match.language},
        }
        return update, f"fast_{match.fast_intent}"
    if not ctx.settings.agent.triage or len(ctx.pack.workers) < 2:
        ctx.journal.note("no certain rule; triage is off or there is nothing to choose")
        return {}, ROUTER
    request = build_triage_request(ctx.pack, ctx.schema_context, state["messages"])
    response = await call_model(ModelCall("classifier", request, [asked]), ctx)
    tokens = count_tokens_used(response.usage)
    return _read_triage(response.text, asked, tokens, ctx)


def _read_triage(text: str, asked: Message, tokens: Any, ctx: RequestContext) -> tuple[Update, str]:
    try:
        answer = parse_json_object(text)
    except InputError as error:
        ctx.journal.note(f"triage gave no JSON ({error}): the router decides")
        return {"tokens": tokens}, ROUTER
    criteria = str(answer.get("success_criteria") or "")
    intent, entity_name = answer.get("fast_intent"), answer.get("entity_type")
    entity = next((e for e in ctx.pack.entities if e.name == entity_name), None)
    query = (
        validate_fast_query(entity, answer)
        if entity and intent in ("lookup", "count", "list")
        else None
    )
    if entity and query and intent in ("lookup", "count", "list"):
        ctx.journal.note(f"one model call: {intent} of {entity.name}, no worker needed")
        ctx.journal.avoid("worker", f"triage chose fast_{intent}", _estimate_worker(asked, ctx))
        update: Update = {
            "tokens": tokens,
            "success_criteria": criteria,
            "fast_intent": intent,
            "entity_type": entity.name,
            "query": query,
            "result": {"language": guess_language(get_text(asked))},
        }
        return update, f"fast_{intent}"
    if intent not in (NONE, None):
        ctx.journal.note(f"triage's {intent} of {entity_name} does not fit the entities: ignored")
    worker = answer.get("worker")
    ctx.journal.note(f"one model call: worker {worker!r}")
    return {"tokens": tokens, "success_criteria": criteria, "result": {"worker": worker}}, ROUTER


def _avoid_all_calls(asked: Message, state: AgentState, rule: str, ctx: RequestContext) -> None:
    """The rule saved the triage call and at least one call of a worker."""
    reason = f"fast path rule {rule}"
    if ctx.settings.agent.triage and len(ctx.pack.workers) > 1:
        request = build_triage_request(ctx.pack, ctx.schema_context, state["messages"])
        ctx.journal.avoid("classifier", reason, estimate_tokens_of(request))
    ctx.journal.avoid("worker", reason, _estimate_worker(asked, ctx))


def _estimate_worker(asked: Message, ctx: RequestContext) -> int:
    """The least that a worker's call would have sent: a prompt and the message.

    Its tools would have come on top; their schemas are not built for what is not called.
    """
    prompt = min(estimate_prompt_tokens(worker.prompt) for worker in ctx.pack.workers)
    return prompt + estimate_message_tokens(asked)
