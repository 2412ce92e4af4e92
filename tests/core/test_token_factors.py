"""What one of our tokens is in a model's, learnt from the ledger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from plainloop.agent.base.tokens.factors import TokenFactors
from plainloop.agent.config.settings import Settings
from plainloop.agent.core import attempts
from plainloop.agent.errors import ModelOverloaded, StoreError
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, LLMResponse, Usage
from tests.core.conversations import answer as said
from tests.core.conversations import user
from tests.core.model_calls import Caller, make_caller
from tests.machine.scripted import ScriptedProvider

LABEL = "scripted:scripted-1"
MakeCaller = Callable[..., Awaitable[Caller]]


@pytest.fixture
def caller(store: Store, settings: Settings) -> MakeCaller:
    async def make(*chain: Any, **options: Any) -> Caller:
        return await make_caller(store, settings, *chain, **options)

    return make


def reporting(input_tokens: int) -> LLMResponse:
    usage = Usage(input_tokens=input_tokens - 100, cache_read_tokens=100, output_tokens=2)
    return LLMResponse(said("ok"), "end", usage, "m")


LONG = ChatRequest(system="", messages=[user("word " * 988)])  # estimated at 1,000 tokens
CUT = ModelOverloaded("broke", partial=LLMResponse(said("ab " * 100), "error", Usage(), "m"))


async def test_a_token_factor_follows_reported_counts_slowly(caller: MakeCaller):
    ours = await caller(ScriptedProvider(reporting(1500), reporting(2500)))
    await ours.call(LONG)
    assert ours.ctx.models.resolve("worker").token_factor == 1.5
    await ours.call(LONG)
    assert ours.ctx.models.resolve("worker").token_factor == pytest.approx(1.6)


async def test_a_cut_stream_is_estimated_in_the_models_own_tokens(caller: MakeCaller):
    ours = await caller(ScriptedProvider(reporting(1500), CUT), model_attempts=1)
    await ours.call(LONG)
    with pytest.raises(ModelOverloaded):
        await ours.call(LONG)
    row = (await ours.list_rows())[1]
    assert row.usage == Usage(input_tokens=1500, output_tokens=150, source="estimated")


async def test_a_tenants_factors_are_read_again_after_the_database_was_away(
    caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
):
    ours = await caller(ScriptedProvider(reporting(1500)))
    await ours.call(LONG)
    later = await caller(ScriptedProvider(reporting(1500)))
    handle = later.ctx.models.resolve("worker")
    with monkeypatch.context() as patch:
        patch.setattr(attempts, "load_token_factors", _fail)
        with pytest.raises(StoreError):
            await attempts.start_factors(handle, later.ctx)
    await attempts.start_factors(handle, later.ctx)
    assert handle.token_factor == 1.5


async def _fail(tx: object) -> None:
    raise StoreError("the database does not answer")


async def test_a_new_process_begins_with_the_median_of_the_ledger(caller: MakeCaller):
    script = [reporting(tokens) for tokens in (1300, 1200, 2900)]
    ours = await caller(ScriptedProvider(*script))
    for _ in script:
        await ours.call(LONG)
    later = await caller(ScriptedProvider(CUT), model_attempts=1)
    with pytest.raises(ModelOverloaded):
        await later.call(LONG)
    assert later.ctx.models.resolve("worker").token_factor == 1.3


async def test_a_tenants_token_factors_are_loaded_at_its_first_call(caller: MakeCaller):
    factors = TokenFactors()
    ours = await caller(ScriptedProvider(reporting(1400)))
    await ours.call(LONG)
    other = await caller(ScriptedProvider(reporting(1000)), factors=factors, tenant_id="globex")
    await other.call(ChatRequest(system="", messages=[user("hi")]))
    assert factors.get(LABEL) == 1.0
    again = await caller(ScriptedProvider(CUT), factors=factors, model_attempts=1)
    with pytest.raises(ModelOverloaded):
        await again.call(LONG)
    assert factors.get(LABEL) == 1.4


def test_small_requests_and_absurd_counts_barely_move_the_factor():
    factors = TokenFactors()
    factors.learn("a:b", 100, 900)
    assert factors.get("a:b") == 1.0
    factors.learn("a:b", 1000, 90_000)
    assert factors.get("a:b") == 3.0


def test_the_factor_for_cutting_histories_moves_rarely():
    factors = TokenFactors()
    factors.learn("a:b", 1000, 1100)
    assert (factors.get("a:b"), factors.get_steady("a:b")) == (1.1, 1.0)
    for _ in range(20):
        factors.learn("a:b", 1000, 1400)
    moved = factors.get_steady("a:b")
    assert moved > 1.15
    factors.learn("a:b", 1000, 1400)
    assert factors.get_steady("a:b") == moved
