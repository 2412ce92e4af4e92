"""Neutral requests that every provider must be able to send, and the providers that send them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import (
    ChatProvider,
    ChatRequest,
    FunctionCall,
    JsonSchema,
    Message,
    MessagePart,
    ToolChoice,
    ToolSchema,
)

PROVIDERS = (
    "anthropic",
    "openai",
    "responses",
    "deepseek",
    "kimi",
    "glm",
    "minimax",
    "compatible",
    "gemini",
    "ollama",
)
MODEL = {
    "anthropic": "claude-test",
    "gemini": "gemini-3-test",
    "openai": "gpt-test",
    "responses": "gpt-6-test",
    "compatible": "llama-test",
}
WEATHER = ToolSchema(
    "get_weather",
    "The weather now.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
CLOCK = ToolSchema("get_time", "The time now.", {"type": "object", "properties": {}})
VERDICT = JsonSchema(
    "verdict",
    {
        "type": "object",
        "properties": {
            "verdict": {"type": "string", "enum": ["pass", "retry"]},
            "score": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "required": ["verdict", "score"],
        "additionalProperties": False,
    },
)


def connect(name: str, url: str) -> ChatProvider:
    """The provider at a local address; `compatible` is any other Chat Completions server."""
    model = MODEL.get(name, f"{name}-test")
    if name == "responses":
        return create_provider("openai", "test-key", model, url, protocol="openai_responses")
    provider = "openai" if name == "compatible" else name
    return create_provider(provider, "test-key", model, url)


def user(text: str) -> Message:
    return {"role": "user", "parts": [{"type": "text", "text": text}]}


def assistant(*parts: MessagePart) -> Message:
    return {"role": "assistant", "parts": list(parts)}


def call(call_id: str, name: str, **arguments: Any) -> FunctionCall:
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}


def results(*answers: tuple[str, str, Any, bool]) -> Message:
    return {
        "role": "tool",
        "parts": [
            {"type": "tool_result", "id": id_, "name": name, "result": result, "is_error": is_error}
            for id_, name, result, is_error in answers
        ],
    }


PLAIN = ChatRequest(system="Be brief.", messages=[user("Hi")], max_tokens=100)
TOOLS = replace(
    PLAIN, tools=(WEATHER, CLOCK), parallel_tool_calls=False, cache_key="t1", temperature=0.2
)
ROUND_TRIP = replace(
    PLAIN,
    tools=(WEATHER, CLOCK),
    cache_key="t1",
    messages=[
        user("Weather in Köln and the time?"),
        assistant(
            {"type": "reasoning", "text": "I look both up."},
            {"type": "text", "text": "One moment."},
            call("call_a", "get_weather", city="Köln"),
            call("functions.get_time:0", "get_time"),
        ),
        results(
            ("call_a", "get_weather", {"celsius": 21}, False),
            ("functions.get_time:0", "get_time", "no clock", True),
        ),
        assistant({"type": "text", "text": "21 °C; I have no clock."}),
        user("Thanks"),
    ],
)
JSON_MODE = replace(PLAIN, json_schema=VERDICT)
# What a stored history may hold after crashes, refusals and cut calls.
ODD = replace(
    PLAIN,
    system="",
    messages=[
        user("One"),
        user("Two"),
        assistant(),
        user("Three"),
        assistant(
            {"type": "text", "text": "  "},
            {**call("call_b", "get_weather"), "invalid_arguments": '{"city": "Kö'},
        ),
        results(("call_b", "get_weather", {"error": "the arguments were no JSON"}, True)),
    ],
)
# What a caller may wish of a model.
SAMPLED = replace(PLAIN, stop=("END", "\n\n"), temperature=0.2)
ANY_CALL = replace(PLAIN, tools=(WEATHER, CLOCK), tool_choice=ToolChoice("required"))
NAMED_CALL = replace(
    ANY_CALL, tool_choice=ToolChoice("required", "get_time"), parallel_tool_calls=False
)
NO_CALL = replace(ANY_CALL, tool_choice=ToolChoice("none"))
ANY_JSON = replace(PLAIN, json_schema=JsonSchema("answer", {}))
JSON_AND_TOOLS = replace(JSON_MODE, tools=(WEATHER,))
REQUESTS = {
    "sampled": SAMPLED,
    "any_call": ANY_CALL,
    "named_call": NAMED_CALL,
    "no_call": NO_CALL,
    "any_json": ANY_JSON,
    "json_and_tools": JSON_AND_TOOLS,
    "plain": PLAIN,
    "tools": TOOLS,
    "round_trip": ROUND_TRIP,
    "json_mode": JSON_MODE,
    "odd": ODD,
}
