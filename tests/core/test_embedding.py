"""Texts to vectors by one model: its attempts, its ledger rows, and the settings that it needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.core.embedding import embed_texts
from plainloop.agent.errors import ConfigError, ModelAuthError, ModelOverloaded, ModelRequestError
from plainloop.agent.store.store import Store
from plainloop.agent.types import Embeddings, Usage
from tests.core.model_calls import Caller, make_caller
from tests.machine.scripted import ScriptedProvider

VECTORS = [[0.1, 0.2], [0.3, 0.4]]
STATED = Usage(input_tokens=7, raw={"prompt_tokens": 7})


class FixedEmbedder(ScriptedProvider):
    """Answers requests for vectors with what a test wrote."""

    def __init__(self, *answers: Embeddings | Exception) -> None:
        super().__init__()
        self.answers = list(answers)
        self.asked: list[tuple[list[str], float]] = []

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        self.asked.append((list(texts), timeout_s))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


Prepare = Callable[..., Awaitable[Caller]]


@pytest.fixture
def prepare(store: Store, settings: Settings) -> Prepare:
    async def make(*chain: Any, **options: Any) -> Caller:
        named = load_settings({"AGENT_AGENTS_EMBEDDING_PROVIDER": "openai"})
        own = replace(settings, agents=named.agents)
        return await make_caller(store, own, *chain, **options)

    return make


def busy() -> ModelOverloaded:
    return ModelOverloaded("busy", retry_after_s=0.0)


async def test_an_embedding_request_adds_one_ledger_row_and_usage_event(prepare: Prepare):
    model = FixedEmbedder(Embeddings(VECTORS, STATED, "emb-2"))
    ours = await prepare(model, model_timeout_s=12.5)
    assert await embed_texts(["a", "b"], ours.ctx) == VECTORS
    (row,) = await ours.list_rows()

    assert model.asked == [(["a", "b"], 12.5)]
    assert (row.role, row.node, row.worker, row.attempt) == ("embedding", "embedding", None, 1)
    assert (row.status, row.stop, row.error_code) == ("succeeded", "end", None)
    assert (row.model, row.model_answered) == (model.model, "emb-2")
    assert (row.usage, row.estimated_input_tokens) == (STATED, 2)
    assert ours.names() == ["usage"]


async def test_missing_embedding_token_counts_are_estimated(prepare: Prepare):
    model = FixedEmbedder(Embeddings(VECTORS, Usage(source="missing"), "emb-2"))
    ours = await prepare(model)
    await embed_texts(["a", "b"], ours.ctx)
    (row,) = await ours.list_rows()
    assert row.usage == Usage(input_tokens=2, output_tokens=0, source="estimated")


async def test_a_missing_vector_is_an_error_recorded_in_the_ledger(prepare: Prepare):
    ours = await prepare(FixedEmbedder(Embeddings(VECTORS[:1], STATED, "emb-2")))
    with pytest.raises(ModelRequestError, match="returned 1 vectors for 2 texts"):
        await embed_texts(["a", "b"], ours.ctx)
    assert [row.status for row in await ours.list_rows()] == ["failed"]


async def test_temporary_embedding_failures_are_retried_up_to_the_limit(prepare: Prepare):
    model = FixedEmbedder(busy(), Embeddings(VECTORS, STATED, "emb-2"), busy(), busy(), busy())
    ours = await prepare(model, model_attempts=2)
    assert await embed_texts(["a", "b"], ours.ctx) == VECTORS
    with pytest.raises(ModelOverloaded):
        await embed_texts(["a", "b"], ours.ctx)
    rows = [(row.attempt, row.status) for row in await ours.list_rows()]
    assert rows == [(1, "failed"), (2, "succeeded"), (1, "failed"), (2, "failed")]


async def test_embedding_retries_wait_longer_unless_a_provider_states_a_time(
    prepare: Prepare, monkeypatch: pytest.MonkeyPatch
):
    paused: list[tuple[Exception, int]] = []

    def choose(error: Any, attempt: int) -> float:
        paused.append((error, attempt))
        return 0.0

    monkeypatch.setattr("plainloop.agent.core.embedding.choose_pause", choose)
    errors = [ModelOverloaded("busy"), ModelOverloaded("still")]
    ours = await prepare(FixedEmbedder(*errors, Embeddings(VECTORS, STATED, "emb-2")))
    assert await embed_texts(["a", "b"], ours.ctx) == VECTORS
    assert paused == [(errors[0], 1), (errors[1], 2)]


async def test_embedding_does_not_retry_after_an_hours_retry_after(prepare: Prepare):
    model = FixedEmbedder(ModelOverloaded("busy", retry_after_s=3600.0))
    ours = await prepare(model)
    with pytest.raises(ModelOverloaded):
        await embed_texts(["a"], ours.ctx)


async def test_permanent_embedding_failures_are_not_retried(prepare: Prepare):
    model = FixedEmbedder(ModelAuthError("no"), Embeddings(VECTORS, STATED, "emb-2"))
    ours = await prepare(model)
    with pytest.raises(ModelAuthError):
        await embed_texts(["a", "b"], ours.ctx)
    assert len(model.asked) == 1


async def test_texts_keep_their_order_over_several_embedding_requests(prepare: Prepare):
    pieces = [[[float(n)] for n in range(64)], [[64.0]]]
    model = FixedEmbedder(*(Embeddings(piece, STATED, "emb-2") for piece in pieces))
    ours = await prepare(model)
    texts = [f"text {n}" for n in range(65)]
    assert await embed_texts(texts, ours.ctx) == [*pieces[0], *pieces[1]]
    assert [asked for asked, _ in model.asked] == [texts[:64], texts[64:]]
    assert await embed_texts([], ours.ctx) == []


async def test_without_an_embedding_model_the_error_names_the_setting(
    store: Store, settings: Settings
):
    ours = await make_caller(store, settings, FixedEmbedder())
    with pytest.raises(ConfigError, match="no embedding model is configured") as caught:
        await embed_texts(["a"], ours.ctx)
    hint = caught.value.hint or ""
    assert caught.value.code == "NO_EMBEDDINGS"
    assert hint.startswith("Set AGENT_AGENTS_EMBEDDING_PROVIDER to one of: ")
    assert "openai" in hint and "gemini" in hint and "anthropic" not in hint


async def test_embedding_by_an_unsuitable_model_names_suitable_ones(prepare: Prepare):
    ours = await prepare(ScriptedProvider())
    with pytest.raises(ConfigError, match="has no embedding models") as caught:
        await embed_texts(["a"], ours.ctx)
    hint = caught.value.hint or ""
    assert caught.value.code == "NO_EMBEDDINGS"
    assert hint.startswith("Use one of ") and "openai" in hint and "anthropic" not in hint
