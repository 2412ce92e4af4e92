"""The event vocabulary of a run: one internal log, thin encoders (SSE, WebSocket, terminal).

A run's stream is a list of `Event`; `seq` starts at 1 and grows by one; exactly one of
`done` and `error` is in it, and it is the last. A run that another process took up goes on with
`text_reset`, and with a number that its first owner cannot have used.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypedDict, get_args, get_type_hints

from .types import ToolCallDelta

TERMINAL: frozenset[str] = frozenset({"done", "error"})
# Where one is the newest event, the run waits for its user.
WAITING: frozenset[str] = frozenset({"approval_request", "tool_request"})


class Event(TypedDict):
    """An event of a run's log, with its number and data."""

    seq: int  # 1, 2, 3 … within the run; a new owner leaves numbers out, see `store_events`
    event: str  # one of EVENT_NAMES
    data: dict[str, Any]  # shape by `event`, below


class Queued(TypedDict):
    """The run is queued for a slot; `place` 1 is the next."""

    place: int  # 1: the next; told again, now and then, when it is another


class RunStart(TypedDict):
    """A process begins to execute the run; sent again after a takeover."""

    run_id: str
    thread_id: str
    provider: str
    model: str


class NodeStart(TypedDict):
    """A step begins."""

    step: int
    node: str


class NodeEnd(TypedDict):
    """A step is stored."""

    step: int
    node: str
    next: str


class TextDelta(TypedDict):
    """A piece of the answer."""

    content: str  # append to the text so far


class TextReset(TypedDict):
    """The answer's text so far is void."""

    reason: str  # the text so far is void: a retry starts it again


class ReasoningDelta(TypedDict):
    """A piece of the model's reasoning; only if the run requested reasoning.
    It is no part of the answer, and nothing takes it back.
    """

    content: str


class Foreign(TypedDict, total=False):
    """The MCP server of a tool that no pack defines."""

    source: Literal["local", "mcp"]


class ToolStart(Foreign):
    """A tool is called."""

    id: str
    name: str
    arguments: dict[str, Any]


class ToolResult(Foreign):
    """The result of a tool call."""

    id: str
    name: str
    result: Any


class WholeFailure(Foreign, total=False):
    """The whole text of a tool's failure; older runs have only one line."""

    result: Any  # such as the values that would be valid


class ToolFailed(WholeFailure):
    """A tool call failed; the model reads the same text."""

    id: str
    name: str
    error: str  # in one line


class UsageParts(TypedDict, total=False):
    """Parts of a usage; older runs have none. None: not reported."""

    cache_read_tokens: int | None  # part of the input
    cache_write_tokens: int | None  # part of the input
    reasoning_tokens: int | None  # part of the output
    cost_usd: str | None  # decimal text; None: the price is not known


class UsageEvent(UsageParts):
    """The tokens and cost of one model call."""

    node: str
    provider: str
    model: str
    input_tokens: int | None  # all input, cached or not; None: the provider did not say
    output_tokens: int | None  # all output, reasoning included
    source: str  # provider | estimated | missing


class ApprovalRequest(TypedDict):
    """The run waits until a user decides this call, or the approval expires."""

    approval_id: str
    id: str  # of the tool call that waits for it
    name: str
    arguments: dict[str, Any]
    question: str  # for people: "Delete #7 Cook at Cafe Uno?"
    expires_s: float  # seconds from now on


class ApprovalDecision(TypedDict):
    """The decision on an approval request; the run continues."""

    approval_id: str
    id: str  # of the tool call
    status: str  # approved | denied | expired; consumed: the call was made already


class ToolRequest(TypedDict):
    """The run waits until the client sends the result of its own tool's call."""

    id: str
    name: str
    arguments: dict[str, Any]
    expires_s: float  # seconds from now on


class BudgetNotice(TypedDict):
    """A soft budget was exceeded or a hard one is nearly used up; once per period."""

    budget_id: str
    is_hard: bool
    message: str


class HelperUpdate(TypedDict):
    """An update on the run of a helper that a tool call of this run began."""

    id: str  # of the tool call
    run_id: str  # the helper's own
    worker: str
    event: str  # one of these events, as the helper's own log has it whole
    data: dict[str, Any]  # of it, in short


