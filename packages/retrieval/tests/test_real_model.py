"""Vectors of a model that nobody wrote for a test, where `./scripts/packages` could fetch it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from packages.retrieval.tests.answering import DESK, HANDBOOK, make_pack
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.core.models import Models
from plainloop.agent.service.service import Service
from plainloop.agent.store.store import Store
from plainloop_retrieval.indexing import add_document
from plainloop_retrieval.search import search_meaning
from plainloop_retrieval.store import has_vectors
from tests.local_model import LocalModel
from tests.local_model import local_embedder as local_embedder


async def test_vectors_of_a_real_model_are_stored_searched_and_counted(
    local_embedder: LocalModel, settings: Settings, store: Store, tmp_path: Path
):
    if not await has_vectors(store.read("t1")):
        pytest.skip("this Postgres has no pgvector")
    chosen = load_settings(
        {
            "AGENT_AGENTS_EMBEDDING_PROVIDER": "openai",
            "AGENT_AGENTS_EMBEDDING_API_BASE": f"{local_embedder.base_url}/v1",
            "AGENT_AGENTS_EMBEDDING_API_KEY": "any",
            "AGENT_AGENTS_EMBEDDING_MODEL": "smollm2",
            "AGENT_LIMITS_MODEL_TIMEOUT_S": "280",
        }
    )
    own = replace(settings, agents=chosen.agents, limits=chosen.limits)
    service = Service(own, store, Models(own, "offline"), (make_pack(),))
    async with service.open_context(service.pack, "t1", "u1") as ctx:
        added = await add_document(ctx, DESK, "handbook.md", HANDBOOK.encode())
        rows, words_alone = await search_meaning(ctx, DESK, "vacation")

    assert (added["embedded"], added["problem"], words_alone) == (3, None, "")
    assert {row["position"] for row in rows} == {1, 2, 3}
    scores = [row["score"] for row in rows]
    assert scores == sorted(scores, reverse=True) and 0 < scores[-1] < scores[0] < 1
    calls = await store.read("t1").fetch(
        "select input_tokens, usage_source from llm_calls where tenant_id = $1 order by call_id",
        "t1",
    )
    uncached, cached, _ = local_embedder.read_tokens()
    assert [call["usage_source"] for call in calls] == ["provider", "provider"]
    assert sum(call["input_tokens"] for call in calls) == uncached + cached
