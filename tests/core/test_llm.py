"""One logical model call: attempts, fallbacks, repairs, and what the ledger says of each."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.config.settings import Settings
from plainloop.agent.core import attempts, llm
from plainloop.agent.core.attempts import build_start, emit_usage
from plainloop.agent.core.llm import ModelCall, choose_pause, shorten_call
from plainloop.agent.errors import (
    BudgetBusy,
    ContentFiltered,
    ContextTooLong,
    EmptyAnswer,
    ModelAuthError,
    ModelOverloaded,
    ModelTimeout,
    RateLimited,
    StateRefused,
    StreamCut,
)
from plainloop.agent.providers.http.clients import close_clients, preload
from plainloop.agent.store.budgets import Budget, save_budget
from plainloop.agent.store.recordings import load_request
from plainloop.agent.store.records import Reserved
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, JsonSchema, LLMResponse, Usage
from tests.core.conversations import answer as said
from tests.core.conversations import call as called
from tests.core.conversations import result, user
from tests.core.model_calls import Caller, make_caller
from tests.core.store_samples import make_call_start, make_settled
from tests.machine.scripted import ScriptedProvider, text, tools
from tests.providers.conversations import connect
from tests.providers.local_server import Reply, run_local
from tests.providers.test_own_fixtures import STREAMS, TERMINAL, TEXT, load, reply

PROTOCOLS = tuple(STREAMS)
AT_ONCE = {"content-type": "application/json", "retry-after": "0"}
BUSY = Reply(b'{"error":{"message":"busy"}}', 503, AT_ONCE)
VERDICT = JsonSchema("v", {"type": "object", "properties": {"ok": {}}, "required": ["ok"]})
JSON_REQUEST = ChatRequest(system="", messages=[user("Judge.")], json_schema=VERDICT)

MakeCaller = Callable[..., Awaitable[Caller]]


@pytest.fixture
async def caller(store: Store, settings: Settings):
    async def make(*chain: Any, **options: Any) -> Caller:
        return await make_caller(store, settings, *chain, **options)

    yield make
    await close_clients()


@pytest.mark.parametrize("name", PROTOCOLS)
async def test_a_failing_call_sends_one_request_per_attempt(name: str, caller: MakeCaller):
    """One retry owner: with the SDK's own retries these would be 3 times as many."""
    async with run_local(BUSY) as local:
        ours = await caller(connect(name, local.url))
        with pytest.raises(ModelOverloaded):
            await ours.call()
    rows = await ours.list_rows()
    assert len(local.requests) == len(rows) == ours.ctx.limits.model_attempts == 4
    assert [(row.attempt, row.status, row.error_code) for row in rows] == [
        (n, "failed", "MODEL_OVERLOADED") for n in (1, 2, 3, 4)
    ]
    assert {row.usage for row in rows} == {Usage(source="missing")}


async def test_permanent_failures_are_not_retried(caller: MakeCaller):
    async with run_local(Reply(b'{"error":{"message":"no"}}', 401)) as local:
        ours = await caller(connect("openai", local.url))
        with pytest.raises(ModelAuthError):
            await ours.call()
    assert len(local.requests) == len(await ours.list_rows()) == 1


async def test_a_retry_after_beyond_the_time_limit_fails_at_once(caller: MakeCaller):
    headers = {"content-type": "application/json", "retry-after": "3600"}
    async with run_local(Reply(b'{"error":{"message":"slow down"}}', 429, headers)) as local:
        ours = await caller(connect("openai", local.url))
        with pytest.raises(RateLimited) as caught:
            await ours.call()
    assert (len(local.requests), caught.value.retry_after_s) == (1, 3600.0)


async def test_a_broken_streams_text_is_reset_and_the_call_retried(caller: MakeCaller):
    broken = reply("openai", cut_at=load("openai").index(TERMINAL["openai"]), end="drop")
    async with run_local(broken, reply("openai")) as local:
        ours = await caller(connect("openai", local.url))
        response = await ours.call()
    deltas = [e["data"]["content"] for e in ours.events if e["event"] == "text_delta"]
    reset_at = ours.names().index("text_reset")
    assert response.text == TEXT
    assert "".join(deltas[ours.names()[:reset_at].count("text_delta") :]) == TEXT
    assert [row.status for row in await ours.list_rows()] == ["cut", "succeeded"]


