"""Who asks which agent, and runs that go on where they waited: for both of OpenAI's APIs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final, Protocol

from plainloop.agent.base.messages.files import read_files
from plainloop.agent.base.messages.wishes import list_unused, to_change
from plainloop.agent.config.settings import Limits
from plainloop.agent.core.api import ApiRequest
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.errors import AgentError, ConflictError, InputError, NotFoundError
from plainloop.agent.events import Event
from plainloop.agent.store.approvals import find_approvals
from plainloop.agent.store.records import Approval, ThreadInfo
from plainloop.agent.store.threads import load_last_run
from plainloop.agent.types import FilePart, RunOptions, RunRequest, ToolSchema, WhenBusy
from plainloop.server.http.drafts import find_drafts
from plainloop.server.http.endpoint import AppContext
from plainloop.server.protocols.agents import find_agent, list_names
from plainloop.server.protocols.client_tools import make_answer, read_client_tools
from plainloop.server.protocols.conversations import KEY_REUSED, Conversations, erase_thread

from .answers import Answer, Opening
from .lookups import change_options
from .retries import Key, find_key, record_sent
from .shapes import ChatMessage
from .threads import (
    GO_ON,
    ID_HEADERS,
    STILL_OPEN,
    Opened,
    Posted,
    Started,
    find_thread,
    fit_thread,
    make_unasked,
    read_name,
    read_posted,
)

# Open WebUI sends one key for all of its users: an admin's key may act for each of them.
USER_HEADER: Final = "x-openwebui-user-id"
_MAX_NAME_CHARS: Final = 255


def read_model(app: AppContext, request: ApiRequest, model: str) -> str:
    """Return the agent design that the request's field `model` names.

    Raises: NotFoundError.
    """
    if (design := find_agent(app, model)) is not None:
        return design
    raise NotFoundError(
        f"no such model: {model[:80]!r}",
        hint=f"Known models: {', '.join(list_names(app))}.",
        code="model_not_found",
    )


class HistoryBody(Protocol):
    """The body of a request that posts a history: of Chat Completions, Responses or Messages."""

    api: ClassVar[Mapping[str, str]]

    @property
    def model(self) -> str: ...

    @property
    def offered(self) -> list[dict[str, Any]]: ...

    def to_options(self, tools: Sequence[ToolSchema], limits: Limits) -> RunOptions: ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """The parsed request: message, history, tools and options."""

    posted: Posted
    files: Sequence[FilePart]
    key: Key
    design: str
    options: RunOptions
    named: Mapping[str, str]  # its API's names of preferences, by our field names
    conversation: str | None = None  # its name in the body

    @classmethod
    async def read(
        cls,
        chats: Conversations,
        request: ApiRequest,
        body: HistoryBody,
        history: Sequence[ChatMessage],
        design: str,
    ) -> Wanted:
        """Parse a request into the parameters of its run: messages, files, key, design, options.

        history: the body's messages. Raises: InputError.
        """
        offered = body.offered
        tools = read_client_tools(chats.app.service, offered) if offered else []
        posted = read_posted(history)
        return cls(
            posted,
            read_files(posted.files, request.settings),
            await find_key(request, chats.space, body),
            design,
            body.to_options(tools, request.settings.limits),
            body.api,
        )

    def make_request(self, request: ApiRequest, opened: Opened, busy: WhenBusy) -> RunRequest:
        """Build the RunRequest that answers the newest posted message.

        It includes the earlier messages that are not stored yet. Raises: InputError.
        """
        text, key = self.posted.users[-1], self.key.value
        files = read_files([f for item in opened.unsaid for f in item.files], request.settings)
        whole = "\n\n".join([*(item.text for item in opened.unsaid), text])
        fingerprint = None
        if self.key.is_own:  # it may have begun a run of another conversation
            names = [request.headers.get(name) for name in ID_HEADERS]
            fingerprint = self.posted.make_fingerprint(*names, self.conversation)
        arguments = (
            whole,
            [*files, *self.files],
            key,
            busy,
            self.design,
            opened.position,
            self.options,
        )
        return RunRequest(*arguments, fingerprint=fingerprint)


async def find_by_key(request: ApiRequest, wanted: Wanted) -> Opened | None:
    """Return the thread of the run that this idempotency key started.

    None without a key or such a run. Raises: ConflictError if the client resumes a run: the key
    then belongs to an earlier message.
    """
    if wanted.key.value is None:
        return None
    run = await request.store.load_run_by_key(*request.owner, wanted.key.value)
    if run is None:
        return None
    if wanted.posted.is_going_on:
        raise ConflictError(
            "this idempotency key was used for another request",
            hint="Use a new key for a new request.",
            code=KEY_REUSED,
        )
    return Opened(await request.store.load_thread(*request.owner, run.thread_id))


async def begin_run(
    request: ApiRequest, chats: Conversations, wanted: Wanted, opened: Opened
) -> Started:
    """Start the run that answers the newest message.

    If the idempotency key already started a run, joins that one. Raises: as `AppContext.submit`; a
    thread that was made for nothing is erased.
    """
    thread, position = opened.thread, opened.position
    busy = "reject" if position is not None else await chats.choose_when_busy(request, thread)
    await record_sent(request, wanted.key, thread.thread_id)
    try:
        run_request = wanted.make_request(request, opened, busy)
        ticket = await chats.app.submit(*request.owner, thread, run_request)
        if opened.name:
            await chats.rename(request, opened.name, thread.thread_id)
        return Started(ticket.run_id, ticket.thread_id, unused=ticket.unused)
    except AgentError as error:
        error.param = wanted.named.get(error.param or "", error.param)
        if opened.is_new:
            await erase_thread(request, thread)
        elif error.code == "THREAD_BUSY" and position is not None:
            branch = await chats.fork(request, thread, position, None, stops=False)
            opened = Opened(branch, position, is_new=True)
            return await begin_run(request, chats, wanted, opened)
        if error.code != KEY_REUSED:
            raise
        first = await find_by_key(request, wanted)  # it has begun at this moment
        if first is None or first.thread.thread_id == thread.thread_id:
            raise
    return await begin_run(request, chats, wanted, first)


async def begin_answer(
    app: AppContext,
    request: ApiRequest,
    space: str,
    body: HistoryBody,
    history: Sequence[ChatMessage],
    make_encoder: Callable[..., Opening],
) -> Answer[Opening]:
    """Start, join or resume the run that answers a posted history; return its Answer.

    make_encoder: takes the run, the model's name and `find_drafts`, and what was streamed before.

    Raises: NotFoundError, InputError, and as `RunHost.submit`.
    """
    design, request = read_model(app, request, body.model), act_for_user(request)
    chats = Conversations(app, space)
    wanted = await Wanted.read(chats, request, body, history, design)
    started = await start_run(app, request, chats, wanted)
    drafts = find_drafts(app.service.pack) if design != "react" else {}
    encoder = make_encoder(
        *(started.run_id, body.model, drafts),
        after=started.after,
        answered=wanted.posted.answers,
        notice=started.notice,
    )
    return Answer(app, request, space, wanted.posted, started, encoder, encoder.open())


async def start_run(
    app: AppContext, request: ApiRequest, chats: Conversations, wanted: Wanted
) -> Started:
    """Start, join or resume the run that answers a posted history."""
    posted = wanted.posted
    opened = await find_by_key(request, wanted)
    started = None if opened else await settle_shown(app, request, posted, wanted.options)
    if started is None:
        started = await go_on(app, request, chats, wanted, opened)
    return replace(started, unused=[wanted.named.get(name, name) for name in started.unused])


async def go_on(
    app: AppContext,
    request: ApiRequest,
    chats: Conversations,
    wanted: Wanted,
    opened: Opened | None,
) -> Started:
    """Resume the run that waits for the posted tool results.

    Without tool results, starts a run for the newest message. opened: None: the thread is that of
    the client's name for the conversation, or else the one that `find_thread` returns.
    """
    posted = wanted.posted
    if opened is None and (name := read_name(request)) is not None:
        return await _begin_named(app, request, chats, wanted, name)
    opened = opened or await find_thread(request, chats, posted, wanted.key.value)
    if posted.answers and not opened.is_foreign:
        return await answer_calls(app, request, opened.thread.thread_id, wanted)
    if opened.is_foreign:
        wanted = replace(wanted, posted=replace(posted, users=[*posted.users, GO_ON]))
    return await begin_run(request, chats, wanted, opened)


async def _begin_named(
    app: AppContext, request: ApiRequest, chats: Conversations, wanted: Wanted, name: str
) -> Started:
    posted = wanted.posted

    async def begin(thread: ThreadInfo, is_new: bool) -> Started:
        opened = await fit_thread(request, chats, thread, posted, name, wanted.key.value)
        started = await go_on(app, request, chats, wanted, opened)
        if is_new and started.thread_id != thread.thread_id:  # the run of an equal request
            await erase_thread(request, thread)
        return started

    opening = partial(chats.open, request, name, posted.users[-1] if posted.users else "")
    return await chats.begin_in(request, name, opening, begin)


async def settle_shown(
    app: AppContext, request: ApiRequest, posted: Posted, options: RunOptions | None = None
) -> Started | None:
    """Decide the pending approval by the user's reply, and resume its run.

    Repeats the question if the reply is unclear. None: no question is pending there.
    """
    if posted.decision is not None:
        return await decide_shown(app, request, posted, options)
    if not posted.asked:  # nearly always: the database is not read
        return None
    shown = await find_approvals(request.db, request.user_id, posted.asked)
    pending = [item for item in shown if item.status == "pending"]
    if not pending:
        return None
    run_id, thread_id = pending[-1].run_id, pending[-1].thread_id
    if await app.runs.find_active(*request.owner, thread_id) != run_id:
        return None  # the run was stopped: nothing waits for an answer
    events = await request.store.load_events(request.tenant_id, run_id)
    after = find_seqs(events, pending)[0] - 1
    return Started(run_id, thread_id, after, STILL_OPEN, is_reminder=True)


async def decide_shown(
    app: AppContext, request: ApiRequest, posted: Posted, options: RunOptions | None = None
) -> Started:
    """Decide the approvals that the last posted answer requested, and resume their run.

    Raises: InputError when that answer contains no question; ConflictError when its questions were
    decided differently or have expired, and no other question is pending.
    """
    shown = await find_approvals(request.db, request.user_id, posted.asked)
    if not shown:
        raise make_unasked()
    run_id, thread_id = shown[-1].run_id, shown[-1].thread_id
    unused = () if options is None else await change_run(app, request, run_id, options)
    closed: list[ConflictError] = []
    for item in shown:
        decision = (item.approval_id, posted.decision is True, request.user_id)
        try:
            await app.runs.decide_approval(*request.owner, item.run_id, *decision)
        except ConflictError as error:
            closed.append(error)
    notice = f"That question is closed ({closed[0].public_message})." if closed else ""
    if len(closed) < len(shown):
        events = await request.store.load_events(request.tenant_id, run_id)
        return Started(run_id, thread_id, find_seqs(events, shown)[-1], notice, unused)
    active = await app.runs.find_active(*request.owner, thread_id)
    approvals = await app.runs.list_approvals(*request.owner, active) if active else []
    pending = [item for item in approvals if item.status == "pending"]
    if active is None or not pending:
        raise closed[0]
    events = await request.store.load_events(request.tenant_id, active)
    return Started(active, thread_id, find_seqs(events, pending)[0] - 1, notice, unused)


async def change_run(
    app: AppContext, request: ApiRequest, run_id: str, options: RunOptions
) -> tuple[str, ...]:
    """Replace a suspended run's options by those of this request.

    Returns the names of the preferences that are ignored.
    """
    run = await request.store.load_run(*request.owner, run_id)
    options = app.service.settle_options(options, run, "chat")
    await change_options(request.db, request.user_id, run_id, to_change(options))
    return list_unused(options)


def find_seqs(events: Sequence[Event], approvals: Sequence[Approval]) -> list[int]:
    """Return the event numbers of these approval requests.

    [0] if they are not stored.
    """
    ids = {item.approval_id for item in approvals}
    asking = [event for event in events if event["event"] == "approval_request"]
    return [event["seq"] for event in asking if event["data"]["approval_id"] in ids] or [0]


async def answer_calls(
    app: AppContext, request: ApiRequest, thread_id: str, wanted: Wanted
) -> Started:
    """Pass the client's tool results to the run that waits for them, and resume it.
    It continues with this request's options.
    """
    posted = wanted.posted
    active = await app.runs.find_active(*request.owner, thread_id)
    run_id = active or await load_last_run(request.db, request.user_id, thread_id)
    events = await request.store.load_events(request.tenant_id, run_id)
    seqs = {e["data"]["id"]: e["seq"] for e in events if e["event"] == "tool_request"}
    if not seqs.keys() & posted.answers.keys():
        raise make_unasked()
    unused = await change_run(app, request, run_id, wanted.options)
    for call_id, content in posted.answers.items():
        answer = make_answer(content, is_error=call_id in posted.failed)
        await app.runs.answer_call(*request.owner, run_id, call_id, answer)
    after = max(seqs.get(call_id, 0) for call_id in posted.answers)
    return Started(run_id, thread_id, after, unused=unused)


def act_for_user(request: ApiRequest) -> ApiRequest:
    """Return the request in the name of the user that an admin's header states.

    Unchanged without that header, or if the client is no admin. Raises: InputError for what is no
    name.
    """
    name = request.headers.get(USER_HEADER)
    if name is None or not request.is_admin:
        return request
    if not name.strip() or len(name) > _MAX_NAME_CHARS or not name.isprintable():
        raise InputError(
            f"the header {USER_HEADER} does not contain a valid user name",
            hint="Use a shorter name of printable characters.",
        )
    return replace(request, user_id=name.strip(), is_admin=False)
