"""Embeddings of OpenAI and of every server that has its `/embeddings`."""

from __future__ import annotations

import base64
import struct
from collections.abc import Sequence
from typing import Any, cast

from ...types import Embeddings
from ..http.bodies import parse_body
from ..http.clients import wait_loaded
from ..http.failures import SHAPE_ERRORS, build_shape_error
from ..http.sdk_channel import SdkChannel
from ..provider_state import Target
from .chat_wire import from_usage


async def embed_by_openai(
    texts: Sequence[str], channel: SdkChannel, timeout_s: float
) -> Embeddings:
    """Embed texts in one call; return one vector for each. Raises: ModelError subclasses."""
    target = channel.target
    # float: base64, the SDK's default, is not spoken everywhere
    body = {"model": target.model, "input": list(texts), "encoding_format": "float"}
    with channel.converting():
        await wait_loaded()
        response = await channel.send("/embeddings", body, channel.endpoint.timeout_s or timeout_s)
    answer = parse_body(response.content, target, response.headers)
    try:
        return from_embeddings(answer, target)
    except SHAPE_ERRORS as error:
        raise build_shape_error(error, target) from error


def from_embeddings(body: dict[str, Any], target: Target) -> Embeddings:
    """Convert a response to embeddings in the order of the texts."""
    items = cast("list[dict[str, Any]]", body.get("data") or [])
    items = sorted(items, key=lambda item: item.get("index", 0))
    return Embeddings(
        vectors=[_from_vector(item["embedding"]) for item in items],
        usage=from_usage(body.get("usage"), has_answer=False),
        model=target.read_model(body.get("model")),
    )


def _from_vector(vector: Any) -> list[float]:
    """Convert a vector from a list, or from base64 of little-endian floats."""
    if not isinstance(vector, str):
        return list(vector)
    raw = base64.b64decode(vector)
    return list(struct.unpack(f"<{len(raw) // 4}f", raw))
