"""Truth tables of the pure policies, and the properties of trimming."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.base.messages.contents import (
    OUTDATED,
    get_request_message,
    get_turn,
    leave_out_outdated,
    list_exchange_starts,
    seal_messages,
)
from plainloop.agent.base.messages.repeating import find_loop
from plainloop.agent.base.shown.stubs import leave_out_stubs
from plainloop.agent.base.tokens.estimate import estimate_message_tokens
from plainloop.agent.core.history import repair_history
from plainloop.agent.core.policy import (
    count_tool_calls,
    count_worker_turns,
    needs_evaluator,
    trim_harder,
    trim_messages,
)
from plainloop.agent.core.spec import WorkerSpec
from plainloop.agent.types import Message
from tests.core.conversations import answer, call, conversations, result, user


@pytest.mark.parametrize(
    ("evaluate", "after", "calls", "expected"),
    [
        ("never", 1, 0, False),
        ("never", 1, 9, False),
        ("always", 1, 0, True),
        ("always", 1, 9, True),
        ("auto", 1, 0, False),
        ("auto", 1, 1, False),
        ("auto", 1, 2, True),
        ("auto", 2, 2, False),
        ("auto", 2, 3, True),
    ],
)
def test_evaluation_mode_and_number_of_calls_decide_about_a_review(
    evaluate, after, calls, expected
):
    spec = WorkerSpec("w", "", "", (), evaluate=evaluate, evaluate_after=after)
    turn = [message for n in range(calls) for message in (call(f"c{n}"), result(f"c{n}"))]
    assert needs_evaluator(spec, [user("hi"), *turn]) is expected


def test_tool_calls_and_turns_are_counted_in_the_current_turn_only():
    before = [user("one"), call("a"), result("a"), answer("done")]
    now = [user("two"), call("b"), result("b"), call("c"), result("c")]
    assert count_tool_calls([*before, *now]) == 2
    assert count_worker_turns([*before, *now]) == 2
    assert get_turn([*before, *now]) == now[1:]


def test_each_model_answer_counts_as_one_worker_turn():
    assert count_worker_turns([user("two"), call("b", "c"), result("b", "c"), answer("x")]) == 2
    assert count_worker_turns([user("two")]) == 0
    assert count_tool_calls([user("two"), call("b", "c"), result("b", "c"), answer("x")]) == 2


def test_an_exchange_begins_at_a_user_message_or_the_start():
    talk = [user("a"), answer("b"), user("c")]
    assert list_exchange_starts(talk) == [0, 2]
    assert list_exchange_starts(talk[1:]) == [0, 1]
    assert list_exchange_starts([answer("b")]) == [0]
    assert list_exchange_starts([]) == []


def test_find_loop_detects_three_equal_calls_in_a_row():
    def repeat(arguments: list[dict]) -> list:
        turn = [user("go")]
        for n, item in enumerate(arguments):
            turn += [call(f"c{n}", item), result(f"c{n}")]
        return turn

    assert find_loop(repeat([{"q": 1}] * 3), 3)
    assert find_loop(repeat([{"q": 2}, {"q": 1}, {"q": 1}, {"q": 1}]), 3)
    assert not find_loop(repeat([{"q": 1}] * 2), 3)
    assert not find_loop(repeat([{"q": 1}, {"q": 2}, {"q": 1}]), 3)
    assert find_loop(repeat([{"a": 1, "b": 2}, {"b": 2, "a": 1}]), 2)


@given(conversations(), st.integers(1, 400))
def test_trimming_cuts_whole_exchanges_and_keeps_the_newest(messages, window):
    sealed = seal_messages([], messages)
    view = trim_messages(sealed, window)
    assert view == sealed[len(sealed) - len(view) :]
    assert not sealed or len(sealed) - len(view) in list_exchange_starts(sealed)
    assert get_turn(view) == get_turn(sealed)
    newest = sealed[list_exchange_starts(sealed)[-1] :] if sealed else []
    if count_tokens(view) > max(2 * window, count_tokens(newest)):
        assert count_tokens(newest) > 2 * window, "a cut would not have been enough"
    begun = view[: len(view) - len(newest) + 1]
    assert count_tokens(begun) <= max(window, count_tokens(newest[:1]))


@given(conversations(least=1), st.integers(1, 400))
def test_the_history_cut_moves_only_at_turn_starts(messages, window):
    sealed = seal_messages([], messages)
    starts = list_exchange_starts(sealed)
    for start, end in zip(starts, [*starts[1:], len(sealed)], strict=True):
        views = [trim_messages(sealed[:n], window) for n in range(start + 1, end + 1)]
        moves = [n for n in range(1, len(views)) if views[n][: len(views[n - 1])] != views[n - 1]]
        assert len(moves) <= 1
        for n in moves:
            assert count_tokens([*views[n - 1], sealed[start + n]]) > 2 * window
            assert views[n] == sealed[start : start + n + 1]


def test_a_cut_keeps_a_quarter_or_a_third_of_the_window():
    thread = seal_messages([], [user("many words " * 20) for _ in range(2_000)])
    for window, share in ((6_000, 1 / 3), (24_000, 1 / 4), (8_000, 1 / 4)):
        sizes = [count_tokens(trim_messages(thread[:n], window)) for n in range(1, 2_000)]
        after = [now for before, now in zip(sizes, sizes[1:], strict=False) if now < before]
        assert len(after) > 1
        assert max(abs(size - window * share) for size in after) < 100
    kept = trim_messages(thread[:-300], 6_000, kept_share=0.9)
    assert 5_400 <= count_tokens(kept) <= 6_000


def count_tokens(messages: list[Message]) -> int:
    return sum(message.get("tokens", 0) for message in messages)


@given(conversations(), st.integers(1, 400))
def test_trimming_never_parts_a_call_from_its_result(messages, window):
    valid, _ = repair_history(messages)
    view = trim_messages(seal_messages([], valid), window)
    assert repair_history(view) == (view, [])


@given(conversations(least=4), st.integers(40, 400), st.data())
def test_loading_a_threads_end_gives_the_same_trimmed_view(messages, window, data):
    sealed = seal_messages([], messages)
    view = trim_messages(sealed, window)
    starts = [s for s in list_exchange_starts(sealed) if s <= len(sealed) - len(view)]
    assert trim_messages(sealed[data.draw(st.sampled_from(starts)) :], window) == view


def make_readings(count: int) -> list[Message]:
    """Exchanges in each of which the same is read, and something is written."""
    thread: list[Message] = []
    for n in range(count):
        new = [
            user(f"And now, for the {n}th time?"),
            call(f"r{n}", {"status": "saved"}),
            result(f"r{n}", gave={"jobs": [f"job {n} of {k}" for k in range(20)]}),
            call(f"w{n}", {"title": "Cook"}, name="save"),
            result(f"w{n}", name="save", gave={"saved": n}),
            answer(f"Nothing new, {n}."),
        ]
        thread += seal_messages(thread, new)
    return thread


def list_results(view: list[Message]) -> list[tuple[str, Any]]:
    parts = [part for message in view for part in message["parts"]]
    return [(part["name"], part["result"]) for part in parts if part["type"] == "tool_result"]


def test_outdated_tool_results_before_the_historys_cut_are_omitted():
    thread = [*make_readings(12), user("Well?")]
    view = trim_messages(thread, 1000, reads=frozenset({"look"}))
    results = list_results(view)
    whole = list_results(trim_messages(thread, 1000))

    assert len(results) == len(whole)
    assert [result for name, result in results if name == "save"] == [
        result for name, result in whole if name == "save"
    ]
    read = [result for name, result in results if name == "look"]
    left_out = read.count(OUTDATED)
    assert 0 < left_out < len(read)
    assert read[left_out:] == [result for name, result in whole if name == "look"][left_out:]
    assert trim_messages(thread, 100_000, reads=frozenset({"look"})) is thread


def test_omitting_outdated_results_keeps_the_prompt_prefix():
    thread, reads = make_readings(30), frozenset({"look"})
    views = [trim_messages(thread[:n], 1500, reads=reads) for n in range(1, len(thread) + 1)]
    moves = 0
    for before, after in zip(views, views[1:], strict=False):
        if before[0] == after[0]:
            assert after[: len(before)] == before
        else:
            moves += 1
    assert 3 < moves < 12
    assert any(("look", OUTDATED) in list_results(view) for view in views)


def test_a_tool_round_without_remaining_results_is_omitted():
    said_so = call("r2", {"id": 1})
    said_so["parts"].insert(0, {"type": "text", "text": "Let me look."})
    newest = call("r3", {"id": 1})
    read = [call("r1", {"id": 1}), result("r1"), said_so, result("r2"), newest, result("r3")]
    view = leave_out_outdated([user("a"), *read, answer("b")], {"look"})

    shown = leave_out_stubs(view)
    assert shown == [user("a"), *view[3:]], "where words stand beside a call it stays"
    assert repair_history(shown) == (shown, [])
    assert leave_out_stubs(read) == read


def test_a_failed_read_outdates_no_earlier_result():
    first, again = call("r1", {"id": 1}), call("r2", {"id": 1})
    other = call("r3", {"id": 2})
    failed: Any = result("r2")
    failed["parts"][0]["is_error"] = True
    said = [user("a"), first, result("r1"), again, failed, other, result("r3"), answer("b")]

    assert leave_out_outdated(said, {"look"}) == said
    assert leave_out_outdated(said, set()) == said


@given(conversations(least=1))
def test_tighter_trimming_keeps_the_request_and_its_last_round(messages):
    before = copy.deepcopy(messages)
    view = trim_harder(messages)
    newest = get_request_message(messages)
    turn = get_turn(messages)
    rounds = [i for i, message in enumerate(turn) if message["role"] == "assistant"]
    last = turn[rounds[-1] :] if rounds else []
    assert messages == before
    assert view[len(view) - len(last) :] == last
    assert repair_history(view) == (view, [])
    assert newest in view
    assert is_part_in_order(view, messages)
    total, left = (sum(map(estimate_message_tokens, part)) for part in (messages, view))
    assert left <= total / 2 or view == [newest, *last]


def test_tighter_trimming_drops_exchanges_before_rounds():
    old = [user("old " * 50), answer("said " * 50)]
    small = [user("go"), call("a"), result("a"), call("b"), result("b"), answer("done")]
    large = [user("go"), call("a", {"text": "much " * 90}), *small[2:]]
    assert trim_harder([*old, *small]) == small
    assert trim_harder(small) == [small[0], small[-1]]
    assert trim_harder(large) == [small[0], *small[-3:]]
    assert trim_harder([*old, *large]) == [small[0], *small[-3:]]
    assert trim_harder(small[:5]) == [small[0], *small[3:5]]
    assert trim_harder([user("go " * 500), answer("done")]) == [user("go " * 500), answer("done")]
    assert trim_harder(small[1:]) == small[1:], "without a request there is nothing to keep by"
    assert trim_harder([]) == []


def is_part_in_order(part: list, whole: list) -> bool:
    rest = iter(whole)
    return all(any(item is other for other in rest) for item in part)


def test_new_messages_follow_the_history_in_size_and_place():
    first = seal_messages([], [user("one two three")])
    (second,) = seal_messages(first, [answer("four five")])
    assert first[0]["offset"] == 0
    assert second["offset"] == first[0]["tokens"]
    (third,) = seal_messages([*first, second], [user("six")])
    assert third["offset"] == second["offset"] + second["tokens"]


def test_without_a_user_message_all_messages_are_the_turn():
    assert get_turn([answer("hello")]) == [answer("hello")]
    assert get_turn([]) == []
