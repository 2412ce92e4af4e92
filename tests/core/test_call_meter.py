"""How an attempt begins and ends in the ledger: what is reserved, stated, estimated and learnt."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from plainloop.agent.base.tokens.output_sizes import REVIEW
from plainloop.agent.core import call_meter
from plainloop.agent.core.attempts import find_positions, reserve_worst_case
from plainloop.agent.core.call_meter import CallMeter
from plainloop.agent.errors import ModelOverloaded, StreamCut
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.records import CallStart, Run
from plainloop.agent.types import LLMResponse, StreamDelta, Usage
from tests.core.conversations import answer, call, result, user
from tests.core.store_samples import make_call_start
from tests.machine.scripted import ScriptedProvider

LABEL = "scripted:scripted-1"
STATED = Usage(input_tokens=1_100, cache_read_tokens=100, output_tokens=40, raw={"in": 1_200})
NOTHING = Usage(source="missing")
RUN = Run("acme", "ann", "t", "r", "owner", 1, 1, "default", "tracker", input_position=3)


def make_handle(**rest: Any) -> ModelHandle:
    return ModelHandle("scripted", "scripted-1", ScriptedProvider(), prices=Prices({}), **rest)


def make_meter(handle: ModelHandle | None = None, **start: Any) -> CallMeter:
    begun: CallStart = make_call_start(RUN, provider="scripted", model="scripted-1", **start)
    return CallMeter(begun, handle or make_handle())


def reply(usage: Usage = STATED, text: str = "ab " * 10, stop: Any = "end") -> LLMResponse:
    return LLMResponse(
        answer(text), stop, usage, "scripted-1.1", request_id="req", response_id="resp"
    )


def test_an_answer_is_settled_with_the_providers_usage():
    meter = make_meter(make_handle(notes=("cached for an hour",)))
    settled = meter.settle_success(replace(reply(), notes=("a note",)), keep_response=False)

    assert (settled.status, settled.stop, settled.usage) == ("succeeded", "end", STATED)
    assert (settled.model_answered, settled.request_id) == ("scripted-1.1", "req")
    assert settled.response_id == "resp"
    assert settled.notes == ("a note", "cached for an hour")
    assert (settled.response, settled.error_code, settled.first_token_ms) == (None, None, None)


def test_an_answer_outside_the_thread_is_stored_in_its_ledger_row():
    settled = make_meter().settle_success(reply(), keep_response=True)
    assert settled.response == {"message": answer("ab " * 10), "stop": "end"}


@pytest.mark.parametrize(("role", "is_kept"), [("worker", True), ("classifier", False)])
def test_opaque_state_is_stored_only_for_workers_answers(role: str, is_kept: bool):
    """It is sent back with the thread; what nobody reads again has none."""
    state: Any = {"provider": "scripted", "model": "scripted-1", "value": {"signature": "x"}}
    thought: Any = {"type": "reasoning", "text": "", "provider_state": state}
    said = answer("yes")
    message: Any = {**said, "parts": [thought, *said["parts"]]}
    settled = make_meter(role=role).settle_success(
        replace(reply(), message=message), keep_response=True
    )
    assert settled.response == {"message": message if is_kept else said, "stop": "end"}


def test_missing_usage_is_estimated_with_the_models_token_factor():
    handle = make_handle()
    handle.factors.learn(LABEL, 1_000, 2_000)
    settled = make_meter(handle).settle_success(reply(NOTHING), keep_response=False)
    assert settled.usage == Usage(input_tokens=1_800, output_tokens=20, source="estimated")
    assert handle.factors.get(LABEL) == 2.0  # our own estimate teaches nothing


def test_a_stated_input_teaches_the_models_token_factor():
    handle = make_handle()
    make_meter(handle).settle_success(reply(), keep_response=False)
    assert handle.factors.get(LABEL) == pytest.approx(1_200 / 900)


def test_answer_sizes_are_learned_per_role_and_per_reviewed_worker():
    handle = make_handle()
    make_meter(handle, role="worker", worker="baker").settle_success(reply(), keep_response=False)
    assert handle.outputs.get_mean(LABEL, "worker") == 40
    assert handle.outputs.get_mean("baker", REVIEW) is None

    review = make_meter(handle, role="evaluator", worker="baker")
    review.settle_success(reply(replace(STATED, output_tokens=60)), keep_response=False)
    assert handle.outputs.get_mean(LABEL, "evaluator") == 60
    assert handle.outputs.get_mean("baker", REVIEW) == 1_260


def test_a_refused_call_is_settled_without_cost_and_with_the_reason():
    error = ModelOverloaded("busy " * 300, request_id="req")
    settled = make_meter().settle_failure(error)

    assert (settled.status, settled.usage) == ("failed", NOTHING)
    assert (settled.cost_usd, settled.error_code) == ("0", "MODEL_OVERLOADED")
    assert settled.request_id == "req"
    assert settled.error_message and len(settled.error_message) <= 600
    assert settled.error_message.startswith("busy busy")


def test_a_broken_stream_is_charged_for_the_received_part():
    meter = make_meter()
    meter.request_id = "kept"
    meter.see(StreamDelta(text="ab " * 10))
    meter.see(StreamDelta(reasoning="ab " * 10))
    settled = meter.settle_failure(StreamCut("broke"))

    assert (settled.status, settled.error_code) == ("cut", "STREAM_CUT")
    assert settled.error_message == "broke"
    assert settled.usage == Usage(input_tokens=900, output_tokens=20, source="estimated")
    assert settled.request_id == "kept"
    assert settled.first_token_ms is not None and settled.cost_usd is None


@pytest.mark.parametrize(
    ("partial", "usage"),
    [
        # Only the input was stated: the output is at least what came.
        (
            reply(Usage(input_tokens=1_100, output_tokens=1), stop="error"),
            Usage(input_tokens=1_100, output_tokens=10, source="estimated"),
        ),
        (
            reply(Usage(), stop="error"),
            Usage(input_tokens=900, output_tokens=10, source="estimated"),
        ),
        # Whole, but of no use: as its provider states it.
        (reply(), STATED),
    ],
)
def test_a_cut_calls_usage_is_estimated_from_the_received_text(partial: LLMResponse, usage: Usage):
    settled = make_meter().settle_failure(ModelOverloaded("broke", partial=partial))
    assert (settled.status, settled.error_code) == ("cut", "MODEL_OVERLOADED")
    assert settled.usage == usage


def test_a_cancelled_call_is_settled_without_a_providers_reason():
    settled = make_meter().settle_cut("cancelled", "CANCELLED")
    assert (settled.status, settled.error_code, settled.error_message) == (
        "cancelled",
        "CANCELLED",
        None,
    )
    assert settled.usage == Usage(input_tokens=900, output_tokens=0, source="estimated")


def test_a_reservation_adds_a_margin_to_the_input():
    handle = make_handle()
    small, large = (reserve_worst_case(handle, "worker", 1_000, most) for most in (0, 8_000))

    assert (small.output_tokens, small.usual_output, small.output_usd) == (0, 0, 0)
    assert 1_000 < small.tokens < 2_000
    assert (large.tokens, large.output_tokens) == (small.tokens + 8_000, 8_000)
    assert (large.usual_output, large.cost_usd) == (1_024, None)  # nothing is known yet
    handle.factors.learn(LABEL, 1_000, 2_000)
    assert reserve_worst_case(handle, "worker", 500, 0).tokens == small.tokens


def test_a_reservation_in_usd_needs_a_known_price():
    handle = ModelHandle("openai", "gpt-4.1", ScriptedProvider())
    most = reserve_worst_case(handle, "worker", 1_000, 8_000)
    less = handle.price_bound(0, 1_000)
    assert most.cost_usd is not None and less is not None
    assert most.output_usd == less / 1_000 > 0
    alone = reserve_worst_case(handle, "worker", 1_000, 0)
    assert (most.shrink(0).cost_usd, alone.output_usd) == (alone.cost_usd, Decimal(0))


@pytest.mark.parametrize(
    ("view", "positions"),
    [
        ([], (None, None)),
        ([user("now")], (7, 7)),
        ([answer("before"), user("now")], (6, 7)),
        ([user("old"), answer("before"), user("now"), call("a"), result("a")], (5, 9)),
    ],
)
def test_a_requests_messages_have_their_positions_in_the_thread(view: Any, positions: Any):
    assert find_positions(view, 7) == positions


def test_an_attempt_is_timed_in_milliseconds(monkeypatch: pytest.MonkeyPatch):
    now = [100.0]
    monkeypatch.setattr(call_meter.time, "perf_counter", lambda: now[0])
    meter = make_meter()
    for passed_s in (0.25, 0.5):
        now[0] += passed_s
        meter.see(StreamDelta(text="a"))
    now[0] += 0.75
    settled = meter.settle_success(reply(), keep_response=False)
    assert (settled.first_token_ms, settled.duration_ms) == (250, 1_500)
