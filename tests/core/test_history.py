"""What a request is made of: each repair with its note, the ends that providers ask for."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.base.messages.contents import (
    get_answer,
    list_open_calls,
    make_interrupted,
    make_last_words,
    seal_messages,
)
from plainloop.agent.core.history import (
    GO_ON,
    MODEL_BEGAN,
    build_request_messages,
    mark_cut_call,
    repair_history,
    to_valid_name,
)
from plainloop.agent.types import LLMResponse, Message, Usage
from tests.core.conversations import answer, call, result, user


def told(calls: Message) -> Message:
    """The message that says that these calls were cut off."""
    return {"role": "tool", "parts": [make_interrupted(item) for item in list_open_calls([calls])]}


@pytest.mark.parametrize(
    ("view", "extra", "messages"),
    [
        ([], [], [user(GO_ON)]),
        ([user("go")], [], [user("go")]),
        ([user("go"), call("a"), result("a")], [], [user("go"), call("a"), result("a")]),
        ([user("go"), answer("done")], [], [user("go"), answer("done"), user(GO_ON)]),
        ([answer("hello")], [user("hi")], [user(MODEL_BEGAN), answer("hello"), user("hi")]),
        ([answer("hello")], [], [user(MODEL_BEGAN), answer("hello"), user(GO_ON)]),
        ([user("go"), answer("draft")], [user("no")], [user("go"), answer("draft"), user("no")]),
        ([user("  ")], [user("hi")], [user("hi")]),
    ],
)
def test_a_request_neither_begins_nor_ends_with_an_assistant_message(view, extra, messages):
    given = [*view]
    assert build_request_messages(view, extra)[0] == messages
    assert view == given


@pytest.mark.parametrize(
    ("stored", "repaired", "notes"),
    [
        (
            [user("a"), call("x"), result("x"), user("b"), call("x"), result("x")],
            [user("a"), call("x"), result("x"), user("b"), call("x_2"), result("x_2")],
            ["renamed a second call x to x_2"],
        ),
        (
            [user("a"), call("x", "x", "x"), result("x", "x", "x")],
            [user("a"), call("x", "x_2", "x_3"), result("x", "x_2", "x_3")],
            ["renamed a second call x to x_2", "renamed a second call x to x_3"],
        ),
        (
            [user("a"), call("x", name="f.g"), result("x", name="f.g")],
            [user("a"), call("x", name="f_g"), result("x", name="f_g")],
            ["renamed the call of 'f.g' to f_g"],
        ),
        (
            [user("a"), result("y"), answer("b")],
            [user("a"), answer("b")],
            ["dropped the result y, which answers no call"],
        ),
        (
            [user("a"), call("x"), result("x", "y")],
            [user("a"), call("x"), result("x")],
            ["dropped the result y, which answers no call"],
        ),
        (
            [user("a"), answer(" "), user("b")],
            [user("a"), user("b")],
            ["dropped an empty assistant message"],
        ),
        (
            [user("a"), call("x"), answer("b")],
            [user("a"), call("x"), told(call("x")), answer("b")],
            ["answered the open call x as interrupted"],
        ),
        (
            [user("a"), call("x")],
            [user("a"), call("x"), told(call("x"))],
            ["answered the open call x as interrupted"],
        ),
        (
            [{"role": "user", "parts": [*user("a")["parts"], *call("x")["parts"]]}],
            [user("a")],
            ["dropped a part that is not allowed in a message of the role user"],
        ),
        (
            [
                user("a"),
                call("x"),
                {**result("x"), "parts": [*result("x")["parts"], *user("b")["parts"]]},
            ],
            [user("a"), call("x"), result("x")],
            ["dropped a part of a tool message that is not a tool result"],
        ),
    ],
)
def test_each_repair_of_a_history_is_noted(stored: Any, repaired: list[Message], notes: list[str]):
    assert repair_history(stored) == (repaired, notes)


def test_a_repaired_message_loses_its_stored_size():
    kept: Any = {**user("a"), "tokens": 7, "offset": 0}
    changed: Any = {**kept, "parts": [*kept["parts"], *call("x")["parts"]]}
    repaired, _ = repair_history([kept, answer("b"), changed])
    assert repaired == [kept, answer("b"), {**user("a"), "offset": 0}]


@pytest.mark.parametrize(
    ("messages", "shown", "words"),
    [
        ([user("a")], "", []),
        ([user("a")], " \n", []),
        ([user("a")], "So far", [answer("So far")]),
        ([user("a"), call("x", "y")], "", [told(call("x", "y"))]),
        ([user("a"), call("x"), result("x")], "So", [answer("So")]),
        ([user("a"), call("x")], "Bye", [told(call("x")), answer("Bye")]),
    ],
)
def test_a_run_that_ends_early_closes_its_calls_and_keeps_its_text(messages, shown, words):
    assert make_last_words(messages, shown, ()) == seal_messages(messages, words)
    assert list_open_calls([*messages, *words]) == []


@pytest.mark.parametrize(
    ("undone", "said"), [((), "its effect is not known"), (("look",), "nothing was changed")]
)
def test_an_interrupted_calls_result_states_if_its_effect_was_undone(
    undone: tuple[str, ...], said: str
):
    (message,) = make_last_words([user("a"), call("x")], "", undone)
    (part,) = message["parts"]
    assert part["type"] == "tool_result"
    assert part["result"]["error"].endswith(said)


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        ([], ""),
        ([answer("one")], "one"),
        ([answer("draft"), answer("final")], "final"),
        (
            [{**call("x"), "parts": [*answer("wait")["parts"], *call("x")["parts"]]}, result("x")],
            "wait",
        ),
        ([call("x"), result("x"), answer("draft"), call("y"), result("y"), answer("b")], "b"),
    ],
)
def test_a_runs_answer_is_the_assistant_text_of_the_current_turn(turn, text):
    assert get_answer([user("before"), answer("old"), user("now"), *turn]) == text


THOUGHT: Any = {"type": "reasoning", "text": "hm"}
CALLS = call("x", "y")["parts"]


@pytest.mark.parametrize(
    ("parts", "stop", "cut"),
    [
        (CALLS, "length", [None, True]),
        ([*CALLS, THOUGHT], "length", [None, True]),
        (CALLS, "tool_use", [None, None]),
        ([*CALLS, *answer("so")["parts"]], "length", [None, None]),
        ([THOUGHT], "length", []),
        ([], "length", []),
    ],
)
def test_a_tool_call_cut_by_the_token_limit_is_marked(parts, stop, cut):
    given = LLMResponse({"role": "assistant", "parts": parts}, stop, Usage(), "m")
    marked = mark_cut_call(given)

    assert [item.get("is_cut") for item in marked.tool_calls] == cut
    assert len(marked.message["parts"]) == len(parts)
    assert [item.get("is_cut") for item in given.tool_calls] == [None] * len(cut)


def test_tool_names_in_a_history_are_cut_to_the_providers_limit():
    assert to_valid_name("x" * 70) == "x" * 64
    assert to_valid_name("äh!") == "_h_"
    assert to_valid_name("") == "unnamed"
