"""`plainloop approvals` lists pending approvals; `plainloop approve` decides and resumes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ... import errors
from ...config.settings import load_settings
from ...core.journal import Viewer
from ...errors import AgentError, ConflictError, LimitReached, RunWaiting
from ...events import WAITING, Event
from ...service.resuming import resume_run
from ...service.runs import RunHost
from ...service.service import Service
from ...store.approvals import Decided, choose_pending, find_approvals, list_inbox
from ...store.records import Approval
from ...store.store import Store
from ..terminal import output
from ..terminal.opening import LAST, find_run
from ..terminal.options import Owner
from ..terminal.serving import open_service
from .answering import show_run

MAX_LISTED: Final = 20  # questions, where one has to be chosen


async def print_approvals(store: Store, owner: Owner, run: str) -> None:
    """Print the approvals that a run requested, with their decisions. Raises: NotFoundError."""
    run_id = await find_run(store, owner, run)
    approvals = await store.queue.list_approvals(owner.tenant_id, owner.user_id, run_id)
    for item in approvals:  # `pending   Delete #3 Cook at Cafe Uno (saved)?`
        by = f"  by {item.decided_by}" if item.decided_by else ""
        why = f": {item.reason}" if item.reason else ""
        output.write_line(f"{item.status:<9} {item.question}{by}{why}")
    if not approvals:
        output.write_status(f"the run {run_id} requested no approval")


async def approve(owner: Owner, run: str, *, deny: bool, as_json: bool, reason: str = "") -> None:
    """Approve or deny a run's pending question, then resume the run and show its answer.
    run: a run's id, or a question's code.

    Raises: NotFoundError; ConflictError when it waits for nothing, or more than one question may be
    meant; what the run raises.
    """
    async with open_service(load_settings()) as service:
        meant = await find_meant(service.store, owner, run)
        seen = await decide(service.store, owner, meant, approve=not deny, reason=reason)
        await go_on(service, owner, meant[0].run_id, seen, as_json=as_json)


async def find_meant(store: Store, owner: Owner, named: str) -> list[Approval]:
    """Find the pending approvals that a user names by a code, a run's id or `last`.

    If the run has asked before, or another run waits too, only a code is accepted: an id or `last`
    might mean a question that its user has not seen.

    Raises: NotFoundError, ConflictError.
    """
    async with store.transaction(owner.tenant_id) as tx:
        # A code names one question; an id and `last` may mean another one by now
        # (test_approve_needs_an_id_if_several_approvals_are_pending).
        if found := await find_approvals(tx, owner.user_id, [named]):
            return found
        waiting = await list_inbox(tx, owner.user_id, MAX_LISTED)
    run_id = await find_run(store, owner, named)
    listed = await store.queue.list_approvals(owner.tenant_id, owner.user_id, run_id)
    try:
        meant = choose_pending(listed)
        if named == LAST:
            choose_pending(waiting)
    except ConflictError as error:
        error.hint = "`plainloop approve CODE` decides one question; use the code shown with it."
        raise
    if not meant:
        raise ConflictError(
            f"the run {run_id} is not waiting for an approval",
            hint="`plainloop approvals` lists the runs that are waiting.",
            code="APPROVAL_DECIDED",
        )
    return meant


async def decide(
    store: Store, owner: Owner, meant: Sequence[Approval], *, approve: bool, reason: str = ""
) -> int:
    """Record the same decision for these approvals; return the run's last event number.

    Raises: ConflictError when it was decided otherwise; InputError for a reason of a yes.
    """
    # Load before the decision: a server may claim the run at once, and these events were shown.
    shown = await store.load_events(owner.tenant_id, meant[0].run_id, 0)
    whose = (owner.tenant_id, owner.user_id, meant[0].run_id)
    decisions = [Decided(item.approval_id, approve, reason) for item in meant]
    await store.queue.decide_approvals(*whose, decisions, owner.user_id)
    for item in meant:
        output.write_status(f"{'allowed' if approve else 'denied'}: {item.question}")
    return shown[-1]["seq"] if shown else 0


async def go_on(
    service: Service,
    owner: Owner,
    run_id: str,
    seen: int,
    *,
    as_json: bool = False,
    is_chat: bool = False,
) -> None:
    """Resume a run after a decision, here or on a server, and show its answer."""
    whose = (owner.tenant_id, owner.user_id, run_id)
    run = await service.store.load_run(*whose)

    async def start(viewer: Viewer) -> str:
        try:
            return (await resume_run(service, *whose, viewer)).answer
        except ConflictError as error:
            asked = await service.store.queue.list_approvals(*whose)
            # A server has claimed the run first: its events are watched instead
            # (test_approve_prints_the_end_of_a_run_that_a_server_resumed).
            if error.code != "RUN_TAKEN" or any(item.status == "pending" for item in asked):
                raise
        return await watch_rest(service, owner, run_id, seen, viewer)

    await show_run(service, owner, run.thread_id, start, as_json=as_json, is_chat=is_chat)


async def watch_rest(service: Service, owner: Owner, run_id: str, seen: int, viewer: Viewer) -> str:
    """Show the further events of a run that another process executes; return its answer.

    Raises: RunWaiting; AgentError with the code that the run ended with.
    """
    last: Event | None = None
    whose = (owner.tenant_id, owner.user_id, run_id)
    async for events in RunHost(service).watch_turn(*whose, seen):
        for last in events:
            viewer(last)
    if last is None or last["event"] in WAITING:
        hint = "`plainloop approvals` shows the question."
        raise RunWaiting(f"the run {run_id} is waiting for a person's approval", hint=hint)
    told: dict[str, Any] = {**last["data"]}
    code = told.get("code")
    if code in (None, LimitReached.code):  # of a limit `show_run` tells
        return str(told.get("content", ""))
    error = AgentError(told["message"], code=code)
    # The stored end of a run has only a code; the class with this code has the exit code.
    kinds = [kind for kind in vars(errors).values() if getattr(kind, "code", None) == code]
    error.exit_code = kinds[0].exit_code if kinds else AgentError.exit_code
    raise error
