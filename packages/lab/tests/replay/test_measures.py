"""What is measured in a turn, and what counts as worse."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.records import CallSettled
from plainloop.agent.types import TOKEN_BUCKETS, Usage
from plainloop_lab.comparing.comparison import UNFINISHED_SEVERITY, compare_conversation
from plainloop_lab.comparing.differences import describe_passages
from plainloop_lab.comparing.measures import (
    MEASURES,
    compare_words,
    find_route,
    list_changes,
    measure_turn,
    rate_severity,
)
from plainloop_lab.live.labels import price_uncached
from plainloop_lab.live.lane import TurnResult
from plainloop_lab.live.plan import quote_change
from plainloop_lab.report.live_page import cut, mark_words
from plainloop_lab.store.replays import ItemResult

CALL = {"name": "find", "arguments": {"a": 1, "b": 2}, "served": "recorded"}


def make_turn(**changes: Any) -> TurnResult:
    turn: Any = {
        "turn": 0,
        "path": ["intent_classifier", "agent_router", "clerk"],
        "tools": [CALL],
        "text": "Room 7 is free.",
        "calls": 2,
        "models": ["openai:m"],
        "tokens": dict.fromkeys(TOKEN_BUCKETS, 10),
        "cost_usd": "0.5",
        "duration_ms": 20,
        "error": None,
        "verdicts": [],
        "problems": None,
        "queries": [],
    }
    turn.update(changes)
    return turn


def test_equal_turns_are_equal_in_every_measure() -> None:
    assert measure_turn(make_turn(), make_turn()) == {
        "failed": 0,
        "unrecorded_changes": 0,
        "limit_hit": 0,
        "same_route": 1,
        "unmatched_calls": 0,
        "same_tools": 1,
        "same_arguments": 1,
        "same_path": 1,
        "same_text": 1,
        "similarity": 1,
        "calls": 2,
        "input_tokens": 40,
        "cache_read_tokens": 10,
        "cache_write_tokens": 20,
        "output_tokens": 20,
        "reasoning_tokens": 10,
        "cost_usd": 0.5,
        "duration_ms": 20,
    }


@pytest.mark.parametrize(
    ("changes", "worse"),
    [
        ({"error": "CONTENT_FILTERED"}, ["failed"]),
        ({"error": "LIMIT_REACHED"}, ["limit_hit"]),
        ({"path": ["intent_classifier", "fast_count"]}, ["same_route", "same_path"]),
        ({"path": ["clerk", "clerk"]}, ["same_path"]),
        ({"path": ["agent_router", "clerk"]}, []),
        ({"queries": [["count", "jobs", {"filters": []}]]}, ["same_route"]),
        ({"tools": []}, ["same_tools", "same_arguments"]),
        ({"tools": [{**CALL, "arguments": {"b": 2, "a": 1}}]}, []),
        ({"tools": [{**CALL, "arguments": {"a": 1, "b": 3}}]}, ["same_arguments"]),
        ({"tools": [{**CALL, "served": "closed"}]}, ["unmatched_calls"]),
        ({"text": "Room  7 is\nfree."}, []),
        ({"text": "Everything is taken today."}, []),
        ({"calls": 9, "cost_usd": "9", "duration_ms": 90}, []),
    ],
)
def test_each_worse_measure_of_the_candidate_is_listed(
    changes: dict[str, Any], worse: list[str]
) -> None:
    before = measure_turn(make_turn(), make_turn())
    now = measure_turn(make_turn(**changes), make_turn())
    found, better = list_changes(before, now)
    assert ([change["measure"] for change in found], better) == (worse, [])
    back, gained = list_changes(now, before)
    assert (back, [change["measure"] for change in gained]) == ([], worse)


def test_a_saved_step_is_no_loss_unless_calls_or_a_review_are_gone() -> None:
    steps = ["clerk", "clerk.tools", "clerk", "evaluator", "clerk"]
    before = make_turn(path=steps, verdicts=[{"verdict": "pass"}])

    def list_worse(**changes: Any) -> list[str]:
        now = make_turn(path=steps[:4], **{"verdicts": before["verdicts"], **changes})
        worse, _ = list_changes(measure_turn(before, before), measure_turn(now, before))
        return [change["measure"] for change in worse]

    assert list_worse() == []
    assert list_worse(tools=[]) == ["same_tools", "same_arguments", "same_path"]
    assert list_worse(verdicts=[]) == ["same_path"]


def test_reviews_are_compared_only_if_both_sides_have_one() -> None:
    passed = make_turn(verdicts=[{"verdict": "retry"}, {"verdict": "pass"}], problems=0)
    failed = make_turn(verdicts=[{"verdict": "retry"}], problems=2)
    values = [measure_turn(turn, make_turn()) for turn in (passed, failed, make_turn())]
    worse, _ = list_changes(values[0], values[1])
    assert [change["measure"] for change in worse] == ["review_passed", "problems"]
    assert list_changes(values[2], values[1]) == ([], [])


def test_a_replay_requests_json_only_if_the_recording_did() -> None:
    recorded = make_turn(text='{"room": 7}')
    assert measure_turn(make_turn(text="Room 7"), recorded)["json_kept"] == 0
    assert measure_turn(make_turn(text='{"room": 8}'), recorded)["json_kept"] == 1
    assert "json_kept" not in measure_turn(make_turn(), make_turn(text="{braces} in prose"))


def test_measures_unknown_for_a_turn_are_omitted() -> None:
    unknown = make_turn(
        calls=None, cost_usd=None, duration_ms=None, tokens=dict.fromkeys(TOKEN_BUCKETS)
    )
    found = measure_turn(unknown, make_turn())
    assert not {"calls", "cost_usd", "duration_ms", *TOKEN_BUCKETS} & set(found)


def test_an_error_ranks_above_all_smaller_differences_together() -> None:
    weights = [measure.weight for measure in MEASURES if measure.weight]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > rate_severity([{"measure": "limit_hit", "reference": 0, "candidate": 1}])


def test_results_of_older_versions_without_queries_are_compared_by_their_nodes() -> None:
    older = make_turn()
    older.pop("queries")
    recorded = make_turn(queries=[["list", "jobs", {}]])
    assert measure_turn(older, recorded)["same_route"] == 1


def test_a_turn_that_was_only_routed_is_measured_by_route_and_cost() -> None:
    assert [*measure_turn(make_turn(is_routing=True, tools=[], text=""), make_turn())] == [
        *("failed", "limit_hit", "same_route", "calls", "input_tokens", "cache_read_tokens"),
        *("cache_write_tokens", "output_tokens", "reasoning_tokens", "cost_usd", "duration_ms"),
    ]


def test_a_turns_compared_cost_ignores_prompt_cache_discounts() -> None:
    """Today's prompt is in the cache when an experiment begins, the changed one is not."""
    settled = CallSettled("c", "acme", "succeeded", Usage(input_tokens=4_000, output_tokens=9), 1)
    cold = replace(settled, cost_usd="0.1")
    warm = replace(
        cold,
        usage=Usage(
            input_tokens=10, cache_read_tokens=3_000, cache_write_tokens=990, output_tokens=9
        ),
    )
    own = Prices({"openai:m": OwnPrice(Decimal(1), Decimal(2), Decimal("0.1"))})
    price = price_uncached("openai:m", cold, own)
    assert price is not None and float(price) == pytest.approx(0.004018)
    assert price_uncached("openai:m", warm, own) == price
    assert price_uncached("openai:m", settled, own) is None
    changed = measure_turn(make_turn(uncached_usd=price, cost_usd="0.1"), make_turn())
    assert changed["uncached_usd"] == float(price)
    assert "uncached_usd" not in measure_turn(make_turn(), make_turn())


