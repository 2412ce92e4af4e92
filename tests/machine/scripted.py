"""A scripted provider: the test says what the model answers, the machine does the rest."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from plainloop.agent.base.tokens.factors import TokenFactors
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.types import ChatRequest, LLMResponse, ModelInfo, StreamDelta, Usage


class ScriptEnded(AssertionError):
    """The machine asked for more than the test wrote."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A stream that says something, then fails."""

    said: str
    error: Exception


@dataclass(frozen=True, slots=True)
class Hang:
    """A stream that says something, then neither goes on nor ends."""

    said: str = ""


@dataclass(frozen=True, slots=True)
class Silent:
    """An answer whose text came in no delta: a refusal, say."""

    response: LLMResponse


Step = LLMResponse | Exception | Cut | Hang | Silent | Callable[[ChatRequest], Any]


def text(answer: str, stop: str = "end") -> LLMResponse:
    return _response([{"type": "text", "text": answer}], stop)


def tools(*calls: tuple[str, str, dict[str, Any]], said: str = "") -> LLMResponse:
    """`(id, name, arguments)` each, after optional text."""
    parts: list[Any] = [{"type": "text", "text": said}] if said else []
    parts += [
        {"type": "tool_call", "id": i, "name": name, "arguments": arguments}
        for i, name, arguments in calls
    ]
    return _response(parts, "tool_use")


def thought(reasoning: str, answer: LLMResponse) -> LLMResponse:
    """The answer, after reasoning."""
    parts = [{"type": "reasoning", "text": reasoning}, *answer.message["parts"]]
    return _response(parts, answer.stop)


def triage(worker: str, **extra: Any) -> LLMResponse:
    answer = {"worker": worker, "success_criteria": "is right", "fast_intent": "none"}
    return text(json.dumps({**answer, "entity_type": "none", "filters": [], **extra}))


def verdict(kind: str, feedback: str = "", score: float = 1.0) -> LLMResponse:
    return text(json.dumps({"verdict": kind, "feedback": feedback, "score": score}))


def _response(parts: list[Any], stop: Any) -> LLMResponse:
    usage = Usage(input_tokens=10, output_tokens=5, raw={"prompt": 10})
    return LLMResponse({"role": "assistant", "parts": parts}, stop, usage, "scripted-1")


class ScriptedProvider:
    """Answers in the script's order; every request is kept in `requests`."""

    provider = "scripted"
    model = "scripted-1"

    def __init__(self, *script: Step) -> None:
        self.script = list(script)
        self.requests: list[ChatRequest] = []

    async def generate(self, request: ChatRequest) -> LLMResponse:
        step = await self._take_step(request)
        if isinstance(step, Cut):
            raise step.error
        if isinstance(step, Hang):
            await asyncio.Event().wait()
            raise AssertionError("nobody sets this event")
        return step.response if isinstance(step, Silent) else step

    async def generate_stream(
        self, request: ChatRequest
    ) -> AsyncIterator[StreamDelta | LLMResponse]:
        step = await self._take_step(request)
        if isinstance(step, Silent):
            yield step.response
            return
        said = step.said if isinstance(step, Cut | Hang) else step.text
        parts = [] if isinstance(step, Cut | Hang) else step.message["parts"]
        for part in parts:
            if part["type"] == "reasoning":
                yield StreamDelta(reasoning=part["text"])
        for piece in re.findall(r"\s*\S+|\s+$", said):
            await asyncio.sleep(0)  # a place to be cancelled at, as between two real chunks
            yield StreamDelta(text=piece)
        for index, part in enumerate(parts):
            if part["type"] == "tool_call":
                said = json.dumps(part["arguments"])
                for piece in ("", said[:5], said[5:]):
                    call = {"index": index, "id": part["id"], "name": part["name"]}
                    yield StreamDelta(calls=[{**call, "content": piece}])  # type: ignore[typeddict-item]
        if isinstance(step, Cut):
            raise step.error
        if isinstance(step, Hang):
            await asyncio.Event().wait()
            return
        yield step

    async def _take_step(self, request: ChatRequest) -> LLMResponse | Cut | Hang | Silent:
        self.requests.append(request)
        if not self.script:
            raise ScriptEnded(f"the script has no answer to request {len(self.requests)}")
        step = self.script.pop(0)
        if callable(step):
            step = step(request)
            if asyncio.iscoroutine(step):
                step = await step
        if isinstance(step, Exception):
            raise step
        return step

    async def list_models(self) -> list[ModelInfo]:
        return [ModelInfo("scripted-1", "Scripted")]


class ScriptedModels:
    """`Models` with one scripted provider for every role; `fallback` is second in each chain."""

    provider = "scripted"
    factors = TokenFactors()
    prices = Prices()

    def __init__(self, *chain: ScriptedProvider) -> None:
        self.first = chain[0]
        self.chain = tuple(ModelHandle(p.provider, p.model, p) for p in chain)
        self.outputs = self.chain[0].outputs

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        return self.chain

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self.chain[0]
