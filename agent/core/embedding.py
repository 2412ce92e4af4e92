"""Calls embedding models: texts to vectors, each batch an attempt in the ledger."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Final, cast

from ..base.tokens.estimate import estimate_tokens
from ..errors import ConfigError, ModelError, ModelRequestError
from ..providers.defaults import PROVIDER_DEFAULTS
from ..providers.model_handle import ModelHandle
from ..types import Embedder
from .attempts import build_start, emit_usage, record_start, settled_failures
from .call_meter import CallMeter
from .llm import choose_pause
from .seams import RunView

ROLE: Final = "embedding"
BATCH_TEXTS: Final = 64


async def embed_texts(texts: Sequence[str], ctx: RunView) -> list[list[float]]:
    """Embed texts with the model of the role `embedding`; return one vector for each, in order.

    Raises: ConfigError when no such model is set, or it has none; ModelError of the last attempt.
    """
    handle = choose_embedder(ctx)
    vectors: list[list[float]] = []
    for first in range(0, len(texts), BATCH_TEXTS):
        vectors += await _embed_batch(texts[first : first + BATCH_TEXTS], handle, ctx)
    return vectors


def choose_embedder(ctx: RunView) -> ModelHandle:
    """Return the embedding model. Raises: ConfigError when none is set or it cannot embed."""
    if ROLE not in ctx.settings.agents:
        raise ConfigError(
            "no embedding model is configured",
            hint=f"Set AGENT_AGENTS_EMBEDDING_PROVIDER to one of: {_list_able()}.",
            code="NO_EMBEDDINGS",
        )
    handle = ctx.models.resolve(ROLE)
    if not isinstance(handle.chat, Embedder):
        raise ConfigError(
            f"the provider {handle.provider} has no embedding models",
            hint=f"Use one of {_list_able()}, or an OpenAI-compatible server.",
            code="NO_EMBEDDINGS",
        )
    return handle


def _list_able() -> str:
    return ", ".join(name for name, it in PROVIDER_DEFAULTS.items() if it.embedding_model)


async def _embed_batch(
    texts: Sequence[str], handle: ModelHandle, ctx: RunView
) -> list[list[float]]:
    attempt = 0
    while True:
        attempt += 1
        try:
            return await _attempt(texts, handle, attempt, ctx)
        except ModelError as error:
            pause_s, limits = choose_pause(error, attempt), ctx.limits
            may_help = attempt < limits.model_attempts and pause_s < limits.model_timeout_s
            if not (error.retryable and may_help):
                raise
            await asyncio.sleep(pause_s)


async def _attempt(
    texts: Sequence[str], handle: ModelHandle, attempt: int, ctx: RunView
) -> list[list[float]]:
    start = build_start(
        *(handle, attempt, ctx),
        role=ROLE,
        worker=None,
        estimated_input_tokens=sum(estimate_tokens(text) for text in texts),
        fingerprint=hashlib.sha256("\x00".join(texts).encode()).hexdigest(),
        system_hash=None,
        tools_hash=None,
        first_position=None,
        last_position=None,
    )
    await record_start(start, ctx)
    meter = CallMeter(start, handle)
    async with settled_failures(meter, handle, ctx):
        made = await cast(Embedder, handle.chat).embed(texts, ctx.limits.model_timeout_s)
        if len(made.vectors) != len(texts):
            told = f"{handle.label} returned {len(made.vectors)} vectors for {len(texts)} texts"
            raise ModelRequestError(told, hint="Use another embedding model.")
    usage = meter.estimate("") if made.usage.source == "missing" else made.usage
    # An empty response, so that the row does not claim the step's message as its answer.
    settled = meter.settle("succeeded", usage, model_answered=made.model, stop="end", response={})
    await ctx.store.settle_calls(ctx.tenant_id, [settled])
    emit_usage(settled, start, ctx)
    return made.vectors