class OnboardingComplete(TypedDict):
    """The interview is over; the run's end follows."""


class Shaped(TypedDict, total=False):
    """The parts of an answer beside its text: JSON output, and an early end."""

    output: dict[str, Any]  # the same as an object, where its shape was asked for
    # What ended it before its end: a `Stop`, or the provider's own word; missing: nothing did.
    ended_by: str
    stop_text: str  # the stop sequence that did


class Done(Shaped):
    """The run has succeeded; the last event."""

    content: str  # the full answer


class Reason(TypedDict, total=False):
    """The reason behind an error's fixed public message."""

    reason: str  # such as: the same tool call was made 3 times in a row


class Failed(Reason):
    """The run ended without success (error, cancellation, limit); the last event."""

    message: str
    code: str


class QueuedEvent(TypedDict):
    event: Literal["queued"]
    data: Queued


class RunStartEvent(TypedDict):
    event: Literal["run_start"]
    data: RunStart


class NodeStartEvent(TypedDict):
    event: Literal["node_start"]
    data: NodeStart


class NodeEndEvent(TypedDict):
    event: Literal["node_end"]
    data: NodeEnd


class TextDeltaEvent(TypedDict):
    event: Literal["text_delta"]
    data: TextDelta


class TextResetEvent(TypedDict):
    event: Literal["text_reset"]
    data: TextReset


class ReasoningDeltaEvent(TypedDict):
    event: Literal["reasoning_delta"]
    data: ReasoningDelta


class ToolArgumentsEvent(TypedDict):
    event: Literal["tool_arguments_delta"]  # only where the run was asked to tell it
    data: ToolCallDelta


class ToolStartEvent(TypedDict):
    event: Literal["tool_start"]
    data: ToolStart


class ToolResultEvent(TypedDict):
    event: Literal["tool_result"]
    data: ToolResult


class ToolErrorEvent(TypedDict):
    event: Literal["tool_error"]
    data: ToolFailed


class UsageReportEvent(TypedDict):
    event: Literal["usage"]
    data: UsageEvent


class ApprovalRequestEvent(TypedDict):
    event: Literal["approval_request"]
    data: ApprovalRequest


class ApprovalDecisionEvent(TypedDict):
    event: Literal["approval_decision"]
    data: ApprovalDecision


class ToolRequestEvent(TypedDict):
    event: Literal["tool_request"]
    data: ToolRequest


class BudgetEvent(TypedDict):
    event: Literal["budget"]
    data: BudgetNotice


class HelperEvent(TypedDict):
    event: Literal["helper"]
    data: HelperUpdate


class OnboardingCompleteEvent(TypedDict):
    event: Literal["onboarding_complete"]
    data: OnboardingComplete


class DoneEvent(TypedDict):
    event: Literal["done"]
    data: Done


class ErrorEvent(TypedDict):
    event: Literal["error"]
    data: Failed


# What is told where it happens: `emit({"event": "text_delta", "data": {"content": "Hi"}})`. Stored
# and shown it has a number as well, and is an `Event`.
RunEvent = (
    QueuedEvent
    | RunStartEvent
    | NodeStartEvent
    | NodeEndEvent
    | TextDeltaEvent
    | TextResetEvent
    | ReasoningDeltaEvent
    | ToolArgumentsEvent
    | ToolStartEvent
    | ToolResultEvent
    | ToolErrorEvent
    | UsageReportEvent
    | ApprovalRequestEvent
    | ApprovalDecisionEvent
    | ToolRequestEvent
    | BudgetEvent
    | HelperEvent
    | OnboardingCompleteEvent
    | DoneEvent
    | ErrorEvent
)
# Read from the types: an event name without a type could be emitted, but no viewer could show it
# (tests/machine/test_happy_path.py::test_every_event_has_a_declared_type).
EVENT_NAMES: Final[tuple[str, ...]] = tuple(
    get_args(get_type_hints(shape)["event"])[0] for shape in get_args(RunEvent)
)
