"""Tools, tool choice and the answer's format in a Responses request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.types import JsonSchema, ToolSchema

from ..api import load_api
from ..openai_chat.fields import refuse_value
from ..openai_chat.tools import (
    ANY_OBJECT,
    build_json_schema,
    check_name,
    check_parameters,
    check_unique,
)
from ..strict import Shape, check_shape

_API: Final = load_api("openai_responses")
_FUNCTION: Final = _API.shapes["function"]


def read_tools(tools: Sequence[Any] | None) -> tuple[ToolSchema, ...]:
    """Check a request's tools and parse them.

    Raises: WireError, ShapeError.
    """
    read = tuple(_read_tool(tool, index) for index, tool in enumerate(tools or ()))
    check_unique(read)
    return read


def _read_tool(value: Any, index: int) -> ToolSchema:
    kind = as_object(value).get("type")
    if kind != "function":
        raise _API.refuse("not_simulated", kind=kind, index=index)
    tool = check_shape(value, ("tools", index), {"type": "string", "name": "string"}, _FUNCTION)
    check_name(tool["name"], f"tools[{index}].name")
    parameters = tool.get("parameters") or ANY_OBJECT
    where = f"tools[{index}].parameters"
    # Without `strict` the API makes the schema strict by itself; only `true` is checked.
    check_parameters(tool["name"], parameters, where, is_strict=tool.get("strict") is True)
    return ToolSchema(tool["name"], tool.get("description") or "", parameters)


def read_tool_choice(
    body: Mapping[str, Any], tools: tuple[ToolSchema, ...]
) -> tuple[ToolSchema | None, tuple[ToolSchema, ...]]:
    """Read which tool must be called, and which tools the model may call.

    Returns (a tool or None, the tools to choose from).
    """
    choice = body.get("tool_choice")
    if choice is not None and choice not in ("none", "auto") and not tools:
        raise _API.refuse("choice_needs_tool")
    if choice in (None, "auto", "required"):
        return None, tools
    if choice == "none":
        return None, ()
    check_shape(choice, ("tool_choice",), {"type": "string", "name": "string"})
    forced = next((tool for tool in tools if tool.name == choice["name"]), None)
    if forced is None:
        raise _API.refuse("tool_choice_not_found", name=choice["name"])
    return forced, ()


def read_format(body: Mapping[str, Any]) -> JsonSchema | None:
    """Return the JSON format that `text.format` requests, or None.

    Raises: WireError.
    """
    allowed: Shape = {"format": "object", "verbosity": "string"}
    text = check_shape(body.get("text") or {}, ("text",), {}, allowed)
    wanted: dict[str, Any] = as_object(text.get("format")) or {"type": "text"}
    optional = _API.shapes["format"]
    check_shape(wanted, ("text", "format"), {"type": "string"}, optional)
    if wanted["type"] == "text":
        return None
    if wanted["type"] == "json_object":
        # Only the input counts; what the instructions say does not.
        if "json" not in str(body.get("input")).lower():
            raise _API.refuse("input_without_json")
        return JsonSchema("json_object", {"type": "object"})
    if wanted["type"] != "json_schema":
        raise refuse_value(wanted["type"], _API.lists["formats"], "text.format.type")
    check_shape(
        wanted,
        ("text", "format"),
        {"type": "string", "name": "string", "schema": "object"},
        optional,
    )
    return build_json_schema(wanted, "text.format.schema", "text.format.name")
