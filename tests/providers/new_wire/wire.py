"""Acme's format: neutral conversation ⇄ wire. Its turns have a `who`, what they say and calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plainloop.agent.providers.http.bodies import from_call_text, to_json_text
from plainloop.agent.providers.http.sse import JsonEvent
from plainloop.agent.providers.http.stated_usage import build_usage
from plainloop.agent.providers.provider_state import SentCall, Target, ToolIds
from plainloop.agent.types import ChatRequest, LLMResponse, MessagePart, StreamDelta


def to_body(request: ChatRequest, target: Target) -> tuple[dict[str, Any], list[str]]:
    turns: list[dict[str, Any]] = []
    for message in request.messages:
        for part in message["parts"]:
            if part["type"] == "text":
                turns.append({"who": message["role"], "says": part["text"]})
            elif part["type"] == "tool_call":
                turns.append({"who": "tool", "call": part["id"], "does": part["name"]})
            elif part["type"] == "tool_result":
                turns.append({"who": "tool", "call": part["id"], "gave": part["result"]})
    tools = [{"does": tool.name, "takes": tool.parameters} for tool in request.tools]
    return {"model": target.model, "rules": request.system, "turns": turns, "tools": tools}, []


def from_body(body: dict[str, Any], sent: SentCall) -> LLMResponse:
    parts: list[MessagePart] = [{"type": "text", "text": body["says"]}] if body["says"] else []
    ids = ToolIds(sent.target, sent.request.messages)
    calls = [
        ids.assign(from_call_text(call["does"], to_json_text(call["with"])), call["call"], {})
        for call in body.get("calls", [])
    ]
    used = body.get("used", {})
    return LLMResponse(
        message={"role": "assistant", "parts": [*parts, *calls]},
        stop="tool_use" if calls else "end",
        usage=build_usage(
            used, prompt=used.get("in"), output=used.get("out"), has_answer=bool(parts or calls)
        ),
        model=sent.target.read_model(body.get("model")),
    )


class AnswerFold:
    def __init__(self, sent: SentCall) -> None:
        self._sent = sent
        self._body: dict[str, Any] = {"says": ""}
        self.is_complete = False

    def add(self, event: JsonEvent) -> StreamDelta | None:
        said: str = event.data.pop("says", "")
        self.is_complete |= event.data.pop("end", False)
        self._body = {**self._body, **event.data, "says": self._body["says"] + said}
        return StreamDelta(said) if said else None

    def finish(self) -> LLMResponse:
        answer = from_body(self._body, self._sent)
        return answer if self.is_complete else replace(answer, stop="error")
