"""The HTTP application: the core's routes, the packs' routes, and what surrounds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from ..agent.config.settings import Settings
from ..agent.errors import InputError, NotFoundError
from ..agent.mcp.headers import SESSION_HEADER
from ..agent.service.gate import Gate
from ..agent.service.runs import RunHost
from ..agent.service.service import Service
from .admin.audit import AUDIT_ROUTES
from .admin.keys import KEY_ROUTES
from .auth.identity import Authenticator
from .auth.origins import OriginPolicy, normalize_origin
from .auth.rates import OpenLimit, RateLimit
from .auth.session import SESSION_ROUTES
from .auth.tickets import TICKET_ROUTES
from .console.serving import list_console_routes
from .http.endpoint import AppContext, ErrorTeller, Host, LateHost, OwnedRoute, build_endpoints
from .http.error_table import to_error_body
from .http.late import LateRoutes
from .http.middleware import REQUEST_ID_HEADER, RequestMiddleware
from .http.sse import RUN_HEADER
from .observe.metrics import Metrics
from .pages import list_page_routes
from .pages.openapi import build_openapi, check_types
from .protocols.encoder import IGNORED_HEADER
from .protocols.registry import (
    list_open_routes,
    list_protocol_routes,
    list_protocol_sockets,
    list_tellers,
)
from .routes.budgets import BUDGET_ROUTES
from .routes.changes import ChangeRoutes
from .routes.config import ConfigRoutes, get_notice
from .routes.conversations import ConversationRoutes
from .routes.failures import FAILURE_ROUTES
from .routes.health import HealthRoutes
from .routes.inbox import INBOX_ROUTES
from .routes.onboarding import OnboardingRoutes
from .routes.ratings import RATING_ROUTES
from .routes.runs import RunRoutes
from .routes.streaming import CONVERSATION_HEADER
from .routes.system import SystemRoutes
from .routes.talking import TalkRoutes
from .routes.usage import list_usage_routes
from .routes.users import UserRoutes
from .settings import ServerLimits, ServerSettings
from .ws.opening import SocketRoutes

_CORS_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
# Scripts of other origins can read only these and the seven headers that Fetch calls safe.
_CORS_EXPOSED: Final = (
    REQUEST_ID_HEADER,
    RUN_HEADER,
    CONVERSATION_HEADER,
    IGNORED_HEADER,
    SESSION_HEADER,  # of MCP
    "x-should-retry",
    "location",  # where a stream of LangGraph's is taken up again
    "content-location",
    "x-pagination-total",
    "x-vercel-ai-ui-message-stream",
    "retry-after",
    "content-disposition",
    "www-authenticate",
)
HttpTeller = Callable[[str, HTTPException], Response]
_STATUS_CODES: Final = {404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED"}
_MESSAGES: Final = {
    404: "nothing exists at this path",
    405: "this path does not support that method",
}


def make_app(
    service: Service,
    runs: RunHost,
    metrics: Metrics | None = None,
    hosts: Sequence[Host] = (),
    gate: Gate | None = None,
) -> ASGIApp:
    """Build the server's ASGI application: API routes, protocols, sockets, console, health.

    The caller starts and drains `runs` and `hosts`.

    Raises: ConfigError for keys that cannot be used, and for a pack's route whose types cannot be
    described; ValueError for two routes alike.
    """
    settings = service.settings
    for pack in service.packs:
        check_types(pack)
    context = build_app_context(service, runs, hosts)
    metrics = metrics or Metrics()
    origins = OriginPolicy(
        settings.get_table(ServerSettings).origins, is_local=context.auth.is_local
    )
    # Their routes are not in the router, because it would import code that a start does not need,
    # but they are in the contract (`describe`).
    late = [host for host in hosts if isinstance(host, LateHost)]
    owned = list_routes(context, without=late)
    foreign = list_protocol_routes(context)
    anybody, sockets = list_open_routes(context), list_protocol_sockets(context)
    others = [
        *((item.route.method, item.route.path, item.route.summary) for item in foreign),
        *(("GET", route.path, "Readable without a token") for route in anybody),
        *(("WEBSOCKET", socket.path, "WebSocket of the protocol") for socket in sockets),
    ]

    def describe() -> dict[str, Any]:
        every = list_routes(context)
        return build_openapi(every, settings.limits, others, is_local=context.auth.is_local)

    routes: list[BaseRoute] = [
        *build_endpoints([*owned, *foreign], context),
        # After the fixed routes: Starlette tries routes in order, and these match all paths below
        # their prefixes.
        *(LateRoutes(host.prefixes, partial(_build_late, host, context)) for host in late),
        *anybody,
        *SocketRoutes(context, origins, sockets).list_routes(),
        *list_console_routes(context.list_page_packs()),
        *list_page_routes(describe, get_notice(service.models)),
        *list_machine_routes(service, runs, metrics, gate or Gate(service), is_apart=False),
    ]
    app = _surround(Router(routes, redirect_slashes=False), list_tellers(context))
    return _share_across(RequestMiddleware(app, metrics, origins), settings)


def make_machine_app(service: Service, runs: RunHost, metrics: Metrics, gate: Gate) -> ASGIApp:
    """Build the application of a separate listener for health, readiness and metrics only."""
    routes = list_machine_routes(service, runs, metrics, gate, is_apart=True)
    router = Router(routes, redirect_slashes=False)
    # Scrapers and probes call it by address or by a pod's name: no Host of theirs is loopback.
    origins = OriginPolicy((), is_local=False)
    return RequestMiddleware(_surround(router, {}), metrics, origins)


def list_machine_routes(
    service: Service, runs: RunHost, metrics: Metrics, gate: Gate, *, is_apart: bool
) -> list[BaseRoute]:
    """List the routes for monitoring: health, readiness, metrics.

    is_apart: on a separate listener; the main one then has `/api/health` only.
    """
    settings = service.settings.get_table(ServerSettings)
    health = HealthRoutes(service.store, runs, service.owner, gate)
    metrics.watch_turns(service.turns)
    if settings.health_port is not None and not is_apart:
        return [*health.list_routes(is_public=True)]
    return [*health.list_routes(), *(metrics.list_routes() if settings.metrics else ())]


def _surround(router: Router, tellers: Mapping[str, ErrorTeller]) -> ASGIApp:
    """Wrap the router so that its errors (404, 405) are answered in our form or the protocol's.

    A last slash is dropped, not redirected: behind a proxy a redirect leads to plain HTTP, and
    turns a POST into a GET.
    """
    tell = _make_http_teller(tellers)

    async def route(scope: Scope, receive: Receive, send: Send) -> None:
        # The raw path: in the other one `/ann%2F`, a name, ends with a slash as well.
        if scope["path"] != "/" and scope.get("raw_path", b"").endswith(b"/"):
            scope["path"] = scope["path"][:-1]
        try:
            await router(scope, receive, send)
        except HTTPException as error:
            await tell(scope["path"], error)(scope, receive, send)

    return route


def _share_across(app: ASGIApp, settings: Settings) -> ASGIApp:
    """Let pages of the configured origins read the answers; without any, return `app` unchanged."""
    origins = settings.get_table(ServerSettings).origins
    if not origins:
        return app
    # Outside of all else: an answer without these headers is "Failed to fetch" to a page, so the
    # 500 of a bug would look like a lost network (test_pages_of_other_origins_can_read_a_500).
    return CORSMiddleware(
        app,
        allow_origins=[*map(normalize_origin, origins)],
        allow_methods=_CORS_METHODS,
        # Without credentials: cookies are for our own pages (`auth/session.py`), other pages send a
        # token (test_cors_allows_only_listed_origins).
        allow_headers=["*"],  # what is asked for: every protocol's clients send their own
        expose_headers=_CORS_EXPOSED,
    )


def build_app_context(service: Service, runs: RunHost, hosts: Sequence[Host] = ()) -> AppContext:
    """Build the context that routes and sockets share: service, runs, rate limits, authentication.

    Raises: ConfigError for keys that cannot be used.
    """
    limits = service.settings.get_table(ServerLimits)
    auth = Authenticator(service.settings, service.store)

    def of_user(limit: int) -> int | None:
        # Limits of one user against others: alone on a machine they would only be in the way
        # (test_without_authentication_per_user_limits_do_not_apply).
        return None if auth.is_local else limit  # there everybody is one user

    return AppContext(
        service=service,
        runs=runs,
        hosts=hosts,
        auth=auth,
        requests=RateLimit(of_user(limits.requests_per_minute)),
        messages=RateLimit(of_user(limits.messages_per_minute)),
        sockets=OpenLimit(
            of_user(limits.sockets_per_user), "WebSockets", "limits.sockets_per_user"
        ),
        streams=OpenLimit(
            of_user(limits.streams_per_user), "event streams", "limits.streams_per_user"
        ),
        runs_per_user=of_user(service.settings.limits.runs_per_user),
    )


def _build_late(host: LateHost, context: AppContext) -> list[Route]:
    pack = context.service.pack
    return build_endpoints(
        (OwnedRoute(route, pack) for route in host.list_routes(context)), context
    )


def list_routes(context: AppContext, without: Sequence[object] = ()) -> list[OwnedRoute]:
    """List the API routes of the core, the hosts and the packs, each with its owner.

    without: hosts whose routes are left out.
    """
    service = context.service
    hosts = (host for host in context.hosts if host not in without)
    core = (
        *ConversationRoutes(context).list_routes(),
        *TalkRoutes(context).list_routes(),
        *OnboardingRoutes(context).list_routes(),
        *RunRoutes(context).list_routes(),
        *RATING_ROUTES,
        *FAILURE_ROUTES,
        *ConfigRoutes(context).list_routes(),
        *list_usage_routes(context.list_page_packs()),
        *BUDGET_ROUTES,
        *(route for host in hosts for route in host.list_routes(context)),
        *UserRoutes(context).list_routes(),
        *TICKET_ROUTES,
        *SESSION_ROUTES,
        *KEY_ROUTES,
        *AUDIT_ROUTES,
        *INBOX_ROUTES,
        *ChangeRoutes(context).list_routes(),
        *SystemRoutes(context).list_routes(),
    )
    return [
        *(OwnedRoute(route, service.pack) for route in core),
        *(OwnedRoute(route, pack) for pack in service.packs for route in pack.list_routes()),
    ]


def _make_http_teller(tellers: Mapping[str, ErrorTeller]) -> HttpTeller:
    """Build the handler of Starlette's own errors: no such path, no such method.

    tellers: the protocols' functions that format errors, by the beginning of their paths.
    """

    def tell(path: str, error: HTTPException) -> Response:
        code = _STATUS_CODES.get(error.status_code, "INVALID_INPUT")
        message = _MESSAGES.get(error.status_code, str(error.detail))
        allowed = (error.headers or {}).get("Allow")
        hint = None if allowed is None else f"Allowed: {', '.join(sorted(allowed.split(', ')))}."
        # SDKs parse errors of their own shape only: a 404 in ours would be a crash in theirs
        # (test_unknown_paths_get_errors_in_each_apis_format).
        for base, tell_error in tellers.items():
            if path.startswith(base):
                kind = NotFoundError if error.status_code == 404 else InputError
                response = tell_error(kind(message, hint=hint, code=code))
                response.status_code = error.status_code
                response.headers.update(error.headers or {})
                return response
        body = to_error_body(code, message, hint)
        return JSONResponse(body, error.status_code, headers=error.headers)

    return tell
