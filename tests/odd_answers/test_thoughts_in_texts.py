"""Hazard: what a model thought in its text is shown, stored, and sent back as what it said.

Source: pydantic-ai #2364 and #4740, browser-use/web-ui #148, litellm #14121, nbramia/LifeOS
PR #568 (only the end of the tags), antirez/ds4 #678 (a second end), openai/harmony's format.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.caching.bounded import clear_caches
from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.designs.react import build_react_nodes
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.reading.answer_reader import AnswerReader
from plainloop.agent.providers.reading.thoughts import ThoughtSplitter, split_text
from plainloop.agent.types import LLMResponse, StreamDelta, Usage
from tests.core.model_calls import FixedModels
from tests.machine.notes_pack import make_pack
from tests.machine.scripted import ScriptedModels, ScriptedProvider, text
from tests.odd_answers.five_wires import WIRES, Say, open_model
from tests.providers.asking import HELLO
from tests.providers.local_server import Local, run_local

THOUGHT, SAID = "The user is a bore", "Good day!"
HARMONY = "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>{}"
# Texts of which the thought is no part of the answer.
TAGGED = {
    "whole": f"<think>\n{THOUGHT}.\n</think>\n\n{SAID}",
    "without line ends": f"<think>{THOUGHT}</think>{SAID}",
    "after blanks": f"\n\n<think>{THOUGHT}</think> {SAID}",
    "in capitals": f"<THINK>{THOUGHT}</THINK>{SAID}",
    "twice": f"<think>{THOUGHT}</think>\n<think>and so on</think>\n{SAID}",
    "empty": f"<think>\n\n</think>\n\n{SAID}",
    "only its end": f"{THOUGHT}.\n</think>\n\n{SAID}",
    "only its end, on the line": f"{THOUGHT}.</think>{SAID}",
    "only its end, behind a quotation": f"He says 'hi'. {THOUGHT} 'so'</think>{SAID}",
    "a second end": f"<think>{THOUGHT}</think>{THOUGHT} again.\n</think>\n{SAID}",
    "thinking": f"<thinking>{THOUGHT}</thinking>{SAID}",
    "reasoning": f"<reasoning>{THOUGHT}</reasoning>\n{SAID}",
    "Seed": f"<seed:think>{THOUGHT}</seed:think>{SAID}",
    "Magistral": f"[THINK]{THOUGHT}[/THINK]{SAID}",
    "Kimi-VL": f"◁think▷{THOUGHT}◁/think▷{SAID}",
    "Gemma": f"<|channel>thought\n{THOUGHT}<channel|>{SAID}",
    "harmony": HARMONY.format(THOUGHT, SAID),
    "harmony, from its start": "<|start|>assistant" + HARMONY.format(THOUGHT, SAID) + "<|return|>",
    "harmony, a comment": HARMONY.format(THOUGHT, "").replace("final", "commentary")
    + f"{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>{SAID}",
    "harmony, only its end": f"{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>{SAID}",
    "harmony, no final channel": f"<|channel|>analysis<|message|>{THOUGHT}<|end|>{SAID}",
}
# Texts that only speak of such tags.
PLAIN = (
    "Write `<think>` before it, and `</think>` behind.",
    "```\n<think>\nhm\n</think>\n```\nThat is how it looks.",
    'The tag "</think>" ends it.',
    "A < b, and <thinking> is a word in it.",
    "<b>Good</b> [day] ◁",
    "Good day! <",
    "<thin",
)


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize("name", TAGGED)
def test_reasoning_inside_the_text_is_not_part_of_the_answer(name: str):
    pieces = split_text(TAGGED[name])
    said = "".join(text for kind, text in pieces if kind == "text")
    thought = "".join(text for kind, text in pieces if kind == "reasoning")
    assert said.strip() == SAID
    assert SAID not in thought
    assert name == "empty" or THOUGHT in thought


@pytest.mark.parametrize("text", PLAIN)
def test_a_text_that_mentions_think_tags_is_unchanged(text: str):
    assert split_text(text) == [("text", text)]


def test_a_leftover_reasoning_marker_is_dropped():
    assert split_text(f"{SAID}<|end|>") == [("text", SAID)]


def test_unfinished_reasoning_is_not_an_answer():
    assert split_text(f"<think>{THOUGHT}") == [("reasoning", THOUGHT)]


@pytest.mark.parametrize("text", [*TAGGED.values(), *PLAIN])
def test_reasoning_tags_are_found_in_any_chunks(text: str):
    whole = split_text(text)
    chance = random.Random(7)
    for size in (1, 2, 3, 5, 8, 13):
        splitter = ThoughtSplitter()
        told: list[Any] = []
        for piece in cut(text, size if size != 13 else chance.randint(4, 20)):
            told += splitter.feed(piece)
        told += splitter.finish()
        last = max((n for n, (kind, _) in enumerate(told) if kind == "taken back"), default=-1)
        told = [("reasoning", said) for _, said in told[: max(last, 0)]] + told[last + 1 :]
        for wanted in ("text", "reasoning"):
            found = "".join(said for kind, said in told if kind == wanted)
            assert found == "".join(said for kind, said in whole if kind == wanted)


@pytest.fixture(autouse=True)
def nothing_learnt():
    clear_caches()


async def ask(machine: Any, local: Local, wire: str, *answers: Say, **setting: Any) -> Any:
    """A run whose model says this. setting: fields of its handle. Returns: machine, events."""
    local.replies[:] = [answer.encode(wire) for answer in answers]
    models: Any = FixedModels(open_model(wire, local.url))
    models._chain = tuple(replace(handle, **setting) for handle in models._chain)
    run = await machine(models=models)
    return run, await run.ask_table(build_react_nodes(make_pack()), "hello")


@pytest.mark.parametrize("name", TAGGED)
@pytest.mark.parametrize("wire", WIRES)
async def test_reasoning_in_texts_is_not_shown_stored_or_sent_back(machine, wire: str, name: str):
    setting = {} if wire == "compatible" else {"thoughts_in_text": True}
    # All in one piece, and in pieces that cut every mark.
    async with run_local(Say([SAID]).encode(wire)) as local:
        whole, pieces = Say([TAGGED[name]]), Say(cut(TAGGED[name], 4))
        run, told = await ask(machine, local, wire, whole, pieces, Say(["ok"]), **setting)
        assert told.last[1]["content"].strip() == SAID
        told.check_stream()
        assert told.text == told.answer
        again = await run.ask_table(build_react_nodes(make_pack()), "and now?")
        assert again.answer.strip() == SAID
        assert again.text == again.answer
        await run.ask_table(build_react_nodes(make_pack()), "and now?")
        assert THOUGHT not in str(local.body)
        assert SAID in str(local.body)
    texts = [get_text(message) for message in await run.load_messages()]
    assert not any(THOUGHT in text for text in texts)


def read(handle: ModelHandle, *deltas: StreamDelta) -> tuple[str, LLMResponse]:
    """Read deltas and the answer that they are. Returns: what was shown, what is stored."""
    reader = AnswerReader(HELLO, handle)
    shown = "".join(reader.read(delta).text for delta in deltas)
    parts: list[Any] = [{"type": "text", "text": "".join(delta.text for delta in deltas)}]
    if thought := "".join(delta.reasoning for delta in deltas):
        parts.insert(0, {"type": "reasoning", "text": thought})
    whole = LLMResponse(
        {"role": "assistant", "parts": parts}, "end", Usage(1, output_tokens=1), "m"
    )
    return shown, reader.finish(whole)


def make_handle(model: str = "some-model") -> ModelHandle:
    chat = open_model("compatible", "http://127.0.0.1:9")
    return ModelHandle("openai", model, chat, thoughts_in_text=True)


@pytest.mark.parametrize("name", TAGGED)
def test_viewers_never_see_reasoning_in_texts(name: str):
    """Where only its end comes, that holds for models that are known for it."""
    handle = make_handle("nvidia/nemotron-3-nano")
    for size in (1, 4, 9):
        clear_caches()
        shown, whole = read(handle, *map(StreamDelta, cut(TAGGED[name], size)))
        assert THOUGHT not in shown or name == "a second end"
        assert shown.strip() in ("", SAID) or name == "a second end"
        assert whole.text.strip() == SAID


def test_answers_of_a_model_that_starts_inside_reasoning_are_buffered():
    handle, pieces = make_handle(), [*map(StreamDelta, cut(TAGGED["only its end"], 4))]
    first, whole = read(handle, *pieces)
    again, _ = read(handle, *pieces)
    assert THOUGHT in first  # and taken back when the answer is whole
    assert (again.strip(), whole.text.strip()) == (SAID, SAID)
    read(handle, StreamDelta(SAID))
    assert read(handle, *pieces)[0] == first  # it begins with its answer now


def test_text_beside_a_reasoning_field_is_streamed_at_once():
    reader = AnswerReader(HELLO, make_handle("qwq-32b"))
    deltas = (StreamDelta(reasoning="hm"), StreamDelta("a"), StreamDelta("b"))
    assert [reader.read(delta) for delta in deltas] == [*deltas]


async def test_reasoning_that_was_streamed_as_text_is_withdrawn(machine):
    models = ScriptedModels(ScriptedProvider(text(TAGGED["only its end"])))
    models.chain = tuple(replace(handle, thoughts_in_text=True) for handle in models.chain)
    run = await machine(models=models)
    told = await run.ask_table(build_react_nodes(make_pack()), "hello")
    assert (told.answer.strip(), told.text) == (SAID, told.answer)
    assert told.list_events("text_reset") == [{"reason": "the answer was changed"}]


async def test_reasoning_sent_in_two_fields_is_stored_once(machine):
    said = Say(["<think>bore</think>", SAID], thoughts=["bore"])
    async with run_local(Say([SAID]).encode("compatible")) as local:
        run, told = await ask(machine, local, "compatible", said)
    assert told.answer == SAID
    *_, message = await run.load_messages()
    assert [part["text"] for part in message["parts"] if part["type"] == "reasoning"] == ["bore"]


@pytest.mark.parametrize("wire", WIRES)
async def test_thoughts_in_text_applies_to_every_provider(machine, wire: str):
    text = TAGGED["without line ends"]
    async with run_local(Say([SAID]).encode(wire)) as local:
        _, told = await ask(machine, local, wire, Say([text]), thoughts_in_text=False)
        assert told.answer == text
        _, told = await ask(machine, local, wire, Say([text]), thoughts_in_text=True)
        assert told.answer == SAID


async def test_removed_reasoning_is_noted_in_the_ledger(machine):
    async with run_local(Say([SAID]).encode("compatible")) as local:
        run, told = await ask(machine, local, "compatible", Say([TAGGED["whole"]]))
    (row,) = await run.list_calls(told)
    assert "reasoning in the text was separated from the answer" in row.notes


async def test_an_answer_of_only_reasoning_is_empty(machine):
    async with run_local(Say([SAID]).encode("compatible")) as local:
        answers = (Say([f"<think>{THOUGHT}</think>"]), Say([SAID]))
        _, told = await ask(machine, local, "compatible", *answers)
        assert (told.answer, len(local.requests)) == (SAID, 2)


def test_openai_compatible_servers_are_checked_for_reasoning_by_default():
    chat = [item for item in PROVIDER_DEFAULTS.values() if item.protocol == "openai_chat"]
    own = PROVIDER_DEFAULTS["openai"]
    assert all(item.quirks.thoughts_in_text for item in chat if item is not own)
    assert (own.quirks.thoughts_in_text, own.foreign_quirks.thoughts_in_text) == (False, True)


def test_held_back_text_is_not_scanned_again_per_chunk():
    splitter = ThoughtSplitter(is_held=True)
    for _ in range(2_000):
        assert splitter.feed("a < b, ") == []
    before = splitter._read_to
    assert splitter.feed("and so on") == []

    assert before > 13_900, "only what is new is looked through"
    assert splitter.finish() == [("text", "a < b, " * 2_000 + "and so on")]
