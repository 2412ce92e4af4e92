"""`GET /api/changes`: one stream of what changed of one's own, over all conversations."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.dataclasses import dataclass
from ...agent.service.changes import Change
from ..http.endpoint import AppContext
from ..http.sse import EventStream, open_stream, to_sse
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
        """Stream the changes to the user's data since a cursor.

        Administrators may watch other users. Raises: AccessDenied, InputError.
        """
        user_id = choose_user(request, query.user_id, "only an administrator can watch other users")
        # A browser that reconnects repeats the page's old `?after=`, with a new header (HTML,
        # 9.2.3).
        cursors = [read_last_event_id(request, MAX_INTEGER), query.after]  # the newer one counts
        after = max((item for item in cursors if item is not None), default=None)
        changes = self.app.runs.watch_changes(request.tenant_id, user_id, after)
        # This stream has no end of its own: opened once, it would show all changes for ever
        # (test_changes_end_with_the_token_or_the_key).
        writer = ChangeWriter()
        return open_stream(self.app, request, changes, writer=writer, ends_at_expiry=True)


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
