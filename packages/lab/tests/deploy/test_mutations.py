"""Seeded changes of nodes, prompts, rules and tools' schemas: each harmful one is found, no
harmless one is.

`AGENT_DEPLOY_MUTATIONS=200` for as many; `AGENT_DEPLOY_CONVERSATIONS=10000` for the speed of so
many.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.core.spec import FieldSpec, Pack, WorkerSpec
from plainloop.agent.designs import default
from plainloop.agent.designs.base import NodeTable
from plainloop_lab.deploy.judging import Judge, judge_stored
from plainloop_lab.deploy.verdict import Verdict
from plainloop_lab.replay.sources.stored import StoredThread, load_stored
from plainloop_lab.store.deploys import list_judged_threads
from tests.machine.running import TENANT, USER, Machine
from tests.machine.scripted import text, tools, triage, verdict

MUTATIONS = int(os.environ.get("AGENT_DEPLOY_MUTATIONS") or 24)
CONVERSATIONS = int(os.environ.get("AGENT_DEPLOY_CONVERSATIONS") or 20)
SCRIPTS: tuple[tuple[Any, ...], ...] = (
    (triage("note_writer"), text("Noted.")),
    (triage("note_writer"), tools(("a", "add_note", {"text": "milk"})), text("Added.")),
    (
        triage("note_writer"),
        tools(("b", "list_notes", {}), ("c", "set_mood", {"mood": "glad"})),
        text("Two."),
    ),
    (triage("poet"), text("LOUD words"), text("quiet words"), verdict("pass")),
    (triage("poet"), text("quiet words"), verdict("pass")),
)
# Sentences so unlike each other that triage is asked about each.
ASKED = ("write this down", "milk is missing", "tell what we have", "a loud poem!", "one more poem")
Mutation = Callable[[random.Random, Pack, Any], Pack]


def change_worker(pack: Pack, name: str, **changes: Any) -> Pack:
    told = (replace(item, **changes) if item.name == name else item for item in pack.workers)
    return replace(pack, workers=tuple(told))


def choose_worker(chance: random.Random, pack: Pack) -> WorkerSpec:
    return chance.choice([item for item in pack.workers if item.name in ("note_writer", "poet")])


def change_prompt(chance: random.Random, pack: Pack, patch: Any) -> Pack:
    worker = choose_worker(chance, pack)
    words = worker.prompt.split(" ")
    words.insert(chance.randrange(len(words) + 1), chance.choice(["never", "always", "briefly"]))
    return change_worker(pack, worker.name, prompt=" ".join(words))


def change_schema(chance: random.Random, pack: Pack, patch: Any) -> Pack:
    name = chance.choice(["add_note", "list_notes", "set_mood"])
    described = {"description": "Something else."}
    (tool,) = (item for item in pack.tools if item.name == name)
    required = {"parameters": {**tool.schema.parameters, "required": ["nothing"]}}
    changed = replace(tool, **chance.choice([described, required]))
    return replace(pack, tools=tuple(changed if item is tool else item for item in pack.tools))


def drop_tool(chance: random.Random, pack: Pack, patch: Any) -> Pack:
    name = chance.choice(["add_note", "list_notes", "set_mood"])
    (worker,) = (item for item in pack.workers if item.name == "note_writer")
    return change_worker(pack, worker.name, tools=tuple(t for t in worker.tools if t != name))


def change_rule(chance: random.Random, pack: Pack, patch: Any) -> Pack:
    """Whose answers are judged, what the fast paths know."""
    if chance.random() < 0.5:
        policy = {"note_writer": "always", "poet": "never"}
        name = chance.choice([*policy])
        return change_worker(pack, name, evaluate=policy[name])
    (entity,) = pack.entities
    more = replace(entity, fields=(*entity.fields, FieldSpec("mood", "mood")))
    return replace(pack, entities=(more,))


def change_node(chance: random.Random, pack: Pack, patch: Any) -> Pack:
    """A node that writes, goes or fails otherwise."""
    kind = chance.choice(["writes", "goes", "fails"])
    name = chance.choice(["intent_classifier", "note_writer", "poet"])

    def spoil(table: NodeTable) -> NodeTable:
        node = table.nodes[name]

        async def spoiled(state: Any, ctx: Any) -> Any:
            if kind == "fails":
                raise KeyError("no_such_key")
            update, next_node = await node(state, ctx)
            if kind == "goes":
                return update, "general" if next_node == "END" else "END"
            return {**update, "feedback": "a word more"}, next_node

        return replace(table, nodes={**table.nodes, name: spoiled})

    patch(spoil)
    return pack


def add_worker_nobody_asks(chance: random.Random, pack: Pack, patch: Any) -> Pack:
    """A tool more that no worker is shown."""
    (tool, *_) = pack.tools
    return replace(pack, tools=(*pack.tools, replace(tool, name="nobody_is_shown_it")))


def rewrite_tool(chance: random.Random, pack: Pack, patch: Any) -> Pack:
    """The inside of a tool: its results are of the recording."""

    async def other(tool: Any, **_: Any) -> Any:
        return {"other": True}

    place = chance.randrange(len(pack.tools))
    parameters = pack.tools[place].schema.parameters
    changed = replace(pack.tools[place], function=other, parameters=parameters)
    return replace(pack, tools=(*pack.tools[:place], changed, *pack.tools[place + 1 :]))


def wrap_node(chance: random.Random, pack: Pack, patch: Any) -> Pack:
    """A node that was written again and does the same."""
    name = chance.choice(["intent_classifier", "note_writer", "poet"])

    def wrap(table: NodeTable) -> NodeTable:
        node = table.nodes[name]

        async def same(state: Any, ctx: Any) -> Any:
            update, next_node = await node(state, ctx)
            return {**update}, next_node

        return replace(table, nodes={**table.nodes, name: same})

    patch(wrap)
    return pack


def change_title(chance: random.Random, pack: Pack, patch: Any) -> Pack:
    return replace(pack, title=f"Notes {chance.random()}", examples=("add a note",))


def order_tools(chance: random.Random, pack: Pack, patch: Any) -> Pack:
    return replace(pack, tools=tuple(chance.sample(pack.tools, len(pack.tools))))


HARMFUL: tuple[Mutation, ...] = (change_prompt, change_schema, drop_tool, change_rule, change_node)
HARMLESS: tuple[Mutation, ...] = (
    *(add_worker_nobody_asks, rewrite_tool, wrap_node, change_title, order_tools),
)


@pytest.fixture
async def said(machine: Any) -> tuple[Machine, list[StoredThread]]:
    """Conversations that take each way through the nodes."""
    run: Machine = await machine()
    threads: list[StoredThread] = []
    for script in SCRIPTS:
        thread = await run.service.ensure_thread(TENANT, USER, None, "any")
        run.thread_id = thread.thread_id
        run.provider.script[:] = script
        await run.ask(ASKED[len(threads)])
        threads.append(await load_stored(run.store, TENANT, run.thread_id))
    return run, threads


async def judge(run: Machine, pack: Pack, threads: list[StoredThread]) -> Verdict:
    judged = Judge({pack.name: pack}, run.service.settings)
    for thread in threads:
        judged.count(thread, [await judged.replay(thread, turn) for turn in thread.turns])
    return judged.verdict


async def test_deploy_judging_refuses_harmful_changes_and_no_harmless_ones(
    said: tuple[Machine, list[StoredThread]],
):
    run, threads = said
    build = default.DefaultAgent.build_nodes
    wrong: list[str] = []
    for seed in range(MUTATIONS):
        chance = random.Random(seed)
        mutations = HARMFUL if seed % 2 else HARMLESS
        mutation = mutations[seed // 2 % len(mutations)]
        with pytest.MonkeyPatch.context() as monkeypatch:

            def patch(change: Callable[[NodeTable], NodeTable]) -> None:
                monkeypatch.setattr(
                    default.DefaultAgent,
                    "build_nodes",
                    lambda self, served: change(build(self, served)),
                )

            pack = mutation(chance, run.service.packs[0], patch)
            verdict = await judge(run, pack, threads)
        if bool(verdict.refused) != bool(seed % 2):
            wrong.append(f"{seed} {mutation.__name__}: {verdict.describe()}")
    assert wrong == []


async def test_deploy_judging_reports_a_node_that_raises(
    said: tuple[Machine, list[StoredThread]], monkeypatch: pytest.MonkeyPatch
):
    run, threads = said

    def fail(self: Any, pack: Pack) -> NodeTable:
        raise KeyError("no_such_key")

    monkeypatch.setattr(default.DefaultAgent, "build_nodes", fail)
    verdict = await judge(run, run.service.packs[0], threads)
    assert [item.turns for item in verdict.refused] == [len(threads)]


async def test_deploy_judging_reports_a_pack_that_is_no_longer_served(
    said: tuple[Machine, list[StoredThread]],
):
    run, threads = said
    verdict = await judge(run, replace(run.service.packs[0], name="other"), threads)
    assert [item.head for item in verdict.refused] == ["notes/default end"]


async def test_deploy_judging_replays_every_conversation_of_its_sample(
    said: tuple[Machine, list[StoredThread]],
):
    """All are read and judged, the same way each; what it took stands in the test's output."""
    run, threads = said
    store, pack = run.service.store, run.service.pack
    places = await list_judged_threads(store, None, len(threads))
    judged = Judge({pack.name: pack}, run.service.settings)
    began = time.process_time()
    many = [places[n % len(places)] for n in range(CONVERSATIONS)]
    verdict = await judge_stored(judged, store, store, many)
    print(f"{CONVERSATIONS} conversations: {time.process_time() - began:.1f} s of a core")
    assert (verdict.turns, verdict.differences) == (CONVERSATIONS, [])
