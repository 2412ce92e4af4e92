"""`/api/chat/onboarding`: the interview of the chosen pack, one conversation per user."""

from __future__ import annotations

from typing import Final

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.core.spec import Pack
from ...agent.dataclasses import dataclass
from ...agent.errors import ConfigError, ConflictError, InputError, NotFoundError
from ...agent.service.service import Service
from ...agent.store.records import ThreadInfo
from ...agent.store.threads import find_newest_thread
from ...agent.types import RunRequest
from ..auth.models import check_choice
from ..http.endpoint import AppContext
from .branching import submit_message
from .conversations import check_limit, read_messages
from .shapes import Interview, Kick, MessagesQuery, NewMessage
from .showing import to_conversation
from .streaming import RunAnswers, Shown, read_cursor, read_idempotency_key

PATH: Final = "/api/chat/onboarding"
WRONG_KIND: Final = "WRONG_KIND"  # a chat where an interview is held, or the other way round


@dataclass(frozen=True, slots=True)
class OnboardingRoutes:
    """The routes of the interview."""

    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute("GET", PATH, self.read, "Read the interview"),
            ApiRoute(
                "POST",
                PATH + "/messages",
                self.post_message,
                "Answer in the interview; the first answer starts it",
            ),
            ApiRoute("POST", PATH + "/kick", self.kick, "Let the interviewer speak first"),
        )

    async def read(self, request: ApiRequest, query: MessagesQuery) -> Interview:
        check_limit(request, query.limit)  # before the first interview, too
        pack = get_interview_pack(self.app.service)
        tenant_id, user_id = request.owner
        async with request.store.transaction(tenant_id) as tx:
            thread = await find_newest_thread(tx, user_id, pack=pack.name, kind="onboarding")
        if thread is None:
            return Interview(pack.name, None, [], None)
        messages, _ = await read_messages(request, thread.thread_id, query)
        active = await self.app.runs.find_active(tenant_id, user_id, thread.thread_id)
        return Interview(pack.name, to_conversation(thread), messages, active)

    async def post_message(self, request: ApiRequest, body: NewMessage) -> Shown:
        await check_choice(request, self.app.service, body.model)
        key = read_idempotency_key(request)
        run_request = body.to_request(request.settings, key)
        return await self._submit(
            request, run_request, body.replaces, how=(body.wait or "open", body.drafts)
        )

    async def kick(self, request: ApiRequest, body: Kick) -> Shown:
        key = read_idempotency_key(request)
        return await self._submit(
            request,
            RunRequest(None, idempotency_key=key, when_busy=body.when_busy),
            begin_new=body.new,
        )

    async def _submit(
        self,
        request: ApiRequest,
        run_request: RunRequest,
        replaces: int | None = None,
        *,
        begin_new: bool = False,
        how: tuple[str, bool | None] = ("open", None),
    ) -> Shown:
        """Start the interview's run and answer with it. how: `wait` and `drafts` of the message."""
        after = read_cursor(request)
        thread = await open_interview(self.app.service, request.owner, begin_new=begin_new)
        ticket = await submit_message(self.app, request.owner, thread, run_request, replaces)
        return await RunAnswers(self.app).respond(request, ticket, after, *how)


async def open_interview(
    service: Service, owner: tuple[str, str], *, begin_new: bool = False
) -> ThreadInfo:
    """Return the user's newest interview thread, which is created if there is none.

    begin_new: always create one. Raises: NotFoundError where no interview is held; InputError for a
    further one (`begin_new`) where the pack holds one per user.
    """
    pack = get_interview_pack(service)
    if begin_new and not (pack.onboarding and getattr(pack.onboarding.interview, "is_many", 0)):
        raise InputError(
            f"the interview of {pack.name!r} can be done only once",
            hint="Leave `new` out to continue the existing interview.",
        )
    return await service.ensure_interview(*owner, begin_new=begin_new)


async def make_interview(
    service: Service, owner: tuple[str, str], thread: ThreadInfo
) -> ThreadInfo:
    """Convert the user's empty conversation to an interview, for clients that create it first.

    Raises: ConflictError WRONG_KIND once something was said in it.
    """
    get_interview_pack(service)
    made = await service.make_interview(*owner, thread.thread_id)
    if made is None:
        text = "this conversation is a chat: start the interview in a new conversation"
        raise ConflictError(text, code=WRONG_KIND)
    return made


def get_interview_pack(service: Service) -> Pack:
    """Return the pack whose interview is offered. Raises: NotFoundError when there is none."""
    try:
        pack = service.onboarding_pack
    except ConfigError as error:
        raise NotFoundError(error.message, hint=error.hint) from error
    if pack.onboarding is None:
        raise NotFoundError(
            f"the pack {pack.name!r} has no interview",
            hint="Set AGENT_ONBOARDING to a pack that has an interview.",
        )
    return pack
