"""`DELETE /api/users/{id}`: erase everything of a user."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.dataclasses import dataclass, replace
from ...agent.errors import AccessDenied
from ...agent.store.admin.audit import Deed
from ...agent.store.api import list_conversations
from ...agent.store.erasure import erase_user_rows
from ..http.endpoint import AppContext
from .choosing import record_deed

ME = "me"
_PAGE_ROWS = 1000


class UserQuery(Struct):
    user_id: Annotated[str, Meta(min_length=1, max_length=255)]


@dataclass(frozen=True, slots=True)
class UserRoutes:
    """The routes of users."""

    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute(
                "DELETE",
                # `path`, since a user's name is any text: `ann/b` of a directory, or a mail
                # address.
                "/api/users/{user_id:path}",
                self.erase,
                "Erase all data of a user: your own (`me`), or any user of the tenant (admins)",
                status=204,
            ),
            ApiRoute(
                "DELETE",
                "/api/users",
                self.erase_named,
                "Erase all data of a user by exact id, also of one named `me` (admins)",
                status=204,
            ),
        )

    async def erase(self, request: ApiRequest) -> None:
        user_id = request.params["user_id"]
        await self._erase(request, request.user_id if user_id == ME else user_id)

    async def erase_named(self, request: ApiRequest, query: UserQuery) -> None:
        await self._erase(request, query.user_id)

    async def _erase(self, request: ApiRequest, user_id: str) -> None:
        if user_id != request.user_id and not request.is_admin:
            raise AccessDenied(
                "only an administrator may erase another user", hint="Sign in as an administrator."
            )
        # What still runs would write nothing more, but its provider would go on talking.
        for kind in ("chat", "onboarding", "parse"):
            # The newest thousand: a run that is active is in a conversation that was used last.
            for thread in await list_conversations(request.db, user_id, kind, _PAGE_ROWS, None):
                await self.app.runs.cancel(request.tenant_id, user_id, thread.thread_id)
        async with request.store.transaction(request.tenant_id) as tx:
            threads = await erase_user_rows(tx, user_id)
            # Who it was is what shall be forgotten.
            actor = "" if user_id == request.user_id else request.user_id
            deed = Deed("user.erase", details={"conversations": len(threads)})
            await record_deed(tx, replace(request, user_id=actor), deed)
        request.store.forget_prompts()
        await self.app.service.forget_threads(threads)
