"""From a Messages request to the call it means; a 400 in Anthropic's words where it is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from agent.providers.types import ChatRequest, JsonSchema, ToolSchema
from server.wire.answer import dump_json
from server.wire.anthropic.history import check_history, to_messages
from server.wire.call import WireCall, WireError, WireRequest, make_segment
from server.wire.prompt_cache import Segment
from server.wire.strict import (
    TOOL_NAME,
    Shape,
    ShapeError,
    check_shape,
    find_duplicate,
    find_keywords,
    find_schema_problem,
    find_strict_problem,
    load_object,
)

VERSIONS: Final = frozenset({"2023-01-01", "2023-06-01", "2026-10-21"})
_WITHOUT_SAMPLING: Final = "2026-10-21"  # from this version on temperature, top_p, top_k are gone
_MODEL: Final = re.compile(r"claude-")
_MAX_BREAKPOINTS: Final = 4

_REQUIRED: Final[Shape] = {"model": "string", "messages": "array"}
_SAMPLING: Final[Shape] = {"temperature": "number", "top_p": "number", "top_k": "integer"}
_OPTIONAL: Final[Shape] = {
    "cache_control": "object",
    "container": "any",
    "context_management": "object",
    "diagnostics": "object",
    "inference_geo": "string",
    "mcp_servers": "array",
    "metadata": "object",
    "output_config": "object",
    "service_tier": "string",
    "speed": "string",
    "stop_sequences": "array",
    "stream": "boolean",
    "system": "string_or_array",
    "thinking": "object",
    "tool_choice": "object",
    "tools": "array",
    "user_profile_id": "string",
    "workspace_id": "string",
}
_TOOL_OPTIONAL: Final[Shape] = {
    "type": "string",
    "description": "string",
    "cache_control": "object",
    "strict": "boolean",
    "eager_input_streaming": "boolean",
    "defer_loading": "boolean",
    "input_examples": "array",
    "allowed_callers": "array",
}
_UNSUPPORTED_IN_OUTPUT: Final = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
)
_WANTED: Final = {
    "string": "Input should be a valid string",
    "integer": "Input should be a valid integer",
    "number": "Input should be a valid number",
    "boolean": "Input should be a valid boolean",
    "array": "Input should be a valid list",
    "object": "Input should be a valid dictionary",
    "string_or_array": "Input should be a valid list",
}


def parse_call(wire: WireRequest) -> WireCall:
    """Raises: WireError in the order in which the API checks: key, version, body."""
    _check_headers(wire)
    body = load_object(wire.body)
    if body is None:
        raise WireError(400, "The request body is not valid JSON.")
    try:
        return _read_body(body, wire)
    except ShapeError as e:
        raise _to_wire_error(e) from e


def _check_headers(wire: WireRequest) -> None:
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


def _read_body(body: dict[str, Any], wire: WireRequest) -> WireCall:
    is_count = wire.action == "count_tokens"
    has_sampling = wire.headers["anthropic-version"] < _WITHOUT_SAMPLING
    required: Shape = _REQUIRED if is_count else {**_REQUIRED, "max_tokens": "integer"}
    optional: Shape = {**_OPTIONAL, **_SAMPLING} if has_sampling else _OPTIONAL
    check_shape(body, (), required, optional)
    _check_values(body, wire)
    tools = _read_tools(body.get("tools") or [])
    _check_breakpoints(body)
    check_history(body["messages"], has_tools=bool(tools), thinking=body.get("thinking") or {})
    forced, offered = _read_tool_choice(body, tools)
    schema = _read_output_schema(body.get("output_config") or {})
    if forced is not None:
        schema = JsonSchema(forced.name, forced.parameters)
    request = ChatRequest(
        system=_join_system(body.get("system")),
        messages=to_messages(body["messages"]),
        tools=offered,
        json_schema=schema,
        max_tokens=body.get("max_tokens", 1),
        temperature=body.get("temperature"),
        parallel_tool_calls=not (body.get("tool_choice") or {}).get("disable_parallel_tool_use"),
    )
    return WireCall(
        request=request,
        model=body["model"],
        segments=build_segments(body),
        stream=bool(body.get("stream")),
        is_count=is_count,
        forced_tool=forced.name if forced else None,
        stop_sequences=tuple(body.get("stop_sequences") or ()),
        shows_reasoning=(body.get("thinking") or {}).get("type") in ("enabled", "adaptive"),
    )


def _check_values(body: Mapping[str, Any], wire: WireRequest) -> None:
    if body.get("max_tokens", 1) < 1:
        raise WireError(400, "max_tokens: Input should be greater than or equal to 1")
    temperature = body.get("temperature")
    if temperature is not None and not 0 <= temperature <= 1:
        bound = "less than or equal to 1" if temperature > 1 else "greater than or equal to 0"
        raise WireError(400, f"temperature: Input should be {bound}")
    if wire.rules.strict_models and not _MODEL.match(body["model"]):
        raise WireError(404, f"model: {body['model']}")


def _read_tools(tools: list[Any]) -> tuple[ToolSchema, ...]:
    read = tuple(_read_tool(tool, index) for index, tool in enumerate(tools))
    if find_duplicate([tool.name for tool in read]):
        raise WireError(400, "tools: Tool names must be unique.")
    return read


def _read_tool(value: Any, index: int) -> ToolSchema:
    path = ("tools", index, "custom")
    tool = check_shape(value, path, {"name": "string", "input_schema": "object"}, _TOOL_OPTIONAL)
    where = f"tools.{index}.custom"
    if not TOOL_NAME.fullmatch(tool["name"]):
        pattern = "^[a-zA-Z0-9_-]{1,64}$"
        raise WireError(400, f"{where}.name: String should match pattern '{pattern}'")
    if tool.get("type") not in (None, "custom"):
        raise WireError(400, f"{where}.type: server tools are not simulated here")
    schema = tool["input_schema"]
    if "type" not in schema:
        raise WireError(400, f"{where}.input_schema.type: Field required")
    if any(key in schema for key in ("oneOf", "anyOf", "allOf")):
        raise WireError(
            400,
            f"{where}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the "
            "top level",
        )
    if schema["type"] != "object" or find_schema_problem(schema):
        raise WireError(
            400,
            f"{where}.input_schema: JSON schema is invalid. It must match JSON Schema draft "
            "2020-12 (https://json-schema.org/draft/2020-12).",
        )
    return ToolSchema(tool["name"], tool.get("description") or "", schema)


def _read_tool_choice(
    body: Mapping[str, Any], tools: tuple[ToolSchema, ...]
) -> tuple[ToolSchema | None, tuple[ToolSchema, ...]]:
    """The tool whose call is forced, if one is, and the tools that the model may choose from."""
    choice = body.get("tool_choice")
    if not choice:
        return None, tools
    optional: Shape = {"name": "string", "disable_parallel_tool_use": "boolean"}
    check_shape(choice, ("tool_choice",), {"type": "string"}, optional)
    kind = choice["type"]
    if kind not in ("auto", "any", "tool", "none"):
        raise WireError(
            400,
            f"tool_choice: Input tag '{kind}' found using 'type' does not match any of the "
            "expected tags: 'auto', 'any', 'tool', 'none'",
        )
    if not tools and kind != "none":
        raise WireError(400, "tool_choice may only be specified while providing tools.")
    if kind != "tool":
        return None, () if kind == "none" else tools
    if (body.get("thinking") or {}).get("type") in ("enabled", "adaptive"):
        raise WireError(400, "Thinking may not be enabled when tool_choice forces tool use.")
    forced = next((tool for tool in tools if tool.name == choice.get("name")), None)
    if forced is None:
        raise WireError(400, f"Tool '{choice.get('name')}' not found in provided tools")
    return forced, ()


def _read_output_schema(config: dict[str, Any]) -> JsonSchema | None:
    optional: Shape = {"format": "object", "effort": "string", "task_budget": "object"}
    check_shape(config, ("output_config",), {}, optional)
    wanted = config.get("format")
    if wanted is None:
        return None
    path = ("output_config", "format")
    check_shape(wanted, path, {"type": "string", "schema": "object"}, {})
    schema = wanted["schema"]
    where = "output_config.format.schema"
    problem = find_schema_problem(schema)
    if wanted["type"] != "json_schema" or problem:
        raise WireError(400, f"{where}: {problem[1] if problem else 'unknown type'}")
    if find_strict_problem(schema, needs_required=False):
        raise WireError(
            400,
            f"{where}: For 'object' type, 'additionalProperties' must be explicitly set to false",
        )
    found = find_keywords(schema, _UNSUPPORTED_IN_OUTPUT)
    if found:
        _, kind, used = found
        names = ", ".join(used)
        raise WireError(400, f"{where}: For '{kind}' type, properties {names} are not supported")
    return JsonSchema(str(schema.get("title", "output")), schema)


def _check_breakpoints(body: Mapping[str, Any]) -> None:
    blocks = [*_walk_blocks(body), body]
    found = [block["cache_control"] for block in blocks if block.get("cache_control")]
    if len(found) > _MAX_BREAKPOINTS:
        raise WireError(
            400,
            f"A maximum of {_MAX_BREAKPOINTS} blocks with cache_control may be provided. "
            f"Found {len(found)}.",
        )
    for control in found:
        check_shape(control, ("cache_control",), {"type": "string"}, {"ttl": "string"})
        if control["type"] != "ephemeral" or control.get("ttl") not in (None, "5m", "1h"):
            raise WireError(400, "cache_control: Input should be 'ephemeral' with ttl '5m' or '1h'")
    ttls = [control.get("ttl") or "5m" for control in found]
    if ttls != sorted(ttls):  # "1h" sorts before "5m"
        raise WireError(
            400, "cache_control.ttl: a ttl='1h' block must not come after a ttl='5m' block"
        )


def _walk_blocks(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every block in caching order: tools, system, messages."""
    blocks: list[Any] = list(body.get("tools") or [])
    system = body.get("system")
    blocks += cast(list[Any], system) if isinstance(system, list) else []
    for message in body["messages"]:
        content = message.get("content") if isinstance(message, dict) else None
        blocks += cast(list[Any], content) if isinstance(content, list) else []
    return [block for block in blocks if isinstance(block, dict)]


