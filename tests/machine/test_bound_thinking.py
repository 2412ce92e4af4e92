"""Threads on the default Claude model, which binds thinking to its prefix, are never refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import RoleSettings, Settings, load_settings
from plainloop.agent.core.models import Models
from plainloop.agent.core.spec import WorkerSpec
from plainloop.agent.store import budgets
from plainloop.agent.store.budgets import Budget, save_budget
from plainloop.agent.types import Message
from plainloop_wire.faults import Fault, Faults
from plainloop_wire.script import parse_script
from tests.machine.conftest import StartMachine
from tests.machine.notes_pack import WRITER, make_pack
from tests.machine.running import TENANT, Machine, Told
from tests.wire_fixtures import StartWire, WireServer

MODEL = "claude-sonnet-5-5"
NOTE, POEM = "please write a note", "please write a poem"


def step(answer: dict[str, Any], times: int | None = None, **match: Any) -> dict[str, Any]:
    return {"match": match, "answer": answer, "times": times}


PASS = {"verdict": "pass", "feedback": "", "score": 0.9}
RETRY = {"verdict": "retry", "feedback": "shorter", "score": 0.2}
TRIAGE = [
    step({"json": {"worker": worker}}, schema="worker", user=word)
    for word, worker in (("note", "note_writer"), ("poem", "poet"))
]
CALL = {"tool_calls": [{"name": "list_notes", "arguments": {}}], "reasoning": "Let me look."}
SAY = step({"text": "Done.", "reasoning": "Hm."})
STEPS = [*TRIAGE, step({"json": PASS}, schema="verdict")]
LOOKS = step(CALL, tool="list_notes", after_tool=False, user="look")


def settings_for(server: WireServer, key: str = "one", **more: str) -> Settings:
    chosen = {"AGENT_PROVIDER": "anthropic", "AGENT_API_BASE": server.base_url}
    return load_settings({**chosen, "ANTHROPIC_API_KEY": key, **more})


def list_sent(server: WireServer) -> list[tuple[int | None, int]]:
    """Of each request of a worker: what it was answered with, how much thinking it brought."""
    return [
        (entry["status"], sum(map(count_thinking, entry["body"]["messages"])))
        for entry in server.requests
        if entry["body"]["model"] == MODEL
    ]


def count_thinking(message: dict[str, Any]) -> int:
    return sum(block["type"] == "thinking" for block in message["content"])


async def list_notes(run: Machine, told: Told) -> list[str]:
    """What `explain` shows of the run's calls and steps."""
    notes = [note for call in await run.list_calls(told) for note in call.notes]
    return notes + [note for step in await run.load_steps(told) for note in step.notes]


async def start(
    machine: StartMachine, server: WireServer, key: str = "one", **changes: Any
) -> Machine:
    return await machine(models=Models(settings_for(server, key), "anthropic"), **changes)


async def ask_all(run: Machine, *texts: str) -> list[str]:
    """The notes of all calls; nothing fails, and nothing that we send is dropped by the vendor."""
    notes: list[str] = []
    for text in texts:
        told = await run.ask(text)
        assert told.answer == "Done.", told.error
        notes += await list_notes(run, told)
    assert [note for note in notes if note.startswith("the provider")] == []
    return notes


async def test_each_worker_gets_its_own_thinking_back(
    machine: StartMachine, wire_server: StartWire
):
    server = await wire_server(script=parse_script([*STEPS, LOOKS, SAY]))
    run = await start(machine, server)
    look = f"{NOTE}, look first"
    notes = await ask_all(run, look, POEM, look, POEM)

    assert list_sent(server) == [(200, n) for n in (0, 1, 0, 2, 3, 1)]
    assert "left out thinking: the request before it has changed (2 parts)" in notes
    asked = [entry for entry in server.requests if entry["body"]["model"] == MODEL]
    for entry, (_, sent) in zip(asked, list_sent(server), strict=True):
        drops = {"prefix_mismatch_behavior": "drop_block"}
        bound = {"type": "adaptive", "block_binding": drops}
        assert entry["body"].get("thinking") == (bound if sent else None)
        beta = "thinking-binding-controls-2026-08-01" if sent else None
        assert entry["headers"].get("anthropic-beta") == beta


async def test_thinking_is_accepted_in_the_turn_after_a_review_with_feedback(
    machine: StartMachine, wire_server: StartWire
):
    twice = step({"json": RETRY}, times=2, schema="verdict")
    server = await wire_server(script=parse_script([twice, *STEPS, SAY]))
    run = await start(machine, server)
    await ask_all(run, POEM, POEM)
    statuses = {status for status, _ in list_sent(server)}
    assert (statuses, len(list_sent(server))) == ({200}, 4)
    bodies = [entry["body"] for entry in server.requests if entry["body"]["model"] == MODEL]
    has_feedback = ["shorter" in json.dumps(body["messages"]) for body in bodies]
    assert has_feedback == [False, True, True, True], "what was sent once is sent again"


