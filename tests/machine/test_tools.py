"""Tool calls: once, in order, each on its own; what a model gets wrong it is told."""

from __future__ import annotations

import asyncio
import math
import re
from dataclasses import replace
from typing import Any

from plainloop.agent.core.results import NOTE
from plainloop.agent.core.spec import WorkerSpec
from plainloop.agent.core.tools import ToolContext, ToolOutcome, tool
from plainloop.agent.errors import LeaseLost, ToolError
from tests.machine.notes_pack import ALL_TOOLS, make_pack
from tests.machine.running import TENANT, USER, Told
from tests.machine.scripted import text, tools, triage


def get_results(messages) -> dict[str, Any]:
    """Each call's result by its id, in the stored order."""
    return {
        part["id"]: part["result"]
        for message in messages
        if message["role"] == "tool"
        for part in message["parts"]
    }


def make_tool_pack(*more, **spec: Any):
    """A pack with one worker that has these tools beside the usual ones."""
    all_tools = (*ALL_TOOLS, *more)
    worker = WorkerSpec("solo", "", "Do it.", tuple(item.name for item in all_tools), **spec)
    return replace(make_pack(), workers=(worker,), default_worker="solo", tools=all_tools)


async def run_calls(machine, *calls, pack=None, **limits) -> tuple[Any, Told]:
    run = await machine(
        *([] if pack else [triage("note_writer")]),
        tools(*calls),
        text("Done."),
        pack=pack,
        **limits,
    )
    told = await run.ask()
    assert told.answer == "Done."
    return run, told


async def test_a_failing_call_does_not_stop_parallel_calls(machine):
    run, told = await run_calls(
        machine,
        ("a", "add_note", {"text": "one"}),
        ("b", "explode", {}),
        ("c", "add_then_fail", {"text": "gone"}),
        ("d", "list_notes", {}),
        ("e", "nothing_like_it", {}),
        ("f", "add_note", {"text": "two", "stars": 9}),
        ("g", "add_note", {"text": "three"}),
        ("h", "ad_note", {"text": "x"}),
    )
    results = get_results(await run.load_messages())
    ids = {name: result["note"].pop("note_id") for name, result in results.items() if name in "ag"}

    assert list(results) == list("abcdefgh")
    assert ids["a"] < ids["g"]
    assert results == {
        "a": {"note": {"text": "one", "stars": 0}},
        "b": {
            "error": "explode failed unexpectedly: tell the user, and continue without this tool"
        },
        "c": {"error": "no, after all", "hint": "use add_note"},
        "d": {"notes": []},
        "e": {
            "error": "unknown tool 'nothing_like_it'",
            "available": sorted(item.name for item in ALL_TOOLS),
        },
        "f": {"error": "invalid arguments: Expected `int` <= 5 - at `$.stars`"},
        "g": {"note": {"text": "three", "stars": 0}},
        "h": {"error": "unknown tool 'ad_note'", "did_you_mean": "add_note"},
    }
    assert await run.list_notes() == [("one", 0), ("three", 0)]
    records = {call.tool_call_id: call for call in await run.list_tool_calls(told)}
    assert {key: (call.index, call.effect, call.status) for key, call in records.items()} == {
        "a": (0, "write", "succeeded"),
        "b": (1, "read", "failed"),
        "c": (2, "write", "failed"),
        "d": (3, "read", "succeeded"),
        "e": (4, "read", "failed"),
        "f": (5, "write", "failed"),
        "g": (6, "write", "succeeded"),
        "h": (7, "read", "failed"),
    }
    raised = records["b"].receipt
    assert raised["raised"] == "RuntimeError: a bug in a tool"
    assert re.fullmatch(r"notes_pack/__init__\.py:\d+", raised["at"])
    told_failed = {item["id"]: item["error"] for item in told.list_events("tool_error")}
    assert told_failed == {key: results[key]["error"] for key in "bcefh"}
    assert {item["id"] for item in told.list_events("tool_result")} == set("adg")


async def test_a_tool_write_and_its_record_commit_together(machine):
    @tool("write")
    async def lose_the_run(tool: ToolContext) -> Any:
        """Another process takes the run over while this tool works."""
        run_id = tool.ctx.run.run_id
        await tool.ctx.store.read("acme").execute(
            "UPDATE runs SET fence = fence + 1 WHERE tenant_id = $1 AND run_id = $2", "acme", run_id
        )

    run = await machine(
        tools(("a", "add_note", {"text": "x"}), ("b", "lose_the_run", {})),
        pack=make_tool_pack(lose_the_run),
    )
    told = Told()
    work = run.service.answer(TENANT, USER, run.thread_id, "go", told.events.append)
    (ended,) = await asyncio.gather(asyncio.ensure_future(work), return_exceptions=True)

    # Whoever stores next finds out: the step, or a flush of events, which stops the run.
    assert isinstance(ended, LeaseLost | asyncio.CancelledError)
    assert await run.list_notes() == []
    assert [step.node for step in await run.load_steps(told)][-1] == "solo"
    assert await run.list_tool_calls(told) == []


