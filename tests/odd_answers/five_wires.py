"""Answers of the five wire formats as bytes, for servers on loopback that send just these."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from plainloop.agent.types import ChatProvider
from tests.providers.conversations import connect
from tests.providers.documented import EVENT_STREAM, LINES, to_ndjson, to_sse
from tests.providers.local_server import Reply

WIRES = ("anthropic", "compatible", "responses", "gemini", "ollama")
# What each vendor says at the end of an answer, and of one that calls.
ENDS = {
    "anthropic": ("end_turn", "tool_use"),
    "compatible": ("stop", "tool_calls"),
    "responses": ("completed", "completed"),
    "gemini": ("STOP", "STOP"),
    "ollama": ("stop", "stop"),
}
USAGES: dict[str, dict[str, Any]] = {
    "anthropic": {"input_tokens": 100, "output_tokens": 5},
    "compatible": {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105},
    "responses": {"input_tokens": 100, "output_tokens": 5, "total_tokens": 105},
    "gemini": {"promptTokenCount": 100, "candidatesTokenCount": 5, "totalTokenCount": 105},
    "ollama": {"prompt_eval_count": 100, "eval_count": 5},
}


@dataclass(frozen=True)
class Say:
    """One answer, in pieces as they are sent."""

    texts: Sequence[str] = ()
    calls: Sequence[tuple[str, str, str]] = ()  # id, name, arguments as text
    stop: str | None = None  # the vendor's word; None: the usual one
    thoughts: Sequence[str] = ()  # in the field that the format has for them
    usages: Sequence[Any] | None = None  # stated one after the other; None: the usual one
    more: dict[str, Any] = field(default_factory=dict[str, Any])  # of the last event

    def encode(self, wire: str, *, stream: bool = True) -> Reply:
        """The answer as this wire's server sends it."""
        usages = [USAGES[wire]] if self.usages is None else list(self.usages)
        end = self.stop or ENDS[wire][bool(self.calls)]
        made = _BUILDERS[wire](self, end, usages, stream)
        if wire == "ollama":
            return Reply(to_ndjson(*made), headers=LINES)
        if not stream:
            return Reply(json.dumps(made[0], ensure_ascii=False).encode())
        named = wire in ("anthropic", "responses")
        return Reply(to_sse(*made, named=named), headers=EVENT_STREAM)


def open_model(wire: str, url: str) -> ChatProvider:
    return connect(wire, url)


def _to_object(arguments: str) -> Any:
    return json.loads(arguments) if arguments else {}


def _anthropic(said: Say, end: str, usages: list[Any], stream: bool) -> list[Any]:
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test"}
    blocks: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    if said.thoughts:
        pieces = [{"type": "thinking_delta", "thinking": piece} for piece in said.thoughts]
        blocks.append(({"type": "thinking", "thinking": "", "signature": ""}, pieces))
    if said.texts:
        pieces = [{"type": "text_delta", "text": piece} for piece in said.texts]
        blocks.append(({"type": "text", "text": ""}, pieces))
    for call_id, name, arguments in said.calls:
        block = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
        blocks.append((block, [{"type": "input_json_delta", "partial_json": arguments}]))
    first, *later = usages or [None]
    if not stream:
        content: list[Any] = []
        for block, pieces in blocks:
            whole = dict(block)
            for piece in pieces:
                if "text" in piece:
                    whole["text"] += piece["text"]
                elif "thinking" in piece:
                    whole["thinking"] += piece["thinking"]
                else:
                    whole["input"] = _to_object(piece["partial_json"])
            content.append(whole)
        usage = usages[-1] if usages else None
        return [{**head, "content": content, "stop_reason": end, "usage": usage, **said.more}]
    started = {**head, "content": [], **({"usage": first} if usages else {})}
    events: list[Any] = [{"type": "message_start", "message": started}]
    for index, (block, pieces) in enumerate(blocks):
        place = {"index": index}
        events.append({"type": "content_block_start", **place, "content_block": block})
        events += [{"type": "content_block_delta", **place, "delta": piece} for piece in pieces]
        events.append({"type": "content_block_stop", **place})
    for usage in later[:-1]:
        events.append({"type": "message_delta", "delta": {}, "usage": usage})
    last = {"usage": later[-1]} if later else {}
    delta = {"stop_reason": end, **said.more}
    return [*events, {"type": "message_delta", "delta": delta, **last}, {"type": "message_stop"}]


def _compatible(said: Say, end: str, usages: list[Any], stream: bool) -> list[Any]:
    calls = [
        {"index": n, "id": i, "type": "function", "function": {"name": name, "arguments": text}}
        for n, (i, name, text) in enumerate(said.calls)
    ]
    if not stream:
        message: dict[str, Any] = {"role": "assistant", "content": "".join(said.texts) or None}
        if said.thoughts:
            message["reasoning_content"] = "".join(said.thoughts)
        if calls:
            message["tool_calls"] = calls
        choice = {"index": 0, "message": message, "finish_reason": end, **said.more}
        return [{"id": "c1", "choices": [choice], "usage": usages[-1] if usages else None}]

    def chunk(delta: Any, finish: str | None = None, **more: Any) -> Any:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, **more}
        return {"id": "c1", "object": "chat.completion.chunk", "choices": [choice]}

    events = [chunk({"reasoning_content": piece}) for piece in said.thoughts]
    events += [chunk({"content": piece}) for piece in said.texts]
    events += [chunk({"tool_calls": [call]}) for call in calls]
    events.append(chunk({}, end, **said.more))
    # Usage in every chunk, as some servers send it; the last one has one of its own.
    for event, usage in zip(events, usages[:-1], strict=False):
        event["usage"] = usage
    last = [{**chunk({}), "choices": [], "usage": usages[-1]}] if usages else []
    return [*events, *last, "data: [DONE]"]


