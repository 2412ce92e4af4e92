"""The neutral vocabulary: what a conversation, a model call and its answer are, for every provider.

`Message` and its parts are plain dicts (they are stored and travel); a request and a response
are records (they live for one call).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import Field, make_dataclass
from functools import cache
from itertools import chain, compress
from operator import attrgetter
from typing import Any, Final, Literal, NotRequired, Protocol, TypedDict, runtime_checkable

import msgspec

from .dataclasses import dataclass, field, replace

Role = Literal["user", "assistant", "tool"]
# other: for a reason that we do not know, which is told as the provider words it.
Stop = (
    Literal["end", "tool_use", "length", "stop_sequence", "refusal", "content_filter"]
    | Literal["pause", "error", "other"]
)
WhenBusy = Literal["reject", "enqueue", "interrupt"]
# For how long a prompt is to be cached: for the shorter of the model's lifetimes; its stable part
# (tools and instructions) for the longer; or all of it.
CacheFor = Literal["short", "stable", "long"]
UsageSource = Literal["provider", "estimated", "missing"]
# The token buckets, disjoint: fields of `Usage`, and columns wherever calls are counted.
# Disjoint, whatever a vendor's counts include: sums and prices need no vendor's rules then
# (tests/providers/test_wire_cases.py::test_ledger_sums_equal_the_wires_usage).
INPUT_BUCKETS: Final = (
    *("input_tokens", "cache_read_tokens"),
    *("cache_write_tokens", "cache_write_long_tokens"),  # by lifetime: each has a price of its own
)
OUTPUT_BUCKETS: Final = ("output_tokens", "reasoning_tokens")
TOKEN_BUCKETS: Final = (*INPUT_BUCKETS, *OUTPUT_BUCKETS)
NOT_BEGUN: Final = "not begun"  # the price version of a call that cost nothing
_make_plain: Final[Any] = cache(make_dataclass)


class _DataclassFields:
    """Reads a record's fields as those of a dataclass."""

    def __get__(self, record: object, kind: Any) -> dict[str, Field[Any]]:
        return _make_plain(kind.__name__, kind.__struct_fields__).__dataclass_fields__


class Record(msgspec.Struct, frozen=True):
    """A frozen struct that `dataclasses`' functions accept, 15 times as fast to make as theirs."""

    __dataclass_fields__ = _DataclassFields()  # no annotation: it is no field


class ProviderState(TypedDict):
    """Opaque data that a provider wants back byte for byte (signatures, reasoning items).

    Sent back only to the same provider and model; dropped, with a note in the ledger, to another.
    """

    provider: str
    model: str
    value: Any  # JSON; only the provider's own converters read it
    owner: NotRequired[str]  # address and account that issued it; missing: not known
    prefix: NotRequired[str]  # digest of the request before it, if the model binds it to that
    # The provider refused what this model's earlier messages hold: it is not sent again.
    refuses_earlier: NotRequired[Literal[True]]


class TextPart(TypedDict):
    type: Literal["text"]
    text: str
    is_untrusted: NotRequired[Literal[True]]  # made of rows that a tainted run wrote
    is_posted: NotRequired[Literal[True]]  # added by a client behind an answer
    is_json: NotRequired[Literal[True]]  # an object of the shape that was asked for
    ended_by: NotRequired[str]  # what ended it before its end; missing: nothing did
    stop_text: NotRequired[str]  # the stop sequence that did
    provider_state: NotRequired[ProviderState]


class Notice(TypedDict):
    """A text appended to a model request that is no message of the thread."""

    kind: Literal["feedback", "wrap_up", "prompt", "tools"]
    text: str  # what varies of it


class Notices(TypedDict):
    """Notices at the end of an answer's request; later requests of its epoch show them again."""

    worker: str
    start: int  # position of the first message that the request showed
    head: str  # digest of its system prompt and tools
    items: list[Notice]


class ReasoningPart(TypedDict):
    type: Literal["reasoning"]
    text: str  # "" where the provider redacts it
    provider_state: NotRequired[ProviderState]
    notices: NotRequired[Notices]  # of an empty part, before all others
    is_untrusted: NotRequired[Literal[True]]  # the notices, or the prompt that they change


