"""From `ApiRoute` to a Starlette route: who asks, what they send, what they are told."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from decimal import Decimal
from typing import Any, Final, Protocol, runtime_checkable
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ...agent.base.sharing.fair_queue import act_for
from ...agent.config.settings import Settings
from ...agent.core.api import ApiFile, ApiRequest, ApiRoute
from ...agent.core.routes import read_hints
from ...agent.core.spec import Pack
from ...agent.dataclasses import dataclass, replace
from ...agent.errors import (
    AgentError,
    BudgetExceeded,
    NotFoundError,
    ServiceUnavailable,
    StoreError,
    TooManyRequests,
)
from ...agent.service.runs import RunHost, RunTicket
from ...agent.service.service import Service
from ...agent.store.records import ThreadInfo
from ...agent.store.store import Store
from ...agent.store.threads import load_last_run
from ...agent.types import RunRequest
from ..auth.identity import Authenticator, Identity, make_read_only
from ..auth.rates import OpenLimit, RateLimit
from ..auth.session import SAFE, identify_request
from ..observe.logs import ROUTE_KEY
from ..observe.tracing import get_trace_parent
from ..settings import ServerLimits
from .error_table import INTERNAL_ERROR, INTERNAL_MESSAGE, get_mapping, to_error_body
from .reading import check_params, convert, read_json, read_query, read_upload

IDENTITY_KEY: Final = "plainloop.identity"


ErrorTeller = Callable[[AgentError], Response]


class Host(Protocol):
    """A service part that runs beside the runs of a replica. Packages bring some: the entry points
    `plainloop.hosts` make them of the service, or nothing (None).
    """

    async def start(self) -> None: ...

    async def drain(self) -> None: ...

    def list_routes(self, app: AppContext) -> Iterable[ApiRoute]:
        """Return the routes that this extension adds to the built-in ones."""
        ...


@runtime_checkable
class PageHost(Protocol):
    """A host that adds pages to the console, as a pack with only a name and screens."""

    pages: Pack


@runtime_checkable
class LateHost(Protocol):
    """A host whose routes are listed at the first request to a path at or below its prefixes."""

    prefixes: tuple[str, ...]

    def list_routes(self, app: AppContext) -> Iterable[ApiRoute]: ...


@dataclass(frozen=True, slots=True)
class AppContext:
    """The context that all endpoints share: service, runs, limits, authentication."""

    service: Service
    runs: RunHost
    hosts: Sequence[Host]
    auth: Authenticator
    requests: RateLimit  # of any kind
    messages: RateLimit  # that begin a run
    sockets: OpenLimit
    streams: OpenLimit
    runs_per_user: int | None  # that work or wait for their turn; None: any number

    @property
    def settings(self) -> Settings:
        return self.service.settings

    @property
    def store(self) -> Store:
        return self.service.store

    def list_page_packs(self) -> list[Pack]:
        """List the packs and packages that add pages to the console."""
        brought = [host.pages for host in self.hosts if isinstance(host, PageHost)]
        return [*self.service.packs, *brought]

    async def submit(
        self, tenant_id: str, user_id: str, thread: ThreadInfo, run_request: RunRequest
    ) -> RunTicket:
        """Start a run in the user's thread, or join the run with the same idempotency key.

        The thread's chosen model is used unless the request chooses one.

        Raises: TooManyRequests, and as `RunHost.submit`.
        """
        self.messages.take(tenant_id, user_id)
        if run_request.options.chosen_model is None and thread.model is not None:
            run_request = replace(
                run_request, options=replace(run_request.options, chosen_model=thread.model)
            )
        options = replace(run_request.options, trace_parent=get_trace_parent())
        run_request = replace(run_request, options=options)
        self.service.threads.remember(tenant_id, thread)
        return await self.runs.submit(
            tenant_id, user_id, thread.thread_id, run_request, self.runs_per_user
        )

    async def find_run(
        self, tenant_id: str, user_id: str, thread_id: str, run_id: str | None, *, or_last: bool
    ) -> str | None:
        """Return the id of the run to follow: `run_id` or the active run, else None.

        With `or_last`, it is the last run if none is active. Raises: NotFoundError for a run of
        another thread.
        """
        if run_id is not None:
            run = await self.store.load_run(tenant_id, user_id, run_id)
            if run.thread_id != thread_id:
                raise NotFoundError(
                    f"no such run: {run_id}",
                    hint="Check the id; only runs of the same user are visible.",
                )
            return run.run_id
        active = await self.runs.find_active(tenant_id, user_id, thread_id)
        if active is None and or_last:
            # The last one, ended or not: a client that missed its end asks with a cursor.
            with suppress(NotFoundError):  # no run yet
                return await load_last_run(self.store.read(tenant_id), user_id, thread_id)
        return active


@dataclass(frozen=True, slots=True)
class OwnedRoute:
    """A route with the pack that owns it; the core's belong to the pack that serves chat.

    tell: how its protocol says what went wrong; None: as `to_error_response`.
    """

    route: ApiRoute
    pack: Pack
    tell: ErrorTeller | None = None


def build_endpoints(owned: Iterable[OwnedRoute], app: AppContext) -> list[Route]:
    """Build one Starlette route per path, for all methods of the path.

    Fixed paths come before paths with `{…}`. Raises: ValueError when two routes have the same
    method and path.
    """
    by_path: dict[str, dict[str, OwnedRoute]] = {}
    for item in owned:
        # One route for all methods of a path: of two, Starlette's 405 would name the methods of the
        # first only (test_unknown_paths_are_404_and_methods_405).
        methods = by_path.setdefault(item.route.path, {})
        if item.route.method in methods:
            raise ValueError(
                f"two routes are registered for {item.route.method} {item.route.path}: rename one"
            )
        methods[item.route.method] = item

    # Starlette serves the first route that matches: `{run_id}` would hide a fixed path beside it.
    def order(path: str) -> list[tuple[bool, str]]:
        return [("{" in segment, segment) for segment in path.split("/")]

    return [
        Route(path, _Endpoint(path, by_path[path], app), methods=[*by_path[path]])
        for path in sorted(by_path, key=order)
    ]


@dataclass(frozen=True, slots=True)
class _Endpoint:
    """A path's ASGI application. Starlette would wrap a function in four frames more, which an
    open stream holds (test_an_open_stream_holds_few_frames).
    """

    path: str
    methods: Mapping[str, OwnedRoute]
    app: AppContext

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[ROUTE_KEY] = self.path
        request = Request(scope, receive, send)
        item = self.methods["GET" if request.method == "HEAD" else request.method]
        try:
            response = await _answer(item, request, self.app)
        except AgentError as error:
            response = (item.tell or to_error_response)(error)
        await response(scope, receive, send)


async def _answer(item: OwnedRoute, request: Request, app: AppContext) -> Any:
    route = item.route
    identity, asked_at = await identify_request(request, app.auth, app.store), time.monotonic()
    request.scope[IDENTITY_KEY] = identity
    # From here on the database's queue takes turns between tenants for this task.
    act_for(identity.tenant_id, identity.user_id)
    # By the method, for all routes at once: a new route cannot forget it
    # (test_a_read_only_key_cannot_change_anything).
    if not identity.can_write and request.method not in SAFE:
        raise make_read_only()
    # By the user, not the address: behind a proxy all have one. Before the body, so that a refused
    # request costs no reading.
    app.requests.take(identity.tenant_id, identity.user_id)
    api_request = make_request(app, identity, item.pack, request.headers, request.path_params)
    with ExitStack() as files:
        sent = await _read_sent(route, request, app.settings, files)
        work = route.handler(api_request, **sent)
        # Not every route: a message's run must outlive its client
        # (test_a_disconnect_does_not_cancel_the_run).
        is_ended = route.ends_with_client or route.answer is ApiFile
        result = await (_work_while_awaited(work, request) if is_ended else work)
    if request.method == "HEAD" and callable(result):
        return Response()  # nobody would read the stream
    # Here for the answers of all protocols that wait for a run; a stream checks itself.
    await app.auth.check_late_answer(identity, asked_at)
    return to_response(result, route.status)


def make_request(
    app: AppContext,
    identity: Identity,
    pack: Pack,
    headers: Mapping[str, str],
    params: Mapping[str, Any] | None = None,
) -> ApiRequest:
    """Build the ApiRequest that a route's handler receives for this caller.

    Raises: InputError for invalid path values.
    """
    return ApiRequest(
        tenant_id=identity.tenant_id,
        user_id=identity.user_id,
        is_admin=identity.is_admin,
        expires_at=identity.expires_at,
        key_id=identity.key_id,
        pack=pack.name,
        settings=app.settings,
        store=app.store,
        service=app.service.make_host(identity.tenant_id, identity.user_id, pack),
        params=check_params(params) if params else {},
        headers=headers,
    )


async def _work_while_awaited(work: Awaitable[Any], request: Request) -> Any:
    """Return the work's answer, or cancel the work when its client is gone.
    Making a file may take a process for seconds
    (test_an_abandoned_export_leaves_no_process_behind), storing a history too.
    """
    making, gone = (
        asyncio.ensure_future(work),
        asyncio.ensure_future(wait_until_gone(request.receive)),
    )
    try:
        await asyncio.wait({making, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not making.done():
            making.cancel()
        return await making
    except asyncio.CancelledError:
        making.cancel()
        await asyncio.gather(making, return_exceptions=True)
        if not gone.done():  # it was we who were cancelled
            raise
        return Response(status_code=499)
    finally:
        gone.cancel()


async def wait_until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _read_sent(
    route: ApiRoute, request: Request, settings: Settings, files: ExitStack
) -> dict[str, Any]:
    """Read and check the query, body and upload that the route's handler takes, by parameter.

    An upload stays open until `files` ends.
    """
    sent: dict[str, Any] = {}
    takes = read_hints(route.handler)
    if "query" in takes:
        sent["query"] = read_query(request.query_params.multi_items(), takes["query"])
    if "upload" in takes:
        max_bytes = route.max_bytes or settings.limits.upload_bytes
        sent["upload"], fields = await read_upload(request, max_bytes)
        files.enter_context(sent["upload"].file)
        if "body" in takes:
            sent["body"] = convert(fields, takes["body"], "the form", strict=False)
    elif "body" in takes:
        most = route.max_bytes or settings.get_table(ServerLimits).body_bytes
        sent["body"] = await read_json(request, takes["body"], most)
    return sent


def to_response(result: Any, status: int = 200) -> Any:
    """Convert a handler's result to a response, unless it is one already."""
    if callable(result):
        return result
    if isinstance(result, ApiFile):
        return Response(
            result.content,
            status,
            media_type=result.media_type,
            headers={"content-disposition": _name_file(result.filename, result.is_page)},
        )
    if result is None or status == 204:
        return Response(status_code=204)
    return Response(encode_json(result), status, media_type="application/json")