def build_segments(body: Mapping[str, Any]) -> tuple[Segment, ...]:
    """The prompt as the cache sees it; the request-wide cache_control marks the last block."""
    segments: list[Segment] = [make_segment("anthropic\n", extra_tokens=6)]
    segments += [_block_segment(tool, "") for tool in body.get("tools") or []]
    schema = (body.get("output_config") or {}).get("format")
    if schema:
        segments.append(make_segment(dump_json(schema)))
    system = body.get("system") or []
    if isinstance(system, str):
        segments.append(make_segment(system))
    else:
        segments += [_block_segment(block, "") for block in system]
    for message in body["messages"]:
        segments += _message_segments(message)
    control = body.get("cache_control")
    if control:
        last = segments[-1]
        segments[-1] = Segment(last.text, last.tokens, control.get("ttl") or "5m")
    return tuple(segments)


def _message_segments(message: Mapping[str, Any]) -> list[Segment]:
    head = message["role"] + ":"
    content = message["content"]
    if isinstance(content, str):
        return [make_segment(head + content, extra_tokens=3)]
    return [_block_segment(block, head if i == 0 else "") for i, block in enumerate(content)]


def _block_segment(block: Mapping[str, Any], head: str) -> Segment:
    control = block.get("cache_control")
    bare = {key: value for key, value in block.items() if key != "cache_control"}
    text = bare["text"] if bare.get("type") == "text" else dump_json(bare)
    ttl = (control.get("ttl") or "5m") if control else None
    return make_segment(head + text, extra_tokens=3 if head else 0, ttl=ttl)


def _join_system(system: Any) -> str:
    if not isinstance(system, list):
        return system or ""
    texts: list[str] = []
    for index, value in enumerate(cast(list[Any], system)):
        required: Shape = {"type": "string", "text": "string"}
        optional: Shape = {"cache_control": "object", "citations": "array"}
        block = check_shape(value, ("system", index), required, optional)
        if not block["text"]:
            raise WireError(400, "system: text content blocks must be non-empty")
        texts.append(block["text"])
    return "\n\n".join(texts)


def _to_wire_error(error: ShapeError) -> WireError:
    where = ".".join(str(step) for step in error.path)
    texts = {
        "unknown": "Extra inputs are not permitted",
        "missing": "Field required",
        "type": _WANTED.get(error.want, "Input should be valid"),
    }
    return WireError(400, f"{where}: {texts[error.kind]}")
