"""The JSON that the core's routes take and give. These types are also what OpenAPI is made from."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from ...agent.base.messages.files import ToldFile, read_files
from ...agent.base.text.cleaning import MAX_TAGS, TAG_PATTERN
from ...agent.config.settings import Settings
from ...agent.store.api import MessageStatus
from ...agent.store.approvals import MAX_DENIAL_CHARS
from ...agent.store.outcomes.ratings import Rating
from ...agent.store.records import RunStatus
from ...agent.types import RunOptions, RunRequest, WhenBusy
from ...agent.usage.dimensions import FILTERS, PARAMETERS, Dimension

Label = Annotated[str, Meta(min_length=1, max_length=60)]
Tags = Annotated[list[Annotated[str, Meta(pattern=TAG_PATTERN)]], Meta(max_length=MAX_TAGS)]
Id = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Title = Annotated[str, Meta(max_length=200, examples=["Jobs in Cologne"])]
MessageText = Annotated[str, Meta(examples=["how many jobs do I have?"])]
ModelName = Annotated[
    str, Meta(max_length=200, examples=["openai:gpt-6.1-terra"])
]  # provider:model
Position = Annotated[int, Meta(ge=0, le=2**31 - 1)]  # of a message in its conversation


class NewConversation(Struct, forbid_unknown_fields=True):
    title: Title = ""  # "": its first message will be its title
    model: ModelName | None = None  # that answers in it; None: the service's own


class ConversationChange(Struct, forbid_unknown_fields=True):
    """Changes a conversation; omitted fields are unchanged."""

    title: Annotated[str, Meta(min_length=1, max_length=200)] | UnsetType = UNSET
    model: ModelName | UnsetType | None = UNSET  # null: the service's own
    is_pinned: bool | UnsetType = UNSET
    labels: list[Label] | UnsetType = UNSET


class Conversation(Struct):
    id: Id
    user_id: str
    title: str
    pack: str
    kind: Literal["chat", "onboarding", "parse"]
    model: str | None  # that its user has chosen; None: the service's own
    message_count: int
    created_at: datetime
    updated_at: datetime  # when the user last wrote


class NewBranch(Struct, forbid_unknown_fields=True):
    before: Position | None = None  # of a message, or of the answer to it; None: all is copied


class ConversationFacts(Struct):
    """Models, cost and problems of a conversation's answers."""

    models: list[str]  # of its workers
    cost_usd: str | None  # None: of no call known
    tool_failed: bool
    rated_bad: bool
    versions: int  # of a branched conversation, all that are left; else 1
    max_user_messages: int  # in the longest version


class ListedConversation(Conversation):
    last_status: RunStatus | None  # of its newest run
    is_pinned: bool
    labels: list[str]
    user_message_count: int
    hit: str | None  # with `text`: the words around it in a message; None: it is in the title
    facts: ConversationFacts | UnsetType = UNSET  # with `facts`


class LabelCount(Struct):
    label: str
    conversations: int


class Labels(Struct):
    labels: list[LabelCount]


class VersionsOfMessage(Struct):
    """The messages at one position in the branches of a conversation."""

    position: int
    conversation_ids: list[Id]  # one that has each version, the oldest version first
    at: int  # which of them this conversation has


class ConversationPage(Struct):
    conversations: list[ListedConversation]
    next_cursor: str | None  # None: this is the last page


class PageQuery(Struct):
    """Chooses a page of conversations. From `tag` on, all is of one and the same run; a tag may
    also be the conversation's.
    """

    limit: Annotated[int, Meta(ge=1)] = 20
    cursor: str | None = None
    # Words in title and one message; of other users in the title alone.
    text: Annotated[str, Meta(max_length=200)] = ""
    user_id: str | None = None  # another one's, or "*": for admins
    since: datetime | None = None  # begun since then; without a zone: UTC
    until: datetime | None = None
    tag: str | None = None
    design: str | None = None
    status: RunStatus | None = None
    worker: str | None = None  # that answered
    tool: str | None = None  # that was called
    intent: Literal["lookup", "count", "list"] | None = None  # answered by this fast path
    branches: Literal["all", "newest"] = "all"  # newest: of matching branches, the last used
    kind: Literal["chat", "all"] = "chat"  # all: and interviews
    is_pinned: bool | None = None
    label: str | None = None
    # tool: a tool failed; rating: an answer was rated bad; run: it failed or met a limit.
    problem: Literal["tool", "rating", "run"] | None = None
    model: str | None = None  # that was called
    facts: bool = False  # with each conversation's models, cost and problems


