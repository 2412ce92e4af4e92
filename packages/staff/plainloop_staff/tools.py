"""The tools of the staff interview: with the one that finds documents all that its agent can
reach.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from plainloop.agent.core.tools import ToolContext, ToolOutcome, tool
from plainloop_retrieval.knowledge import Knowledge

from .export import export_fields
from .fields import (
    FIELD_NAMES,
    REQUIRED,
    GivenValue,
    InvalidValue,
    get_field,
    list_missing_fields,
    parse_field,
)

COMMENTS = "comments"  # remarks that came with a value, by field
DOCUMENTS = Knowledge(
    "staff_onboarding",
    tool_name="rag_search",
    description="Search the company's documents. Name the document in your answer.",
)

FieldName = Annotated[str, Meta(description=f"one of: {', '.join(FIELD_NAMES)}")]


@tool("read", is_fixed=True)
async def read_data(tool: ToolContext, field_names: list[FieldName] | None = None) -> Any:
    """What is recorded so far; null means not yet. Without names: all fields."""
    unknown = [name for name in field_names or () if name not in FIELD_NAMES]
    if unknown:
        return _refuse_unknown(unknown[0])
    values = {name: tool.data.get(name) for name in field_names or FIELD_NAMES}
    return {"status": "success", **values}


# `read`: it changes the state alone, which is recorded with the step; so it may run again.
@tool("read", is_fixed=True)
async def write_data(
    tool: ToolContext, field_name: FieldName, value: GivenValue, comments: str | None = None
) -> Any:
    """Record one field. comments: what the value alone does not say."""
    item = get_field(field_name)
    if item is None:
        return {"field_name": field_name, **_refuse_unknown(field_name)}
    said: dict[str, Any] = {"field_name": field_name, "value": value}
    try:
        recorded = parse_field(item, value)
    except InvalidValue as error:
        choices = {"valid_values": list(item.choices)} if item.choices else {}
        return {**said, "status": "error", "message": str(error), **choices}
    data: dict[str, Any] = {field_name: recorded}
    if comments and comments.strip():
        data[COMMENTS] = {**(tool.data.get(COMMENTS) or {}), field_name: comments.strip()}
    result = {**said, "value": recorded, "status": "success", "message": "Data recorded"}
    return ToolOutcome(result, data=data)


# Keyed: a conversation has one file, which is replaced as a whole, so that it may be made again.
@tool("external", is_keyed=True)
async def export_data(tool: ToolContext, confirmation_message: str | None = None) -> Any:
    """Finish: summarise and export what was recorded, once the colleague has confirmed it."""
    missing = list_missing_fields(tool.data, REQUIRED)
    if missing:
        return {
            "status": "error",
            "message": "Cannot export: missing required fields",
            "missing_fields": missing,
            "required_fields": list(REQUIRED),
        }
    return await export_fields(tool, confirmation_message)


def _refuse_unknown(name: str) -> dict[str, Any]:
    message = f"Unknown field '{name}'"
    return {"status": "error", "message": message, "valid_fields": list(FIELD_NAMES)}
