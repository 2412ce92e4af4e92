"""Combines rarely used tools into one, which lists them by a line or only by name.

A request has the lines, everything else has the tools: the model's call of `more_tools` is read as
the call that it means before anybody sees it, and checked against that tool's own schema. A worker
with many tools has `find_tools`, whose description lists the names, and whose results have the
schemas. What a request declares therefore never changes when a tool is found, and caches keep it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ...types import FunctionCall, LLMResponse, MessagePart, ToolSchema
from ..text.foreign_json import as_list, as_object
from ..text.json_text import parse_arguments
from ..tokens.estimate import estimate_json_tokens, estimate_tokens

MORE: Final = "more_tools"
FIND: Final = "find_tools"
_NAMES: Final = "Find tools, with their arguments, by what they do or by name:\n"
_CALL: Final = f"Call a tool that {FIND} returned."
_HEAD: Final = "More tools (`?`: optional; text, if no type is told):"
_PARAMETERS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
}
_SHORT: Final = {"string": "", "integer": "int", "number": "number", "boolean": "bool"}
_FULL: Final = {short: full for full, short in _SHORT.items()}
_BOUNDS: Final = {"minimum", "maximum"}
_UNSAYABLE: Final = re.compile(r'[()\n]|, |: |"[^"]*"."')
_LINE: Final = re.compile(r"(\w+)\(([^()]*)\): (.+)")


def bundle_rare(tools: tuple[ToolSchema, ...], rare: Collection[str]) -> tuple[ToolSchema, ...]:
    """Combine the rarely used tools into one, `more_tools`, if that saves tokens.
    Where `find_tools` is among the tools, it lists their names; else `more_tools` has a line each.
    """
    whole, hidden = tuple(tool for tool in tools if tool.name != FIND), frozenset(rare)
    if len(whole) < len(tools):
        names = ", ".join(tool.name for tool in whole if tool.name in hidden)
        plain = [tool for tool in tools if tool.name not in hidden]
        plain = [replace(t, description=_NAMES + names) if t.name == FIND else t for t in plain]
        text = _CALL
    else:
        rarely = (tool for tool in tools if tool.name in hidden)
        lines = {tool.name: line for tool in rarely if (line := _write(tool))}
        plain = [tool for tool in tools if tool.name not in lines]
        text = "\n".join((_HEAD, *lines.values()))
    bundled = (*plain, ToolSchema(MORE, text, _PARAMETERS))
    # Few or small tools take fewer tokens as they are
    # (tests/machine/test_rare_tools.py::test_few_or_small_tools_are_not_bundled).
    is_less = sum(map(estimate_schema, bundled)) < sum(map(estimate_schema, whole))
    return bundled if is_less else whole


def unbundle_tools(tools: Sequence[ToolSchema]) -> tuple[ToolSchema, ...]:
    """Expand `more_tools` into the tools that it stands for.

    >>> shape = {name: {"type": "string"} for name in ("name", "place", "day", "note")}
    >>> shape = {"properties": {"id": {"type": "integer"}, **shape}}
    >>> tools = tuple(ToolSchema(f"save_{n}", "Keeps it.", shape) for n in range(4))
    >>> more = bundle_rare(tools, ("save_1", "save_2", "save_3"))
    >>> [item.name for item in more], [item.name for item in unbundle_tools(more)]
    (['save_0', 'more_tools'], ['save_0', 'save_1', 'save_2', 'save_3'])
    """
    lines = [line for tool in tools if tool.name == MORE for line in tool.description.split("\n")]
    rest = [tool for tool in tools if tool.name != MORE]
    return (*rest, *(_read(match) for line in lines if (match := _LINE.fullmatch(line))))


def list_findable(tools: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """List the tools that `find_tools` can return, or () if that tool is not declared."""
    text = next((tool["description"] for tool in tools if tool["name"] == FIND), "")
    return tuple(text.removeprefix(_NAMES).split(", ")) if text.startswith(_NAMES) else ()


def unwrap_calls(response: LLMResponse) -> LLMResponse:
    """Convert the answer's calls of `more_tools` to calls of the tools that it names."""
    if all(call["name"] != MORE for call in response.tool_calls):
        return response
    parts = [_unwrap(p) if p["type"] == "tool_call" else p for p in response.message["parts"]]
    return replace(response, message={**response.message, "parts": parts})


def wrap_call(name: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Convert a call of a bundled tool to the equivalent call of `more_tools`."""
    return MORE, {"name": name, "arguments": arguments}


def _unwrap(call: FunctionCall) -> MessagePart:
    """Replace a call of `more_tools` by the one it holds; an unreadable one stays for the model."""
    meant = call["arguments"]
    name, wrapped = meant.get("name"), meant.get("arguments", {})
    # Models that write one object into another often write it as text.
    arguments = parse_arguments(wrapped) if isinstance(wrapped, str) else wrapped
    if call["name"] != MORE or not isinstance(name, str) or not isinstance(arguments, dict):
        return call
    return {**call, "name": name, "arguments": as_object(arguments)}


def estimate_schema(tool: ToolSchema) -> int:
    """Estimate the tokens that a tool's name, description and parameters take in a request."""
    return estimate_tokens(tool.name + tool.description) + estimate_json_tokens(tool.parameters)


def _write(tool: ToolSchema) -> str | None:
    """Write a tool as one line; None if its arguments or description do not fit in one."""
    required = as_list(tool.parameters.get("required"))
    listed: list[str] = []
    for name, schema in as_object(tool.parameters.get("properties")).items():
        kind = _name_type(as_object(schema))
        if kind is None:
            return None
        listed.append(f"{name}{'' if name in required else '?'}{kind and f': {kind}'}")
    line = f"{tool.name}({', '.join(listed)}): {' '.join(tool.description.split())}"
    return line if _LINE.fullmatch(line) else None


def _name_type(schema: dict[str, Any]) -> str | None:
    """Write a parameter's type with bounds and description; None if a line cannot express it."""
    rest = set(schema) - {"type", "description"}
    description = f' "{schema["description"]}"' if "description" in schema else ""
    if schema.get("type") not in _SHORT or _UNSAYABLE.search(description):
        return None
    if rest == {"enum"}:
        return "|".join(map(str, as_list(schema["enum"]))) + description
    bounds = f" {schema['minimum']}..{schema['maximum']}" if rest == _BOUNDS else ""
    return _SHORT[schema["type"]] + bounds + description if rest in (set[str](), _BOUNDS) else None


def _read(match: re.Match[str]) -> ToolSchema:
    name, listed, description = match.groups()
    properties: dict[str, Any] = {}
    required: list[str] = []
    for argument in filter(None, listed.split(", ")):
        key, _, rest = argument.partition(": ")
        kind, _, description_part = rest.partition(' "')
        short, _, bounds = kind.partition(" ")
        properties[key.rstrip("?")] = shape = dict[str, Any](
            {"type": _FULL[short]} if short in _FULL else {"type": "string"}
        )
        if short not in _FULL:
            shape["enum"] = short.split("|")
        if bounds:
            shape |= dict(zip(("minimum", "maximum"), map(int, bounds.split("..")), strict=True))
        if description_part:
            shape["description"] = description_part.rstrip('"')
        if not key.endswith("?"):
            required.append(key)
    whole = {"type": "object", "properties": properties}
    return ToolSchema(name, description, {**whole, "required": required} if required else whole)