class EraseQuery(Struct):
    branches: Literal["one", "all"] = "one"  # all: and every conversation branched with it


class MessagesQuery(Struct):
    limit: Annotated[int, Meta(ge=1)] = 100
    before: Position | None = None


class ShownMessage(Struct):
    """One message; reasoning and providers' own data are not shown."""

    id: Id
    position: int
    role: Literal["user", "assistant", "tool"]
    content: str  # its text
    output: dict[str, Any] | None  # of an answer that is an object: it; content is its JSON
    parts: list[dict[str, Any]]  # text, tool_call and tool_result in order
    status: MessageStatus  # superseded: a draft, which a review sent back
    run_id: Id | None
    created_at: datetime


class ConversationDetail(Struct):
    conversation: Conversation
    messages: list[ShownMessage]  # the newest ones, oldest first
    ratings: list[Rating]  # what its user thought of answers, by run
    has_earlier: bool  # more with ?before=<position of the first one>
    active_run_id: Id | None
    versions: list[VersionsOfMessage] = []  # where it was branched


class NewFile(Struct, forbid_unknown_fields=True):
    data: Annotated[str, Meta(min_length=1)]  # base64, or a data: URL
    media_type: str | None = None
    name: str | None = None


class NewMessage(Struct, forbid_unknown_fields=True):
    content: MessageText = ""  # "" only beside files, or to ask again what `replaces` names
    files: list[NewFile] = []  # images and documents, for models that take them
    # What happens while the conversation has an active run.
    when_busy: WhenBusy = "reject"
    tags: Tags = []  # by which usage is reported
    reasoning: bool | None = None  # tell what the model thinks; null: as agent.reasoning says
    tool_arguments: bool = False  # tell those of tool calls as the model writes them
    model: ModelName | None = None  # that answers this; None: the conversation's
    # The position of a message, or of the answer to it: this one is said in its place, in a branch.
    replaces: Position | None = None
    # Of the stream that answers: false holds a text that a review may send back until it stands.
    drafts: bool | None = None
    wait: Literal["open", "close"] | None = None  # as `?wait=`

    def to_request(self, settings: Settings, key: str | None) -> RunRequest:
        """Convert the posted message to the RunRequest that starts its run.

        Raises: InputError, UnsupportedMedia, PayloadTooLarge for its files.
        """
        uploads = [ToldFile(item.data, item.media_type, item.name) for item in self.files]
        options = RunOptions(
            tags=tuple(self.tags),
            tells_reasoning=self.reasoning,
            tells_arguments=self.tool_arguments,
            chosen_model=self.model,
        )
        files = read_files(uploads, settings)
        return RunRequest(self.content, files, key, self.when_busy, options=options)


class Kick(Struct, forbid_unknown_fields=True):
    when_busy: WhenBusy = "reject"
    new: bool = False  # begin another interview beside the newest: where one holds several


class WaitQuery(Struct):
    # Where the run waits for its user: the stream stays open, or ends and another one goes on.
    wait: Literal["open", "close"] = "open"


class StreamQuery(WaitQuery):
    drafts: bool | None = None  # as of a message
    run_id: str | None = None  # None: the active run
    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None  # seq of the last event seen


