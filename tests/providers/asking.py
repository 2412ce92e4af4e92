"""What the provider tests share: the plainest request, and an answer as one comparable dict."""

from __future__ import annotations

from typing import Any

from plainloop.agent.base.text.json_text import parse_arguments
from plainloop.agent.types import (
    ChatProvider,
    ChatRequest,
    LLMResponse,
    StreamDelta,
    ToolCallDelta,
    Usage,
)

HELLO = ChatRequest(
    system="Be brief.", messages=[{"role": "user", "parts": [{"type": "text", "text": "Hello"}]}]
)


async def ask(provider: ChatProvider, request: ChatRequest = HELLO, *, stream: bool) -> LLMResponse:
    """The answer; for a stream, checks that its deltas add up to it and that it comes last."""
    if not stream:
        return await provider.generate(request)
    items = [item async for item in provider.generate_stream(request)]
    answer = items.pop()
    assert isinstance(answer, LLMResponse)
    deltas = [item for item in items if isinstance(item, StreamDelta)]
    assert len(deltas) == len(items)
    assert "".join(delta.text for delta in deltas) == answer.text
    assert "".join(delta.reasoning for delta in deltas) == read_reasoning(answer)
    check_pieces([piece for delta in deltas for piece in delta.calls], answer)
    return answer


def check_pieces(pieces: list[ToolCallDelta], answer: LLMResponse) -> None:
    """What was shown of the tool calls adds up to them; not every protocol shows any."""
    last = {piece["index"]: piece for piece in pieces}
    for index, call in zip(sorted(last), answer.tool_calls, strict=bool(pieces)):
        said = "".join(piece["content"] for piece in pieces if piece["index"] == index)
        assert last[index]["name"] == call["name"]
        if said:  # some come whole with the call's beginning
            arguments = None if "invalid_arguments" in call else call["arguments"]
            assert parse_arguments(said) == arguments


def read_reasoning(answer: LLMResponse) -> str:
    return "".join(p["text"] for p in answer.message["parts"] if p["type"] == "reasoning")


def summarise(answer: LLMResponse) -> dict[str, Any]:
    """The answer in the shape that the wire cases expect; a call's id is the provider's own."""
    return {
        "text": answer.text,
        "reasoning": read_reasoning(answer),
        "refusal": answer.refusal,
        "tool_calls": [_summarise_call(call) for call in answer.tool_calls],
        "server_tool_calls": _server_calls(answer),
        "stop": answer.stop,
        "stop_raw": answer.stop_raw,
        "usage": None if answer.usage.source == "missing" else summarise_usage(answer.usage),
    }


def _summarise_call(call: Any) -> dict[str, Any]:
    given = call.get("provider_state", {}).get("value", {}).get("id")
    said = {"id": given or call["id"], "name": call["name"], "arguments": call["arguments"]}
    if "invalid_arguments" in call:
        said["arguments"] = None
        said["arguments_raw"] = call["invalid_arguments"]
        said["arguments_valid"] = False
    return said


def _server_calls(answer: LLMResponse) -> list[dict[str, Any]]:
    """Calls of the provider's own tools, out of the opaque state that carries them."""
    calls: list[dict[str, Any]] = []
    for part in answer.message["parts"]:
        value: Any = part.get("provider_state", {}).get("value", {})  # type: ignore[union-attr]
        block = value.get("block", {})
        if block.get("type") == "server_tool_use":
            calls.append({"id": block["id"], "name": block["name"], "arguments": block["input"]})
        if (item := value.get("item", {})).get("type") not in (None, "reasoning"):
            calls.append({"id": item["id"], "name": item["type"], "arguments": item.get("action")})
        if code := value.get("part", {}).get("executable_code"):
            calls.append({"id": None, "name": "code_execution", "arguments": code})
    return calls


def summarise_usage(usage: Usage) -> dict[str, int | None]:
    """A usage in the shape that the wire cases expect."""
    return {
        "input_total": usage.input_total,
        "cache_read": usage.cache_read_tokens,
        "cache_write": usage.written_total,
        "output": usage.output_total,
        "reasoning": usage.reasoning_tokens,
    }
