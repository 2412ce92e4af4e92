"""What travels over `/ws/chat` and `/ws/onboarding`: one union of frames in each direction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, TypedDict, cast, get_args
from uuid import UUID

import msgspec
import orjson
from msgspec import Meta, Struct

from ...agent.errors import AgentError, ShapeError
from ...agent.events import Event, Reason, UsageEvent
from ..http.error_table import add_action, get_mapping, get_ws_code
from ..http.reading import decode_json, find_hint
from ..routes.shapes import NewMessage

LOCAL: Final = "local"
GROUP_CHARS: Final = 16_000  # of a frame of several pieces: clients refuse one that is too large
_PIECES: Final = ("text_delta", "reasoning_delta")


class MessageFrame(NewMessage, tag="message", forbid_unknown_fields=True):
    """Send a message, as over HTTP.

    On `/ws/onboarding` the conversation may be left out (the newest interview, or a first one), or
    be a new one of `POST /api/chat/conversations`, which then becomes an interview.
    """

    conversation_id: UUID | None = None
    idempotency_key: Annotated[str, Meta(min_length=1, max_length=255)] | None = None
    usage: bool = False  # also tell what each model call took


class KickFrame(Struct, tag="kick", forbid_unknown_fields=True):
    """Let the interviewer speak first (`/ws/onboarding`)."""

    conversation_id: UUID | None = None
    new: bool = False  # begin a further interview, where the pack holds several


class PingFrame(Struct, tag="ping", forbid_unknown_fields=True):
    pass


class CancelFrame(Struct, tag="cancel", forbid_unknown_fields=True):
    conversation_id: UUID


class ResumeFrame(Struct, tag="resume", forbid_unknown_fields=True):
    """Resume a run's events after the frame with this `seq`."""

    conversation_id: UUID
    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    run_id: UUID | None = None  # None: the active run, else the last one
    usage: bool = False


class ApproveFrame(Struct, tag="approve", forbid_unknown_fields=True):
    """Decide a pending approval; a decision is final."""

    run_id: UUID
    approval_id: UUID
    approve: bool
    reason: str = ""  # of a denial: the model is told


class OfRun(TypedDict, total=False):
    """The run and number of a frame; omitted in frames of no run."""

    run_id: str
    seq: int


class TextFrame(OfRun):
    """A piece of the answer, or of the model's reasoning."""

    type: Literal["token", "reasoning"]
    content: str


class TextResetFrame(OfRun):
    """The answer's text so far is void."""

    type: Literal["text_reset"]


class QueuedFrame(OfRun):
    """The run is queued for a slot."""

    type: Literal["queued"]
    place: int


class BranchFrame(OfRun):
    """The conversation with the answer: the message replaced another one in a branch."""

    type: Literal["branch"]
    conversation_id: str
    branch_of: str


class ToolArgumentsFrame(OfRun):
    """A piece of a tool call while the model writes it."""

    type: Literal["tool_arguments"]
    index: int
    tool_call_id: str | None
    tool_name: str
    content: str


class OfTool(OfRun):
    """The tool and the call that a frame is about."""

    tool_call_id: str
    tool_name: str
    source: Literal["local", "mcp"]
    timestamp: str  # ISO 8601


class ToolStartFrame(OfTool):
    """A tool is called."""

    type: Literal["tool_start"]
    tool_input: str  # JSON


class ToolCompleteFrame(OfTool):
    """The result of a tool call."""

    type: Literal["tool_complete"]
    tool_result: str


class ApprovalRequestFrame(OfRun):
    """The run waits until a user decides this call."""

    type: Literal["approval_request"]
    approval_id: str
    tool_call_id: str
    tool_name: str
    tool_input: str  # JSON
    question: str


class ApprovalFrame(OfRun):
    """The confirmation of an `approve` frame."""

    type: Literal["approval"]
    approval_id: str
    status: str


class UsageFrame(OfRun, UsageEvent):
    """The tokens and cost of one model call."""

    type: Literal["usage"]


class OnboardingCompleteFrame(OfRun):
    """The interview is over; the run's end follows."""

    type: Literal["onboarding_complete"]
    conversation_id: str


class CompleteFrame(OfRun):
    """The end of an answer."""

    type: Literal["complete"]
    message_id: str | None
    conversation_id: str


class Action(TypedDict):
    """The console screen that helps with an error."""

    screen: str  # `settings/models`: its address is `#/settings/models`
    label: str  # what the button says


class Helped(TypedDict, total=False):
    """Remedies for an error; each omitted if there is none."""

    hint: str  # what to do; only where a frame was refused
    action: Action


class ErrorFrame(OfRun, Reason, Helped):
    """The end of a failed answer, or the refusal of a frame."""

    type: Literal["error"]
    message: str
    code: str


class PongFrame(TypedDict):
    """Answers `ping`."""

    type: Literal["pong"]


ServerFrame = (
    TextFrame
    | TextResetFrame
    | QueuedFrame
    | BranchFrame
    | ToolArgumentsFrame
    | ToolStartFrame
    | ToolCompleteFrame
    | ApprovalRequestFrame
    | ApprovalFrame
    | UsageFrame
    | OnboardingCompleteFrame
    | CompleteFrame
    | ErrorFrame
    | PongFrame
)
ClientFrame = MessageFrame | KickFrame | PingFrame | CancelFrame | ResumeFrame | ApproveFrame
Frame = dict[str, Any]
_KINDS: Final = {kind.__struct_config__.tag: kind for kind in get_args(ClientFrame)}


