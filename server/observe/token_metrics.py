"""Token counts for OpenTelemetry, from the rows of the ledger as they are settled.

Without an SDK they cost nothing: no observer is added. Only what a provider stated is counted:
estimates are no measurements.

Source: OpenTelemetry's GenAI token metrics (docs/gen-ai/gen-ai-token-metrics.md, development).
"""

from __future__ import annotations

from typing import Final

from opentelemetry import metrics
from opentelemetry.metrics import Meter

from ...agent import __version__
from ...agent.events import Event
from ...agent.providers.defaults import name_provider
from ...agent.store.records import CallSettled, CallStart, Run

_PREFIX: Final = "gen_ai.client.inference.usage."
# By metric: the attribute of our usage; inputs and outputs are totals, the others parts of them.
_COUNTERS: Final = {
    "input_tokens": "input_total",
    "output_tokens": "output_total",
    "cache_read.input_tokens": "cache_read_tokens",
    "cache_write.input_tokens": "written_total",
    "reasoning.output_tokens": "reasoning_tokens",
}
# The bounds that the semantic convention for generative AI asks for; an SDK's own end at 10,000,
# and begin at 5, which is nothing of a second's parts.
_TOKENS: Final = [4.0**n for n in range(14)]  # 1 to 67,108,864
_SECONDS: Final = [2**n / 100 for n in range(14)]  # 0.01 to 81.92


class TokenMetrics:
    """OpenTelemetry metrics of model calls: reported tokens, and durations."""

    def __init__(self, meter: Meter | None = None) -> None:
        meter = meter or metrics.get_meter("plainloop", __version__)
        self._counters = {
            name: (meter.create_counter(_PREFIX + name, "{token}"), attribute)
            for name, attribute in _COUNTERS.items()
        }
        self._per_call = meter.create_histogram(
            "gen_ai.client.token.usage", "{token}", explicit_bucket_boundaries_advisory=_TOKENS
        )
        self._seconds = meter.create_histogram(
            "gen_ai.client.operation.duration", "s", explicit_bucket_boundaries_advisory=_SECONDS
        )

    @property
    def is_recording(self) -> bool:
        """Return whether an OpenTelemetry SDK is installed to record the metrics."""
        provider = metrics.get_meter_provider()
        # By the module's name: the API's own types cannot tell, and the SDK may not be installed
        # (test_without_opentelemetry_no_metrics_are_recorded).
        return type(provider).__module__.partition(".")[2].startswith("sdk")

    def see_event(self, run: Run, event: Event) -> None:
        return

    def see_call(self, start: CallStart, settled: CallSettled) -> None:
        about = {
            "gen_ai.operation.name": "embeddings" if start.role == "embedding" else "chat",
            "gen_ai.provider.name": name_provider(start.provider, "traced_as"),
            "gen_ai.request.model": start.model,
            "gen_ai.response.model": settled.model_answered or start.model,
        }
        # Only where a call failed, as the convention has it: errors are counted by the series that
        # have `error.type`.
        failed = {} if settled.status == "succeeded" else {"error.type": settled.error_code or ""}
        self._seconds.record(settled.duration_ms / 1000, about | failed)
        usage = settled.usage
        if usage.source != "provider":
            return
        for counter, attribute in self._counters.values():
            tokens: int | None = getattr(usage, attribute)
            if tokens:
                counter.add(tokens, about)
        for kind, tokens in (("input", usage.input_total), ("output", usage.output_total)):
            if tokens is not None:
                self._per_call.record(tokens, about | {"gen_ai.token.type": kind})
