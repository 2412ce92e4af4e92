"""Reads values of unknown type from third-party JSON as objects or lists."""

from __future__ import annotations

from typing import Any, cast


def as_object(value: Any) -> dict[str, Any]:
    """Return the value if it is a dict, else {}."""
    known: Any = value  # not `cast`: a call that a turn makes 20 times
    return known if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return the value if it is a list, else []."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def list_objects(value: Any) -> list[dict[str, Any]]:
    """List the objects of a list, leaving out its other items."""
    return [cast("dict[str, Any]", item) for item in as_list(value) if isinstance(item, dict)]


def to_list(value: Any) -> list[Any]:
    """Return the value if it is a list, else a list with it as only item."""
    return cast("list[Any]", value) if isinstance(value, list) else [value]
