"""Langfuse: what its API and its page export, what its clients post (OTLP, or batches).

Sources, in langfuse/langfuse: fern/apis/server/definition/commons.yml (API 1 and 2), of exports
worker/src/features/database-read-stream (tables), web/src/features/traces/server (a trace) and
packages/shared/src/domain/observation-field-groups.ts (blob storage, in snake case).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from plainloop.agent.config.settings import Settings
from plainloop.agent.types import Usage

from .bodies import list_sent, read_output, read_sent
from .conversations import ModelCall, ToolSpan
from .files import Broken, has_head_of_csv, read_items, refuse_unknown
from .messages import MessageReader
from .otel.otlp import is_protobuf, read_otlp
from .otel.plain import to_camel_name
from .spool import Spool
from .usage import NO_USAGE, read_usage
from .values import (
    as_dict,
    as_list,
    as_money,
    as_text,
    find_named,
    parse_json,
    parse_moment,
    parse_time,
)

_OWN: Final = "langfuse.observation."
_SCHEMA: Final = "function"


def read_files(spool: Spool, files: Sequence[str], settings: Settings) -> None:
    """Put all generations and tools of Langfuse's files into the spool (a temporary store).

    Raises: InputError.
    """
    for path in files:
        for item in _list_items(path, spool.broken):
            _take(spool, item, path)
    spool.index()
    for item in spool.list_merged("observation"):
        _make(spool, item, MessageReader(settings))


def _list_items(path: str, broken: Broken) -> Iterator[dict[str, Any]]:
    if has_head_of_csv(path) or not is_protobuf(path):
        for item in read_items(path, "data", "batch", broken=broken):
            found = as_dict(item)
            if "resourceSpans" in found or "resource_spans" in found:
                break
            yield found
        else:
            return
    for kind, span in read_otlp(path, broken):
        if kind == "span":
            yield _from_span(span)


def _take(spool: Spool, item: dict[str, Any], path: str) -> None:
    if isinstance(item.get("observations"), list):  # a trace, as the API gives it
        spool.put("trace", str(item.get("id")), 0, {"session": item.get("sessionId")})
        for one in as_list(item["observations"]):
            named = {"sessionId": item["sessionId"]} if item.get("sessionId") else {}
            _put(spool, {**as_dict(one), **named})
    elif "traceId" in item or "trace_id" in item:
        _put(spool, item)
    elif "session_id" in item and "id" in item and "timestamp" in item:  # a row of blob storage
        spool.put("trace", str(item["id"]), 0, {"session": item["session_id"]})
    elif "body" in item and "type" in item:  # of the ingestion API
        body = as_dict(item["body"])
        kind = as_text(item["type"]).partition("-")[0]
        if kind == "trace":
            spool.put("trace", str(body.get("id")), 0, {"session": body.get("sessionId")})
        else:
            _put(spool, {"type": kind.upper(), **body})
    elif "observationCount" in item or ("input" in item and "timestamp" in item):
        spool.put(
            "error",
            "",
            0,
            "a row of the traces table, which has no calls: export observations instead",
        )
    else:
        spool.broken.refuse(refuse_unknown(item, path, "Langfuse"))


def _put(spool: Spool, item: dict[str, Any]) -> None:
    if "trace_id" in item:
        item = {to_camel_name(name): value for name, value in item.items()}
    began = parse_time(item.get("startTime"))
    spool.put("observation", str(item.get("id")), began.timestamp() if began else 0.0, item)


def _from_span(span: dict[str, Any]) -> dict[str, Any]:
    """Make an observation from an OpenTelemetry span of Langfuse's SDK."""
    attributes = span["attributes"]
    metadata = {
        name.removeprefix(f"{_OWN}metadata."): parse_json(value) or value
        for name, value in attributes.items()
        if name.startswith(f"{_OWN}metadata.")
    }
    failed = as_text(attributes.get(f"{_OWN}status_message")) or span["message"]
    return {
        "id": span["span"],
        "traceId": span["trace"],
        "type": as_text(attributes.get(f"{_OWN}type")).upper(),
        "name": span["name"],
        "startTime": parse_moment(span["start"]).isoformat(),
        "endTime": parse_moment(span["end"]).isoformat(),
        "model": attributes.get(f"{_OWN}model.name"),
        "input": attributes.get(f"{_OWN}input"),
        "output": attributes.get(f"{_OWN}output"),
        "usageDetails": attributes.get(f"{_OWN}usage_details"),
        "costDetails": attributes.get(f"{_OWN}cost_details"),
        "level": "ERROR" if span["is_error"] else attributes.get(f"{_OWN}level"),
        "statusMessage": failed or None,
        "parentObservationId": span["parent"] or None,
        "sessionId": attributes.get("session.id"),
        "userId": attributes.get("user.id"),
        "metadata": metadata,
    }


