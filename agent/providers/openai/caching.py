"""What Chat Completions and Responses are told of the prompt's cache. Pure."""

from __future__ import annotations

from typing import Any

from ...types import ChatRequest
from ..defaults import CacheOffer, find_cache_offer
from ..lifetimes import hash_stable_part
from ..provider_state import Target


def to_cache_fields(
    request: ChatRequest, target: Target, offer: CacheOffer | None
) -> dict[str, Any]:
    """The body's fields; none where the server knows none.

    Where writes are billed (models with breakpoints) the key names the stable part: another key is
    another cache, so threads under one share what they have in common. What asks once (no thread)
    writes nothing but what is marked. Elsewhere the key only leads to a machine: the thread's own.
    """
    if not target.quirks.cache_key:
        return {}
    thread = {} if request.cache_key is None else {"prompt_cache_key": request.cache_key}
    if offer is None:
        return thread
    asked: dict[str, Any] = {}
    if request.cache_for == "long" and offer.long is not None:
        asked = {"prompt_cache_options": {"mode": "implicit", "ttl": offer.long}}
    if not offer.has_breakpoints:
        return thread | asked
    if request.cache_key is None:
        asked = {"prompt_cache_options": {"mode": "explicit"}}
    return {"prompt_cache_key": hash_stable_part(request), **asked}


def is_all_long(request: ChatRequest, target: Target) -> bool:
    """Whether all that the call writes lives for the longer lifetime."""
    offer = find_cache_offer(target.provider, target.model)
    is_told = offer is not None and offer.long is not None and not offer.has_breakpoints
    return is_told and request.cache_for == "long" and target.quirks.cache_key
