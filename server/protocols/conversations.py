"""Conversations of foreign clients as threads: by their names, and their branches.

A client that edits a message or asks for another answer has cut its own history. Here the thread
forks at that message: the client's name means the new branch from then on, the old one stays a
conversation of the user's, and what it cost stays in the ledger.
"""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeVar

from ...agent.base.messages.contents import make_text_message, make_user_message
from ...agent.base.messages.files import ToldFile, read_files
from ...agent.base.text.cleaning import check_message, clean_text, make_title
from ...agent.base.tokens.estimate import estimate_message_tokens
from ...agent.config.settings import Settings
from ...agent.core.api import ApiRequest
from ...agent.dataclasses import dataclass
from ...agent.errors import AgentError, ConflictError, InputError, NotFoundError, StoreError
from ...agent.service.runs import RunTicket
from ...agent.store import threads as store_threads
from ...agent.store.clients.branches import find_fork
from ...agent.store.clients.names import Place, find_place, fork_thread, load_positions, save_place
from ...agent.store.erasure import erase_thread_rows
from ...agent.store.records import Approval, ThreadInfo
from ...agent.store.runs import list_runs
from ...agent.types import Message, WhenBusy
from ..http.endpoint import AppContext
from ..settings import ServerLimits

KEY_REUSED: Final = "IDEMPOTENCY_REUSED"
T = TypeVar("T")
_THREADS: Final = uuid.UUID("0b4a4f0e-3d8b-4c3f-9a53-7c1d8c2f6e21")


