"""Refuses request fields that the called Claude model does not accept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object

from ..api import load_api
from .models import Claude

_API: Final = load_api("anthropic")

_DEFAULTS: Final = {"temperature": 1, "top_p": 1, "top_k": None}


def check_fields(body: Mapping[str, Any], model: Claude) -> None:
    """Check the fields that not every model accepts. Raises: WireError for the first refused.

    The sources are in `models`.
    """
    for name, default in _DEFAULTS.items():
        if body.get(name) not in (None, default) and not model.has_sampling:
            raise _API.refuse("sampling", name=name)
    check_thinking(as_object(body.get("thinking")).get("type"), body, model)
    effort = as_object(body.get("output_config")).get("effort")
    if effort is not None and not model.efforts:
        raise _API.refuse("effort_unsupported")
    if effort is not None and effort not in model.efforts:
        raise _API.refuse("effort", allowed=", ".join(f"'{it}'" for it in model.efforts))
    maximum = model.sizes[1]
    if body["max_tokens"] > maximum:
        raise _API.refuse(
            "max_tokens", value=body["max_tokens"], maximum=maximum, model=body["model"]
        )


def check_thinking(kind: str | None, body: Mapping[str, Any], model: Claude) -> None:
    """Check `thinking` and `tool_choice` for a model. Raises: WireError.

    Refused are types that the model lacks, and a forced call while it thinks.
    """
    if kind is not None and kind not in model.thinking_types:
        raise _API.refuse("thinking_type", kind=kind)
    is_on = kind not in (None, "disabled") or (kind is None and model.thinks_by_default)
    choice = as_object(body.get("tool_choice")).get("type")
    # Source: platform.claude.com, models/opus-5-5/whats-new-opus-5-5, "Forced tool use is not
    # supported"; build-with-claude/thinking, "Thinking with tool use".
    if is_on and choice in ("any", "tool"):
        raise _API.refuse("forced_while_thinking")