async def test_a_worker_cannot_call_another_workers_tool(machine):
    run = await machine(
        triage("poet"),
        tools(("a", "add_note", {"text": "x"})),
        text("Fine."),
        text('{"verdict":"pass","feedback":"","score":1}'),
    )
    await run.ask()

    assert get_results(await run.load_messages())["a"] == {
        "error": "unknown tool 'add_note'",
        "available": ["list_notes"],
    }
    assert await run.list_notes() == [("Fine.", 5)]


async def test_a_hanging_tool_times_out_alone_and_its_writes_are_undone(machine):
    @tool("write")
    async def add_and_hang(tool: ToolContext) -> Any:
        """Add a note, then hang."""
        await ALL_TOOLS[0].function(tool, "half")
        await asyncio.Event().wait()

    run, _ = await run_calls(
        machine,
        ("a", "add_and_hang", {}),
        ("b", "hang", {}),
        ("c", "add_note", {"text": "whole"}),
        ("d", "list_notes", {}),
        pack=make_tool_pack(add_and_hang),
        tool_timeout_s=1.5,
    )

    results = get_results(await run.load_messages())
    assert results["a"] == results["b"] == {"error": "timed out after 1.5 s"}
    assert results["d"] == {"notes": []}
    assert await run.list_notes() == [("whole", 0)]


async def test_a_failing_statement_undoes_only_its_own_call(machine):
    @tool("write")
    async def break_a_rule(tool: ToolContext) -> Any:
        """Add a note without a text."""
        await tool.db.execute("INSERT INTO notes (tenant_id, user_id) VALUES ($1, 'x')", "acme")

    run, _ = await run_calls(
        machine,
        ("a", "add_note", {"text": "before"}),
        ("b", "break_a_rule", {}),
        ("c", "add_note", {"text": "after"}),
        pack=make_tool_pack(break_a_rule),
    )

    assert await run.list_notes() == [("before", 0), ("after", 0)]


async def test_calls_with_invalid_argument_json_are_not_executed(machine):
    bad = tools(("a", "add_note", {}))
    bad.message["parts"][0]["invalid_arguments"] = '{"text": "x'
    run = await machine(triage("note_writer"), bad, text("Sorry."))
    told = await run.ask()

    assert told.answer == "Sorry."
    assert get_results(await run.load_messages())["a"] == {
        "error": "the arguments were not a JSON object; the call was not executed"
    }
    assert await run.list_notes() == []


async def test_the_last_call_of_a_length_cut_answer_is_not_executed(machine):
    cut = tools(("a", "add_note", {"text": "whole"}), ("b", "add_note", {"text": "ha"}))
    cut = replace(cut, stop="length")
    run = await machine(triage("note_writer"), cut, text("I will be shorter."))
    told = await run.ask()

    assert told.answer == "I will be shorter."
    assert await run.list_notes() == [("whole", 0)]
    shown = run.provider.requests[-1].messages[-1]["parts"]
    assert [part["is_error"] for part in shown] == [False, True]
    assert "cut off at its token limit" in shown[1]["result"]["error"]
    records = await run.list_tool_calls(told)
    assert [(call.tool_call_id, call.status) for call in records] == [
        ("a", "succeeded"),
        ("b", "failed"),
    ]


async def test_read_calls_run_in_parallel_up_to_the_limit(machine):
    running, most = 0, 0

    @tool("read")
    async def look(tool: ToolContext, n: int) -> Any:
        """Look."""
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(20):
            await asyncio.sleep(0)
        running -= 1
        return {"n": n}

    calls = [(f"c{n}", "look", {"n": n}) for n in range(6)]
    run, _ = await run_calls(machine, *calls, pack=make_tool_pack(look), parallel_tool_calls=3)

    assert most == 3
    results = get_results(await run.load_messages())
    assert list(results.values()) == [{"n": n} for n in range(6)]


async def test_a_sequential_worker_runs_calls_in_order(machine):
    pack = make_tool_pack(parallel_tools=False)
    run, _ = await run_calls(
        machine,
        ("a", "add_note", {"text": "one"}),
        ("b", "list_notes", {}),
        ("c", "set_mood", {"mood": "glad"}),
        ("d", "set_mood", {"mood": "sad"}),
        pack=pack,
    )
    results = get_results(await run.load_messages())

    assert results["b"]["notes"] == [], "a read sees the last commit, not the step's own writes"
    assert results["d"] == {"mood": "sad", "before": "glad"}
    assert await run.load_data() == {"mood": "sad"}
    assert run.provider.requests[0].parallel_tool_calls is False


