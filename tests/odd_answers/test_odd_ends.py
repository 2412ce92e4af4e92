"""Hazard: an answer that is none counts as one, and an end that is none ends a run.

Source: earendil-works/pi #8511 (nothing said, the cause in native_finish_reason), googleapis
python-genai #1836, laravel/ai #881, vercel/ai #5039, agenc-core #2111 (pause_turn), prism #1003.
"""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.config.settings import Settings
from plainloop.agent.designs.react import build_react_nodes
from plainloop.agent.errors import EmptyAnswer
from plainloop.agent.store.store import Store
from tests.core.model_calls import FixedModels, make_caller
from tests.machine.notes_pack import make_pack
from tests.odd_answers.five_wires import ENDS, WIRES, Say, open_model
from tests.providers.local_server import Local, run_local

FINE = Say(["second try"])
CALL = ("call_1", "add_note", '{"text": "never"}')
# A refusal, a content filter and an end that nobody knows, in each vendor's words.
REFUSED = {
    "anthropic": [("refusal", "refusal")],
    "compatible": [
        ("content_filter", "content_filter"),
        ("content_filter: PROHIBITED_CONTENT", "content_filter"),
        ("SAFETY", "content_filter"),
        ("refusal", "refusal"),
    ],
    "responses": [("incomplete:content_filter", "content_filter")],
    "gemini": [("SAFETY", "content_filter"), ("PROHIBITED_CONTENT", "content_filter")],
    "ollama": [],
}
UNKNOWN = {
    "anthropic": "something_new",
    "compatible": "something_new",
    "responses": "incomplete:something_new",
    "gemini": "SOMETHING_NEW",
    "ollama": "something_new",
}
REFUSALS = [(wire, word, stop) for wire, ends in REFUSED.items() for word, stop in ends]


async def ask_machine(machine: Any, local: Local, wire: str, *answers: Say, **changes: Any) -> Any:
    """A run of the notes' pack on these answers. Returns: the machine, and what a viewer saw."""
    local.replies[:] = [answer.encode(wire) for answer in answers]
    models: Any = FixedModels(open_model(wire, local.url))
    run = await machine(models=models, **changes)
    return run, await run.ask_table(build_react_nodes(make_pack()), "go")


EMPTY: dict[str, Say] = {
    "nothing at all": Say(),
    "blanks": Say(["  \n"]),
    "only thoughts": Say(thoughts=["I think"]),
}


@pytest.mark.parametrize("name", EMPTY)
@pytest.mark.parametrize("wire", WIRES)
async def test_an_empty_answer_is_retried_once(machine, wire: str, name: str):
    async with run_local(FINE.encode(wire)) as local:
        run, told = await ask_machine(machine, local, wire, EMPTY[name], FINE)
        assert len(local.requests) == 2
    assert told.last == ("done", {"content": "second try"})
    first, second = await run.list_calls(told)
    assert (first.status, first.error_code, second.status) == ("cut", "EMPTY_ANSWER", "succeeded")
    assert (first.usage.input_total, first.usage.source) == (100, "provider")


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("wire", WIRES)
async def test_two_empty_answers_end_with_the_code_empty_answer(
    store: Store, settings: Settings, wire: str, stream: bool
):
    async with run_local(Say().encode(wire, stream=stream)) as local:
        ours = await make_caller(store, settings, open_model(wire, local.url))
        with pytest.raises(EmptyAnswer) as caught:
            await ours.call(stream=stream)
        assert len(local.requests) == 2
    assert caught.value.code == "EMPTY_ANSWER"
    assert ENDS[wire][0] in caught.value.message  # the vendor's own word
    assert [row.status for row in await ours.list_rows()] == ["cut", "cut"]


async def test_a_fallback_answers_after_two_empty_answers(store: Store, settings: Settings):
    async with (
        run_local(Say().encode("anthropic")) as empty,
        run_local(FINE.encode("ollama")) as other,
    ):
        chain = (open_model("anthropic", empty.url), open_model("ollama", other.url))
        ours = await make_caller(store, settings, *chain)
        assert (await ours.call()).text == "second try"
        assert len(empty.requests) == 2


@pytest.mark.parametrize(
    "choice",
    [
        {"finish_reason": "stop", "native_finish_reason": "network_error"},
        {"finish_reason": "function_call_filter: MALFORMED_FUNCTION_CALL"},
        {"finish_reason": "malformed_function_call"},
    ],
)
async def test_an_empty_answer_of_a_gateway_names_the_cause(
    store: Store, settings: Settings, choice: dict[str, Any]
):
    async with run_local(Say(more=choice).encode("compatible")) as local:
        ours = await make_caller(store, settings, open_model("compatible", local.url))
        local.replies[:] = [Say(more=choice).encode("compatible"), FINE.encode("compatible")]
        assert (await ours.call()).text == "second try"
    failed, _ = await ours.list_rows()
    cause = choice.get("native_finish_reason") or choice["finish_reason"]
    assert cause in (failed.error_message or "")


