"""Tools, tool choice and response format of a Chat Completions request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.types import JsonSchema, ToolSchema

from ..api import WireError, load_api
from ..strict import (
    TOOL_NAME,
    Path,
    check_shape,
    find_duplicate,
    find_schema_problem,
    find_strict_problem,
)
from .fields import refuse_value

_API: Final = load_api("openai_chat")

_MAX_NAME_CHARS: Final = 64
_FUNCTION_OPTIONAL: Final = _API.shapes["function_optional"]
ANY_OBJECT: Final[dict[str, Any]] = {"type": "object", "properties": {}}


def read_tools(tools: list[Any] | None) -> tuple[ToolSchema, ...]:
    """Check a request's tools and parse them.

    Raises: WireError, ShapeError.
    """
    if tools is None:
        return ()
    if not tools:
        raise _API.refuse("empty_array", where="tools")
    read = tuple(_read_tool(tool, index) for index, tool in enumerate(tools))
    check_unique(read)
    return read


def check_unique(tools: Sequence[ToolSchema]) -> None:
    """Check that no two tools have the same name.

    Raises: WireError.
    """
    twice = find_duplicate([tool.name for tool in tools])
    if twice:
        raise WireError(400, f"Invalid 'tools': duplicate function name '{twice}'.", param="tools")


def _read_tool(value: Any, index: int) -> ToolSchema:
    tool = check_shape(value, ("tools", index), {"type": "string", "function": "object"})
    if tool["type"] != "function":
        raise refuse_value(tool["type"], ("function",), f"tools[{index}].type")
    path = ("tools", index, "function")
    function = check_shape(tool["function"], path, {"name": "string"}, _FUNCTION_OPTIONAL)
    check_name(function["name"], f"tools[{index}].function.name")
    parameters = function.get("parameters") or ANY_OBJECT
    check_parameters(
        function["name"],
        parameters,
        f"tools[{index}].function.parameters",
        is_strict=bool(function.get("strict")),
    )
    return ToolSchema(function["name"], function.get("description") or "", parameters)


def check_name(name: str, where: str) -> None:
    """Check length and characters of a function's name.

    Raises: WireError.
    """
    if len(name) > _MAX_NAME_CHARS:
        raise _API.refuse(
            "too_long_string", where=where, max_chars=_MAX_NAME_CHARS, length=len(name)
        )
    if not TOOL_NAME.fullmatch(name):
        raise _API.refuse("name_pattern", where=where)


def check_parameters(name: str, schema: dict[str, Any], where: str, *, is_strict: bool) -> None:
    """Check that a tool's parameters are a (possibly strict) JSON Schema.

    Raises: WireError.
    """
    problem: tuple[Path, str] | None = None
    if schema.get("type") != "object":
        got = schema.get("type")
        problem = (), f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{got}\"'."
    problem = problem or find_schema_problem(schema, needs_items=True)
    if is_strict:
        problem = problem or find_strict_problem(schema, needs_required=True)
    if problem:
        path, text = problem
        raise _API.refuse("invalid_function", name=name, path=path, text=text, where=where)


def read_tool_choice(
    body: Mapping[str, Any], tools: tuple[ToolSchema, ...]
) -> tuple[ToolSchema | None, tuple[ToolSchema, ...]]:
    """Read which tool must be called, and which tools the model may call.

    Returns (a tool or None, the tools to choose from).
    """
    choice = body.get("tool_choice")
    for name in ("tool_choice", "parallel_tool_calls"):
        if body.get(name) is not None and not tools and body.get(name) != "none":
            raise _API.refuse("only_with_tools", name=name)
    if choice in (None, "auto", "required"):
        return None, tools
    if choice == "none":
        return None, ()
    check_shape(choice, ("tool_choice",), {"type": "string", "function": "object"})
    name = choice["function"].get("name")
    forced = next((tool for tool in tools if tool.name == name), None)
    if forced is None:
        raise _API.refuse("choice_not_found", name=name)
    return forced, ()


def read_response_format(body: Mapping[str, Any]) -> JsonSchema | None:
    """Return the JSON format that a request demands, or None for text.

    Raises: WireError, ShapeError.
    """
    wanted = body.get("response_format")
    if wanted is None:
        return None
    check_shape(wanted, ("response_format",), {"type": "string"}, {"json_schema": "object"})
    if wanted["type"] == "text":
        return None
    if wanted["type"] == "json_object":
        if not any("json" in str(message.get("content")).lower() for message in body["messages"]):
            raise _API.refuse("format_without_json")
        return JsonSchema("json_object", {"type": "object"})
    if wanted["type"] != "json_schema":
        raise refuse_value(wanted["type"], _API.lists["formats"], "response_format.type")
    given = as_object(wanted.get("json_schema"))
    path = ("response_format", "json_schema")
    check_shape(given, path, {"name": "string"}, _API.shapes["json_schema"])
    return build_json_schema(given, "response_format", "response_format.json_schema.name")


def build_json_schema(given: Mapping[str, Any], where: str, name_where: str) -> JsonSchema:
    """Check the JSON format that a request demands, and return it.

    Raises: WireError for its name or schema.
    """
    name, schema = given["name"], given.get("schema") or {"type": "object"}
    check_name(name, name_where)
    problem = find_schema_problem(schema, needs_items=True)
    if given.get("strict"):
        problem = problem or find_strict_problem(schema, needs_required=True)
    if problem:
        raise _API.refuse(
            "invalid_format", name=name, path=problem[0], text=problem[1], where=where
        )
    return JsonSchema(name, schema)
