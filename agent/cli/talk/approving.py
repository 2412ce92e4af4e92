"""`plainloop approvals` and `plainloop approve`: what runs wait for, and going on with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...config.settings import load_settings
from ...errors import ConflictError
from ...service.resuming import resume_run
from ...service.service import Service
from ...store.approvals import choose_pending, find_approvals, list_pending_approvals
from ...store.records import Approval
from ...store.store import Store
from ..terminal import output
from ..terminal.opening import LAST, find_run, open_store
from ..terminal.options import Owner
from ..terminal.serving import open_service
from .answering import (
    JsonView,
    Start,
    follow_run,
    raise_for_limit,
    show_in_words,
)

MOST_NAMED: Final = 20  # questions, where one has to be chosen


async def print_approvals(owner: Owner, run: str) -> None:
    """Raises: NotFoundError."""
    async with open_store(load_settings()) as store:
        run_id = await find_run(store, owner, run)
        approvals = await store.queue.list_approvals(owner.tenant_id, owner.user_id, run_id)
        for approval in approvals:
            output.write_line(describe_approval(approval))
        if not approvals:
            output.write_status(f"the run {run_id} asked for nothing")


async def approve(owner: Owner, run: str, *, deny: bool, as_json: bool, reason: str = "") -> None:
    """Decide on what is asked, and show how the run goes on. run: a run, or a question's code.

    Raises: NotFoundError; ConflictError when it waits for nothing, or more than one question may be
    meant; what the run raises.
    """
    async with open_service(load_settings()) as service:
        meant = await find_meant(service.store, owner, run)
        await decide(service.store, owner, meant, approve=not deny, reason=reason)
        run_id = meant[0].run_id
        if as_json:
            raise_for_limit(await follow_run(*await _load_rest(service, owner, run_id), JsonView()))
        else:
            await go_on_in_words(service, owner, run_id)


async def find_meant(store: Store, owner: Owner, named: str) -> list[Approval]:
    """Find what a decision on a run means, or on the question with this code. Where it may be meant
    for a question that was asked before, or by another run, it has to name the question.

    Raises: NotFoundError, ConflictError.
    """
    async with store.transaction(owner.tenant_id) as tx:
        if found := await find_approvals(tx, owner.user_id, [named]):
            return found
        waiting = await list_pending_approvals(tx, owner.user_id, MOST_NAMED)
    run_id = await find_run(store, owner, named)
    listed = await store.queue.list_approvals(owner.tenant_id, owner.user_id, run_id)
    try:
        meant = choose_pending(listed)
        if named == LAST:
            choose_pending(waiting)
    except ConflictError as error:
        error.hint = "`plainloop approve CODE` with the code of the question that you mean"
        raise
    if not meant:
        raise ConflictError(f"the run {run_id} waits for no decision", code="APPROVAL_DECIDED")
    return meant


async def decide(
    store: Store, owner: Owner, meant: Sequence[Approval], *, approve: bool, reason: str = ""
) -> None:
    """Raises: ConflictError when it was decided otherwise; InputError for a reason of a yes."""
    for item in meant:
        decision = (item.approval_id, approve, owner.user_id, reason)
        await store.queue.decide_approval(owner.tenant_id, owner.user_id, item.run_id, *decision)
        output.write_status(f"{'allowed' if approve else 'refused'}: {item.question}")


async def go_on_in_words(
    service: Service, owner: Owner, run_id: str, *, is_chat: bool = False
) -> None:
    """The rest of the run, as an answer is shown."""
    start, thread_id = await _load_rest(service, owner, run_id)
    await show_in_words(service, owner, thread_id, start, is_chat=is_chat)


def describe_approval(approval: Approval) -> str:
    """`pending   Delete #3 Cook at Cafe Uno (saved)?`"""
    by = f"  by {approval.decided_by}" if approval.decided_by else ""
    why = f": {approval.reason}" if approval.reason else ""
    return f"{approval.status:<9} {approval.question}{by}{why}"


async def _load_rest(service: Service, owner: Owner, run_id: str) -> tuple[Start, str]:
    """(what goes on with the run, its thread)."""
    whose = (owner.tenant_id, owner.user_id, run_id)
    run = await service.store.load_run(*whose)
    return lambda viewer: resume_run(service, *whose, viewer), run.thread_id
