"""Spans of runs, for OpenTelemetry: run > node > model call | tool, by the GenAI names.

Made from what a run tells anyway, so that no run knows of them. Without an SDK they cost nothing:
the tracer's spans do not record, and no observer is added.

Source: OpenTelemetry's GenAI semantic conventions (status: development).
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, Final
from urllib.parse import urlsplit

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from ...agent import __version__
from ...agent.dataclasses import dataclass, field
from ...agent.events import Event
from ...agent.providers.defaults import name_provider
from ...agent.store.records import CallSettled, CallStart, Run

TRACE_PARENT: Final = "traceparent"  # the header that W3C gave the name
# W3C Trace Context, 3.2; checked, because it is stored with the run and read by other replicas.
_USABLE: Final = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_W3C: Final = TraceContextTextMapPropagator()
# The header of the request that is answered.
trace_parent: ContextVar[str | None] = ContextVar("trace_parent", default=None)

MAX_OPEN: Final = 10_000  # runs that were left to other processes are never seen to end


def get_trace_parent() -> str | None:
    """Return the W3C `traceparent` for a run that begins now, or None without a usable one."""
    carrier: dict[str, str] = {}
    _W3C.inject(carrier)
    # A span of the program's own before the client's header: it is the nearer parent.
    stated = carrier.get(TRACE_PARENT) or trace_parent.get() or ""
    return stated if _USABLE.fullmatch(stated) else None


@dataclass(slots=True)
class _RunSpans:
    """The open spans of one run."""

    run: Span
    node: Span | None = None
    tools: dict[str, Span] = field(default_factory=dict[str, Span])  # by tool call


class Traces:
    """Converts runs' events and model calls to OpenTelemetry spans."""

    def __init__(self, tracer: Tracer | None = None) -> None:
        self._tracer = tracer or trace.get_tracer("plainloop", __version__)
        self._open: dict[str, _RunSpans] = {}  # by run

    @property
    def is_recording(self) -> bool:
        """Return whether an OpenTelemetry SDK is installed to record the spans."""
        return not isinstance(
            trace.get_tracer_provider(), (trace.NoOpTracerProvider, trace.ProxyTracerProvider)
        )

    def see_event(self, run: Run, event: Event) -> None:
        spans = self._open.get(run.run_id)
        if spans is None:
            attributes = {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": run.pack,
                "gen_ai.conversation.id": run.thread_id,
                "plainloop.run.id": run.run_id,
                "plainloop.tenant.id": run.tenant_id,
                "plainloop.attempt": run.attempt,
            }
            # From the run's options, not from this task's context: the replica that claims a run
            # has no request (test_a_requests_traceparent_becomes_the_parent_span).
            above = _W3C.extract({TRACE_PARENT: run.options.trace_parent or ""}, Context())
            started = self._tracer.start_span(
                f"invoke_agent {run.pack}", above, attributes=attributes
            )
            spans = self._open[run.run_id] = _RunSpans(started)
            if len(self._open) > MAX_OPEN:
                self._open.pop(next(iter(self._open)))
        data = event["data"]
        match event["event"]:
            case "node_start":
                name, attributes = f"node {data['node']}", {"plainloop.step": data["step"]}
                spans.node = self._start(name, spans.run, attributes)
            case "node_end":
                _end(spans.node)
                spans.node = None
            case "tool_start":
                attributes = {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": data["name"],
                    "gen_ai.tool.call.id": data["id"],
                }
                name, parent = f"execute_tool {data['name']}", spans.node or spans.run
                spans.tools[data["id"]] = self._start(name, parent, attributes)
            case "tool_result":
                _end(spans.tools.pop(data["id"], None))
            case "tool_error":
                _end(spans.tools.pop(data["id"], None), str(data["error"]))
            case "done":
                self._end_run(run, None)
            case "error":
                self._end_run(run, str(data["code"]))
            case _:
                pass

    def see_call(self, start: CallStart, settled: CallSettled) -> None:
        """Record a settled model call as an OpenTelemetry span that began `duration_ms` ago."""
        spans = self._open.get(start.run_id or "")
        parent = (spans.node or spans.run) if spans else None
        ended_ns = time.time_ns()
        span = self._tracer.start_span(
            f"chat {start.model}",
            None if parent is None else trace.set_span_in_context(parent),
            kind=SpanKind.CLIENT,
            attributes=_describe_call(start, settled),
            # Known at its end only: the span begins in the past.
            start_time=ended_ns - settled.duration_ms * 1_000_000,
        )
        if settled.status != "succeeded":
            span.set_status(Status(StatusCode.ERROR, settled.error_code))
            span.set_attribute("error.type", settled.error_code or settled.status)
        span.end(ended_ns)

    def _start(self, name: str, parent: Span, attributes: Mapping[str, Any]) -> Span:
        above = trace.set_span_in_context(parent)
        return self._tracer.start_span(name, above, attributes=attributes)

    def _end_run(self, run: Run, error_code: str | None) -> None:
        spans = self._open.pop(run.run_id)
        # Inner ones first, so that no child ends behind its parent.
        for span in (*spans.tools.values(), spans.node, spans.run):
            _end(span, error_code)


def _end(span: Span | None, error: str | None = None) -> None:
    if span is None:
        return
    if error is not None:
        span.set_status(Status(StatusCode.ERROR, error))
    span.end()


def _describe_call(start: CallStart, settled: CallSettled) -> dict[str, Any]:
    """Return a model call's span attributes; what the provider did not state is left out, not 0."""
    usage, server = settled.usage, urlsplit(settled.base_url or "")
    described = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": name_provider(start.provider, "traced_as"),
        "gen_ai.request.model": start.model,
        "gen_ai.response.model": settled.model_answered,
        "gen_ai.response.id": settled.response_id,
        "gen_ai.response.finish_reasons": None if settled.stop is None else (settled.stop,),
        "gen_ai.conversation.id": start.thread_id,
        "server.address": server.hostname,
        "server.port": server.port or {"https": 443, "http": 80}.get(server.scheme),
        "gen_ai.usage.input_tokens": usage.input_total,
        "gen_ai.usage.output_tokens": usage.output_total,
        "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
        "gen_ai.usage.cache_creation.input_tokens": usage.written_total,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens,
        "plainloop.role": start.role,
        "plainloop.node": start.node,
        "plainloop.usage.source": usage.source,
    }
    return {key: value for key, value in described.items() if value is not None}
