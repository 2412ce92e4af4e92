"""What is erased is in no prompt and in no table: itself, with its conversation, its user."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import plainloop_memory
from plainloop.agent.core.spec import WorkerSpec
from plainloop.agent.packs.prompts import change_workers
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.opening import connect_store
from plainloop_operations.moving.carrying import erase_tenant, export_tenant, import_tenant
from tests.machine.running import TENANT, Machine
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.test_tenants import load_everything

from .test_remembering import replay

FACT = "prefers the Zyzzyva night train"
OTHER = "likes tea"
WORKER = "crm_worker"


def remembering(said: str = FACT) -> tuple[Any, ...]:
    return triage(WORKER), tools(("c1", "remember", {"text": said})), text("Kept.")


RECALLING = (triage(WORKER), tools(("c2", "recall", {"query": "train tea"})), text("You do."))
ANSWERING = (triage(WORKER), text("All right."))


async def talk(served: Served, *script: Any, conversation: str | None = None) -> str:
    """One turn that the script answers, in a new conversation of ann's; that one's id."""
    ann = await served.client("ann")
    conversation = conversation or await begin(ann)
    served.service.models.first.script[:] = script  # type: ignore[attr-defined]
    await ask(ann, conversation, "what about my seat?")
    return conversation


async def read_rows(served: Served, tenant: str = TENANT) -> bytes:
    return await load_everything(served.service.store, tenant)


def get_prompts(served: Served) -> list[str]:
    requests = served.service.models.first.requests  # type: ignore[attr-defined]
    return [f"{request.system}\n{request.messages}" for request in requests]


async def check_gone(served: Served, conversation: str) -> None:
    """Nothing says it any more, the other memory is there, and what was said replays as it was."""
    rows = await read_rows(served)
    assert b"Zyzzyva" not in rows
    asked = len(get_prompts(served))
    await talk(served, *ANSWERING, conversation=conversation)
    await talk(served, *ANSWERING)
    later = get_prompts(served)[asked:]
    assert not any("Zyzzyva" in prompt for prompt in later)
    assert any(OTHER in prompt for prompt in later)
    run = Machine(served.service, conversation, None)  # type: ignore[arg-type]
    replayed = await replay(run, conversation)
    assert {turn.outcome for turn in replayed.turns} == {"same"}


@pytest.fixture
async def served(serve: Serve) -> Served:
    return await serve(text("not asked yet"))


async def test_a_memory_is_erased_with_its_conversation(served: Served):
    source = await talk(served, *remembering())
    await talk(served, *remembering(OTHER))
    other = await talk(served, *RECALLING)
    assert b"Zyzzyva" in await read_rows(served)
    assert "Zyzzyva" in get_prompts(served)[-1]
    ann = await served.client("ann")

    erased = await ann.delete(f"/api/chat/conversations/{source}")

    assert erased.status_code == 204
    assert [m["text"] for m in (await ann.get("/api/memories")).json()["memories"]] == [OTHER]
    await check_gone(served, other)


async def test_erasing_a_memory_erases_its_earlier_versions(served: Served):
    ann = await served.client("ann")
    made = (await ann.post("/api/memories", json={"text": FACT})).json()
    await talk(served, *remembering(OTHER))
    other = await talk(served, *RECALLING)
    path = f"/api/memories/{made['memory_id']}"
    corrected = (await ann.patch(path, json={"text": "prefers the Zyzzyva day train"})).json()
    await talk(served, *RECALLING)

    assert (corrected["memory_id"], corrected["version"]) == (made["memory_id"], 2)
    assert (await ann.delete(path)).status_code == 204
    assert (await ann.delete(path)).status_code == 404
    await check_gone(served, other)


async def test_a_corrected_memory_is_erased_with_its_first_conversation(served: Served):
    source = await talk(served, *remembering())
    ann = await served.client("ann")
    (known,) = (await ann.get("/api/memories")).json()["memories"]
    await ann.patch(f"/api/memories/{known['memory_id']}", json={"text": "Zyzzyva, by day"})

    await ann.delete(f"/api/chat/conversations/{source}")

    assert (await ann.get("/api/memories")).json()["memories"] == []
    assert b"Zyzzyva" not in await read_rows(served)


async def test_a_run_continues_if_a_memory_in_its_prompt_is_erased(served: Served):
    """Its own prompt is as it began; it leaves nothing behind, and the next one has it no more."""
    source = await talk(served, *remembering())
    await talk(served, *remembering(OTHER))
    ann = await served.client("ann")

    async def erase(request: Any) -> Any:
        assert "Zyzzyva" in request.system
        await ann.delete(f"/api/chat/conversations/{source}")
        return tools(("c2", "recall", {"query": "train tea"}))

    other = await talk(served, triage(WORKER), erase, text("You like tea."))

    await check_gone(served, other)


async def test_all_memories_are_erased_at_once_and_with_the_user(served: Served):
    ann, bob = await served.client("ann"), await served.client("bob")
    await bob.post("/api/memories", json={"text": "bob's own"})
    for said in (FACT, OTHER):
        await ann.post("/api/memories", json={"text": said})
    await talk(served, *RECALLING)

    assert (await ann.delete("/api/memories")).json() == {"count": 2}
    assert b"Zyzzyva" not in await read_rows(served)
    await ann.post("/api/memories", json={"text": FACT})
    await talk(served, *RECALLING)
    assert (await ann.delete("/api/users/me")).status_code == 204
    rows = await read_rows(served)
    assert b"Zyzzyva" not in rows
    assert b'"ann"' not in rows
    assert b"bob's own" in rows


async def test_moving_a_tenant_moves_memories_and_keeps_recordings_intact(
    served: Served, empty_database_url: str, tmp_path: Path, settings: Any
):

    from plainloop.agent.config.values import Secret

    ann = await served.client("ann")
    await ann.post("/api/memories", json={"text": FACT})
    other = await talk(served, *RECALLING)
    store = served.service.store
    before = await read_rows(served)
    there = settings.change(DatabaseSettings, url=Secret(empty_database_url))
    folders = [pack.migrations for pack in served.service.packs if pack.migrations]
    target = await connect_store(there, migration_folders=folders)

    await export_tenant(store, TENANT, tmp_path, 60)
    await import_tenant(target, tmp_path)
    await erase_tenant(store.database, TENANT)

    moved = await target.read(TENANT).fetch("select text from memories")
    texts = await target.read(TENANT).fetch("select text from prompt_texts")
    runs = await target.read(TENANT).fetch("select run_id from runs where thread_id = $1", other)
    await target.close()
    assert b"Zyzzyva" in before
    assert [row["text"] for row in moved] == [FACT]
    assert any("Zyzzyva" in row["text"] for row in texts)
    assert len(runs) == 1
    assert b"Zyzzyva" not in await read_rows(served)


async def test_erasing_a_memory_erases_the_notice_that_contains_it(served: Served):
    source = await talk(served, *remembering())
    other = await talk(served, *ANSWERING)
    edited = (change_workers(pack, shorten) for pack in served.service.packs)
    served.service.packs = tuple(edited)
    await talk(served, *ANSWERING, conversation=other)
    assert "These hold from now on instead" in get_prompts(served)[-1]
    assert b"Zyzzyva" in await read_rows(served)

    ann = await served.client("ann")
    assert (await ann.delete(f"/api/chat/conversations/{source}")).status_code == 204
    assert b"Zyzzyva" not in await read_rows(served)
    await talk(served, *ANSWERING, conversation=other)
    assert "Zyzzyva" not in get_prompts(served)[-1]


def shorten(worker: WorkerSpec) -> WorkerSpec:
    return replace(worker, prompt=f"{worker.prompt} Be short.")


async def test_erasing_memories_works_without_the_tables_of_replays(machine: Any):
    # 0005 changes one line of a function that 0001, or an older core, made. Where that line were
    # another one, nothing would change: a later change writes the whole function.
    run: Machine = await machine()
    db = run.service.store.read(TENANT)
    named = "select prosrc from pg_proc where oid = 'memory_erase_traces'::regproc"
    now = await db.fetchval(named)
    first = (
        Path(plainloop_memory.__file__).parent / "migrations/0001_memory_memories.sql"
    ).read_text()
    made = first.partition("create function memory_erase_traces()")[2].split("$$")[1]
    assert made.count("join replay_items on") == 1
    assert now == made.replace("join replay_items on", "join memory_replayed() as replay_items on")