class PendingApproval(Struct):
    approval_id: Id
    run_id: Id
    conversation_id: Id
    user_id: str  # whose it is to decide
    tool_call_id: str
    tool_name: str
    arguments: dict[str, Any]
    question: str  # what is asked, for people
    status: str  # pending | approved | denied | expired | consumed
    decided_by: str | None
    decided_at: datetime | None
    expires_at: datetime
    created_at: datetime
    reason: str | None = None  # why it was denied, if that was said
    title: str | None = None  # of its conversation, where those of several are listed
    # The row that the arguments name, as it is now; None: there is none, or nothing is asked any
    # more, or it is listed with those of other runs.
    present: dict[str, Any] | None = None
    # What whoever approves is to fill in, as a JSON Schema of flat fields; listed as `present` is.
    form: dict[str, Any] | None = None


class Answer(Struct):
    """A run as JSON: its answer, or what it waits for."""

    run_id: Id
    conversation_id: Id
    status: RunStatus
    message_id: Id | None  # None: no answer yet
    content: str
    approvals: list[PendingApproval] = []
    output: dict[str, Any] | None = None  # the same as an object, where its shape was asked for


class CancelResult(Struct):
    run_id: Id | None  # None: nothing was running


class ApprovalList(Struct):
    approvals: list[PendingApproval]


class PendingQuery(Struct, forbid_unknown_fields=True):
    everybody: bool = False  # of the tenant, not only one's own: for admins
    user_id: str | None = None  # of another one, or "*": for admins
    limit: Annotated[int, Meta(ge=1)] = 100
    status: Literal["pending", "decided"] = "pending"


class RunsQuery(Struct, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1)] = 50


class Decision(Struct, forbid_unknown_fields=True):
    approve: bool
    # Of a denial: the model is told.
    reason: Annotated[str, Meta(max_length=MAX_DENIAL_CHARS, examples=["not that one"])] = ""
    content: dict[str, Any] | None = None  # the form, filled in


class OneDecision(Decision, kw_only=True):
    approval_id: Id


class Decisions(Struct, forbid_unknown_fields=True):
    """Decisions on several approvals of one run, each by its id."""

    decisions: Annotated[list[OneDecision], Meta(min_length=1)]


class Interview(Struct):
    """The user's interview; without a conversation it has not begun."""

    pack: str
    conversation: Conversation | None
    messages: list[ShownMessage]
    active_run_id: Id | None


class RunDetail(Struct):
    id: Id
    conversation_id: Id
    question: str  # what the user wrote; "" while the run is queued
    status: RunStatus
    design: str
    pack: str
    attempt: int
    error_code: str | None
    error_message: str | None
    cause: str | None  # of the last failed call, in the provider's words: for admins
    created_at: datetime
    ended_at: datetime | None
    rating: Rating | None  # what its user thought of the answer
    caller_run_id: Id | None  # whose helper it is; None: nobody's
    calls: int  # model calls, every attempt
    input_tokens: int | None  # None: no provider stated any
    output_tokens: int | None
    cost_usd: str | None  # None: no known price


class RunHead(Struct):
    id: Id
    status: RunStatus
    design: str
    error_code: str | None
    created_at: datetime
    ended_at: datetime | None


class RunHeads(Struct):
    runs: list[RunHead]


class StepCost(Struct):
    """The cost of a call's tokens of one kind, at the price of the call's time."""

    bucket: str  # `input_tokens`, `cache_write_tokens` and so on
    tokens: int
    usd_per_million: str
    usd: str


class StepCall(Struct):
    """One attempt at a model call. Token buckets are disjoint; None: not stated."""

    call_id: Id
    role: str
    attempt: int
    provider: str
    model: str  # that was requested
    model_answered: str | None  # whose price counts; None: the answer named none
    is_rerouted: bool  # another model answered, not a version of the one that was requested
    effort: str | None  # as it was sent; None: the model's own
    status: str
    usage_source: str
    started_at: datetime
    input_tokens: int | None
    cache_read_tokens: int | None
    cache_write_tokens: int | None  # for the shorter lifetime
    cache_write_long_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: str | None
    cost_parts: list[StepCost]  # add up to cost_usd; []: not known
    # More than from a cache, as in usage reports; None: nothing, or no price is known.
    pause_loss_usd: str | None
    prefix_loss_usd: str | None
    first_token_ms: int | None
    duration_ms: int | None
    error_code: str | None
    error_message: str | None  # why, in the provider's words: for admins


