"""Stored threads replay as they were, whatever happened in them; a change shows where it begins."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from plainloop.agent.base.messages.contents import OUTDATED
from plainloop.agent.errors import ModelOverloaded
from plainloop.agent.packs.prompts import change_workers
from plainloop_lab.replay.engine.stored import find_prompt_context
from plainloop_lab.replay.sources.line_ranges import index_lines, read_range
from plainloop_lab.replay.sources.stored import build_thread, load_stored
from plainloop_lab.replay.sources.thread_recording import load_recording, parse_recording, to_line
from scripts.benchmarks.rig.counting import counted_calls
from tests.cli.conftest import plainloop as plainloop
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT
from tests.machine.scripted import text, tools, triage, verdict
from tests.replaying import explain, replay


async def test_a_replay_shows_a_rejected_drafts_recorded_problems(machine: Any) -> None:
    script = [triage("poet"), text("LOUD words"), text("quiet words"), verdict("pass")]
    run = await machine(*script)
    await run.ask()
    replayed = await replay(run)
    assert explain(replayed) is None
    assert replayed.turns[0].path == (
        "intent_classifier",
        "agent_router",
        "poet",
        "poet.evaluator",
        "poet",
        "poet.evaluator",
    )


async def test_a_replay_repeats_a_recorded_failure_of_a_review(machine: Any) -> None:
    busy = ModelOverloaded("busy", retry_after_s=0.0)
    run = await machine(triage("poet"), text("Roses."), busy, model_attempts=1)
    await run.ask("a poem")
    replayed = await replay(run)

    assert explain(replayed) is None
    assert [turn.outcome for turn in replayed.turns] == ["same"]


async def test_a_replay_repeats_a_review_that_failed_at_its_second_try(machine: Any) -> None:
    busy = ModelOverloaded("busy", retry_after_s=0.0)
    run = await machine(triage("poet"), text("Roses."), text("Hm."), busy, model_attempts=2)
    await run.ask("a poem")
    assert run.provider.script == []
    replayed = await replay(run)

    assert explain(replayed) is None
    assert [turn.outcome for turn in replayed.turns] == ["same"]


async def test_a_replay_drops_the_same_outdated_results_as_the_recording(machine: Any) -> None:
    script: list[Any] = []
    for n in range(16):
        script += [
            triage("note_writer"),
            tools((f"w{n}", "add_note", {"text": "the same again"})),
            tools((f"r{n}", "list_notes", {"limit": 1})),
            text("Noted, and noted. " * 5),
        ]
    run = await machine(*script, window_tokens=600)
    for _ in range(16):
        await run.ask()
    parts = [
        part
        for message in run.provider.requests[-1].messages
        for part in message["parts"]
        if part["type"] == "tool_result"
    ]
    shown = [part["name"] for part in parts if part["result"] != OUTDATED]

    # Of older lists not even the calls are shown.
    assert len(shown) == len(parts)
    assert 0 < shown.count("list_notes") < shown.count("add_note") <= 16
    assert explain(await replay(run)) is None


async def test_a_recording_with_large_files_is_read(machine: Any, tmp_path: Path) -> None:
    run = await machine(triage("note_writer"), text("Noted."))
    await run.ask()
    recording = await load_recording(run.store, TENANT, run.thread_id)
    data = base64.b64encode(bytes(13_000_000)).decode()
    file = {"type": "file", "media_type": "text/plain", "data": data, "tokens": 9}
    recording.messages[0]["parts"].append(file)
    path = tmp_path / "recorded.jsonl"
    path.write_bytes(to_line(recording, {}) + b"\n")
    index = index_lines(str(path))

    lines = read_range(index.get_range(range(len(index))))
    assert [parse_recording(line, number) is not None for number, line in lines] == [True]


async def test_a_thread_of_another_tenant_cannot_be_replayed(machine: Any) -> None:
    run = await machine(triage("note_writer"), text("Noted."))
    await run.ask()
    thread = await load_stored(run.store, "other", run.thread_id)
    assert (thread.messages, thread.turns) == ((), ())


def test_a_recorded_prompts_user_context_is_found_despite_prompt_edits(machine: Any) -> None:

    pack = make_pack()
    assert find_prompt_context(pack, "You keep notes.\n\nProfile:\n\nlikes tea") == (
        "Profile:\n\nlikes tea"
    )
    assert find_prompt_context(pack, "You keep all notes.\n\nProfile:\n\nlikes tea") == (
        "Profile:\n\nlikes tea"
    )
    assert find_prompt_context(pack, "You keep notes.") == ""


def test_finding_a_changed_prompts_context_takes_few_comparisons() -> None:
    """Not once for each of its paragraphs: that took seconds a turn."""
    rules = [f"Rule {n}: keep the notes of room {n} apart, always." for n in range(40)]
    pack = change_workers(make_pack(), lambda spec: replace(spec, prompt="\n\n".join(rules)))
    then = "\n\n".join(["This rule was another.", *rules[1:], "Profile:", "likes tea"])

    with counted_calls() as calls:
        assert find_prompt_context(pack, then) == "Profile:\n\nlikes tea"

    assert calls[0] < 700  # once for each paragraph: 3,500


async def test_a_replay_appends_the_same_prompt_notices_as_the_recording(machine: Any) -> None:
    said = ["Ann bakes."]

    async def load(ctx: Any) -> str:
        return said[-1]

    script: list[Any] = []
    for _ in range(4):
        script += [triage("note_writer"), text("Noted.")]
    twice = [verdict("retry", "Shorter.", 0.3), text("b"), verdict("retry", "More.", 0.3)]
    script += [triage("poet"), text("a a"), *twice, text("c"), verdict("pass")]
    run = await machine(*script, pack=replace(make_pack(), load_prompt_context=load))
    for profile in ("Ann bakes.", "Ann builds.", "Ann builds.", "Ann bakes.", "Ann sails."):
        said.append(profile)
        assert (await run.ask()).error is None

    assert explain(await replay(run)) is None


async def test_a_message_that_arrives_while_its_thread_is_read_is_left_out(machine: Any) -> None:
    run = await machine(*[triage("note_writer"), text("Noted.")] * 2)
    await run.ask()

    class Busy:
        """The store of a service in which the user writes on, just then."""

        async def load_messages(self, *given: Any) -> Any:
            messages = await run.store.load_messages(*given)
            await run.ask()
            return messages

        def __getattr__(self, name: str) -> Any:
            return getattr(run.store, name)

    recording = await load_recording(cast("Any", Busy()), TENANT, run.thread_id)
    assert (len(await run.load_messages()), len(recording.messages)) == (4, 2)
    read = parse_recording(to_line(recording, {}), 1)
    assert read is not None
    assert [turn.position for turn in build_thread(read).turns] == [0]
