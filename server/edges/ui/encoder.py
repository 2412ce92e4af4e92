"""AI SDK's UI message stream v1: a run as the chunks that build one assistant message.

A step of the protocol is one model call with its tools; `reset-step` takes back the newest one.
All of a run's events can be said, nodes and budgets as transient data parts.
"""

from __future__ import annotations

from typing import Any, Final

from ....agent.errors import RunCancelled
from ....agent.events import Event
from ..encoder import USAGE, Frame, ShownText, add_usage, to_data, to_usage

TOOLS_NODE: Final = ".tools"


class UiEncoder:
    """One run's chunks. The message's id is the run's."""

    trailer = b"data: [DONE]\n\n"
    to_bytes = staticmethod(to_data)

    def __init__(self, run_id: str, thread_id: str) -> None:
        self._run_id = run_id
        self._thread_id = thread_id
        self._has_begun = False
        self._is_step_over = False  # its tools are done: what comes next is of the next one
        self._shown = ShownText()
        self._texts = 0  # text parts so far
        self._has_open_text = False
        self._thoughts = 0  # reasoning parts so far
        self._has_open_thought = False
        self._tools: set[str] = set()  # calls that the client knows of
        self._client_tools: set[str] = set()
        self._denied: set[str] = set()
        self._taken = dict.fromkeys(USAGE, 0)

    def encode(self, event: Event) -> list[Frame]:
        frames = [] if self._has_begun else self._begin()
        return [*frames, *self._encode(event["event"], event["data"])]

    def wait(self) -> list[Frame]:
        return [{"type": "finish-step"}, {"type": "finish", "finishReason": "tool-calls"}]

    def reopen(self) -> list[Frame]:
        return [{"type": "start", "messageId": self._run_id}]

    def leave(self) -> None:
        """A clean end without `finish` is half an answer that counts as whole."""

    def _begin(self) -> list[Frame]:
        self._has_begun = True
        metadata = {"threadId": self._thread_id, "runId": self._run_id}
        start = {"type": "start", "messageId": self._run_id, "messageMetadata": metadata}
        return [start, {"type": "start-step"}]

    def _encode(self, name: str, data: dict[str, Any]) -> list[Frame]:
        match name:
            case "text_delta":
                return self._show(*self._shown.append(data["content"]))
            case "text_reset":
                self._shown.reset()
            case "reasoning_delta":
                return self._show_thought(data["content"])
            case "tool_start":
                return self._show_call(data, is_ours=True)
            case "tool_request":
                self._client_tools.add(data["id"])
                return self._show_call(data, is_ours=False)
            case "tool_result" | "tool_error":
                return [self._make_output(data)]
            case "approval_request":
                request = {
                    "type": "tool-approval-request",
                    "approvalId": data["approval_id"],
                    "toolCallId": data["id"],
                    "reason": data["question"],
                }
                return [*self._show_call(data, is_ours=True), request]
            case "approval_decision":
                return [self._make_decision(data)]
            case "node_end":
                if data["node"].endswith(TOOLS_NODE):
                    self._is_step_over = True
                    self._shown.close_part()
            case "node_start":
                return [{"type": "data-node", "data": data, "transient": True}]
            case "usage":
                add_usage(self._taken, data)
            case "budget" | "onboarding_complete":
                kind = f"data-{name.replace('_', '-')}"
                return [{"type": kind, "data": data, "transient": True}]
            case "done" | "error":
                return self._end(data)
            case _:
                pass
        return []

    def _show(self, is_dropped: bool, text: str) -> list[Frame]:
        """More text, in a part of its own where something else stood before it."""
        frames: list[Frame] = []
        if is_dropped:
            frames.append({"type": "reset-step"})
            self._has_open_text = self._has_open_thought = False
            self._tools.clear()  # those of the step are gone; the others have ended
        if not text:
            return frames
        if not is_dropped:
            frames += [*self._close_thought(), *self._open_step()]
        if not self._has_open_text:
            self._has_open_text = True
            self._texts += 1
            frames.append({"type": "text-start", "id": self._text_id})
        return [*frames, {"type": "text-delta", "id": self._text_id, "delta": text}]

    @property
    def _text_id(self) -> str:
        return f"{self._run_id}:{self._texts}"

    def _open_step(self) -> list[Frame]:
        if not self._is_step_over:
            return []
        self._is_step_over = False
        return [*self._close_text(), {"type": "finish-step"}, {"type": "start-step"}]

    def _close_text(self) -> list[Frame]:
        if not self._has_open_text:
            return []
        self._has_open_text = False
        return [{"type": "text-end", "id": self._text_id}]

    def _show_thought(self, text: str) -> list[Frame]:
        frames = [*self._show(*self._shown.settle()), *self._open_step(), *self._close_text()]
        if not self._has_open_thought:
            self._has_open_thought = True
            self._thoughts += 1
            frames.append({"type": "reasoning-start", "id": self._thought_id})
        return [*frames, {"type": "reasoning-delta", "id": self._thought_id, "delta": text}]

    @property
    def _thought_id(self) -> str:
        return f"{self._run_id}:thought:{self._thoughts}"

    def _close_thought(self) -> list[Frame]:
        if not self._has_open_thought:
            return []
        self._has_open_thought = False
        return [{"type": "reasoning-end", "id": self._thought_id}]

    def _show_call(self, data: dict[str, Any], *, is_ours: bool) -> list[Frame]:
        frames = self._show(*self._shown.settle())
        if data["id"] in self._tools:
            return frames
        self._tools.add(data["id"])
        frames += [*self._close_thought(), *self._open_step(), *self._close_text()]
        call = {
            "type": "tool-input-available",
            "toolCallId": data["id"],
            "toolName": data["name"],
            "input": data["arguments"],
            "dynamic": True,
        }
        # Else the client's app would take the call for its own.
        is_ours = is_ours and data["id"] not in self._client_tools
        return [*frames, {**call, "providerExecuted": True} if is_ours else call]

    def _make_output(self, data: dict[str, Any]) -> Frame:
        call_id = data["id"]
        if call_id in self._denied:
            return {"type": "tool-output-denied", "toolCallId": call_id}
        output: Frame = {"toolCallId": call_id, "dynamic": True}
        if call_id not in self._client_tools:
            output["providerExecuted"] = True
        if "error" in data:
            return {"type": "tool-output-error", **output, "errorText": data["error"]}
        return {"type": "tool-output-available", **output, "output": data["result"]}

    def _make_decision(self, data: dict[str, Any]) -> Frame:
        is_approved = data["status"] in ("approved", "consumed")
        if not is_approved:
            self._denied.add(data["id"])
        return {
            "type": "tool-approval-response",
            "approvalId": data["approval_id"],
            "approved": is_approved,
            "providerExecuted": True,
        }

    def _end(self, data: dict[str, Any]) -> list[Frame]:
        frames = [*self._show(*self._shown.settle()), *self._close_thought(), *self._close_text()]
        code = data.get("code")
        if code is None:
            usage = to_usage(self._taken)
            end = {"type": "finish", "finishReason": "stop", "messageMetadata": {"usage": usage}}
            return [*frames, {"type": "finish-step"}, end]
        if code == RunCancelled.code:
            abort = {"type": "abort", "reason": data["message"]}
            return [*frames, abort, {"type": "finish", "finishReason": "interrupted"}]
        error = {"type": "error", "errorText": data["message"]}
        return [*frames, error, {"type": "finish", "finishReason": "error"}]
