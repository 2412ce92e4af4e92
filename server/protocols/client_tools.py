"""Tools that a client brings with its request: the model may call them, the client answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import orjson

from ...agent.base.text.cleaning import clean_json
from ...agent.errors import InputError
from ...agent.service.service import Service
from ...agent.types import ToolSchema
from ..http.reading import decode_json

_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def read_client_tools(service: Service, tools: Sequence[Mapping[str, Any]]) -> list[ToolSchema]:
    """Parse the tools that a client offers, each as {name, description?, parameters?}.

    Anthropic calls the last `input_schema`. A name of a tool of ours is refused: the client could
    not tell whose call it is.

    Raises: InputError.
    """
    limits = service.settings.limits
    max_tools, max_bytes = limits.client_tools, limits.client_tools_bytes
    # Part of every prompt of the run: 60 kB are about 15,000 tokens, each turn.
    if len(tools) > max_tools or len(orjson.dumps(tools)) > max_bytes:
        hint = "AGENT_LIMITS_CLIENT_TOOLS and AGENT_LIMITS_CLIENT_TOOLS_BYTES raise the limits."
        reason = f"at most {max_tools} tools with {max_bytes:,} bytes in total are allowed"
        raise InputError(reason, hint=hint)
    ours = service.get_registry(service.pack)
    schemas: list[ToolSchema] = []
    for item in tools:
        name, described = item.get("name"), item.get("description") or ""
        parameters: Any = item.get("parameters") or item.get("input_schema") or {}
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            shown_name = str(name)[:80]
            raise InputError(
                f"{shown_name!r} is not a valid tool name: use up to 64 characters "
                "from a-z, A-Z, 0-9, _ and -"
            )
        if ours.get(name) is not None or any(known.name == name for known in schemas):
            raise InputError(f"a tool named {name!r} already exists", hint="Rename the tool.")
        if not isinstance(described, str) or not isinstance(parameters, dict):
            raise InputError(
                f"the tool {name!r} needs a string as `description` and an object as `parameters`"
            )
        whole = complete_parameters(name, clean_json(parameters))
        schemas.append(ToolSchema(name, clean_json(described), whole))
    return schemas


def complete_parameters(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Add the `type` and `properties` that vendors require to a tool's parameters.
    Programs leave them out of tools without arguments.

    >>> complete_parameters("look", {})
    {'type': 'object', 'properties': {}}

    Raises: InputError for a schema of anything but an object.
    """
    kind: Any = parameters.get("type") or "object"
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        raise InputError(
            f"the `parameters` of the tool {name!r} must describe an object",
            hint='Set `"type": "object"` in its `parameters`.',
        )
    # OpenAI answers 400 without `properties`, Anthropic without `type`.
    return {**parameters, "type": "object", "properties": parameters.get("properties") or {}}


def make_answer(content: Any, *, is_error: bool = False) -> dict[str, Any]:
    """Build the stored result of a client's tool call; JSON text is parsed.

    >>> make_answer('{"place": "Oslo"}'), make_answer("12 degrees", is_error=True)
    ({'result': {'place': 'Oslo'}, 'is_error': False}, {'result': '12 degrees', 'is_error': True})
    """
    result = content
    if isinstance(content, str) and content.lstrip()[:1] in ("{", "["):
        # Within the limits of a body: JSON in a string is nested as deep as its client likes, and
        # what is too deep to be encoded again stays a text
        # (test_a_client_tools_deeply_nested_result_stays_text).
        with suppress(ValueError, RecursionError):
            result = decode_json(content.encode())
    return {"result": clean_json(result), "is_error": is_error}
