"""Hazard: one dangling tool call makes every later request of the thread invalid."""

from __future__ import annotations

import copy

from hypothesis import given

from plainloop.agent.base.messages.contents import get_answer, list_calls
from plainloop.agent.core.history import repair_history
from tests.core.conversations import answer, call, conversations, poisoned, result, user


def is_valid(messages) -> bool:
    """Written apart from the code under test: every call answered once, right behind it."""
    for i, message in enumerate(messages):
        ids = [part["id"] for part in list_calls(message)] if message["role"] == "assistant" else []
        follower = messages[i + 1] if i + 1 < len(messages) else {"role": "none", "parts": []}
        if ids:
            answered = [part["id"] for part in follower["parts"] if part["type"] == "tool_result"]
            if follower["role"] != "tool" or answered != ids:
                return False
        if message["role"] == "tool" and (i == 0 or not list_calls(messages[i - 1])):
            return False
        if not message["parts"] or any(
            part["type"] == "text" and not part["text"].strip() for part in message["parts"]
        ):
            return False
    return True


@given(conversations())
def test_a_valid_history_is_not_changed_by_repair(messages):
    assert repair_history(messages) == (messages, [])


@given(poisoned())
def test_any_stored_history_is_repaired_to_a_valid_one(messages):
    before = copy.deepcopy(messages)
    repaired, notes = repair_history(messages)
    assert is_valid(repaired)
    assert repair_history(repaired) == (repaired, [])
    assert messages == before
    assert bool(notes) or len(repaired) <= len(messages)


def test_a_partly_answered_batch_keeps_its_results():
    repaired, notes = repair_history([user("go"), call("a", "b"), result("b")])
    answered = [part["id"] for part in repaired[2]["parts"]]
    assert answered == ["a", "b"]
    assert [part["is_error"] for part in repaired[2]["parts"]] == [True, False]
    assert notes == ["answered the open call a as interrupted"]


def test_a_rejected_draft_is_omitted_from_later_requests():
    messages = [user("letter"), call("a"), result("a"), answer("draft"), answer("final")]
    repaired, _ = repair_history(messages)
    assert repaired == [user("letter"), call("a"), result("a"), answer("final")]
    assert get_answer(messages) == "final"
