"""Tools, tool choice and response format of a Chat Completions request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ....types import JsonSchema, ToolSchema
from ..call import WireError
from ..strict import (
    TOOL_NAME,
    Path,
    Shape,
    as_object,
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
        raise build_empty_array("tools")
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
    check_name(function["name"], f"tools[{index}].function.name")
    parameters = function.get("parameters") or _ANY_OBJECT
    check_parameters(
        function["name"],
        parameters,
        f"tools[{index}].function.parameters",
        is_strict=bool(function.get("strict")),
    )
    return ToolSchema(function["name"], function.get("description") or "", parameters)


def check_name(name: str, where: str) -> None:
    """Raises: WireError for a name that no function may have."""
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


def check_parameters(name: str, schema: dict[str, Any], where: str, *, is_strict: bool) -> None:
    """Raises: WireError when the schema is none, or not as strict mode wants it."""
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
            param=where,
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
    given = as_object(wanted.get("json_schema"))
    optional: Shape = {"description": "string", "schema": "object", "strict": "boolean"}
    check_shape(given, ("response_format", "json_schema"), {"name": "string"}, optional)
    return build_json_schema(given, "response_format", "response_format.json_schema.name")


def build_json_schema(given: Mapping[str, Any], where: str, name_where: str) -> JsonSchema:
    """The wanted shape of an answer. Raises: WireError when name or schema is not allowed."""
    name, schema = given["name"], given.get("schema") or {"type": "object"}
    check_name(name, name_where)
    problem = find_schema_problem(schema, needs_items=True)
    if given.get("strict"):
        problem = problem or find_strict_problem(schema, needs_required=True)
    if problem:
        raise WireError(
            400,
            f"Invalid schema for response_format '{name}': In context={problem[0]}, {problem[1]}",
            param=where,
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


def build_empty_array(where: str) -> WireError:
    """What an empty list is answered with."""
    return WireError(
        400,
        f"Invalid '{where}': empty array. Expected an array with minimum length 1, but got an "
        "empty array instead.",
        param=where,
        code="empty_array",
    )
