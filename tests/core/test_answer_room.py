"""Room for the answer: stated by a refusal, halved where it states nothing, else known before."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import AnswerTooLong, ContextTooLong
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest
from tests.core.conversations import answer as said
from tests.core.conversations import user
from tests.core.model_calls import HELLO, Caller, make_caller
from tests.odd_answers.five_wires import WIRES, Say
from tests.providers.conversations import connect
from tests.providers.local_server import Local, Reply, run_local

MakeCaller = Callable[..., Awaitable[Caller]]
FINE = Say(texts=["Good day"])
STATED = (
    "This model's maximum context length is 8192 tokens. However, you requested 10396 tokens "
    "(2300 in the messages, 8096 in the completion). Please reduce the length."
)
UNSTATED = "the request exceeds the available context size. try increasing the context size"
HELLO_REQUEST = ChatRequest(system="Be brief.", messages=[HELLO])
LONG_THREAD = [user("old " * 500), said("yes"), user("new " * 400), said("no"), user("so?")]


@pytest.fixture
async def caller(store: Store, settings: Settings):
    async def make(*chain: Any, **options: Any) -> Caller:
        return await make_caller(store, settings, *chain, **options)

    yield make
    await close_clients()


def refuse(message: str, status: int = 400) -> Reply:
    return Reply(json.dumps({"error": {"message": message, "code": status}}).encode(), status)


def list_rooms(local: Local) -> list[int]:
    """The tokens that each request asked for, whatever the wire's name for them."""
    names = ("max_tokens", "max_completion_tokens", "max_output_tokens")
    found: list[int] = []
    for request in local.requests:
        body = request["body"]
        options = body.get("options", {}).get("num_predict")
        google = body.get("generationConfig", {}).get("maxOutputTokens")
        found.append(next(filter(None, (*map(body.get, names), options, google))))
    return found


@pytest.mark.parametrize("wire", WIRES)
async def test_a_short_message_works_with_a_window_of_eight_thousand_tokens(
    wire: str, caller: MakeCaller
):
    async with run_local(refuse(STATED), FINE.encode(wire)) as local:
        ours = await caller(connect(wire, local.url))
        assert (await ours.call()).text == "Good day"
        assert list_rooms(local) == [8096, 8192 - 2300]
        await ours.call()
    assert list_rooms(local)[2] < 8192 - 200
    rows = await ours.list_rows()
    assert [(row.status, row.error_code) for row in rows] == [
        ("failed", "CONTEXT_TOO_LONG"),
        ("succeeded", None),
        ("succeeded", None),
    ]


@pytest.mark.parametrize("wire", WIRES)
async def test_an_overflow_error_without_numbers_halves_the_answer_size_once(
    wire: str, caller: MakeCaller
):
    async with run_local(refuse(UNSTATED)) as local:
        ours = await caller(connect(wire, local.url))
        with pytest.raises(ContextTooLong) as caught:
            await ours.call()
    assert list_rooms(local) == [8096, 4048]
    assert "AGENT_LIMITS_MAX_OUTPUT_TOKENS" in (caught.value.hint or "")


async def test_a_halved_answer_size_that_succeeded_is_used_for_later_calls(caller: MakeCaller):
    fine = FINE.encode("compatible")
    async with run_local(refuse(UNSTATED), fine) as local:
        ours = await caller(connect("compatible", local.url))
        await ours.call()
        await ours.call()
    assert list_rooms(local) == [8096, 4048, 4048]


async def test_a_prompt_refused_as_too_long_is_sent_again_with_less_history(caller: MakeCaller):
    full = "request (9000 tokens) exceeds the available context size (8192 tokens)"
    async with run_local(refuse(full), FINE.encode("compatible")) as local:
        ours = await caller(connect("compatible", local.url))
        await ours.call(ChatRequest(system="", messages=LONG_THREAD))
    first, second = (request["body"]["messages"] for request in local.requests)
    assert len(second) < len(first)


async def test_an_overflow_error_with_numbers_shortens_only_the_answer(caller: MakeCaller):
    async with run_local(refuse(STATED), FINE.encode("compatible")) as local:
        ours = await caller(connect("compatible", local.url))
        await ours.call(ChatRequest(system="", messages=LONG_THREAD))
    first, second = (request["body"]["messages"] for request in local.requests)
    assert first == second


