"""`--candidate MODEL@EFFORT --for WORKER` means the same to each command that decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.replay.test_live import Candidate as Answering
from packages.lab.tests.test_advise import JOBS, serve
from packages.lab.tests.test_tune import COUNT, obey, write_talks
from plainloop.agent.store.store import Store
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire

TRIED = ("gpt-6-luna@none", "openai:gpt-6-sol@low")
CHOSEN = (*(part for name in TRIED for part in ("--candidate", name)), "--for", "crm_worker")
SETTINGS = [
    {"AGENT_AGENTS_CRM_WORKER_MODEL": "gpt-6-luna", "AGENT_AGENTS_CRM_WORKER_EFFORT": "none"},
    {
        "AGENT_AGENTS_CRM_WORKER_PROVIDER": "openai",
        "AGENT_AGENTS_CRM_WORKER_MODEL": "gpt-6-sol",
        "AGENT_AGENTS_CRM_WORKER_EFFORT": "low",
    },
]


@pytest.fixture
async def tried(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> tuple[dict[str, str], list[Any]]:
    """(the environment of a service with ten threads that both candidates have answered anew,
    the requests to the model)."""
    server = await wire_server(Answering(serve))
    environ = point_at("openai", server.openai_url)
    talks = "\n/new\n".join(f"add a job: {job} {n} at Initech" for n, job in enumerate(JOBS))
    assert (await plainloop("chat", stdin=f"{talks}\n".encode(), **environ)).code == 0
    done = await plainloop("replay", "live", *CHOSEN, **environ)
    assert done.code == 0, done
    (tmp_path / "rules.toml").write_text('[[rule]]\nmeasure = "failed"\nmargin = "50pp"\n')
    return environ, server.requests


async def test_gate_and_compare_read_each_candidates_newest_replay(
    plainloop: Command, tried: tuple[dict[str, str], list[Any]], store: Store
) -> None:
    environ, requests = tried
    asked = len(requests)
    rows = await store.read("local").fetch("select replay_id from replays order by replay_id")
    ids = [str(row["replay_id"]) for row in rows]

    judged = await plainloop("gate", "rules.toml", *CHOSEN, "--json", "gate.json", **environ)
    assert judged.code == 0, judged
    for name, replay_id in zip(TRIED, ids, strict=True):
        assert f"{name}: replay {replay_id} of " in judged.err
    told = orjson.loads((plainloop.folder / "gate.json").read_bytes())
    assert [item["name"] for item in told["candidates"]] == [*TRIED]
    by_id = await plainloop("gate", "rules.toml", "-c", ids[0], **environ)
    assert (by_id.code, by_id.out.splitlines()[-1]) == (0, "verdict: passed"), by_id

    table = await plainloop("compare", *CHOSEN, "--measure", "same_arguments", **environ)
    assert [line.replace(" *", "").split()[:2] for line in table.out.splitlines()[1:4]] == [
        ["baseline", "100%"],
        ["gpt-6-luna@none", "100%"],
        ["openai-gpt-6-sol@low", "100%"],
    ], table
    assert len(requests) == asked, "what decides from replays buys nothing"

    other = await plainloop("gate", "rules.toml", "-c", "gpt-6-luna@max", **environ)
    assert other.code == 3 and "no finished live replay that sets AGENT_EFFORT=max" in (
        other.err
    ), other
    nothing = await plainloop("compare", "--for", "crm_worker", **environ)
    assert (nothing.code, "--for needs --candidate" in nothing.err) == (2, True), nothing


async def test_a_learned_routing_table_names_models_with_efforts(
    plainloop: Command, tried: tuple[dict[str, str], list[Any]], tmp_path: Path
) -> None:
    environ, _ = tried
    command = ("--by", "worker", "--max-loss", "90pp", "-o", "routes.json")
    learned = await plainloop("route", "learn", *CHOSEN, *command, **environ)
    assert learned.code == 0, learned
    table = orjson.loads((tmp_path / "routes.json").read_bytes())
    [route] = table["routes"]
    assert (route["key"], route["model"]) == (["crm_worker"], TRIED[0])
    checked = await plainloop("route", "check", "routes.json", *CHOSEN, **environ)
    assert (checked.code, "1 of 1 rows stay" in checked.out) == (0, True), checked
    missing = await plainloop("route", "check", "routes.json", *CHOSEN[2:], **environ)
    assert missing.code == 2, missing
    assert f"needs outcomes of these models: baseline, {TRIED[0]}" in missing.err
    none = await plainloop("route", "learn", "--by", "worker", **environ)
    assert (none.code, "no outcomes were named" in none.err) == (2, True), none


async def test_canary_and_shadow_refuse_several_candidates(
    plainloop: Command, store: Store
) -> None:
    options = {"canary": ("--share", "10%"), "shadow": ("--max-cost-usd", "1")}
    for command, own in options.items():
        begun = await plainloop(command, "start", *CHOSEN[2:], *own, OPENAI_API_KEY="k")
        assert begun.code == 0, begun
    rows = await store.read("local").fetch("select candidate -> 'settings' as it from rollouts")
    assert [row["it"] for row in rows] == [SETTINGS[1]] * 2
    several = await plainloop("canary", "start", *CHOSEN, OPENAI_API_KEY="k")
    assert (several.code, "one candidate at a time" in several.err) == (2, True), several


async def test_tuning_for_several_candidates_stays_in_one_cost_limit(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    server = await wire_server(Answering(obey))
    environ = point_at("openai", server.openai_url)
    chosen = [part for name in TRIED for part in ("--candidate", name)]
    command = write_talks(tmp_path, "--max-cost-usd", "18", *chosen)
    planned = await plainloop(*command, "--plan", **environ)
    assert [line.partition(": ")[0] for line in planned.out.splitlines()[::3]] == [*TRIED], planned
    done = await plainloop(*command, **environ)
    assert done.code == 0, done
    assert "gpt-6-luna@none:\n" in done.out and done.out.count("better: ") == 2
    folders = ("gpt-6-luna@none", "openai-gpt-6-sol@low")
    assert [(tmp_path / "tuned" / name / "react.md").exists() for name in folders] == [True] * 2
    sent = [entry["body"]["model"] for entry in server.requests]
    assert sent.count("gpt-6-luna") == sent.count("gpt-6-sol") == 4 * 6 + 2 * COUNT // 2
