"""Numbers for Prometheus and OpenTelemetry: from the same settlement as the ledger's row."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.store.records import CallStart, Run
from plainloop.agent.types import Usage
from plainloop.server.observe.metrics import Metrics
from plainloop.server.observe.token_metrics import TokenMetrics
from tests.core.store_samples import make_call_start, make_event, make_settled

RUN = Run("acme", "ann", "t", "r", "o", 1, 1, "default", "tracker", 0)
STATED = Usage(10, 20, 30, 40, 5, source="provider")


@pytest.fixture
def start() -> CallStart:
    return make_call_start(RUN)


def test_prometheus_counts_tokens_costs_and_unknown_prices(start: CallStart) -> None:
    metrics = Metrics()
    metrics.see_call(start, make_settled(start, usage=STATED, cost_usd="0.25"))
    metrics.see_call(start, make_settled(start, usage=Usage(source="missing"), cost_usd=None))
    notice = {"is_hard": True, "message": "m", "budget_id": "b"}
    metrics.see_event(RUN, make_event(1, "budget", **notice))

    def read(name: str, **labels: str) -> float | None:
        return metrics.registry.get_sample_value(name, labels)

    who = {"provider": "anthropic", "model": "some-model"}
    assert read("plainloop_tokens_total", **who, bucket="cache_read") == 20
    assert read("plainloop_cost_usd_total", **who) == 0.25
    assert read("plainloop_uncertain_calls_total", **who, what="price_unknown") == 1
    assert read("plainloop_uncertain_calls_total", **who, what="usage_missing") == 1
    assert read("plainloop_budget_notices_total", kind="hard") == 1


def test_opentelemetry_counts_provider_reported_tokens(start: CallStart) -> None:
    pytest.importorskip("opentelemetry.sdk.metrics", reason="the SDK is an extra")
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader

    reader = InMemoryMetricReader()
    tokens = TokenMetrics(MeterProvider([reader]).get_meter("test"))
    tokens.see_call(start, make_settled(start, usage=STATED))
    tokens.see_call(
        start, make_settled(start, usage=Usage(999, output_tokens=9, source="estimated"))
    )
    data: Any = reader.get_metrics_data()
    found = {
        metric.name: metric.data.data_points[0]
        for metric in data.resource_metrics[0].scope_metrics[0].metrics
    }
    prefix = "gen_ai.client.inference.usage."
    counted = {
        name.removeprefix(prefix): point.value
        for name, point in found.items()
        if name.startswith(prefix)
    }
    assert counted == {
        "input_tokens": 60,
        "output_tokens": 45,
        "cache_read.input_tokens": 20,
        "cache_write.input_tokens": 30,
        "reasoning.output_tokens": 5,
    }
    assert found["gen_ai.client.operation.duration"].count == 2
    bounds = found["gen_ai.client.operation.duration"].explicit_bounds
    assert (bounds[0], bounds[-1]) == (0.01, 81.92)
    assert found["gen_ai.client.token.usage"].explicit_bounds[-1] == 67_108_864


def test_without_opentelemetry_no_metrics_are_recorded() -> None:
    assert not TokenMetrics().is_recording
