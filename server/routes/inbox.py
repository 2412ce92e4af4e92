"""What a user finds again: everything that waits for a decision, runs of a conversation."""

from __future__ import annotations

from typing import Final

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.store.approvals import list_inbox
from ...agent.usage.report import EVERYBODY
from .choosing import choose_user
from .conversations import ONE as CONVERSATION
from .conversations import check_limit, load_conversation
from .shapes import ApprovalList, PendingQuery, RunHead, RunHeads, RunsQuery
from .showing import to_pending, to_shape


async def list_pending(request: ApiRequest, query: PendingQuery) -> ApprovalList:
    """List the approvals that wait for the caller or that were decided.

    Administrators can list those of other users. Raises: AccessDenied when everybody's are asked
    for without the right.
    """
    wanted = EVERYBODY if query.everybody else query.user_id
    user_id = choose_user(
        request, wanted, "only an administrator can see the approvals of other users"
    )
    limit = check_limit(request, query.limit)
    approvals = await list_inbox(request.db, user_id, limit, is_decided=query.status == "decided")
    shown = [to_pending(item) for item in approvals]
    for item in shown:
        if item.user_id != request.user_id:
            item.title = None  # of a chat that only its user can read
    return ApprovalList(shown)


async def list_runs(request: ApiRequest, query: RunsQuery) -> RunHeads:
    thread = await load_conversation(request)
    limit = check_limit(request, query.limit)
    runs = await request.store.list_runs(request.tenant_id, thread.thread_id)
    return RunHeads([to_shape(RunHead, run, id=run.run_id) for run in runs[::-1][:limit]])


INBOX_ROUTES: Final = (
    ApiRoute("GET", "/api/approvals", list_pending, "List pending and decided approvals"),
    ApiRoute("GET", CONVERSATION + "/runs", list_runs, "List a conversation's runs, newest first"),
)
