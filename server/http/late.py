"""Routes that are imported when the first request wants one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from starlette.routing import BaseRoute, Match, Router
from starlette.types import Receive, Scope, Send


class LateRoutes(BaseRoute):
    """All routes at and below some paths, built in a thread at the first request to one."""

    def __init__(self, prefixes: Sequence[str], build: Callable[[], Sequence[BaseRoute]]) -> None:
        self._prefixes = tuple(f"{prefix}/" for prefix in prefixes)
        self._build = build
        self._router: Router | None = None

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        is_below = scope["type"] == "http" and f"{scope['path']}/".startswith(self._prefixes)
        return (Match.FULL if is_below else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._router is None:
            # Two first requests may both build: routes hold no state, so whichever stays serves
            # alike. In a thread, since the imports take 0.3 s, in which all streams would stand
            # still.
            self._router = Router(await asyncio.to_thread(self._build), redirect_slashes=False)
        await self._router(scope, receive, send)