class Prefix(Struct):
    """Says what a request shares with the one before it, from its beginning: what a provider's
    cache can hold. Tokens are estimates.
    """

    before_call_id: Id
    before_run_id: Id
    # tools | system | messages; None: all of the one before is in this one.
    broken_in: str | None
    message: int | None  # the first other message, counted from 0
    before: str  # what stood there, from shortly before the first character that differs
    now: str
    shared_tokens: int
    behind_tokens: int  # of this request, after what is shared


class SentRequest(Struct):
    """A model call's request, put together again from what is kept of it. Its wording is what was
    sent; parameters and the provider's own form are not kept. None: not kept (any more).
    """

    call_id: Id
    system: str | None
    tools: list[dict[str, Any]]
    messages: list[dict[str, Any]]  # role and parts, without reasoning
    prefix: Prefix | None  # None: there is no call before it of this model in this role


class AvoidedStep(Struct):
    role: str
    reason: str
    tokens: int


class StepHelper(Struct):
    """The run of a helper that a tool call began."""

    run_id: Id
    conversation_id: Id  # in no list of conversations
    worker: str
    status: RunStatus
    error_code: str | None
    created_at: datetime
    ended_at: datetime | None


class StepTool(Struct):
    """A tool call of a step; those of one step are begun together, external ones in turn."""

    name: str
    status: str
    effect: str
    started_at: datetime | None  # None: of an older run, or never begun
    duration_ms: int
    size_bytes: int  # of its result, as JSON
    helper: StepHelper | None = None  # None: no helper was called, or none began


class RunStep(Struct):
    n: int
    node: str
    next: str | None  # None: the run ended within this step
    update: dict[str, Any]  # without provider's own data
    notes: list[str]
    avoided: list[AvoidedStep]
    calls: list[StepCall]
    tools: list[StepTool]
    started_at: datetime
    duration_ms: int


class StepsQuery(Struct, forbid_unknown_fields=True):
    after: Annotated[int, Meta(ge=-1)] = -1  # the number of the last step that one has
    limit: Annotated[int, Meta(ge=1)] | None = None  # None: all


class RunSteps(Struct):
    run_id: Id
    steps: list[RunStep]
    total: int  # steps in all
    avoided_tokens: int  # input tokens that all steps together did not send
    pause_loss_usd: str | None  # of all the run's calls together; None: nothing
    prefix_loss_usd: str | None


class RunSummary(Struct):
    """A summary of a run: sentences built from its steps by rules; a failure's cause first."""

    run_id: Id
    sentences: list[str]
    action: dict[str, str] | None  # what helps where it failed: a `screen`, and its `label`


class ProviderInfo(Struct):
    id: str
    base_url: str
    default_model: str
    small_model: str
    key_variables: list[str]
    has_key: bool  # wherever it is set
    needs_key: bool  # false: it answers without one
    is_active: bool


class ProviderList(Struct):
    providers: list[ProviderInfo]


class ProviderChoice(Struct, forbid_unknown_fields=True):
    provider: Annotated[str, Meta(min_length=1, examples=["anthropic"])]
    api_key: str | None = None
    model: str | None = None
    api_base: str | None = None
    prices: bool = False  # also what listed models cost


class ChoosableModel(Struct):
    """A model that the caller may choose for a conversation or a message."""

    id: str  # provider:model
    provider: str
    model: str
    is_default: bool  # answers where none is chosen
    # What a million tokens cost. None: no known price; without one of input and output, no budget
    # in dollars counts the model.
    input_usd: str | None  # uncached
    output_usd: str | None
    cache_read_usd: str | None
    cache_write_usd: str | None
    cache_write_long_usd: str | None