def _responses(said: Say, end: str, usages: list[Any], stream: bool) -> list[Any]:
    status, _, reason = end.partition(":")
    output: list[Any] = []
    if said.thoughts:
        summary = [{"type": "summary_text", "text": "".join(said.thoughts)}]
        output.append({"type": "reasoning", "id": "rs_1", "summary": summary})
    if said.texts:
        part = {"type": "output_text", "text": "".join(said.texts), "annotations": []}
        output.append({"type": "message", "role": "assistant", "content": [part]})
    for call_id, name, arguments in said.calls:
        item = {"type": "function_call", "call_id": call_id, "name": name}
        output.append({**item, "arguments": arguments})
    whole: dict[str, Any] = {"id": "resp_1", "status": status, "output": output, **said.more}
    if reason:
        whole["incomplete_details"] = {"reason": reason}
    if usages:
        whole["usage"] = usages[-1]
    if not stream:
        return [whole]
    events: list[Any] = [{"type": "response.created", "response": {"id": "resp_1"}}]
    for usage in usages[:-1]:
        begun = {"id": "resp_1", "status": "in_progress", "usage": usage}
        events.append({"type": "response.in_progress", "response": begun})
    for index, item in enumerate(output):
        place = {"output_index": index}
        empty = {"arguments": ""} if item["type"] == "function_call" else {"content": []}
        events.append({"type": "response.output_item.added", **place, "item": {**item, **empty}})
        pieces = said.texts if item["type"] == "message" else ()
        kind = "response.output_text.delta"
        if item["type"] == "reasoning":
            pieces, kind = said.thoughts, "response.reasoning_summary_text.delta"
        elif item["type"] == "function_call":
            pieces, kind = [item["arguments"]], "response.function_call_arguments.delta"
        events += [{"type": kind, **place, "delta": piece} for piece in pieces]
        events.append({"type": "response.output_item.done", **place, "item": item})
    kind = "response.completed" if status == "completed" else "response.incomplete"
    return [*events, {"type": kind, "response": whole}]


def _gemini(said: Say, end: str, usages: list[Any], stream: bool) -> list[Any]:
    parts: list[Any] = [{"text": piece, "thought": True} for piece in said.thoughts]
    parts += [{"text": piece} for piece in said.texts]
    for call_id, name, arguments in said.calls:
        function = {"id": call_id, "name": name, "args": _to_object(arguments)}
        parts.append({"functionCall": function})

    def chunk(content: list[Any], usage: Any, finish: str | None = None) -> Any:
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": content}}
        if finish:
            candidate.update({"finishReason": finish, **said.more})
        stated = {"usageMetadata": usage} if usage is not None else {}
        return {"candidates": [candidate], **stated}

    last = usages[-1] if usages else None
    if not stream:
        return [chunk(parts, last, end)]
    early = [*usages[:-1], *[None] * max(0, len(parts) - len(usages) + 1)]
    pieces = [*([part] for part in parts), *[[]] * max(0, len(early) - len(parts))]
    return [
        *(chunk(piece, usage) for piece, usage in zip(pieces, early, strict=True)),
        chunk([], last, end),
    ]


def _ollama(said: Say, end: str, usages: list[Any], stream: bool) -> list[Any]:
    def line(usage: Any = None, **message: Any) -> Any:
        told = {"role": "assistant", "content": "", **message}
        return {"model": "m", "message": told, "done": False, **(usage or {})}

    calls = [
        {"id": i, "function": {"name": name, "arguments": _to_object(text)}}
        for i, name, text in said.calls
    ]
    if not stream:
        told = {"content": "".join(said.texts), "thinking": "".join(said.thoughts)}
        whole = line(usages[-1] if usages else None, **told, tool_calls=calls)
        return [{**whole, "done": True, "done_reason": end, **said.more}]
    lines = [line(thinking=piece) for piece in said.thoughts]
    lines += [line(content=piece) for piece in said.texts]
    lines += [line(tool_calls=[call]) for call in calls]
    early = usages[:-1]
    lines += [line() for _ in range(len(early) - len(lines))]
    for place, usage in enumerate(early):
        lines[place].update(usage)
    done = {**line(usages[-1] if usages else None), "done": True, "done_reason": end}
    return [*lines, {**done, **said.more}]


_BUILDERS = {
    "anthropic": _anthropic,
    "compatible": _compatible,
    "responses": _responses,
    "gemini": _gemini,
    "ollama": _ollama,
}
