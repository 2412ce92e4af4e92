"""Tools, tool choice and response format of a Chat Completions request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agent.providers.types import JsonSchema, ToolSchema
from server.wire.call import WireError
from server.wire.strict import (
    TOOL_NAME,
    Path,
    Shape,
    check_shape,
    find_duplicate,
    find_schema_problem,
    find_strict_problem,
)

_MAX_NAME_CHARS: Final = 64
_FUNCTION_OPTIONAL: Final[Shape] = {
    "description": "string",
    "parameters": "object",
    "strict": "boolean",
}
_ANY_OBJECT: Final[dict[str, Any]] = {"type": "object", "properties": {}}


def read_tools(tools: list[Any] | None) -> tuple[ToolSchema, ...]:
    """Raises: WireError, ShapeError."""
    if tools is None:
        return ()
    if not tools:
        raise _empty_array("tools")
    read = tuple(_read_tool(tool, index) for index, tool in enumerate(tools))
    twice = find_duplicate([tool.name for tool in read])
    if twice:
        raise WireError(400, f"Invalid 'tools': duplicate function name '{twice}'.", param="tools")
    return read


def _read_tool(value: Any, index: int) -> ToolSchema:
    tool = check_shape(value, ("tools", index), {"type": "string", "function": "object"})
    if tool["type"] != "function":
        raise WireError(
            400,
            f"Invalid value: '{tool['type']}'. Supported values are: 'function'.",
            param=f"tools[{index}].type",
            code="invalid_value",
        )
    path = ("tools", index, "function")
    function = check_shape(tool["function"], path, {"name": "string"}, _FUNCTION_OPTIONAL)
    _check_name(function["name"], f"tools[{index}].function.name")
    parameters = function.get("parameters") or _ANY_OBJECT
    _check_parameters(function["name"], parameters, index, is_strict=bool(function.get("strict")))
    return ToolSchema(function["name"], function.get("description") or "", parameters)


def _check_name(name: str, where: str) -> None:
    if len(name) > _MAX_NAME_CHARS:
        raise WireError(
            400,
            f"Invalid '{where}': string too long. Expected a string with maximum length "
            f"{_MAX_NAME_CHARS}, but got a string with length {len(name)} instead.",
            param=where,
            code="string_above_max_length",
        )
    if not TOOL_NAME.fullmatch(name):
        raise WireError(
            400,
            f"Invalid '{where}': string does not match pattern. Expected a string that matches "
            "the pattern '^[a-zA-Z0-9_-]+$'.",
            param=where,
            code="invalid_value",
        )


def _check_parameters(name: str, schema: dict[str, Any], index: int, *, is_strict: bool) -> None:
    problem: tuple[Path, str] | None = None
    if schema.get("type") != "object":
        got = schema.get("type")
        problem = (), f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{got}\"'."
    problem = problem or find_schema_problem(schema, needs_items=True)
    if is_strict:
        problem = problem or find_strict_problem(schema, needs_required=True)
    if problem:
        path, text = problem
        raise WireError(
            400,
            f"Invalid schema for function '{name}': In context={path}, {text}",
            param=f"tools[{index}].function.parameters",
            code="invalid_function_parameters",
        )


def read_tool_choice(
    body: Mapping[str, Any], tools: tuple[ToolSchema, ...]
) -> tuple[ToolSchema | None, tuple[ToolSchema, ...]]:
    """The tool whose call is forced, if one is, and the tools that the model may choose from."""
    choice = body.get("tool_choice")
    for name in ("tool_choice", "parallel_tool_calls"):
        if body.get(name) is not None and not tools and body.get(name) != "none":
            raise WireError(
                400,
                f"Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified.",
                param=name,
            )
    if choice in (None, "auto", "required"):
        return None, tools
    if choice == "none":
        return None, ()
    check_shape(choice, ("tool_choice",), {"type": "string", "function": "object"})
    name = choice["function"].get("name")
    forced = next((tool for tool in tools if tool.name == name), None)
    if forced is None:
        raise WireError(
            400,
            f"Invalid value for 'tool_choice': function '{name}' not found in 'tools'.",
            param="tool_choice",
        )
    return forced, ()


def read_response_format(body: Mapping[str, Any]) -> JsonSchema | None:
    """Raises: WireError, ShapeError."""
    wanted = body.get("response_format")
    if wanted is None:
        return None
    check_shape(wanted, ("response_format",), {"type": "string"}, {"json_schema": "object"})
    if wanted["type"] == "text":
        return None
    if wanted["type"] == "json_object":
        _check_says_json(body["messages"])
        return JsonSchema("json_object", {"type": "object"})
    if wanted["type"] != "json_schema":
        raise WireError(
            400,
            f"Invalid value: '{wanted['type']}'. Supported values are: 'json_object', "
            "'json_schema', and 'text'.",
            param="response_format.type",
            code="invalid_value",
        )
    return _read_json_schema(wanted.get("json_schema") or {})


def _read_json_schema(given: dict[str, Any]) -> JsonSchema:
    optional: Shape = {"description": "string", "schema": "object", "strict": "boolean"}
    check_shape(given, ("response_format", "json_schema"), {"name": "string"}, optional)
    name, schema = given["name"], given.get("schema") or {"type": "object"}
    _check_name(name, "response_format.json_schema.name")
    problem = find_schema_problem(schema, needs_items=True)
    if given.get("strict"):
        problem = problem or find_strict_problem(schema, needs_required=True)
    if problem:
        raise WireError(
            400,
            f"Invalid schema for response_format '{name}': In context={problem[0]}, {problem[1]}",
            param="response_format",
        )
    return JsonSchema(name, schema)


def _check_says_json(messages: list[Any]) -> None:
    if not any("json" in str(message.get("content")).lower() for message in messages):
        raise WireError(
            400,
            "'messages' must contain the word 'json' in some form, to use 'response_format' of "
            "type 'json_object'.",
            param="messages",
        )


def _empty_array(where: str) -> WireError:
    return WireError(
        400,
        f"Invalid '{where}': empty array. Expected an array with minimum length 1, but got an "
        "empty array instead.",
        param=where,
        code="empty_array",
    )
