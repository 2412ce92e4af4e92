"""The JSON Schema of an object as strict JSON modes want it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def make_object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """All of these properties, and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
