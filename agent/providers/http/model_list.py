"""Converts servers' model lists to one form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...base.text.foreign_json import list_objects
from ...types import ModelInfo
from ..provider_state import Target
from .bodies import parse_body
from .json_values import parse_json

# OpenAI's and Mistral's fields for the day a model is shut down; null while none is announced.
_ENDS: Final = ("shutdown_date", "deprecation")


def parse_models(
    raw: bytes, target: Target, headers: Mapping[str, str]
) -> tuple[list[ModelInfo], str | None]:
    """Parse a page of a model list; return its models and the next page's id, or None.

    {"data": […]} nearly everywhere, {"models": […]} at Ollama, a bare list at a few gateways.
    An entry without an id is left out; a nameless one's name is its id.

    Raises: ModelError for what is no list.
    """
    try:
        listed: object = parse_json(raw)
    except ValueError:
        listed = None
    is_bare = isinstance(listed, list)
    page: dict[str, Any] = {"data": listed} if is_bare else parse_body(raw, target, headers)
    models = [
        ModelInfo(
            model_id,
            str(stated.get("display_name") or stated.get("name") or model_id),
            # OpenAI: developers.openai.com, api/reference/models (90 models had a date in October
            # 2026).
            next((str(stated[key]) for key in _ENDS if stated.get(key)), None),
        )
        for stated in list_objects(page.get("data") or page.get("models"))
        if (model_id := str(stated.get("id") or stated.get("name") or stated.get("model") or ""))
    ]
    after = page.get("last_id") if page.get("has_more") else None
    return models, after if isinstance(after, str) else None