def parse_frame(text: str | None) -> ClientFrame:
    """Parse a frame that a client sent over the WebSocket.

    A frame without `type` is a message. None: it was a binary one.

    Raises: ShapeError, INVALID_FORMAT.
    """
    if text is None:
        raise ShapeError("not a valid frame: it is binary: send JSON as text")
    value: Any = None
    try:
        value = decode_json(text.encode())
        if isinstance(value, dict):
            # The first clients sent no `type`: such a frame stays a message.
            value = {"type": "message", **cast("dict[str, Any]", value)}
        frame = msgspec.convert(value, ClientFrame)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        hint = None
        if isinstance(error, msgspec.ValidationError) and isinstance(value, dict):
            # msgspec names the unknown field, but not what it might have been.
            kind = _KINDS.get(str(cast("dict[str, Any]", value)["type"]))
            hint = find_hint(error, kind) if kind else None
        message = f"not a valid frame: {error}" + (f": {hint}" if hint else "")
        raise ShapeError(message) from error
    if isinstance(frame, MessageFrame) and not (frame.content or frame.files):
        if frame.replaces is None:
            raise ShapeError("not a valid frame: `content` is empty: write a question")
    if isinstance(frame, MessageFrame) and (frame.drafts is False or frame.wait == "close"):
        # Refused, not ignored: a client that cannot withdraw text would show a rejected draft.
        raise ShapeError(
            "not a valid frame: `drafts` and `wait` work only over HTTP: leave them out, and "
            "delete the shown text when text_reset arrives"
        )
    return frame


def join_pieces(events: Sequence[Event]) -> list[Event]:
    """Merge consecutive deltas of one kind into longer events.

    A merged event has the number of its last delta.

    >>> said = [{"seq": n, "event": "text_delta", "data": {"content": f"{n} "}} for n in (7, 8)]
    >>> join_pieces(said)
    [{'seq': 8, 'event': 'text_delta', 'data': {'content': '7 8 '}}]
    """
    joined: list[Event] = []
    for event in events:
        if joined and joined[-1]["event"] == event["event"] in _PIECES:
            content = joined[-1]["data"]["content"]
            # Bounded, since libraries close a socket at a frame beyond their limit (websockets: 1
            # MiB), and a tool's result may follow (test_merged_tokens_stay_below_their_bound).
            if len(content) < GROUP_CHARS:
                content += event["data"]["content"]
                joined[-1] = {**event, "data": {"content": content}}
                continue
        joined.append(event)
    return joined


def to_frame(event: Event, thread_id: str, message_id: str | None) -> Frame | None:
    """Convert an event to a WebSocket frame without `seq`, or to None if it is not sent.

    message_id: of the answer, for `complete`.
    """
    data = event["data"]
    match event["event"]:
        case "queued":
            return {"type": "queued", "place": data["place"]}
        case "text_delta":
            return {"type": "token", "content": data["content"]}
        case "reasoning_delta":
            return {"type": "reasoning", "content": data["content"]}
        case "text_reset":
            return {"type": "text_reset"}
        case "usage":
            return {"type": "usage", **data}
        case "tool_arguments_delta":
            called = {"tool_call_id": data["id"], "tool_name": data["name"]}
            return {
                "type": "tool_arguments",
                "index": data["index"],
                **called,
                "content": data["content"],
            }
        case "tool_start":
            tool_input = orjson.dumps(data["arguments"]).decode()
            return _make_tool_frame("tool_start", data, "tool_input", tool_input)
        case "tool_result":
            return _make_tool_frame("tool_complete", data, "tool_result", _to_text(data["result"]))
        case "tool_error":
            # The protocol has no frame for a failed tool: clients look at `status` of the result.
            failure = {"status": "error", "error": data["error"]}
            if isinstance(result := data.get("result"), dict):  # runs of before have none
                failure |= result
            return _make_tool_frame("tool_complete", data, "tool_result", _to_text(failure))
        case "approval_request":
            return {
                "type": "approval_request",
                "approval_id": data["approval_id"],
                "tool_call_id": data["id"],
                "tool_name": data["name"],
                "tool_input": orjson.dumps(data["arguments"]).decode(),
                "question": data.get("question", ""),
            }
        case "onboarding_complete":
            return {"type": "onboarding_complete", "conversation_id": thread_id}
        case "done":
            return {"type": "complete", "message_id": message_id, "conversation_id": thread_id}
        case "error":
            frame = {"type": "error", **data, "code": get_ws_code(data["code"])}
            return add_action(frame, data["code"])
        case _:
            return None


def to_error_frame(error: AgentError) -> Frame:
    """Convert an error outside of any run to a WebSocket error frame."""
    frame: Frame = {
        "type": "error",
        "message": error.public_message,
        "code": get_mapping(error).ws_code or error.code,
        **({"hint": error.hint} if error.hint else {}),
    }
    return add_action(frame, error.code)


def _make_tool_frame(kind: str, data: dict[str, Any], key: str, value: str) -> Frame:
    return {
        "type": kind,
        "tool_call_id": data["id"],
        "tool_name": data["name"],
        key: value,
        "source": data.get("source", LOCAL),
        "timestamp": datetime.now(UTC).isoformat(),
    }


def _to_text(result: Any) -> str:
    return result if isinstance(result, str) else orjson.dumps(result).decode()