class FunctionCall(TypedDict):
    """A tool call made by the model, with an `id` that is unique in the thread."""

    type: Literal["tool_call"]
    id: str
    name: str
    arguments: dict[str, Any]  # {} when `invalid_arguments` is set
    invalid_arguments: NotRequired[str]  # the raw text that was no JSON object: never executed
    is_cut: NotRequired[bool]  # the answer's token limit fell inside it: never executed
    provider_state: NotRequired[ProviderState]


class FunctionResponse(TypedDict):
    """A tool's result for the call with the same `id`."""

    type: Literal["tool_result"]
    id: str
    name: str
    result: Any  # JSON
    is_error: bool
    is_untrusted: NotRequired[Literal[True]]  # a client's word, which may be a page's
    outside: NotRequired[list[str]]  # fields, or paths, that others may have written; no others


class FilePart(TypedDict):
    """An image or a document in a user's message."""

    type: Literal["file"]
    media_type: str  # what its content is: "image/png", "application/pdf", "text/plain"
    data: str  # base64
    tokens: int  # our estimate of what a model takes for it
    name: NotRequired[str]


MessagePart = TextPart | ReasoningPart | FunctionCall | FunctionResponse | FilePart


class Message(TypedDict):
    """One message of a thread. A `tool` message holds the tool results of one assistant message."""

    role: Role
    parts: list[MessagePart]
    tokens: NotRequired[int]  # our estimate of its size; set once, by seal_messages
    offset: NotRequired[int]  # tokens of the thread before it; set once, by seal_messages


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as the model sees it. `parameters` is a JSON Schema with keys in stable order."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """JSON mode: the answer's text must be one JSON object of this shape; {}: any object."""

    name: str
    schema: dict[str, Any]


# How hard a model thinks: all levels that any vendor has; most models have some of them.
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """Whether a model must, may or must not call tools. name: the only one that it may call."""

    mode: Literal["none", "required"]
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Wishes:
    """Options that the client requested for its worker's model calls, and for no others."""

    system: str = ""  # stands below the pack's own prompt
    temperature: float | None = None
    max_tokens: int | None = None  # of one call
    stop: tuple[str, ...] = ()
    tool_choice: ToolChoice | None = None  # until a tool of the program's own was called
    parallel_tool_calls: bool | None = None
    output: JsonSchema | None = None
    sampling: Mapping[str, int | float] = field(default_factory=dict[str, int | float])
    effort: Effort | None = None

    @property
    def shapes_answer(self) -> bool:
        """Whether the options determine the answer's form, so that no fast path may answer."""
        # What remains shapes the answer; a preference does not, so a fast path may answer all the
        # same.
        other = replace(self, temperature=None, parallel_tool_calls=None, sampling={}, effort=None)
        return other != NO_WISHES


NO_WISHES: Final = Wishes()
EFFORT: Final = "reasoning_effort"  # as a preference that a client names, and a model may not take


@dataclass(frozen=True, slots=True)
class Wished:
    """Options of a run before its client changed them. until: the first step without them."""

    until: int
    wishes: Wishes = NO_WISHES


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options that the client requested for one run; they are stored in its row."""

    tags: tuple[str, ...] = ()  # by which usage is reported
    client_tools: tuple[ToolSchema, ...] = ()  # that whoever asks will answer
    # What its models think is told as events; None: as agent.reasoning says.
    tells_reasoning: bool | None = None
    tells_arguments: bool = False  # those of its tool calls as the models write them
    wishes: Wishes = NO_WISHES
    ignored: tuple[str, ...] = ()  # preferences that no model is told of
    chosen_model: str | None = None  # provider:model of its workers; None: as settings say
    trace_parent: str | None = None  # W3C's: the span of whoever asks, for traces

    @property
    def of_helpers(self) -> RunOptions:
        """Return the options of this run that also apply to its helpers' runs."""
        model, trace = self.chosen_model, self.trace_parent
        return RunOptions(tags=self.tags, chosen_model=model, trace_parent=trace)


NO_OPTIONS: Final = RunOptions()


class RunRequest(Record, frozen=True):
    """A client's message with options for its run: the input of `RunHost.submit`."""

    message: str | None  # None: a kick, the agent speaks first
    files: Sequence[FilePart] = ()
    idempotency_key: str | None = None  # the user's own; None: each request is a new run
    # What happens while the thread has an active run; `enqueue` lets this one follow, `interrupt`
    # cancels the active one first.
    when_busy: WhenBusy = "reject"
    design: str | None = None  # its name; None: the service's
    position: int | None = None  # the thread must end there, else it is busy; None: anywhere
    options: RunOptions = NO_OPTIONS
    # What two requests with one key are compared by; None: the message.
    fingerprint: str | None = None


