"""The wire server: real provider formats in front, a brain behind, failures on demand between.

    POST /v1/messages                                                Anthropic
    …/v1/messages/batches[/{id}[/results, /cancel]]                  Anthropic
    …/batches[/{id}[/cancel]], …/files[/{id}/content]                OpenAI
    POST …/chat/completions                                          OpenAI and compatible
    POST …/responses                                                 OpenAI
    POST /v1beta/models/{model}:generateContent | :streamGenerateContent   Gemini
    POST …/embeddings, /api/embed, …:embedContent, …:batchEmbedContents
    POST /api/chat   GET /api/tags                                   Ollama
    GET  /v1/models, /v1beta/models                                  in the asker's shape
    GET  /__log[?after=N]   POST /__faults   POST /__reset           for tests and demos

A request is checked first, then it may be hit by a fault, then the brain is asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from . import anthropic, embeddings, files, gemini, ollama, openai_chat, openai_responses
from .answering import Wire, build_answer
from .batches import anthropic as anthropic_batches
from .batches import openai as openai_batches
from .call import Brain, Dialect, Rules
from .faults import FaultQueue, Faults, parse_faults
from .journal import Journal
from .listings import LISTINGS
from .prompt_cache import PromptCache
from .responding import Exchange, take_request
from .script import Script, ScriptedBrain

Clock = Callable[[], float]


def make_app(
    brain: Brain,
    *,
    faults: Faults | None = None,
    script: Script | None = None,
    rules: Rules | None = None,
    log_file: Path | None = None,
    clock: Clock = time.monotonic,
    lifts_caches: bool = False,
) -> Starlette:
    """Make the test server as an ASGI application.

    Its `Wire` is `app.state.wire`. script: answers instead of the brain. clock: seconds, for the
    prompt cache's expiry. lifts_caches: a warm prefix that is marked anew for longer then lives
    longer, for nothing.
    """
    wire = Wire(
        brain=brain if script is None else ScriptedBrain(script, brain),
        rules=rules or Rules(),
        faults=FaultQueue(faults or Faults()),
        journal=Journal(log_file),
        cache=PromptCache(clock, lifts=lifts_caches),
    )
    app = Starlette(routes=_build_routes())
    app.state.wire = wire
    return app


def _build_routes() -> list[Route]:
    return [
        _route("/v1/messages", anthropic.DIALECT),
        *anthropic_batches.ROUTES,
        *openai_batches.ROUTES,
        *files.ROUTES,
        _route("/{base:path}chat/completions", openai_chat.DIALECT),
        _route("/{base:path}responses", openai_responses.DIALECT),
        _route("/{base:path}embeddings", embeddings.OPENAI),
        _route("/api/chat", ollama.DIALECT),
        _route("/api/embed", embeddings.OLLAMA),
        Route("/{version:str}/models/{target:path}", _gemini, methods=["POST"]),
        *LISTINGS,
        Route("/__log", _read_log, methods=["GET"]),
        Route("/__faults", _load_faults, methods=["POST"]),
        Route("/__reset", _reset, methods=["POST"]),
    ]


def _route(path: str, dialect: Dialect) -> Route:
    """What is asked for is the path's last word."""

    async def endpoint(request: Request) -> Any:
        return await _answer(request, dialect, request.url.path.rpartition("/")[2])

    return Route(path, endpoint, methods=["POST"])


async def _gemini(request: Request) -> Any:
    model, _, action = request.path_params["target"].rpartition(":")
    if action in ("embedContent", "batchEmbedContents"):
        return await _answer(request, embeddings.GEMINI, action, model)
    if action not in ("generateContent", "streamGenerateContent"):
        return JSONResponse({"error": {"code": 404, "message": "", "status": "NOT_FOUND"}}, 404)
    return await _answer(request, gemini.DIALECT, action, model)


async def _answer(request: Request, dialect: Dialect, action: str, path_model: str = "") -> Any:
    """One request from its bytes to an ASGI application that sends the answer."""
    exchange = await take_request(request, dialect, action, path_model)
    return await exchange.settle(_call(exchange))


async def _call(exchange: Exchange) -> Any:
    dialect, wire, entry = exchange.dialect, exchange.wire, exchange.entry
    call = dialect.parse_call(exchange.asked)
    dialect.check_length(call, wire.rules)
    entry["stream"] = call.stream
    fault = exchange.take_fault()
    if fault is not None and fault.status is not None:
        return exchange.fail(fault)
    if dialect.to_embeddings is not None:
        return exchange.respond(dialect.to_embeddings(call), fault)
    answer = build_answer(call, dialect, wire, exchange.asked)
    entry["usage"] = dialect.to_usage(answer.counts)
    if not call.stream:
        return exchange.respond(dialect.to_body(answer), fault)
    frames = dialect.to_frames(answer)
    return exchange.send(frames, dialect.api.stream_type, fault=fault, is_stream=True)


async def _read_log(request: Request) -> Response:
    wire: Wire = request.app.state.wire
    after = int(request.query_params.get("after", "0"))
    entries = [entry for entry in wire.journal.entries if entry["n"] > after]
    return JSONResponse({"requests": entries})


async def _load_faults(request: Request) -> Response:
    wire: Wire = request.app.state.wire
    try:
        wire.faults.load(parse_faults(await request.body()))
    except ValueError as e:
        return JSONResponse({"error": {"message": str(e)}}, 400)
    return JSONResponse({"ok": True})


async def _reset(request: Request) -> Response:
    """Forget requests, faults, cached prompts, batches, files and used script steps."""
    wire: Wire = request.app.state.wire
    wire.journal.clear()
    wire.faults.load(Faults())
    wire.cache.clear()
    wire.batches.clear()
    wire.files.clear()
    if isinstance(wire.brain, ScriptedBrain):
        wire.brain.reset()
    return JSONResponse({"ok": True})
