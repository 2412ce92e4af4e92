"""Models and tools that answer from a recording, in its order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any

from agent.core.attempts import fingerprint_request, to_tools_text
from agent.core.models import ModelHandle
from agent.core.tools import Tool, ToolContext, ToolOutcome
from agent.providers.types import ChatRequest, LLMResponse, ModelInfo, StreamDelta
from agent.replay.checking import TurnCheck
from agent.replay.divergence import Diverged, RecordingEnded
from agent.replay.recording import SOURCE_MODEL, RecordedAnswer
from agent.replay.tool_schemas import ToolShape


class RecordedChat:
    """The recorded answers, one a call. Asked for more, the recording has ended."""

    provider = SOURCE_MODEL
    model = SOURCE_MODEL

    def __init__(self, answers: Iterable[RecordedAnswer], check: TurnCheck) -> None:
        self._answers = iter(answers)
        self._check = check

    async def generate(self, request: ChatRequest) -> LLMResponse:
        """Raises: Diverged for another request than the recorded one, RecordingEnded."""
        answer = next(self._answers, None)
        if answer is None:
            raise RecordingEnded
        self._check.see_request(request, fingerprint_request(request, to_tools_text(request)))
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


class RecordedModels:
    """One recorded model for every role and worker."""

    provider = SOURCE_MODEL

    def __init__(self, chat: RecordedChat, tenant_id: str) -> None:
        handle = ModelHandle(SOURCE_MODEL, SOURCE_MODEL, chat)
        handle.factors.start(tenant_id, {})  # estimates must not depend on today's ledger
        self._chain = (handle,)

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        return self._chain

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self._chain[0]


def make_recorded_tool(shape: ToolShape, results: dict[str, Any]) -> Tool:
    """A tool that gives each call its recorded result. Its effect is `read`: it has none."""

    async def answer(tool: ToolContext, /, **_: Any) -> Any:
        call_id = tool.idempotency_key.split(":", 2)[2]
        recorded = results.get(call_id)
        if recorded is None:
            raise RuntimeError(f"the recording has no result of call {call_id}")
        return ToolOutcome(recorded["result"], recorded["is_error"])

    return Tool(shape.name, shape.description, "read", answer, shape.parameters)
