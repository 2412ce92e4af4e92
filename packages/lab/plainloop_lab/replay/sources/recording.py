"""A turn as it was recorded: every model answer, every tool result, every step, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plainloop.agent.base.messages.contents import list_calls
from plainloop.agent.core.state import END
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.types import FunctionResponse, LLMResponse, Message, Usage

from .conversations import Turn

SOURCE_MODEL = "recorded"


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """A recorded model answer, with its request.

    fingerprint: of the request (`fingerprint_request`); None where the source kept none, then the
    request is held against the conversation itself. request: what is known of it, for a diff.
    step: in which it was given; None: not known.
    """

    response: LLMResponse
    fingerprint: str | None = None
    request: dict[str, Any] | None = None
    token_factor: float = 1.0  # what the history was cut by
    step: int | None = None


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One step. is_whole: the update is all that the step wrote, not only what is known of it."""

    node: str
    update: dict[str, Any]
    next_node: str
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """The recording of one turn. is_complete: it goes on to the turn's end.

    ends_by_limit: a limit was that end.

    problems: by step, what the deterministic check of an evaluator found then. error: the code of
    what ended it early. asked: the tool calls that a person was asked about; None: not known.
    """

    user: Message
    answers: tuple[RecordedAnswer, ...]
    results: dict[str, FunctionResponse]  # by tool call id
    steps: tuple[RecordedStep, ...]
    is_complete: bool
    ends_by_limit: bool = False
    problems: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    error: str | None = None
    asked: frozenset[str] | None = None


def build_react_turn(turn: Turn) -> RecordedTurn:
    """Build an imported turn's recording under the `react` design: a step per message."""
    answers: list[RecordedAnswer] = []
    steps: list[RecordedStep] = []
    results: dict[str, FunctionResponse] = {}
    for message in turn.recorded:
        if message["role"] == "assistant":
            answers.append(RecordedAnswer(_to_response(message)))
            next_node = "react.tools" if list_calls(message) else END
            steps.append(RecordedStep("react", {"messages": [message]}, next_node))
            continue
        results |= {part["id"]: part for part in message["parts"] if part["type"] == "tool_result"}
        steps.append(RecordedStep("react.tools", {"messages": [message]}, "react"))
    return RecordedTurn(turn.user, tuple(answers), results, tuple(steps), turn.is_answered)


def _to_response(message: Message) -> LLMResponse:
    """Convert a recorded answer to a model's response without usage, which the source lacks.

    Calls with unreadable arguments count as executed, since the recording has their results.
    """
    parts: Any = [
        {key: value for key, value in part.items() if key != "invalid_arguments"}
        for part in message["parts"]
    ]
    stop = "tool_use" if list_calls(message) else "end"
    usage = Usage(source="missing")
    return LLMResponse({"role": "assistant", "parts": parts}, stop, usage, SOURCE_MODEL)


def to_visible(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return what two replays' messages are compared by: roles and parts.

    Notices, the provider's state and flags are left out.
    """
    hidden = ("provider_state", "invalid_arguments", "is_error")
    return [
        {
            "role": message["role"],
            "parts": [
                {key: value for key, value in part.items() if key not in hidden}
                for part in message["parts"]
                if "notices" not in part
            ],
        }
        for message in messages
    ]
