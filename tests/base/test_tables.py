"""Lists as tables: shorter, and nothing of a tool's result is lost on its way to a model."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.base.text.tables import compact_json, compact_value, from_tables, to_tables
from plainloop.agent.providers.http.bodies import to_result_text

ROOMS = [{"room": n, "usd": 80.5, "view": {"side": "sea", "floor": n % 3}} for n in range(5)]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "columns", "rows"]), inner, max_size=2)
        | st.lists(st.fixed_dictionaries({"a long name": inner, "another one": inner}), max_size=5)
    ),
)


@given(JSON)
def test_a_compacted_table_can_be_expanded_again(value: Any) -> None:
    table = to_tables(value)
    assert table == value or from_tables(table) == value


@given(JSON)
def test_compacted_tool_results_are_never_longer_and_expand_to_the_same(value: Any) -> None:
    plain = orjson.dumps(value).decode()
    text = compact_json(plain)
    assert len(text) <= len(plain)
    assert text == plain or from_tables(orjson.loads(text)) == orjson.loads(plain)


def test_tool_results_reach_every_provider_as_tables() -> None:
    text = to_result_text({"rooms": ROOMS, "total": 5})
    assert text.startswith('{"rooms":{"columns":["room","usd","view"],"rows":[[0,80.5,')
    assert to_result_text(json.dumps(ROOMS, indent=2)).startswith('{"columns":')
    assert compact_value({"rooms": ROOMS})["rooms"]["columns"] == ["room", "usd", "view"]
    assert from_tables(orjson.loads(text)) == {"rooms": ROOMS, "total": 5}


def test_results_that_resemble_a_compacted_table_are_not_compacted() -> None:
    odd = [{"a": {"columns": None, "rows": 3}}, {"a": 1}]
    assert to_tables(odd) == odd
    assert from_tables(odd[0]) == odd[0]


@pytest.mark.parametrize(
    "row",
    [
        '{"a_long_name": 1, "a_long_name": 2, "other": 3}',
        '{"a_long_name": 12345678901234567890123, "other": 3}',
        '{"a_long_name": 0.12345678901234567890123, "other": 3}',
        '{"a_long_name": NaN, "other": 3}',
    ],
)
def test_results_that_a_table_cannot_represent_are_sent_as_json(row: str) -> None:
    text = f"[{', '.join([row] * 5)}]"
    assert to_result_text(text) == text


def test_text_results_are_not_parsed_as_json() -> None:
    assert to_result_text("{see}, {there}: [1]") == "{see}, {there}: [1]"
    assert to_result_text("[" * 100_000 + "},{") == "[" * 100_000 + "},{"
