"""Structured results are checked against the schema that their tool promised, and nothing more."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.config.mcp import McpServer
from plainloop.agent.mcp.listing import build_listing
from plainloop.agent.mcp.results import to_outcome
from plainloop.agent.mcp.wire import ServerError

SERVER = McpServer("tickets", command="any", tools=("search",))


def check(field: str, schema: Any, value: Any) -> Any:
    output = {"type": "object", "properties": {field: schema}, "additionalProperties": False}
    tool = {"name": "search", "inputSchema": output, "outputSchema": output}
    (definition,) = build_listing(SERVER, [tool]).definitions
    result = {"content": [], "structuredContent": {field: value}}
    return to_outcome("tickets", definition, result).result


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        {"oneOf": [{"type": "null"}, {"type": "string"}]},
        {"type": ["integer", "null"]},
        {"enum": ["open", None]},
        {"const": None},
        {"type": "null"},
    ],
    ids=str,
)
def test_a_structured_result_may_contain_the_nulls_that_its_schema_allows(schema: dict[str, Any]):
    assert check("owner", schema, None)["result"] == {"owner": None}


def test_a_structured_result_may_have_any_property_name_of_its_schema():
    # Models could not take it as an argument; here no model writes it.
    assert check("due date", {"type": "string"}, "today")["result"] == {"due date": "today"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [({"type": "string"}, None), ({"type": ["integer", "null"]}, "7"), ({"enum": ["open"]}, None)],
    ids=str,
)
def test_a_structured_result_of_another_shape_fails_its_call(schema: dict[str, Any], value: Any):
    with pytest.raises(ServerError, match="does not match the tool's output schema at owner"):
        check("owner", schema, value)


def test_models_are_shown_no_null_in_a_tools_parameters():
    nullable = {"type": "object", "properties": {"owner": {"type": ["string", "null"]}}}
    tool = {"name": "search", "inputSchema": nullable}
    (definition,) = build_listing(SERVER, [tool]).definitions

    assert definition.parameters["properties"] == {"owner": {"type": "string"}}
