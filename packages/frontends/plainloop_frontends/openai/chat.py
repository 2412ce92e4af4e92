"""`/v1/chat/completions`: a run as chunks, and as one answer.

This protocol cannot revoke text. So a text that a review may reject is held back until it is
accepted, and after a retry only the new part is sent; if the retry contradicts the sent text, the
whole answer follows a visible mark. The protocol has no form for steps, budgets and tools of the
server: the client would execute each call that it receives.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

import orjson

from plainloop.agent.base.ids import get_question_code, read_created_s
from plainloop.agent.core.state import END
from plainloop.agent.errors import AgentError, BudgetExceeded, LimitReached
from plainloop.agent.events import Event
from plainloop.server.protocols.conversations import PostedMessage
from plainloop.server.protocols.encoder import USAGE, Frame, add_usage, to_data

from .errors import to_error

# Clients post it back, with the codes of the questions in this answer.
ASK: Final = "Please answer **yes** or **no** ({})."
_QUESTION: Final = re.compile(r"Please answer \*\*yes\*\* or \*\*no\*\*(?: \(([0-9a-f, ]+)\))?\.\Z")
_ASK_CHARS: Final = 4_000  # of an answer's end: some 280 questions
MARK: Final = "\n\n*(Corrected:)*\n\n"
# The finish reason of a run that ended without an answer, if it has sent text. A cancelled run gets
# an error instead: the API has no reason for it, and `stop` would mean a complete answer.
_FINISH: Final = {
    LimitReached.code: "length",
    BudgetExceeded.code: "length",
    "BUDGET_UNPRICED": "length",
}

_CUT: Final = frozenset({"length", "content_filter"})  # the model's own words are this API's


class ChatEncoder:
    """Encodes a run as Chat Completions chunks. drafts: from `find_drafts`."""

    trailer = b"data: [DONE]\n\n"
    to_bytes = staticmethod(to_data)

    def __init__(
        self,
        run_id: str,
        model: str,
        drafts: Mapping[str, int],
        *,
        with_usage: bool = False,
        after: int = 0,
        answered: Container[str] = (),
        notice: str = "",
    ) -> None:
        """Encode a run as chunks of Chat Completions. after: the last event in earlier answers;
        each answer has its own id. answered: calls of the client's tools whose results are in the
        request. notice: text before the run's own.
        """
        self._head = {
            "id": f"chatcmpl-{run_id}" + (f"-{after}" if after else ""),
            "object": "chat.completion.chunk",
            "created": read_created_s(run_id),
            "model": model,
        }
        self._drafts = drafts
        self._with_usage = with_usage
        self._answered = answered
        self._has_begun = False
        self._is_draft = False
        self._calls = 0  # tool calls of this turn
        self._text = ""
        self._sent = ""
        self._questions: list[dict[str, Any]] = []
        self._notice = notice
        self._client_calls: list[dict[str, Any]] = []
        self._usage = dict.fromkeys(USAGE, 0)
        self._has_waited = False
        self._after = after
        self._is_past = False  # the encoded events were in an earlier answer
        self._shown_text = ""
        self.has_failed = False

    @property
    def history(self) -> Sequence[PostedMessage]:
        """Return this answer in the form in which the client will post it as history."""
        calls = [call["id"] for call in self._client_calls]
        return [PostedMessage("assistant", self._shown_text, calls=calls)]

    @property
    def counts(self) -> Mapping[str, int]:
        """Return the answer's token counts, named as in a `usage` event."""
        return self._usage

    def encode(self, event: Event) -> list[Frame]:
        data = event["data"]
        self._is_past = event["seq"] <= self._after
        match event["event"]:
            case "run_start":
                if self._has_waited:  # what was used before is part of an earlier answer
                    self._usage = dict.fromkeys(USAGE, 0)
                    self._has_waited = False
                self._questions.clear()
                self._client_calls.clear()
            case "node_start":
                self._is_draft = self._calls > self._drafts.get(data["node"], self._calls)
            case "node_end":
                # Tools that follow show that the text before them was accepted.
                is_kept = data["next"] == END or data["next"] == f"{data['node']}.tools"
                return self._send_text() if is_kept else []
            case "text_delta":
                self._text += data["content"]
                return [] if self._is_draft else self._send_text()
            case "reasoning_delta":
                return self._say(data["content"], "reasoning_content")
            case "text_reset":
                self._text = ""
            case "tool_start":
                self._calls += 1
            case "usage":
                add_usage(self._usage, data)
            case "approval_request":
                self._has_waited = True
                self._questions.append(data)
            case "tool_request":
                self._has_waited = True
                if data["id"] not in self._answered:
                    self._client_calls.append(data)
            case "done" | "error":
                return self._end(event)
            case _:
                pass
        return []

    def wait(self) -> list[Frame]:
        """Return the last frames of a suspended run's answer.

        They contain the calls of client tools, or a question as text.
        """
        frames = self._send_text()
        if self._client_calls:
            calls = [to_call(n, call) for n, call in enumerate(self._client_calls)]
            frames += [*self._begin(), self._chunk({"tool_calls": calls})]
            return [*frames, *self._finish("tool_calls")]
        text = ask_in_words(self._questions)
        lead = "\n\n" if self._sent else ""
        return [*frames, *self._say(lead + text), *self._finish("stop")]

    def open(self) -> list[Frame]:
        """Return the stream's first frames: a notice to the user, or none."""
        return self._say(self._notice + "\n\n") if self._notice else []

    def reopen(self) -> list[Frame]:
        return self._begin()

    def leave(self) -> None:
        """End the stream without closing frames, because another replica continues the run.

        The stream is then cut. Several clients take a clean end for success.
        """

    def _end(self, event: Event) -> list[Frame]:
        data = event["data"]
        if event["event"] == "done":
            self._text = data["content"]
            cut = data.get("ended_by", "stop")
            return [*self._send_last(), *self._finish(cut if cut in _CUT else "stop")]
        frames = self._send_last()
        reason = _FINISH.get(data["code"])
        if reason is None or not self._sent:
            self.has_failed = True
            return [*frames, {"error": to_error(AgentError(data["message"], code=data["code"]))}]
        return [*frames, *self._finish(reason)]

    def _send_text(self) -> list[Frame]:
        """What was not sent yet, unless it contradicts what was: it may still come to be the same
        (test_an_answer_that_contradicts_the_stream_is_marked).
        """
        if len(self._text) <= len(self._sent) or not self._text.startswith(self._sent):
            return []
        new, self._sent = self._text[len(self._sent) :], self._text
        return self._say(new)

    def _send_last(self) -> list[Frame]:
        if self._text.startswith(self._sent):
            return self._send_text()
        self._sent = self._text
        return self._say(MARK + self._text)

    def _say(self, text: str, key: str = "content") -> list[Frame]:
        if key == "content" and not self._is_past:
            self._shown_text += text
        return [*self._begin(), self._chunk({key: text})]

    def _begin(self) -> list[Frame]:
        if self._has_begun:
            return []
        self._has_begun = True
        return [self._chunk({"role": "assistant", "content": ""})]

    def _finish(self, reason: str) -> list[Frame]:
        frames = [*self._begin(), self._chunk({}, reason)]
        if self._with_usage:
            frames.append({**self._head, "choices": [], "usage": self.usage})
        return frames

    @property
    def usage(self) -> dict[str, Any]:
        counts = self._usage
        return {
            "prompt_tokens": counts["input_tokens"],
            "completion_tokens": counts["output_tokens"],
            "total_tokens": counts["input_tokens"] + counts["output_tokens"],
            "prompt_tokens_details": {"cached_tokens": counts["cache_read_tokens"]},
            "completion_tokens_details": {"reasoning_tokens": counts["reasoning_tokens"]},
        }

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> Frame:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return {**self._head, "choices": [choice]}


