"""Numbers for Prometheus: requests, streams, sockets; runs, tokens and tools as they happen."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...agent.events import TERMINAL, Event
from ...agent.providers.endings import Ending
from ...agent.service.turns import Turns
from ...agent.store.records import CallSettled, CallStart, Run
from .logs import ROUTE_KEY

_REQUEST_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
# Up to a run's own limit, `limits.run_timeout_s` (300).
_RUN_BUCKETS: Final = (0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320)
MAX_OPEN: Final = 10_000  # runs handed over to other processes are never seen to end
MAX_TOOLS: Final = 500  # all of the packages together declare fewer than 100
_CALL_BUCKETS: Final = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80)


class Metrics:
    """The Prometheus metrics of one process."""

    def __init__(self) -> None:
        # Not the library's global one: two replicas in one process, as in tests, may not register a
        # name twice.
        self.registry = CollectorRegistry()
        counter = partial(Counter, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)
        histogram = partial(Histogram, registry=self.registry)
        self.requests = counter(
            "plainloop_http_requests", "HTTP requests answered", ("method", "route", "status")
        )
        self.request_seconds = histogram(
            "plainloop_http_request_seconds",
            "Time from a request to the end of its answer; streams included",
            ("route",),
            buckets=_REQUEST_BUCKETS,
        )
        self.open_requests = gauge("plainloop_http_open", "Open requests and WebSockets", ("kind",))
        self._runs = counter("plainloop_runs", "Runs that ended in this process", ("status",))
        self._run_seconds = histogram(
            "plainloop_run_seconds",
            "Duration of runs that ended in this process",
            buckets=_RUN_BUCKETS,
        )
        self._calls = counter(
            "plainloop_model_calls",
            "Attempts at model calls",
            ("provider", "model", "role", "status"),
        )
        self._call_seconds = histogram(
            "plainloop_model_call_seconds",
            "Duration of attempts at model calls",
            ("provider", "model"),
            buckets=_CALL_BUCKETS,
        )
        self._tokens = counter(
            "plainloop_tokens",
            "Tokens in disjoint buckets; tokens that a provider does not report are not counted",
            ("provider", "model", "bucket"),
        )
        self._cost = counter(
            "plainloop_cost_usd", "Cost of model calls with a known price", ("provider", "model")
        )
        self._uncertain = counter(
            "plainloop_uncertain_calls",
            "Attempts with estimated or unknown usage, or with an unknown price",
            ("provider", "model", "what"),
        )
        self._budget_notices = counter(
            "plainloop_budget_notices", "Budgets that were exceeded or nearly used up", ("kind",)
        )
        self._tools = counter("plainloop_tool_calls", "Tool calls", ("tool", "status"))
        self._endings = gauge(
            "plainloop_model_end_timestamp_seconds",
            "When a model in use is shut down by its vendor, as Unix time",
            ("provider", "model"),
        )
        self._active_runs = gauge("plainloop_runs_active", "Active runs of this process")
        self._waiting_runs = gauge("plainloop_runs_waiting", "Queued runs of this process")
        self._started: dict[str, float] = {}  # runs that are executed here
        self._labelled: set[str] = set()  # tools

    def watch_turns(self, turns: Turns) -> None:
        """Export the numbers of active and queued runs, read from `turns` at each scrape.

        Autoscalers use them.
        """
        # Read at the scrape: counting up and down would drift with the first lost event.
        self._active_runs.set_function(lambda: turns.taking)
        self._waiting_runs.set_function(lambda: turns.waiting)

    def show_endings(self, endings: Mapping[str, Ending]) -> None:
        """Set the metric of the models' shutdown dates.

        endings: by "provider:model".
        """
        for label, ending in endings.items():
            provider, _, model = label.partition(":")
            end = datetime.combine(ending.ends, datetime.min.time(), UTC)
            self._endings.labels(provider, model).set(end.timestamp())

    def see_event(self, run: Run, event: Event) -> None:
        name, data = event["event"], event["data"]
        if name == "node_start":
            self._started.setdefault(run.run_id, time.monotonic())
            if len(self._started) > MAX_OPEN:
                self._started.pop(next(iter(self._started)))
        elif name == "budget":
            self._budget_notices.labels("hard" if data["is_hard"] else "soft").inc()
        elif name in ("tool_result", "tool_error"):
            status = "succeeded" if name == "tool_result" else "failed"
            self._tools.labels(self._label_tool(data["name"]), status).inc()
        elif name in TERMINAL:
            status = "succeeded" if name == "done" else str(data["code"]).lower()
            self._runs.labels(status).inc()
            started = self._started.pop(run.run_id, None)
            if started is not None:
                self._run_seconds.observe(time.monotonic() - started)

    def _label_tool(self, tool: str) -> str:
        """Return the tool's name as its label; "other" beyond the first `MAX_TOOLS` names."""
        # Models invent names, and clients bring tools: a time series each would be a leak
        # (test_tool_names_invented_by_models_get_no_label_each).
        if tool not in self._labelled and len(self._labelled) >= MAX_TOOLS:
            return "other"
        self._labelled.add(tool)
        return tool

    def see_call(self, start: CallStart, settled: CallSettled) -> None:
        who = (start.provider, start.model)
        self._calls.labels(*who, start.role, settled.status).inc()
        self._call_seconds.labels(*who).observe(settled.duration_ms / 1000)
        usage = settled.usage
        # Never 0: a sum that hides unknown prices looks like a cheap model
        # (test_prometheus_counts_tokens_costs_and_unknown_prices).
        if settled.cost_usd is None:
            self._uncertain.labels(*who, "price_unknown").inc()
        else:
            self._cost.labels(*who).inc(float(settled.cost_usd))
        if usage.source != "provider":
            self._uncertain.labels(*who, f"usage_{usage.source}").inc()
        for bucket, tokens in usage.buckets.items():
            if tokens:
                self._tokens.labels(*who, bucket.removesuffix("_tokens")).inc(tokens)

    def list_routes(self) -> list[Route]:
        async def tell(request: Request) -> Response:
            request.scope[ROUTE_KEY] = "/metrics"
            return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)

        return [Route("/metrics", tell)]
