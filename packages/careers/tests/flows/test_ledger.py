"""What the ledger adds up to is what the wire said, token by token."""

from __future__ import annotations

from typing import Any

import pytest

from packages.careers.tests.flows.conftest import OpenService
from packages.careers.tests.flows.playing import play
from packages.careers.tests.flows.turns import ROUNDABOUT
from plainloop_wire.serving import WIRES
from tests.wire_fixtures import StartWire


def read_usage(wire: str, sent: dict[str, Any]) -> tuple[int, int, int]:
    """(all input, of it from cache, all output) as this provider states them."""
    match wire:
        case "anthropic":
            read = sent["cache_read_input_tokens"]
            total = sent["input_tokens"] + read + sent["cache_creation_input_tokens"]
            return total, read, sent["output_tokens"]
        case "openai":
            read = sent["prompt_tokens_details"]["cached_tokens"]
            return sent["prompt_tokens"], read, sent["completion_tokens"]
        case "openai_responses":
            read = sent["input_tokens_details"]["cached_tokens"]
            return sent["input_tokens"], read, sent["output_tokens"]
        case "gemini":
            read = sent.get("cachedContentTokenCount", 0)
            made = sent["candidatesTokenCount"] + sent.get("thoughtsTokenCount", 0)
            return sent["promptTokenCount"], read, made
        case _:
            return sent["prompt_eval_count"], 0, sent["eval_count"]


@pytest.mark.parametrize("wire", WIRES)
async def test_ledger_rows_have_the_token_counts_of_the_wire(
    open_wire: OpenService, wire_server: StartWire, wire: str
):
    server = await wire_server()
    played = await play(await open_wire(wire, server), wire, ROUNDABOUT)
    # The first request is the résumé parser's, which is in no run.
    stated = [read_usage(wire, entry["usage"]) for entry in server.requests[1:]]
    booked = [
        (call.usage.input_total, call.usage.cache_read_tokens or 0, call.usage.output_total)
        for calls in played.calls
        for call in calls
    ]

    assert booked == stated
    assert wire == "ollama" or sum(read for _, read, _ in booked) > 0
