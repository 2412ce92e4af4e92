"""Attempts at a model call: what each leaves in the ledger and in a run's notes, when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.caching.bounded import BoundedCache
from plainloop.agent.config.settings import Settings
from plainloop.agent.core import attempts
from plainloop.agent.errors import (
    BudgetBusy,
    ContextTooLong,
    EmptyAnswer,
    ModelError,
    ModelNotFoundError,
    ModelOverloaded,
    ModelTimeout,
    StateRefused,
    StreamCut,
)
from plainloop.agent.providers import room
from plainloop.agent.store.recordings import load_request
from plainloop.agent.store.records import RunEnd
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, JsonSchema, LLMResponse, StreamDelta
from tests.core.conversations import answer as said
from tests.core.conversations import user
from tests.core.model_calls import Caller, make_caller
from tests.core.store_samples import make_call_start
from tests.machine.scripted import Hang, ScriptedProvider, text

MakeCaller = Callable[..., Awaitable[Caller]]
LABEL = "scripted:scripted-1"
JSON = JsonSchema("v", {"type": "object", "properties": {"ok": {}}, "required": ["ok"]})
FAILED = f"{LABEL}: attempt 1 failed: "


@pytest.fixture
def caller(store: Store, settings: Settings) -> MakeCaller:
    async def make(*chain: Any, **options: Any) -> Caller:
        return await make_caller(store, settings, *chain, **options)

    return make


async def load_notes(ours: Caller) -> tuple[str, ...]:
    """The notes of the run, which ends here."""
    await ours.ctx.journal.finish(RunEnd("failed", "E", "over"), [])
    return (await ours.store.load_run("acme", "ann", ours.ctx.run.run_id)).notes


def busy() -> ModelOverloaded:
    return ModelOverloaded("busy", retry_after_s=0.0)


@pytest.mark.parametrize(
    ("script", "notes"),
    [
        ([text("yes")], ()),
        ([busy(), text("yes")], (f"{FAILED}MODEL_OVERLOADED",)),
        ([EmptyAnswer("empty"), text("yes")], (f"{FAILED}EMPTY_ANSWER",)),
        (
            [ContextTooLong("too long"), text("yes")],
            (f"{FAILED}CONTEXT_TOO_LONG, room for 500 tokens is left",),
        ),
        (
            [StateRefused("no"), text("yes")],
            (
                f"{FAILED}STATE_REFUSED",
                f"{LABEL} refused the opaque state: it is not sent any more",
            ),
        ),
        (
            [replace(text("a", "pause"), stop_raw="pause_turn"), text("yes")],
            (f"{LABEL}: paused (pause_turn): continued",),
        ),
        (
            [replace(text("yes", "length"), stop_raw="max_tokens")],
            ("the answer ended early: length (max_tokens)",),
        ),
        (
            [replace(text("no", "refusal"), stop_raw=None)],
            ("the answer ended early: refusal (None)",),
        ),
        (
            [replace(text("no", "content_filter"), stop_raw="SAFETY")],
            ("the answer ended early: content_filter (SAFETY)",),
        ),
        ([replace(text("hm", "other"), stop_raw="odd")], ("the answer ended early: other (odd)",)),
        ([replace(text("yes", "tool_use"), stop_raw="tool_use")], ()),
    ],
)
async def test_a_run_records_the_outcome_of_each_attempt(
    script: list[Any], notes: tuple[str, ...], caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(room, "_learnt", BoundedCache())  # of the whole process
    ours = await caller(ScriptedProvider(*script))
    request = ChatRequest(system="", messages=[user("so?")], max_tokens=1_000)
    await ours.call(request, stream=False)
    assert await load_notes(ours) == notes


async def test_a_run_records_why_an_answer_was_requested_again(caller: MakeCaller):
    ours = await caller(ScriptedProvider(text("hm"), text('{"ok": 1}')))
    request = ChatRequest(system="", messages=[user("Judge.")], json_schema=JSON)
    response = await ours.call(request, stream=False)
    assert response.usage.input_tokens == 20, "both answers are paid for"
    (note,) = await load_notes(ours)
    assert note.startswith("the answer had the wrong form (")
    assert note.endswith("): asked once more")


async def test_text_streamed_before_a_failure_is_reset_with_the_reason(caller: MakeCaller):
    class Breaks(ScriptedProvider):
        async def generate_stream(
            self, request: ChatRequest
        ) -> AsyncIterator[StreamDelta | LLMResponse]:
            if len(self.script) == 2:
                yield StreamDelta(text="half")
            async for item in super().generate_stream(request):
                yield item

    ours = await caller(Breaks(busy(), text("whole")))
    assert (await ours.call()).text == "whole"
    told = [(e["event"], e["data"]) for e in ours.events if e["event"].startswith("text")]
    assert told == [
        ("text_delta", {"content": "half"}),
        ("text_reset", {"reason": "retry after MODEL_OVERLOADED"}),
        ("text_delta", {"content": "whole"}),
    ]


async def test_a_fallback_model_answers_without_delay_and_is_recorded(caller: MakeCaller):
    second = ScriptedProvider(text("hello"))
    ours = await caller(ScriptedProvider(ModelNotFoundError("gone")), second)
    assert (await ours.call()).text == "hello"
    rows = await ours.list_rows()
    assert [(row.attempt, row.status, row.error_code, row.error_message) for row in rows] == [
        (1, "failed", "MODEL_NOT_FOUND", "gone"),
        (2, "succeeded", None, None),
    ]


async def test_a_stream_without_an_answer_is_an_error(caller: MakeCaller):
    class Mute(ScriptedProvider):
        async def generate_stream(
            self, request: ChatRequest
        ) -> AsyncIterator[StreamDelta | LLMResponse]:
            yield StreamDelta(text="half")

    ours = await caller(Mute(), model_attempts=1)
    with pytest.raises(StreamCut) as cut:
        await ours.call()
    assert cut.value.message == f"{LABEL} ended its stream without an answer: try again"
    (row,) = await ours.list_rows()
    assert (row.status, row.error_code, row.error_message) == (
        *("cut", "STREAM_CUT"),
        f"{LABEL} ended its stream without an answer: try again",
    )


async def test_a_timed_out_attempt_states_its_time_limit(caller: MakeCaller):
    ours = await caller(ScriptedProvider(Hang("half")), model_timeout_s=0.05, model_attempts=1)
    with pytest.raises(ModelTimeout) as late:
        await ours.call()
    assert late.value.message == f"{LABEL} gave no complete answer within 0.05 s"
    (row,) = await ours.list_rows()
    assert (row.status, row.error_code) == ("cut", "MODEL_TIMEOUT")
    (usage,) = [event["data"] for event in ours.events if event["event"] == "usage"]
    assert usage["source"] == "estimated", "what came was paid for"


async def test_a_refused_attempt_has_no_usage(caller: MakeCaller):
    ours = await caller(ScriptedProvider(ModelNotFoundError("gone")))
    with pytest.raises(ModelError):
        await ours.call()
    assert "usage" not in ours.names()
    (row,) = await ours.list_rows()
    assert (row.status, row.cost_usd) == ("failed", "0")


@pytest.mark.parametrize("is_slow", [True, False])
async def test_a_long_calls_request_id_is_stored_before_it_ends(
    is_slow: bool, caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(attempts, "START_FLUSH_DELAY_S", 0.0 if is_slow else 60.0)
    rows: list[Any] = []

    class Slow(ScriptedProvider):
        async def generate_stream(
            self, request: ChatRequest
        ) -> AsyncIterator[StreamDelta | LLMResponse]:
            assert request.on_request_id is not None
            request.on_request_id("req_7")
            async with asyncio.timeout(20):
                while is_slow and not any(row.request_id for row in rows):
                    rows[:] = await ours.list_rows()
            async for item in super().generate_stream(request):
                yield item

    ours = await caller(Slow(text("yes")))
    await ours.call()
    assert [(row.status, row.request_id) for row in rows] == [("started", "req_7")] * is_slow
    (row,) = await ours.list_rows()
    assert (row.status, row.request_id) == ("succeeded", "req_7")


async def test_a_models_past_usage_is_read_once_per_tenant(
    caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
):
    ours = await caller(ScriptedProvider(text("a"), text("b"), text("c")))
    read: list[str] = []
    original = attempts.load_token_factors

    async def load(tx: Any) -> Any:
        read.append(tx.tenant_id)
        return await original(tx)

    monkeypatch.setattr(attempts, "load_token_factors", load)
    await ours.call()
    await ours.call()
    assert read == ["acme"]
    other = await caller(ScriptedProvider(text("d")), tenant_id="umbrella")
    await other.call()
    assert read == ["acme", "umbrella"]


async def test_an_attempts_ledger_row_describes_its_request(caller: MakeCaller):
    thread = [user("one"), said("two"), user("three")]
    ours = await caller(ScriptedProvider(text("a"), text("b")))
    extra = [user("be kind")]
    request = ChatRequest(system="Be brief.", messages=[*thread, *extra], max_tokens=77)
    await ours.call(request, view=thread, extra=extra, worker="notes", stream=False)
    await ours.call(request, role="router", view=[], stream=False)
    first, second = await ours.list_rows()
    assert (first.node, first.role, first.worker, first.attempt) == ("worker", "worker", "notes", 1)
    assert (second.node, second.role, second.worker) == ("router", "router", None)
    async with ours.store.transaction("acme") as tx:
        one = await load_request(tx, ours.ctx.run.run_id, first.call_id)
        two = await load_request(tx, ours.ctx.run.run_id, second.call_id)
    assert one is not None and two is not None
    position = ours.ctx.run.input_position
    assert (one.first_position, one.last_position) == (position - 2, position)
    assert (one.extra_messages, one.system, one.tools) == (extra, "Be brief.", None)
    assert (two.first_position, two.last_position, two.extra_messages) == (None, None, None)


async def test_a_call_waits_for_a_fully_reserved_budget_with_growing_pauses(
    caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
):
    ours = await caller(ScriptedProvider(text("done")))
    start, pauses_s = make_call_start(ours.ctx.run), list[float]()
    left = [7]

    async def record(start: Any) -> None:
        left[0] -= 1
        if left[0]:
            raise BudgetBusy("busy")

    async def sleep(pause_s: float) -> None:
        pauses_s.append(pause_s)

    monkeypatch.setattr(ours.ctx.journal, "record_call_start", record)
    monkeypatch.setattr(attempts.asyncio, "sleep", sleep)
    for pick in (min, max):
        left[0] = 7
        monkeypatch.setattr(attempts.random, "uniform", lambda *bounds, pick=pick: pick(bounds))
        assert await attempts.record_start(start, ours.ctx) is None
    bases = [0.1, 0.2, 0.4, 0.8, 0.8, 0.8]
    assert pauses_s == [share * base for share in (0.5, 1.5) for base in bases]
