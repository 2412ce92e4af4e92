"""Talking in a conversation: say something, watch the run that answers, stop it."""

from __future__ import annotations

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.dataclasses import dataclass
from ...agent.errors import PayloadTooLarge, ShapeError
from ..auth.models import check_choice
from ..http.endpoint import AppContext
from ..http.sse import EventStream
from ..settings import ServerLimits
from .branching import find_question, make_branch, submit_message
from .conversations import ONE, load_conversation
from .shapes import CancelResult, Conversation, NewBranch, NewMessage, StreamQuery, WaitQuery
from .showing import to_conversation
from .streaming import RunAnswers, Shown, has_cursor, read_cursor, read_idempotency_key


@dataclass(frozen=True, slots=True)
class TalkRoutes:
    """The routes of a conversation's runs."""

    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute(
                "POST",
                ONE + "/messages",
                self.post_message,
                "Send a message, and watch the run that answers it",
                max_bytes=self.app.settings.get_table(ServerLimits).message_bytes,
            ),
            ApiRoute(
                "GET",
                ONE + "/stream",
                self.attach,
                "Watch the active or a given run, from a cursor on",
            ),
            ApiRoute("POST", ONE + "/cancel", self.cancel, "Stop the active run"),
            ApiRoute("POST", ONE + "/branches", branch, "Branch a conversation", status=201),
        )

    async def post_message(self, request: ApiRequest, body: NewMessage, query: WaitQuery) -> Shown:
        # Here, not in the shape: text may be missing beside files, or where an earlier message is
        # sent again.
        if not body.content and not body.files and body.replaces is None:
            raise ShapeError(
                "the body has the wrong shape: `content` is empty",
                hint="Write a question in `content`.",
            )
        if len(body.content) > (max_bytes := request.settings.get_table(ServerLimits).body_bytes):
            raise PayloadTooLarge(
                f"`content` is larger than {max_bytes:,} bytes",
                hint="Send less text, or send it as a file.",
            )  # files may be
        thread = await load_conversation(request)
        await check_choice(request, self.app.service, body.model)
        # Read before the run is submitted: a wrong header must not leave a run behind its error.
        after = read_cursor(request)
        run_request = body.to_request(request.settings, read_idempotency_key(request))
        ticket = await submit_message(self.app, request.owner, thread, run_request, body.replaces)
        how = (body.wait or query.wait, body.drafts)
        return await RunAnswers(self.app).respond(request, ticket, after, *how)

    async def attach(self, request: ApiRequest, query: StreamQuery) -> EventStream | None:
        """Stream a run of the thread; None (204) if it has no new events.

        It is the named run, the active one, or with a cursor the last.
        """
        thread = await load_conversation(request)
        after = read_cursor(request, query.after)
        run_id = await self.app.find_run(
            request.tenant_id,
            request.user_id,
            thread.thread_id,
            query.run_id,
            or_last=has_cursor(request, query.after),
        )
        if run_id is None:
            return None
        answers = RunAnswers(self.app)
        how = (query.wait, query.drafts)
        return await answers.show(request, run_id, thread.thread_id, after, *how)

    async def cancel(self, request: ApiRequest) -> CancelResult:
        thread = await load_conversation(request)
        return CancelResult(await self.app.runs.cancel(*request.owner, thread.thread_id))


async def branch(request: ApiRequest, body: NewBranch) -> Conversation:
    thread = await load_conversation(request)
    position = thread.messages
    if body.before is not None:
        position, _ = await find_question(request.store, request.owner, thread, body.before)
    made = await make_branch(request.store, request.owner, thread, position)
    return to_conversation(made)