def test_a_route_is_the_node_that_answered() -> None:
    assert find_route(["intent_classifier", "fast_count", "format_result"]) == ["fast_count"]
    assert find_route(["react", "react.tools", "react"]) == ["react"]


def make_item(turns: list[TurnResult] | None, **changes: Any) -> ItemResult:
    result = None if turns is None else {"turns": turns}
    status = "failed" if turns is None else "succeeded"
    return ItemResult(0, status, result, changes.get("code"), changes.get("message"))


def test_a_candidate_is_compared_with_the_replayed_baseline_if_present() -> None:
    other = make_turn(tools=[{**CALL, "arguments": {"a": 9}}])
    items = {"baseline": make_item([other]), "candidate": make_item([other])}
    found = compare_conversation(0, "c", {0: "A room?"}, [make_turn()], items)
    assert (found["severity"], found["turns"][0]["worse"]) == (0, [])
    alone = {"candidate": items["candidate"]}
    held = compare_conversation(0, "c", {0: "A room?"}, [make_turn()], alone)
    assert [change["measure"] for change in held["turns"][0]["worse"]] == ["same_arguments"]


def test_a_candidate_without_a_result_ranks_worst() -> None:
    items = {"baseline": make_item([make_turn()]), "candidate": make_item(None, code="X")}
    found = compare_conversation(0, "c", {}, [make_turn()], items)
    assert found["severity"] == UNFINISHED_SEVERITY
    assert found["unfinished"] == {"candidate": {"status": "failed", "code": "X", "message": ""}}
    assert set(found["turns"][0]["lanes"]) == {"recording", "baseline"}