async def test_an_edited_prompt_is_appended_and_keeps_thinking_valid(
    machine: StartMachine, wire_server: StartWire
):
    server = await wire_server(script=parse_script([*STEPS, SAY]))
    run = await start(machine, server)
    await ask_all(run, NOTE, NOTE)
    edited = replace(WRITER, prompt="You keep short notes.")
    change_writer(run, edited)
    notes = await ask_all(run, NOTE, NOTE)
    assert list_sent(server) == [(200, n) for n in (0, 1, 2, 3)]
    assert "the prompt changed: appended, what the thread began with stays" in notes
    bodies = [entry["body"] for entry in server.requests if entry["body"]["model"] == MODEL]
    assert len({json.dumps(body["system"]) for body in bodies}) == 1
    said = [json.dumps(body["messages"]).count("You keep short notes.") for body in bodies]
    assert said == [0, 0, 1, 1]
    change_writer(run, WRITER)
    await ask_all(run, NOTE)
    assert list_sent(server)[-1] == (200, 4)
    assert "as they stand at the beginning" in json.dumps(server.requests[-1]["body"]["messages"])


async def test_a_tool_removed_and_restored_keeps_thinking_valid(
    machine: StartMachine, wire_server: StartWire
):
    server = await wire_server(script=parse_script([*STEPS, SAY]))
    run = await start(machine, server)
    await ask_all(run, NOTE)
    change_writer(run, replace(WRITER, tools=WRITER.tools[1:]))
    await ask_all(run, NOTE, NOTE)
    change_writer(run, WRITER)
    await ask_all(run, NOTE, NOTE)
    assert list_sent(server) == [(200, n) for n in (0, 1, 2, 3, 4)]
    said = json.dumps(server.requests[-1]["body"]["messages"])
    assert said.count(f"cannot be called at present: {WRITER.tools[0]}") == 1
    assert said.count("all your tools can be called again") == 1


async def test_a_new_tool_starts_a_new_prompt_epoch(machine: StartMachine, wire_server: StartWire):
    server = await wire_server(script=parse_script([*STEPS, SAY]))
    run = await start(machine, server)
    change_writer(run, replace(WRITER, tools=WRITER.tools[1:]))
    await ask_all(run, NOTE)
    change_writer(run, WRITER)
    notes = await ask_all(run, NOTE, NOTE)
    assert list_sent(server) == [(200, n) for n in (0, 0, 1)]
    assert "the prompt begins anew: a tool is new or has changed" in notes
    body = server.requests[-1]["body"]
    assert len(body["tools"]) == len(WRITER.tools)


async def test_a_thread_beyond_the_window_sends_no_invalid_thinking(
    machine: StartMachine, wire_server: StartWire
):
    server = await wire_server(script=parse_script([*STEPS, LOOKS, SAY]))
    run = await start(machine, server, window_tokens=600)
    text = f"{NOTE}, look first: " + "many words " * 40
    await ask_all(run, *[text] * 6)
    assert {status for status, _ in list_sent(server)} == {200}
    assert max(sent for _, sent in list_sent(server)) >= 2


async def test_a_turn_keeps_its_thinking_beyond_the_window(
    machine: StartMachine, wire_server: StartWire
):
    moods = [
        step(
            {
                "tool_calls": [{"name": "set_mood", "arguments": {"mood": f"{mood} " * 60}}],
                "reasoning": "Which one?",
            },
            times=1,
            tool="set_mood",
            user="mood",
        )
        for mood in ("calm", "cross", "glad")
    ]
    server = await wire_server(script=parse_script([*STEPS, *moods, SAY]))
    run = await start(machine, server, window_tokens=500)
    text = f"{NOTE}: " + "many words " * 60
    await ask_all(run, text, text, f"{text} on each mood")
    statuses, sent = zip(*list_sent(server), strict=True)
    assert set(statuses) == {200}
    first = sent[-4]
    assert sent[-4:] == (first, first + 1, first + 2, first + 3)


def change_writer(run: Machine, writer: WorkerSpec) -> None:
    pack = make_pack()
    run.service.packs = (replace(pack, workers=(writer, *pack.workers[1:])),)


async def test_thinking_made_with_another_key_is_omitted(
    machine: StartMachine, wire_server: StartWire
):
    server = await wire_server(script=parse_script([*STEPS, SAY]))
    run = await start(machine, server)
    await ask_all(run, NOTE)
    run.service.models = Models(settings_for(server, "sk-of-another-account"), "anthropic")
    notes = await ask_all(run, NOTE, NOTE)
    assert list_sent(server) == [(200, n) for n in (0, 0, 1)]
    assert any(
        note.startswith(f"left out opaque state of anthropic:{MODEL} from 127.0.0.1")
        for note in notes
    )


