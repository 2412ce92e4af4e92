"""`POST /mcp`: one message in, its answer out; nothing is kept between two requests, so any replica
answers any of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from typing import Any, Final

from starlette.responses import JSONResponse, Response

from plainloop.agent import __version__
from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.mcp.session import LEGACY, META, MODERN
from plainloop.agent.service.runs import ViewerDropped
from plainloop.server.http.endpoint import AppContext, to_response
from plainloop.server.http.sse import EVENT_STREAM
from plainloop.server.protocols.encoder import encode_events, show_run
from plainloop.server.protocols.json_rpc import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Message,
    Rpc,
    RpcError,
    to_answer,
    to_refusal,
)

from .calls import Shown, ToolCalls
from .catalog import list_tools
from .encoder import to_result
from .eras import find_era
from .older import begin_session, can_ask_inline, initialize
from .resources import get_prompt, list_prompts, list_resources, read_resource

PATH: Final = "/mcp"
SERVER: Final = {"name": "plainloop", "version": __version__}
_CAPABILITIES: Final[Message] = {"tools": {}, "prompts": {}, "resources": {}}
_CACHE: Final = {"ttlMs": 60_000, "cacheScope": "private"}


def list_mcp_routes(app: AppContext) -> list[ApiRoute]:
    async def post(request: ApiRequest, body: Rpc) -> Any:
        asks = can_ask_inline(request.headers)
        try:
            answer = await answer_message(app, request, body, request.headers, asks_inline=asks)
            if isinstance(answer, Shown):
                return await _show(app, request, answer)
        except RpcError as error:
            return to_response(
                to_refusal(body.id if body.is_request else None, error), error.status
            )
        if answer is None:
            return Response(status_code=202)
        session = begin_session(body)
        return JSONResponse(answer, headers=session) if session else answer

    return [ApiRoute("POST", PATH, post, "Call an MCP method")]


async def answer_message(
    app: AppContext,
    request: ApiRequest,
    rpc: Rpc,
    headers: Mapping[str, str] | None,
    *,
    asks_inline: bool = False,
) -> Message | Shown | None:
    """Answer one JSON-RPC message of an MCP client with a result, a stream, or None.

    None: it expects no answer. headers: None over stdio. asks_inline: as of an Era. Raises:
    RpcError.
    """
    if not rpc.method:
        await ToolCalls(app, request).take_answer(rpc)
    if not rpc.method or not rpc.is_request:
        return None
    era = find_era(rpc, headers, asks_inline=asks_inline)
    service = app.service
    match rpc.method:
        case "server/discover" if era.is_modern:
            versions = {"supportedVersions": [MODERN, *LEGACY], "capabilities": _CAPABILITIES}
            meta = {"_meta": {f"{META}serverInfo": SERVER}}
            result: Message = {**versions, "instructions": service.pack.title, **_CACHE, **meta}
        case "initialize" if not era.is_modern:
            server = {"capabilities": _CAPABILITIES, "serverInfo": SERVER}
            result = initialize(rpc, {**server, "instructions": service.pack.title})
        case "ping" if not era.is_modern:
            result = {}
        case "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list":
            if rpc.params.get("cursor"):
                told = "unknown cursor: this list is one page, so leave `cursor` out"
                raise RpcError(INVALID_PARAMS, told, status=200)
            result = {**_list(app, rpc.method), **(_CACHE if era.is_modern else {})}
        case "prompts/get":
            result = get_prompt(service, rpc.params.get("name"))
        case "resources/read":
            resource = await read_resource(app, request, rpc.params.get("uri"))
            result = {**resource, **({**_CACHE, "ttlMs": 0} if era.is_modern else {})}
        case "tools/call":
            return await ToolCalls(app, request).call(rpc, era)
        case other:
            reason = f"unknown method {other[:80]!r}"
            raise RpcError(METHOD_NOT_FOUND, reason, status=404 if era.is_modern else 200)
    return to_answer(rpc.id, to_result(result, era))


def _list(app: AppContext, method: str) -> Message:
    match method:
        case "tools/list":
            return {"tools": list_tools(app.service)}
        case "prompts/list":
            prompts = list_prompts(app.service).items()
            described = [
                {"name": name, "title": text, "description": text} for name, text in prompts
            ]
            return {"prompts": described}
        case "resources/list":
            return {"resources": list_resources(app, is_template=False)}
        case _:
            return {"resourceTemplates": list_resources(app, is_template=True)}


async def _show(app: AppContext, request: ApiRequest, shown: Shown) -> Any:
    """Stream a run, or return its answer to a client that reads no streams.

    Raises: RpcError if the run's events end before its answer.
    """
    batches = shown.batches
    if EVENT_STREAM in request.headers.get("accept", "").lower():
        return show_run(app, request, shown.run_id, shown.encoder, batches=batches)
    frames: list[Message] = []
    try:
        with app.streams.held(*request.owner):
            async with aclosing(batches):
                async for events in batches:
                    frames += encode_events(shown.encoder, events)
    except ViewerDropped:
        frames = []
    answers = [frame for frame in frames if "method" not in frame] or (
        shown.encoder.wait() if shown.encoder.is_waiting else []
    )
    if not answers:
        raise shown.make_unfinished()
    return answers[-1]