@pytest.mark.parametrize("said", [("half of it",), ()])
@pytest.mark.parametrize(("wire", "word", "stop"), REFUSALS)
async def test_a_tool_call_in_a_refused_answer_is_not_made(
    machine, wire: str, word: str, stop: str, said: Any
):
    answer = Say(said, [CALL], word)
    async with run_local(FINE.encode(wire)) as local:
        run, told = await ask_machine(machine, local, wire, answer, FINE)
        assert len(local.requests) == 1
    assert await run.list_notes() == []
    assert told.list_events("tool_start") == []
    assert told.last[1]["ended_by"] == stop
    (row,) = await run.list_calls(told)
    assert f"the answer ended with {stop}, so these tools were not called: add_note" in row.notes


@pytest.mark.parametrize("wire", WIRES)
async def test_an_unknown_stop_reason_is_reported_verbatim(machine, wire: str):
    async with run_local(FINE.encode(wire)) as local:
        _, told = await ask_machine(machine, local, wire, Say(["all of it"], stop=UNKNOWN[wire]))
        assert len(local.requests) == 1
    word = UNKNOWN[wire] if wire != "gemini" else told.last[1]["ended_by"]
    assert told.last == ("done", {"content": "all of it", "ended_by": word})
    assert "SOMETHING_NEW" in word.upper()


@pytest.mark.parametrize("wire", [wire for wire in WIRES if wire != "responses"])
async def test_a_complete_call_before_an_unknown_stop_reason_is_made(machine, wire: str):
    call = ("call_1", "add_note", '{"text": "milk"}')
    async with run_local(FINE.encode(wire)) as local:
        answer = Say(calls=[call], stop=UNKNOWN[wire])
        run, told = await ask_machine(machine, local, wire, answer, FINE)
    assert await run.list_notes() == [("milk", 0)]
    assert told.last == ("done", {"content": "second try"})


async def test_a_call_of_an_incomplete_response_is_not_made(machine):
    answer = Say(calls=[CALL], stop=UNKNOWN["responses"])
    async with run_local(FINE.encode("responses")) as local:
        run, _ = await ask_machine(machine, local, "responses", answer, FINE)
    assert await run.list_notes() == []


@pytest.mark.parametrize("wire", ["anthropic", "compatible"])
async def test_a_paused_answer_is_continued(machine, wire: str):
    answers = (Say(["half ", "an ans"], stop="pause_turn"), Say(["wer."]))
    async with run_local(FINE.encode(wire)) as local:
        run, told = await ask_machine(machine, local, wire, *answers)
        assert len(local.requests) == 2
        last = local.body["messages"][-1]
    assert last["role"] == "assistant"
    assert "half an ans" in str(last["content"])
    assert told.last == ("done", {"content": "half an answer."})
    assert told.text == "half an answer."
    assert [get_text(message) for message in await run.load_messages()] == ["go", "half an answer."]
    assert [row.status for row in await run.list_calls(told)] == ["succeeded"] * 2
    notes = [note for step in await run.load_steps(told) for note in step.notes]
    assert any("paused (pause_turn): continued" in note for note in notes)


async def test_a_repeatedly_paused_answer_ends_at_the_limit(machine):
    answer = Say(["more "], stop="pause_turn")
    async with run_local(FINE.encode("anthropic")) as local:
        _, told = await ask_machine(machine, local, "anthropic", answer, model_attempts=3)
        assert len(local.requests) == 3
    assert told.last == ("done", {"content": "more more more ", "ended_by": "pause"})


async def test_a_tool_call_in_a_paused_answer_is_made(machine):
    answer = Say(calls=[("toolu_1", "add_note", '{"text": "milk"}')], stop="pause_turn")
    async with run_local(FINE.encode("anthropic")) as local:
        run, told = await ask_machine(machine, local, "anthropic", answer, FINE)
    assert await run.list_notes() == [("milk", 0)]
    assert told.last == ("done", {"content": "second try"})


async def test_a_paused_answer_without_continuation_is_kept(machine):
    answers = (Say(["all of it"], stop="pause_turn"), Say())
    async with run_local(FINE.encode("anthropic")) as local:
        _, told = await ask_machine(machine, local, "anthropic", *answers)
    assert told.last == ("done", {"content": "all of it"})


@pytest.mark.parametrize("wire", ["anthropic"])
async def test_a_refusal_without_text_is_not_an_empty_answer(machine, wire: str):
    async with run_local(FINE.encode(wire)) as local:
        _, told = await ask_machine(machine, local, wire, Say(stop="refusal"), FINE)
        assert len(local.requests) == 1
    assert told.last[1]["ended_by"] == "refusal"
