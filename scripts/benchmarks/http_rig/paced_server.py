"""A replica whose model says what time it is, so many times a second: run as a process of its own.

`python -m scripts.benchmarks.http_rig.paced_server RATE TOKENS [WARMING]`; prints its URL.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import uvloop

from plainloop.agent.base.text.streamed import StreamedText
from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.config.settings import load_settings
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.service.opening import open_service
from plainloop.agent.types import ChatRequest, LLMResponse, ModelInfo, StreamDelta, Usage
from plainloop.server.observe.collector import tune_collector
from plainloop.server.serving import Replica
from plainloop_wire.serving import open_listener


class PacedProvider:
    """`tokens` pieces of text, `rate` a second; each is the monotonic clock's time, in ns.
    warming: so many answers come first that have a tenth of them.
    """

    provider = "paced"
    model = "paced-1"

    def __init__(self, rate: float, tokens: int, warming: int = 0) -> None:
        self._pause_s = 1 / rate
        self._tokens = tokens
        self._warming = warming

    async def generate(self, request: ChatRequest) -> LLMResponse:
        triage = '{"worker":"general","success_criteria":"","fast_intent":"none"}'
        return _respond(triage)

    async def generate_stream(
        self, request: ChatRequest
    ) -> AsyncIterator[StreamDelta | LLMResponse]:
        said = StreamedText()  # as a provider's fold keeps it
        count = self._tokens if self._warming <= 0 else max(1, self._tokens // 10)
        self._warming -= 1
        next_at = time.monotonic()
        for _ in range(count):
            next_at += self._pause_s
            await asyncio.sleep(max(0.0, next_at - time.monotonic()))
            piece = f"{time.monotonic_ns()} "
            said.add(piece)
            yield StreamDelta(text=piece)
        yield _respond(str(said))

    async def list_models(self) -> list[ModelInfo]:
        return [ModelInfo(self.model, "Paced")]


class PacedModels:
    """`Models` with the paced provider in every role."""

    provider = "paced"

    def __init__(self, chat: PacedProvider) -> None:
        prices = Prices({f"{chat.provider}:*": OwnPrice(input=Decimal(1), output=Decimal(1))})
        self._chain = (ModelHandle(chat.provider, chat.model, chat, prices=prices),)

    def resolve_chain(self, role: str, worker: str | None = None) -> Any:
        return self._chain

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self._chain[0]


def _respond(text: str) -> LLMResponse:
    usage = Usage(input_tokens=10, output_tokens=5)
    parts: Any = [{"type": "text", "text": text}]
    return LLMResponse({"role": "assistant", "parts": parts}, "end", usage, "paced-1")


async def serve(rate: float, tokens: int, warming: int = 0) -> None:
    async with open_service(load_settings()) as service:
        models: Any = PacedModels(PacedProvider(rate, tokens, warming))
        service.models = models
        replica = Replica(service, open_listener("127.0.0.1", 0))

        def tell(url: str) -> None:
            tune_collector()  # as `plainloop serve` does
            print(url, flush=True)

        await replica.serve(tell)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(float(sys.argv[1]), int(sys.argv[2]), *map(int, sys.argv[3:])))