async def test_thinking_without_a_stored_prefix_is_omitted(
    machine: StartMachine, wire_server: StartWire
):
    server = await wire_server(script=parse_script([*STEPS, SAY]))
    run = await start(machine, server)
    await ask_all(run, NOTE)
    await change_states(run, lambda state: state.pop("prefix"))
    notes = await ask_all(run, NOTE, NOTE)
    assert list_sent(server) == [(200, n) for n in (0, 0, 1)]
    assert "left out thinking: the request before it is not known (1 part)" in notes


async def change_states(run: Machine, change: Callable[[Any], Any]) -> None:
    """Write the thread's opaque state anew, changed."""
    messages = await run.load_messages()
    for message in messages:
        for part in message["parts"]:
            if "provider_state" in part:
                change(part["provider_state"])
    await replace_parts(run, messages)


async def replace_parts(run: Machine, messages: list[Message]) -> None:
    async with run.service.store.transaction(TENANT) as tx:
        rows = await tx.fetch(
            "select position from messages where thread_id = $1::uuid order by position",
            run.thread_id,
        )
        for row, message in zip(rows, messages, strict=True):
            await tx.execute(
                "update messages set parts = $3::json where thread_id = $1::uuid and position = $2",
                run.thread_id,
                row["position"],
                message["parts"],
            )


async def test_a_fallback_answer_keeps_earlier_thinking_valid(
    machine: StartMachine, wire_server: StartWire
):
    overloaded = Fault(status=529, skip=3)  # triage, worker, triage; then the worker's next call
    server = await wire_server(
        script=parse_script([*STEPS, SAY]), faults=Faults(series=(overloaded,))
    )
    own = RoleSettings(fallback=("anthropic:claude-opus-5-5",))
    settings = replace(settings_for(server), agents={"worker": own})
    run = await machine(models=Models(settings, "anthropic"), model_attempts=2)
    await ask_all(run, NOTE, NOTE, NOTE, NOTE)
    models = [entry["body"]["model"] for entry in server.requests if "tools" in entry["body"]]
    assert models == [MODEL, MODEL, "claude-opus-5-5", MODEL, MODEL]
    assert list_sent(server) == [(200, 0), (529, 1), (200, 1), (200, 2)]


async def test_the_notice_of_a_low_budget_keeps_earlier_thinking_valid(
    machine: StartMachine, wire_server: StartWire, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(budgets, "NEAR_SHARE", 0.2)  # the words come after a few small calls
    ends = step({"text": "Done.", "reasoning": "Enough."}, user="nearly used up")
    moods = [
        step(
            {"tool_calls": [{"name": "set_mood", "arguments": {"mood": str(n)}}]},
            times=1,
            tool="set_mood",
            user="mood",
        )
        for n in range(6)
    ]
    server = await wire_server(script=parse_script([*STEPS, ends, *moods, SAY]))
    run = await start(machine, server, max_output_tokens=100)
    await limit_run(run, 6_000)
    await ask_all(run, f"{NOTE} on each mood", NOTE)
    bodies = [entry["body"] for entry in server.requests if entry["body"]["model"] == MODEL]
    wrapped = ["nearly used up" in json.dumps(body["messages"]) for body in bodies]
    assert wrapped[-3:] == [False, True, True], "the words stay where they were said"
    assert list_sent(server) == [(200, n) for n in range(len(bodies))]


async def limit_run(run: Machine, tokens: int) -> None:
    async with run.service.store.transaction(TENANT) as tx:
        await save_budget(tx, Budget("run", "total", tokens, None))
    run.service.store.budgets.forget(TENANT)


async def test_models_without_binding_get_all_thinking_back(
    machine: StartMachine, wire_server: StartWire
):
    server = await wire_server(script=parse_script([*STEPS, SAY]))
    settings = settings_for(server, AGENT_MODEL="claude-opus-5")
    run = await machine(models=Models(settings, "anthropic"))
    await ask_all(run, NOTE, POEM, NOTE)
    bodies = [entry["body"] for entry in server.requests if "tools" in entry["body"]]
    sent = [sum(map(count_thinking, body["messages"])) for body in bodies]
    assert sent == [0, 1, 2]
    assert not any("thinking" in body for body in bodies)


@pytest.mark.parametrize("reasoning", [True, False])
async def test_thinking_is_summarised_only_for_runs_that_show_it(
    machine: StartMachine, wire_server: StartWire, reasoning: bool
):
    server = await wire_server(script=parse_script([*STEPS, SAY]))
    run = await start(machine, server, reasoning=reasoning)
    told = await run.ask(NOTE)
    shown = "".join(event["content"] for event in told.list_events("reasoning_delta"))
    sent = server.requests[-1]["body"].get("thinking")
    expected = {"type": "adaptive", "display": "summarized"} if reasoning else None
    assert (shown, sent) == ("Hm." if reasoning else "", expected)
    await ask_all(run, NOTE)