class ChatRequest(Record, frozen=True):
    """One model call in a provider-neutral form.

    system: stable text first, changing text last. messages: a valid history (see core/history.py).
    """

    system: str
    messages: list[Message]
    tools: tuple[ToolSchema, ...] = ()
    json_schema: JsonSchema | None = None
    max_tokens: int = 8096
    temperature: float | None = None  # sent only when set, like top_p and others in `sampling`
    sampling: Mapping[str, int | float] = msgspec.field(default_factory=dict[str, int | float])
    stop: tuple[str, ...] = ()  # where the answer ends, if it says one of these
    tool_choice: ToolChoice | None = None  # None: the model's own
    parallel_tool_calls: bool = True
    effort: Effort | None = None  # how hard it shall think, as far as the model has levels
    is_effort_set: bool = False  # by a setting or a client: tried also where none are known
    shows_reasoning: bool = False  # ask for readable reasoning, where a model omits it by default
    cache_key: str | None = None  # same value = same expected prefix (the thread)
    cache_for: CacheFor = "short"
    answered_before: str | None = None  # the thread's last answer: why was its prompt not read?
    is_newest_passing: bool = False  # the newest message is in no later request: not cached
    # Longest silence between two reads. A run's is limits.model_timeout_s, whoever asks.
    timeout_s: float = 120.0
    # Told the server's own id of a streamed call when its answer's header is there, once.
    on_request_id: Callable[[str], None] | None = None


class Usage(Record, frozen=True):
    """Tokens of one model call in disjoint buckets. None: not reported by the provider."""

    input_tokens: int | None = None  # uncached
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None  # for the shorter lifetime, or one that is not known
    output_tokens: int | None = None  # without reasoning where the provider tells it apart
    reasoning_tokens: int | None = None  # None: unknown, then inside output_tokens
    raw: dict[str, Any] | None = None  # the provider's own object, untouched
    # missing: what is None here was not stated, or cannot be a count; whoever settles estimates it
    source: UsageSource = "provider"
    cache_write_long_tokens: int | None = None  # for the longer lifetime: an hour, 12 at OpenAI

    @property
    def buckets(self) -> dict[str, int | None]:
        """Return the token counts by name, such as cached input."""
        return {name: getattr(self, name) for name in TOKEN_BUCKETS}

    @property
    def input_total(self) -> int | None:
        """Return all input tokens, cached or not; None if nothing was reported."""
        read, written = self.cache_read_tokens, self.cache_write_tokens
        return sum_known(self.input_tokens, read, written, self.cache_write_long_tokens)

    @property
    def written_total(self) -> int | None:
        """Return the tokens written to caches of any lifetime."""
        return sum_known(self.cache_write_tokens, self.cache_write_long_tokens)

    @property
    def output_total(self) -> int | None:
        """Return all output tokens, reasoning included; None if nothing was reported."""
        return sum_known(self.output_tokens, self.reasoning_tokens)


