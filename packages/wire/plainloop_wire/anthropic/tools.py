"""Tools, tool choice and output schema of a Messages request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.types import JsonSchema, ToolSchema

from ..api import WireError, load_api
from ..strict import (
    TOOL_NAME,
    Shape,
    check_shape,
    find_duplicate,
    find_keywords,
    find_schema_problem,
    find_strict_problem,
)

_API: Final = load_api("anthropic")


def read_tools(tools: list[Any]) -> tuple[ToolSchema, ...]:
    read = tuple(_read_tool(tool, index) for index, tool in enumerate(tools))
    if find_duplicate([tool.name for tool in read]):
        raise WireError(400, "tools: Tool names must be unique.")
    return read


def _read_tool(value: Any, index: int) -> ToolSchema:
    path = ("tools", index, "custom")
    required: Shape = {"name": "string", "input_schema": "object"}
    tool = check_shape(value, path, required, _API.shapes["tool_optional"])
    where = f"tools.{index}.custom"
    if not TOOL_NAME.fullmatch(tool["name"]):
        pattern = "^[a-zA-Z0-9_-]{1,64}$"
        raise WireError(400, f"{where}.name: String should match pattern '{pattern}'")
    if tool.get("type") not in (None, "custom"):
        raise WireError(400, f"{where}.type: this test server does not simulate server tools")
    schema = tool["input_schema"]
    if "type" not in schema:
        raise WireError(400, f"{where}.input_schema.type: Field required")
    if any(key in schema for key in ("oneOf", "anyOf", "allOf")):
        raise _API.refuse("top_level_union", where=where)
    if schema["type"] != "object" or find_schema_problem(schema):
        raise _API.refuse("invalid_tool_schema", where=where)
    return ToolSchema(tool["name"], tool.get("description") or "", schema)


def read_tool_choice(
    body: Mapping[str, Any], tools: tuple[ToolSchema, ...]
) -> tuple[ToolSchema | None, tuple[ToolSchema, ...]]:
    """Read which tool must be called, and which tools the model may call.

    Returns (a tool or None, the tools to choose from).
    """
    choice = body.get("tool_choice")
    if not choice:
        return None, tools
    check_shape(choice, ("tool_choice",), {"type": "string"}, _API.shapes["tool_choice"])
    kind = choice["type"]
    if kind not in ("auto", "any", "tool", "none"):
        raise _API.refuse("unknown_tool_choice", kind=kind)
    if not tools and kind != "none":
        raise WireError(400, "tool_choice may only be specified while providing tools.")
    if kind != "tool":
        return None, () if kind == "none" else tools
    forced = next((tool for tool in tools if tool.name == choice.get("name")), None)
    if forced is None:
        raise WireError(400, f"Tool '{choice.get('name')}' not found in provided tools")
    return forced, ()


def read_output_schema(config: dict[str, Any]) -> JsonSchema | None:
    check_shape(config, ("output_config",), {}, _API.shapes["output_config"])
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
        raise _API.refuse("open_object", where=where)
    found = find_keywords(schema, _API.lists["not_in_output"])
    if found:
        kind, used = found
        names = ", ".join(used)
        raise WireError(400, f"{where}: For '{kind}' type, properties {names} are not supported")
    return JsonSchema(str(schema.get("title", "output")), schema)
