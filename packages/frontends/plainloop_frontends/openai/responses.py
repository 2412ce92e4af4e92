"""`/v1/responses`: a run as the events of one response, and as its resource.

The answer is one item. What a retry takes back ends as an incomplete item that the finished
response does not have. Steps, budgets and tools of the server have no words in this protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from plainloop.agent.base.ids import read_created_s
from plainloop.agent.errors import AgentError, BudgetExceeded, LimitReached, RunCancelled
from plainloop.agent.events import WAITING, Event
from plainloop.server.protocols.conversations import PostedMessage
from plainloop.server.protocols.encoder import USAGE, Frame, ShownText, add_usage

from .chat import ask_in_words
from .errors import to_error

UNSTORED: Final = "once"
# Why a run that ended without an answer is no failure, where some text was.
_INCOMPLETE: Final = {
    LimitReached.code: "max_output_tokens",
    BudgetExceeded.code: "max_output_tokens",
    "BUDGET_UNPRICED": "max_output_tokens",
    RunCancelled.code: None,  # it has no word for that
}
_CUT: Final = {"length": "max_output_tokens", "content_filter": "content_filter"}
_DEFAULTS: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("completed_at", "incomplete_details", "previous_response_id", "error")),
    **dict.fromkeys(("instructions", "reasoning", "usage", "max_output_tokens", "max_tool_calls")),
    **dict.fromkeys(("safety_identifier", "prompt_cache_key")),
    "tools": [],
    "tool_choice": "auto",
    "truncation": "disabled",
    "parallel_tool_calls": True,
    "text": {"format": {"type": "text"}},
    "top_p": 1.0,
    "temperature": 1.0,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
    "top_logprobs": 0,
    "store": True,
    "background": False,
    "service_tier": "default",
    "metadata": {},
}


def make_response_id(run_id: str, after: int, *, is_stored: bool = True) -> str:
    """Build a response's id from its run and its first event.

    A run with pauses has several responses. after: the last event of earlier ones.

    The id of a response with `store: false` contains that fact, so that every replica knows it.
    """
    parts = (f"resp_{run_id.replace('-', '')}", str(after) if after else "", UNSTORED)
    return "_".join(part for part in (parts[:2] if is_stored else parts) if part)


class ResponseEncoder:
    """Encodes one response's events. after: the run's last event in earlier responses; echo: fields
    of the request that the resource repeats; starting_after: the last event that the client has;
    notice: text before the run's own.
    """

    trailer = b"data: [DONE]\n\n"

    def __init__(
        self,
        run_id: str,
        model: str,
        after: int = 0,
        echo: Mapping[str, Any] | None = None,
        starting_after: int = -1,
        notice: str = "",
    ) -> None:
        self._after = after
        self._starting_after = starting_after
        self._notice = notice
        self._run = run_id.replace("-", "")
        self.resource: dict[str, Any] = {
            "id": "",
            "object": "response",
            "created_at": read_created_s(run_id),
            "status": "in_progress",
            "model": model,
            "output": [],
            **_DEFAULTS,
            **(echo or {}),
        }
        is_stored = self.resource["store"]
        self.resource["id"] = make_response_id(run_id, after, is_stored=is_stored)
        self._has_begun = False
        self._is_waiting = False
        self.is_over = False  # the run went on after it waited: that is another response
        self._sequence = 0
        self._items = 0  # so far, void ones too
        self._message: dict[str, Any] | None = None  # the message that is open
        self._message_index = 0
        self._thought: dict[str, Any] | None = None  # the reasoning that is open
        self._thought_index = 0
        self._shown = ShownText()
        self._questions: list[dict[str, Any]] = []
        self._usage = dict.fromkeys(USAGE, 0)

    @property
    def history(self) -> Sequence[PostedMessage]:
        """Return this response in the form in which the client will post it as history."""
        return [
            PostedMessage(
                "assistant",
                "".join(part["text"] for part in item.get("content", ())),
                calls=[item["call_id"]] if "call_id" in item else (),
            )
            for item in self.resource["output"]
        ]

    @property
    def has_failed(self) -> bool:
        return self.resource["status"] == "failed"

    def encode(self, event: Event) -> list[Frame]:
        if event["seq"] <= self._after:
            self._skip(event)
            return []
        if self.is_over:
            return []
        if self._is_waiting and event["event"] not in WAITING:
            frames = self.wait()
            self.is_over = True
            return frames
        frames = self._begin()
        return [*frames, *self._encode(event["event"], event["data"])]

    def _skip(self, event: Event) -> None:
        """Record an event that an earlier response has sent, so that a retry does not repeat it."""
        if event["event"] == "text_delta":
            self._shown.append(event["data"]["content"])
        elif event["event"] == "text_reset":
            self._shown.reset()
        elif event["event"] in WAITING:
            self._shown.settle()
            self._shown.close_part()

    def wait(self) -> list[Frame]:
        """Return the last frames of a suspended run's response.

        They contain the calls of client tools, or a question as text.
        """
        if self.is_over:  # the run waits again, in another response
            return []
        frames = self._begin()
        if self._questions:
            lead = "\n\n" if self._shown.text else ""
            frames += self._show(*self._shown.append(lead + ask_in_words(self._questions)))
        frames += [*self._close_thought(), *self._close_message("completed")]
        return [*frames, *self._finish("completed")]

    def reopen(self) -> list[Frame]:
        return []  # each response is complete without an earlier one

    def leave(self) -> list[Frame] | None:
        """Return None (no closing frames) when another replica continues the run.

        The stream is then cut. Several clients take a clean end for success; it is one where the
        response is over.
        """
        return [] if self.is_over else None

    def to_bytes(self, frame: Frame) -> bytes:
        if frame["sequence_number"] <= self._starting_after:
            return b""
        return b"event: %b\ndata: %b\n\n" % (frame["type"].encode(), orjson.dumps(frame))

    def _begin(self) -> list[Frame]:
        if self._has_begun:
            return []
        self._has_begun = True
        frames = [self._tell_response("created"), self._tell_response("in_progress")]
        return [*frames, *self._show(False, self._notice + "\n\n")] if self._notice else frames

    def _encode(self, name: str, data: dict[str, Any]) -> list[Frame]:
        match name:
            case "text_delta":
                return self._show(*self._shown.append(data["content"]))
            case "reasoning_delta":
                return self._show_thought(data["content"])
            case "text_reset":
                self._shown.reset()
            case "usage":
                add_usage(self._usage, data)
            case "approval_request":
                self._is_waiting = True
                self._questions.append(data)
            case "tool_request":
                self._is_waiting = True
                return self._show_call(data)
            case "done" | "error":
                return self._end(data)
            case _:
                pass
        return []

    def _show(self, is_dropped: bool, text: str) -> list[Frame]:
        frames = self._close_message("incomplete") if is_dropped else []
        if not text:
            return frames
        frames += self._close_thought()
        if self._message is None:
            frames += self._open_message()
        item = self._message or {}
        item["content"][0]["text"] += text
        return [*frames, self._tell("output_text.delta", **self._where, delta=text, logprobs=[])]

    @property
    def _where(self) -> dict[str, Any]:
        """Of the open item's text."""
        item_id = (self._message or {}).get("id", "")
        return {"item_id": item_id, "output_index": self._message_index, "content_index": 0}

    def _open_message(self) -> list[Frame]:
        name = f"msg_{self._run}_{self._after}_{self._items}"
        item = {"type": "message", "id": name, "status": "in_progress", "role": "assistant"}
        part: Frame = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
        self._message_index, self._items = self._items, self._items + 1
        where = {"output_index": self._message_index}
        added = self._tell("output_item.added", **where, item={**item, "content": []})
        self._message = {**item, "content": [part]}
        return [added, self._tell("content_part.added", **self._where, part={**part})]

    def _close_message(self, status: str) -> list[Frame]:
        """The open item, if there is one; only whole ones are part of the response."""
        item = self._message
        if item is None:
            return []
        item["status"] = status
        part, where = item["content"][0], self._where
        frames = [
            self._tell("output_text.done", **where, text=part["text"], logprobs=[]),
            self._tell("content_part.done", **where, part=part),
            self._tell("output_item.done", output_index=where["output_index"], item=item),
        ]
        self._message = None
        if status != "incomplete":
            self.resource["output"].append(item)
        return frames

    def _show_thought(self, text: str) -> list[Frame]:
        """More of what the model thinks, as a summary: both dialects of this API know that. A
        message that is open stays so: more of it may follow, or take its place.
        """
        frames = [] if self._message else self._show(*self._shown.settle())
        if self._thought is None:
            name = f"rs_{self._run}_{self._after}_{self._items}"
            item: Frame = {"type": "reasoning", "id": name, "status": "in_progress", "summary": []}
            self._thought_index, self._items = self._items, self._items + 1
            where = {"output_index": self._thought_index}
            frames.append(self._tell("output_item.added", **where, item=item))
            self._thought = {**item, "summary": [{"type": "summary_text", "text": ""}]}
            part = self._thought["summary"][0]
            added = self._tell("reasoning_summary_part.added", **self._thought_place, part=part)
            frames.append(added)
        self._thought["summary"][0]["text"] += text
        event = "reasoning_summary_text.delta"
        return [*frames, self._tell(event, **self._thought_place, delta=text)]

    @property
    def _thought_place(self) -> dict[str, Any]:
        item_id = (self._thought or {}).get("id", "")
        return {"item_id": item_id, "output_index": self._thought_index, "summary_index": 0}

    def _close_thought(self) -> list[Frame]:
        item = self._thought
        if item is None:
            return []
        item["status"] = "completed"
        part, where = item["summary"][0], self._thought_place
        frames = [
            self._tell("reasoning_summary_text.done", **where, text=part["text"]),
            self._tell("reasoning_summary_part.done", **where, part=part),
            self._tell("output_item.done", output_index=where["output_index"], item=item),
        ]
        self._thought = None
        self.resource["output"].append(item)
        return frames

    def _show_call(self, data: dict[str, Any]) -> list[Frame]:
        """A call of the client's tool, whole."""
        frames = [*self._show(*self._shown.settle()), *self._close_thought()]
        frames += self._close_message("completed")
        self._shown.close_part()
        arguments = orjson.dumps(data["arguments"]).decode()
        name = f"fc_{self._run}_{self._after}_{self._items}"
        item = {"type": "function_call", "id": name, "call_id": data["id"], "name": data["name"]}
        index, self._items = self._items, self._items + 1
        where = {"item_id": name, "output_index": index}
        begun = {**item, "arguments": "", "status": "in_progress"}
        done = {**item, "arguments": arguments, "status": "completed"}
        self.resource["output"].append(done)
        event = "function_call_arguments"
        return [
            *frames,
            self._tell("output_item.added", output_index=index, item=begun),
            self._tell(f"{event}.delta", **where, delta=arguments),
            self._tell(f"{event}.done", **where, arguments=arguments, name=data["name"]),
            self._tell("output_item.done", output_index=index, item=done),
        ]

    def _end(self, data: dict[str, Any]) -> list[Frame]:
        frames = [*self._show(*self._shown.settle()), *self._close_thought()]
        code = data.get("code")
        if reason := _CUT.get(data.get("ended_by", "")):
            self.resource["incomplete_details"] = {"reason": reason}
            return [*frames, *self._keep_cut_message(), *self._finish("incomplete")]
        if code is None:
            return [*frames, *self._close_message("completed"), *self._finish("completed")]
        if code in _INCOMPLETE and (self._shown.text or code == RunCancelled.code):
            if reason := _INCOMPLETE[code]:
                self.resource["incomplete_details"] = {"reason": reason}
            frames += self._keep_cut_message()
            return [*frames, *self._finish("incomplete")]
        error = to_error(AgentError(data["message"], code=code))
        self.resource["error"] = {"code": "server_error", "message": data["message"]}
        frames += self._keep_cut_message()
        frame: Frame = {"type": "error", "sequence_number": self._take_number(), "error": error}
        return [*frames, frame, *self._finish("failed")]

    def _keep_cut_message(self) -> list[Frame]:
        """Close the message with the text before the cut, which stays part of the response."""
        item = self._message
        frames = self._close_message("incomplete")
        if item is not None:
            self.resource["output"].append(item)
        return frames

    def _finish(self, status: str) -> list[Frame]:
        self.resource["status"] = status
        self.resource["completed_at"] = None if status == "failed" else self.resource["created_at"]
        self.resource["usage"] = to_usage(self._usage)
        return [self._tell_response(status)]

    def _tell_response(self, status: str) -> Frame:
        return self._tell(status, response={**self.resource, "output": [*self.resource["output"]]})

    def _tell(self, kind: str, **fields: Any) -> Frame:
        number = self._take_number()
        # A copy: items that are open change.
        copied = orjson.loads(orjson.dumps(fields))
        return {"type": f"response.{kind}", "sequence_number": number, **copied}

    def _take_number(self) -> int:
        self._sequence += 1
        return self._sequence - 1


def to_usage(counts: Mapping[str, int]) -> dict[str, Any]:
    """Convert token counts to the `usage` object of the Responses API.

    counts: named as in USAGE.
    """
    return {
        "input_tokens": counts["input_tokens"],
        "output_tokens": counts["output_tokens"],
        "total_tokens": counts["input_tokens"] + counts["output_tokens"],
        "input_tokens_details": {
            "cached_tokens": counts["cache_read_tokens"],
            "cache_write_tokens": counts["cache_write_tokens"],
        },
        "output_tokens_details": {"reasoning_tokens": counts["reasoning_tokens"]},
    }
