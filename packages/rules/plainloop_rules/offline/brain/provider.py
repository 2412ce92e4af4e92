"""The `offline` provider: the brain behind the same interface as a real model."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Final

from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, WIRES, Quirks
from plainloop.agent.providers.files import fit_files
from plainloop.agent.providers.provider_state import Target
from plainloop.agent.types import ChatRequest, LLMResponse, ModelInfo, StreamDelta

MODEL: Final = PROVIDER_DEFAULTS["offline"].default_model
_WORD_WITH_SPACE: Final = re.compile(r"\s*\S+|\s+$")


@dataclass(frozen=True, slots=True)
class OfflineProvider:
    """A provider that answers by rules; it needs no key and no network."""

    model: str = MODEL
    refuses = frozenset(WIRES["offline"].refuses)
    efforts = ()

    @property
    def provider(self) -> str:
        return "offline"

    async def generate(self, request: ChatRequest) -> LLMResponse:
        """Answer a request in one piece.

        Raises: FilesUnsupported for files that are not text.
        """
        messages, _ = fit_files(request.messages, Target(self.provider, self.model, Quirks()))
        # Beside the event loop: a pack's first sentence loads its rules, and a long one is read for
        # milliseconds (`test_the_rules_are_loaded_outside_the_event_loop`).
        given = replace(request, messages=messages)
        return replace(await asyncio.to_thread(_answer, given), model=self.model)

    async def generate_stream(
        self, request: ChatRequest
    ) -> AsyncIterator[StreamDelta | LLMResponse]:
        """Yield the answer's text word by word, then the whole answer."""
        response = await self.generate(request)
        for word in _WORD_WITH_SPACE.findall(response.text):
            yield StreamDelta(text=word)
        yield response

    async def list_models(self) -> list[ModelInfo]:
        return [ModelInfo(id=MODEL, name="Offline stand-in (rules, no language model)")]


def _answer(request: ChatRequest) -> LLMResponse:
    from .brain import answer  # 20 modules, which a process without a call does not need

    return answer(request)
