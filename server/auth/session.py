"""A browser's session: the token once, then a cookie that no script can read.

A cookie is sent by itself, also for what a foreign page wants. So it is `SameSite=Strict`, and
whatever changes something has to come from a page of ours: with a header that no form can send, and
with our own origin.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.errors import AccessDenied

COOKIE: Final = "plainloop_session"
HEADER: Final = "x-plainloop-console"
_PATH: Final = "/api/session"
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Session(Struct):
    """Who one is, by token, by session, or as the one user of this machine."""

    tenant_id: str
    user_id: str
    is_admin: bool
    expires_at: float | None  # Unix seconds; None: never


def read_authorization(request: Request) -> str | None:
    """The header; without one, the session's token as if it had come in it.

    Raises: AccessDenied when a session is to change something and no page of ours asks.
    """
    given, token = request.headers.get("authorization"), request.cookies.get(COOKIE)
    if given is not None or token is None:
        return given
    if request.method not in _SAFE and not _is_own_page(request.headers):
        raise AccessDenied(
            "a session changes something only from a page of this server",
            hint=f"Send {HEADER}: 1 from the same origin, or a token in Authorization.",
            code="ORIGIN_REFUSED",
        )
    return f"Bearer {token}"


def _is_own_page(headers: Mapping[str, str]) -> bool:
    origin, host = urlsplit(headers.get("origin", "")), headers.get("host", "")
    return HEADER in headers and origin.netloc.lower() == host.lower() != ""


async def show(request: ApiRequest) -> Session:
    return _tell(request)


async def begin(request: ApiRequest) -> Session | Any:
    """The session, and the cookie that it is. Nothing to keep where nobody needs a token."""
    answer = Response(msgspec.json.encode(_tell(request)), 201, media_type="application/json")
    token = request.headers.get("authorization", "").partition(" ")[2].strip()
    if token and request.expires_at is not None:
        is_secure = urlsplit(request.headers.get("origin", "")).scheme == "https"
        answer.set_cookie(
            COOKIE,
            token,
            max_age=max(0, int(request.expires_at - time.time())),
            secure=is_secure,
            httponly=True,
            samesite="strict",
        )
    return answer


async def end(request: ApiRequest) -> Any:
    answer = Response(status_code=204)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def _tell(request: ApiRequest) -> Session:
    return Session(request.tenant_id, request.user_id, request.is_admin, request.expires_at)


SESSION_ROUTES: Final = (
    ApiRoute("GET", _PATH, show, "Who one is"),
    ApiRoute("POST", _PATH, begin, "Sign a browser in: the token once, then a cookie", status=201),
    ApiRoute("DELETE", _PATH, end, "Sign the browser out", status=204),
)
