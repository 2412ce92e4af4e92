from __future__ import annotations

import json
import math
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.base.text.cleaning import clean_json
from plainloop.agent.base.text.json_text import parse_arguments, parse_json_object
from plainloop.agent.errors import InputError


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        ' \n{"a": 1}\n ',
        '```json\n{"a": 1}\n```',
        '```\n{"a": 1}\n```\nHope this helps.',
        'Here it is: {"a": 1}',
        '<think>maybe {"a": 2, "b": 3}?</think>\n{"a": 1}',
        'leaked thought</think>{"a": 1}',
        '{"a": 1,}',
        'First {} then {"a": 1}',
        '{not json} {"a": 1}',
        '{{"a": 1}}',
        '{"a": 1} is better than {}, which says less',
    ],
)
def test_parsing_json_extracts_the_object_from_surrounding_text(text: str) -> None:
    assert parse_json_object(text) == {"a": 1}


def test_json_strings_may_contain_braces_and_thinking_tags() -> None:
    stated = {"say": "<think>no</think> } ```", "list": [1, {"b": ",]"}]}
    assert parse_json_object(f"```json\n{json.dumps(stated)}\n```") == stated


def test_thinking_tags_inside_a_whole_json_object_are_text() -> None:
    stated = {"say": "<think>no</think>", "then": "</think>{}"}
    assert parse_json_object(json.dumps(stated)) == stated


@pytest.mark.parametrize("digits", ["9" * 400, "9" * 5_000], ids=len)
def test_an_overlong_number_does_not_crash_the_parser(digits: str) -> None:
    assert parse_arguments(f'{{"n": {digits}}}') is None
    try:
        assert parse_json_object(f'{{"n": {digits}}}') == {"n": math.inf}
    except InputError as error:
        assert error.code == "INVALID_JSON"


def test_raw_line_breaks_in_json_strings_are_accepted() -> None:
    assert parse_json_object('{"a": "x\ny"}') == {"a": "x\ny"}


@pytest.mark.parametrize("text", ["", "no", "[1]", '{"a": 1', '{"a": "cut', "{'a': 1}", "{" * 500])
def test_incomplete_json_is_an_error_and_not_completed(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_json_object(text)
    assert caught.value.code == "INVALID_JSON"


def test_deeply_nested_json_is_an_error_not_a_crash() -> None:
    with pytest.raises(InputError):
        parse_json_object('{"a":' * 100_000)
    assert parse_arguments('{"a":' * 100_000) is None


@given(
    st.dictionaries(
        st.text(max_size=9),
        st.recursive(
            st.integers(-(2**63), 2**63 - 1) | st.text(max_size=9), st.lists, max_leaves=9
        ),
        min_size=1,
        max_size=5,
    )
)
def test_every_json_object_is_found_inside_fences_and_prose(stated: dict[str, object]) -> None:
    assert parse_json_object(f"Well:\n```json\n{json.dumps(stated)}\n```") == clean_json(stated)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        *(("", {}), ("  ", {}), ('{"a":1}', {"a": 1}), ('{"a": "x\ny"}', {"a": "x\ny"})),
        *(('{"a":', None), ('{"a":1,}', None), ("[1]", None), ("null", None)),
    ],
)
def test_tool_arguments_are_never_repaired(text: str, arguments: dict[str, Any] | None) -> None:
    assert parse_arguments(text) == arguments


def test_parsed_json_contains_only_storable_values():
    read = parse_json_object(
        '{"a\\u0000": "\\ud800", "n": 1' + "0" * 30 + ', "m": -9223372036854775808}'
    )

    assert read == {"a": "\ufffd", "n": 1e30, "m": -(2**63)}
    assert orjson.loads(orjson.dumps(read)) == read


@pytest.mark.parametrize("number", ["1" + "0" * 19, "-9223372036854775809", "NaN", "-Infinity"])
def test_infinite_numbers_are_refused_as_tool_arguments(number):
    assert parse_arguments(f'{{"n": {number}}}') is None
