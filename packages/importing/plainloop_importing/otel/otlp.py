"""OTLP as files have it: JSON, one request a line, or protobuf. Both give the same plain spans.

Also JSON spans of other exporters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from plainloop.agent.base.text.cleaning import clean_json
from plainloop.agent.errors import InputError

from ..files import MOST_ITEM_BYTES, Broken, find_encoding, open_file, read_items
from ..values import as_dict, as_list
from .plain import list_plain_spans, to_camel

Item = tuple[str, dict[str, Any]]  # "span" or "log", and its fields
_BLOCKS: Final = {"resourceSpans", "resource_spans", "resourceLogs", "resource_logs"}
_ERROR: Final = (2, "2", "STATUS_CODE_ERROR")


def read_otlp(path: str, broken: Broken) -> Iterator[Item]:
    """Yield the spans and log records of an OTLP file in file order.

    Raises: InputError.
    """
    if not is_protobuf(path):
        for item in read_items(path, "data", broken=broken):
            place = f"{path}, item {broken.item}"
            try:
                found = list_items(item)
                if not found and not _BLOCKS & as_dict(item).keys():
                    told = f"{place}: this is neither an OTLP request (resourceSpans) nor a span"
                    broken.refuse(InputError(told, hint="Leave it out with --skip-broken."))
            except (TypeError, ValueError) as error:
                hint = "Times and integers of OTLP are digits; leave it out with --skip-broken."
                broken.refuse(InputError(f"{place}: {error}", hint=hint))
            else:
                yield from found
        return
    with open_file(path) as file:
        body = file.read(MOST_ITEM_BYTES + 1)
    if len(body) > MOST_ITEM_BYTES:
        raise InputError(f"{path} is longer than {MOST_ITEM_BYTES:,} bytes", hint="Split the file.")
    yield from _read_protobuf(body, path)


def list_items(request: Any) -> list[Item]:
    """List the spans and log records of an OTLP request in JSON, or the spans of an item.

    Raises: TypeError, ValueError.
    """
    if not _BLOCKS & as_dict(request).keys():
        if isinstance(as_dict(request).get("attributes"), list):  # Phoenix's spans in OTLP
            return [("span", _make_span(to_camel(request)))]
        return [("span", span) for span in list_plain_spans(request)]
    found: list[Item] = []
    for block in _list(request, "resourceSpans", "resource_spans"):
        for scope in _list(block, "scopeSpans", "scope_spans"):
            found += [("span", _make_span(as_dict(span))) for span in _list(scope, "spans")]
    for block in _list(request, "resourceLogs", "resource_logs"):
        for scope in _list(block, "scopeLogs", "scope_logs"):
            found += [("log", _make_log(as_dict(one))) for one in _list(scope, "logRecords")]
    return found


def is_protobuf(path: str) -> bool:
    """Whether a file is OTLP's protobuf, because it does not begin like JSON."""
    with open_file(path) as file:
        start = file.read(64)
    head = start.decode(find_encoding(start), errors="replace").lstrip()
    return bool(head) and head[:1] not in ("{", "[")


def _list(item: Any, *names: str) -> list[Any]:
    """Return the list under the first of these names that the item has."""
    found = as_dict(item)
    return as_list(next((found[name] for name in names if name in found), None))


def _make_span(span: dict[str, Any]) -> dict[str, Any]:
    status = as_dict(span.get("status"))
    return {
        "trace": str(span.get("traceId", "")),
        "span": str(span.get("spanId", "")),
        "parent": str(span.get("parentSpanId") or ""),
        "name": str(span.get("name", "")),
        "start": int(span.get("startTimeUnixNano") or 0),
        "end": int(span.get("endTimeUnixNano") or 0),
        "attributes": read_attributes(span.get("attributes")),
        "is_error": status.get("code") in _ERROR,
        "message": status.get("message") or "",
        "events": [
            {"name": as_dict(e).get("name"), **read_attributes(as_dict(e).get("attributes"))}
            for e in as_list(span.get("events"))
        ],
    }


def _make_log(record: dict[str, Any]) -> dict[str, Any]:
    attributes = read_attributes(record.get("attributes"))
    return {
        "trace": str(record.get("traceId", "")),
        "span": str(record.get("spanId", "")),
        "at": int(record.get("timeUnixNano") or record.get("observedTimeUnixNano") or 0),
        "name": str(record.get("eventName") or attributes.get("event.name") or ""),
        "attributes": attributes,
        "body": read_value(record.get("body")),
    }


def read_attributes(items: Any) -> dict[str, Any]:
    return {
        str(as_dict(item).get("key")): read_value(as_dict(item).get("value"))
        for item in as_list(items)
    }


def read_value(value: Any) -> Any:
    """Convert an OTLP value such as `{"intValue": "3"}` to plain JSON."""
    found = as_dict(value)
    if "stringValue" in found:
        return found["stringValue"]
    if "intValue" in found:
        return int(found["intValue"])
    if "arrayValue" in found:
        return [read_value(item) for item in as_list(as_dict(found["arrayValue"]).get("values"))]
    if "kvlistValue" in found:
        return read_attributes(as_dict(found["kvlistValue"]).get("values"))
    return found.get("boolValue", found.get("doubleValue", found.get("bytesValue")))


def _read_protobuf(body: bytes, path: str) -> Iterator[Item]:
    """Yield the items of a protobuf request; only its contents tell spans from log records."""
    # Here: a file of JSON does not wait for it.
    from google.protobuf.json_format import MessageToDict
    from google.protobuf.message import DecodeError
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    def to_json(item: Any) -> dict[str, Any]:
        # OTLP's JSON has ids in hex, protobuf's own has them in base64.
        ids = {"traceId": item.trace_id.hex(), "spanId": item.span_id.hex()}
        return clean_json({**MessageToDict(item), **ids})

    try:
        traces: Any = ExportTraceServiceRequest.FromString(body)
        spans = [span for b in traces.resource_spans for s in b.scope_spans for span in s.spans]
        if spans and all(len(span.trace_id) == 16 for span in spans):
            for span in spans:
                parent = {"parentSpanId": span.parent_span_id.hex()}
                yield "span", _make_span({**to_json(span), **parent})
            return
    except DecodeError:
        pass
    try:
        logs: Any = ExportLogsServiceRequest.FromString(body)
    except DecodeError as error:
        raise InputError(
            f"{path} is not OTLP, neither as JSON nor as protobuf: {error}",
            hint="Export the traces as OTLP.",
        ) from error
    for block in logs.resource_logs:
        for scope in block.scope_logs:
            for record in scope.log_records:
                yield "log", _make_log(to_json(record))
