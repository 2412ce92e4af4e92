"""Branches: a message in the place of an earlier one, another answer to the same one, or a copy to
go on in. What was said stays in the conversation that it was said in.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Final

from ...agent.base.messages.contents import get_text, list_files
from ...agent.base.text.cleaning import make_title
from ...agent.errors import (
    AgentError,
    ConflictError,
    InputError,
    NotFoundError,
    ShapeError,
    StoreError,
)
from ...agent.service.runs import RunTicket
from ...agent.store.clients.branches import find_fork
from ...agent.store.clients.names import fork_thread
from ...agent.store.records import ThreadInfo
from ...agent.store.store import Store
from ...agent.store.threads import delete_thread, rename_thread
from ...agent.types import Message, RunRequest
from ..http.endpoint import AppContext

KEY_REUSED: Final = "IDEMPOTENCY_REUSED"
Owner = tuple[str, str]  # the tenant and the user


async def submit_message(
    app: AppContext, owner: Owner, thread: ThreadInfo, run_request: RunRequest, replaces: int | None
) -> RunTicket:
    """Start a run for a message, in a fork if it replaces an earlier message.

    replaces: the position of the message that it replaces, or None.

    Raises: NotFoundError for no such place; InputError for an interview; as `AppContext.submit`.
    """
    if replaces is None:
        return await app.submit(*owner, thread, run_request)
    position, message = await find_question(app.store, owner, thread, replaces)
    again = run_request
    if not run_request.message and not run_request.files:
        again = replace(run_request, message=get_text(message), files=list_files(message))
    if not again.message and not again.files:
        raise ShapeError(
            "the message is empty: its `content` has no text", hint="Write a question in `content`."
        )
    key = run_request.idempotency_key
    # Before anything is made or stopped: a message sent again joins its run, and leaves no second
    # branch (test_a_message_sent_twice_with_one_key_makes_one_branch).
    known = None if key is None else await app.store.load_run_by_key(*owner, key)
    if known is not None:  # what it joins, or what refuses it
        async with app.store.transaction(owner[0]) as tx:
            forked_from = await find_fork(tx, owner[1], known.thread_id)
        if forked_from != thread.thread_id or known.input_position != position:
            hint = "Use a new key for a new request."
            raise ConflictError(
                "this idempotency key was used for another request", hint=hint, code=KEY_REUSED
            )
        branch = await app.store.load_thread(*owner, known.thread_id)
        return await app.submit(*owner, branch, again)
    # Otherwise the original thread keeps its run: a branch is another conversation
    # (test_a_branch_cancels_the_active_run_only_with_interrupt).
    if run_request.when_busy == "interrupt":
        await app.runs.cancel(*owner, thread.thread_id)
    branch = await make_branch(app.store, owner, thread, position, get_text(message))
    try:
        return await app.submit(*owner, branch, again)
    except AgentError as error:
        # Whatever refused the message, no empty branch stays in the list.
        with suppress(StoreError, NotFoundError):
            async with app.store.transaction(owner[0]) as tx:
                await delete_thread(tx, owner[1], branch.thread_id)
        if error.code != KEY_REUSED:
            raise
    # The same message, sent twice at this moment: the other one has begun.
    return await submit_message(app, owner, thread, run_request, replaces)


async def make_branch(
    store: Store, owner: Owner, thread: ThreadInfo, position: int, question: str = ""
) -> ThreadInfo:
    """Create and return a thread with copies of this thread's messages before the position.

    question: text of the message that is replaced. If it is the first one, a title made of its
    words is not copied: the branch gets its title from its own first message.
    """
    async with store.transaction(owner[0]) as tx:
        branch = await fork_thread(tx, owner[1], thread.thread_id, position)
        if position > 0 or not branch.title or branch.title != make_title(question):
            return branch
        await rename_thread(tx, owner[1], branch.thread_id, "")
        return replace(branch, title="")


async def find_question(
    store: Store, owner: Owner, thread: ThreadInfo, position: int
) -> tuple[int, Message]:
    """Return (position, message) of the last user message at or before this position.

    Raises: NotFoundError; InputError for an interview, which goes one way.
    """
    if thread.kind != "chat":
        raise InputError(
            "interviews cannot be branched", hint="Branch a conversation that is not an interview."
        )
    stored = await store.load_messages(owner[0], thread.thread_id)
    for n in range(min(position, len(stored) - 1), -1, -1) if position < len(stored) else ():
        if stored[n]["role"] == "user":
            return n, stored[n]
    raise NotFoundError(
        "no such message in this conversation",
        hint="Reload the conversation and use an id that it lists.",
    )
