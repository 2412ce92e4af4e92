"""Foreign JSON, taken for what it is."""

from __future__ import annotations

from typing import Any, cast


def as_object(value: Any) -> dict[str, Any]:
    """The object, or an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """The list, or an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def list_objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; what else stands in it is left out."""
    return [cast("dict[str, Any]", item) for item in as_list(value) if isinstance(item, dict)]


def to_list(value: Any) -> list[Any]:
    """A list as it is, anything else as its one item."""
    return cast("list[Any]", value) if isinstance(value, list) else [value]
