"""Texts to vectors on each wire that has embeddings, and what the ledger says of it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.core.embedding import embed_texts
from plainloop.agent.core.models import Models
from plainloop.agent.errors import ConfigError, ModelAuthError, ModelOverloaded
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from tests.core.model_calls import Caller, make_caller
from tests.providers.local_server import Reply, run_local

VECTORS = [[0.1, 0.2], [0.3, 0.4]]
OPENAI = {
    "data": [{"index": 1, "embedding": VECTORS[1]}, {"index": 0, "embedding": VECTORS[0]}],
    "model": "emb-1",
    "usage": {"prompt_tokens": 4, "total_tokens": 4},
}
# Provider → path, the body that is sent, the server's answer, what the ledger has.
WIRES: dict[str, tuple[str, Any, Any, Usage]] = {
    "openai": (
        "/embeddings",
        {"model": "text-embedding-3-small", "input": ["a", "b"], "encoding_format": "float"},
        OPENAI,
        Usage(input_tokens=4, raw=OPENAI["usage"]),
    ),
    "gemini": (
        "/v1beta/models/gemini-embedding-001:batchEmbedContents",
        {
            "requests": [
                {
                    "model": "models/gemini-embedding-001",
                    "content": {"parts": [{"text": text}], "role": "user"},
                }
                for text in ("a", "b")
            ]
        },
        {"embeddings": [{"values": vector} for vector in VECTORS]},
        Usage(input_tokens=2, output_tokens=0, source="estimated"),
    ),
    "ollama": (
        "/api/embed",
        {"model": "nomic-embed-text", "input": ["a", "b"]},
        {"model": "nomic-embed-text", "embeddings": VECTORS, "prompt_eval_count": 4},
        Usage(input_tokens=4, raw={"prompt_eval_count": 4}),
    ),
}


Prepare = Callable[..., Awaitable[Caller]]


@pytest.fixture
def prepare(store: Store, settings: Settings) -> Prepare:
    """A run's place in the store, whose embedding role has this provider at this address."""

    async def make(provider: str, url: str = "") -> Caller:
        environ = {"AGENT_AGENTS_EMBEDDING_PROVIDER": provider}
        if url:
            environ["AGENT_AGENTS_EMBEDDING_API_BASE"] = url
        chosen = load_settings({**environ, "AGENT_AGENTS_EMBEDDING_API_KEY": "k"})
        own = replace(settings, agents=chosen.agents)
        ours = await make_caller(store, own)
        ours.ctx = replace(ours.ctx, models=Models(own, "offline"))
        return ours

    return make


@pytest.mark.parametrize("name", WIRES)
async def test_texts_become_vectors_in_their_order(name: str, prepare: Prepare):
    path, body, answer, usage = WIRES[name]
    async with run_local(Reply(json.dumps(answer).encode())) as local:
        ours = await prepare(name, local.url)
        assert await embed_texts(["a", "b"], ours.ctx) == VECTORS
    assert (local.requests[0]["path"], local.body) == (path, body)
    (row,) = await ours.list_rows()
    assert (row.role, row.provider, row.status, row.usage) == (
        "embedding",
        name,
        "succeeded",
        usage,
    )


async def test_geminis_newer_embedding_model_gets_one_text_per_request(prepare: Prepare):
    answers = [Reply(json.dumps({"embeddings": [{"values": v}]}).encode()) for v in VECTORS]
    async with run_local(answers[0], *answers) as local:
        ours = await prepare("gemini", local.url)
        assert await embed_texts(["a", "b"], ours.ctx) == VECTORS


@pytest.mark.parametrize(
    ("embedding", "expected"), [("AACAPwAAAEA=", [[1.0, 2.0]]), (None, None), (7, None)]
)
async def test_base64_vectors_are_read_and_invalid_ones_are_errors(embedding: Any, expected: Any):
    body = {"data": [{"embedding": embedding}]}
    async with run_local(Reply(json.dumps(body).encode())) as local:
        chat: Any = create_provider("openai", "k", "emb-1", local.url)
        try:
            found = (await chat.embed(["a"], 5)).vectors
        except ModelOverloaded:
            found = None
    assert found == expected


async def test_many_texts_are_several_requests(prepare: Prepare):
    vectors = [[float(n)] for n in range(64)]
    first = {"model": "m", "embeddings": vectors, "prompt_eval_count": 64}
    second = {"model": "m", "embeddings": [[64.0]], "prompt_eval_count": 1}
    replies = [Reply(json.dumps(answer).encode()) for answer in (first, second)]
    async with run_local(*replies) as local:
        ours = await prepare("ollama", local.url)
        assert await embed_texts(["text"] * 65, ours.ctx) == [*vectors, [64.0]]
    assert [len(request["body"]["input"]) for request in local.requests] == [64, 1]


async def test_only_temporary_embedding_failures_are_retried(prepare: Prepare):
    busy = Reply(b'{"error":{"message":"busy"}}', 503, {"retry-after": "0"})
    denied = Reply(b'{"error":{"message":"no"}}', 401)
    async with run_local(busy, Reply(json.dumps(OPENAI).encode()), denied) as local:
        ours = await prepare("openai", local.url)
        assert await embed_texts(["a", "b"], ours.ctx) == VECTORS
        with pytest.raises(ModelAuthError):
            await embed_texts(["a", "b"], ours.ctx)
    rows = await ours.list_rows()
    assert [row.status for row in rows] == ["failed", "succeeded", "failed"]


async def test_without_an_embedding_model_the_setting_is_named(store: Store, settings: Settings):
    ours = await make_caller(store, settings)
    with pytest.raises(ConfigError) as caught:
        await embed_texts(["a"], ours.ctx)
    assert caught.value.code == "NO_EMBEDDINGS"
    assert "AGENT_AGENTS_EMBEDDING_PROVIDER" in (caught.value.hint or "")


@pytest.mark.parametrize("name", ["offline", "anthropic"])
async def test_a_provider_without_embeddings_is_refused(name: str, prepare: Prepare):
    ours = await prepare(name)
    with pytest.raises(ConfigError) as caught:
        await embed_texts(["a"], ours.ctx)
    assert caught.value.message == f"the provider {name} has no embedding models"