def pick_buckets(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a ledger row's token counts, as keyword arguments of `Usage`."""
    return {name: row[name] for name in TOKEN_BUCKETS}


def sum_known(*buckets: int | None) -> int | None:
    """Add the token counts that are not None; None if all are."""
    # None, not 0: an unknown count is estimated, a zero is believed.
    return None if buckets.count(None) == len(buckets) else sum(filter(None, buckets))


class ToolCallDelta(TypedDict):
    """A piece of a tool call while the model writes it. The call counts once it is whole."""

    index: int  # the same for all pieces of one call of an answer
    id: str | None  # the provider's own; None: it gives none. The call itself may get another
    name: str
    content: str  # append to the arguments so far: JSON as text


class StreamDelta(msgspec.Struct, frozen=True):
    """A piece of a model's answer while it streams: text, reasoning, tool calls."""

    text: str = ""
    reasoning: str = ""
    calls: Sequence[ToolCallDelta] = ()

    @property
    def kinds(self) -> list[str]:
        """List which fields of the delta are set, such as text or calls."""
        return [*compress(self.__struct_fields__, _get_fields(self))]


_EMPTY: Final = StreamDelta()
_get_fields: Final = attrgetter(*StreamDelta.__struct_fields__)


def join_deltas(deltas: Sequence[StreamDelta]) -> StreamDelta:
    """Join the deltas of a streamed answer to one.

    >>> join_deltas([StreamDelta("a"), StreamDelta("b", "c")])
    StreamDelta(text='ab', reasoning='c', calls=())
    """
    # By the fields, not by their names: a field that was added later had been dropped here
    # (tests/providers/test_joined_reads.py::test_joining_delta_pieces_drops_no_field).
    columns: Any = zip(_get_fields(_EMPTY), *map(_get_fields, deltas), strict=True)
    joined: list[Any] = [
        "".join(values) if empty == "" else (*chain(*values),) for empty, *values in columns
    ]
    return StreamDelta(*joined)


class LLMResponse(Record, frozen=True):
    """A complete answer. `generate` returns it; `generate_stream` yields it last."""

    message: Message  # role assistant; parts in the order of arrival
    stop: Stop
    usage: Usage
    model: str  # the model that answered, as the provider names it
    stop_raw: str | None = None
    request_id: str | None = None
    response_id: str | None = None  # of the answer itself, in the provider's body
    refusal: str | None = None  # the refusal's text where the provider sends one apart
    notes: tuple[str, ...] = ()  # e.g. "dropped provider_state of openai"

    @property
    def text(self) -> str:
        """Return the answer's visible text, its parts joined."""
        return "".join([part["text"] for part in self.message["parts"] if part["type"] == "text"])

    @property
    def tool_calls(self) -> list[FunctionCall]:
        """Return the tool calls that the answer requests, in order."""
        return [part for part in self.message["parts"] if part["type"] == "tool_call"]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    id: str
    name: str
    ends: str | None = None  # the day it is shut down, as its provider writes it


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors from an embedding model: one per text, in their order."""

    vectors: list[list[float]]
    usage: Usage
    model: str  # the model that answered, as the provider names it


@runtime_checkable
class Embedder(Protocol):
    """Protocol of a provider that can embed texts, beside its chat."""

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        """Embed texts in one request. Raises: ModelError subclasses."""
        ...


# A protocol, not a base class: a third party's provider need not import ours.
class ChatProvider(Protocol):
    """A stateless client of one model at one provider, made by `create_provider`."""

    @property
    def provider(self) -> str:
        """Return the provider's name: "anthropic", "openai", …"""
        ...

    @property
    def model(self) -> str: ...

    async def generate(self, request: ChatRequest) -> LLMResponse:
        """Generate one answer in one piece.

        Raises: ModelError subclasses, classified; never an SDK's own class.
        """
        ...

    def generate_stream(self, request: ChatRequest) -> AsyncIterator[StreamDelta | LLMResponse]:
        """Yield an answer's deltas as they arrive, and at last the whole answer.

        Raises: ModelError subclasses. StreamCut when the provider's terminal event is missing;
        `partial` then holds what had arrived. Closing the iterator or cancelling the task closes
        the connection.
        """
        ...

    async def list_models(self) -> list[ModelInfo]:
        """List the provider's models, sorted by id."""
        ...


FastIntent = Literal["lookup", "count", "list"]

# `in` is a Python keyword, hence the functional form.
Tokens = TypedDict("Tokens", {"in": int, "out": int})


class Filter(TypedDict):
    """One condition of a fast query. `field` and `op` come from the entity's spec only."""

    field: str  # or "*" with `contains`: any lookup column; or "#" with `eq`: the row's id
    # `gte` of an enum: it has reached that value. `in`, `since`: a period (`base/time/periods`);
    # on an enum with a history, for when it reached the value of the other filter on that field.
    op: Literal["eq", "contains", "gte", "lte", "in", "since"]
    value: str | int | float | bool


class FastQuery(TypedDict):
    """A query of a fast path on one entity's table: its filters, order and limit."""

    filters: list[Filter]
    order_by: str | None  # a sortable field; None: the entity's default order
    descending: bool
    limit: int  # 0: none stated, the service's own limit holds


class Update(TypedDict, total=False):
    """A node's changes to the state: same keys, all optional."""

    messages: list[Message]
    success_criteria: str
    feedback: str
    fast_intent: FastIntent | None
    entity_type: str | None
    query: FastQuery | None
    result: Any
    tokens: Tokens
    data: dict[str, Any]