@pytest.mark.parametrize("status", ["queued", "running", "cancelled"])
def test_an_unfinished_candidate_does_not_count_as_worse(status: Any) -> None:
    items = {"candidate": ItemResult(0, status, None, None, None)}
    found = compare_conversation(0, "c", {}, [make_turn()], items)
    assert (found["severity"], found["unfinished"]["candidate"]["status"]) == (0, status)


def test_a_conversation_that_cannot_be_resumed_does_not_count_as_worse() -> None:
    items = {"candidate": make_item(None, code="REPLAY_CHANGED", message="Start a new replay.")}
    found = compare_conversation(0, "c", {}, [make_turn()], items)
    assert found["severity"] == 0
    expected = {"status": "cancelled", "code": "REPLAY_CHANGED", "message": "Start a new replay."}
    assert found["unfinished"] == {"candidate": expected}


def test_a_destructive_call_ranks_far_above_another_filter_of_a_read_tool() -> None:
    before = measure_turn(make_turn(), make_turn())
    read = {"name": "list_jobs", "arguments": {"status": "x"}, "served": "closed", "effect": "read"}
    write = {"name": "delete_job", "arguments": {"id": 7}, "served": "closed", "effect": "write"}
    severities = [
        rate_severity(
            list_changes(before, measure_turn(make_turn(tools=[CALL, use]), make_turn()))[0]
        )
        for use in (read, write)
    ]
    assert severities[1] > 4 * severities[0]


def test_repeating_a_recorded_write_is_not_an_unrecorded_change() -> None:
    write = {"name": "delete_job", "arguments": {"id": 7}, "served": "sandbox", "effect": "write"}
    found = measure_turn(make_turn(tools=[write]), make_turn(tools=[write]))
    assert found["unrecorded_changes"] == 0


def judge_turn(winner: str, **changes: Any) -> Any:
    items = {
        "baseline": make_item([make_turn()]),
        "candidate": make_item([make_turn(**changes)]),
        "judge": ItemResult(
            0, "succeeded", {"turns": [{"turn": 0, "winner": winner, "reasons": []}]}, None, None
        ),
    }
    return compare_conversation(0, "c", {0: "A room?"}, [make_turn()], items)["turns"][0]


def test_only_heavier_measures_overrule_a_judges_verdict() -> None:
    asked_otherwise = [{**CALL, "arguments": {"a": 1, "b": 3}}]
    lesser = judge_turn("candidate", tools=asked_otherwise)
    assert ([c["measure"] for c in lesser["better"]], lesser["worse"]) == (["judged"], [])
    greater = judge_turn("candidate", error="CONTENT_FILTERED")
    assert [change["measure"] for change in greater["worse"]] == ["failed"]
    against = judge_turn("reference", tools=asked_otherwise)
    assert [change["measure"] for change in against["worse"]] == ["judged", "same_arguments"]


def test_answers_that_repeat_words_are_compared_in_bounded_time() -> None:
    """A model in a loop repeats two words: difflib alone would take hours of the server's time."""
    one, other = "ha " * 4_000, "ha ho " * 2_000
    assert compare_words(one, other) < 1
    assert describe_passages(one, other, ("1", "2"))
    assert mark_words(cut(one), cut(other))
    assert quote_change(one, other)
    short, mixed = "ha " * 440, "ha ho " * 220
    assert 0 < compare_words(short, mixed) < 1


def test_nearly_equal_long_answers_have_a_high_similarity() -> None:
    words = [f"w{n % 90}" for n in range(3_000)]
    changed = ["new" if n % 50 == 0 else word for n, word in enumerate(words)]
    assert compare_words(" ".join(words), " ".join(changed)) == pytest.approx(0.98)
