"""Records that the store takes and returns: runs, steps, ledger rows, tool calls, budgets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from ..base.copies import replace
from ..base.ids import make_id
from ..dataclasses import dataclass, field
from ..events import Event, Failed, RunEvent, ToolRequest
from ..types import (
    NO_OPTIONS,
    NOT_BEGUN,
    FunctionCall,
    Message,
    MessagePart,
    Record,
    RunOptions,
    Update,
    Usage,
)

RunStatus = Literal["queued", "running", "waiting", "succeeded", "failed", "cancelled", "limit"]
CallStatus = Literal["started", "succeeded", "failed", "cancelled", "cut"]
Effect = Literal["read", "write", "external"]
ApprovalStatus = Literal["pending", "approved", "denied", "expired", "consumed"]
ToolCallStatus = Literal[
    "planned", "approval", "started", "succeeded", "failed", "unknown", "denied", "interrupted"
]
Scope = Literal["tenant", "user", "run"]
Period = Literal["hour", "day", "month", "total"]

# Most events that an owner shows to its viewers before they are stored. Whoever takes the run over
# leaves out as many numbers, so that no number ever means two events.
SEQ_ROOM: Final = 1_000
LONG_THREAD: Final = 50  # messages; as many are read as quickly as one
# Begins the price version of a cost that the source of an import stated; then the source's name.
REPORTED: Final = "as reported by "
# Failures after which a provider may have charged something all the same.
_UNSURE: Final = frozenset({"MODEL_TIMEOUT", "STREAM_CUT"})


@dataclass(frozen=True, slots=True)
class Run:
    """A run as its owner holds it. Every write names `fence`: a paused owner writes nothing."""

    tenant_id: str
    user_id: str
    thread_id: str
    run_id: str
    owner: str
    fence: int
    attempt: int
    design: str
    pack: str
    input_position: int  # position of the user message that asked for this run
    next_seq: int = 1  # the next event's seq
    next_step: int = 0  # the next step's number
    used_s: float = 0.0  # how long its steps took before this owner; waiting is not in it
    is_resumed: bool = False  # somebody else had begun it
    options: RunOptions = field(default=NO_OPTIONS, compare=False)
    # The thread's `data` when the run began; None: to be read.
    thread_data: dict[str, Any] | None = field(default=None, compare=False)
    canary_id: str | None = None  # whose candidate answers; None: what is served
    # What came with its beginning, as `RunStart` asked for it; None: to be read.
    history: list[Message] | None = field(default=None, compare=False)
    templates: list[dict[str, Any]] | None = field(default=None, compare=False)
    prompt_read: dict[str, Any] | None = field(default=None, compare=False)  # by function


class RunStart(Record, frozen=True):
    """The request from which a run is begun or queued: message, thread, design, options."""

    user_id: str
    thread_id: str
    message: Message
    design: str
    pack: str
    idempotency_key: str | None = None
    request_hash: str | None = None  # what makes two requests with one key the same
    run_id: str = msgspec.field(default_factory=make_id)
    options: RunOptions = NO_OPTIONS
    position: int | None = None  # the thread must end there, else it is busy; None: anywhere
    title: str | None = None  # that the thread gets where it has none
    code: str | None = None  # fingerprint of what begins it; None: not a replica, or queued
    parts_name: str | None = None  # of its code part by part; None: not known
    # What is read with it, or None: so many tokens before it; what fits (plain text, first word);
    # what these functions of the pack give.
    history_tokens: int | None = None
    sentence: tuple[str, str] | None = None
    prompt_reads: tuple[str, ...] = ()
    max_open_runs: int | None = None  # the user's, with this one; None: any number


class AvoidedCall(Record, frozen=True):
    """A model call that a rule made unnecessary, with the reason and the tokens saved."""

    # classifier | router | worker | evaluator; tools | history | results: what one is shorter by
    role: str
    reason: str
    tokens: int  # estimated input tokens it would have cost


class Reserved(Record, frozen=True):
    """The maximum that a model call may use, reserved in the budgets that apply to it.

    output_tokens: the part of `tokens` that it may answer, and be asked to answer less; 0: what it
    is asked for stands fast. usual_output: so much is enough for most such calls.
    """

    tokens: int
    cost_usd: Decimal | None  # None: the price is not known
    output_tokens: int = 0
    usual_output: int = 0
    output_usd: Decimal = Decimal(0)  # of one of them

    def shrink(self, output_tokens: int) -> Reserved:
        """Return a copy of the reservation with a smaller maximum of output tokens and cost."""
        less = self.output_tokens - output_tokens
        cost = None if self.cost_usd is None else self.cost_usd - less * self.output_usd
        return replace(self, tokens=self.tokens - less, cost_usd=cost, output_tokens=output_tokens)


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit in tokens or USD on what its subject may use in a period.

    limit_tokens: all buckets, cached or not. None: no limit of that kind; one of both is set.
    """

    scope: Scope
    period: Period  # a run's is `total`
    limit_tokens: int | None
    limit_usd: Decimal | None
    is_hard: bool = True  # False: only tells
    user_id: str | None = None  # of scope user: None is each user's own
    budget_id: str = ""
    zone: str = "UTC"  # where its period begins, an IANA name


