"""A replay of the routing alone: each turn ends where a worker would begin, and buys no answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from packages.lab.tests.replay.sharing import Brain, Replayed, make_models, replay_threads
from packages.lab.tests.replay.test_live import Candidate as Answering
from packages.lab.tests.test_advise import JOBS, serve
from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_lab.comparing.comparison import ComparedReplay, TurnComparison
from plainloop_lab.live.plan import LanePlan, LivePlan
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.machine.running import TENANT, Machine
from tests.machine.scripted import text, triage
from tests.server.conftest import ask, begin, serving
from tests.server.replays import TALK, finish, post
from tests.wire_fixtures import StartWire

ASKED = ("write this down", "a loud poem!")
ROUTING = LivePlan(
    {"baseline": LanePlan(), "candidate": LanePlan()}, share=False, role="classifier"
)
MEASURED = {"failed", "limit_hit", "same_route", "calls", "input_tokens", "output_tokens"}


def route(worker: str, **query: Any) -> Callable[[ChatRequest], LLMResponse]:
    """A model that sends each request to this worker or fast path, and answers it with a word."""

    def think(request: ChatRequest) -> LLMResponse:
        return triage(worker, **query) if request.json_schema is not None else text("Noted.")

    return think


@pytest.fixture
async def recorded(machine: Any) -> Machine:
    """A thread with two turns that triage has sent to a worker."""
    run = await machine(models=make_models(Brain(route("note_writer"))), remember=False)
    for words in ASKED:
        told = await run.ask(words)
        assert told.error is None, told.error
    return run


async def replay(
    run: Machine, candidate: Callable[[ChatRequest], LLMResponse], plan: LivePlan = ROUTING
) -> tuple[Replayed, list[TurnComparison]]:
    think = {"baseline": route("note_writer"), "candidate": candidate}
    found = await replay_threads(run, [run.thread_id], plan, think)
    compared = await ComparedReplay.of(run.store, TENANT, found.info).load(0)
    return found, compared["turns"]


async def test_only_triage_is_bought_and_only_its_route_is_compared(recorded: Machine) -> None:
    found, turns = await replay(recorded, route("poet"))

    assert found.bought == {"baseline": 2, "candidate": 2}
    sent = [request for brain in found.brains.values() for request in brain.requests]
    assert all(request.json_schema is not None for request in sent), "no worker was called"
    for turn in turns:
        paths = {lane: turn["lanes"][lane]["path"] for lane in found.brains}
        assert paths == {
            "baseline": ["intent_classifier", "agent_router", "note_writer"],
            "candidate": ["intent_classifier", "agent_router", "poet"],
        }
        measured = turn["measures"]["candidate"]
        assert measured.keys() >= MEASURED and "same_arguments" not in measured
        assert (turn["measures"]["baseline"]["same_route"], measured["same_route"]) == (1, 0)
        assert [change["measure"] for change in turn["worse"]] == ["same_route"]


async def test_turns_without_a_call_of_the_role_are_left_out(
    recorded: Machine, machine: Any
) -> None:
    plan = LivePlan(ROUTING.lanes, share=False, role="router")
    found, turns = await replay(recorded, route("poet"), plan)
    assert found.bought == {"baseline": 0, "candidate": 0}
    assert [[*turn["lanes"]] for turn in turns] == [["recording"]] * 2


async def test_another_query_of_a_fast_path_is_another_route(machine: Any) -> None:
    """Both count notes, so their nodes are the same, and both find none."""
    starred = route("note_writer", records="count notes; stars>=3")
    run = await machine(models=make_models(Brain(starred)), remember=False)
    told = await run.ask("so many of the good ones?")
    assert told.error is None, told.error

    for records, same in (("count notes; stars>=3", 1), ("count notes", 0)):
        candidate = route("note_writer", records=records)
        think = {"baseline": starred, "candidate": candidate}
        found = await replay_threads(run, [run.thread_id], ROUTING, think)
        [turn] = (await ComparedReplay.of(run.store, TENANT, found.info).load(0))["turns"]
        for lane in ("recording", *found.brains):
            path = ["intent_classifier", "fast_count", "format_result"]
            assert turn["lanes"][lane]["path"] == path, lane
        measured = [turn["measures"][lane]["same_route"] for lane in found.brains]
        assert measured == [1, same]


async def test_a_replay_by_command_can_buy_only_the_routing_and_gate_it(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    server = await wire_server(Answering(serve))
    environ = point_at("openai", server.openai_url) | {"AGENT_REMEMBER": "false"}
    talks = "\n/new\n".join(f"add a job: {job} {n} at Initech" for n, job in enumerate(JOBS))
    assert (await plainloop("chat", stdin=f"{talks}\n".encode(), **environ)).code == 0
    chosen = ("--candidate", "gpt-6-sol@none", "--for", "triage")
    done = await plainloop("replay", "live", *chosen, "--only-routing", **environ)
    assert done.code == 0, done
    rows = await store.read("local").fetch(
        "select role, model, count(*) as calls from llm_calls where replay_id is not null "
        "group by role, model order by model"
    )
    assert [(row["role"], row["model"], row["calls"]) for row in rows] == [
        ("classifier", "gpt-6-luna", len(JOBS)),
        ("classifier", "gpt-6-sol", len(JOBS)),
    ]

    rules = tmp_path / "rules.toml"
    rules.write_text('[[rule]]\nmeasure = "same_route"\nmargin = "50pp"\n')
    judged = await plainloop("gate", "rules.toml", *chosen, **environ)
    assert (judged.code, judged.out.splitlines()[-1]) == (0, "verdict: passed"), judged
    table = await plainloop("compare", *chosen, "--measure", "same_route", **environ)
    assert "gpt-6-sol@none" in table.out and "100%" in table.out, table
    rules.write_text('[[rule]]\nmeasure = "same_arguments"\nmargin = "50pp"\n')
    other = await plainloop("gate", "rules.toml", *chosen, **environ)
    assert "no conversation has a value of same_arguments" in other.err, other


async def test_a_candidate_that_changes_more_than_a_route_is_refused(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "crm_worker.md").write_text("Be brief.")
    tried = ("--candidate", "gpt-6-luna")
    wrong = {
        (*tried, "--for", "crm_worker"): "but this candidate changes crm_worker",
        (*tried, "--for", "triage", "--for", "router"): "changes classifier, router",
        (*tried, "--for", "verdict"): "but this candidate changes evaluator",
        tried: "but this candidate changes AGENT_MODEL",
        (): "but this candidate changes nothing",
        (*tried, "--for", "triage", "--prompts", "mine"): "changes classifier, crm_worker",
        (*tried, "--for", "triage", "--no-baseline", "--judge", "openai:gpt-6-sol"): (
            "runs no worker, so it cannot have no baseline, a judge"
        ),
        (*tried, "--for", "triage", "--from", "talks.jsonl"): "cannot have imported conversations",
    }
    for options, told in wrong.items():
        done = await plainloop("replay", "live", "--only-routing", *options, OPENAI_API_KEY="k")
        assert (done.code, told in done.err) == (2, True), done


async def test_a_replay_over_http_can_buy_only_the_routing(
    settings: Settings, wire_server: StartWire
) -> None:
    server = await wire_server(Answering(serve))
    chosen = replace(
        settings,
        provider="openai",
        api_key=Secret("sk-test"),
        api_base=server.openai_url,
        agent=replace(settings.agent, remember=False),
    )
    tried = {"only_routing": True, "models": {"triage": "gpt-6-sol@none"}}
    async with serving(chosen) as replica:
        client = await replica.client()
        for n, job in enumerate(JOBS[:3]):
            await ask(client, await begin(client), f"add a job: {job} {n} at Initech")
        made = await post(client, **tried)
        found = await finish(client, made["id"])
        name = "gpt-6-sol@none for classifier, routing only against today"
        assert found["replay"]["name"].startswith(f"{name}, ")
        summary = found["report"]["summary"]
        measured = {item["name"] for item in summary["measures"] if item["difference"]}
        assert "same_route" in measured and "same_arguments" not in measured
        assert summary["verdict"]["headline"] == "Nothing got worse."
        rows = await replica.service.store.read("local").fetch(
            "select role, model, count(*) as calls from llm_calls where replay_id is not null "
            "group by role, model order by model"
        )
        assert [(row["role"], row["model"], row["calls"]) for row in rows] == [
            ("classifier", "gpt-6-luna", 3),
            ("classifier", "gpt-6-sol", 3),
        ]
        again = await post(client, **found["candidate"])
        assert again["name"] == found["replay"]["name"], "it is tried again as it was"
        one = await client.get(f"/api/replays/{made['id']}/conversations/0")
        assert "--only-routing" in one.json()["command"]

        wrong: dict[str, dict[str, Any]] = {
            "but this candidate changes crm_worker": {"models": {"crm_worker": "gpt-6-sol"}},
            "but this candidate changes AGENT_MODEL": {"models": {}, "model": "gpt-6-sol"},
            "but this candidate changes nothing": {"models": {}},
            "cannot have no baseline, own history": {"baseline": False, "history": "own"},
            "cannot have a judge": {"judge": "openai:gpt-6-sol"},
            "cannot have imported conversations": {"conversations": [TALK]},
        }
        for told, options in wrong.items():
            refused = await client.post("/api/replays", json={**tried, **options})
            error = refused.json()["error"]
            assert (refused.status_code, told in error["message"]) == (400, True), refused.text
            assert "only_routing" in error["hint"] or '"triage"' in error["hint"], error
        assert len((await client.get("/api/replays")).json()["replays"]) == 2
