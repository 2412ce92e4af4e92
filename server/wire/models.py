"""The model lists, in the shape of each provider. The names are examples, not a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

MODELS: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "anthropic": (
        ("claude-haiku-4-5-20251001", "Claude Haiku 4.5"),
        ("claude-opus-4-8", "Claude Opus 4.8"),
        ("claude-sonnet-4-6", "Claude Sonnet 4.6"),
    ),
    "openai_chat": (
        ("gpt-4o", "gpt-4o"),
        ("gpt-5.4", "gpt-5.4"),
        ("gpt-5.4-mini", "gpt-5.4-mini"),
    ),
    "gemini": (
        ("gemini-2.5-flash", "Gemini 2.5 Flash"),
        ("gemini-3-flash-preview", "Gemini 3 Flash Preview"),
        ("gemini-3-pro-preview", "Gemini 3 Pro Preview"),
    ),
}
_CREATED_S: Final = 1_767_225_600
_CREATED_AT: Final = "2026-01-01T00:00:00Z"
_METHODS: Final = ["generateContent", "streamGenerateContent", "countTokens"]


def list_anthropic(query: Mapping[str, str]) -> dict[str, Any]:
    """One page: `limit` and `after_id` as the API takes them."""
    models = MODELS["anthropic"]
    ids = [model_id for model_id, _ in models]
    after = query.get("after_id")
    start = ids.index(after) + 1 if after in ids else 0
    page = models[start : start + int(query.get("limit", "20"))]
    data = [
        {"type": "model", "id": model_id, "display_name": name, "created_at": _CREATED_AT}
        for model_id, name in page
    ]
    return {
        "data": data,
        "has_more": start + len(page) < len(models),
        "first_id": data[0]["id"] if data else None,
        "last_id": data[-1]["id"] if data else None,
    }


def list_openai() -> dict[str, Any]:
    data = [
        {"id": model_id, "object": "model", "created": _CREATED_S, "owned_by": "system"}
        for model_id, _ in MODELS["openai_chat"]
    ]
    return {"object": "list", "data": data}


def list_gemini(query: Mapping[str, str]) -> dict[str, Any]:
    """One page: `pageSize` and `pageToken`, which here is an offset."""
    start = int(query.get("pageToken") or 0)
    size = int(query.get("pageSize") or 50)
    models = MODELS["gemini"]
    page = [
        {
            "name": f"models/{model_id}",
            "version": "001",
            "displayName": name,
            "description": name,
            "inputTokenLimit": 1_048_576,
            "outputTokenLimit": 65_536,
            "supportedGenerationMethods": _METHODS,
        }
        for model_id, name in models[start : start + size]
    ]
    rest = {"nextPageToken": str(start + size)} if start + size < len(models) else {}
    return {"models": page, **rest}