def to_call(index: int, call: dict[str, Any]) -> dict[str, Any]:
    """Convert a pending call of a client's tool to an entry of `tool_calls`."""
    arguments = orjson.dumps(call["arguments"]).decode()
    function = {"name": call["name"], "arguments": arguments}
    return {"index": index, "id": call["id"], "type": "function", "function": function}


def ask_in_words(requests: Sequence[Mapping[str, Any]]) -> str:
    """Build the text that asks the user to approve these requests by yes or no.

    It ends with the codes of the questions. requests: data of `approval_request` events.
    """
    codes = ", ".join(get_question_code(item["approval_id"]) for item in requests)
    return "\n\n".join([*(item["question"] for item in requests), ASK.format(codes)])


def read_question_codes(answer: str) -> list[str] | None:
    """Read the codes of the approval questions at an answer's end.

    None if the answer ends without such a question.

    >>> read_question_codes("Burn all?\\n\\nPlease answer **yes** or **no** (3c5d7e9f0a1b).")
    ['3c5d7e9f0a1b']
    """
    match = _QUESTION.search(answer[-_ASK_CHARS:].rstrip())
    if match is None:
        return None
    return match[1].split(", ") if match[1] else []


def to_completion(frames: Sequence[Frame], usage: Mapping[str, Any]) -> dict[str, Any]:
    """Join a stream's chunks into one chat.completion, for an answer without streaming."""
    choices = [choice for frame in frames for choice in frame["choices"]]
    message: dict[str, Any] = {
        "role": "assistant",
        "content": "".join(choice["delta"].get("content", "") for choice in choices),
        "refusal": None,
    }
    if thought := "".join(choice["delta"].get("reasoning_content", "") for choice in choices):
        message["reasoning_content"] = thought
    calls = [call for choice in choices for call in choice["delta"].get("tool_calls", [])]
    if calls:
        shown_calls = [
            {key: value for key, value in call.items() if key != "index"} for call in calls
        ]
        message |= {"tool_calls": shown_calls, "content": message["content"] or None}
    whole = {
        "index": 0,
        "message": message,
        "finish_reason": choices[-1]["finish_reason"],
        "logprobs": None,
    }
    head = {**frames[0], "object": "chat.completion"}
    return {**head, "choices": [whole], "usage": dict(usage)}