@dataclass(frozen=True, slots=True)
class Notice:
    """The message that a soft budget was passed or a hard one is nearly used up."""

    budget: Budget
    subject: str
    is_new: bool  # not told before in this period
    message: str


class Granted(Record, frozen=True):
    """The reservation that a model call got from its budgets, and notices to send."""

    reserved: Reserved
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class RecentThread:
    """A thread's latest calls of one model: times, input tokens, tokens read from the cache.

    called, answered: seconds since 1970. tokens: of all input. read: from the provider's cache.
    """

    called: Sequence[float]
    tokens: Sequence[int]
    read: Sequence[int | None]
    answered: Sequence[float]


@dataclass(frozen=True, slots=True)
class SentHead:
    """System prompt and tools (JSON; None for none) of a model request that run `run_id` made."""

    system: str
    tools: str | None
    run_id: str
    token_factor: float = 1.0  # what its history was cut by


class CallStart(Record, frozen=True):
    """The ledger row of one provider attempt, written before the call.

    But for what is reserved, its fields have the names of the columns; `fence` is checked.
    Meta, here and in `CallSettled`: what reports show of it (usage/ledger_columns.py).
    """

    tenant_id: Annotated[str, Meta(extra={"by": "tenant", "sums": "hdr"})]
    call_id: str
    user_id: Annotated[str, Meta(extra={"by": "user", "sums": "dr"})]
    thread_id: Annotated[str | None, Meta(extra={"by": "thread", "sums": "r", "kind": "uuid"})]
    run_id: Annotated[str | None, Meta(extra={"by": "run", "sums": "r", "kind": "uuid"})]
    step: int | None
    node: Annotated[str, Meta(extra={"by": "node", "sums": "hd"})]
    worker: Annotated[str | None, Meta(extra={"by": "worker", "sums": "hd"})]
    # classifier | router | worker | evaluator | parser | embedding
    role: Annotated[str, Meta(extra={"by": "role", "sums": "hd"})]
    attempt: int  # 1, 2 … within one logical call
    provider: Annotated[str, Meta(extra={"by": "provider", "sums": "hd"})]
    model: str
    estimated_input_tokens: int
    fingerprint: str  # sha256 of the canonical request
    system_hash: str | None  # → prompt_texts
    tools_hash: str | None  # → prompt_texts
    first_position: int | None  # messages the request showed: thread positions, inclusive
    last_position: int | None
    extra_messages: list[Message] | None = None  # request messages that are not in the thread
    token_factor: float = 1.0  # the model's tokens per estimated one, when the history was cut
    replay_id: str | None = None  # the replay that buys it
    fence: int | None = None  # the run's, as its owner holds it; None: of no run
    processing: Literal["batch"] | None = None  # by a provider's batch API; None: at once
    # As it is sent; None: the model's own.
    effort: Annotated[str | None, Meta(extra={"by": "effort", "sums": "hd"})] = None
    reserved: Reserved | None = None  # the most it may take; None: not known, or no budget holds it


