"""The merge: what is appended, added, merged by key, replaced; and the fold over steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.core.state import END, apply_step, fold_steps, initialize_state, merge_state

texts = st.text(max_size=8)
updates = st.fixed_dictionaries(
    {},
    optional={
        "messages": st.lists(texts.map(lambda t: make_text_message("assistant", t)), max_size=3),
        "tokens": st.fixed_dictionaries({"in": st.integers(0, 99), "out": st.integers(0, 99)}),
        "data": st.dictionaries(texts, st.integers(), max_size=3),
        "feedback": texts,
        "success_criteria": texts,
        "result": st.none() | texts | st.lists(st.integers(), max_size=2),
        "fast_intent": st.sampled_from(["lookup", "count", "list", None]),
    },
)


def test_merging_an_update_treats_each_state_key_as_declared():
    first = make_text_message("user", "hello")
    state = initialize_state([first], {"a": 1, "b": 1})
    update = {
        "messages": [make_text_message("assistant", "hi")],
        "tokens": {"in": 5, "out": 2},
        "data": {"b": 2},
        "feedback": "shorter",
    }
    merged = merge_state(merge_state(state, update), {"tokens": {"in": 1, "out": 1}})
    assert merged == {
        "messages": [first, make_text_message("assistant", "hi")],
        "route_to": "intent_classifier",
        "success_criteria": "",
        "feedback": "shorter",
        "done": False,
        "fast_intent": None,
        "entity_type": None,
        "query": None,
        "result": None,
        "tokens": {"in": 6, "out": 3},
        "data": {"a": 1, "b": 2},
    }


def test_an_update_with_an_unknown_key_names_node_and_key():
    with pytest.raises(KeyError, match="'job_search'.*'mesages'"):
        merge_state(initialize_state([]), {"mesages": []}, "job_search")
    with pytest.raises(KeyError) as raised:
        merge_state(initialize_state([]), {"mesages": []})
    told = "the node '?' returned the unknown state key 'mesages': use `data`"
    assert raised.value.args == (told,)


@given(st.lists(updates, max_size=4))
def test_merging_an_update_changes_neither_argument(steps: list[dict]):
    import copy

    state = initialize_state([], {"k": 0})
    before, given_steps = copy.deepcopy(state), copy.deepcopy(steps)
    for update in steps:
        merge_state(state, update)
    assert state == before
    assert steps == given_steps


@given(st.lists(updates, max_size=6))
def test_folding_step_records_gives_the_state_after_those_steps(steps: list[dict]):
    state = initialize_state([])
    records = []
    for n, update in enumerate(steps):
        next_node = END if n == len(steps) - 1 else f"node{n}"
        state = apply_step(state, "node", update, next_node)
        records.append({"n": n, "node": "node", "update": update, "next_node": next_node})
    assert fold_steps(initialize_state([]), records) == state
    assert state["done"] == bool(steps)


def test_a_text_becomes_one_user_message():
    (message,) = initialize_state("hello")["messages"]
    assert message == {"role": "user", "parts": [{"type": "text", "text": "hello"}]}
