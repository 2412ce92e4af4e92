"""Models and tools that answer from a recording, in its order."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import orjson

from plainloop.agent.base.tokens.factors import TokenFactors
from plainloop.agent.core.tools import Tool, ToolContext, ToolOutcome
from plainloop.agent.errors import ToolError
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.store.records import Effect, SentHead
from plainloop.agent.types import (
    ChatRequest,
    FunctionResponse,
    LLMResponse,
    ModelInfo,
    StreamDelta,
    ToolSchema,
)

from ..sources.recording import SOURCE_MODEL, RecordedAnswer
from ..sources.tool_schemas import ToolShape
from .divergence import Diverged, RecordingEnded
from .turn_check import TurnCheck


class RecordedChat:
    """A model that returns the recorded answers in order, then raises RecordingEnded."""

    provider = SOURCE_MODEL
    model = SOURCE_MODEL

    def __init__(self, answers: Iterable[RecordedAnswer], check: TurnCheck) -> None:
        self._answers = deque(answers)
        self._check = check

    @property
    def token_factor(self) -> float:
        """Return the token factor with which the next recorded request's history was cut."""
        return self._answers[0].token_factor if self._answers else 1.0

    def read_head(self) -> SentHead | None:
        """Return the system prompt and tools of the next recorded request.

        None if they are not recorded.
        """
        known = self._answers[0].request if self._answers else None
        if known is None:
            return None
        tools = orjson.dumps(known["tools"]).decode() if known["tools"] else None
        return SentHead(known["system"], tools, "", self.token_factor)

    async def generate(self, request: ChatRequest) -> LLMResponse:
        """Return the next recorded answer, after comparing the request with the recorded one.

        Raises: Diverged for another request than the recorded one, RecordingEnded.
        """
        if not self._answers:
            raise RecordingEnded
        answer = self._answers.popleft()
        found = self._check.compare_request(request, answer)
        if found is not None:
            raise Diverged(found)
        return answer.response

    async def generate_stream(
        self, request: ChatRequest
    ) -> AsyncIterator[StreamDelta | LLMResponse]:
        response = await self.generate(request)
        if response.text:
            yield StreamDelta(text=response.text)
        yield response

    async def list_models(self) -> list[ModelInfo]:
        return [ModelInfo(SOURCE_MODEL, "from the recording")]


class RecordedFactors(TokenFactors):
    """Token factors that stay as recorded: today's must not change where a history is cut."""

    def __init__(self, chat: RecordedChat) -> None:
        super().__init__()
        self._chat = chat

    def get_steady(self, label: str) -> float:
        return self._chat.token_factor

    def has_tenant(self, tenant_id: str) -> bool:
        return True


class RecordedModels:
    """One recorded model for every role and worker."""

    provider = SOURCE_MODEL

    def __init__(self, chat: RecordedChat) -> None:
        self._chain = (ModelHandle(SOURCE_MODEL, SOURCE_MODEL, chat, RecordedFactors(chat)),)

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        return self._chain

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self._chain[0]


def make_recorded_tool(
    shape: ToolSchema | ToolShape,
    results: Mapping[str, FunctionResponse],
    data: Mapping[str, dict[str, Any]] = MappingProxyType({}),
    stands_for: Effect | None = None,
    outside: tuple[str, ...] = (),
) -> Tool:
    """Make a tool that only returns the recorded result of each call.

    Its effect is `read`: it has none.

    data: by tool call id, what the call had set in the pack's fields. stands_for: the effect of the
    tool that was called then. outside: fields that others may have written, as declared today.
    """

    async def answer(tool: ToolContext, /, **_: Any) -> Any:
        call_id = tool.idempotency_key.split(":", 2)[2]
        recorded = results.get(call_id)
        if recorded is None:
            raise ToolError(f"the recording has no result for the call {call_id}: record again")
        return ToolOutcome(
            recorded["result"],
            recorded["is_error"],
            data=data.get(call_id, {}),
            outside=[name for name in recorded.get("outside", ()) if name not in outside],
        )

    return Tool(
        *(shape.name, shape.description, "read", answer),
        parameters=shape.parameters,
        is_fixed=True,  # nobody is asked about a call that goes nowhere (`questions.py`)
        stands_for=stands_for,
        outside=outside,
    )
