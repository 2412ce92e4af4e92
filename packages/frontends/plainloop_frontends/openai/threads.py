"""Which thread a posted history belongs to: by an id, else by the history itself.

Only an id names a conversation: without one, no run is stopped, and a thread is continued only if
it ends where the history ends. Equal histories at the same time are different conversations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

import orjson

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.base.messages.files import ToldFile
from plainloop.agent.core.api import ApiRequest
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import InputError
from plainloop.agent.service.consents import read_consent
from plainloop.agent.store.approvals import find_approvals
from plainloop.agent.store.records import ThreadInfo
from plainloop.agent.types import Message
from plainloop.server.protocols.conversations import (
    Conversations,
    PostedMessage,
    create_thread,
    read_history,
)
from plainloop.server.protocols.encoder import tell_ignored
from plainloop.server.protocols.pasts import bring_past, find_turn, join_answers, load_past
from plainloop.server.routes.streaming import CONVERSATION_HEADER

from .chat import read_question_codes
from .lookups import find_end, find_waiting_threads, is_known_call
from .shapes import ChatMessage

THREAD_HEADER: Final = "x-thread-id"  # our own id
# The client's id of the conversation, which Open WebUI forwards and LibreChat can be set to send.
NAME_HEADERS: Final = ("x-openwebui-chat-id", "x-librechat-conversation-id", "x-conversation-id")
ID_HEADERS: Final = (THREAD_HEADER, *NAME_HEADERS)
# Of the names of histories with their answers, in the space of their API.
ENDS: Final = ".end"
# The beginning of an answer that repeats a question.
STILL_OPEN: Final = "That was not a clear yes or no, so the question is still open."
# The message if a history ends with an answer: its program wants another one, often as data.
GO_ON: Final = "Go on."


@dataclass(frozen=True, slots=True)
class Posted:
    """The history, decisions and tool results that a request contains.
    users: each message of the user, the newest last.

    decision: the newest one is not a message but the answer to a pending question. answers: results
    of the client's own tools, by the calls' ids: then there is no new message; failed: the errors
    among them; results: the same as texts. is_implied: the newest is `GO_ON`.
    """

    history: list[PostedMessage]  # of user and assistant, before the newest
    users: list[str]
    files: Sequence[ToldFile] = ()  # of the newest
    decision: bool | None = None
    answers: dict[str, str] = field(default_factory=dict[str, str])
    is_implied: bool = False
    failed: frozenset[str] = frozenset()
    results: Sequence[PostedMessage] = ()

    @property
    def is_going_on(self) -> bool:
        """Return whether the request resumes a suspended run, by a decision or tool results."""
        return self.decision is not None or bool(self.answers)

    @property
    def name_before(self) -> str:
        """Return a digest of the posted conversation before its newest message."""
        return _name(self.history)

    def name_after(self, answer: Sequence[PostedMessage], *, is_unused: bool = False) -> str:
        """Return a digest of the posted conversation with this answer.

        A later request's thread is found by it. is_unused: the newest message decided nothing.
        """
        # Then clients do not show it, or `read_posted` leaves it out.
        is_silent = self.is_going_on or self.is_implied or is_unused
        newest = [] if is_silent else [PostedMessage("user", self.users[-1], self.files)]
        return _name([*self.history, *newest, *answer])

    def make_fingerprint(self, *names: str | None) -> str:
        """Return a hash that is equal for requests that may share an idempotency key."""
        parts = [*names, self.name_before, self.users[-1] if self.users else ""]
        return hashlib.sha256(orjson.dumps(parts)).hexdigest()

    @property
    def asked(self) -> list[str]:
        """Return the codes of the questions at the end of the last posted answer.

        [] without any.
        """
        is_answer = bool(self.history) and self.history[-1].role == "assistant"
        return (read_question_codes(self.history[-1].text) or []) if is_answer else []


def _name(history: Sequence[PostedMessage]) -> str:
    """Hash a history; spaces, and an answer split into several messages, make no difference."""
    turns: list[tuple[str, list[str]]] = []  # with the pieces of each: thousands may follow
    for item in history:
        words = ["".join(item.text.split()), *item.calls, *(file.data for file in item.files)]
        if item.role == "assistant" and turns and turns[-1][0] == "assistant":
            turns[-1][1].extend(words)
        elif any(words):
            turns.append((item.role, words))
    told = [(role, "".join(pieces)) for role, pieces in turns]
    return hashlib.sha256(orjson.dumps(told)).hexdigest()


def read_posted(messages: Sequence[ChatMessage], names: Sequence[str] = ()) -> Posted:
    """Parse a posted history into messages, the user's decision, and results of client tools.

    Decisions are no messages of the thread. names: the client's ids of the messages.

    Raises: InputError when no message of the user is at the end.
    """
    history: list[PostedMessage] = []
    answers: dict[str, str] = {}
    decision: bool | None = None
    for item, name in zip(messages, names or [""] * len(messages), strict=True):
        if item.role == "tool" and item.tool_call_id:
            answers[item.tool_call_id] = item.text
        if item.role not in ("user", "assistant"):
            continue
        answers.clear()
        text = item.text
        # Only the user can approve: a program may post an answer in pieces, or its beginning.
        is_reply = item.role == "user" and _has_question(history) and not item.files
        decision = read_consent(text) if is_reply else None
        if item.role == "assistant":
            if text.lstrip().startswith(STILL_OPEN) and _has_question(history[:-1]):
                history.pop()  # it decided nothing, and is in no thread
            calls = [call.id or "" for call in item.tool_calls or []]
            history.append(PostedMessage(item.role, text, calls=calls, id=name))
        elif decision is None:
            history.append(PostedMessage(item.role, text, item.files, id=name))
    users = [item.text for item in history if item.role == "user"]
    if decision is not None or answers:
        failed = frozenset(item.tool_call_id or "" for item in messages if item.is_error)
        results = word_results(messages, answers)
        return Posted(history, users, (), decision, answers, failed=failed, results=results)
    last = history[-1] if users else None
    # An answer without a question or a tool call is to be continued.
    if (
        last
        and last.role == "assistant"
        and not last.calls
        and read_question_codes(last.text) is None
    ):
        return Posted(history, [*users, GO_ON], is_implied=True)
    if not users or history[-1].role != "user":
        raise InputError(
            "the last message is not the user's",
            hint="Send a message with role `user` last.",
            code="EMPTY_MESSAGE",
        )
    return Posted(history[:-1], users, history[-1].files)


def _has_question(history: Sequence[PostedMessage]) -> bool:
    """Whether what comes next answers a question of ours."""
    last = history[-1] if history else None
    return (
        last is not None and last.role == "assistant" and read_question_codes(last.text) is not None
    )


def word_results(
    messages: Sequence[ChatMessage], answers: Mapping[str, str]
) -> list[PostedMessage]:
    """Convert the client's tool results to assistant messages that begin a new thread."""
    names = {call.id or "": call.function.name for it in messages for call in it.tool_calls or ()}
    texts = [f"{names.get(name, 'The tool')} gave: {text}" for name, text in answers.items()]
    return [PostedMessage("assistant", text) for text in texts]


