"""Several candidates of one command: each has its replay, and the baseline is bought once."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
import typer

from packages.lab.tests.replay.test_live import Candidate as Answering
from packages.lab.tests.replay.test_live import be_busy, be_curious, write_rooms
from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store
from plainloop_lab.commands.live import make_candidate, make_lanes
from plainloop_lab.commands.options import Candidate, TriedModels
from plainloop_lab.store import replays as store_replays
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire


def test_each_candidate_is_a_model_an_effort_and_a_worker() -> None:
    several = TriedModels(
        ["claude-sonnet-5-5@low", "openai:gpt-6-luna@none", "@medium"], ["crm_worker"]
    )
    common = Candidate(setting=["AGENT_LIMITS_TURN_S=9"])
    assert {name: lane.settings for name, lane in make_lanes(several, common).items()} == {
        "claude-sonnet-5-5@low": {
            "AGENT_LIMITS_TURN_S": "9",
            "AGENT_AGENTS_CRM_WORKER_MODEL": "claude-sonnet-5-5",
            "AGENT_AGENTS_CRM_WORKER_EFFORT": "low",
        },
        "openai:gpt-6-luna@none": {
            "AGENT_LIMITS_TURN_S": "9",
            "AGENT_AGENTS_CRM_WORKER_PROVIDER": "openai",
            "AGENT_AGENTS_CRM_WORKER_MODEL": "gpt-6-luna",
            "AGENT_AGENTS_CRM_WORKER_EFFORT": "none",
        },
        "@medium": {"AGENT_LIMITS_TURN_S": "9", "AGENT_AGENTS_CRM_WORKER_EFFORT": "medium"},
    }
    assert TriedModels(["m@low", "openai:m"]).list_settings() == {
        "m@low": {"AGENT_MODEL": "m", "AGENT_EFFORT": "low"},
        "openai:m": {"AGENT_PROVIDER": "openai", "AGENT_MODEL": "m"},
    }
    assert TriedModels(["@low"], ["poet", "triage"]).list_settings() == {
        "@low": {"AGENT_AGENTS_POET_EFFORT": "low", "AGENT_AGENTS_CLASSIFIER_EFFORT": "low"}
    }
    with pytest.raises(typer.BadParameter, match="--for needs"):
        TriedModels(of_worker=["crm_worker"]).list_settings()
    with pytest.raises(InputError, match="one candidate at a time"):
        make_candidate(several, common)


async def test_the_baseline_is_bought_once_for_all_candidates(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    server = await wire_server(Answering(be_curious))
    models = ("claude-haiku-4-5", "claude-opus-5-5@low", "claude-opus-5-5@high")
    chosen = [part for model in models for part in ("--candidate", model)]
    command = (*write_rooms(tmp_path), *chosen, "--report", "tried")
    done = await plainloop(*command, **point_at("anthropic", server.base_url))
    assert done.code == 0, done
    # Two turns of two calls each: today's, and each candidate's.
    asked = [entry["body"]["model"] for entry in server.requests]
    assert (len(asked), asked.count("claude-opus-5-5")) == (4 + 4 * 3, 8)
    assert len({orjson.dumps(e["body"]) for e in server.requests}) == 16
    rows = store.read("local")
    found = (await store_replays.list_replays(rows, None, 10))[::-1]
    totals = [await store_replays.load_ledger_totals(rows, info.replay_id) for info in found]
    assert [total["calls"] for total in totals] == [8, 4, 4]
    assert found[2].candidate["answers_from"] == [info.replay_id for info in found[:2]]
    folders = [f"tried/{model}" for model in models]
    reports = [orjson.loads((tmp_path / name / "report.json").read_bytes()) for name in folders]
    calls = [r["conversations"][0]["turns"][0]["measures"]["baseline"]["calls"] for r in reports]
    assert calls == [2, 2, 2]
    # Today's time of an earlier replay says nothing of a candidate's in this one.
    for report, untimed in zip(reports, (0, 2, 2), strict=True):
        assert report["summary"]["answers"]["untimed"] == untimed
        (time,) = (m for m in report["summary"]["measures"] if m["name"] == "duration_ms")
        assert [bool(time["difference"]), "baseline" in time["lanes"]] == [not untimed] * 2
        (cost,) = (m for m in report["summary"]["measures"] if m["name"] == "input_tokens")
        assert cost["difference"]
    page = (tmp_path / folders[1] / "report.html").read_text()
    assert "2 of 2 turns not compared: today&#39;s answers were timed in an earlier replay" in page
    table = await plainloop("compare", *folders)
    assert [line.split()[0] for line in table.out.splitlines()[1:5]] == ["baseline", *models]
    (tmp_path / "rules.toml").write_text('[[rule]]\nmeasure = "failed"\nmargin = "50pp"\n')
    gate = [part for name in folders for part in ("-c", name)]
    verdict = await plainloop("gate", "rules.toml", *gate)
    assert verdict.code == 10 and verdict.out.count("failed not worse by 50pp") == 3, verdict


async def test_a_second_replay_reuses_the_first_ones_baseline_answers(
    plainloop: Command, wire_server: StartWire
) -> None:
    assert (await plainloop("ask", "add a job: Backend Engineer at Initech, remote")).code == 0
    server = await wire_server(Answering(be_busy))
    chosen = (
        "--candidate",
        "gpt-6-sol@low",
        "--candidate",
        "gpt-6-sol@high",
        "--for",
        "crm_worker",
    )
    done = await plainloop("replay", "live", *chosen, **point_at("openai", server.openai_url))
    assert done.code == 0, done
    sent = [(e["body"]["model"], e["body"].get("reasoning_effort")) for e in server.requests]
    assert {effort for model, effort in sent if model == "gpt-6-sol"} == {"low", "high"}
    bodies = [orjson.dumps(entry["body"]) for entry in server.requests]
    assert len(bodies) == len({*bodies}), "nothing is bought twice"
