"""What replays read of the store: threads by condition, and what their calls answered."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from plainloop.agent.base.ids import make_id
from plainloop.agent.store.recordings import KeptRequest, load_request
from plainloop.agent.store.records import RunEnd
from plainloop.agent.store.store import Store
from plainloop.agent.types import LLMResponse, RunOptions, ToolSchema, Usage
from plainloop_lab.store.recordings import (
    RecordedCall,
    RecordedOptions,
    ThreadFilter,
    list_made,
    list_recorded_calls,
    list_replay_threads,
    load_options,
    load_thread_kind,
)
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    make_step,
    make_text,
)


async def test_recordings_contain_each_calls_request_and_answer(store: Store):
    thread = await create_thread(store)
    brought = RunOptions(client_tools=(ToolSchema("ask", "Ask.", {}),))
    run = await begin_run(store, thread, options=brought, parts_name="ab")
    system = await store.save_prompt_text("acme", "system", "Be brief.")
    tools = await store.save_prompt_text("acme", "tools", "[]")
    said = make_text("assistant", "done")
    whole = make_call_start(
        run, system_hash=system, tools_hash=tools, token_factor=1.5, extra_messages=[said]
    )
    bare = make_call_start(run, worker=None, role="router", first_position=None)
    kept = make_settled(bare, response={"message": make_text("assistant", "notes"), "stop": "end"})
    kept = replace(kept, model_answered=None, stop=None, usage=Usage(1, source="estimated"))
    for start in (whole, bare):
        await store.record_call_start(start)
    update: Any = {"messages": [said]}
    calls = (make_settled(whole), kept)
    await store.record_steps(run, [make_step(update=update, calls=calls, end=RunEnd("succeeded"))])
    usage = replace(make_settled(whole).usage, raw=None)
    call = RecordedCall(
        *(0, "worker", "worker", "anthropic:some-model", "ab" * 32, "Be brief.", "[]"),
        *(0, 0, [said], 1.5, LLMResponse(said, "end", usage, "some-model-1"), 812),
    )
    response = LLMResponse(make_text("assistant", "notes"), "end", Usage(1, source="estimated"), "")
    other = replace(call, role="router", worker=None, system="", tools="", first_position=None)
    async with store.transaction("acme") as tx:
        assert await list_recorded_calls(tx, run.run_id) == [
            call,
            replace(other, extra=[], token_factor=1.0, response=response),
        ]
        ids = (whole.call_id, run.run_id, thread.thread_id)
        request = KeptRequest(*ids, 0, 0, [said], "worker", "Be brief.", "[]")
        assert await load_request(tx, run.run_id, whole.call_id) == request
        options = await load_options(tx, run.run_id)
        assert options == RecordedOptions(client_tools=("ask",), parts_name="ab")
        assert await load_options(tx, make_id()) == RecordedOptions()
    async with store.transaction("umbrella") as tx:
        assert await list_recorded_calls(tx, run.run_id) == []


async def test_each_replay_filter_selects_the_matching_threads(store: Store):
    await create_thread(store)  # without a run: nothing to replay
    cheap, dear, failed, theirs = [
        await create_thread(store, user_id=user_id) for user_id in ("ann", "ann", "ann", "bob")
    ]
    for thread, cost, end, tags in (
        (cheap, "0.1", RunEnd("succeeded"), ()),
        (dear, "5", RunEnd("succeeded"), ("vip",)),
        (failed, "0.1", RunEnd("failed", "LLM_ERROR", "no"), ()),
        (theirs, "0.1", RunEnd("succeeded"), ()),
    ):
        run = await begin_run(store, thread, options=RunOptions(tags=tags))
        worker = "baker" if thread is theirs else "worker"
        await store.record_call_start(start := make_call_start(run, worker=worker))
        calls = (make_settled(start, cost_usd=cost),)
        await store.record_steps(run, [make_step(calls=calls, end=end)])
    names = {cheap.thread_id: "cheap", dear.thread_id: "dear"}
    names |= {failed.thread_id: "failed", theirs.thread_id: "theirs"}

    async def show(tenant_id: str = "acme", **rest: Any) -> list[str]:
        async with store.transaction(tenant_id) as tx:
            return [names[item] for item in await list_replay_threads(tx, ThreadFilter(**rest))]

    hour = timedelta(hours=1)
    assert await show() == ["theirs", "failed", "dear", "cheap"]
    assert await show(user_id="ann") == ["failed", "dear", "cheap"]
    assert await show(worker="baker") == ["theirs"]
    assert await show(tag="vip") == ["dear"]
    assert await show(is_failed=True) == ["failed"]
    assert await show(min_cost_usd=Decimal(5)) == ["dear"]
    assert await show(since=datetime.now(UTC) + hour) == []
    assert await show(until=datetime.now(UTC) - hour) == []
    assert await show(rating="up") == []
    assert await show("umbrella") == []


async def test_threads_are_loaded_with_the_kind_pack_and_design_of_their_runs(store: Store):
    parsed = await store.create_thread("acme", "ann", pack="tracker", kind="parse")
    chat, empty = await create_thread(store), await create_thread(store)
    for thread in (parsed, chat, chat):
        await answer(store, await begin_run(store, thread))
    async with store.transaction("acme") as tx:
        made = await list_made(tx, [parsed.thread_id, chat.thread_id, empty.thread_id])
        kinds = [await load_thread_kind(tx, it) for it in (parsed.thread_id, make_id())]
    assert made == {
        parsed.thread_id: {("parse", "tracker", "default")},
        chat.thread_id: {("chat", "tracker", "default")},
    }
    assert kinds == ["parse", "chat"]
