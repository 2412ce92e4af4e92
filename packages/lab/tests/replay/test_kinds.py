"""Conversations of many kinds: no recorded one diverges, a candidate that answers the same is worse
in none, and one that is worse in a tenth is worse in exactly those.

`PLAINLOOP_KIND_CONVERSATIONS=200` for as many.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

import pytest

from packages.lab.tests.replay.sharing import Brain, make_models, make_plan, replay_threads
from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.core.spec import Pack
from plainloop.agent.errors import ModelRequestError
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_lab.comparing.comparison import ComparedReplay, Comparison
from plainloop_lab.replay.engine.stored import replay_stored
from plainloop_lab.replay.redaction.recordings import list_own_texts, redact_recording
from plainloop_lab.replay.redaction.redactor import Redactor
from plainloop_lab.replay.sources.stored import build_thread, load_stored
from plainloop_lab.replay.sources.thread_recording import load_recording, parse_recording, to_line
from tests.machine.notes_pack import make_named_pack
from tests.machine.running import TENANT, USER, Machine
from tests.machine.scripted import text, tools, triage, verdict

COUNT = int(os.environ.get("PLAINLOOP_KIND_CONVERSATIONS") or 30)
TRIAGE = "You sort requests"


def call(name: str, arguments: dict[str, Any], key: str = "c") -> Callable[[str], LLMResponse]:
    return lambda number: tools((f"{key}{number}", name, arguments))


def say(words: str) -> Callable[[str], Any]:
    return lambda number: text(f"{words} {number}.")


def fail(number: str) -> Any:
    return ModelRequestError("the request is refused")


def cancel(number: str) -> Any:
    raise asyncio.CancelledError


@dataclass(frozen=True)
class Kind:
    """What the user says, who answers, and what the model says one answer after the other."""

    asked: str
    worker: str
    steps: tuple[Callable[[str], Any], ...]
    fast: dict[str, Any] | None = None


LIST = {"fast_intent": "list", "entity_type": "notes"}
MILK = {"text": "milk"}
KINDS = (
    Kind("tell me something", "note_writer", (say("Something"),)),
    Kind("write milk down", "note_writer", (call("add_note", MILK), say("Noted"))),
    Kind("read what there is", "note_writer", (call("list_notes", {}), say("That is all"))),
    Kind(
        "read it and read it again",
        "note_writer",
        (call("list_notes", {}, "a"), call("list_notes", {}, "b"), say("Twice")),
    ),
    Kind(
        "both at once, please",
        "note_writer",
        (
            lambda n: tools((f"x{n}", "list_notes", {}), (f"y{n}", "set_mood", {"mood": "glad"})),
            say("Both"),
        ),
    ),
    Kind("try what fails", "note_writer", (call("add_then_fail", MILK), say("It failed"))),
    Kind("try what breaks", "note_writer", (call("explode", {}), say("It broke"))),
    Kind("call it wrongly", "note_writer", (call("add_note", {"stars": "many"}), say("Wrong"))),
    Kind("call what is not there", "note_writer", (call("no_such", {}), say("No such"))),
    Kind("a quiet poem", "poet", (say("quiet words"),)),
    Kind("a loud poem", "poet", (say("LOUD words"), say("quiet words"))),
    Kind("how many notes do I have?", "", ()),
    Kind("list my notes about Zorro", "note_writer", (), {**LIST, "records": "list notes"}),
    Kind(
        "go on for ever",
        "note_writer",
        tuple(call("set_mood", {"mood": f"{n}"}, f"m{n}_") for n in range(9)),
    ),
    Kind("what is refused", "note_writer", (fail,)),
    Kind("what is cancelled", "note_writer", (call("list_notes", {}), cancel)),
    Kind("drop it all", "note_writer", (call("drop_note", MILK), say("Dropped"))),
)
PARTIAL = {"go on for ever", "what is refused", "what is cancelled", "drop it all"}


def build_pack() -> Pack:
    pack = make_named_pack()
    (add,) = (item for item in pack.tools if item.name == "add_note")
    asking = replace(add, name="drop_note", needs_approval=True)
    writer, poet = pack.workers
    writer = replace(writer, tools=(*writer.tools, "drop_note"))
    return replace(pack, workers=(writer, poet), tools=(*pack.tools, asking))


def answer(request: ChatRequest, spoiled: Collection[str] = ()) -> Any:
    """What the model says, whatever its prompt is: by what the user said, and how far it is."""
    said = [(n, get_text(m)) for n, m in enumerate(request.messages) if m["role"] == "user"]
    kind, number, place = next(
        (kind, found[1], n)
        for n, words in reversed(said)
        for kind in KINDS
        if (found := re.search(rf"{re.escape(kind.asked)} \((\d+)\)", words))
    )
    if request.json_schema is not None and request.json_schema.name == "verdict":
        return verdict("pass")
    if request.system.startswith(TRIAGE):
        return triage(kind.worker or "note_writer", **(kind.fast or {}))
    done = sum(message["role"] == "assistant" for message in request.messages[place:])
    if number in spoiled:
        call_more = tools((f"s{number}", "add_note", {"text": "spoiled"}))
        return text("Spoiled.") if done else call_more
    return kind.steps[min(done, len(kind.steps) - 1)](number) if kind.steps else text("None.")


@dataclass
class Talks:
    run: Machine
    threads: list[str]
    asked: list[str]


@pytest.fixture
async def talks(machine: Any) -> Talks:
    """One conversation after the other, each of one kind, a turn of words before and after it."""
    models = make_models(Brain(answer))
    run: Machine = await machine(models=models, pack=build_pack(), worker_turns=4, model_attempts=1)
    found = Talks(run, [], [])
    for number in range(COUNT):
        kind = KINDS[number % len(KINDS)]
        run.thread_id = (await run.service.ensure_thread(TENANT, USER, None, "t")).thread_id
        found.threads.append(run.thread_id)
        found.asked.append(kind.asked)
        for asked in ("tell me something", kind.asked):
            try:
                await run.ask(f"{asked} ({number})")
            except asyncio.CancelledError:
                assert kind.asked == "what is cancelled"
    return found


async def test_recordings_of_every_kind_replay_without_divergence(talks: Talks) -> None:
    service = talks.run.service
    packs = {service.pack.name: service.pack}
    diverged = {}
    for thread_id, asked in zip(talks.threads, talks.asked, strict=True):
        thread = await load_stored(talks.run.store, TENANT, thread_id)
        replayed = await replay_stored(thread, packs, service.settings)
        if replayed.divergence is not None:
            diverged[asked] = replayed.divergence.to_json()
    assert diverged == {}


async def test_recordings_of_every_kind_replay_after_redaction(talks: Talks) -> None:
    service = talks.run.service
    packs = {service.pack.name: service.pack}
    redactor = Redactor(list_own_texts([service.pack]), ["something", "milk"])
    left_out = {}
    for thread_id, asked in zip(talks.threads, talks.asked, strict=True):
        recording = await load_recording(talks.run.store, TENANT, thread_id)
        found, why = await redact_recording(recording, redactor, packs, service.settings)
        if found is None:
            left_out[asked] = why
            continue
        line = to_line(found, {"messages": []})
        assert b"something" not in line.lower(), asked
        stored = parse_recording(line, 1)
        assert stored is not None
        replayed = await replay_stored(build_thread(stored), packs, service.settings)
        assert replayed.divergence is None, asked
    assert left_out == {}


async def compare(
    talks: Talks, think: Callable[[ChatRequest], Any]
) -> tuple[Any, list[Comparison]]:
    plan = make_plan(baseline=False, drift=0.05, prompts={"poet": "You write poems, and well."})
    lanes = {"candidate": think, "drift": answer}
    found = await replay_threads(talks.run, talks.threads, plan, lanes)
    replay = ComparedReplay.of(talks.run.store, TENANT, found.info)
    return found, [item async for item in replay.list_all()]


async def test_a_candidate_with_equal_answers_is_worse_in_no_conversation(talks: Talks) -> None:
    found, compared = await compare(talks, answer)
    worse = {
        talks.asked[item["n"]]: [turn["worse"] for turn in item["turns"]]
        for item in compared
        if item["severity"]
    }
    assert worse == {}
    recorded = sum(
        turn["lanes"]["recording"]["calls"] or 0 for c in compared for turn in c["turns"]
    )
    assert found.summary["sharing"]["bought_calls"] <= recorded / 5
    assert found.summary["verdict"]["kind"] == "same", found.summary["verdict"]
    left = {talks.asked[item["n"]] for item in compared if "left_out" in item}
    assert left == PARTIAL & {*talks.asked}


async def test_a_candidate_is_reported_worse_in_exactly_the_worse_tenth(talks: Talks) -> None:
    poems = [n for n, asked in enumerate(talks.asked) if asked.endswith("poem")]
    spoiled = {str(n) for n in poems[: max(1, COUNT // 10)]}
    _, compared = await compare(talks, lambda request: answer(request, spoiled))
    ordered = sorted(compared, key=lambda item: -item["severity"])
    first = {str(item["n"]) for item in ordered[: len(spoiled)]}
    assert (first, {str(item["n"]) for item in compared if item["severity"]}) == (spoiled, spoiled)
