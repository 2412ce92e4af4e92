"""Function declarations and the tool mode of a generateContent request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from plainloop.agent.types import ToolSchema

from ..api import WireError, load_api
from ..strict import Path, find_duplicate, find_schema_problem, format_path
from .fields import DECLARATION, SCHEMA, TOOL, TOOL_NAME, read_fields

_API: Final = load_api("gemini")


def read_tools(tools: Sequence[Any]) -> tuple[ToolSchema, ...]:
    """Parse the functions that a request declares.

    Google's own tools are ignored. Raises: WireError.
    """
    read: list[ToolSchema] = []
    for i, value in enumerate(tools):
        tool = read_fields(value, ("tools", i), TOOL)
        for j, declared in enumerate(tool.get("functionDeclarations", [])):
            read.append(_read_declaration(declared, ("tools", i, "function_declarations", j)))
    twice = find_duplicate([tool.name for tool in read])
    if twice:
        raise WireError(400, f"Duplicate function declaration found: {twice}")
    return tuple(read)


def check_search(body: dict[str, Any], *, may_combine: bool) -> None:
    """Check that a model may use Google's search together with functions.

    Raises: WireError. Refused where the model cannot combine them, or the request does not include
    the searches in the answer.
    """
    tools: list[Any] = body.get("tools") or []
    config: dict[str, Any] = body.get("toolConfig") or {}
    kinds = ("googleSearch", "google_search"), ("functionDeclarations", "function_declarations")
    if not all(any(name in tool for tool in tools for name in names) for names in kinds):
        return
    if not may_combine:
        raise WireError(400, "Tool use with function calling is unsupported")
    if not config.get("includeServerSideToolInvocations"):
        raise WireError(
            400,
            "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools "
            "with Function calling.",
        )


def read_calling(
    value: Any, tools: tuple[ToolSchema, ...]
) -> tuple[tuple[ToolSchema, ...], tuple[ToolSchema, ...]]:
    """Read which tools may be called, and of which at least one must be.

    Returns (tools that may be called, tools of which one must be called or ()). Raises: ShapeError,
    WireError.
    """
    config = read_fields(value or {}, ("tool_config",), _API.shapes["tool_config"])
    calling = read_fields(
        config.get("functionCallingConfig") or {},
        ("tool_config", "function_calling_config"),
        _API.shapes["calling"],
    )
    mode = calling.get("mode", "AUTO").upper()
    if mode not in _API.lists["modes"]:
        raise WireError(400, f"Invalid value at 'tool_config.function_calling_config.mode': {mode}")
    names = calling.get("allowedFunctionNames") or [tool.name for tool in tools]
    allowed = tuple(tool for tool in tools if tool.name in names)
    # Source: ai.google.dev, gemini-api/docs/function-calling, "Function calling modes".
    return (() if mode == "NONE" else allowed), (allowed if mode == "ANY" else ())


def check_openapi(schema: Any, path: Path) -> dict[str, Any]:
    """Convert an OpenAPI schema to JSON Schema.

    Raises: ShapeError for unknown keywords.
    """
    read = read_fields(schema, path, SCHEMA)
    if "type" in read:
        read["type"] = read["type"].lower()
    if "properties" in read:
        read["properties"] = {
            name: check_openapi(child, (*path, "properties", name))
            for name, child in read["properties"].items()
        }
    if "items" in read:
        read["items"] = check_openapi(read["items"], (*path, "items"))
    if "anyOf" in read:
        read["anyOf"] = [
            check_openapi(child, (*path, "any_of", i)) for i, child in enumerate(read["anyOf"])
        ]
    return read


def _read_declaration(value: Any, path: Path) -> ToolSchema:
    declared = read_fields(value, path, DECLARATION)
    where = f"GenerateContentRequest.{format_path(path)}"
    name = declared.get("name", "")
    if not TOOL_NAME.fullmatch(name):
        raise _API.refuse("function_name", where=where)
    if "parameters" in declared and "parametersJsonSchema" in declared:
        raise _API.refuse("two_parameters", where=where)
    schema = declared.get("parametersJsonSchema", {"type": "object", "properties": {}})
    if "parameters" in declared:
        schema = check_openapi(declared["parameters"], (*path, "parameters"))
    problem = find_schema_problem(schema, needs_items=True)
    if problem:
        inner = "".join(f"[{step}]" for step in problem[0])
        raise WireError(400, f"* {where}.parameters{inner}: {problem[1]}")
    return ToolSchema(name, declared.get("description", ""), schema)
