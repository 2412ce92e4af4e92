"""Cutting tool results: within the budget, in shape where possible, with a way to the rest."""

from __future__ import annotations

import copy

from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.base.tokens.estimate import estimate_json_tokens
from plainloop.agent.core.results import NOTE, cut_result, fit_text
from plainloop.agent.core.tools import ToolOutcome

texts = (
    st.text(max_size=400) | st.text("日本語 ", max_size=400) | st.text("0123456789,;", max_size=400)
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=40,
)


@given(values, st.integers(60, 400), st.booleans())
def test_a_cut_result_fits_and_a_fitting_one_is_untouched(result, max_tokens, is_error):
    before = copy.deepcopy(result)
    cut = cut_result(ToolOutcome(result, is_error), max_tokens)

    assert result == before
    assert estimate_json_tokens(cut.result) <= max_tokens
    if estimate_json_tokens(result) <= max_tokens:
        assert cut.result == result
    else:
        assert cut.result["note"] == NOTE
    assert cut.is_error == is_error


@given(texts, st.integers(1, 200))
def test_a_cut_text_is_a_prefix_of_the_text(text, max_tokens):
    fitted = fit_text(text, max_tokens)
    if fitted != text:
        assert fitted.endswith("…")
        assert text.startswith(fitted[:-1])


def test_only_the_longest_text_of_a_result_is_cut():
    page = {"title": "A short title", "url": "https://example.com", "text": "word " * 3000}
    cut = cut_result(ToolOutcome(page), 200).result

    assert {key: cut[key] for key in ("title", "url", "note")} == {
        "title": "A short title",
        "url": "https://example.com",
        "note": NOTE,
    }
    assert cut["text"].startswith("word word")
    assert estimate_json_tokens(cut) > 150, "the budget is used"


def test_a_nested_text_is_cut_as_json():
    deep = {"job": {"description": "word " * 3000}}
    cut = cut_result(ToolOutcome(deep), 200).result

    assert cut["text"].startswith('{"job":{"description":"word word')
    assert cut["note"] == NOTE


def test_a_cut_failure_keeps_its_reason():
    failure = ToolOutcome({"error": "no such job", "trace": {"lines": ["line"] * 2000}}, True)
    cut = cut_result(failure, 100).result

    assert cut == {"error": "no such job", "note": NOTE}


def test_cutting_a_result_with_marked_fields_marks_it_whole():
    rows = [{"subject": "hello", "body": "word " * 300} for _ in range(20)]
    marked = cut_result(ToolOutcome(rows, outside=("body",)), 100)
    plain = cut_result(ToolOutcome(rows), 100)

    assert (marked.result["untrusted"], marked.outside) == (True, ())
    assert marked.result["text"] == plain.result["text"]
    assert "untrusted" not in plain.result


def test_a_cut_result_that_keeps_its_shape_keeps_its_marks():
    mail = {"subject": "hello", "body": "word " * 3000}
    cut = cut_result(ToolOutcome(mail, outside=("body",)), 200)
    assert (cut.outside, "untrusted" in cut.result) == (("body",), False)
    nested = {"untrusted": True, "rows": {"text": "word " * 3000}}
    assert cut_result(ToolOutcome(nested), 200).result["untrusted"] is True


def test_a_cut_list_drops_its_last_items_and_states_how_many():
    cut = cut_result(ToolOutcome({"jobs": ["job " * 20] * 50, "tags": ["a", "b"]}), 200).result
    assert cut["tags"] == ["a", "b"]
    assert 0 < len(cut["jobs"]) < 50
    assert cut["shown"] == f"{len(cut['jobs'])} of 50"


def test_cutting_a_result_keeps_short_texts():
    page = {"a": "word " * 3000, "b": "short", "c": "also short"}
    cut = cut_result(ToolOutcome(page), 200).result
    assert (cut["b"], cut["c"]) == ("short", "also short")
    assert estimate_json_tokens(cut) > 150, "the budget is used"
