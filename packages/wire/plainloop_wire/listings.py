"""The models that plainloop uses by default, listed in the shape of whoever's client asks."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS

from .ollama.models import to_tags

_CREATED_S: Final = 1_767_225_600
_CREATED_AT: Final = "2026-01-01T00:00:00Z"
_METHODS: Final = ["generateContent", "streamGenerateContent"]


def list_ids(provider: str) -> list[str]:
    """List plainloop's default models of a provider, sorted."""
    defaults = PROVIDER_DEFAULTS[provider]
    return sorted({defaults.default_model, defaults.small_model})


async def _list_models(request: Request) -> Response:
    if "x-goog-api-key" in request.headers or "key" in request.query_params:
        return JSONResponse({"models": list(map(_to_gemini, list_ids("gemini")))})
    if "anthropic-version" in request.headers:
        ids = list_ids("anthropic")
        ends = {"first_id": ids[0], "last_id": ids[-1]}
        return JSONResponse({"data": list(map(_to_anthropic, ids)), "has_more": False, **ends})
    data = [
        {"id": model_id, "object": "model", "created": _CREATED_S, "owned_by": "system"}
        for model_id in list_ids("openai")
    ]
    return JSONResponse({"object": "list", "data": data})


def _to_anthropic(model_id: str) -> dict[str, Any]:
    title = model_id.replace("-", " ").title()
    return {"type": "model", "id": model_id, "display_name": title, "created_at": _CREATED_AT}


def _to_gemini(model_id: str) -> dict[str, Any]:
    return {
        "name": f"models/{model_id}",
        "version": "001",
        "displayName": model_id.replace("-", " ").title(),
        "inputTokenLimit": 1_048_576,
        "outputTokenLimit": 65_536,
        "supportedGenerationMethods": _METHODS,
    }


async def _list_ollama(request: Request) -> Response:
    return JSONResponse(to_tags())


LISTINGS = (
    Route("/{version:str}/models", _list_models, methods=["GET"]),
    Route("/api/tags", _list_ollama, methods=["GET"]),
)
