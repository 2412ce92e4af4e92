"""Talking in a conversation: say something, watch the run that answers, stop it."""

from __future__ import annotations

from contextlib import suppress

from ...agent.base.text import clean_text, make_title
from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.errors import NotFoundError
from ...agent.service.runs import RunHost
from ...agent.store.lookup import load_last_run
from ..auth.rates import RateLimit
from ..http.sse import EventStream
from .conversations import ONE, load_conversation
from .shapes import CancelResult, NewMessage, StreamQuery
from .streaming import RunAnswers, Shown, has_cursor, read_cursor, read_idempotency_key


class TalkRoutes:
    """The routes of a conversation's runs."""

    def __init__(self, runs: RunHost, messages: RateLimit) -> None:
        self._runs = runs
        self._answers = RunAnswers(runs)
        self._messages = messages

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute(
                "POST",
                ONE + "/messages",
                self.post_message,
                "Say something and watch the run that answers",
            ),
            ApiRoute(
                "GET",
                ONE + "/stream",
                self.attach,
                "Watch the active run, or a given one, from a cursor on",
            ),
            ApiRoute("POST", ONE + "/cancel", self.cancel, "Stop the active run"),
        )

    async def post_message(self, request: ApiRequest, body: NewMessage) -> Shown:
        thread = await load_conversation(request)
        key = read_idempotency_key(request)
        after = read_cursor(request)
        self._messages.take(request.tenant_id, request.user_id)
        ticket = await self._runs.submit(
            request.tenant_id,
            request.user_id,
            thread.thread_id,
            body.content,
            kind="onboarding" if thread.kind == "onboarding" else "chat",
            idempotency_key=key,
            when_busy=body.when_busy,
        )
        if ticket.is_new and not thread.title:
            title = make_title(clean_text(body.content))
            await request.store.rename_thread(
                request.tenant_id, request.user_id, thread.thread_id, title
            )
        return await self._answers.respond(request, ticket, after)

    async def attach(self, request: ApiRequest, query: StreamQuery) -> EventStream | None:
        """None (204): nothing runs, and nothing is left that the client has not seen."""
        thread = await load_conversation(request)
        after = read_cursor(request, query.after)
        run_id = await self._find_run(request, thread.thread_id, query)
        if run_id is None:
            return None
        return await self._answers.show(request, run_id, thread.thread_id, after)

    async def _find_run(
        self, request: ApiRequest, thread_id: str, query: StreamQuery
    ) -> str | None:
        """The given run, the active one, or (for who comes back with a cursor) the last one.

        Raises: NotFoundError for a run of another conversation.
        """
        if query.run_id is not None:
            run = await request.store.load_run(request.tenant_id, request.user_id, query.run_id)
            if run.thread_id != thread_id:
                raise NotFoundError(f"no such run: {query.run_id}")
            return run.run_id
        active = await self._runs.find_active(request.tenant_id, request.user_id, thread_id)
        if active is not None or not has_cursor(request, query.after):
            return active
        with suppress(NotFoundError):  # no run yet
            return await load_last_run(request.db, request.user_id, thread_id)
        return None

    async def cancel(self, request: ApiRequest) -> CancelResult:
        thread = await load_conversation(request)
        return CancelResult(
            await self._runs.cancel(request.tenant_id, request.user_id, thread.thread_id)
        )
