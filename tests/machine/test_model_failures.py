"""A model that fails: retried, replaced, repaired or told, and never spliced."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.messages.contents import get_answer, get_text
from plainloop.agent.errors import (
    ContentFiltered,
    EmptyAnswer,
    ModelAuthError,
    ModelOverloaded,
    StreamCut,
)
from tests.machine.running import TENANT
from tests.machine.scripted import (
    Cut,
    ScriptedModels,
    ScriptedProvider,
    Silent,
    text,
    tools,
    triage,
)

NOW: Any = {"retry_after_s": 0.0}


async def test_a_broken_streams_text_is_reset_not_joined_with_the_retry(machine):
    run = await machine(
        triage("note_writer"),
        tools(("c1", "list_notes", {}), said="Let me look."),
        Cut("You have", StreamCut("gone", **NOW)),
        text("No notes."),
    )
    told = await run.ask()

    assert told.answer == told.text == "Let me look.\n\nNo notes."
    assert told.list_events("text_reset") == [{"reason": "retry after STREAM_CUT"}]
    assert get_answer(await run.load_messages()) == told.answer
    calls = await run.list_calls(told)
    assert [(c.role, c.attempt, c.status, c.usage.source, c.error_code) for c in calls] == [
        ("classifier", 1, "succeeded", "provider", None),
        ("worker", 1, "succeeded", "provider", None),
        ("worker", 1, "cut", "estimated", "STREAM_CUT"),
        ("worker", 2, "succeeded", "provider", None),
    ]


async def test_when_all_attempts_fail_the_shown_text_is_kept(machine):
    broken = Cut("Half", ModelOverloaded("busy", **NOW))
    run = await machine(triage("note_writer"), broken, broken, broken, broken, model_attempts=4)
    told = await run.ask()

    assert isinstance(told.error, ModelOverloaded)
    assert told.last == ("error", {"message": ModelOverloaded.sentence, "code": "MODEL_OVERLOADED"})
    assert (await run.load_run(told)).status == "failed"
    assert told.text == get_answer(await run.load_messages()) == "Half"
    assert run.provider.script == []
    run.provider.script[:] = [triage("note_writer"), text("Here again.")]
    assert (await run.ask("and now?")).answer == "Here again."


async def test_the_fallback_answers_if_the_first_model_fails(machine):
    first = ScriptedProvider(triage("note_writer"), Cut("Hal", ModelAuthError("key revoked")))
    second = ScriptedProvider(text("From the second."))
    second.model = "scripted-2"
    run = await machine(models=ScriptedModels(first, second))
    told = await run.ask()

    assert told.answer == told.text == "From the second."
    calls = await run.list_calls(told)
    assert [(c.model, c.status) for c in calls] == [
        ("scripted-1", "succeeded"),
        ("scripted-1", "cut"),
        ("scripted-2", "succeeded"),
    ]


async def test_json_without_a_required_field_is_retried(machine):
    run = await machine(text('{"success_criteria": "x"}'), triage("note_writer"), text("Hi."))
    told = await run.ask()

    assert told.nodes[2:] == ["note_writer"]
    assert "worker" in get_text(run.provider.requests[1].messages[-1])
    calls = await run.list_calls(told)
    assert told.outcome.state["tokens"] == {
        "in": sum(call.usage.input_total or 0 for call in calls),
        "out": sum(call.usage.output_total or 0 for call in calls),
    }


async def test_json_without_optional_fields_is_accepted(machine):
    run = await machine(text('{"worker": "note_writer"}'), text("Hi."))
    told = await run.ask()

    assert [c.role for c in await run.list_calls(told)] == ["classifier", "worker"]
    assert told.outcome.state["success_criteria"] == ""


async def test_unreadable_triage_goes_to_the_router_and_is_not_learned(machine):
    run = await machine(text("no"), text("still no"), text("Hi."))
    told = await run.ask("whatever that may be")

    assert told.answer == "Hi."
    assert told.nodes == ["intent_classifier", "agent_router", "note_writer"]
    assert [c.role for c in await run.list_calls(told)] == ["classifier", "classifier", "worker"]
    notes = [note for step in await run.load_steps(told) for note in step.notes]
    assert any(note.startswith("not classified: triage's answer was not JSON") for note in notes)
    votes = await run.store.read(TENANT).fetch("SELECT * FROM learned_votes")
    assert votes == []


@pytest.mark.parametrize("stop", ["refusal", "content_filter"])
async def test_a_refusal_is_an_answer_that_stays_in_the_history(machine, stop):
    refused = Silent(replace(text("", stop), refusal="I cannot help with that."))
    run = await machine(triage("note_writer"), refused, triage("note_writer"), text("Sure."))
    told = await run.ask("something bad")

    assert told.answer == told.text == "I cannot help with that."
    await run.ask("something good")
    shown = [get_text(message) for message in run.provider.requests[-1].messages]
    assert shown == ["something bad", "I cannot help with that.", "something good"]
    assert [c.stop for c in await run.list_calls(told)] == ["end", stop]


async def test_a_blocked_prompt_fails_the_run_and_leaves_the_thread_usable(machine):
    run = await machine(triage("note_writer"), ContentFiltered("blocked"))
    told = await run.ask("something bad")

    said = {"message": ContentFiltered.sentence, "code": "CONTENT_FILTERED"}
    assert told.last == ("error", said)
    run.provider.script[:] = [triage("note_writer"), text("Sure.")]
    assert (await run.ask("something good")).answer == "Sure."


@pytest.mark.parametrize("said", ["", "   ", "\n\n"])
async def test_two_empty_answers_are_an_error(machine, said):
    run = await machine(triage("note_writer"), text(said), text(said))
    told = await run.ask()

    message = EmptyAnswer.sentence
    assert told.last == ("error", {"message": message, "code": "EMPTY_ANSWER"})
    assert told.text == ""


@pytest.mark.parametrize("stop", ["refusal", "content_filter"])
async def test_a_refusal_without_text_gets_a_readable_text(machine, stop):
    run = await machine(triage("note_writer"), text("", stop))
    told = await run.ask()

    assert told.answer == told.text == f"(The model gave no answer. Its stop reason was: {stop}.)"


async def test_blank_text_before_a_tool_call_is_not_shown(machine):
    run = await machine(
        triage("note_writer"), tools(("c1", "list_notes", {}), said="\n\n"), text("\nNo notes.")
    )
    told = await run.ask()

    assert told.text == told.answer == "\nNo notes."
