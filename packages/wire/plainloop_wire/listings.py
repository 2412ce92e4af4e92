"""What a client can ask beside a chat: which models there are, and what one of them can do."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .api import WireError
from .call import Rules
from .models import list_anthropic, list_gemini, list_openai
from .ollama.decode import find_model
from .ollama.encode import to_error
from .ollama.models import VERSION, to_show, to_tags
from .strict import load_object


async def _list_models(request: Request) -> Response:
    query = request.query_params
    if "x-goog-api-key" in request.headers or "key" in query:
        return JSONResponse(list_gemini(query))
    if "anthropic-version" in request.headers:
        return JSONResponse(list_anthropic(query))
    return JSONResponse(list_openai())


async def _list_ollama(request: Request) -> Response:
    return JSONResponse(to_tags())


async def _tell_ollama_version(request: Request) -> Response:
    return JSONResponse({"version": VERSION})


async def _show_ollama(request: Request) -> Response:
    body = load_object(await request.body()) or {}
    rules: Rules = request.app.state.wire.rules
    try:
        model = find_model(str(body.get("model") or body.get("name") or ""), rules)
    except WireError as error:
        return JSONResponse(to_error(error), error.status)
    return JSONResponse(to_show(model))


LISTINGS = (
    Route("/{version:str}/models", _list_models, methods=["GET"]),
    Route("/api/tags", _list_ollama, methods=["GET"]),
    Route("/api/version", _tell_ollama_version, methods=["GET"]),
    Route("/api/show", _show_ollama, methods=["POST"]),
)
