"""The model lists, in the shape of each provider: the models that plainloop uses by default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS

_CREATED_S: Final = 1_767_225_600
_CREATED_AT: Final = "2026-01-01T00:00:00Z"
_METHODS: Final = ["generateContent", "streamGenerateContent", "countTokens"]


def list_ids(provider: str) -> list[str]:
    """The provider's default models, sorted."""
    defaults = PROVIDER_DEFAULTS[provider]
    return sorted({defaults.default_model, defaults.small_model})


def to_title(model_id: str) -> str:
    """
    >>> to_title("claude-sonnet-4-6")
    'Claude Sonnet 4 6'
    """
    return model_id.replace("-", " ").title()


def list_anthropic(query: Mapping[str, str]) -> dict[str, Any]:
    """One page: `limit` and `after_id` as the API takes them."""
    ids = list_ids("anthropic")
    after = query.get("after_id")
    start = ids.index(after) + 1 if after in ids else 0
    page = ids[start : start + _read_int(query, "limit", 20)]
    data = [
        {
            "type": "model",
            "id": model_id,
            "display_name": to_title(model_id),
            "created_at": _CREATED_AT,
        }
        for model_id in page
    ]
    return {
        "data": data,
        "has_more": start + len(page) < len(ids),
        "first_id": data[0]["id"] if data else None,
        "last_id": data[-1]["id"] if data else None,
    }


def list_openai() -> dict[str, Any]:
    data = [
        {"id": model_id, "object": "model", "created": _CREATED_S, "owned_by": "system"}
        for model_id in list_ids("openai")
    ]
    return {"object": "list", "data": data}


def list_gemini(query: Mapping[str, str]) -> dict[str, Any]:
    """One page: `pageSize` and `pageToken`, which here is an offset."""
    start = _read_int(query, "pageToken", 0)
    size = _read_int(query, "pageSize", 50)
    ids = list_ids("gemini")
    page = [
        {
            "name": f"models/{model_id}",
            "version": "001",
            "displayName": to_title(model_id),
            "description": to_title(model_id),
            "inputTokenLimit": 1_048_576,
            "outputTokenLimit": 65_536,
            "supportedGenerationMethods": _METHODS,
        }
        for model_id in ids[start : start + size]
    ]
    rest = {"nextPageToken": str(start + size)} if start + size < len(ids) else {}
    return {"models": page, **rest}


def _read_int(query: Mapping[str, str], name: str, default: int) -> int:
    text = query.get(name, "")
    return int(text) if text.isdecimal() else default
