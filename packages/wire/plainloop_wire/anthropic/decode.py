"""From a Messages request to the call it means; a 400 in Anthropic's words where it is wrong."""

from __future__ import annotations

import re
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.types import ChatRequest, JsonSchema

from ..api import WireError, load_api
from ..call import WireCall, WireRequest
from ..strict import Shape, check_shape
from .binding import bind
from .history import check_history, to_messages
from .limits import check_fields
from .models import read_model
from .prompt import build_segments, check_breakpoints
from .tools import read_output_schema, read_tool_choice, read_tools

_API: Final = load_api("anthropic")

VERSIONS: Final = frozenset({"2023-01-01", "2023-06-01", "2026-10-21"})
_WITHOUT_SAMPLING: Final = "2026-10-21"  # from this version on temperature, top_p, top_k are gone
_MODEL: Final = re.compile(r"claude-")

_REQUIRED: Final[Shape] = {"model": "string", "messages": "array", "max_tokens": "integer"}
_SAMPLING: Final[Shape] = {"temperature": "number", "top_p": "number", "top_k": "integer"}
_OPTIONAL: Final = _API.shapes["optional"]


def check_key(wire: WireRequest) -> None:
    """Check the API key and version headers.

    Raises: WireError.
    """
    bearer = wire.headers.get("authorization", "").removeprefix("Bearer ").strip()
    key = wire.headers.get("x-api-key", "").strip() or bearer
    if not key:
        raise WireError(401, "x-api-key header is required")
    if wire.rules.key is not None and key != wire.rules.key:
        raise WireError(401, "invalid x-api-key")
    version = wire.headers.get("anthropic-version")
    if version is None:
        raise WireError(400, "anthropic-version: header is required")
    if version not in VERSIONS:
        raise WireError(400, f'anthropic-version: "{version}" is not a valid version')


def read_call(body: dict[str, Any], wire: WireRequest) -> WireCall:
    """Check a Messages request and parse it.

    Raises: WireError, ShapeError.
    """
    has_sampling = wire.headers["anthropic-version"] < _WITHOUT_SAMPLING
    optional: Shape = {**_OPTIONAL, **_SAMPLING} if has_sampling else _OPTIONAL
    check_shape(body, (), _REQUIRED, optional)
    if body["max_tokens"] < 1:
        raise WireError(400, "max_tokens: Input should be greater than or equal to 1")
    temperature = body.get("temperature")
    if temperature is not None and not 0 <= temperature <= 1:
        bound = "less than or equal to 1" if temperature > 1 else "greater than or equal to 0"
        raise WireError(400, f"temperature: Input should be {bound}")
    if wire.rules.strict_models and not _MODEL.match(body["model"]):
        raise WireError(404, f"model: {body['model']}")
    check_fields(body, read_model(body["model"]))
    tools = read_tools(as_list(body.get("tools")))
    check_breakpoints(body)
    check_history(body["messages"], has_tools=bool(tools), thinking=as_object(body.get("thinking")))
    binding = bind(body, wire)
    forced, offered = read_tool_choice(body, tools)
    schema = read_output_schema(as_object(body.get("output_config")))
    if forced is not None:
        schema = JsonSchema(forced.name, forced.parameters)
    request = ChatRequest(
        system=_join_system(body.get("system")),
        messages=to_messages(binding.messages),
        tools=offered,
        json_schema=schema,
        max_tokens=body["max_tokens"],
        temperature=body.get("temperature"),
        parallel_tool_calls=not as_object(body.get("tool_choice")).get("disable_parallel_tool_use"),
    )
    return WireCall(
        request=request,
        model=body["model"],
        segments=build_segments({**body, "messages": binding.messages}),
        stream=bool(body.get("stream")),
        forced_tool=forced.name if forced else None,
        stop_sequences=tuple(body.get("stop_sequences") or ()),
        shows_reasoning=binding.thinks is not False,
        options={"binding": binding},
        window=binding.model.sizes[0],
        must_call=offered if as_object(body.get("tool_choice")).get("type") == "any" else (),
    )


def _join_system(system: Any) -> str:
    if not isinstance(system, list):
        return system or ""
    texts: list[str] = []
    for index, value in enumerate(as_list(system)):
        required: Shape = {"type": "string", "text": "string"}
        optional: Shape = {"cache_control": "object", "citations": "array"}
        block = check_shape(value, ("system", index), required, optional)
        if not block["text"]:
            raise WireError(400, "system: text content blocks must be non-empty")
        texts.append(block["text"])
    return "\n\n".join(texts)