async def test_retries_leave_an_attempt_for_each_fallback(caller: MakeCaller):
    busy = [ModelOverloaded("busy", retry_after_s=0) for _ in range(9)]
    first, second = ScriptedProvider(*busy), ScriptedProvider(*busy)
    ours = await caller(first, second)
    with pytest.raises(ModelOverloaded):
        await ours.call()
    assert (len(first.requests), len(second.requests)) == (3, 1)


async def test_a_filtered_prompt_is_not_sent_to_the_fallback(caller: MakeCaller):
    second = ScriptedProvider(text("hello"))
    ours = await caller(ScriptedProvider(ContentFiltered("no")), second)
    with pytest.raises(ContentFiltered):
        await ours.call()
    assert second.requests == []


async def test_a_too_long_prompt_is_cut_and_retried_once(caller: MakeCaller):
    thread = [user("old " * 500), said("yes"), user("new " * 400), said("no"), user("so?")]
    provider = ScriptedProvider(ContextTooLong("too long"), text("fits"))
    ours = await caller(provider)
    response = await ours.call(ChatRequest(system="", messages=thread))
    assert response.text == "fits"
    assert provider.requests[1].messages == thread[2:]
    first, second = await ours.list_rows()
    assert second.estimated_input_tokens < first.estimated_input_tokens * 0.6


async def test_shortening_one_exchange_drops_its_older_tool_rounds_first(caller: MakeCaller):
    rounds = [m for n in range(6) for m in (called(f"c{n}", {"q": "x" * 900}), result(f"c{n}"))]
    provider = ScriptedProvider(ContextTooLong("too long"), text("fits"))
    ours = await caller(provider)
    await ours.call(ChatRequest(system="", messages=[user("find"), *rounds]))
    assert provider.requests[1].messages == [user("find"), *rounds[8:]]


async def test_a_prompt_still_too_long_after_cutting_is_an_error(caller: MakeCaller):
    provider = ScriptedProvider(ContextTooLong("too long"), ContextTooLong("still"), text("never"))
    ours = await caller(provider)
    thread = [user("old " * 400), said("yes"), user("now?")]
    with pytest.raises(ContextTooLong) as caught:
        await ours.call(ChatRequest(system="", messages=thread))
    assert "AGENT_LIMITS_WINDOW_TOKENS" in (caught.value.hint or "")
    assert len(provider.requests) == 2


async def test_a_too_long_thread_is_halved_only_once(caller: MakeCaller):
    turns = [m for n in range(8) for m in (user(f"{n} " * 200), said("yes"))]
    provider = ScriptedProvider(ContextTooLong("too long"), ContextTooLong("still"), text("never"))
    ours = await caller(provider)
    with pytest.raises(ContextTooLong):
        await ours.call(ChatRequest(system="", messages=[*turns, user("so?")]))
    sent = [len(request.messages) for request in provider.requests]
    assert (len(sent), sent[0]) == (2, 17)
    assert 3 < sent[1] < 17  # there was more to leave out


def test_a_call_is_shortened_at_most_once():
    turns = [m for n in range(8) for m in (user(f"{n} " * 200), said("yes"))]
    view = [*turns, user("so?")]
    shorter = shorten_call(ModelCall("worker", ChatRequest(system="", messages=view), view))
    assert shorter is not None and shorter.request.messages == shorter.view == view[-7:]
    assert shorten_call(shorter) is None


def test_a_call_without_droppable_messages_is_not_shortened():
    view = [user("so?")]
    assert shorten_call(ModelCall("worker", ChatRequest(system="", messages=view), view)) is None


async def test_only_the_last_tool_call_of_a_cut_answer_is_marked(caller: MakeCaller):
    cut = tools(("a", "look", {"q": 1}), ("b", "look", {}))
    ours = await caller(ScriptedProvider(replace(cut, stop="length")))
    calls = (await ours.call()).tool_calls
    assert [call.get("is_cut", False) for call in calls] == [False, True]


