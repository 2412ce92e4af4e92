"""Both bindings of A2A over the same tasks: JSON-RPC at `/a2a`, REST below it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.errors import AgentError
from plainloop.agent.store.records import RunInfo
from plainloop.server.http.endpoint import AppContext
from plainloop.server.http.reading import convert
from plainloop.server.http.sse import EventStream
from plainloop.server.protocols.encoder import Frame, show_run, to_data
from plainloop.server.protocols.json_rpc import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    AnyCall,
    Rpc,
    RpcError,
    read_refusal,
    to_answer,
    to_refusal,
)
from plainloop.server.settings import ServerLimits

from .card import CARD, PATH, VERSION
from .encoder import TaskEncoder
from .errors import A2aError, make_push_refusal, tell_error, to_a2a
from .older import METHODS, has_kinds, to_older
from .older import VERSION as OLDER
from .tasks import ListQuery, SendRequest, TaskQuery, Tasks

T = TypeVar("T", bound=Struct)
_VERSION_HEADER: Final = "a2a-version"
_EVENTS: Final = "text/event-stream"
_WATCH: Final = ":subscribe"
_CANCEL: Final = ":cancel"


def list_a2a_routes(app: AppContext) -> list[ApiRoute]:
    async def post(request: ApiRequest, body: AnyCall) -> Any:
        try:
            answer = await _call(app, request, body.to_rpc())
        except RpcError as error:
            told = to_refusal(body.named, error)
            takes = request.headers.get("accept", "")
            if "json" in takes or _EVENTS not in takes:
                return told
            return Response(to_data(told), media_type=_EVENTS)  # the TCK reads nothing but streams
        return answer if callable(answer) else to_answer(body.named, answer)

    async def send(request: ApiRequest, body: SendRequest) -> Any:
        return await _answer(request, lambda: _send(Tasks(app, request), body))

    async def stream(request: ApiRequest, body: SendRequest) -> Any:
        return await _answer(request, lambda: _stream(Tasks(app, request), body))

    async def list_tasks(request: ApiRequest, query: ListQuery) -> Any:
        return await _answer(request, lambda: Tasks(app, request).list(query))

    async def look(request: ApiRequest, query: TaskQuery) -> Any:
        return await _answer(request, lambda: _look(Tasks(app, request), query))

    async def act(request: ApiRequest) -> Any:
        return await _answer(request, lambda: _act(Tasks(app, request)))

    most = app.settings.get_table(ServerLimits).message_bytes
    told = "Send a task, and wait for its end"
    return [
        ApiRoute("POST", PATH, post, "Call an A2A method", max_bytes=most),
        # For clients that post to the address at which they have found the card.
        ApiRoute("POST", "/", post, "Call an A2A method", max_bytes=most),
        ApiRoute("POST", PATH + "/message:send", send, told, max_bytes=most),
        ApiRoute(
            "POST", PATH + "/message:stream", stream, "Send a task, and watch it", max_bytes=most
        ),
        ApiRoute("GET", PATH + "/tasks", list_tasks, "List tasks"),
        ApiRoute("GET", PATH + "/tasks/{task_id}", look, "Read a task, or watch it"),
        ApiRoute("POST", PATH + "/tasks/{task_id}", act, "Cancel a task, or watch it"),
    ]


async def _call(app: AppContext, request: ApiRequest, asked: Rpc) -> Any:
    """Answer a JSON-RPC method by its current name or that of 0.3. Raises: RpcError."""
    method = METHODS.get(asked.method)
    if method is None:
        return await _call_method(app, request, asked, lambda frame: to_answer(asked.id, frame))
    is_flat = has_kinds(asked)

    def wrap(frame: Frame) -> Frame:
        return to_answer(asked.id, to_older(frame, is_flat=is_flat))

    renamed = replace(asked, method=method)
    answer = await _call_method(app, request, renamed, wrap)
    return answer if callable(answer) else to_older(answer, is_flat=is_flat)


async def _call_method(
    app: AppContext, request: ApiRequest, asked: Rpc, wrap: Callable[[Frame], Frame]
) -> Any:
    """Answer a JSON-RPC method. wrap: adds the envelope to each stream frame. Raises: RpcError."""
    tasks = Tasks(app, request)
    try:
        _check_version(request, VERSION, OLDER)
        if not asked.is_request:
            raise RpcError(
                INVALID_REQUEST, "the request has no `id`: add one; notifications are not supported"
            )
        match asked.method:
            case "SendMessage":
                return await _send(tasks, _read(asked, SendRequest))
            case "SendStreamingMessage":
                return await _stream(tasks, _read(asked, SendRequest), wrap)
            case "GetTask":
                query = _read(asked, TaskQuery)
                return await tasks.read(await tasks.load(query.id), query.history_length)
            case "ListTasks":
                return await tasks.list(_read(asked, ListQuery))
            case "CancelTask":
                return await tasks.cancel(await tasks.load(_read(asked, TaskQuery).id))
            case "SubscribeToTask":
                return await _watch(tasks, await tasks.load(_read(asked, TaskQuery).id), wrap)
            case "GetExtendedAgentCard":
                raise A2aError(
                    "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
                    f"there is no extended agent card: read {CARD}, the same for all clients",
                )
            case method if "pushnotificationconfig" in method.lower():
                raise make_push_refusal()
            case other:
                told = f"unknown method {other[:80]!r}; see the card at {CARD}"
                raise RpcError(METHOD_NOT_FOUND, told)
    except A2aError as error:
        raise error.to_rpc() from error
    except AgentError as error:
        known = to_a2a(error)
        raise (known.to_rpc() if known else read_refusal(error)) from error


async def _answer(request: ApiRequest, work: Callable[[], Awaitable[Any]]) -> Any:
    """Answer a REST request, with errors in REST's form."""
    try:
        _check_version(request, VERSION)
        return await work()
    except A2aError as error:
        return error.to_rest()
    except AgentError as error:
        known = to_a2a(error)
        return known.to_rest() if known else tell_error(error)


