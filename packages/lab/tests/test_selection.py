"""Which model answers beyond role and worker: tables of routes, and a cascade on retries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from plainloop.agent.config.settings import RoleSettings, Settings, load_settings
from plainloop.agent.core.models import Models
from plainloop.agent.errors import ConfigError, ModelNotFoundError
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.types import RunOptions
from plainloop_lab.selection.choosing import check_selection, find_model, list_named, select_models
from tests.machine.conftest import machine as machine
from tests.machine.notes_pack import REVIEWED, make_pack
from tests.machine.running import TENANT, USER
from tests.machine.scripted import ScriptedModels, ScriptedProvider, text, tools, triage, verdict

LONG = "Please write " + "very " * 30 + "much"


def make_provider(model: str, *script) -> ScriptedProvider:
    provider = ScriptedProvider(*script)
    provider.model = model
    return provider


class NamedModels(ScriptedModels):
    """Chains by the name of a role, a worker or `[agents.<name>]`; the first is everybody's."""

    def __init__(self, first: ScriptedProvider, **named: tuple[ScriptedProvider, ...]) -> None:
        super().__init__(first)
        self.named = {
            name: tuple(ModelHandle(p.provider, p.model, p) for p in chain)
            for name, chain in named.items()
        }

    def resolve_chain(self, role, worker=None):
        return self.named.get(worker or "") or self.named.get(role) or self.chain

    def resolve(self, role, worker=None):
        return self.resolve_chain(role, worker)[0]


def write_table(path: Path, **changes) -> Path:
    table = {
        "reference": "scripted:large",
        "by": ["worker", "intent", "chars"],
        "cuts": {"2": [50.0, 100.0]},
        "routes": [{"key": ["note_writer", "question", "≤ 50"], "model": "small"}],
    }
    path.write_bytes(orjson.dumps({**table, **changes}))
    return path


async def start_routed(machine, table: Path, large=(), small=()):
    providers = make_provider("large", *large), make_provider("small", *small)
    models = NamedModels(providers[0], small=(providers[1],))
    agents = {"small": RoleSettings(model="small")}
    return await machine(models=models, agents=agents, route_table=table)


async def test_a_routing_row_chooses_the_model_and_explain_shows_it(machine, tmp_path):
    table = write_table(tmp_path / "routes.json")
    run = await start_routed(machine, table, [triage("note_writer")], [text("Two.")])
    told = await run.ask("Which of them did I mean?")

    assert told.answer == "Two."
    assert [call.model for call in await run.list_calls(told)] == ["large", "small"]
    notes = [note for step in await run.load_steps(told) for note in step.notes]
    why = "model: scripted:small, routes.json: row note_writer · question · ≤ 50"
    assert notes.count(why) == 1


@pytest.mark.parametrize(
    ("asked", "changes", "why"),
    [
        (LONG, {}, "no row for note_writer · request · > 100"),
        ("Which of them did I mean?", {"expires": "2020-01-31"}, "expired 2020-01-31"),
        (
            "Which of them did I mean?",
            {"reference": "acme:other"},
            "the table was made for acme:other",
        ),
    ],
)
async def test_requests_that_no_routing_row_matches_use_the_configured_model(
    machine, tmp_path, asked, changes, why
):
    table = write_table(tmp_path / "routes.json", **changes)
    run = await start_routed(machine, table, [triage("note_writer"), text("Two.")])
    told = await run.ask(asked)

    assert told.answer == "Two."
    assert [call.model for call in await run.list_calls(told)] == ["large", "large"]
    notes = [note for step in await run.load_steps(told) for note in step.notes]
    assert f"model: scripted:large, routes.json: {why}" in notes


async def test_a_routing_row_can_match_by_earlier_turns(machine, tmp_path):
    rows = [{"key": ["2–3 turns", "add_note"], "model": "small"}]
    table = write_table(tmp_path / "r.json", by=["length", "tool"], cuts={}, routes=rows)
    calls = [triage("note_writer"), tools(("a", "add_note", {"text": "milk"})), text("Noted.")]
    run = await start_routed(machine, table, [*calls, triage("note_writer")], [text("Milk.")])
    first = await run.ask("please note milk")
    told = await run.ask("and what was it?")

    assert {call.model for call in await run.list_calls(first)} == {"large"}, "its own tools"
    assert [call.model for call in await run.list_calls(told)] == ["large", "small"]


async def test_a_routing_row_can_match_by_tags(machine, tmp_path):
    rows = [{"key": ["cheap + vip"], "model": "small"}]
    table = write_table(tmp_path / "r.json", by=["tag"], cuts={}, routes=rows)
    run = await start_routed(machine, table, [triage("note_writer")], [text("Two.")])
    options = RunOptions(tags=("vip", "cheap"))
    outcome = await run.service.answer(TENANT, USER, run.thread_id, "please do it", options=options)
    calls = await run.store.list_calls(TENANT, outcome.run.run_id)
    assert [call.model for call in calls] == ["large", "small"]


async def test_the_configured_model_answers_if_the_routed_one_fails(machine, tmp_path):
    table = write_table(tmp_path / "routes.json")
    small = [ModelNotFoundError("gone")]
    run = await start_routed(machine, table, [triage("note_writer"), text("Two.")], small)
    told = await run.ask("Which of them did I mean?")

    assert told.answer == "Two."
    assert [call.model for call in await run.list_calls(told)] == ["large", "small", "large"]