class ChoosableModels(Struct):
    models: list[ChoosableModel]


# The three in the middle ask only after the model has read text from outside: each call, or one
# with a value or an address that the user did not name.
Asking = Literal["always", "after_outside_text", "unnamed_values", "unnamed_addresses", "never"]


class ToolEntry(Struct):
    """A tool of the served packs, and when its calls need an approval."""

    pack: str
    name: str
    effect: str  # read | write | external
    needs_approval: bool  # each of its calls
    asks: Asking
    source: str  # local | mcp
    workers: list[str]  # of its pack, that have it


class ToolList(Struct):
    tools: list[ToolEntry]


class ModelEntry(Struct):
    id: str
    name: str
    # What a million tokens cost, uncached; left out where that is not asked for or known.
    input_usd: str | UnsetType = UNSET
    output_usd: str | UnsetType = UNSET


class ProviderFailure(Struct):
    code: str
    message: str
    hint: str | None


class ProviderTest(Struct):
    ok: bool
    provider: str
    model: str
    content: str | None = None
    duration_ms: int | None = None
    error: ProviderFailure | None = None


class SettingEntry(Struct):
    key: str
    variable: str
    value: str  # secrets masked
    source: str  # default | file | environment
    default: str
    help: str  # what it is, in a sentence


class ScreenInfo(Struct):
    """A page that a pack adds to the console: the module `/console/{pack}/{name}.js`."""

    name: str
    title: str
    icon: str = "layout-grid"
    formerly: str | None = None  # a name that old addresses have
    also: str = ""  # further words by which Ctrl K finds it
    count: str | None = None  # where the `total` is asked that stands beside its title
    needs_interview: bool = False  # of no use where another pack's interview is held
    # `operate`: for administrators, beside Usage and Health; `linked`: by links and by Ctrl K.
    place: Literal["sidebar", "operate", "settings", "linked"] = "sidebar"


class StartPrompt(Struct):
    """A suggested first message; `needs` names what must exist before it works."""

    title: str
    text: str
    icon: str = "message-square"
    needs: str | None = None
    own: dict[str, str] | None = None  # {path, rows, text}: the text for the first row, if any


class StartUpload(Struct):
    """A file that a pack uses: the path to `POST` it to, and to `GET` it from."""

    path: str
    screen: str
    title: str
    hint: str
    accept: str
    named: str | None = None  # where its name stands in what was read: "basics.name"
    counts: dict[str, str] = {}  # lists in what was read, and what one of each is called


class ToolWords(Struct, forbid_unknown_fields=True):
    """The user's texts for a tool; None: its name is shown."""

    did: str | None = None  # "Looked up your orders"
    approve: str | None = None  # "Delete the order"
    decline: str | None = None  # "Keep it"
    consequence: str | None = None  # "This cannot be undone."
    is_destroying: bool = False
    made: str | None = None  # the address of its result: "#/shop.orders?order={order_id}"
    made_title: str | None = None  # "{order.title}": what that is called, with the result's values
    icon: str | None = None


class RowsWritten(Struct, forbid_unknown_fields=True):
    """Says where the rows are that runs write without a tool, and which run wrote each. `run_id`
    and `title` are places in a row, `href` and `hint` texts with places in braces.
    """

    path: str
    rows: str
    run_id: str
    title: str
    href: str
    hint: str | None = None
    each: str | None = None  # place in a row of the versions that runs wrote, each a row in itself
    version: str | None = None  # place of its number, which the address is given as `version`
    icon: str | None = None


class RowsSearched(Struct, forbid_unknown_fields=True):
    """Says where the console's search finds rows: `{text}` in `path` is the user's input, `title`
    and `href` are texts with a row's places in braces.
    """

    path: str
    rows: str
    title: str
    href: str
    kind: str  # what one row is called: "Job"
    icon: str | None = None