async def _look(tasks: Tasks, query: TaskQuery | None = None) -> Any:
    """Answer GET `{id}` or `{id}:subscribe`: the last part of the path may name an action."""
    named = tasks.request.params["task_id"]
    if named.endswith(_CANCEL):
        raise A2aError("UNSUPPORTED_OPERATION", "a task cannot be cancelled with GET; use POST")
    run = await tasks.load(named.removesuffix(_WATCH))
    if named.endswith(_WATCH):
        return await _watch(tasks, run)
    return await tasks.read(run, query.history_length if query else None)


async def _act(tasks: Tasks) -> Any:
    """Answer POST `{id}:cancel` or `{id}:subscribe`, which some clients send as a POST."""
    named = tasks.request.params["task_id"]
    if named.endswith(_CANCEL):
        return await tasks.cancel(await tasks.load(named.removesuffix(_CANCEL)))
    return await _look(tasks)


async def _send(tasks: Tasks, sent: SendRequest) -> Frame:
    run = await tasks.send(sent)
    wanted = sent.configuration
    work = tasks.read if wanted.return_immediately or not wanted.blocking else tasks.wait
    return {"task": await work(run, wanted.history_length)}


async def _stream(
    tasks: Tasks, sent: SendRequest, wrap: Callable[[Frame], Frame] = lambda frame: frame
) -> EventStream:
    return await _show(tasks, await tasks.send(sent), wrap)


async def _watch(
    tasks: Tasks, run: RunInfo, wrap: Callable[[Frame], Frame] = lambda frame: frame
) -> EventStream:
    """Stream a task's events. Raises: A2aError for a task that has ended."""
    if run.ended_at is not None:
        raise A2aError("UNSUPPORTED_OPERATION", "the task has already ended; read it with GetTask")
    return await _show(tasks, run, wrap)


async def _show(tasks: Tasks, run: RunInfo, wrap: Callable[[Frame], Frame]) -> EventStream:
    encoder = TaskEncoder(run.run_id, await tasks.name_context(run.thread_id), wrap)
    return show_run(tasks.app, tasks.request, run.run_id, encoder)


def _check_version(request: ApiRequest, *spoken: str) -> None:
    """Check the request's version header; without one any supported version is assumed.

    Raises: A2aError.
    """
    stated = request.headers.get(_VERSION_HEADER, VERSION)
    if stated.split(".")[:2] not in [version.split(".")[:2] for version in spoken]:
        told = f"the supported versions are {' and '.join(spoken)}, not {stated[:20]}; see {CARD}"
        raise A2aError("VERSION_NOT_SUPPORTED", told)


def _read(asked: Rpc, kind: type[T]) -> T:
    """Convert a method's `params` to their type. Raises: ShapeError."""
    return convert(asked.params, kind, "`params`")
