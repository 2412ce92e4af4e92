"""Tiny deterministic brains: the server is under test, not what it says."""

from __future__ import annotations

from typing import Any

from plainloop.agent.types import ChatRequest, LLMResponse, MessagePart, Stop, Usage

TOOL: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"worker": {"type": "string"}},
    "required": ["worker"],
    "additionalProperties": False,
}


def given(call_id: str, result: Any, *, is_error: bool = False) -> MessagePart:
    """What a brain sees of a result that a client has sent."""
    return {
        "type": "tool_result",
        "id": call_id,
        "name": "get_weather",
        "result": result,
        "is_error": is_error,
    }


class CityBrain:
    """Asks for the weather of every city named, then tells the results; in JSON mode a worker."""

    def __init__(self) -> None:
        self.requests: list[ChatRequest] = []

    def answer(self, request: ChatRequest) -> LLMResponse:
        self.requests.append(request)
        last = request.messages[-1]
        if request.json_schema is not None:
            return say('{"worker":"crm"}')
        if last["role"] == "tool":
            results = [part["result"] for part in last["parts"] if part["type"] == "tool_result"]
            return say(f"Seen: {results}")
        text = "".join(part["text"] for part in last["parts"] if part["type"] == "text")
        cities = [word for word in ("Oslo", "Rome") if word in text]
        if cities and request.tools:
            return call(*cities)
        return say(f"You said: {text}")


class FixedBrain:
    """Always the same answer."""

    def __init__(self, response: LLMResponse) -> None:
        self.response = response

    def answer(self, request: ChatRequest) -> LLMResponse:
        return self.response


class BrokenBrain:
    def answer(self, request: ChatRequest) -> LLMResponse:
        raise RuntimeError("a bug")


def say(text: str, *, stop: Stop = "end", refusal: str | None = None) -> LLMResponse:
    return make_response([{"type": "text", "text": text}] if text else [], stop, refusal)


def call(*cities: str) -> LLMResponse:
    parts: list[MessagePart] = [{"type": "text", "text": "Let me look."}]
    for i, city in enumerate(cities):
        parts.append(
            {
                "type": "tool_call",
                "id": f"brain_{i}",
                "name": "get_weather",
                "arguments": {"city": city},
            }
        )
    return make_response(parts, "tool_use")


def think(reasoning: str, text: str) -> LLMResponse:
    return make_response(
        [{"type": "reasoning", "text": reasoning}, {"type": "text", "text": text}], "end"
    )


def make_response(parts: list[MessagePart], stop: Stop, refusal: str | None = None) -> LLMResponse:
    return LLMResponse(
        message={"role": "assistant", "parts": parts},
        stop=stop,
        usage=Usage(source="missing"),
        model="test",
        refusal=refusal,
    )
