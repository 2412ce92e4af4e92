"""Foreign JSON, taken for what it is."""

from __future__ import annotations

from typing import Any, cast


def as_object(value: Any) -> dict[str, Any]:
    """Return a dict as it is, and {} for anything else."""
    known: Any = value  # not `cast`: a call that a turn makes 20 times
    return known if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, and [] for anything else."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def list_objects(value: Any) -> list[dict[str, Any]]:
    """List the objects of a list, leaving out its other items."""
    return [cast("dict[str, Any]", item) for item in as_list(value) if isinstance(item, dict)]


def to_list(value: Any) -> list[Any]:
    """Return a list as it is, and anything else as the only item of a list."""
    return cast("list[Any]", value) if isinstance(value, list) else [value]