@dataclass(frozen=True, slots=True)
class Conversations:
    """Finds and creates the conversations of one protocol by their clients' names. space: whose
    names they are; each user has names of its own in it.
    """

    app: AppContext
    space: str

    async def find(self, request: ApiRequest, name: str) -> ThreadInfo:
        """Return the user's thread by the client's name for it, or by the thread's own id.

        Raises: NotFoundError, also for another user's.
        """
        place = await find_place(request.db, request.user_id, self.space, name)
        known = [] if place is None else [place.thread_id]
        for thread_id in (*known, self._make_id(request, name), name):
            with suppress(NotFoundError):
                return await self._load(request, thread_id)
        raise NotFoundError(
            f"no such conversation: {name[:40]}",
            hint="Check the id; only conversations of the same user are visible.",
        )

    async def open(self, request: ApiRequest, name: str, first: str) -> tuple[ThreadInfo, bool]:
        """Return the user's thread by the client's name for it, or create it.

        Returns (thread, whether it is new). A new thread has the title `first`.
        """
        with suppress(NotFoundError):
            return await self.find(request, name), False
        thread_id = self._make_id(request, name)
        try:
            return await create_thread(request, first, thread_id), True
        # The id follows from the name, so that two first requests of a chat cannot make two
        # threads.
        except ConflictError:  # by another request of this moment
            return await self._load(request, thread_id), False

    async def begin_in(
        self,
        request: ApiRequest,
        name: str,
        find: Callable[[], Awaitable[tuple[ThreadInfo, bool]]],
        begin: Callable[[ThreadInfo, bool], Awaitable[T]],
    ) -> T:
        """Find or create the conversation of a message, and call `begin` to start its run there.

        If `begin` raises an error, a thread that was created for it is erased, and a fork is
        undone. name: the client's name of the conversation. find: returns the thread, and whether
        this call created it, as `open`; both are arguments of `begin`.
        """
        thread, is_new = await find()
        try:
            return await begin(thread, is_new)
        except AgentError:
            if is_new:
                await erase_thread(request, thread)
                raise
            if not await self._is_erased(request, thread):
                await self.undo_fork(request, thread, name)
                raise
        # Another request had created the thread for its message, which was refused: now this
        # message is the first one (test_a_refused_first_message_refuses_no_other_first_message).
        return await self.begin_in(request, name, find, begin)

    async def undo_fork(self, request: ApiRequest, thread: ThreadInfo, name: str) -> None:
        """Erase the branch that was forked off the thread for a refused message.

        The client's name then means the thread again. Errors are ignored. A branch in which another
        message has begun a run stays.
        """
        with suppress(StoreError, NotFoundError):
            place = await find_place(request.db, request.user_id, self.space, name)
            if place is None or place.thread_id == thread.thread_id:
                return
            async with request.store.transaction(request.tenant_id) as tx:
                forked_from = await find_fork(tx, request.user_id, place.thread_id)
            branch = await self._load(request, place.thread_id)
            if forked_from == thread.thread_id and await erase_thread(request, branch):
                await self.rename(request, name, thread.thread_id)

    async def rename(self, request: ApiRequest, name: str, thread_id: str) -> None:
        """Map the client's name for a conversation to this thread, replacing an earlier mapping."""
        async with request.store.transaction(request.tenant_id) as tx:
            await save_place(tx, request.user_id, self.space, name, Place(thread_id, None))

    async def fork(
        self,
        request: ApiRequest,
        thread: ThreadInfo,
        position: int,
        name: str | None,
        *,
        stops: bool = True,
    ) -> ThreadInfo:
        """Copy the thread's messages before `position` to a new thread and return it.

        The name, if any, then means the new thread. stops: the thread's active run is cancelled.

        Raises: NotFoundError when the thread is shorter.
        """
        if stops:
            if position >= thread.messages:
                raise NotFoundError(
                    "no such message in this conversation",
                    hint="Reload the conversation and use an id that it lists.",
                )
            await self.app.runs.cancel(*request.owner, thread.thread_id)
        async with request.store.transaction(request.tenant_id) as tx:
            branch = await fork_thread(tx, request.user_id, thread.thread_id, position)
            if name is not None:
                place = Place(branch.thread_id, None)
                await save_place(tx, request.user_id, self.space, name, place)
        return branch

    async def choose_when_busy(self, request: ApiRequest, thread: ThreadInfo) -> WhenBusy:
        """Return "interrupt" if a new message stops the active run, else "enqueue".

        A client's "stop" only cuts its connection, so its next message has to stop the run.
        """
        approvals = await self.list_questions(request, thread)
        # A run whose question was just approved goes on: stopping it would undo what its user
        # decided.
        is_agreed = any(item.status in ("approved", "consumed") for item in approvals)
        return "enqueue" if is_agreed else "interrupt"

    async def list_questions(self, request: ApiRequest, thread: ThreadInfo) -> list[Approval]:
        """Return the approval requests of the thread's active run; [] without one."""
        active = await self.app.runs.find_active(*request.owner, thread.thread_id)
        if active is None:
            return []
        return await self.app.runs.list_approvals(*request.owner, active)

    async def remember(self, request: ApiRequest, run_id: str, message_id: str) -> None:
        """Store the client's id of the message that a run answers; an empty id is not stored."""
        if not message_id:
            return
        run = await request.store.load_run(*request.owner, run_id)
        is_stored = run.status != "queued"
        place = Place(run.thread_id, run.input_position if is_stored else None)
        space = self.name_messages(run.thread_id)
        async with request.store.transaction(request.tenant_id) as tx:
            await save_place(tx, request.user_id, space, message_id, place)

    async def load_positions(self, request: ApiRequest, thread_id: str) -> dict[str, int | None]:
        """Return the positions of a thread's messages by the client's ids.

        None: the message is not stored yet.
        """
        spaces = (f"{self.space}.message", self.name_messages(thread_id))
        return await load_positions(request.db, request.user_id, spaces, thread_id)

    async def list_names(self, request: ApiRequest, thread_id: str) -> dict[int, str]:
        """Return the client's ids of the thread's stored messages, by position."""
        known = await self.load_positions(request, thread_id)
        return {place: name for name, place in known.items() if place is not None}

    def name_messages(self, thread_id: str) -> str:
        """Return the key under which a thread's map of client message ids is stored.

        `fork_thread` knows how it ends.
        """
        return f"{self.space}.message:{thread_id}"

    def make_key(self, *parts: str) -> str:
        """Hash a client's ids to an idempotency key, so that a repeated request joins its run."""
        return hashlib.sha256("\x00".join((self.space, *parts)).encode()).hexdigest()

    def _make_id(self, request: ApiRequest, name: str) -> str:
        """Derive a thread's id from the client's name: equal names give one thread."""
        # Joined by NUL, which no cleaned name holds: ("a", "bc") and ("ab", "c") are two threads.
        parts = (*request.owner, self.space, clean_text(name))
        return str(uuid.uuid5(_THREADS, "\x00".join(parts)))

    async def _load(self, request: ApiRequest, thread_id: str) -> ThreadInfo:
        return await request.store.load_thread(*request.owner, thread_id)

    async def _is_erased(self, request: ApiRequest, thread: ThreadInfo) -> bool:
        """Whether the thread is gone, or is another one by now: equal names give equal ids."""
        try:
            known = await self._load(request, thread.thread_id)
        except (NotFoundError, StoreError) as error:
            return isinstance(error, NotFoundError)
        return known.created_at != thread.created_at


async def create_thread(
    request: ApiRequest, first: str, thread_id: str | None = None, history: Sequence[Message] = ()
) -> ThreadInfo:
    """Create a thread of the user with these messages, and return it.

    first: the text from which its title is made. Raises: ConflictError when the id is taken.
    """
    async with request.store.transaction(request.tenant_id) as tx:
        thread = await store_threads.create_thread(
            tx,
            request.user_id,
            thread_id=thread_id,
            title=make_title(clean_text(first)),
            pack=request.pack,
        )
        if history:
            await store_threads.insert_messages(tx, thread.thread_id, None, history)
    return thread


