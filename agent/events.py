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
    """One line of a run's log."""

    seq: int  # 1, 2, 3 … within the run; a new owner leaves numbers out, see `store_events`
    event: str  # one of EVENT_NAMES
    data: dict[str, Any]  # shape by `event`, below


class Queued(TypedDict):
    """The run waits for its turn: this process works on as many as it may at once."""

    place: int  # 1: the next; told again, now and then, when it is another


class RunStart(TypedDict):
    """A process begins to work on the run; again after another one took it up."""

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
    """Tells that what was shown of the answer so far is void."""

    reason: str  # the text so far is void: a retry starts it again


class ReasoningDelta(TypedDict):
    """A piece of what the model thought before it spoke: only where the run was asked to tell it.
    It is no part of the answer, and nothing takes it back.
    """

    content: str


class Foreign(TypedDict, total=False):
    """Says whose tool it is, where it is none of a pack's own."""

    source: Literal["local", "mcp"]


class ToolStart(Foreign):
    """A tool is called."""

    id: str
    name: str
    arguments: dict[str, Any]


class ToolResult(Foreign):
    """Tells what the tool gave."""

    id: str
    name: str
    result: Any


class WholeFailure(Foreign, total=False):
    """Tells all that a failed tool said; runs of before have one line only."""

    result: Any  # such as the values that would be valid


class ToolFailed(WholeFailure):
    """Tells what went wrong with the tool; the model is told the same."""

    id: str
    name: str
    error: str  # in one line


class UsageParts(TypedDict, total=False):
    """Tells parts of a usage; runs of before have none. None: not stated."""

    cache_read_tokens: int | None  # part of the input
    cache_write_tokens: int | None  # part of the input
    reasoning_tokens: int | None  # part of the output
    cost_usd: str | None  # decimal text; None: the price is not known


class UsageEvent(UsageParts):
    """Tells what one model call took."""

    node: str
    provider: str
    model: str
    input_tokens: int | None  # all input, cached or not; None: the provider did not say
    output_tokens: int | None  # all output, reasoning included
    source: str  # provider | estimated | missing


class ApprovalRequest(TypedDict):
    """The run waits until a person decides about this call, or the time is up."""

    approval_id: str
    id: str  # of the tool call that waits for it
    name: str
    arguments: dict[str, Any]
    question: str  # for people: "Delete #7 Cook at Cafe Uno?"
    expires_s: float  # seconds from now on


class ApprovalDecision(TypedDict):
    """Tells what came of the request; the run goes on with it."""

    approval_id: str
    id: str  # of the tool call
    status: str  # approved | denied | expired; consumed: the call was made already


class ToolRequest(TypedDict):
    """The run waits until the client, whose tool this is, says what the call gave."""

    id: str
    name: str
    arguments: dict[str, Any]
    expires_s: float  # seconds from now on


class BudgetNotice(TypedDict):
    """Once per period: a soft budget was passed, a hard one is nearly used up."""

    budget_id: str
    is_hard: bool
    message: str


class HelperUpdate(TypedDict):
    """Tells what happens in the run of a helper, which a tool call of this run began."""

    id: str  # of the tool call
    run_id: str  # the helper's own
    worker: str
    event: str  # one of these events, as the helper's own log has it whole
    data: dict[str, Any]  # of it, in short


class OnboardingComplete(TypedDict):
    """The interview is over; the run's end follows."""


class Shaped(TypedDict, total=False):
    """Tells of an answer what its text does not."""

    output: dict[str, Any]  # the same as an object, where its shape was asked for
    # What ended it before its end: a `Stop`, or the provider's own word; missing: nothing did.
    ended_by: str
    stop_text: str  # the stop sequence that did


class Done(Shaped):
    """The run has succeeded; the last event."""

    content: str  # the full answer


class Reason(TypedDict, total=False):
    """Tells what a message that is always the same does not say."""

    reason: str  # such as: the same tool call was made 3 times in a row


class Failed(Reason):
    """The run ended in another way; the last event."""

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
EVENT_NAMES: Final[tuple[str, ...]] = tuple(
    get_args(get_type_hints(shape)["event"])[0] for shape in get_args(RunEvent)
)
