"""The `offline` provider: the brain behind the same interface as a real model."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Final

from ...types import ChatRequest, LLMResponse, ModelInfo, StreamDelta
from . import brain

_WORD_WITH_SPACE: Final = re.compile(r"\s*\S+|\s+$")


@dataclass(frozen=True, slots=True)
class OfflineProvider:
    """Rules instead of a model; needs no key and no network."""

    model: str = brain.MODEL

    @property
    def provider(self) -> str:
        return "offline"

    async def generate(self, request: ChatRequest) -> LLMResponse:
        """One answer in one piece; never fails."""
        return replace(brain.answer(request), model=self.model)

    async def generate_stream(
        self, request: ChatRequest
    ) -> AsyncIterator[StreamDelta | LLMResponse]:
        """The answer's text word by word, then the whole answer."""
        response = await self.generate(request)
        for word in _WORD_WITH_SPACE.findall(response.text):
            yield StreamDelta(text=word)
        yield response

    async def list_models(self) -> list[ModelInfo]:
        return [ModelInfo(id=brain.MODEL, name="Offline stand-in (rules, no language model)")]
