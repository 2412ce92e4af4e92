"""Builds the event that reports a model call's tokens and cost."""

from __future__ import annotations

from ...events import UsageReportEvent
from ...types import Usage


def make_usage_event(
    node: str, provider: str, model: str, usage: Usage, cost_usd: str | None
) -> UsageReportEvent:
    """Build the event that reports a model call's tokens and cost."""
    return {
        "event": "usage",
        "data": {
            "node": node,
            "provider": provider,
            "model": model,
            "input_tokens": usage.input_total,
            "output_tokens": usage.output_total,
            "source": usage.source,
            "cache_read_tokens": usage.cache_read_tokens,
            "cache_write_tokens": usage.written_total,
            "reasoning_tokens": usage.reasoning_tokens,
            "cost_usd": cost_usd,
        },
    }
