"""A run as a task: its state as it goes, its answer as one artifact. Pure, as every encoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, Literal

from plainloop.agent.events import Event
from plainloop.agent.store.records import RunStatus
from plainloop.server.protocols.encoder import Frame, to_data

State = Literal[
    "TASK_STATE_SUBMITTED",
    "TASK_STATE_WORKING",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
]
ARTIFACT: Final = "answer"
_CANCELLED: Final = "CANCELLED"
_STATES: Final[Mapping[RunStatus, State]] = {
    "queued": "TASK_STATE_SUBMITTED",
    "running": "TASK_STATE_WORKING",
    "waiting": "TASK_STATE_INPUT_REQUIRED",
    "succeeded": "TASK_STATE_COMPLETED",
    "failed": "TASK_STATE_FAILED",
    "cancelled": "TASK_STATE_CANCELED",
}


def get_state(status: RunStatus, error_code: str | None) -> State:
    """Convert a run's status to an A2A task state.

    A run that reached a limit has failed if it has an error code.
    """
    by_limit: State = "TASK_STATE_FAILED" if error_code else "TASK_STATE_COMPLETED"
    return _STATES.get(status, by_limit)


def to_timestamp(at: datetime) -> str:
    """Format a time as A2A does: UTC with microseconds and `Z`.

    >>> to_timestamp(datetime(2026, 3, 1, 12, 30, tzinfo=UTC))
    '2026-03-01T12:30:00.000000Z'
    """
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


class TaskEncoder:
    """Encodes a run as an A2A task. wrap: adds the binding's envelope to each frame."""

    trailer = b""
    to_bytes = staticmethod(to_data)

    def __init__(
        self, task_id: str, context_id: str, wrap: Callable[[Frame], Frame] = lambda frame: frame
    ) -> None:
        self._ids = {"taskId": task_id, "contextId": context_id}
        self._wrap = wrap
        self._text = ""
        self._is_void = True  # what comes next begins the answer (anew)
        self._has_begun = False
        self._waiting: dict[str, dict[str, Any]] = {}  # undecided requests, by their ids
        self.state: State = "TASK_STATE_SUBMITTED"
        self._said = ""  # why it stands as it does
        self.exchange: list[Frame] = []  # each question and its decision, as messages

    def encode(self, event: Event) -> list[Frame]:
        data = event["data"]
        frames: list[Frame] = []
        if not self._has_begun:
            self._has_begun = True
            self.state = "TASK_STATE_WORKING"
            frames.append({"task": self.build_task()})
        match event["event"]:
            case "text_delta":
                frames.append(self._append(data["content"]))
            case "text_reset":
                self._text, self._is_void = "", True
            case "approval_request":
                self._waiting[data["approval_id"]] = data
                self.state = "TASK_STATE_INPUT_REQUIRED"
                name = f"{data['approval_id']}-question"
                self.exchange.append(self.build_message(name, "ROLE_AGENT", data["question"]))
            case "approval_decision":
                self._waiting.pop(data["approval_id"], None)
                name = f"{data['approval_id']}-decision"
                self.exchange.append(self.build_message(name, "ROLE_USER", data["status"]))
                self.state = "TASK_STATE_WORKING"
            case "done":
                if self._text != data["content"]:
                    self._text, self._is_void = "", True
                    frames.append(self._append(data["content"]))
                frames.append(self._end("TASK_STATE_COMPLETED", ""))
            case "error":
                is_cancelled = data["code"] == _CANCELLED
                state: State = "TASK_STATE_CANCELED" if is_cancelled else "TASK_STATE_FAILED"
                frames.append(self._end(state, f"{data['message']} [{data['code']}]"))
            case _:
                pass
        return [self._wrap(frame) for frame in frames]

    def wait(self) -> list[Frame]:
        self.state = "TASK_STATE_INPUT_REQUIRED"
        return [self._wrap({"statusUpdate": {**self._ids, "status": self._build_status()}})]

    @property
    def is_waiting(self) -> bool:
        return bool(self._waiting)

    def reopen(self) -> list[Frame]:
        return [self._wrap({"task": self.build_task()})]

    def leave(self) -> list[Frame] | None:
        return None

    def build_task(self) -> Frame:
        """Build the A2A task in its current state."""
        task: Frame = {
            "id": self._ids["taskId"],
            "contextId": self._ids["contextId"],
            "status": self._build_status(),
        }
        if self._text:
            task["artifacts"] = [_build_artifact(self._text)]
        return task

    def build_message(self, name: str, role: str, text: str) -> Frame:
        """Build a message of the task's history. name: identifies it within the task."""
        said = {"messageId": f"{self._ids['taskId']}-{name}", "role": role, **self._ids}
        return {**said, "parts": [{"text": text}]}

    def _append(self, content: str) -> Frame:
        append, self._is_void = not self._is_void, False
        self._text += content
        update = {**self._ids, "artifact": _build_artifact(content), "append": append}
        return {"artifactUpdate": update}

    def _end(self, state: State, said: str) -> Frame:
        self.state, self._said = state, said
        self._waiting.clear()
        return {"statusUpdate": {**self._ids, "status": self._build_status()}}

    def _build_status(self) -> Frame:
        parts: list[Frame] = [{"text": self._said}] if self._said else []
        if self._waiting:
            asked = [
                {"approval_id": key, "question": data["question"], "tool": data["name"]}
                for key, data in self._waiting.items()
            ]
            parts = [{"text": data["question"]} for data in self._waiting.values()]
            parts.append({"data": {"approvals": asked}})
        if not parts:
            return {"state": self.state}
        message = {"messageId": f"{self._ids['taskId']}-{self.state}", "role": "ROLE_AGENT"}
        return {"state": self.state, "message": {**message, **self._ids, "parts": parts}}


def _build_artifact(text: str) -> Frame:
    return {"artifactId": ARTIFACT, "parts": [{"text": text}]}