@dataclass(frozen=True, slots=True)
class Started:
    """The run that was started, joined or resumed for a request.
    after: what an earlier answer contained of it; notice: text before it; unused: preferences that
    no model receives; is_reminder: the newest message was no clear answer to a pending question,
    which is repeated.
    """

    run_id: str
    thread_id: str
    after: int = 0
    notice: str = ""
    unused: Sequence[str] = ()
    is_reminder: bool = False

    @property
    def headers(self) -> dict[str, str]:
        """Return the answer's headers: the conversation's id, and the ignored preferences."""
        return {CONVERSATION_HEADER: self.thread_id, **tell_ignored(self.unused)}


@dataclass(frozen=True, slots=True)
class Opened:
    """A thread in which the newest message is to be answered.

    position: where it must end for that; None: an id names the conversation, and the message may
    stop its active run. is_new: it was made for this message. unsaid: as of `Placed`.
    is_foreign: another server made the calls whose results came; the thread holds them as texts.
    name: of the client, which means the thread once the message is accepted; "": none is to change.
    """

    thread: ThreadInfo
    position: int | None = None
    is_new: bool = False
    unsaid: Sequence[PostedMessage] = ()
    is_foreign: bool = False
    name: str = ""


def read_name(request: ApiRequest) -> str | None:
    """Return the client's name for the conversation; None without one, or where it sends our id."""
    if request.headers.get(THREAD_HEADER):
        return None
    return next(filter(None, map(request.headers.get, NAME_HEADERS)), None)