def _make(spool: Spool, item: dict[str, Any], reader: MessageReader) -> None:
    kind = as_text(item.get("type")).upper()
    trace = as_text(item.get("traceId"))
    metadata = as_dict(parse_json(item.get("metadata")))
    told = spool.load("trace", trace, dict[str, Any])
    group = as_text(item.get("sessionId")) or (as_text(told[0]["session"]) if told else "")
    group = group or find_named(metadata)
    began = parse_moment(item.get("startTime"))
    if kind == "TOOL":
        call_id = metadata.get("call_id") or metadata.get("tool_call_id")
        output = parse_json(item.get("output"))
        output = item.get("output") if output is None else output
        content = as_dict(output).get("content", output)
        call_id = call_id or as_dict(output).get("tool_call_id")
        spool.put_tool(ToolSpan(
            trace, began, as_text(item.get("name")), as_text(call_id) or None,
            None if output is None else as_text(content),
            is_error=item.get("level") == "ERROR", group=group,
        ))  # fmt: skip
    if kind == "GENERATION":
        spool.put_call(_make_call(item, trace, group, began, metadata, reader))
    elif any(_read_usage(item, reader).buckets.values()):
        spool.left_out[f"usage of an observation of type {kind[:40]!r}: left out"] += 1


def _make_call(
    item: dict[str, Any],
    trace: str,
    group: str | None,
    began: datetime,
    metadata: dict[str, Any],
    reader: MessageReader,
) -> ModelCall:
    call = ModelCall(as_text(item.get("id")), trace, began, began, group=group)
    call.ended_at = parse_time(item.get("endTime")) or began
    call.parent = as_text(item.get("parentObservationId")) or None
    call.model = as_text(item.get("model") or item.get("providedModelName"))
    call.model_answered = call.model or None
    call.provider = as_text(metadata.get("ls_provider"))
    call.node = as_text(metadata.get("langgraph_node")) or None
    call.user = as_text(item.get("userId")) or None
    sent, call.tools = _split_input(item.get("input"), reader.note)
    if sent is None:
        call.gaps.append("no content: the input was not exported")
    else:
        call.system, said = read_sent(reader, sent)
        call.sent = said or None
    answer = parse_json(item.get("output"))
    answer = item.get("output") if answer is None else answer
    if item.get("level") == "ERROR":
        call.error = as_text(item.get("statusMessage")) or "no answer"
    elif answer != "null":
        call.answer = read_output(reader, answer)
        if call.answer is not None and not call.answer.parts:
            call.gaps.append("an answer without text: Langfuse does not store refusals")
    call.usage = _read_usage(item, reader)
    costs = as_dict(parse_json(item.get("costDetails")))
    total = item.get("calculatedTotalCost", item.get("totalCost"))
    # Langfuse sums what has no total: https://langfuse.com/docs/token-usage
    parts = [cost for cost in map(as_money, costs.values()) if cost is not None]
    call.cost_usd = sum(parts, Decimal()) if parts else as_money(total)
    if "total" in costs:
        call.cost_usd = as_money(costs["total"])
    call.notes = reader.list_notes()
    return call


def _read_usage(item: dict[str, Any], reader: MessageReader) -> Usage:
    """Read an observation's token usage: API names, names after ingestion, or three columns."""
    told = as_dict(parse_json(item.get("usageDetails"))) or as_dict(parse_json(item.get("usage")))
    unit = as_text(told.get("unit") or item.get("unit") or "TOKENS")
    if unit.upper() != "TOKENS":
        reader.note(f"usage in {unit[:40].lower()} instead of tokens: left out")
        return NO_USAGE
    columns = ("promptTokens", "completionTokens", "totalTokens")
    return read_usage(told or {name: item.get(name) for name in columns}, reader.note)


def _split_input(
    value: Any, note: Callable[[str], None]
) -> tuple[list[Any] | None, list[dict[str, Any]] | None]:
    """Split a generation's input into (messages, tools); None for what it lacks.

    LangChain's handler puts the tools' schemas among the messages, as messages of a tool.
    """
    found = parse_json(value)
    found = value if found is None else found
    sent = list_sent(found, note)
    schemas = [item for item in map(as_dict, sent or []) if _is_schema(item)]
    tools = [as_dict(item["content"]) for item in schemas] or as_list(as_dict(found).get("tools"))
    return [one for one in sent if not _is_schema(as_dict(one))] if sent else None, tools or None


def _is_schema(item: dict[str, Any]) -> bool:
    return as_dict(item.get("content")).get("type") == _SCHEMA and item.get("role") == "tool"
