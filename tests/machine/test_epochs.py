"""A prompt stays as it was first sent until history is cut; what changes follows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.core.taint import Guard
from plainloop.agent.core.tools import ToolRegistry
from plainloop.agent.packs.prompts import change_workers
from plainloop.agent.provenance.marking import UNTRUSTED_NOTE
from plainloop.agent.types import ChatRequest
from tests.machine.conftest import StartMachine
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT, Machine
from tests.machine.scripted import text, triage

CHANGED = "what stands below your own instructions has changed"


class Profiles:
    """A pack whose users' profile changes."""

    def __init__(self, said: str) -> None:
        self.said = said

    async def start(self, machine: StartMachine, **limits: Any) -> Machine:
        async def load(ctx: Any) -> str:
            return self.said

        return await machine(pack=replace(make_pack(), load_prompt_context=load), **limits)

    async def ask(self, run: Machine, said: str | None = None) -> ChatRequest:
        """The worker's request of one more turn, after the profile has changed."""
        self.said = self.said if said is None else said
        run.provider.script[:] = [triage("note_writer"), text("All right.")]
        told = await run.ask("please write a note")
        assert told.answer == "All right.", told.error
        return run.provider.requests[-1]


async def test_a_changed_profile_is_appended_once_after_the_users_message(machine: StartMachine):
    profiles = Profiles("Ann bakes.")
    run = await profiles.start(machine)
    first = await profiles.ask(run)
    second = await profiles.ask(run, "Ann builds.")
    third = await profiles.ask(run)

    assert first.system == second.system == third.system == "You keep notes.\n\nAnn bakes."
    said = second.messages[-1]
    assert said["role"] == "user"
    assert get_text(said).endswith("Ann builds.")
    assert third.messages[: len(second.messages)] == second.messages
    assert sum(CHANGED in get_text(message) for message in third.messages) == 1
    back = await profiles.ask(run, "Ann bakes.")
    assert "as they stand at the beginning" in get_text(back.messages[-1])
    assert back.messages[: len(third.messages)] == third.messages


async def test_a_calls_ledger_row_has_its_notices_or_null(machine: StartMachine):
    profiles = Profiles("Ann bakes.")
    run = await profiles.start(machine)
    await profiles.ask(run)
    second = await profiles.ask(run, "Ann builds.")
    calls = await run.store.read(TENANT).fetch(
        "select worker, extra_messages from llm_calls where tenant_id = $1 and role = 'worker'"
        " order by created_at",
        TENANT,
    )

    assert [call["worker"] for call in calls] == ["note_writer"] * 2
    assert [call["extra_messages"] for call in calls] == [None, [second.messages[-1]]]


async def test_many_changes_of_the_profile_start_a_new_prompt_epoch(machine: StartMachine):
    profiles = Profiles("Ann bakes.")
    run = await profiles.start(machine, appended_tokens=150)
    systems: list[str] = []
    for n in range(8):
        request = await profiles.ask(run, f"Ann has {n} shops. " + "She bakes bread. " * 8)
        systems.append(request.system)
        assert f"{n} shops" in request.system + get_text(request.messages[-1])
        shown = " ".join(get_text(message) for message in request.messages)
        assert shown.count("shops.") <= 4, "what another prompt began with is not said again"
    assert 1 < len({*systems}) < 8


async def test_appended_notices_count_for_the_taint_rules(machine: StartMachine):
    profiles = Profiles(f"{UNTRUSTED_NOTE} Call +47 55 00 11.")
    run = await profiles.start(machine)
    await profiles.ask(run)
    await profiles.ask(run, "Ann builds, write to ann@example.org.")
    guard = Guard(await run.load_messages(), "", ToolRegistry())
    assert guard.is_tainted, "the prompt that the thread began with is shown still"

    clean = Profiles("Ann bakes.")
    run = await clean.start(machine)
    await clean.ask(run)
    await clean.ask(run, "Ann builds, write to ann@example.org.")
    guard = Guard(await run.load_messages(), "", ToolRegistry())
    assert not guard.is_tainted
    assert guard.is_named("ann@example.org")


async def test_prompt_notices_are_hidden_from_users(machine: StartMachine):
    profiles = Profiles("Ann bakes.")
    run = await profiles.start(machine)
    await profiles.ask(run)
    await profiles.ask(run, "Ann builds.")
    messages = await run.load_messages()
    assert [get_text(m) for m in messages if m["role"] == "assistant"] == ["All right."] * 2
    assert [m["role"] for m in messages] == ["user", "assistant"] * 2


async def test_with_thinking_kept_turn_thinking_of_earlier_turns_is_omitted(machine: StartMachine):
    pack = change_workers(make_pack(), lambda worker: replace(worker, thinking_kept="turn"))
    run = await machine(pack=pack)
    state: Any = {"provider": "scripted", "model": "one", "value": {"signature": "sealed"}}
    thought: Any = {"type": "reasoning", "text": "Hm.", "provider_state": state}
    answer = text("All right.")
    answer.message["parts"].insert(0, thought)
    run.provider.script[:] = [triage("note_writer"), answer, triage("note_writer"), text("Yes.")]
    await run.ask()
    await run.ask()
    parts = [part for message in run.provider.requests[-1].messages for part in message["parts"]]
    kept = [part["provider_state"]["value"] for part in parts if "provider_state" in part]
    assert kept == [{}]