async def give_each(machine, outcomes: dict[str, Any]) -> tuple[Any, Told, dict[str, Any]]:
    """One call of a tool for each outcome: the run, what was told, the stored results."""

    @tool("read")
    async def give(tool: ToolContext, name: str) -> Any:
        """Give it."""
        return outcomes[name]

    calls = [(f"c{n}", "give", {"name": name}) for n, name in enumerate(outcomes)]
    run, told = await run_calls(machine, *calls, pack=make_tool_pack(give))
    results = get_results(await run.load_messages())
    shown = {part["id"]: part["result"] for part in run.provider.requests[-1].messages[-1]["parts"]}
    assert results == shown, "stored as the model sees them"
    return run, told, dict(zip(outcomes, results.values(), strict=True))


async def test_an_unstorable_tool_result_fails_only_its_call(machine):
    given = {
        "undeclared field": ToolOutcome({"ok": True}, data={"weight": 80}),
        "data is no JSON": ToolOutcome({"ok": True}, data={"mood": {1, 2, object()}}),
        "result is no JSON": ToolOutcome(object()),
        "a number beyond JSON": ToolOutcome(2**80),
    }
    run, _, results = await give_each(machine, {**given, "good": {"ok": True}})

    failed = {"error": "give failed unexpectedly: tell the user, and continue without this tool"}
    assert results == {**dict.fromkeys(given, failed), "good": {"ok": True}}
    assert await run.load_data() == {}


async def test_a_tool_that_mutates_its_arguments_changes_no_state(machine):
    @tool("read")
    async def add_mood(tool: ToolContext, mood: str, fail: bool = False) -> Any:
        """Add to the list of moods, where it is."""
        moods = dict(tool.data).setdefault("mood", [])
        moods.append(mood)
        if fail:
            raise ToolError("no, after all")
        return ToolOutcome({"moods": moods}, data={"mood": moods})

    run, _ = await run_calls(
        machine, ("a", "add_mood", {"mood": "glad"}), pack=make_tool_pack(add_mood)
    )
    run.provider.script[:] = [
        tools(("b", "add_mood", {"mood": "lost", "fail": True})),
        tools(("c", "add_mood", {"mood": "calm"})),
        text("Done."),
    ]
    await run.ask("again")

    assert get_results(await run.load_messages()) == {
        "a": {"moods": ["glad"]},
        "b": {"error": "no, after all"},
        "c": {"moods": ["glad", "calm"]},
    }


async def test_tool_results_become_storable_json(machine):
    given = {
        "keys and letters": {1: "a", "b\x00": "\ud800"},
        "no number": math.nan,
        "text": "plain text",
        "nothing": None,
        "a tuple": [1, {"x": (2, 3)}],
    }
    _, _, results = await give_each(machine, given)

    assert results == {
        "keys and letters": {"1": "a", "b": "\ufffd"},
        "no number": None,
        "text": "plain text",
        "nothing": None,
        "a tuple": [1, {"x": [2, 3]}],
    }


async def test_a_tool_failure_has_details_and_sets_no_data(machine):
    refused = {"status": "error", "message": "no"}
    given = {
        "text": ToolOutcome("just no", is_error=True),
        "status": ToolOutcome(refused, data={"mood": "wrong"}),
    }

    @tool("read")
    async def need_a_key(tool: ToolContext) -> Any:
        """Want a key."""
        raise ToolError("no key", setting="AGENT_SEARCH_API_KEY")

    run, told, _ = await give_each(machine, given)
    _, without = await run_calls(machine, ("a", "need_a_key", {}), pack=make_tool_pack(need_a_key))

    assert told.list_events("tool_error") == [
        {"id": "c0", "name": "give", "error": "just no", "result": "just no"},
        {"id": "c1", "name": "give", "error": "no", "result": refused},
    ]
    assert await run.load_data() == {}
    (failed,) = without.list_events("tool_error")
    assert failed["result"] == {"error": "no key", "setting": "AGENT_SEARCH_API_KEY"}


async def test_a_large_result_is_cut_with_a_note_how_to_get_the_rest(machine):
    @tool("read")
    async def give_rows(tool: ToolContext, limit: int = 500) -> Any:
        """Many rows."""
        return {"rows": [{"n": n, "text": "row " * 5} for n in range(limit)], "total": 9000}

    run, told = await run_calls(
        machine, ("a", "give_rows", {}), pack=make_tool_pack(give_rows), tool_result_tokens=300
    )
    result = get_results(await run.load_messages())["a"]
    kept = len(result["rows"])
    steps = await run.load_steps(told)
    (saved,) = [call for step in steps for call in step.avoided if call.role == "results"]

    assert 0 < kept < 50
    assert result["rows"] == [{"n": n, "text": "row " * 5} for n in range(kept)]
    assert (result["total"], result["note"], result["shown"]) == (9000, NOTE, f"{kept} of 500")
    assert saved.reason == "a result of give_rows cut to fit"
    assert saved.tokens > 500 * 5
