"""Records as rows and rows as records, whole: a field that is lost or exchanged shows here."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from plainloop.agent.store import rows
from plainloop.agent.store.records import (
    NOTHING,
    AvoidedCall,
    CallInfo,
    CallSettled,
    Reserved,
    Run,
    RunEnd,
    RunInfo,
    RunStart,
    StepInfo,
    is_free_failure,
    leave_open,
    price_nothing,
    undo_effect,
)
from plainloop.agent.types import NOT_BEGUN, RunOptions, ToolSchema, Usage, Wishes
from tests.core.store_samples import (
    STARTED_AT,
    make_call_start,
    make_event,
    make_settled,
    make_step,
    make_text,
    make_tool_answer,
    make_tool_call,
    make_tool_use,
)

RUN = Run("acme", "ann", "t1", "r1", "me", 3, 2, "default", "tracker", 7)
OPTIONS = RunOptions(
    tags=("a",),
    client_tools=(ToolSchema("ask", "Ask.", {}),),
    tells_reasoning=True,
    wishes=Wishes(),
)
BUCKETS = {
    "input_tokens": 10,
    "cache_read_tokens": 20,
    "cache_write_tokens": 30,
    "cache_write_long_tokens": None,
    "output_tokens": 40,
    "reasoning_tokens": None,
}


def test_a_run_is_listed_with_its_notes():
    now = datetime.now(UTC)
    row: dict[str, Any] = {name: f"its {name}" for name in RunInfo.__dataclass_fields__}
    row |= {"notes": ["one", "two"], "created_at": now, "ended_at": None, "another": 1}
    told = rows.from_run_row(row)
    assert asdict(told) == {**{key: row[key] for key in asdict(told)}, "notes": ("one", "two")}
    assert rows.from_run_row({**row, "notes": None}).notes == ()


def test_a_new_run_stores_its_options_as_one_value_and_in_columns():
    start = RunStart("ann", "t1", make_text("user", "hi"), "default", "tracker", run_id="r1")
    plain = rows.to_run_row(start, status="queued")
    assert (plain["status"], plain["tags"]) == ("queued", ())
    assert {"options", "client_tools", "idempotency_key"} & plain.keys() == set(), "nulls"
    same = {"user_id", "thread_id", "run_id", "design", "pack"}
    assert {key: plain[key] for key in same} == {key: getattr(start, key) for key in same}
    assert (plain["attempt"], plain["fence"], plain["cancel_requested"]) == (0, 0, False)
    assert {"message", "title", "position", "sentence", "history_tokens"} & plain.keys() == set()

    row = rows.to_run_row(replace(start, options=OPTIONS), status="running", fence=1, attempt=1)
    assert row["options"] == {"tags": ("a",), "client_tools": OPTIONS.client_tools} | {
        "tells_reasoning": True
    }
    assert (row["tags"], row["tells_reasoning"]) == (("a",), True)
    assert (row["fence"], row["attempt"]) == (1, 1)


def test_run_options_are_read_from_one_value_or_else_from_columns():
    schema = {"name": "ask", "description": "Ask.", "parameters": {}}
    kept = {"tags": ["a"], "client_tools": [schema], "tells_reasoning": True}
    none = dict.fromkeys(RunOptions.__dataclass_fields__)
    assert rows.from_begun_row({**none, "tags": ["b"], "options": kept}) == OPTIONS
    assert rows.from_begun_row({**none, **kept, "options": None}) == OPTIONS
    assert rows.from_begun_row({"options": None}) == RunOptions()


def test_a_new_runs_row_has_an_owner_and_a_position():
    row = {name: getattr(RUN, name) for name in Run.__dataclass_fields__}
    assert rows.from_held_row({**row, "another": 1}) == RUN
    queued = rows.from_held_row({**row, "owner": None, "input_position": None})
    assert (queued.owner, queued.input_position) == ("", -1)
    first = rows.from_held_row({**row, "input_position": 0})
    assert first.input_position == 0


def test_a_message_row_has_its_size_and_position():
    row = {"role": "user", "parts": [1], "tokens": 5, "tokens_before": 9, "position": 2}
    sealed = {"role": "user", "parts": [1], "tokens": 5, "offset": 9}
    assert rows.from_message_row(row) == sealed
    stored, total = rows.to_message_rows([make_text("user", "one two"), make_text("user", "three")])
    assert [row["role"] for row in stored] == ["user", "user"]
    assert stored[0]["parts"] == [{"type": "text", "text": "one two"}]
    assert total == sum(row["tokens"] for row in stored) > stored[1]["tokens"] > 0


def test_a_loaded_step_contains_its_messages():
    row = {"n": 2, "node": "w", "next_node": "END", "update": {"feedback": ""}, "notes": ["a"]}
    row |= {"avoided": [["router", "why", 3]], "started_at": STARTED_AT, "duration_ms": 8}
    said = [make_text("assistant", "yes")]
    avoided = (AvoidedCall("router", "why", 3),)
    info = StepInfo(2, "w", "END", {"feedback": ""}, ("a",), avoided, STARTED_AT, 8)
    assert rows.from_step_row(row, []) == info
    with_messages: Any = {"feedback": "", "messages": said}
    assert rows.from_step_row(row, said) == replace(info, update=with_messages)
    bare = rows.from_step_row({**row, "notes": None, "avoided": None}, [])
    assert (bare.notes, bare.avoided) == ((), ())


def test_a_step_is_stored_without_its_messages():
    update: Any = {"messages": [make_text("assistant", "yes")], "feedback": "more"}
    events = (make_event(4, "node_start", step=1, node="worker"),)
    step = make_step(1, update=update, notes=("n",), events=events)
    step = replace(step, avoided=(AvoidedCall("router", "why", 3),))
    assert rows.to_step_row(step, range(5, 8)) == {
        "n": 1,
        "node": "worker",
        "update": {"feedback": "more"},
        "next_node": "END",
        "first": 5,
        "last": 7,
        "avoided": [["router", "why", 3]],
        "notes": ["n"],
        "started_at": STARTED_AT,
        "duration_ms": 7,
        "first_seq": 4,
        "last_seq": 4,
        "events": [["node_start"]],
    }
    bare = rows.to_step_row(make_step(1), range(3, 3))
    absent = ("first", "last", "avoided", "notes", "first_seq", "last_seq", "events")
    assert [bare[name] for name in absent] == [None] * 7


def test_an_attempts_row_contains_its_maximum_cost():
    start = replace(make_call_start(RUN), fence=3)
    row = rows.to_call_row(start)
    fields = asdict(start)
    for name in ("tenant_id", "fence", "reserved"):
        del fields[name]
    for name in ("fingerprint", "system_hash", "tools_hash"):
        fields[name] = fields[name] and f"\\x{fields[name]}"
    assert row == {name: value for name, value in fields.items() if value is not None}
    for reserved, most in ((Reserved(5, Decimal("0.10")), "0.10"), (Reserved(5, None), None)):
        assert rows.to_call_row(replace(start, reserved=reserved)).get("most_usd") == most


def test_a_settled_attempt_is_stored_in_buckets():
    start = make_call_start(RUN)
    usage = Usage(10, 20, 30, 40, raw={"x": 1}, source="estimated")
    said = {"message": make_text("assistant", "yes"), "stop": "end"}
    call = make_settled(start, usage=usage, response=said, error_code="E", error_message="why")
    assert rows.to_settled_row(call) == {
        "call_id": start.call_id,
        "status": "succeeded",
        "duration_ms": 812,
        "model_answered": "some-model-1",
        "request_id": "req_1",
        "first_token_ms": 120,
        "stop": "end",
        "error_code": "E",
        "error_message": "why",
        "cost_usd": "0.00012",
        "price_version": "prices 1",
        **rows.drop_nulls(BUCKETS),
        "usage_source": "estimated",
        "usage_raw": {"x": 1},
        "response": "yes",
        "notes": ["asked once"],
    }
    refused = make_settled(start, status="failed", usage=Usage(source="missing"), notes=())
    row = rows.to_settled_row(refused)
    assert (row["cost_usd"], row["price_version"], row.get("notes")) == ("0", NOT_BEGUN, None)


def test_a_ledger_row_has_its_cost_as_text():
    names = CallInfo.__dataclass_fields__.keys() - {"usage"}
    row: dict[str, Any] = {name: f"its {name}" for name in names}
    assert {*rows.CALL_COLUMNS} == {*names, *BUCKETS, "usage_raw", "usage_source"}
    row |= {**BUCKETS, "usage_raw": {"x": 1}, "usage_source": "provider", "notes": ["a"]}
    row |= {"cost_usd": Decimal("1E-7"), "most_usd": Decimal("2.50")}
    told = rows.from_call_row(row)
    assert told.usage == Usage(10, 20, 30, 40, raw={"x": 1})
    assert (told.cost_usd, told.most_usd, told.notes) == ("0.0000001", "2.50", ("a",))
    assert (told.node, told.created_at) == ("its node", "its created_at")
    row |= {"cost_usd": None, "most_usd": None, "notes": None}
    told = rows.from_call_row(row)
    assert (told.cost_usd, told.most_usd, told.notes) == (None, None, ())


def test_a_tool_call_without_a_receipt_stores_none():
    call = make_tool_call("c1", receipt={"bytes": 3}, started_at=STARTED_AT)
    row = rows.to_tool_call_row(call)
    assert row == asdict(call)
    assert rows.from_tool_call_row({**row, "another": 1}) == call
    bare = rows.to_tool_call_row(make_tool_call("c1"))
    assert bare["receipt"] is None
    assert rows.from_tool_call_row(bare).receipt == {}


@pytest.mark.parametrize(
    ("response", "kept"),
    [
        ({"message": make_text("assistant", "yes"), "stop": "end"}, "yes"),
        (None, None),
        ({"message": make_tool_use("c1"), "stop": "end"}, ...),
        ({"message": {"role": "assistant", "parts": []}}, ...),
        ({"message": {"parts": [{"type": "text", "text": "a", "provider_state": {}}]}}, ...),
        ({"message": {"parts": [*make_text("assistant", "a")["parts"] * 2]}}, ...),
    ],
)
def test_a_plain_text_answer_is_stored_as_text(response: Any, kept: Any):
    row = rows.to_response_row(response)
    assert row == (response if kept is ... else kept)
    if response is not None:
        message = make_text("assistant", "yes") if kept == "yes" else response["message"]
        assert rows.from_response_row(row) == message


def test_an_event_without_its_erased_message_has_its_other_fields():
    row = {"first_seq": 3, "first_position": 4, "n": 1, "node": "w", "next_node": "END"}
    packed = [["done", {}, 0], ["text_delta", [0, 2], 0], ["tool_start", {"id": "c1"}, 0], ["x"]]
    told = rows.from_event_row({**row, "events": packed}, {})
    assert told == [
        make_event(3, "done"),
        make_event(4, "text_delta", content=""),
        make_event(5, "tool_start", id="c1"),
        make_event(6, "x"),
    ]


def test_a_stored_event_refers_to_the_message_with_its_value():
    step = make_step(2, update={"messages": [make_tool_use("c1"), make_tool_answer("c2", 5)]})
    for event, packed in (
        (make_event(1, "tool_start", id="c2", arguments={}), None),
        (make_event(1, "tool_start", arguments={}), None),
        (make_event(1, "tool_result", id="c2", result=5), ["tool_result", {"id": "c2"}, 1]),
        (make_event(1, "done", content=""), ["done", {}, 0]),
    ):
        stored = rows.to_event_row([event], step)
        assert stored is not None
        assert stored[2] == [packed or [event["event"], event["data"]]]


def test_deltas_equal_to_the_stored_answer_are_not_stored():
    step = make_step(2, update={"messages": [make_text("user", "abcd"), make_text("user", "xcd")]})
    deltas = [make_event(n, "text_delta", content=text) for n, text in ((1, "c"), (2, "d"))]
    assert rows.to_event_row(deltas, step) == (1, 2, [["text_delta", ["c", "d"]]])
    said: Any = {"messages": [make_text("user", "cd"), make_text("assistant", "abcd")]}
    packed = (1, 2, [["text_delta", [2, 1, 1], 1]])
    assert rows.to_event_row(deltas, make_step(2, update=said)) == packed
    empty = [make_event(1, "text_delta", content="")]
    assert rows.to_event_row(empty, make_step(2, update=said)) == (1, 1, [["text_delta", [""]]])


def test_a_smaller_maximum_answer_reserves_less_cost():
    most = Reserved(1_000, Decimal(5), 400, 300, Decimal("0.01"))
    less = Reserved(700, Decimal(2), 100, 300, Decimal("0.01"))
    assert most.shrink(100) == less
    assert replace(most, cost_usd=None).shrink(100) == replace(less, cost_usd=None)
    assert most.shrink(400) == most


@pytest.mark.parametrize(
    ("status", "error_code", "usage", "is_free", "took_nothing"),
    [
        ("failed", "RATE_LIMITED", Usage(source="missing"), True, True),
        ("failed", "RATE_LIMITED", Usage(input_tokens=0), True, False),
        ("failed", "MODEL_TIMEOUT", Usage(source="missing"), False, False),
        ("failed", "STREAM_CUT", Usage(source="missing"), False, False),
        ("succeeded", None, Usage(source="missing"), False, False),
        ("cut", "RATE_LIMITED", Usage(source="missing"), False, False),
    ],
)
def test_a_call_refused_before_it_began_costs_nothing(
    status: Any, error_code: str | None, usage: Usage, is_free: bool, took_nothing: bool
):
    call = CallSettled("c", "acme", status, usage, 3, error_code=error_code)
    assert is_free_failure(status, error_code) is is_free
    assert call.took_nothing is took_nothing
    priced = replace(call, cost_usd="0", price_version=NOT_BEGUN) if took_nothing else call
    assert price_nothing(call) == priced


def test_a_cancelled_call_of_a_handed_over_run_is_recorded_as_cut():
    call = CallSettled("c", "acme", "cancelled", Usage(), 3, error_code="CANCELLED")
    assert leave_open(call) == replace(call, status="cut", error_code="INTERRUPTED")
    done = replace(call, status="succeeded", error_code=None)
    assert leave_open(done) is done


def test_undo_effect_marks_only_successful_writes_as_interrupted():
    write = make_tool_call("c1", effect="write")
    assert undo_effect(write) == replace(write, status="interrupted")
    for status in ("denied", "failed", "approval", "unknown"):
        call = make_tool_call("c1", effect="write", status=status)
        assert undo_effect(call) is call
    for effect in ("read", "external"):
        call = make_tool_call("c1", effect=effect)
        assert undo_effect(call) is call


def test_a_runs_end_event_has_its_code_and_limit():
    failed = {"message": "why", "code": "E"}
    assert RunEnd("failed", "E", "why").to_event() == {"event": "error", "data": failed}
    assert RunEnd("failed").to_event()["data"] == {"message": "", "code": ""}
    stored = RunEnd("limit", "E", "why", "steps").to_stored_event(9)
    assert stored == make_event(9, "error", **failed, reason="steps")
    assert NOTHING.step is None
