"""The layer around all routes: request ids, log lines, numbers, allowed origins, and bugs.

Only CORS is outside of it (`app._share_across`): preflights are neither logged nor counted.
"""

from __future__ import annotations

import logging
import re
import time
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from ...agent.base.ids import make_id
from ...agent.dataclasses import dataclass
from ...agent.errors import AccessDenied
from ..auth.identity import Identity
from ..auth.origins import OriginPolicy
from ..observe.logs import ROUTE_KEY, request_id
from ..observe.metrics import Metrics
from ..observe.tracing import TRACE_PARENT, trace_parent
from .endpoint import IDENTITY_KEY, make_internal_error_response, to_error_response
from .sse import RUN_HEADER

logger = logging.getLogger(__name__)

REQUEST_ID_HEADER: Final = "x-request-id"
# A client's id is written to the log and sent back in a header: nothing that could end either.
_USABLE_ID: Final = re.compile(r"[\w.:-]{1,64}", re.ASCII)
CLIENT_GONE: Final = 499  # as proxies count a client that hung up
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_QUIET: Final = frozenset({"/api/health", "/readyz", "/metrics"})  # asked every few seconds


@dataclass(slots=True)
class _ResponseStart:
    """The status and headers that were already sent to the client."""

    status: int = 0  # 0: nothing yet
    run_id: str | None = None  # of the run that is shown


class RequestMiddleware:
    """Wraps every request and socket: ids, log line, metrics, origin check, errors of bugs."""

    def __init__(self, app: ASGIApp, metrics: Metrics, origins: OriginPolicy) -> None:
        self._app = app
        self._metrics = metrics
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        scope["app"] = self  # only inside an application the router lets us tell 404 and 405
        headers = Headers(scope=scope)
        client_id = headers.get(REQUEST_ID_HEADER, "")
        current = client_id if _USABLE_ID.fullmatch(client_id) else make_id()
        reset = request_id.set(current)
        # Never reset: uvicorn serves each request in a task, and so in a context, of its own.
        trace_parent.set(headers.get(TRACE_PARENT))
        gauge = self._metrics.open_requests.labels(scope["type"])
        gauge.inc()
        try:
            if scope["type"] == "http":
                await self._serve_request(scope, receive, send, headers, current)
                return
            started = time.perf_counter()
            try:
                await self._app(scope, receive, send)
            except ClientDisconnected:
                # Hung up in the handshake: no error of ours, and without a token anybody could fill
                # the log with tracebacks (test_hanging_up_in_the_handshake_is_no_error).
                pass
            except Exception:  # the edge
                logger.exception("socket_failed")
            finally:
                logger.info("socket", extra=_describe(scope, started))
        finally:
            gauge.dec()
            request_id.reset(reset)

    async def _serve_request(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, current: str
    ) -> None:
        started, begun = time.perf_counter(), _ResponseStart()

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                begun.status = message["status"]
                answer = MutableHeaders(scope=message)
                begun.run_id = answer.get(RUN_HEADER)
                answer[REQUEST_ID_HEADER] = current
                # Uploaded files are served back: a browser must not take a text for a page.
                answer["x-content-type-options"] = "nosniff"
                # Answers belong to one user: no cache between may hold them. Console files set
                # their own.
                answer.setdefault("cache-control", "no-store")
            await send(message)

        try:
            self._origins.check_http(headers)
            await self._app(scope, receive, tell)
        except AccessDenied as error:
            await to_error_response(error)(scope, receive, tell)
        except ClientDisconnect:  # in the middle of its body: nobody is there to be answered
            begun.status = begun.status or CLIENT_GONE
        except Exception:  # the edge: a bug is logged once, and told without its inside
            logger.exception("request_failed", extra=_describe(scope, started))
            if begun.status:
                raise  # half an answer cannot be taken back: the connection is cut
            await make_internal_error_response()(scope, receive, tell)
        finally:
            # The route's template, never the path: a conversation's id would be a label, and stand
            # in the log.
            route = scope.get(ROUTE_KEY, "")
            # A client may invent methods; a label per invention would be a leak.
            method = scope["method"] if scope["method"] in _METHODS else "OTHER"
            self._metrics.requests.labels(method, route, begun.status).inc()
            self._metrics.request_seconds.labels(route).observe(time.perf_counter() - started)
            if route not in _QUIET:
                extra = {**_describe(scope, started), "status": begun.status}
                if begun.run_id is not None:
                    extra["run_id"] = begun.run_id
                logger.info("request", extra=extra)


def _describe(scope: Scope, started: float) -> dict[str, Any]:
    """Describe a request for the log, with its route in place of the path, which may be private."""
    described: dict[str, Any] = {
        "method": scope.get("method", "WS"),
        "route": scope.get(ROUTE_KEY, ""),
        "duration_ms": round((time.perf_counter() - started) * 1000, 1),
    }
    identity = scope.get(IDENTITY_KEY)
    if isinstance(identity, Identity):
        described |= {"tenant_id": identity.tenant_id, "user_id": identity.user_id}
    return described
