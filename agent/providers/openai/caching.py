"""Builds the prompt cache fields of Chat Completions and Responses bodies. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from ...base.caching.functions import cached_by_identity
from ...types import ChatRequest, ToolSchema
from ..defaults import CacheOffer, find_cache_offer
from ..provider_state import Target


def to_cache_fields(
    request: ChatRequest, target: Target, offer: CacheOffer | None
) -> dict[str, Any]:
    """Return the body's fields for the prompt cache; {} if there are none for this call.

    The key names the stable part, so that threads share it. Where writes are billed (models with
    breakpoints) another key is another cache; what asks once (no thread) writes nothing but what
    is marked. Elsewhere the key leads to a machine, which takes some 15 calls a minute of one: so
    threads go to it in sixteen parts, each thread always in the same.
    """
    if not target.quirks.cache_key:
        return {}
    stable, thread = hash_stable_part(request), {}
    if request.cache_key is not None:
        part = blake2b(request.cache_key.encode(), digest_size=1).hexdigest()[0]
        thread = {"prompt_cache_key": f"{stable}-{part}"}
    if offer is None:
        return thread
    fields: dict[str, Any] = {}
    if request.cache_for == "long" and offer.long is not None:
        fields = {"prompt_cache_options": {"mode": "implicit", "ttl": offer.long}}
    if not offer.has_breakpoints:
        return thread | fields
    if request.cache_key is None:
        fields = {"prompt_cache_options": {"mode": "explicit"}}
    return {"prompt_cache_key": stable, **fields}


def is_all_long(request: ChatRequest, target: Target) -> bool:
    """Return whether all that the call writes to the prompt cache has the longer lifetime."""
    offer = find_cache_offer(target.provider, target.model)
    is_offered = offer is not None and offer.long is not None and not offer.has_breakpoints
    return is_offered and request.cache_for == "long" and target.quirks.cache_key


def hash_stable_part(request: ChatRequest) -> str:
    """Return a hash of the tools and system prompt, which requests of other threads share."""
    stable = request.system.encode() + _write_tools(request.tools)
    return blake2b(stable, digest_size=12).hexdigest()


@cached_by_identity(lambda written: 5 * len(written))
def _write_tools(tools: Sequence[ToolSchema]) -> bytes:
    parts = (f"\x1e{tool.name}\x1f{tool.description}\x1f{tool.parameters}" for tool in tools)
    return "".join(parts).encode()
