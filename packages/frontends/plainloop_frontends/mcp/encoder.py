"""A run as the answer of one `tools/call`: progress while it goes, then its result.

A pure fold over the run's events, as every encoder.
"""

from __future__ import annotations

from typing import Any, Final

import orjson

from plainloop.agent.events import Event
from plainloop.server.protocols.encoder import USAGE, Frame, add_usage, to_data, word_step
from plainloop.server.protocols.json_rpc import RpcId, to_answer

from .catalog import GET_RUN
from .eras import Era
from .older import to_inline_question

WHERE: Final = "POST /api/runs/{run_id}/approvals/{approval_id} decides, or `plainloop approve`"


class RunEncoder:
    """Encodes a run as messages of MCP. thread_id and run_id are known before the first event.
    progress_token: None: nobody asked for progress. is_one_call: the run is one tool call, and its
    result is the answer.
    """

    trailer = b""
    to_bytes = staticmethod(to_data)

    def __init__(
        self,
        request_id: RpcId,
        era: Era,
        run_id: str,
        thread_id: str,
        progress_token: Any = None,
        *,
        is_one_call: bool = False,
    ) -> None:
        self._request_id = request_id
        self._era = era
        self._run = {"run_id": run_id, "thread_id": thread_id}
        self._token = progress_token
        self._is_one_call = is_one_call
        self._steps = 0
        self._text = ""
        self._tokens = dict.fromkeys(USAGE, 0)
        self._waiting: dict[str, dict[str, Any]] = {}  # undecided requests, by their ids
        self.fields: dict[str, Frame] = {}  # of forms among them; no event says these
        self.asking: set[str] = set()  # those that are asked in the middle of the stream
        self._outcome: Frame | None = None  # of the one call
        self._failure = ""

    @property
    def run_id(self) -> str:
        return self._run["run_id"]

    def encode(self, event: Event) -> list[Frame]:
        data = event["data"]
        match event["event"]:
            case "text_delta":
                self._text += data["content"]
            case "text_reset":
                self._text = ""
            case "usage":
                add_usage(self._tokens, data)
            case "approval_request":
                self._waiting[approval_id := data["approval_id"]] = data
                if approval_id in self.asking:
                    question = _to_question(data, self.fields.get(approval_id))
                    return [to_inline_question(f"{self.run_id}/{approval_id}", question)]
            case "approval_decision":
                self._waiting.pop(data["approval_id"], None)
            case "tool_result" if self._is_one_call:
                self._outcome = to_tool_result(data["result"])
            case "tool_error" if self._is_one_call:
                whole = {"structuredContent": data["result"]} if data.get("result") else {}
                self._outcome = {**to_failure(data["error"]), **whole}
            case "node_start" if self._token is not None:
                self._steps += 1
                reported = {"progress": self._steps, "message": word_step(data["node"])}
                params = {"progressToken": self._token, **reported}
                return [{"jsonrpc": "2.0", "method": "notifications/progress", "params": params}]
            case "done":
                self._text = data["content"]
                reported = {**to_text(self._text), "structuredContent": self._tell("succeeded")}
                return [self._answer(self._outcome or reported)]
            case "error":
                self._failure = f"{data['message']} [{data['code']}]"
                failed = to_failure(self._failure)
                if self._text:  # what was said so far is kept
                    failed["content"] = [*to_text(self._text)["content"], *failed["content"]]
                return [self._answer({**failed, "structuredContent": self._tell("failed")})]
            case _:
                pass
        return []

    def wait(self) -> list[Frame]:
        """Return the answer's frames when the run is suspended.

        They contain a question if the client can ask its user, else a link.
        """
        if self._era.can_ask and self._waiting:
            requests = {
                key: _to_question(data, self.fields.get(key)) for key, data in self._waiting.items()
            }
            result: Frame = {"resultType": "input_required", "inputRequests": requests}
            result["requestState"] = self.run_id
            return [to_answer(self._request_id, result)]
        text = f"Nothing was done yet. {self._tell_where()}"
        return [self._answer({**to_failure(text), "structuredContent": self._tell("waiting")})]

    @property
    def is_waiting(self) -> bool:
        """Return whether the run waits for an answer to a question."""
        return bool(self._waiting)

    def reopen(self) -> list[Frame]:
        return []

    def leave(self) -> list[Frame] | None:
        return None

    def describe(self, status: str) -> Frame:
        """Describe the run's state as a tool result, to answer a status request."""
        if self._outcome is not None:
            return {**self._outcome, "structuredContent": self._tell(status)}
        text = self._tell_where() if self._waiting else self._text
        return {**to_text(self._failure or text), "structuredContent": self._tell(status)}

    def _tell_where(self) -> str:
        run_id = self.run_id
        questions = [
            f"{data['question']} {WHERE.format(run_id=run_id, approval_id=approval_id)}."
            for approval_id, data in self._waiting.items()
        ]
        after = f"Afterwards {GET_RUN} with run_id {run_id} tells what came of it."
        first = (
            "A person must agree first." if questions else "It waits for a tool of its own client."
        )
        return "\n".join([first, *questions, after])

    def _tell(self, status: str) -> dict[str, Any]:
        waiting = [
            {"approval_id": approval_id, "question": data["question"]}
            for approval_id, data in self._waiting.items()
        ]
        more = {"approvals": waiting} if waiting else {}
        return {**self._run, "status": status, "usage": self._tokens, **more}

    def _answer(self, result: Frame) -> Frame:
        return to_answer(self._request_id, to_result(result, self._era))


def to_result(result: Frame, era: Era) -> Frame:
    """Add the field `resultType` to a result if the client's protocol version has it."""
    return {"resultType": "complete", **result} if era.is_modern else result


def to_text(text: str, *, is_error: bool = False) -> Frame:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def to_failure(text: str) -> Frame:
    """Build the tool result of a failed call, for the client's model to read.

    Its `isError` is true.
    """
    return to_text(text, is_error=True)


def to_tool_result(result: Any) -> Frame:
    """Convert a tool's result to MCP content.

    An object becomes text and `structuredContent`, anything else only text.
    """
    content = to_text(result if isinstance(result, str) else orjson.dumps(result).decode())
    return {**content, "structuredContent": result} if isinstance(result, dict) else content


def _to_question(data: dict[str, Any], fields: Frame | None) -> Frame:
    """Build the client's question for an approval: a form, without fields for yes or no."""
    params: Frame = {
        "mode": "form",
        "message": data["question"],
        "requestedSchema": fields or {"type": "object", "properties": {}},
    }
    return {"method": "elicitation/create", "params": params}