async def begin_once(
    app: AppContext,
    request: ApiRequest,
    key: str | None,
    thread_id: str | None,
    title: str,
    submit: Callable[[ThreadInfo], Awaitable[RunTicket]],
) -> RunTicket:
    """Start a run once: a request with the same key joins the first request's run.

    thread_id: None creates a thread. Two requests at the same time share the thread too.

    Raises: as `submit`; ConflictError where the key is of a message within another conversation;
    a thread that was made for nothing is erased.
    """
    # A retry names no conversation, since its first request made one: its key leads there
    # (test_a_message_sent_again_joins_its_first_run).
    known = None if key is None else await request.store.load_run_by_key(*request.owner, key)
    if known is not None and thread_id is None:
        if known.input_position > 0:  # that request named its conversation
            raise make_key_reused()
        thread_id = known.thread_id
    thread = await app.service.ensure_thread(*request.owner, thread_id, title)
    try:
        return await submit(thread)
    except AgentError as error:
        if thread_id is not None:
            raise
        # Else each refused first message would leave an empty chat in the list.
        await erase_thread(request, thread)
        # Another request with this key has begun its run between our check and our submit: try
        # again, to join that run.
        if error.code != KEY_REUSED or known is not None:
            raise
    return await begin_once(app, request, key, None, title, submit)


def make_key_reused() -> ConflictError:
    """Build the error for an idempotency key that another request has used."""
    hint = "Use a new key for a new request."
    message = "the idempotency key was used for another request"
    return ConflictError(message, hint=hint, code=KEY_REUSED)


async def erase_thread(request: ApiRequest, thread: ThreadInfo) -> bool:
    """Erase a new thread whose first message was refused, unless it has a run.

    Another message of the same conversation may have begun a run meanwhile. Errors are ignored.
    Returns whether it was erased.
    """
    with suppress(StoreError, NotFoundError):
        async with request.store.transaction(request.tenant_id) as tx:
            # The row first: a run that begins now is seen by the next statement, or finds no thread
            # (test_a_refused_message_erases_no_task_of_its_context).
            await tx.fetchrow(store_threads.SQL["lock_thread"], *request.owner, thread.thread_id)
            if not await list_runs(tx, thread.thread_id):
                await erase_thread_rows(tx, request.user_id, thread.thread_id)
                return True
    return False


class PostedMessage(NamedTuple):
    """An earlier message as a client posted it."""

    role: str  # user or assistant
    text: str
    files: Sequence[ToldFile] = ()  # of the user
    calls: Sequence[str] = ()  # of the client's tools, by their ids
    id: str = ""  # that the client gave it; "": none


async def read_history(
    app: AppContext,
    request: ApiRequest,
    history: Sequence[PostedMessage],
    *,
    keeps_refused: bool = False,
) -> list[Message]:
    """Convert a client's earlier messages for storage, within the limits of one message.
    keeps_refused: store a reason in place of a message that is refused, as pages keep showing it.

    Raises: InputError HISTORY_TOO_LONG, MESSAGE_TOO_LONG; as `read_files`; TooManyRequests.
    """
    if not history:
        return []
    limits = request.settings.get_table(ServerLimits)
    if len(history) > limits.posted_messages:
        raise _make_too_long(
            f"has {len(history)} messages", "posted_messages", limits.posted_messages
        )
    # A posted history counts like a message, whichever client posts it
    # (test_a_posted_history_counts_towards_rates_like_a_message).
    app.messages.take(*request.owner)
    messages: list[Message] = []
    tokens = 0
    for item in history:
        try:
            message = _read_posted(item, request.settings)
        except AgentError as error:
            if not keeps_refused:
                raise
            # Pages post a refused message again with each later one: refused again, it would end
            # the chat (test_a_refused_message_does_not_end_its_chat).
            message = make_text_message(item.role, f"[refused: {error.public_message}]")
        if message is None:
            continue
        message["tokens"] = estimate_message_tokens(message)
        tokens += message["tokens"]
        if tokens > limits.posted_tokens:
            raise _make_too_long("has too many tokens", "posted_tokens", limits.posted_tokens)
        messages.append(message)
        await asyncio.sleep(0)  # counting all at once would hold the event loop
    return messages


def _read_posted(item: PostedMessage, settings: Settings) -> Message | None:
    """Convert a posted message; None if it is empty. Raises: InputError and as `read_files`."""
    text, files = clean_text(item.text).strip(), read_files(item.files, settings)
    if not text and not files:
        return None
    text = check_message(text, settings.limits.message_chars) if text else ""
    is_user = item.role == "user"
    # A client can post any text as our answer, so such an answer makes nothing trusted
    # (test_an_assistant_message_posted_by_a_client_is_untrusted).
    return make_user_message(text, files) if is_user else mark_untrusted(item.role, text)


def mark_untrusted(role: Any, text: str) -> Message:
    """Build a text message marked as untrusted, because it comes from a client's history."""
    return {"role": role, "parts": [{"type": "text", "text": text, "is_untrusted": True}]}


def _make_too_long(what: str, name: str, limit: int) -> InputError:
    return InputError(
        f"the history sent with the request {what}",
        hint=f"Send only its newest part: at most {limit} (limits.{name}).",
        code="HISTORY_TOO_LONG",
    )
