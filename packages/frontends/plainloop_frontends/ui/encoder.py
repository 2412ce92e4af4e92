"""AI SDK's UI message stream v1: a run as the chunks that build one assistant message.

A step of the protocol is one model call with its tools; `reset-step` takes back the newest one.
All of a run's events can be said, nodes and budgets as transient data parts.

A client ends at a chunk that its version does not know. Those of before 7 have no `reset-step`: a
text that a review may send back is held until it stands. Those of before 6 have no approvals
either: their user is asked in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.core.state import END
from plainloop.agent.errors import RunCancelled
from plainloop.agent.events import Event
from plainloop.agent.provenance.refusals import read_refusal, word_refusal
from plainloop.server.protocols.encoder import (
    USAGE,
    Frame,
    ShownText,
    add_usage,
    to_data,
    to_usage,
    word_step,
)

from ..openai.chat import MARK, ask_in_words
from .shapes import WITH_APPROVALS, WITH_RESETS

TOOLS_NODE: Final = ".tools"
# Marks a call that an earlier message shows too, for programs that count calls.
SHOWN_BEFORE: Final = {"plainloop": {"isShownBefore": True}}
# Why a model ended its answer before its end, in the AI SDK's words; anything else is `stop`.
_CUT: Final = {"length": "length", "content_filter": "content-filter", "refusal": "content-filter"}
_TYPED_ID: Final = re.compile(r"(.{36})-([0-9]{1,9})")  # of a message that a typed decision began


class UiEncoder:
    """Encodes one run's events as the AI SDK's chunks. The message's id is the run's."""

    trailer = b"data: [DONE]\n\n"
    to_bytes = staticmethod(to_data)

    def __init__(
        self,
        run_id: str,
        thread_id: str,
        version: int,
        drafts: Mapping[str, int],
        *,
        typed_after: int = 0,
        is_continued: bool = False,
        notice: str = "",
    ) -> None:
        """Encode a run as chunks for this version of the AI SDK. drafts: as `find_drafts`.

        typed_after, notice: as of `UiTurn`. is_continued: the client has a part of that message.
        """
        self._run_id = run_id
        self._thread_id = thread_id
        self._version = version
        self._drafts: Mapping[str, int] = {} if version >= WITH_RESETS else drafts
        self._typed_after = typed_after
        self._notice = notice
        self._is_continued = is_continued
        self._message_id = f"{run_id}-{typed_after}" if typed_after else run_id
        self._is_draft = False
        self._held = ""  # of a draft
        self._is_void = False  # the text before is, and the client could not be told
        self._started = 0  # tool calls of this turn
        self._questions: list[dict[str, Any]] = []  # that wait
        self._calls: dict[str, dict[str, Any]] = {}
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
        frames: list[Frame] = []
        if not self._has_begun:
            self._has_begun = True
            about = {"threadId": self._thread_id, "runId": self._run_id}
            start = {"type": "start", "messageId": self._message_id, "messageMetadata": about}
            frames = [start, {"type": "start-step"}]
        if 0 < self._typed_after < event["seq"]:
            self._typed_after = 0
            self._tools.clear()
            self._is_step_over = False
            self._taken = dict.fromkeys(USAGE, 0)
        return [*frames, *self._encode(event["event"], event["data"])]

    def wait(self) -> list[Frame]:
        if self._version >= WITH_APPROVALS or not self._questions:
            return [{"type": "finish-step"}, {"type": "finish", "finishReason": "tool-calls"}]
        asked = [*self._append("\n\n" + ask_in_words(self._questions)), *self._close_text()]
        return [*asked, {"type": "finish-step"}, {"type": "finish", "finishReason": "stop"}]

    def reopen(self) -> list[Frame]:
        start = {"type": "start", "messageId": self._message_id}
        if not self._typed_after or self._is_continued:
            return [start]
        said = [*self._append(self._notice + "\n\n"), *self._close_text()] if self._notice else []
        return [start, {"type": "start-step"}, *said]

    def leave(self) -> None:
        """Return None (no closing frames) when another replica continues the run.

        The stream is then cut. A clean end without `finish` would be half an answer that counts as
        whole.
        """

    def _encode(self, name: str, data: dict[str, Any]) -> list[Frame]:
        match name:
            case "run_start":
                self._questions.clear()
            case "text_delta":
                if not self._is_draft:
                    return self._show(*self._shown.append(data["content"]))
                self._held += data["content"]
            case "text_reset":
                self._held = ""
                self._shown.reset()
            case "reasoning_delta":
                return self._show_thought(data["content"])
            case "tool_start":
                self._started += 1
                return self._show_call(data, is_ours=True)
            case "tool_request":
                self._client_tools.add(data["id"])
                return self._show_call(data, is_ours=False)
            case "tool_result" | "tool_error":
                return self._show_output(data)
            case "approval_request":
                self._questions.append(data)
                if self._version < WITH_APPROVALS:
                    return self._show_call(data, is_ours=True)
                request = {
                    "type": "tool-approval-request",
                    "approvalId": data["approval_id"],
                    "toolCallId": data["id"],
                    "reason": data["question"],
                }
                return [*self._show_call(data, is_ours=True), request]
            case "approval_decision":
                return self._tell_decision(data)
            case "node_end":
                # Tools that follow show that the text before them was accepted.
                if data["next"] in (END, data["node"] + TOOLS_NODE):
                    return self._release()
                if data["node"].endswith(TOOLS_NODE):
                    self._is_step_over = True
                    self._shown.close_part()
            case "node_start":
                self._is_draft = self._started > self._drafts.get(data["node"], self._started)
                told = {"step": data["step"], "message": word_step(data["node"])}
                return [{"type": "data-progress", "data": told, "transient": True}]
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
        """Build the frames of more text, in a part of its own if something else preceded it."""
        frames: list[Frame] = []
        if is_dropped and self._version < WITH_RESETS:
            is_dropped, self._is_void = False, True
        if text and self._is_void:
            frames += self._close_text()
            self._is_void, text = False, MARK + self._shown.text
        if is_dropped:
            frames.append({"type": "reset-step"})
            self._has_open_text = self._has_open_thought = False
            self._tools.clear()  # those of the step are gone; the others have ended
        if not text:
            return frames
        if not is_dropped:
            frames += [*self._close_thought(), *self._open_step()]
        return [*frames, *self._append(text)]

    def _append(self, text: str) -> list[Frame]:
        frames: list[Frame] = []
        if not self._has_open_text:
            self._has_open_text = True
            self._texts += 1
            frames.append({"type": "text-start", "id": self._text_id})
        return [*frames, {"type": "text-delta", "id": self._text_id, "delta": text}]

    def _release(self) -> list[Frame]:
        """Build the frames of the text that was held back."""
        held, self._held, self._is_draft = self._held, "", False
        return self._show(*self._shown.append(held)) if held else []

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
        is_again = data["id"] in self._calls
        self._calls[data["id"]] = data
        frames += [*self._close_thought(), *self._open_step(), *self._close_text()]
        call: Frame = {
            "type": "tool-input-available",
            "toolCallId": data["id"],
            "toolName": data["name"],
            "input": data["arguments"],
            "dynamic": True,
        }
        if is_again:  # an earlier message has it, where its question was asked
            call["providerMetadata"] = SHOWN_BEFORE
        # Else the client's app would take the call for its own.
        is_ours = is_ours and data["id"] not in self._client_tools
        return [*frames, {**call, "providerExecuted": True} if is_ours else call]

    def _show_output(self, data: dict[str, Any]) -> list[Frame]:
        call_id, is_ours = data["id"], data["id"] not in self._client_tools
        # A message of its own, that answers a decision in words, has no call yet.
        frames = self._show_call(
            self._calls.get(call_id, {**data, "arguments": {}}), is_ours=is_ours
        )
        if call_id in self._denied and self._version >= WITH_APPROVALS:
            return [*frames, {"type": "tool-output-denied", "toolCallId": call_id}]
        output: Frame = {"toolCallId": call_id, "dynamic": True}
        if is_ours:
            output["providerExecuted"] = True
        if "error" in data:
            refused = read_refusal({"error": data["error"]})
            text = data["error"] if refused is None else word_refusal(refused)
            told = {"type": "tool-output-error", **output, "errorText": text}
        else:
            told = {"type": "tool-output-available", **output, "output": data["result"]}
        return [*frames, told]

    def _tell_decision(self, data: dict[str, Any]) -> list[Frame]:
        is_approved = data["status"] in ("approved", "consumed")
        if not is_approved:
            self._denied.add(data["id"])
        if self._version < WITH_RESETS or data["id"] not in self._tools:
            return []
        decision = {"approvalId": data["approval_id"], "approved": is_approved}
        return [{"type": "tool-approval-response", **decision, "providerExecuted": True}]

    def _end(self, data: dict[str, Any]) -> list[Frame]:
        frames = [*self._release(), *self._show(*self._shown.settle())]
        frames += [*self._close_thought(), *self._close_text()]
        code = data.get("code")
        if code is None:
            usage = to_usage(self._taken)
            reason = _CUT.get(data.get("ended_by", ""), "stop")
            end = {"type": "finish", "finishReason": reason, "messageMetadata": {"usage": usage}}
            return [*frames, {"type": "finish-step"}, end]
        if code == RunCancelled.code:
            abort = {"type": "abort", "reason": data["message"]}
            reason = "interrupted" if self._version >= WITH_RESETS else "other"
            return [*frames, abort, {"type": "finish", "finishReason": reason}]
        error = {"type": "error", "errorText": data["message"]}
        return [*frames, error, {"type": "finish", "finishReason": "error"}]


def read_message_id(message_id: str) -> tuple[str, int]:
    """Split an answer's message id into (run id, number of the event before the message).

    The number is 0 if the id has none.

    >>> read_message_id("01a22920-b440-73e6-b438-7a283a628f2f-15")
    ('01a22920-b440-73e6-b438-7a283a628f2f', 15)
    >>> read_message_id("01a22920-b440-73e6-b438-7a283a628f2f")
    ('01a22920-b440-73e6-b438-7a283a628f2f', 0)
    """
    match = _TYPED_ID.fullmatch(message_id)
    return (match[1], int(match[2])) if match else (message_id, 0)