class CallSettled(Record, frozen=True):
    """The outcome of one provider attempt, written into its ledger row after the call."""

    call_id: str
    tenant_id: str
    status: CallStatus
    usage: Usage
    duration_ms: int
    model_answered: str | None = None
    request_id: str | None = None
    first_token_ms: int | None = None
    stop: str | None = None
    error_code: str | None = None
    error_message: str | None = None  # why, in the provider's words: not for users
    cost_usd: str | None = None  # decimal text; None: the price is unknown, never 0
    price_version: str | None = None
    response: dict[str, Any] | None = None  # for replay; None: it is the step's message
    notes: tuple[str, ...] = ()
    # For traces, not kept: the answer's own id, and where it was asked for.
    response_id: str | None = None
    base_url: str | None = None

    @property
    def took_nothing(self) -> bool:
        """Whether the provider did nothing for the call, because it refused or was not reached."""
        is_free = is_free_failure(self.status, self.error_code)
        return is_free and all(count is None for count in self.usage.buckets.values())


def is_free_failure(status: str, error_code: str | None) -> bool:
    """Whether a model call with this outcome certainly cost nothing."""
    return status == "failed" and error_code not in _UNSURE


def price_nothing(call: CallSettled) -> CallSettled:
    """Set a model call's cost to 0 if the provider did no work for it."""
    if not call.took_nothing:
        return call
    return replace(call, cost_usd="0", price_version=NOT_BEGUN)


def leave_open(call: CallSettled) -> CallSettled:
    """Mark a cancelled call as cut, because another process continues its run."""
    if call.status != "cancelled":
        return call
    return replace(call, status="cut", error_code="INTERRUPTED")


class ToolCallRecord(Record, frozen=True):
    """One tool call's outcome in this step. The result itself is in the step's tool message."""

    tool_call_id: str
    index: int  # place among the calls of its assistant message
    name: str
    effect: Effect
    status: ToolCallStatus
    arguments: dict[str, Any]
    duration_ms: int
    idempotency_key: str
    # What somebody outside gave, beside the result: server, tool, bytes, sha256; {} for our own.
    receipt: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    started_at: datetime | None = None  # None: not known


def undo_effect(call: ToolCallRecord) -> ToolCallRecord:
    """Return a tool call's record, marked as interrupted if its write was rolled back.
    One that was denied or failed keeps its status: it changed nothing before the rollback either.
    """
    is_undone = call.effect == "write" and call.status == "succeeded"
    return replace(call, status="interrupted") if is_undone else call


class StepCommit(Record, frozen=True):
    """All that one step writes, in one transaction."""

    n: int
    node: str
    update: Update  # with its sealed messages
    next_node: str
    started_at: datetime
    duration_ms: int
    calls: tuple[CallSettled, ...] = ()
    tool_calls: tuple[ToolCallRecord, ...] = ()
    avoided: tuple[AvoidedCall, ...] = ()
    notes: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    end: RunEnd | None = None  # of the run's last step: it ends in the same transaction
    learned: tuple[dict[str, Any], ...] = ()  # by triage: see `learned.votes`
    before: Message | None = None  # the run's last message before the step; None: not known


class RunEnd(Record, frozen=True):
    """How a run ended. The error fields are None when it succeeded."""

    status: RunStatus
    error_code: str | None = None
    error_message: str | None = None
    reason: str | None = None  # which limit it was: all of them have one message

    def to_event(self) -> RunEvent:
        """Build the event `error`, with which a run without an answer ends."""
        event: Failed = {"message": self.error_message or "", "code": self.error_code or ""}
        if self.reason:
            event["reason"] = self.reason
        return {"event": "error", "data": event}

    def to_stored_event(self, seq: int) -> Event:
        """Build the numbered event `error` with which a run that has no owner ends."""
        event = self.to_event()
        return {"seq": seq, "event": event["event"], "data": {**event["data"]}}


