"""The fast paths: a lookup, a count or a list answered from the database, without a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from ..base.messages.contents import get_request_message, make_text_message
from ..base.text.links import LinkFilter, disarm_text
from ..core.answers import AnswerStream
from ..core.context import RequestContext, quiet
from ..core.loop import is_long, load_state
from ..core.spec import EntitySpec
from ..core.state import END, START_NODE, AgentState
from ..intents.queries import (
    TOTAL_COLUMN,
    UNTRUSTED_COLUMN,
    build_fast_query,
    build_units_query,
    to_json_value,
)
from ..intents.remembered.memory import RULE
from ..types import FastIntent, FastQuery, Update
from .fast_answers import format_briefly, format_count, format_list, format_lookup
from .savings import avoid_all_calls

FORMAT: Final = "format_result"
_EVERYTHING: Final[FastQuery] = {"filters": [], "order_by": None, "descending": False, "limit": 0}


@quiet
async def fast_count(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
    """Count the matching rows. Next: `format_result`, or the start node if the count is doubtful.
    Result: `{"total", "language"?}`; 0 is an answer. Else `{"missed": "units"}` if rows cannot be
    compared, `{"missed": True}` if a rule's name fits none.
    """
    entity, query = _get_request(state, ctx)
    if not await _can_compare(entity, query, ctx):
        return {"result": {"missed": "units"}}, START_NODE
    total = await _count_rows(entity, query, ctx)
    ctx.journal.note(f"counted {entity.name}: {total}")
    if not _stands(state, query, total, ctx):
        return {"result": {"missed": True}}, START_NODE
    return {"result": {**_keep_language(state, entity), "total": total}}, FORMAT


@quiet
async def fast_list(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
    """List the matching rows in order. Next: `format_result` or the start node.
    Result: `{"total", "rows": [{"id", "title"}], "language"?}`; `{"missed": …}` as by `fast_count`.
    """
    entity, query = _get_request(state, ctx)
    if not await _can_compare(entity, query, ctx):
        return {"result": {"missed": "units"}}, START_NODE
    rows = await _fetch_rows(entity, "list", query, ctx)
    total = rows[0][TOTAL_COLUMN] if rows else 0
    ctx.journal.note(f"listed {entity.name}: {len(rows)} of {total}")
    if not _stands(state, query, total, ctx):
        return {"result": {"missed": True}}, START_NODE
    items = [_describe_row(entity, row) for row in rows]
    kept = _keep_language(state, entity) | _mark_untrusted(rows)
    return {"result": {**kept, "total": total, "rows": items}}, FORMAT


@quiet
async def fast_lookup(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
    """Look up the rows that match a name, best first. Next: `format_result` or the start node.

    Result: `{"total", "rows": [{"id", "title", "fields"?}], "existing", "language"?}`; existing:
    how many rows there are at all, None when something was found. What a rule looked up by a name
    and did not find, or found without the field that is asked for, is triage's: `{"missed": True}`.
    """
    entity, query = _get_request(state, ctx)
    rows = await _fetch_rows(entity, "lookup", query, ctx)
    if not rows:  # a search may look inside words, where there is no whole one
        rows = await _fetch_rows(entity, "lookup", query, ctx, inside_words=True)
    total = rows[0][TOTAL_COLUMN] if rows else 0
    items = [_describe_row(entity, row) for row in rows]
    ctx.journal.note(f"looked up {entity.name}: {total} found")
    parsed: Mapping[str, Any] = state["result"] or {}
    target = entity.get_field(parsed.get("asked", ""))
    has_value = target is None or any(row[target.column] not in (None, "") for row in rows)
    if not _stands(state, query, total if has_value else 0, ctx):
        return {"result": {"missed": True}}, START_NODE
    if len(rows) == 1:
        shown = [field for field in entity.fields if field.is_shown]
        set_fields = [field for field in shown if rows[0][field.column] not in (None, "")]
        items[0]["fields"] = {item.name: to_json_value(rows[0][item.column]) for item in set_fields}
    existing = None if rows else await _count_rows(entity, _EVERYTHING, ctx)
    result = {"total": total, "rows": items, "existing": existing}
    kept = _keep_language(state, entity) | _mark_untrusted(rows)
    return {"result": {**kept, **result}}, FORMAT


@quiet
async def format_result(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
    """Write the fast path's result as the answer and stream it. Next: END."""
    entity, query = _get_request(state, ctx)
    result: Mapping[str, Any] = state["result"]
    words = entity.translations.get(result.get("language", ""))
    if words is not None:
        text = format_briefly(entity, words, query, result)
    elif state["fast_intent"] == "count":
        text = format_count(entity, query, result["total"])
    elif state["fast_intent"] == "list":
        text = format_list(entity, query, result["total"], result["rows"])
    else:
        text = format_lookup(entity, query, result)
    message = make_text_message("assistant", text)
    if "is_untrusted" in result:
        message["parts"][0]["is_untrusted"] = True  # pyright: ignore[reportGeneralTypeIssues]
    # As after a message that is there already: what the rows say is guarded like what came of them.
    stream, messages = AnswerStream("", ctx), state["messages"]
    strict = LinkFilter(lambda _: False, "")
    if is_long(ctx) and await disarm_text(text, strict) != text:
        # Addresses may have been named, or text from outside read, before what a count needs.
        messages = (await load_state(get_request_message(messages), ctx))["messages"]
    stream.guard([*messages, message], ctx)
    return {"messages": [await stream.settle(message)]}, END


