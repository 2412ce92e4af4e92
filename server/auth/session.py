"""A browser's session: the token once, then a cookie that no script can read. It names a row, so
that it can be ended, and is not the token.

A cookie is sent by itself, also for what a foreign page wants. So it is `SameSite=Strict`, and
whatever changes something has to come from a page of ours: with a header that no form can send, and
with our own origin.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec import Struct
from starlette.requests import Request, cookie_parser
from starlette.responses import Response

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.errors import AccessDenied, AuthError
from ...agent.store.admin.tenant_secrets import split_secret
from ...agent.store.api import end_session, find_session
from ...agent.store.store import Store
from .identity import Authenticator, Identity
from .origins import get_origin_host
from .tickets import keep_ticket, to_identity

COOKIE: Final = "plainloop_session"
HEADER: Final = "x-plainloop-console"
_PATH: Final = "/api/session"
# RFC 9110, 9.2.1; not TRACE, which would echo the cookie.
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Session(Struct):
    """The signed-in user, as `GET` and `POST /api/session` answer."""

    tenant_id: str
    user_id: str
    is_admin: bool
    expires_at: float | None  # Unix seconds; None: never


async def identify_request(request: Request, auth: Authenticator, store: Store) -> Identity:
    """Return the caller's identity by the header, or else by the session cookie.

    Raises: AuthError, ServiceUnavailable; AccessDenied when a session is to change something and no
    page of ours asks.
    """
    authorization, cookie = request.headers.get("authorization"), request.cookies.get(COOKIE)
    if authorization is None and (key := request.headers.get("x-api-key")) is not None:
        authorization = f"Bearer {key}"  # as LangGraph's clients send it
    # A header wins over the cookie: no browser sends it by itself, so no page can have forged it.
    if authorization is not None or cookie is None or auth.is_local:
        return await auth.identify_header(authorization)
    origin = get_origin_host(request.headers.get("origin", ""))
    host = request.headers.get("host", "").lower()
    # Two guards, since each alone has had holes in browsers: a form cannot send our header and a
    # script asks by a preflight first; Origin is a forbidden header name, set by no script (Fetch).
    is_own_page = HEADER in request.headers and origin == host != ""
    if request.method not in SAFE and not is_own_page:
        raise AccessDenied(
            "a request that changes data with a session cookie must come from this server's own "
            "pages",
            hint=f"Send {HEADER}: 1 from the same origin, or a token in `Authorization`.",
            code="ORIGIN_REFUSED",
        )
    tenant_id, secret = split_secret(cookie)
    owner = await find_session(store.read(tenant_id), secret)
    if owner is None:
        raise AuthError("the session has ended", hint="Sign in again.", code="SESSION_ENDED")
    return to_identity(tenant_id, owner)


async def show(request: ApiRequest) -> Session:
    return _tell(request)


async def begin(request: ApiRequest) -> Session | Any:
    """Start a browser session from the caller's token, and set its cookie.

    The response has the status 201. Without a token, or without an end of its validity, no session
    is stored.
    """
    answer = Response(msgspec.json.encode(_tell(request)), 201, media_type="application/json")
    token = request.headers.get("authorization", "").partition(" ")[2].strip()
    # From a token only: a session that could begin the next one would never end.
    if token and request.expires_at is not None:
        valid_s = max(0, int(request.expires_at - time.time()))
        # By the page's scheme, not ours: behind a proxy that ends TLS we are called over http, and
        # over http a browser stores no `Secure` cookie (RFC 6265bis, 5.7).
        is_secure = request.headers.get("origin", "").lower().startswith("https:")
        answer.set_cookie(
            COOKIE,
            await keep_ticket(request, valid_s, is_session=True),
            max_age=valid_s,
            secure=is_secure,
            httponly=True,
            samesite="strict",
        )
    return answer


async def end(request: ApiRequest) -> Any:
    """End the browser session at every replica, and delete its cookie."""
    if cookie := cookie_parser(request.headers.get("cookie", "")).get(COOKIE):
        with suppress(AuthError):  # none of ours
            await end_session(request.db, split_secret(cookie)[1])
    answer = Response(status_code=204)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def _tell(request: ApiRequest) -> Session:
    return Session(request.tenant_id, request.user_id, request.is_admin, request.expires_at)


SESSION_ROUTES: Final = (
    ApiRoute("GET", _PATH, show, "Who is signed in"),
    ApiRoute("POST", _PATH, begin, "Sign a browser in: exchange a token for a cookie", status=201),
    ApiRoute("DELETE", _PATH, end, "Sign the browser out", status=204),
)
