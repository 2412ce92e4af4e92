"""The JSON of `/api/replays`. These types are also what OpenAPI is made from."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from plainloop.agent.store.outcomes.ratings import Thumb

from ..comparing.comparison import Comparison, TurnComparison
from ..comparing.explaining import Explanation
from ..report.rules import ReplayDecision
from ..store.replays import PersonVerdict, ReplayStatus, Seen, Verdict

Outcome = Literal["worse", "unfinished", "better", "same", "empty"]  # empty: nothing to compare
MAX_IDS: Final = 10_000  # threads that one request may name
Seed = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class ThreadSource(Struct, forbid_unknown_fields=True):
    """Stored threads: those named, else those that fit every condition given."""

    ids: Annotated[list[str], Meta(max_length=MAX_IDS)] = []
    worker: str | None = None
    tag: str | None = None
    since: datetime | None = None  # begun since then; without a zone: UTC
    until: datetime | None = None
    failed: bool = False
    min_cost_usd: Annotated[float, Meta(ge=0)] | None = None
    rating: Thumb | None = None  # with an answer that its user rated so
    others: Annotated[float, Meta(ge=0, le=1000)] | None = None  # and so many times as many others
    user_id: str | None = None  # another one's, or "*": for admins


class NewReplay(Struct, forbid_unknown_fields=True):
    """Says what is answered again, by whom, and within what."""

    name: Annotated[str, Meta(max_length=100)] = ""  # stands before what is tried
    threads: ThreadSource | None = None  # None and no conversations: all of one's own
    conversations: list[dict[str, Any]] = []  # in OpenAI's format, instead of threads
    tools: list[dict[str, Any]] | None = None  # of the conversations; None: inferred from calls
    sample: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    seed: Seed = 0
    provider: str | None = None  # the candidate's
    model: str | None = None
    models: dict[str, str] = {}  # by role or worker: `{"triage": "openai:gpt-6-luna"}`
    # By worker, or triage, route, verdict, interview, parser, react; a pack may have more. With the
    # pack's name before it, as `careers.triage`: of that pack alone.
    prompts: dict[str, str] = {}
    design: str | None = None
    history: Literal["recorded", "own"] = "recorded"
    allow_reads: bool = False
    sandbox: bool = False  # read and write tools run on a copy of one's rows, which is dropped
    baseline: bool = True
    # Turns end where their worker would begin; the candidate changes triage or router alone.
    only_routing: bool = False
    share: bool = True  # equal requests of both lanes are bought once
    # A replay of one's own whose baseline's answers to equal requests are taken and not bought.
    like: str | None = None
    judge: str | None = None  # provider:model
    rubric: str | None = None
    max_cost_usd: Annotated[float, Meta(ge=0, le=1e6)] | None = None
    requests_per_minute: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    # Conversations at once, per process; None: 4, with batch_api the service's own number.
    concurrency: Annotated[int, Meta(ge=1, le=32)] | None = None
    batch_api: bool = False  # by the providers' batch APIs: half the price, up to a day a replay


class PromptText(Struct):
    """A prompt as it is today, by the name that `NewReplay.prompts` gives it."""

    name: str
    text: str
    pack: str
    conversations: int | None  # one's own in which this worker answered; None: it is no worker's


class RunningPart(Struct):
    """A worker, or another caller of models, with what it runs with today."""

    name: str  # as the ledger's worker; of one without a worker, its role
    role: str
    pack: str
    provider: str
    model: str
    effort: str | None
    text: str | None  # its prompt's fixed text; None: the pack's code makes it
    version: str | None  # of the text: another text has another one
    description: str | None = None  # of a worker: which requests are its own
    tools: list[str] = []
    input_usd: str | None = None  # per million tokens; None: unknown
    output_usd: str | None = None


class PromptList(Struct):
    prompts: list[PromptText]
    parts: list[RunningPart]  # what calls models, by the packs' order, workers first


class ReplayState(Struct):
    id: str
    status: ReplayStatus
    name: str  # what is tried, and against what
    source: str
    advice_id: str | None  # the advice that started it; None: a user did
    lanes: list[str]
    max_cost_usd: str | None
    created_at: datetime
    ended_at: datetime | None
    # Of its report; None: it is open, or has ended a moment ago.
    verdict: Literal["passed", "failed", "undecided"] | None
    # Conversations and lanes, by status; {} in a list. After a cancellation, `running` ones still
    # end, and `queued` ones do not run.
    items: dict[str, int]
    conversations: int
    compared: int | None  # of these, with an answer on both sides; None in a list
    done: int | None  # of these, with nothing left to answer, failed or not; None in a list
    left_s: int | None  # until it ends, at its pace so far; None: not known yet, or it has ended
    # Whose first answers belong to other requests than today's: continuing answers them anew.
    changed: int
    deleted: int  # conversations whose chats were deleted since it began: they count no more
    estimate_usd: str | None  # made when it began, with a limit; None: none was made
    cost_usd: str | None  # of its calls so far; None: a price is not known
    reason: str | None  # why it was stopped, or what failed most; None: neither


class Resumption(Struct, forbid_unknown_fields=True):
    """Says with what limit an ended replay continues."""

    # In all, with what it has cost so far; None: the limit that it has.
    max_cost_usd: Annotated[float, Meta(gt=0, le=1e6)] | None = None


class ReplayEstimate(Struct):
    """The cost of a replay before it begins, from what its conversations took. USD as text; None:
    no conversation has used a model, or a price is unknown.
    """

    conversations: int  # that it would answer
    stored: int  # that match, from which they are drawn
    touched: int  # in which the candidate makes other requests than today
    about_usd: str | None  # equal requests are bought once, and caches are read as recorded
    low_usd: str | None  # the likely range, as far as `basis` says how long answers will be
    high_usd: str | None
    # Nothing is cached or shared, and calls take a quarter more.
    most_usd: str | None
    # Where the length of the candidate's answers is known from: the same model and prompt as today;
    # conversations that both models answered; answers of both in other ones; nothing.
    basis: Literal["same", "paired", "seen", "unknown"]
    least_usd: str | None  # the lowest `max_cost_usd`: one conversation may need it
    unpriced: list[str]  # `provider:model`s without a price: they allow no `max_cost_usd`
    # Conversations that use the change, with which it can pass if none gets worse; None: none do.
    needed: int | None
    tried_id: str | None  # the newest replay of this user that succeeded with this candidate


class ReplayList(Struct):
    replays: list[ReplayState]


class ReplayDetail(Struct):
    replay: ReplayState
    report: dict[str, Any] | None  # of what has ended so far; None with `report=false`
    decision: ReplayDecision | None = (
        None  # whether the candidate may replace its reference; likewise
    )
    # Fields of `NewReplay` with which it is tried again.
    candidate: dict[str, Any] = {}
    # How many own conversations a new replay can draw from; None: not counted, as it is decided.
    stored: int | None = None


class ReplaysQuery(Struct):
    q: Annotated[str, Meta(max_length=200)] = ""  # words of the name
    limit: Annotated[int, Meta(ge=1, le=1000)] = 20


class ReportQuery(Struct):
    # Unset: the state and the summary; else the whole report as a file.
    format: Literal["json", "csv", "html"] | None = None
    report: bool = True  # False: the state alone, at once; a report compares every conversation


class ConversationsQuery(Struct):
    """Chooses conversations of a replay. outcome: of the candidate, against its reference."""

    outcome: Outcome | None = None
    # used: some request of the candidate was not its reference's. judged: people gave a verdict.
    # differing: some answer has other words, tool calls or another end.
    only: Literal["used", "judged", "differing"] | None = None
    text: Annotated[str, Meta(max_length=200)] = ""  # in what the user said, or in the id
    cursor: Annotated[str, Meta(pattern="^[0-9]{1,9}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class ComparedConversation(Struct):
    """A conversation in a list."""

    n: int
    conversation_id: str
    said: str  # the user's first words; without any, what the conversation is called
    turns: int
    outcome: Outcome
    worse: list[str]  # measures by which the candidate did worse in some turn
    people: Verdict | None  # what most people say of the candidate
    differs: bool  # some answer has other words, tool calls or another end


class ComparedConversations(Struct):
    conversations: list[ComparedConversation]  # in the source's order
    # Where to go on, and how many conversations lie before it; None: that was all. A page may hold
    # fewer than `limit`, even none: a filter looks at so many conversations at once.
    next_cursor: str | None


class NewVerdict(Struct, forbid_unknown_fields=True):
    verdict: Verdict | None  # of the candidate, against the reference; None takes it back
    note: Annotated[str, Meta(max_length=2000)] = ""
    # names: the user sees which side is which; hidden: not. Unset: not known. Once seen, the names
    # count as seen: another verdict afterwards is marked as changed.
    seen: Seen | None = None


class ReplayAnswer(Struct):
    """One answer on both sides, and what differs between them."""

    reference: str  # the lane that the candidate is held against
    n: int
    turn: TurnComparison
    differences: list[str]  # in words, the worst first; "today" is the reference
    differs: bool  # in words, tool calls or the end: it can be judged
    verdicts: list[PersonVerdict]


class ListedAnswer(Struct):
    """An answer that differs, in a list."""

    n: int
    conversation_id: str
    turn: int
    said: str  # the user's first words
    severity: float  # above 0: the candidate's is worse
    worse: list[str]  # measures by which it is
    differences: list[str]
    people: Verdict | None


class ListedAnswers(Struct):
    answers: list[ListedAnswer]  # the worst first
    differing: int  # how many differ in all
    judged: int  # of these, by people


class AnswersQuery(Struct, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    unjudged: bool = False  # only those of which nobody said anything


class PeopleVerdicts(Struct):
    verdicts: list[PersonVerdict]  # the first first


class ConversationQuery(Struct):
    format: Literal["html"] | None = None  # unset: JSON; html: a page as a file


class ReplayConversation(Struct):
    """A conversation on all sides."""

    reference: str  # the lane that the candidate is held against
    conversation: Comparison
    verdicts: list[PersonVerdict]
    differs: bool  # some answer has other words, tool calls or another end: it can be judged
    explanation: Explanation | None = None  # of the first difference; None: nothing differs
    command: str = ""  # that answers it again