class PackScreens(Struct):
    """A pack's additions to the console, from `screens.json` beside its pages."""

    pack: str = ""
    title: str = ""
    heading: str | None = None
    placeholder: str | None = None
    screens: list[ScreenInfo] = []
    prompts: list[StartPrompt] = []
    upload: StartUpload | None = None
    written: RowsWritten | None = None
    search: list[RowsSearched] = []
    interview: str | None = None  # module of what stands above its interview's message box
    saved: str | None = None  # where all is saved from that it keeps of a user
    based: str | None = None  # module that lists what an answer is based on
    outputs: list[dict[str, Any]] = []  # JSON Schemas of answers that are objects
    tools: dict[str, ToolWords] = {}
    words: dict[str, str] = {}  # for nodes, fields and statuses, by name
    about: dict[str, str] = {}  # what its features are for, by name, as Usage explains them


class ConfigInfo(Struct):
    provider: str
    model: str
    is_offline: bool  # a rule-based stand-in, no language model
    notice: str | None
    design: str
    packs: list[str]
    onboarding: str | None  # pack whose interview is held; None: nobody's
    screens: list[PackScreens]
    settings: list[SettingEntry] | UnsetType = UNSET  # for admins


def _to_type(item: Dimension) -> Any:
    known: Any = Literal[item.values] if item.values else str
    return known | None


# A parameter for each dimension that filters; `user_id`: another one's, or "*", for admins.
_UsageFilters: Any = defstruct(
    "UsageFilters", [(PARAMETERS[name], _to_type(item), None) for name, item in FILTERS.items()]
)


class UsageQuery(_UsageFilters, Struct):
    by: list[str] = []  # dimensions, repeated or with commas between
    since: datetime | None = None
    until: datetime | None = None
    zone: Annotated[str, Meta(max_length=64)] = "UTC"  # in which days and hours begin
    apart: bool = False  # experiments as one group, `*experiments`, and not in the others
    runs: bool = False  # also what one run of each group took
    latency: bool = False  # also how long the calls of each group took
    avoided: bool = True  # also model calls that were not made
    endings: bool = True  # also shutdowns, price changes and re-routes of the called models
    caches: bool = True  # also what prompt caches saved and what was lost with them
    pace: bool = False  # also what today and this month cost, and what the month comes to
    sort: Literal["tokens", "cost", "lost"] = "tokens"  # lost: what caches lost
    format: Literal["json", "csv"] = "json"
    limit: Annotated[int, Meta(ge=1)] = 100
    cursor: str | None = None


class UsagePace(Struct):
    """Costs in USD of the filtered calls; None: no price is known."""

    today_usd: str | None
    month_usd: str | None  # so far
    forecast_usd: str | None  # of the whole month at this pace
    month_ends_at: datetime


class UsageThread(Struct):
    """A thread, a chat with all its versions, or a run that a report names."""

    id: Id
    user_id: str
    created_at: datetime
    # None: another user's, or no chat. Of a run: the beginning of its message.
    title: str | None
    kind: str = "chat"  # onboarding, parse (of a file), helper
    newest_id: Id | None = None  # of a chat: the version used last, or the named one
    versions: int = 1
    hidden_usd: str | None = None  # cost of the runs that only its other versions show


class UsageReport(Struct):
    by: list[str]
    usage: list[dict[str, Any]]  # the keys of `by`, then the numbers of that group
    runs: list[dict[str, Any]]  # what one run took, of each group; [] unless asked for
    latency: list[dict[str, Any]]  # of calls that succeeded; [] unless asked for
    avoided: list[dict[str, Any]]  # model calls that were not made, and why; [] where not wanted
    # Shutdowns, price changes and re-routes of the called models, earliest first, with the share
    # of the calls; [] where not wanted.
    changes: list[dict[str, Any]]
    # Those that vendors announce as shutdown dates; [] where not wanted.
    endings: list[dict[str, Any]]
    next_cursor: str | None
    pace: UsagePace | None = None  # None: not asked for
    # Those of the rows and of the filter; erased ones are missing.
    threads: list[UsageThread] = []