def make_cascade(script_cheap, script_strong, worker="poet", **more):
    cheap = make_provider("cheap", *script_cheap)
    strong = make_provider("strong", *script_strong)
    first = make_provider("first", *more.pop("script", ()))
    models = NamedModels(first, **{worker: (cheap, strong)})
    own = RoleSettings(model="cheap", fallback=("scripted:strong",), cascade=True)
    return {"models": models, "agents": {worker: own}, **more}


async def test_a_cascade_rewrites_rejected_answers_with_the_stronger_model(machine):
    cheap = [text("Roses."), verdict("retry", "dull", 0.1), verdict("pass")]
    run = await machine(**make_cascade(cheap, [text("Roses are red.")], script=[triage("poet")]))
    told = await run.ask("a poem")

    assert told.answer == "Roses are red."
    calls = [(call.role, call.model) for call in await run.list_calls(told)]
    worker_calls = [model for role, model in calls if role == "worker"]
    assert worker_calls == ["cheap", "strong"]
    notes = [note for step in await run.load_steps(told) for note in step.notes]
    assert "model: scripted:strong, for retry 1 of an answer" in notes


async def test_an_answer_that_fails_a_check_goes_to_the_stronger_model(machine):
    pack = make_pack()
    poet = replace(REVIEWED, evaluate="never", accept=None)
    pack = replace(pack, workers=(pack.workers[0], poet))
    cascade = make_cascade([text("ROSES")], [text("Roses.")], script=[triage("poet")], pack=pack)
    run = await machine(**cascade)
    told = await run.ask("a poem")

    assert told.answer == told.text == "Roses."
    assert [call.model for call in await run.list_calls(told)] == ["first", "cheap", "strong"]
    assert told.nodes[-3:] == ["poet", "poet.evaluator", "poet"]


async def test_a_routed_models_rejected_answer_goes_to_the_configured_model(machine, tmp_path):
    routes = [{"key": ["poet"], "model": "small"}]
    table = write_table(tmp_path / "routes.json", by=["worker"], cuts={}, routes=routes)
    large = [triage("poet"), verdict("retry", "dull", 0.1), text("Red."), verdict("pass")]
    run = await start_routed(machine, table, large, [text("Roses.")])
    told = await run.ask("a poem")

    assert told.answer == "Red."
    calls = await run.list_calls(told)
    assert [call.model for call in calls if call.role == "worker"] == ["small", "large"]


def make_own(**given) -> Settings:
    return load_settings({"AGENT_PROVIDER": "offline", **given})


def refuse(settings: Settings) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        check_selection(settings, Models(settings, "offline"))
    return caught.value


def test_a_routing_table_with_an_unconfigured_model_is_refused(tmp_path):
    table = write_table(tmp_path / "routes.json", reference="today")
    error = refuse(make_own(AGENT_ROUTE_TABLE=str(table)))
    assert "names the model small, which is not configured" in error.message
    assert error.hint and error.hint.startswith("Add [agents.small] with its provider and model")

    configured = make_own(AGENT_ROUTE_TABLE=str(table), AGENT_AGENTS_SMALL_PROVIDER="offline")
    check_selection(configured, Models(configured, "offline"))
    assert "small" in list_named(configured)


def test_a_routing_table_made_for_other_settings_is_refused(tmp_path):
    unknown = write_table(tmp_path / "a.json", by=["worker", "mood", "chars"])
    assert "model is chosen: mood" in refuse(make_own(AGENT_ROUTE_TABLE=str(unknown))).message
    other = write_table(tmp_path / "b.json", routes=[])
    error = refuse(make_own(AGENT_AGENTS_EVALUATOR_ROUTE_TABLE=str(other)))
    assert "made for the model scripted:large, but evaluator uses offline:" in error.message
    missing = make_own(AGENT_ROUTE_TABLE=str(tmp_path / "c.json"))
    assert "is not a routing table" in refuse(missing).message
    short = write_table(tmp_path / "d.json", by=["worker"])
    assert (
        "has 3 parts, but the table sorts by 1: worker"
        in refuse(make_own(AGENT_ROUTE_TABLE=str(short))).message
    )


def test_a_cascade_without_a_second_model_is_refused():
    error = refuse(make_own(AGENT_AGENTS_WORKER_CASCADE="true"))
    assert error.message == "[agents.worker] has `cascade`, but no model to continue with"


def test_a_routing_table_can_be_written_as_toml(tmp_path):
    path = tmp_path / "routes.toml"
    settings = make_own(AGENT_ROUTE_TABLE=str(path))
    models = Models(settings, "offline")
    path.write_text(
        'reference = "today"\nby = ["data.mood"]\n'
        f'[[routes]]\nkey = ["calm"]\nmodel = "{models.resolve("classifier").label}"\n'
    )
    check_selection(settings, models)


def test_without_routing_settings_no_node_is_replaced():
    nodes = {}
    assert select_models(nodes, make_pack(), make_own()) is nodes


def test_a_routes_model_with_an_effort_matches_only_that_effort() -> None:
    small = make_provider("small")
    models = NamedModels(make_provider("large"), poet=(small,))
    [handle] = models.named["poet"]
    models.named["poet"] = (replace(handle, effort="low"),)
    settings = Settings(agents={"poet": RoleSettings(model="small", effort="low")})

    found = [
        [each.label for each in find_model(f"scripted:small{level}", settings, models)]
        for level in ("", "@low", "@high")
    ]
    assert found == [["scripted:small"], ["scripted:small"], []]
