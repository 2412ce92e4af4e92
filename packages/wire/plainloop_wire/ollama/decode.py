"""From a chat request to the call it means; errors in Ollama's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.types import ChatRequest, JsonSchema, ToolSchema

from ..api import WireError, load_api
from ..call import Rules, WireCall, WireRequest
from ..strict import ShapeError, find_schema_problem
from .history import check_kinds, check_messages, to_messages
from .models import LocalModel, describe_model, list_local
from .window import cut_prompt

_API: Final = load_api("ollama")

DEFAULT_WINDOW: Final = 4_096
_UNLIMITED: Final = 128_000
_REQUEST: Final = _API.shapes["request"]


def check_key(wire: WireRequest) -> None:
    """Check the API key, if this server has one.

    Ollama itself needs none. Raises: WireError.
    """
    key = wire.headers.get("authorization", "").removeprefix("Bearer").strip()
    if wire.rules.key is not None and key != wire.rules.key:
        raise WireError(401, "unauthorized")


def find_model(name: str, rules: Rules) -> LocalModel:
    """Return the description of a model by its name.

    Raises: WireError without a name, and for an unknown model if rules are strict.
    """
    if not name:
        raise WireError(400, "model is required")
    model = describe_model(name)
    if rules.strict_models and model not in list_local():
        raise WireError(404, f"model '{name}' not found")
    return model


def read_call(body: dict[str, Any], wire: WireRequest) -> WireCall:
    """Check a chat request to Ollama and parse it.

    Raises: WireError, ShapeError.
    """
    check_kinds(body, (), _REQUEST)
    messages = as_list(body.get("messages"))
    if not messages:
        raise WireError(
            400, "this test server cannot load a model without messages: send at least one"
        )
    check_messages(messages)
    model = find_model(body.get("model") or "", wire.rules)
    # Unknown options are ignored, wrongly typed ones are not.
    options = as_object(body.get("options"))
    try:
        check_kinds(options, (), _API.shapes["options"])
    except ShapeError as error:
        text = f'option "{error.path[-1]}" must be of type {error.want}'
        raise WireError(400, text) from error
    tools = as_list(body.get("tools"))
    full_name = model.name if "/" in model.name else f"registry.ollama.ai/library/{model.name}"
    if "completion" not in model.capabilities:
        raise WireError(400, f'"{model.name}" does not support chat')
    if body.get("tools") and "tools" not in model.capabilities:
        raise WireError(400, f"{full_name} does not support tools")
    if body.get("think") and "thinking" not in model.capabilities:
        raise WireError(400, f'"{model.name}" does not support thinking')
    # `num_ctx`, as far as the model was trained; without it the small default.
    longest = min(model.context_tokens, wire.rules.context_tokens or model.context_tokens)
    prompt = cut_prompt(messages, tools, min(options.get("num_ctx") or DEFAULT_WINDOW, longest))
    limit = options.get("num_predict") or -1
    stop = as_list(options.get("stop"))
    return WireCall(
        request=ChatRequest(
            system=prompt.system,
            messages=to_messages(prompt.messages),
            tools=tuple(_read_tool(tool) for tool in prompt.tools),
            json_schema=_read_format(body),
            max_tokens=limit if limit > 0 else _UNLIMITED,
            temperature=options.get("temperature"),
        ),
        model=body["model"],
        segments=prompt.segments,
        stream=body.get("stream") is not False,
        stop_sequences=tuple(stop),
        shows_reasoning="thinking" in model.capabilities and body.get("think") is not False,
    )


def _read_tool(value: Any) -> ToolSchema:
    function = as_object(as_object(value).get("function"))
    parameters = as_object(function.get("parameters")) or {"type": "object", "properties": {}}
    return ToolSchema(function.get("name") or "", function.get("description") or "", parameters)


def _read_format(body: Mapping[str, Any]) -> JsonSchema | None:
    """`"json"` or a JSON Schema."""
    wanted = body.get("format")
    if wanted is None or wanted == "":
        return None
    if wanted == "json":
        return JsonSchema("json", {"type": "object"})
    if not isinstance(wanted, dict) or find_schema_problem(wanted):
        raise _API.refuse("invalid_format", wanted=cast("object", wanted))
    return JsonSchema("format", as_object(wanted))