def encode_json(value: Any) -> bytes:
    """Encode dicts, dataclasses, msgspec structs and times as JSON.
    Numbers that must stay exact become text.
    """
    return msgspec.json.encode(value, enc_hook=_encode_other)


def _encode_other(value: Any) -> Any:
    # JavaScript reads a JSON number as a double: sums of costs would differ from the ledger's.
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, (set, frozenset)):
        return sorted(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    raise TypeError(
        f"{type(value).__name__} cannot be written as JSON: return text, numbers, lists, dicts or "
        "structs"
    )


def _name_file(filename: str, is_page: bool = False) -> str:
    """
    >>> _name_file("Brief für Ada.pdf")
    "attachment; filename*=UTF-8''Brief%20f%C3%BCr%20Ada.pdf"
    """
    # RFC 6266, 4.3: only this form has letters beyond Latin-1; quoted, no name can end the header.
    # An attachment, so that no browser shows a user's HTML under our origin.
    kind = "inline" if is_page else "attachment"
    return f"{kind}; filename*=UTF-8''{quote(filename, safe='')}"


def to_error_response(error: AgentError) -> JSONResponse:
    """Build the JSON response for an error, with its HTTP status, code and retry time."""
    body = to_error_body(error.code, error.public_message, error.hint)
    return JSONResponse(body, get_mapping(error).status, build_error_headers(error))


def build_error_headers(error: AgentError) -> dict[str, str]:
    """Build an error's headers `Retry-After` and `WWW-Authenticate`, for every protocol."""
    headers: dict[str, str] = {}
    wait_s = 1.0 if isinstance(error, StoreError) else None
    if isinstance(error, (TooManyRequests, BudgetExceeded, ServiceUnavailable)):
        wait_s = error.retry_after_s
    if wait_s is not None:
        # Whole seconds (RFC 9110, 10.2.3), rounded up: rounded down, the client comes back too
        # early.
        headers["retry-after"] = str(math.ceil(wait_s))
    if get_mapping(error).status == 401:
        # A 401 must have it (RFC 9110, 15.5.2); clients of MCP begin their sign-in by it.
        headers["www-authenticate"] = "Bearer"
    return headers


def make_internal_error_response() -> JSONResponse:
    # Nothing of the exception, whose text may quote a prompt or a row
    # (test_an_internal_error_reveals_nothing_and_is_logged_once).
    return JSONResponse(to_error_body(INTERNAL_ERROR, INTERNAL_MESSAGE), 500)
