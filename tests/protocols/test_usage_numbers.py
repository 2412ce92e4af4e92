"""What each protocol says that an answer took is what the ledger has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from packages.frontends.tests.test_openai_chat import MODEL, USER, connect, list_threads, stream
from packages.frontends.tests.test_openai_responses import stream as stream_response
from plainloop.agent.errors import StreamCut
from plainloop.agent.types import LLMResponse, Usage
from tests.machine.scripted import Cut, ScriptedProvider, text, triage
from tests.protocols.conftest import ServeNotes
from tests.protocols.posting import make_body, make_input
from tests.protocols.test_retries import make_request
from tests.server.conftest import Served

TAKEN = Usage(4, 2304, 12, 30, 20, raw={})


def count(response: LLMResponse) -> LLMResponse:
    return replace(response, usage=TAKEN)


async def read_frames(served: Served, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    client = await served.client()
    answer = await client.post(path, json=body, headers={"accept": "text/event-stream"})
    lines = [line[6:] for line in answer.text.splitlines() if line.startswith("data: {")]
    return [orjson.loads(line) for line in lines]


async def ask(kind: str, served: Served) -> list[int | None]:
    """Input, output, total, read from the cache, written to it, reasoning: as the answer tells."""
    client = connect(served)
    if kind.startswith("chat"):
        if kind == "chat, streamed":
            done = await stream(client, [USER], stream_options={"include_usage": True})
        else:
            done = await client.chat.completions.create(model=MODEL, messages=[USER])
        told = done.usage
        parts = told.prompt_tokens_details.cached_tokens, None
        whole = told.prompt_tokens, told.completion_tokens, told.total_tokens
        return [*whole, *parts, told.completion_tokens_details.reasoning_tokens]
    if kind == "responses":
        told = (await stream_response(client, "please do it")).usage
        parts = told.input_tokens_details
        whole = told.input_tokens, told.output_tokens, told.total_tokens
        cache = parts.cached_tokens, parts.cache_write_tokens
        return [*whole, *cache, told.output_tokens_details.reasoning_tokens]
    if kind == "mcp":
        frames = await read_frames(served, *make_request("mcp"))
        told = frames[-1]["result"]["structuredContent"]["usage"]
        names = ("input_tokens", "output_tokens", "", "cache_read_tokens", "cache_write_tokens")
        return [told.get(name) for name in (*names, "reasoning_tokens")]
    if kind == "ag-ui":
        frames = await read_frames(served, "/api/agui/default", make_input())
        [told] = frames[-1]["usage"]
    else:
        frames = await read_frames(served, "/api/ui/default/chat", make_body("c"))
        told = frames[-1]["messageMetadata"]["usage"]
    names = ("inputTokens", "outputTokens", "totalTokens", "cachedInputTokens")
    return [told[name] for name in (*names, "cacheWriteInputTokens", "reasoningTokens")]


KINDS = ("chat", "chat, streamed", "responses", "mcp", "ag-ui", "ai sdk")


@pytest.mark.parametrize("kind", KINDS)
async def test_answers_report_the_ledgers_usage(kind: str, serve: ServeNotes) -> None:
    partial = count(text("Half"))
    cut = Cut("Half", StreamCut("gone", retry_after_s=0.0, partial=partial))
    served = await serve(count(triage("note_writer")), cut, count(text("Whole.")))
    told = await ask(kind, served)
    [thread_id] = await list_threads(served)
    store = served.service.store
    [run] = await store.list_runs("acme", thread_id)
    usages = [call.usage for call in await store.list_calls("acme", run.run_id)]
    buckets = [
        sum(usage.buckets[name] or 0 for usage in usages)
        for name in ("cache_read_tokens", "cache_write_tokens", "reasoning_tokens")
    ]
    sums = [sum(u.input_total or 0 for u in usages), sum(u.output_total or 0 for u in usages)]
    expected = [*sums, sum(sums), *buckets]

    assert len(usages) == 3 and buckets == [3 * 2304, 36, 60]
    assert [own for own in told if own is not None] == [
        number for own, number in zip(told, expected, strict=True) if own is not None
    ]


async def test_usage_events_contain_buckets_live_and_stored(serve: ServeNotes) -> None:
    served = await serve(count(triage("note_writer")), count(text("Whole.")))
    await ask("chat", served)
    [thread_id] = await list_threads(served)
    [run] = await served.service.store.list_runs("acme", thread_id)
    told = await served.service.store.load_events("acme", run.run_id)

    assert [e["data"] for e in told if e["event"] == "usage"][1] == {
        "node": "note_writer",
        "provider": "scripted",
        "model": "scripted-1",
        "input_tokens": 2320,
        "output_tokens": 50,
        "source": "provider",
        "cache_read_tokens": 2304,
        "cache_write_tokens": 12,
        "reasoning_tokens": 20,
        "cost_usd": None,  # nobody knows a price of it
    }


async def test_usage_events_contain_the_ledgers_cost(
    serve: ServeNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ScriptedProvider, "provider", "openai")
    monkeypatch.setattr(ScriptedProvider, "model", "gpt-4o")
    answers = [
        replace(count(step), model="gpt-4o") for step in (triage("note_writer"), text("Yes."))
    ]
    served = await serve(*answers)
    await ask("chat", served)
    store = served.service.store
    [thread_id] = await list_threads(served)
    [run] = await store.list_runs("acme", thread_id)
    events = await store.load_events("acme", run.run_id)
    told = [event["data"]["cost_usd"] for event in events if event["event"] == "usage"]

    assert told == [call.cost_usd for call in await store.list_calls("acme", run.run_id)]
    assert all(told)
