"""`GET /api/changes`: one stream of what changed of one's own, over all conversations."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta, Struct

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.service.changes import Change
from ...agent.service.settings import RunLimits
from ..auth.identity import Identity, make_expired
from ..http.endpoint import AppContext
from ..http.sse import EventStream, to_sse
from .choosing import choose_user
from .streaming import read_last_event_id

PATH: Final = "/api/changes"
MAX_INTEGER: Final = 2**53 - 1  # what JavaScript counts exactly


class ChangesQuery(Struct, forbid_unknown_fields=True):
    after: Annotated[int, Meta(ge=0, le=MAX_INTEGER)] | None = None  # `id` of the last one seen
    user_id: str | None = None  # another one's, or "*": for admins


@dataclass(frozen=True, slots=True)
class ChangeRoutes:
    """The route of the stream of changes."""

    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        summary = "Watch changes of runs, approvals and conversations"
        return (ApiRoute("GET", PATH, self.watch, summary),)

    async def watch(self, request: ApiRequest, query: ChangesQuery) -> EventStream:
        """Stream changes of the user's data after a cursor; an admin may watch other users.

        Raises: AccessDenied, InputError.
        """
        user_id = choose_user(request, query.user_id, "only an administrator can watch other users")
        # A browser that reconnects repeats the page's old `?after=`, with a new header (HTML,
        # 9.2.3).
        cursors = [read_last_event_id(request, MAX_INTEGER), query.after]  # the newer one counts
        after = max((item for item in cursors if item is not None), default=None)
        changes = self.app.runs.watch_changes(request.tenant_id, user_id, after)
        return EventStream(
            self._show_while_valid(request, changes),
            writer=ChangeWriter(),
            headers={},
            limits=request.settings.get_table(RunLimits),
            share=self.app.streams.held(*request.owner),
        )

    async def _show_while_valid(
        self, request: ApiRequest, changes: AsyncGenerator[list[Change]]
    ) -> AsyncGenerator[list[Change]]:
        """Yield the changes until the caller's token expires or their key is revoked.

        Raises: AuthError then, which cuts the stream.
        """
        identity = Identity(
            *request.owner, request.is_admin, request.expires_at, key_id=request.key_id
        )
        async with aclosing(changes):
            async for batch in changes:
                # This stream has no end of its own, as a run's has: opened once, it would show all
                # changes for ever. Checked before each batch, not by a timer: until then nothing
                # is shown (test_changes_end_with_the_token_or_the_key).
                if identity.expires_at is not None and identity.expires_at < time.time():
                    raise make_expired()
                await self.app.auth.check_held(identity)
                yield batch


class ChangeWriter:
    """Writes changes without a last event, so that clients reconnect."""

    def open(self) -> bytes:
        return b"retry: 1000\n\n"

    def write(self, events: list[Change]) -> bytes:
        return b"".join(map(to_sse, events))

    # None: cut. An orderly end would tell a browser's EventSource nothing either, but other clients
    # that all is over (test_draining_cuts_the_stream_of_changes).
    def close(self) -> None:
        return None
