"""Which thread a posted history belongs to: by a header, else by the history itself."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import orjson

from ....agent.base.files import ToldFile
from ....agent.base.messages import get_answer, get_text
from ....agent.core.api import ApiRequest
from ....agent.errors import InputError
from ....agent.store.approvals import find_approvals
from ....agent.store.clients.names import find_place
from ....agent.store.records import ThreadInfo
from ....agent.store.threads import insert_messages
from ....agent.types import Message
from ..conversations import Conversations, Said, create_thread, find_turn, read_history
from .chat import read_asked
from .shapes import ChatMessage

THREAD_HEADER: Final = "x-thread-id"  # our own id
# The client's id of the conversation: what Open WebUI forwards, and LibreChat is told to send.
_DECISIONS: Final = {"yes": True, "y": True, "no": False, "n": False}
NAME_HEADERS: Final = ("x-openwebui-chat-id", "x-librechat-conversation-id", "x-conversation-id")


@dataclass(frozen=True, slots=True)
class Posted:
    """Holds what a request says was said. users: each message of the user, the newest last.

    decision: the newest one is no message but the answer to a question of ours. answers: what the
    client's own tools gave, by the calls' ids: then nothing new was said.
    """

    history: list[Said]  # of user and assistant, before the newest
    users: list[str]
    files: Sequence[ToldFile] = ()  # of the newest
    decision: bool | None = None
    answers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def is_going_on(self) -> bool:
        """Whether a run that waits is to go on."""
        return self.decision is not None or bool(self.answers)

    @property
    def name(self) -> str:
        """Name the history including the newest message."""
        return _hash(self.users)

    @property
    def name_before(self) -> str:
        return _hash(self.users if self.is_going_on else self.users[:-1])

    @property
    def last_answer(self) -> str:
        texts = [item.text for item in self.history if item.role == "assistant"]
        return texts[-1].strip() if texts else ""

    @property
    def asked(self) -> list[str]:
        """Return the codes of the questions that the newest message, or decision, follows; [] for
        none.
        """
        is_answer = bool(self.history) and self.history[-1].role == "assistant"
        return (read_asked(self.history[-1].text) or []) if is_answer else []


def _hash(users: Sequence[str]) -> str:
    return hashlib.sha256(orjson.dumps(users)).hexdigest()


def read_posted(messages: Sequence[ChatMessage]) -> Posted:
    """Decisions are taken out of the history: in the thread they are no messages.

    Raises: InputError when the user says nothing at the end.
    """
    said: list[Said] = []
    answers: dict[str, str] = {}
    decision: bool | None = None
    for item in messages:
        if item.role == "tool" and item.tool_call_id:
            answers[item.tool_call_id] = item.text
        if item.role not in ("user", "assistant"):
            continue
        answers.clear()
        text = item.text
        follows = said[-1] if said else None
        is_asked = follows and follows.role == "assistant" and read_asked(follows.text) is not None
        decision = _DECISIONS.get(text.strip().strip(".!").lower()) if is_asked else None
        if decision is None or item.role == "assistant":
            said.append(Said(item.role, text, item.files if item.role == "user" else ()))
    is_going_on = decision is not None or bool(answers)
    if not is_going_on and (not said or said[-1].role != "user"):
        raise InputError("the last message must be the user's", code="EMPTY_MESSAGE")
    users = [item.text for item in said if item.role == "user"]
    if is_going_on:
        return Posted(said, users, (), decision, answers)
    return Posted(said[:-1], users, said[-1].files)


async def find_thread(request: ApiRequest, chats: Conversations, posted: Posted) -> ThreadInfo:
    """The thread in which the newest message is to be answered: known, forked, or new.

    Raises: NotFoundError for an id of ours that is not the user's.
    """
    if own := request.headers.get(THREAD_HEADER):
        thread = await request.store.load_thread(*request.owner, own)
        return await _fit(request, chats, thread, posted, None)
    named = [request.headers[name] for name in NAME_HEADERS if request.headers.get(name)]
    if named:
        thread = await chats.ensure(request, named[0], posted.users[-1] if posted.users else "")
        return await _fit(request, chats, thread, posted, named[0])
    thread = await _find_by_history(request, chats, posted)
    thread = await _fit(request, chats, thread, posted, None)
    await chats.rename(request, posted.name, thread.thread_id)
    return thread


async def _find_by_history(
    request: ApiRequest, chats: Conversations, posted: Posted
) -> ThreadInfo | None:
    """The thread that holds what the client shows, if there is one: two conversations may begin
    alike, and then the answers tell them apart.
    """
    place = None
    if asked := await find_approvals(request.db, request.user_id, posted.asked):
        return await request.store.load_thread(*request.owner, asked[-1].thread_id)
    if posted.history:
        place = await find_place(request.db, request.user_id, chats.space, posted.name_before)
    if place is not None:
        stored = await request.store.load_messages(request.tenant_id, place.thread_id)
        shown = posted.last_answer
        if any(said in shown or shown in said for said in list_answers(stored)):
            return await request.store.load_thread(*request.owner, place.thread_id)
    return None


def list_answers(stored: Sequence[Message]) -> list[str]:
    """List what each message of the user was answered with."""
    starts = [n for n, item in enumerate(stored) if n and item["role"] == "user"]
    return [get_answer(stored[n:end]).strip() for n, end in pairwise((0, *starts, len(stored)))]


async def _fit(
    request: ApiRequest,
    chats: Conversations,
    thread: ThreadInfo | None,
    posted: Posted,
    name: str | None,
) -> ThreadInfo:
    """The thread itself when the newest message follows its last; a branch when it takes the place
    of an earlier one; a new thread with the client's history when ours is another, or none.
    """
    if thread is not None and posted.is_going_on:
        return thread
    stored: list[Message] = []
    if thread is not None:
        stored = await request.store.load_messages(request.tenant_id, thread.thread_id)
        places = [(n, get_text(item)) for n, item in enumerate(stored) if item["role"] == "user"]
        turn = find_turn([text for _, text in places], posted.users)
        if turn is not None and turn < len(places):
            return await chats.fork(request, thread, places[turn][0], name)
        if stored and turn is not None:
            return thread
    history = await read_history(chats.around, request, posted.history)
    if thread is None or stored:
        first = posted.users[0] if posted.users else ""
        thread = await create_thread(request, first, history=history)
        if name is not None:
            await chats.rename(request, name, thread.thread_id)
    elif history:
        async with request.store.transaction(request.tenant_id) as tx:
            await insert_messages(tx, thread.thread_id, None, history)
    return thread