async def test_invalid_json_answers_are_retried_once_with_the_reason(caller: MakeCaller):
    provider = ScriptedProvider(text("I think so"), text('{"ok": true}'))
    ours = await caller(provider)
    response = await ours.call(JSON_REQUEST, stream=False, view=[])
    assert response.text == '{"ok": true}'
    _, bad, why = provider.requests[1].messages
    assert bad == said("I think so")
    assert (why["role"], "not valid" in get_text(why)) == ("user", True)
    assert len(await ours.list_rows()) == 2


async def test_json_cut_by_its_limit_is_retried_with_a_higher_limit(caller: MakeCaller):
    provider = ScriptedProvider(text('{"ok', "length"), text('{"ok": true}'))
    ours = await caller(provider)
    await ours.call(replace(JSON_REQUEST, max_tokens=400), role="router", stream=False, view=[])
    assert [request.max_tokens for request in provider.requests] == [400, 8096]


async def test_max_tokens_never_exceeds_the_models_maximum(caller: MakeCaller):
    provider = ScriptedProvider(text("no", "length"), text('{"ok": true}'))
    ours = await caller(provider, max_output_tokens=300)
    await ours.call(replace(JSON_REQUEST, max_tokens=2_000), role="router", stream=False, view=[])
    assert [request.max_tokens for request in provider.requests] == [300, 300]


@pytest.mark.parametrize("stop", ["refusal", "content_filter"])
async def test_a_refusal_in_json_mode_is_not_retried(stop: str, caller: MakeCaller):
    provider = ScriptedProvider(text("I cannot help with that.", stop))
    ours = await caller(provider)
    assert (await ours.call(JSON_REQUEST, stream=False, view=[])).stop == stop


async def test_a_timed_out_call_closes_its_connection(caller: MakeCaller):
    async def last(name: str) -> Any:
        half = load(name).index("京".encode())
        async with run_local(reply(name, cut_at=half, end="hang")) as local:
            ours = await caller(connect(name, local.url), model_timeout_s=2)
            with pytest.raises(ModelTimeout):
                await ours.call()
            await asyncio.wait_for(local.closed_by_client.wait(), 60)
        (row,) = await ours.list_rows()
        return row.status, row.error_code, row.usage.source

    # An SDK's import would be a part of the call; and one sees what another has half imported.
    for name in PROTOCOLS:
        await preload(connect(name, "http://127.0.0.1").provider)
    ended = await asyncio.gather(*map(last, PROTOCOLS))
    assert ended == [("cut", "MODEL_TIMEOUT", "estimated")] * len(PROTOCOLS)


async def test_every_role_has_the_configured_time_limit(caller: MakeCaller):
    """A request that names no bound had one of 120 s: a slow local model's was cut, and bought
    again.
    """
    provider = ScriptedProvider(text('{"ok": true}'), text("Fine."))
    ours = await caller(provider, model_timeout_s=600.0)
    await ours.call(JSON_REQUEST, stream=False, view=[])
    await ours.call()
    assert [request.timeout_s for request in provider.requests] == [600.0, 600.0]


@pytest.mark.parametrize("name", PROTOCOLS)
async def test_a_cancelled_call_closes_its_connection_and_its_ledger_row(
    name: str, caller: MakeCaller
):
    half = load(name).index("京".encode())
    async with run_local(reply(name, cut_at=half, end="hang")) as local:
        ours = await caller(connect(name, local.url))
        task = asyncio.create_task(ours.call())
        while "text_delta" not in ours.names():
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(local.closed_by_client.wait(), 60)
    (row,) = await ours.list_rows()
    assert (row.status, row.usage.source) == ("cancelled", "estimated")
    assert row.usage.input_tokens == row.estimated_input_tokens
    assert row.usage.output_tokens


