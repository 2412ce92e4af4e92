"""Embeddings of OpenAI and of every server that has its `/embeddings`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from agent.providers.bodies import parse_body
from agent.providers.clients import Endpoint, open_openai
from agent.providers.openai_errors import convert_openai_error, openai_failures
from agent.providers.provider_state import Target
from agent.providers.types import Embeddings, Usage


async def embed_by_openai(
    texts: Sequence[str], target: Target, endpoint: Endpoint, timeout_s: float
) -> Embeddings:
    """One vector per text, in their order. Raises: ModelError subclasses."""
    client: Any = open_openai(endpoint)
    try:
        response = await client.embeddings.with_raw_response.create(
            model=target.model,
            input=list(texts),
            encoding_format="float",  # the SDK's default, base64, is not spoken everywhere
            timeout=endpoint.timeout_s or timeout_s,
        )
    except openai_failures() as error:
        raise convert_openai_error(error, target, endpoint) from error
    return from_embeddings(parse_body(response.content, target, response.headers), target)


def from_embeddings(body: dict[str, Any], target: Target) -> Embeddings:
    """Each vector has its index: servers need not keep the order."""
    items = cast("list[dict[str, Any]]", body.get("data") or [])
    usage = cast("dict[str, Any]", body.get("usage") or {})
    read = usage.get("prompt_tokens")
    return Embeddings(
        vectors=[item["embedding"] for item in sorted(items, key=_get_index)],
        usage=Usage(source="missing") if read is None else Usage(input_tokens=read, raw=usage),
        model=body.get("model") or target.model,
    )


def _get_index(item: dict[str, Any]) -> int:
    return item.get("index", 0)