async def find_thread(
    request: ApiRequest, chats: Conversations, posted: Posted, key: str | None
) -> Opened:
    """Return the thread in which to answer the newest message: known, forked, or new.

    key: the idempotency key.

    Raises: NotFoundError for an id of ours that is not the user's.
    """
    if own := request.headers.get(THREAD_HEADER):
        thread = await request.store.load_thread(*request.owner, own)
        return await fit_thread(request, chats, thread, posted, None, key)
    asked = posted.asked  # mostly []: then the database is not read
    if asked and (approvals := await find_approvals(request.db, request.user_id, asked)):
        active = await chats.app.runs.find_active(*request.owner, approvals[-1].thread_id)
        if active == approvals[-1].run_id:  # the question's code names it
            return Opened(await request.store.load_thread(*request.owner, approvals[-1].thread_id))
    found = None
    if posted.history:
        named = (request.db, request.user_id, chats.space + ENDS, posted.name_before)
        found = await find_end(*named, is_waiting=posted.is_going_on)
    if not posted.is_going_on:
        if found is None:
            return await _begin_thread(request, chats, posted)
        thread = await request.store.load_thread(*request.owner, found.thread_id)
        return await follow(request, chats, thread, found.position or 0)
    waiting = (
        [] if found else await find_waiting_threads(request.db, request.user_id, posted.answers)
    )
    if found is None and len(waiting) != 1:
        if posted.answers and not await is_known_call(request.db, request.user_id, posted.answers):
            return await _begin_thread(request, chats, posted)
        raise make_unasked()
    thread_id = found.thread_id if found else waiting[0]
    return Opened(await request.store.load_thread(*request.owner, thread_id))


def make_unasked() -> InputError:
    """Build the error for an answer to a question that is not pending."""
    return InputError(
        "no tool call is waiting for this decision",
        hint="Send a message instead; the call was decided or has expired.",
        code="NOTHING_ASKED",
    )


async def follow(
    request: ApiRequest, chats: Conversations, thread: ThreadInfo, position: int
) -> Opened:
    """Return the thread if it ends at `position`, else a fork that ends there."""
    if thread.messages == position:
        return Opened(thread, position)
    branch = await chats.fork(request, thread, position, None, stops=False)
    return Opened(branch, position, is_new=True)


async def fit_thread(
    request: ApiRequest,
    chats: Conversations,
    thread: ThreadInfo,
    posted: Posted,
    name: str | None,
    key: str | None,
) -> Opened:
    """The thread itself when the newest message follows its last; a branch when it takes the place
    of an earlier one; a new thread with the client's history when ours is another.
    """
    if posted.is_going_on and (thread.messages or not posted.answers):
        return Opened(thread)
    stored = await request.store.load_messages(request.tenant_id, thread.thread_id)
    places = [(n, get_text(item)) for n, item in enumerate(stored) if item["role"] == "user"]
    turn = find_turn([text for _, text in places], posted.users)
    if turn is not None and turn < len(places):
        # The message may be that of this very key, stored since it was looked for.
        if key and (known := await request.store.load_run_by_key(*request.owner, key)):
            return Opened(await request.store.load_thread(*request.owner, known.thread_id))
        branch = await chats.fork(request, thread, places[turn][0], None)
        return Opened(branch, is_new=True, name=name or "")
    if places and turn is None:
        past = await load_past(chats, request, thread)
        if past.find_shown(posted.history) < 0:  # another conversation's
            opened = await _begin_thread(request, chats, posted)
            return Opened(opened.thread, is_new=True, name=name or "")
    history = [*posted.history, *posted.results]
    unsaid = await bring_past(chats, request, thread, history)
    return Opened(thread, unsaid=unsaid, is_foreign=bool(posted.answers))


async def _begin_thread(request: ApiRequest, chats: Conversations, posted: Posted) -> Opened:
    """Create a thread that begins with the client's posted history."""
    history: list[Message] = []
    if past := [*posted.history, *posted.results]:
        history = await read_history(chats.app, request, join_answers(past))
    first = posted.users[0] if posted.users else ""
    thread = await create_thread(request, first, history=history)
    return Opened(thread, len(history), is_new=True, is_foreign=bool(posted.answers))
