"""Spans in JSON that is not OTLP: of OpenTelemetry's console exporter, Phoenix and Jaeger.

Sources: open-telemetry/opentelemetry-python ReadableSpan.to_json; Arize-ai/phoenix
src/phoenix/server/api/routers/v1/spans.py and `get_spans_dataframe().to_json(orient="records")`;
jaegertracing/jaeger model/json.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

from ..values import NEVER, as_dict, as_list, as_text, parse_time

_SNAKE: Final = re.compile(r"_([a-z])")
_OBJECTS: Final = ("metadata", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result")
_EPOCH: Final = NEVER - timedelta(days=1)
_ERRORS: Final = ("ERROR", "STATUS_CODE_ERROR")


def list_plain_spans(item: Any) -> list[dict[str, Any]]:
    """List the spans of a trace or span that is no OTLP request, with plain attributes.

    [] if the item is neither.
    """
    found = as_dict(item)
    if isinstance(found.get("spans"), list):
        return [span for one in as_list(found["spans"]) for span in list_plain_spans(one)]
    if "traceID" in found and "operationName" in found:
        return [_from_jaeger(found)]
    columns = [name for name in found if name.startswith("attributes.")]
    attributes = {name.removeprefix("attributes."): found[name] for name in columns}
    attributes |= as_dict(found.get("attributes"))
    context = as_dict(found.get("context"))
    ids = [
        as_text(context.get(name) or found.get(f"context.{name}") or found.get(name))
        for name in ("trace_id", "span_id")
    ]
    if not all(ids) or "name" not in found:
        return []
    status = as_dict(found.get("status"))
    kind = as_text(found.get("span_kind"))
    if kind and kind != "UNKNOWN":
        attributes.setdefault("openinference.span.kind", kind)
    return [
        {
            "trace": _strip(ids[0]),
            "span": _strip(ids[1]),
            "parent": _strip(as_text(found.get("parent_id"))),
            "name": as_text(found["name"]),
            "start": _to_nanoseconds(found.get("start_time")),
            "end": _to_nanoseconds(found.get("end_time")),
            "attributes": dict(flatten(attributes)),
            "is_error": (found.get("status_code") or status.get("status_code")) in _ERRORS,
            "message": as_text(found.get("status_message") or status.get("description")),
            "events": [
                {"name": one.get("name"), **as_dict(one.get("attributes"))}
                for one in map(as_dict, as_list(found.get("events")))
            ],
        }
    ]


def flatten(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value of nested attributes with its name, as OpenInference numbers lists.

    >>> dict(flatten({"llm": {"input_messages": [{"message.role": "user"}]}}))
    {'llm.input_messages.0.message.role': 'user'}
    """
    inner: Iterator[tuple[Any, Any]] | None = None
    if isinstance(value, dict) and name not in _OBJECTS:
        inner = iter(as_dict(value).items())
    elif isinstance(value, list) and not name.startswith("gen_ai."):
        items = as_list(value)
        inner = iter(enumerate(items)) if any(isinstance(one, dict) for one in items) else None
    if inner is None:
        yield name, value
        return
    for key, one in inner:
        yield from flatten(one, f"{name}.{key}" if name else str(key))


def to_camel(value: Any) -> Any:
    """Convert the keys of an OTLP value from snake case, as Phoenix writes them."""
    if isinstance(value, list):
        return [to_camel(one) for one in as_list(value)]
    if not isinstance(value, dict):
        return value
    return {to_camel_name(name): to_camel(one) for name, one in as_dict(value).items()}


def to_camel_name(name: str) -> str:
    """Convert a name from snake case.

    >>> to_camel_name("trace_id")
    'traceId'
    """
    return _SNAKE.sub(lambda found: found[1].upper(), name)


def _from_jaeger(found: dict[str, Any]) -> dict[str, Any]:
    tags = _read_fields(found.get("tags"))
    parents = [as_dict(one) for one in as_list(found.get("references"))]
    start = int(found.get("startTime") or 0) * 1_000
    return {
        "trace": as_text(found["traceID"]),
        "span": as_text(found.get("spanID")),
        "parent": next(
            (as_text(one.get("spanID")) for one in parents if one.get("refType") == "CHILD_OF"), ""
        ),
        "name": as_text(found["operationName"]),
        "start": start,
        "end": start + int(found.get("duration") or 0) * 1_000,
        "attributes": tags,
        "is_error": tags.get("otel.status_code") == "ERROR" or tags.get("error") is True,
        "message": as_text(tags.get("otel.status_description")),
        "events": [
            {"name": fields.get("event"), **fields}
            for one in as_list(found.get("logs"))
            if (fields := _read_fields(as_dict(one).get("fields")))
        ],
    }


def _read_fields(items: Any) -> dict[str, Any]:
    fields = map(as_dict, as_list(items))
    return {as_text(one.get("key")): one.get("value") for one in fields}


def _strip(span_id: str) -> str:
    return span_id.removeprefix("0x")


def _to_nanoseconds(value: Any) -> int:
    found = parse_time(value)
    return (found - _EPOCH) // timedelta(microseconds=1) * 1_000 if found else 0
