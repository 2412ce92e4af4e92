"""Embeddings on every wire that has them, as our own providers ask for them."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.errors import ModelAuthError, ModelOverloaded
from plainloop.agent.providers.registry import create_provider
from plainloop_wire.call import Rules
from plainloop_wire.faults import Fault, Faults

TEXTS = ["a web developer in Berlin", "web developers of Berlin", "the nurse's night shift"]
WIRES = {
    "openai": "text-embedding-3-small",
    "gemini": "gemini-embedding-001",
    "ollama": "nomic-embed-text",
}


async def embed(name: str, server: Any, key: str = "any") -> Any:
    base = server.openai_url if name == "openai" else server.base_url
    provider: Any = create_provider(name, key, WIRES[name], base)
    return await provider.embed(TEXTS, 10.0)


def multiply(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


@pytest.mark.parametrize("name", WIRES)
async def test_similar_texts_have_similar_vectors(wire_server, name):
    server = await wire_server()
    found = await embed(name, server)
    first, alike, other = found.vectors

    assert multiply(first, first) == pytest.approx(1.0)
    assert multiply(first, alike) > 0.5 > multiply(first, other)
    assert (await embed(name, server)).vectors == found.vectors


@pytest.mark.parametrize("name", WIRES)
async def test_embedding_failures_raise_the_matching_error(wire_server, name):
    faults = Faults(series=(Fault(status=503),))
    server = await wire_server(rules=Rules(key="right"), faults=faults)
    with pytest.raises(ModelAuthError):
        await embed(name, server, key="wrong-key")
    with pytest.raises(ModelOverloaded):
        await embed(name, server, key="right")
    assert len((await embed(name, server, key="right")).vectors) == len(TEXTS)