@pytest.mark.parametrize("name", PROTOCOLS)
async def test_a_lost_connection_is_charged_for_the_received_part(name: str, caller: MakeCaller):
    """The ledger's side; `test_own_fixtures` cuts without it, at any byte and in other ways."""
    body = load(name)
    async with run_local(reply(name)) as local:
        ours = await caller(connect(name, local.url), model_attempts=1)
        seen: list[tuple[str, bool]] = []
        for cut_at in range(1, len(body) * 3 // 5, 17):
            local.replies = [reply(name, cut_at=cut_at, end="drop")]
            with pytest.raises(StreamCut) as caught:
                await ours.call()
            received = caught.value.partial
            seen.append((received.text, bool(received.tool_calls)))
    rows = await ours.list_rows()
    assert len(rows) == len(seen) > 10
    assert {(row.status, row.error_code, row.stop) for row in rows} == {("cut", "STREAM_CUT", None)}
    for row, (shown, _) in zip(rows, seen, strict=True):
        assert TEXT.startswith(shown)
        assert row.usage.source in ("estimated", "provider")
        assert row.usage.input_total
        assert not shown or row.usage.output_total


async def test_an_error_inside_a_200_is_classified_and_retried(caller: MakeCaller):
    inside = Reply(json.dumps({"error": {"message": "overloaded", "code": 529}}).encode())
    async with run_local(inside, reply("openai")) as local:
        ours = await caller(connect("compatible", local.url))
        assert (await ours.call()).text == TEXT
    assert [row.status for row in await ours.list_rows()] == ["failed", "succeeded"]


async def test_a_finish_reason_error_is_recorded_as_cut(caller: MakeCaller):
    choice = {"index": 0, "finish_reason": "network_error", "message": {"content": "half an ans"}}
    async with run_local(Reply(json.dumps({"choices": [choice]}).encode())) as local:
        ours = await caller(connect("glm", local.url), model_attempts=1)
        with pytest.raises(ModelOverloaded) as caught:
            await ours.call(stream=False)
    assert caught.value.partial.text == "half an ans"
    (row,) = await ours.list_rows()
    assert (row.status, row.usage.source, row.usage.output_tokens) == ("cut", "estimated", 3)


def paused(answer: str) -> LLMResponse:
    return replace(text(answer, "pause"), stop_raw="pause_turn")


async def test_a_paused_answer_is_continued_and_merged(caller: MakeCaller):
    provider = ScriptedProvider(paused("One. "), paused("Two. "), text("Three."))
    ours = await caller(provider)
    request = ChatRequest(system="", messages=[user("count")])
    response = await ours.call(request, stream=False)
    rows = await ours.list_rows()

    assert (response.text, response.stop) == ("One. Two. Three.", "end")
    assert [asked.messages for asked in provider.requests] == [
        [user("count")],
        [user("count"), said("One. ")],
        [user("count"), said("One. "), said("Two. ")],
    ]
    assert [(row.attempt, row.status, row.stop) for row in rows] == [
        (1, "succeeded", "pause"),
        (2, "succeeded", "pause"),
        (3, "succeeded", "end"),
    ]
    assert (response.usage.input_tokens, response.usage.output_tokens) == (30, 15)


async def test_endless_pauses_end_after_the_allowed_attempts(caller: MakeCaller):
    provider = ScriptedProvider(paused("One. "), paused("Two. "), text("never"))
    ours = await caller(provider, model_attempts=2)
    response = await ours.call(stream=False)
    assert (response.text, response.stop, len(provider.requests)) == ("One. Two. ", "pause", 2)


SEALED: Any = {
    "role": "assistant",
    "parts": [
        {
            "type": "reasoning",
            "text": "hm",
            "provider_state": {
                "provider": "scripted",
                "model": "scripted-1",
                "value": {"signature": "s"},
            },
        },
        {"type": "text", "text": "hi"},
    ],
}


async def test_refused_opaque_state_is_omitted_in_one_retry_and_noted(caller: MakeCaller):
    provider = ScriptedProvider(StateRefused("no"), text("fine"))
    ours = await caller(provider)
    thread = [user("hello"), SEALED, user("go on")]
    response = await ours.call(ChatRequest(system="", messages=thread))
    first, second = (json.dumps(asked.messages) for asked in provider.requests)

    assert ("signature" in first, "signature" in second) == (True, False)
    assert response.text == "fine"
    mark: Any = response.message["parts"][0]
    assert mark["provider_state"] == {
        "provider": "scripted",
        "model": "scripted-1",
        "value": {},
        "refuses_earlier": True,
    }
    rows = await ours.list_rows()
    assert [row.error_code for row in rows] == ["STATE_REFUSED", None]
    async with ours.store.transaction("acme") as tx:
        kept = [await load_request(tx, ours.ctx.run.run_id, row.call_id) for row in rows]
    positions = [(item.first_position, item.last_position) for item in kept if item]
    assert positions[0] == positions[1] and None not in positions[1]


async def test_opaque_state_refused_twice_is_an_error(caller: MakeCaller):
    provider = ScriptedProvider(StateRefused("no"), StateRefused("still"), text("never"))
    ours = await caller(provider)
    with pytest.raises(StateRefused, match="still"):
        await ours.call(ChatRequest(system="", messages=[user("hello"), SEALED, user("go on")]))
    assert len(provider.requests) == 2


async def test_an_empty_answer_is_retried_once(caller: MakeCaller):
    provider = ScriptedProvider(EmptyAnswer("empty"), text("here"))
    ours = await caller(provider)
    assert (await ours.call()).text == "here"
    assert "text_reset" not in ours.names(), "nothing was shown that is taken back"
    twice = ScriptedProvider(EmptyAnswer("empty"), EmptyAnswer("empty"), text("never"))
    with pytest.raises(EmptyAnswer):
        await (await caller(twice)).call()
    assert (len(provider.requests), len(twice.requests)) == (2, 2)


async def test_a_call_waits_briefly_for_reserved_budget(
    caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
):
    ours = await caller(ScriptedProvider(text("done")))
    async with ours.store.transaction("acme") as tx:
        await save_budget(tx, Budget("tenant", "day", 20_000, None))
    ours.store.budgets.forget("acme")
    other = replace(make_call_start(ours.ctx.run), reserved=Reserved(19_990, None))
    await ours.store.record_call_start(other)
    with monkeypatch.context() as patch:
        patch.setattr(attempts, "BUSY_WAIT_S", 0.0)
        with pytest.raises(BudgetBusy):
            await ours.call()
    waiting = asyncio.create_task(ours.call())
    done, _ = await asyncio.wait({waiting}, timeout=0.3)
    assert not done
    given_back = make_settled(other, usage=Usage(10, output_tokens=10))
    await ours.store.settle_calls("acme", [given_back])
    assert (await waiting).text == "done"


@pytest.mark.parametrize(
    ("wished_s", "attempt", "shortest_s", "longest_s"),
    [
        (None, 1, 0.75, 1.0),
        (None, 2, 1.5, 2.0),
        (None, 3, 3.0, 4.0),
        (None, 9, 6.0, 8.0),
        (7.5, 1, 7.5, 7.5),
        (0.0, 3, 0.0, 0.0),
    ],
)
def test_retry_pauses_double_unless_the_provider_states_one(
    wished_s: float | None,
    attempt: int,
    shortest_s: float,
    longest_s: float,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(llm, "BACKOFF_FIRST_S", 1.0)
    error = ModelOverloaded("busy", retry_after_s=wished_s)
    pauses_s = [choose_pause(error, attempt) for _ in range(50)]
    assert shortest_s <= min(pauses_s) <= max(pauses_s) <= longest_s
    assert len(set(pauses_s)) > 1 or wished_s is not None


async def test_a_call_reserves_its_roles_usual_answer_size(caller: MakeCaller):
    ours = await caller(ScriptedProvider())
    handle = ours.ctx.models.resolve("worker")
    for _ in range(100):
        handle.outputs.learn(handle.label, "worker", 100)
    whose: dict[str, Any] = dict.fromkeys(
        ("worker", "system_hash", "tools_hash", "first_position", "last_position")
    )
    sizes = {"estimated_input_tokens": 10, "max_output_tokens": 8_000, "fingerprint": ""}
    held = [
        build_start(handle, 1, ours.ctx, role=role, **sizes, **whose).reserved
        for role in ("worker", "router")
    ]
    usual = [item.usual_output for item in held if item]
    assert usual == [handle.outputs.get(handle.label, "worker"), 1_024]
    assert usual[0] < 200


@pytest.mark.parametrize(("answered", "model"), [("m-2026", "m-2026"), (None, "some-model")])
async def test_a_usage_event_names_the_model_that_answered(
    answered: str | None, model: str, caller: MakeCaller
):
    ours = await caller(ScriptedProvider())
    start = make_call_start(ours.ctx.run)
    emit_usage(make_settled(start, model_answered=answered), start, ours.ctx)
    (event,) = ours.events
    told: Any = event["data"]
    assert (told["node"], told["provider"], told["model"]) == ("worker", "anthropic", model)
    assert (told["input_tokens"], told["cost_usd"]) == (60, "0.00012")  # with what was cached
