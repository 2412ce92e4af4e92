"""Refuses request fields that the called Claude model does not accept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object

from ..api import load_api
from ..strict import Shape, check_shape
from .models import Claude

_API: Final = load_api("anthropic")

_LEAST_BUDGET: Final = 1024
_DEFAULTS: Final = {"temperature": 1, "top_p": 1, "top_k": None}


def check_fields(body: Mapping[str, Any], model: Claude) -> None:
    """Check the fields that not every model accepts.

    Raises: WireError for the first refused. The sources are in `models`.
    """
    for name, default in _DEFAULTS.items():
        if body.get(name) not in (None, default) and not model.has_sampling:
            raise _API.refuse("sampling", name=name)
    thinking = as_object(body.get("thinking"))
    check_thinking(thinking.get("type"), body, model)
    if thinking.get("type") == "enabled":
        check_budget(thinking, body)
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


def check_budget(thinking: Mapping[str, Any], body: Mapping[str, Any]) -> None:
    """Check the budget of thinking that is enabled.

    Raises: ShapeError, WireError. Source: platform.claude.com, build-with-claude/extended-thinking;
    themaximalist/llm.js #30.
    """
    path = ("thinking", "enabled")
    optional: Shape = {"display": "string", "block_binding": "object"}
    check_shape(thinking, path, {"type": "string", "budget_tokens": "integer"}, optional)
    if thinking["budget_tokens"] < _LEAST_BUDGET:
        raise _API.refuse("small_budget", least=_LEAST_BUDGET)
    # Between tool calls it may be larger: it is for the whole turn then.
    if thinking["budget_tokens"] >= body["max_tokens"] and not body.get("tools"):
        raise _API.refuse("large_budget")


def check_thinking(kind: str | None, body: Mapping[str, Any], model: Claude) -> None:
    """Check `thinking` and `tool_choice` for a model.

    Raises: WireError. Refused are types that the model lacks, and a forced call while it thinks.
    """
    if kind is not None and kind not in model.thinking_types:
        raise _API.refuse("thinking_type", kind=kind)
    is_on = kind not in (None, "disabled") or (kind is None and model.thinks_by_default)
    choice = as_object(body.get("tool_choice")).get("type")
    # Source: platform.claude.com, models/opus-5-5/whats-new-opus-5-5, "Forced tool use is not
    # supported"; build-with-claude/thinking, "Thinking with tool use".
    if is_on and choice in ("any", "tool"):
        raise _API.refuse("forced_while_thinking")
