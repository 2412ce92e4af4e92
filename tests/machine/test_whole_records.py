"""All that a run leaves behind, compared whole: events, steps with notes, calls, tool calls."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from plainloop.agent.core.spec import Pack
from plainloop.agent.store.records import CallInfo
from tests.machine.notes_pack import WRITER, make_pack
from tests.machine.running import Machine, Told
from tests.machine.scripted import text, tools, triage, verdict

FAILED = {"error": "explode failed unexpectedly: tell the user, and continue without this tool"}
RAISED = {"raised": "RuntimeError: a bug in a tool", "at": "notes_pack/__init__.py:59"}
NOTE = {"note": {"note_id": 1, "text": "milk", "stars": 2}}
# What differs from run to run, or with how tokens are estimated.
_PASSING = ("call_id", "run_id", "created_at", "duration_ms", "first_token_ms")


async def list_steps(run: Machine, told: Told) -> list[tuple[Any, ...]]:
    """Of each step its node, where it led, its notes, and what was avoided and why."""
    steps = await run.load_steps(told)
    assert [step.n for step in steps] == [*range(len(steps))]
    assert all(avoided.tokens > 0 for step in steps for avoided in step.avoided)
    return [
        (s.node, s.next_node, s.notes, [(item.role, item.reason) for item in s.avoided])
        for s in steps
    ]


def show_call(call: CallInfo) -> dict[str, Any]:
    shown = asdict(call)
    assert shown.pop("estimated_input_tokens") > 0
    return {name: value for name, value in shown.items() if name not in _PASSING}


def call(step: int, node: str, role: str, worker: str | None, **rest: Any) -> dict[str, Any]:
    """What the ledger has of an answered call of the scripted model."""
    usage = {"input_tokens": 10, "output_tokens": 5, "raw": {"prompt": 10}, "source": "provider"}
    empty = ("cache_read_tokens", "cache_write_tokens", "cache_write_long_tokens")
    usage |= dict.fromkeys((*empty, "reasoning_tokens"))
    none = ("cost_usd", "most_usd", "request_id", "error_code", "error_message", "effort")
    return {
        "step": step,
        "node": node,
        "role": role,
        "worker": worker,
        "attempt": 1,
        "provider": "scripted",
        "model": "scripted-1",
        "model_answered": "scripted-1",
        "status": "succeeded",
        "usage": usage,
        "stop": "end",
        "notes": (),
        **dict.fromkeys(none),
        **rest,
    }


def usage(node: str) -> tuple[str, dict[str, Any]]:
    keys = ("cache_read_tokens", "cache_write_tokens", "reasoning_tokens", "cost_usd")
    told = {"node": node, "provider": "scripted", "model": "scripted-1", "source": "provider"}
    return "usage", {**told, "input_tokens": 10, "output_tokens": 5, **dict.fromkeys(keys)}


def start(step: int, node: str) -> tuple[str, dict[str, Any]]:
    return "node_start", {"step": step, "node": node}


def end(step: int, node: str, following: str) -> tuple[str, dict[str, Any]]:
    return "node_end", {"step": step, "node": node, "next": following}


async def test_a_turn_with_tools_is_recorded_completely(machine):
    asked = tools(
        ("c1", "add_note", {"text": "milk", "stars": 2}),
        ("c2", "list_notes", {}),
        ("c3", "explode", {}),
        said="One moment.",
    )
    run = await machine(triage("note_writer"), asked, text("Noted."), parallel_tool_calls=1)
    told = await run.ask("note milk")
    assert told.error is None
    node, skipped = "note_writer", "evaluator skipped: never, 3 tool calls this turn"
    assert await list_steps(run, told) == [
        ("intent_classifier", "agent_router", ("one model call: worker 'note_writer'",), []),
        ("agent_router", node, (), [("router", "triage named the worker")]),
        (node, f"{node}.tools", (), []),
        (f"{node}.tools", node, (), []),
        (node, "END", (), [("evaluator", skipped)]),
    ]
    assert [show_call(item) for item in await run.list_calls(told)] == [
        call(0, "intent_classifier", "classifier", None, effort="low"),
        call(2, node, "worker", node, stop="tool_use"),
        call(4, node, "worker", node),
    ]
    records = [
        ("c1", 0, "add_note", "write", "succeeded", {"text": "milk", "stars": 2}, {}),
        ("c2", 1, "list_notes", "read", "succeeded", {}, {}),
        ("c3", 2, "explode", "read", "failed", {}, RAISED),
    ]
    for record, expected in zip(await run.list_tool_calls(told), records, strict=True):
        fields = asdict(record)
        assert fields.pop("started_at") is not None and fields.pop("duration_ms") >= 0
        assert fields.pop("idempotency_key") == f"{told.run_id}:3:{expected[0]}"
        assert tuple(fields.values()) == expected
    starts: list[Any] = [
        ("tool_start", {"id": it[0], "name": it[2], "arguments": it[5]}) for it in records
    ]
    shown: list[Any] = [(e["event"], e["data"]) for e in told.events if e["event"] != "text_delta"]
    begun = {"thread_id": run.thread_id, "run_id": told.run_id}
    assert shown == [
        ("run_start", {**begun, "provider": "scripted", "model": "scripted-1"}),
        *(start(0, "intent_classifier"), usage("intent_classifier")),
        end(0, "intent_classifier", "agent_router"),
        *(start(1, "agent_router"), end(1, "agent_router", node)),
        *(start(2, node), usage(node), end(2, node, f"{node}.tools")),
        *(start(3, f"{node}.tools"), starts[1]),
        ("tool_result", {"id": "c2", "name": "list_notes", "result": {"notes": []}}),
        starts[2],
        ("tool_error", {"id": "c3", "name": "explode", "error": FAILED["error"], "result": FAILED}),
        starts[0],
        ("tool_result", {"id": "c1", "name": "add_note", "result": NOTE}),
        end(3, f"{node}.tools", node),
        *(start(4, node), usage(node), end(4, node, "END")),
        ("done", {"content": "One moment.\n\nNoted."}),
    ]


async def test_a_rejected_draft_is_recorded_with_its_feedback(machine):
    run = await machine(
        *(triage("poet"), text("A LOUD poem."), text("A poem."), verdict("retry", "more")),
        *(text("A better poem."), verdict("pass")),
    )
    told = await run.ask("write a poem")
    assert told.error is None
    unsent = ("tools", "5 tools of other workers were not sent")
    steps = await list_steps(run, told)
    assert [(node, following) for node, following, *_ in steps[2:]] == [
        *(("poet", "poet.evaluator"), ("poet.evaluator", "poet")) * 2,
        *(("poet", "poet.evaluator"), ("poet.evaluator", "END")),
    ]
    asked = ("evaluator: always, 0 tool calls this turn",)
    assert [(notes, avoided) for _, _, notes, avoided in steps[2::2]] == [(asked, [unsent])] * 3
    assert told.list_events("text_reset") == [{"reason": "review"}] * 2
    assert told.text == told.answer == "A better poem."
    assert [(item.role, item.worker) for item in await run.list_calls(told)] == [
        *(("classifier", None), ("worker", "poet"), ("worker", "poet"), ("evaluator", "poet")),
        *(("worker", "poet"), ("evaluator", "poet")),
    ]


async def test_a_long_threads_record_states_the_omitted_messages(machine):
    run = await machine(
        *(step for n in range(4) for step in (triage("note_writer"), text("Milk, bread. " * 200))),
        *(triage("note_writer"), text("Yes.")),
        window_tokens=1_200,
    )
    for n in range(4):
        assert (await run.ask(f"say {n}")).error is None
    told = await run.ask("so?")
    (worker,) = [step for step in await run.load_steps(told) if step.node == "note_writer"]
    (trimmed,) = [item for item in worker.avoided if item.role == "history"]
    count = int(trimmed.reason.partition(" ")[0])
    assert trimmed.reason == f"{count} older messages trimmed"
    assert f"history trimmed: {count} messages, {trimmed.tokens} tokens not sent" in worker.notes
    stored = await run.load_messages()
    left_out = [message["tokens"] for message in stored[:count]]
    assert trimmed.tokens == sum(left_out)
    sent = run.provider.requests[-1].messages
    assert len(sent) == len(stored) - 1 - count  # all of the rest but the answer itself


async def test_a_cut_results_record_states_its_original_size(machine):
    def make_long_pack() -> Pack:
        return replace(make_pack(), workers=(replace(WRITER, tools=("list_notes", "add_note")),))

    add = [tools((f"a{n}", "add_note", {"text": f"{n} milk, " * 60})) for n in range(3)]
    run = await machine(
        *(*add, tools(("c1", "list_notes", {})), text("Many.")),
        pack=make_long_pack(),
        tool_result_tokens=300,
    )
    told = await run.ask("list them")
    assert told.error is None
    steps = await run.load_steps(told)
    (cut,) = [item for item in steps[-2].avoided if item.role == "results"]
    assert cut.reason == "a result of list_notes cut to fit"
    (result,) = told.list_events("tool_result")[-1:]
    assert result["result"]["shown"].endswith(" of 3") and cut.tokens > 100


async def test_a_repaired_historys_record_states_the_repairs(machine):
    run = await machine(triage("note_writer"), text("Yes."))
    lost: Any = {"type": "tool_call", "id": "c1", "name": "list_notes", "arguments": {}}
    for message in (
        {"role": "user", "parts": [{"type": "text", "text": "before"}]},
        {"role": "assistant", "parts": [lost]},
    ):
        await run.store.save_message("acme", run.thread_id, None, message)
    told = await run.ask("so?")
    (worker,) = [step for step in await run.load_steps(told) if step.node == "note_writer"]
    note = "history repaired: answered the open call c1 as interrupted"
    assert worker.notes.count(note) == 1


async def test_a_limits_reason_is_recorded_beside_the_public_text(machine):
    again = [tools((f"c{n}", "list_notes", {"limit": n + 1})) for n in range(3)]
    run = await machine(triage("note_writer"), *again, worker_turns=2)
    told = await run.ask("go on")
    row = await run.load_run(told)
    reason = "the run used all its 2 worker turns: send a message to continue"
    assert (row.status, row.error_code) == ("limit", "LIMIT_REACHED")
    assert row.error_message == "Max iterations reached"
    assert row.notes == (f"limit: {reason}",)
    data = {"message": "Max iterations reached", "code": "LIMIT_REACHED", "reason": reason}
    assert told.last == ("error", data)
