"""Tools of imported conversations, as a file or the conversations themselves declare them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from plainloop.agent.core.history import to_valid_name
from plainloop.agent.core.tools import Tool, ToolContext
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop.agent.store.records import Effect


@dataclass(frozen=True, slots=True)
class ToolShape:
    """A tool as its schema says. effect: `external` unless the file says otherwise."""

    name: str
    description: str
    parameters: dict[str, Any]
    effect: Effect = "external"


def make_closed_tool(shape: ToolShape, source: Literal["local", "mcp"] = "local") -> Tool:
    """Make a tool that only declares its schema, and raises when it is called."""

    async def refuse(tool: ToolContext, /, **_: Any) -> Any:
        raise RuntimeError(
            f"the tool {shape.name} cannot run in a replay, which knows only its schema"
        )

    return Tool(
        *(shape.name, shape.description, shape.effect, refuse),
        parameters=shape.parameters,
        source=source,
    )


class _Function(msgspec.Struct):
    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    effect: Effect = "external"


class _Entry(msgspec.Struct):
    function: _Function | None = None
    effect: Effect | None = None


def read_tool_file(content: bytes) -> tuple[ToolShape, ...]:
    """Read tools from a JSON file in OpenAI's form.

    `[{"type": "function", "function": {"name", …}}]`, each with an optional `"effect": "read" |
    "write" | "external"`.

    Raises: InputError.
    """
    try:
        shapes = convert_tools(msgspec.json.decode(content))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        hint = (
            "Write a list like "
            '[{"type": "function", "function": {"name": …, "parameters": {JSON Schema}}}].'
        )
        raise InputError(f"the tools file cannot be read: {error}", hint=hint) from error
    return tuple(sorted(shapes, key=lambda shape: shape.name))


def convert_tools(given: Any) -> list[ToolShape]:
    """Convert OpenAI's tools to ToolShapes.

    None gives []. The older form `functions` is accepted too. What a provider runs itself
    (`{"type": "web_search"}`) is no tool of ours.

    Raises: msgspec.ValidationError.
    """
    shapes: list[ToolShape] = []
    for item in msgspec.convert(given or [], list[dict[str, Any]]):
        if "function" in item or "name" in item or "type" not in item:
            entry = msgspec.convert(item, _Entry)
            function = entry.function or msgspec.convert(item, _Function)
            shapes.append(
                ToolShape(
                    to_valid_name(function.name),
                    function.description or "",
                    function.parameters or {"type": "object", "properties": {}},
                    entry.effect or function.effect,
                )
            )
    return shapes