async def test_an_overflow_error_without_numbers_shortens_history_and_answer(caller: MakeCaller):
    async with run_local(refuse(UNSTATED), FINE.encode("compatible")) as local:
        ours = await caller(connect("compatible", local.url))
        await ours.call(ChatRequest(system="", messages=LONG_THREAD))
        await ours.call()
    first, second, _ = (request["body"]["messages"] for request in local.requests)
    assert len(second) < len(first)
    assert list_rooms(local) == [8096, 4048, 8096], "which of both helped is not known"


@pytest.mark.parametrize("wire", WIRES)
async def test_a_models_maximum_answer_length_is_learned(wire: str, caller: MakeCaller):
    wide = "max_tokens is too large: 8096. This model supports at most 4096 completion tokens"
    async with run_local(refuse(wide), FINE.encode(wire)) as local:
        ours = await caller(connect(wire, local.url))
        await ours.call(ChatRequest(system="", messages=LONG_THREAD))
        await ours.call()
    assert list_rooms(local) == [8096, 4096, 4096]


async def test_a_second_refusal_of_the_answer_size_is_an_error(caller: MakeCaller):
    wide = "max_completion_tokens is limited for this model"
    async with run_local(refuse(wide)) as local:
        ours = await caller(connect("compatible", local.url))
        with pytest.raises(AnswerTooLong) as caught:
            await ours.call(ChatRequest(system="", messages=LONG_THREAD))
    assert list_rooms(local) == [8096, 4048]
    assert "AGENT_LIMITS_MAX_OUTPUT_TOKENS" in (caught.value.hint or "")


async def test_a_request_above_the_per_minute_limit_is_shortened(caller: MakeCaller):
    rate = (
        "Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested "
        "9000, please reduce your message size and try again."
    )
    async with run_local(refuse(rate, 413), FINE.encode("compatible")) as local:
        ours = await caller(connect("compatible", local.url))
        await ours.call()
    assert list_rooms(local) == [8096, 8096 - 3000]


@pytest.mark.parametrize("wire", ["anthropic", "compatible"])
async def test_an_empty_answer_from_a_full_window_is_context_too_long(
    wire: str, caller: MakeCaller
):
    full = Say(stop="model_context_window_exceeded").encode(wire)
    async with run_local(full, FINE.encode(wire)) as local:
        ours = await caller(connect(wire, local.url))
        await ours.call(ChatRequest(system="", messages=LONG_THREAD))
    first, second = (request["body"]["messages"] for request in local.requests)
    assert len(second) < len(first)
    row, _ = await ours.list_rows()
    assert (row.status, row.error_code) == ("cut", "CONTEXT_TOO_LONG")


async def test_a_fallback_model_is_called_with_its_own_answer_size(caller: MakeCaller):
    async with run_local(refuse(UNSTATED)) as small, run_local(FINE.encode("compatible")) as large:
        ours = await caller(connect("compatible", small.url), connect("compatible", large.url))
        await ours.call()
    assert (list_rooms(small), list_rooms(large)) == ([8096, 4048], [8096])


async def test_the_answer_size_never_exceeds_the_listed_window(caller: MakeCaller):
    async with run_local(FINE.encode("compatible")) as local:
        ours = await caller(create_provider("openai", "k", "gpt-4", local.url))
        await ours.call(HELLO_REQUEST)
    assert list_rooms(local)[0] < 8192 - 200
    [row] = await ours.list_rows()
    assert row.status == "succeeded"


async def test_a_smaller_answer_size_is_no_divergence_in_a_replay(caller: MakeCaller):
    async with run_local(refuse(STATED), FINE.encode("compatible")) as local:
        ours = await caller(connect("compatible", local.url))
        await ours.call()
    run_id = ours.ctx.run.run_id
    async with ours.store.transaction(ours.ctx.tenant_id) as tx:
        made = await tx.fetch("select fingerprint from llm_calls where run_id = $1", run_id)
    assert [len(made), len({row["fingerprint"] for row in made})] == [2, 1]