def _mark_untrusted(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """For the result, where a run wrote one of them that had read text from outside."""
    return {"is_untrusted": True} if any(row.get(UNTRUSTED_COLUMN) for row in rows) else {}


def _keep_language(state: AgentState, entity: EntitySpec) -> dict[str, str]:
    """Return the request's language if the entity has words in it; else {} (English)."""
    parsed: Mapping[str, Any] = state["result"] or {}
    language: str = parsed.get("language", "")
    return {"language": language} if language in entity.translations else {}


def _get_request(state: AgentState, ctx: RequestContext) -> tuple[EntitySpec, FastQuery]:
    """Return the state's entity and query. Raises: ValueError without: a bug of the router."""
    name, query = state["entity_type"], state["query"]
    entity = next((item for item in ctx.pack.entities if item.name == name), None)
    if entity is None or query is None:
        raise ValueError(f"a fast path needs an entity and a query, both set: {name!r}, {query!r}")
    return entity, query


async def _can_compare(entity: EntitySpec, query: FastQuery, ctx: RequestContext) -> bool:
    """Whether all rows are in one unit, if the query compares: 60,000 euros are not 60,000 dollars,
    and what is in an unknown unit may be either.
    """
    built = build_units_query(entity, query, ctx.tenant_id, ctx.user_id)
    if built is not None:
        sql, args = built
        units = await ctx.store.read(ctx.tenant_id).fetchval(sql, *args)
        if units > 1:
            ctx.journal.note(f"{entity.name} in different units ({units}): not compared")
            return False
    return True


def _stands(state: AgentState, query: FastQuery, total: int, ctx: RequestContext) -> bool:
    """Whether the matches are the answer, which then saved calls. No rule is certain of a name,
    nor a remembered one of a condition: where it fits no row triage decides. Else 0 is an answer.
    """
    rule: str | None = cast(dict[str, Any], state["result"] or {}).get("rule")
    if rule is None:
        return True
    is_remembered = rule.startswith(RULE)
    guessed = [item for item in query["filters"] if is_remembered or item["op"] == "contains"]
    if guessed and not total:
        return False
    avoid_all_calls(state, rule, ctx)
    return True


async def _fetch_rows(
    entity: EntitySpec,
    intent: FastIntent,
    query: FastQuery,
    ctx: RequestContext,
    *,
    inside_words: bool = False,
) -> list[dict[str, Any]]:
    sql, args = build_fast_query(
        *(entity, intent, query, ctx.tenant_id, ctx.user_id),
        max_rows=ctx.limits.list_rows,
        inside_words=inside_words,
    )
    return await ctx.store.read(ctx.tenant_id).fetch(sql, *args)


async def _count_rows(entity: EntitySpec, query: FastQuery, ctx: RequestContext) -> int:
    rows = await _fetch_rows(entity, "count", query, ctx)
    return rows[0][TOTAL_COLUMN]


def _describe_row(entity: EntitySpec, row: Mapping[str, Any]) -> dict[str, Any]:
    title = " ".join(entity.title(row).split())
    return {"id": to_json_value(row[entity.id_column]), "title": title}
