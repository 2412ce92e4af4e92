"""AG-UI: a run as its events, for clients of 1.0 and of 0.0.59 alike.

A client of 0.0.59 ends at an event that it does not know, so nothing is sent that 1.0 brought. An
approval is an interrupt; what a retry takes back is a snapshot of the messages without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson

from plainloop.agent.errors import RunCancelled
from plainloop.agent.events import Event
from plainloop.server.http.error_table import add_action, find_action
from plainloop.server.protocols.encoder import (
    Frame,
    ShownText,
    add_usage,
    to_data,
    to_usage,
    word_step,
)

TOOLS_NODE: Final = ".tools"
RECONNECT: Final = "RECONNECT"
ANSWER_SCHEMA: Final = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}},
    "required": ["approved"],
}


class AgUiEncoder:
    """Encodes one run's events for AG-UI, with the client's ids for thread and run.

    history: what the client shows before this run; a snapshot begins with it. is_old: the client is
    of before 1.0, and ends at an outcome that it does not know.
    """

    trailer = b""  # `[DONE]` is no JSON, and its reader fails there
    to_bytes = staticmethod(to_data)

    def __init__(
        self,
        run_id: str,
        thread_name: str,
        run_name: str,
        history: Sequence[Frame] = (),
        *,
        is_old: bool = False,
    ) -> None:
        self._run_id = run_id
        self._names = {"threadId": thread_name, "runId": run_name}
        self._history = [*history]
        self._is_old = is_old
        self._has_begun = False
        self._shown = ShownText()
        self._has_open_text = False
        self._thought: Frame | None = None  # the reasoning message that is open
        self._thoughts = 0
        self._messages: list[Frame] = []  # that this run has brought
        self._count = 1  # of the assistant's messages
        self._steps: list[str] = []  # that are open
        self._calls: set[str] = set()  # that the client knows of
        self._client_calls: set[str] = set()
        self._interrupts: list[Frame] = []
        self._usage: dict[tuple[str, str], dict[str, int]] = {}

    def encode(self, event: Event) -> list[Frame]:
        frames = [] if self._has_begun else self.reopen()
        self._has_begun = True
        return [*frames, *self._encode(event["event"], event["data"])]

    def wait(self) -> list[Frame]:
        if self._interrupts:
            return self._finish({"type": "interrupt", "interrupts": self._interrupts})
        return self._finish({"type": "success"})

    def reopen(self) -> list[Frame]:
        return [{"type": "RUN_STARTED", **self._names}]

    def leave(self) -> list[Frame]:
        """Build the error by which a stream ends when another replica continues the run.

        A cut connection would end a Node process, and a clean end without this means success.
        """
        text = "this server is stopping, and another one continues the run: connect again"
        return [{"type": "RUN_ERROR", "message": text, "code": RECONNECT}]

    def _encode(self, name: str, data: dict[str, Any]) -> list[Frame]:
        match name:
            case "run_start":
                self._interrupts.clear()
            case "node_start":
                step = word_step(data["node"])
                if step not in self._steps:  # else it is done again after a crash
                    self._steps.append(step)
                    return [{"type": "STEP_STARTED", "stepName": step}]
            case "node_end":
                if data["node"].endswith(TOOLS_NODE):
                    self._shown.close_part()
                    self._count += 1
                return self._close_steps(word_step(data["node"]))
            case "text_delta":
                return self._show(*self._shown.append(data["content"]))
            case "text_reset":
                self._shown.reset()
            case "reasoning_delta":
                return self._show_thought(data["content"])
            case "tool_start":
                return self._show_call(data)
            case "tool_result":
                return self._show_result(data["id"], data["result"])
            case "tool_error":
                return self._show_result(data["id"], data.get("result", {"error": data["error"]}))
            case "approval_request":
                self._interrupts.append(to_interrupt(data))
                return [*self._show_call(data), *self._close_steps()]
            case "tool_request":
                self._client_calls.add(data["id"])
                return [*self._show_call(data), *self._close_steps()]
            case "usage":
                add_usage(self._usage.setdefault((data["provider"], data["model"]), {}), data)
            case "budget" | "onboarding_complete":
                return [{"type": "CUSTOM", "name": name, "value": data}]
            case "done" | "error":
                return self._end(data)
            case _:
                pass
        return []

    def _close_steps(self, step: str | None = None) -> list[Frame]:
        """Build the frames that close a step, or all: none may be open at the run's end."""
        closed = [name for name in self._steps if step in (None, name)]
        self._steps = [name for name in self._steps if name not in closed]
        frames = [*self._close_thought(), *self._close_text()] if closed else []
        return [*frames, *({"type": "STEP_FINISHED", "stepName": name} for name in closed)]

    @property
    def _message_id(self) -> str:
        return f"{self._run_id}:{self._count}"

    def _get_message(self) -> Frame:
        """Return the newest assistant message, which text and calls are added to."""
        for message in self._messages:
            if message["id"] == self._message_id:
                return message
        self._messages.append({"id": self._message_id, "role": "assistant"})
        return self._messages[-1]

    def _show(self, is_dropped: bool, text: str) -> list[Frame]:
        frames: list[Frame] = []
        if is_dropped:
            frames += [*self._close_thought(), *self._close_text()]
            dropped = self._get_message()
            self._messages.remove(dropped)
            self._calls -= {call["id"] for call in dropped.get("toolCalls", [])}
            self._count += 1
            messages = [*self._history, *(dict(message) for message in self._messages)]
            frames.append({"type": "MESSAGES_SNAPSHOT", "messages": messages})
        if not text:
            return frames
        frames += self._close_thought()
        message, said = self._get_message(), {"messageId": self._message_id}
        message["content"] = message.get("content", "") + text
        if not self._has_open_text:
            self._has_open_text = True
            frames.append({"type": "TEXT_MESSAGE_START", **said, "role": "assistant"})
        return [*frames, {"type": "TEXT_MESSAGE_CONTENT", **said, "delta": text}]

    def _close_text(self) -> list[Frame]:
        if not self._has_open_text:
            return []
        self._has_open_text = False
        return [{"type": "TEXT_MESSAGE_END", "messageId": self._message_id}]

    def _show_thought(self, text: str) -> list[Frame]:
        """Build the frames of more reasoning, which is a message of its own."""
        frames = self._show(*self._shown.settle())
        if self._thought is None:
            self._thoughts += 1
            name = f"{self._run_id}:thought:{self._thoughts}"
            self._thought = {"id": name, "role": "reasoning", "content": ""}
            self._messages.append(self._thought)
            frames += [
                {"type": "REASONING_START", "messageId": name},
                {"type": "REASONING_MESSAGE_START", "messageId": name, "role": "reasoning"},
            ]
        self._thought["content"] += text
        said = {"messageId": self._thought["id"], "delta": text}
        return [*frames, {"type": "REASONING_MESSAGE_CONTENT", **said}]

    def _close_thought(self) -> list[Frame]:
        if self._thought is None:
            return []
        told = {"messageId": self._thought["id"]}
        self._thought = None
        return [{"type": "REASONING_MESSAGE_END", **told}, {"type": "REASONING_END", **told}]

    def _show_call(self, data: dict[str, Any]) -> list[Frame]:
        """Build the frames of a tool call, once: not again when the run continues."""
        frames = [*self._show(*self._shown.settle()), *self._close_thought(), *self._close_text()]
        if data["id"] in self._calls:
            return frames
        self._calls.add(data["id"])
        arguments = orjson.dumps(data["arguments"]).decode()
        function = {"name": data["name"], "arguments": arguments}
        call = {"id": data["id"], "type": "function", "function": function}
        self._get_message().setdefault("toolCalls", []).append(call)
        named = {"toolCallId": data["id"]}
        parent = {"parentMessageId": self._message_id}
        return [
            *frames,
            {"type": "TOOL_CALL_START", **named, "toolCallName": data["name"], **parent},
            {"type": "TOOL_CALL_ARGS", **named, "delta": arguments},
            {"type": "TOOL_CALL_END", **named},
        ]

    def _show_result(self, call_id: str, result: Any) -> list[Frame]:
        if call_id in self._client_calls:
            return []  # the client has it
        content = result if isinstance(result, str) else orjson.dumps(result).decode()
        told = {"messageId": f"{self._run_id}:{call_id}", "toolCallId": call_id, "content": content}
        message = {"id": told["messageId"], "role": "tool", "toolCallId": call_id}
        self._messages = [item for item in self._messages if item["id"] != message["id"]]
        self._messages.append({**message, "content": content})
        return [{"type": "TOOL_CALL_RESULT", **told, "role": "tool"}]

    def _end(self, data: dict[str, Any]) -> list[Frame]:
        frames = [*self._show(*self._shown.settle()), *self._close_thought()]
        frames += [*self._close_text(), *self._close_steps()]
        code = data.get("code")
        if code is None:
            return [*frames, *self._finish({"type": "success"})]
        if code == RunCancelled.code:
            return [*frames, *self._finish(None if self._is_old else {"type": "cancelled"})]
        # What helps has no field of its own; `rawEvent` has had its place in both versions.
        told = {"type": "RUN_ERROR", "message": data["message"], "code": code}
        raw = {"rawEvent": add_action(data, code)} if find_action(code) else {}
        return [*frames, {**told, **raw}]

    def _finish(self, outcome: Frame | None) -> list[Frame]:
        end: Frame = {"type": "RUN_FINISHED", **self._names}
        if outcome is not None:
            end["outcome"] = outcome
        if self._usage:
            end["usage"] = [
                {"provider": provider, "model": model, **to_usage(taken)}
                for (provider, model), taken in self._usage.items()
            ]
        return [end]


def to_interrupt(asked: dict[str, Any]) -> Frame:
    """Convert an approval request to an AG-UI interrupt."""
    return {
        "id": asked["approval_id"],
        "reason": "tool_call",
        "message": asked["question"],
        "toolCallId": asked["id"],
        "responseSchema": ANSWER_SCHEMA,
    }
