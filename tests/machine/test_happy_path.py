"""A message in, a persisted answer out: what is stored, shown and counted."""

from __future__ import annotations

import pytest

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.events import EVENT_NAMES
from tests.machine.running import SHAPES
from tests.machine.scripted import text, tools, triage


async def test_a_workers_answer_after_tools_is_stored_completely(machine):
    add = tools(("c1", "add_note", {"text": "milk", "stars": 2}), said="One moment.")
    run = await machine(triage("note_writer"), add, text("Noted: milk."))
    told = await run.ask("note that I need milk")

    assert told.error is None
    assert told.nodes == [
        "intent_classifier",
        "agent_router",
        "note_writer",
        "note_writer.tools",
        "note_writer",
    ]
    assert told.answer == "One moment.\n\nNoted: milk."
    assert told.text == told.answer
    assert told.last == ("done", {"content": told.answer})
    told.check_stream()
    assert await run.load_plain() == [
        make_text_message("user", "note that I need milk"),
        add.message,
        {
            "role": "tool",
            "parts": [
                {
                    "type": "tool_result",
                    "id": "c1",
                    "name": "add_note",
                    "result": {"note": {"note_id": 1, "text": "milk", "stars": 2}},
                    "is_error": False,
                }
            ],
        },
        text("Noted: milk.").message,
    ]
    assert await run.list_notes() == [("milk", 2)]
    assert (await run.load_run(told)).status == "succeeded"


def test_every_event_has_a_declared_type():
    assert set(SHAPES) == set(EVENT_NAMES)


async def test_the_next_message_sees_the_threads_messages_and_data(machine):
    run = await machine(
        triage("note_writer"),
        tools(("c1", "set_mood", {"mood": "glad"})),
        text("Good."),
        triage("note_writer"),
        tools(("c2", "set_mood", {"mood": "sad"})),
        text("Oh."),
    )
    await run.ask("I am glad")
    told = await run.ask("now I am sad")

    shown = run.provider.requests[-1].messages
    roles = [message["role"] for message in shown]
    assert roles == ["user", "assistant", "tool", "assistant", "user", "assistant", "tool"]
    assert shown[-1]["parts"][0]["result"] == {"mood": "sad", "before": "glad"}
    assert told.answer == "Oh."
    assert await run.load_data() == {"mood": "sad"}


async def test_a_certain_fast_path_needs_no_model_call(machine):
    pytest.importorskip("plainloop_rules")
    run = await machine(
        triage("note_writer"), tools(("c1", "add_note", {"text": "milk"})), text("Noted.")
    )
    await run.ask("note milk")
    told = await run.ask("how many notes do I have?")

    assert told.nodes == ["intent_classifier", "fast_count", "format_result"]
    assert "1" in told.answer
    assert told.text == told.answer
    assert await run.list_calls(told) == []
    steps = await run.load_steps(told)
    assert [(call.role, call.reason) for call in steps[1].avoided] == [
        ("classifier", steps[1].avoided[0].reason),
        ("worker", steps[1].avoided[0].reason),
    ]
    assert steps[1].avoided[0].reason.startswith("fast path rule ")


async def test_a_certain_count_of_zero_needs_no_model_call(machine):
    pytest.importorskip("plainloop_rules")
    run = await machine()
    told = await run.ask("how many notes with at least 3 stars do I have?")

    assert told.nodes == ["intent_classifier", "fast_count", "format_result"]
    assert told.answer == "You have no notes with stars of at least 3."
    assert await run.list_calls(told) == []
    steps = await run.load_steps(told)
    assert [call.role for call in steps[1].avoided] == ["classifier", "worker"]


async def test_avoided_calls_are_recorded_with_their_reason(machine):
    run = await machine(triage("poet"), text("Roses."), text('{"verdict": "pass"}'))
    told = await run.ask("a poem")

    steps = await run.load_steps(told)
    avoided = [(step.node, call.role, call.reason) for step in steps for call in step.avoided]
    assert avoided == [
        ("agent_router", "router", "triage named the worker"),
        ("poet", "tools", "5 tools of other workers were not sent"),
    ]


async def test_a_skipped_evaluation_is_recorded_with_the_reason(machine):
    run = await machine(triage("note_writer"), text("Hi."))
    told = await run.ask("hi there")

    steps = await run.load_steps(told)
    assert steps[-1].avoided[-1].role == "evaluator"
    assert steps[-1].avoided[-1].reason == "evaluator skipped: never, 0 tool calls this turn"
    assert steps[-1].avoided[-1].tokens > 0
    assert steps[-1].notes == (), "the reason is stored once"


async def test_with_triage_off_the_router_calls_its_model(machine):
    run = await machine(
        text('{"worker": "poet", "success_criteria": "rhymes"}'),
        text("Roses."),
        text('{"verdict": "pass", "feedback": "", "score": 1}'),
        triage=False,
    )
    told = await run.ask("a poem")

    assert told.nodes == ["intent_classifier", "agent_router", "poet", "poet.evaluator"]
    assert [call.role for call in await run.list_calls(told)] == ["router", "worker", "evaluator"]
    assert told.outcome.state["success_criteria"] == "rhymes"


async def test_an_unknown_worker_from_triage_makes_the_router_call_its_model(machine):
    run = await machine(
        triage("gardener"), text('{"worker":"also unknown","success_criteria":""}'), text("Hi.")
    )
    told = await run.ask("hello")

    assert told.nodes[2:] == ["note_writer"]
    assert [call.role for call in await run.list_calls(told)] == ["classifier", "router", "worker"]
    notes = [note for step in await run.load_steps(told) for note in step.notes]
    assert "triage named the unknown worker 'gardener': calling the router's model" in notes
    assert "the router named the unknown worker 'also unknown': default worker" in notes
