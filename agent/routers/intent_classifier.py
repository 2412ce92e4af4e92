"""The first node: a rule chooses a fast path without a model, else triage's model sorts."""

from __future__ import annotations

from typing import Any

from ..base.messages.contents import get_request_message, get_text, get_words, has_open_question
from ..base.messages.wishes import needs_model
from ..base.text.json_text import parse_json_object
from ..core.context import NodeSpec, RequestContext
from ..core.llm import ModelCall, call_model, count_tokens_used
from ..core.state import AgentState
from ..errors import InputError
from ..intents.proposals import read_records, validate_fast_query
from ..intents.remembered.memory import recall
from ..intents.rules import IntentMatch, load_rules, match_intent
from ..types import Message, Update
from .savings import estimate_worker
from .triage import build_triage_request

ROUTER = "agent_router"


async def classify_intent(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
    """Choose a fast path or a worker, by rule, memory or model. Next: `fast_*` or `agent_router`.

    What a rule did not find comes back here: it was a guess, and triage decides. So do rows that
    cannot be compared; those are a worker's.
    """
    message = get_request_message(state["messages"])
    # A program that wishes something of the answer asks a worker's model for it.
    wished = {"missed": "units"} if needs_model(ctx.run.options) else {}
    before: dict[str, Any] = state["result"] or wished
    is_reply = has_open_question(state["messages"])
    if before.get("missed"):
        ctx.journal.note("no fast path has an answer: calling a model")
    else:
        match = match_intent(get_words(message), ctx.pack.entities, is_reply=is_reply)
        if match is not None:
            return _follow_rule(match, ctx)
    nothing: Update = {"fast_intent": None, "entity_type": None, "query": None, "result": None}
    if not ctx.settings.agent.triage or len(ctx.pack.workers) < 2:
        ctx.journal.note("no rule is certain, and triage is off or has nothing to choose")
        return (nothing if before else {}), ROUTER
    request = build_triage_request(ctx.pack, ctx.schema_context, state["messages"])
    memory = await recall(message, request, ctx, is_reply=is_reply, is_settled=bool(before))
    if memory.answer is not None:
        update, fast_path = memory.use(message, request, ctx)
        return update, fast_path or ROUTER
    response = await call_model(ModelCall("classifier", request, [message]), ctx)
    tokens = count_tokens_used(response.usage)
    can_compare = before.get("missed") != "units"
    update, next_node = _read_triage(response.text, message, tokens, ctx, can_compare)
    if can_compare and "success_criteria" in update:  # else it answered nothing to be learned
        await memory.learn(update, ctx)
    return ({**nothing, **update} if before else update), next_node


def may_match(message: Message, ctx: RequestContext) -> bool:
    """Whether a fast-path rule matches the message, so that no model need classify it."""
    return match_intent(get_words(message), ctx.pack.entities) is not None


intent_classifier = NodeSpec(classify_intent, is_quiet=True, may_match=may_match)


def _follow_rule(match: IntentMatch, ctx: RequestContext) -> tuple[Update, str]:
    ctx.journal.note(f"rule {match.rule!r} is certain: {match.fast_intent} of {match.entity_type}")
    # What it saved is told by the fast path, when it has found something.
    result: dict[str, Any] = {"language": match.language, "rule": match.rule}
    if match.asked is not None:
        result["asked"] = match.asked
    update: Update = {
        "fast_intent": match.fast_intent,
        "entity_type": match.entity_type,
        "query": match.query,
        "result": result,
    }
    return update, f"fast_{match.fast_intent}"


def _read_triage(
    text: str, message: Message, tokens: Any, ctx: RequestContext, can_compare: bool
) -> tuple[Update, str]:
    try:
        answer = parse_json_object(text)
    except InputError as error:
        worker = ctx.pack.default_worker
        ctx.journal.note(f"not classified: triage's answer was not JSON ({error}): {worker}")
        return {"tokens": tokens, "result": {"worker": worker}}, ROUTER
    criteria = str(answer.get("success_criteria") or "")
    records = read_records(answer)
    intent, entity_name = records.get("fast_intent"), records.get("entity_type")
    entity = next((e for e in ctx.pack.entities if e.name == entity_name), None)
    query = (
        validate_fast_query(entity, records)
        if entity and intent in ("lookup", "count", "list") and can_compare
        else None
    )
    if entity and query and intent in ("lookup", "count", "list"):
        ctx.journal.note(f"one model call: {intent} of {entity.name}, no worker needed")
        ctx.journal.avoid("worker", f"triage chose fast_{intent}", estimate_worker(message, ctx))
        update: Update = {
            "tokens": tokens,
            "success_criteria": criteria,
            "fast_intent": intent,
            "entity_type": entity.name,
            "query": query,
            "result": {"language": load_rules().guess_language(get_text(message))},
        }
        return update, f"fast_{intent}"
    if intent not in ("", "none", None):
        ctx.journal.note(f"triage's {intent} of {entity_name} does not fit the entities: ignored")
    worker = answer.get("worker")
    ctx.journal.note(f"one model call: worker {worker!r}")
    return {"tokens": tokens, "success_criteria": criteria, "result": {"worker": worker}}, ROUTER