@dataclass(frozen=True, slots=True)
class LastWords:
    """Messages, calls, tool calls and events stored when a run ends outside a step."""

    messages: Sequence[Message] = ()  # sealed
    calls: Sequence[CallSettled] = ()
    tool_calls: Sequence[ToolCallRecord] = ()
    events: Sequence[Event] = ()
    notes: Sequence[str] = ()
    step: int | None = None  # whose tool calls they are; None: the next


NOTHING: Final = LastWords()


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A tool call for which a run suspends: an approval to request, or a client's own tool."""

    approval_id: str
    call: FunctionCall
    question: str  # for people: what they agree to
    is_client: bool = False  # nobody is asked: the client makes the call

    def to_event(self, expire_s: float) -> RunEvent:
        """Build the event that requests an approval, or a tool call by the client."""
        call = self.call
        request: ToolRequest = {
            "id": call["id"],
            "name": call["name"],
            "arguments": call["arguments"],
            "expires_s": expire_s,
        }
        if self.is_client:
            return {"event": "tool_request", "data": request}
        return {
            "event": "approval_request",
            "data": {"approval_id": self.approval_id, **request, "question": self.question},
        }


@dataclass(frozen=True, slots=True)
class WaitStart:
    """The data stored when a run suspends. asked: the new approval requests."""

    step: int
    asked: Sequence[ApprovalRequest]
    expire_s: float
    tool_calls: Sequence[ToolCallRecord]
    events: Sequence[Event]


@dataclass(frozen=True, slots=True)
class Approval:
    """An approval request for one tool call with exact arguments, and its decision."""

    approval_id: str
    run_id: str
    thread_id: str
    user_id: str
    tool_call_id: str
    tool_name: str
    arguments: dict[str, Any]
    arguments_hash: str
    question: str  # for people: what they agree to
    status: ApprovalStatus
    decided_by: str | None  # None: nobody yet
    decided_at: datetime | None
    expires_at: datetime
    created_at: datetime
    is_client: bool = False
    answer: dict[str, Any] | None = None  # a client's own tool gave: {result, is_error}
    reason: str | None = None  # why it was denied, in the person's words
    title: str | None = None  # of its conversation, where approvals of several are listed


@dataclass(frozen=True, slots=True)
class ThreadInfo:
    """A thread as lists and pages show it. `messages`: how many; `data`: the pack's fields."""

    thread_id: str
    user_id: str
    title: str
    pack: str
    kind: str  # chat | onboarding | parse
    messages: int
    created_at: datetime
    updated_at: datetime
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    model: str | None = None  # that its user has chosen: provider:model
    last_status: RunStatus | None = None  # of its newest run, as lists tell it; so are the next:
    is_pinned: bool = False
    labels: list[str] = field(default_factory=list[str])
    asked: int = 0  # messages of its user
    hit: list[MessagePart] | None = None  # of the newest message that has the searched text


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A run as lists and pages show it."""

    run_id: str
    thread_id: str
    user_id: str
    status: RunStatus
    design: str
    pack: str
    attempt: int
    input_position: int
    error_code: str | None
    error_message: str | None
    notes: tuple[str, ...]  # of the step in which it ended early: which limit, what was tried
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class StepInfo:
    """A recorded step as `explain` shows it."""

    n: int
    node: str
    next_node: str
    update: Update  # messages included
    notes: tuple[str, ...]
    avoided: tuple[AvoidedCall, ...]
    started_at: datetime
    duration_ms: int


@dataclass(frozen=True, slots=True)
class CallInfo:
    """A ledger row as reports read it. Token buckets are disjoint; None = not stated."""

    call_id: str
    run_id: str | None
    step: int | None
    node: str
    worker: str | None
    role: str
    attempt: int
    provider: str
    model: str
    model_answered: str | None
    status: CallStatus
    usage: Usage
    estimated_input_tokens: int
    cost_usd: str | None
    first_token_ms: int | None
    duration_ms: int | None
    request_id: str | None
    stop: str | None
    error_code: str | None
    error_message: str | None  # why, in the provider's words: not for users
    notes: tuple[str, ...]
    created_at: datetime
    most_usd: str | None = None  # what it cost at most, known before it was made
    effort: str | None = None  # as it was sent; None: the model's own
