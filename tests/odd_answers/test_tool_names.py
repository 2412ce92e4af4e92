"""Hazard: a model's call is lost, as its server left something before or behind the tool's name.

Source: openclaw #34294 (functions.NAME), maki #505 (a channel mark), tiles #162, bytedance/
trae-agent #165, Gemini's default_api.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from plainloop.agent.base.messages.tool_names import resolve_name
from plainloop.agent.designs.react import build_react_nodes
from tests.core.model_calls import FixedModels
from tests.machine.notes_pack import make_pack
from tests.odd_answers.five_wires import WIRES, Say, open_model
from tests.providers.local_server import Local, run_local

TOOLS = ("create_job", "list_jobs", "a__b", "b", "mail.send", "send")
# What a model called → the tool that it is; None: none, or not only one.
NAMES = {
    "create_job": "create_job",
    "functions.create_job": "create_job",
    "default_api.create_job": "create_job",
    "default_api:create_job": "create_job",
    "tools/create_job": "create_job",
    "tracker__create_job": "create_job",
    "mcp__tracker__create_job": "create_job",
    "functions.tracker__create_job": "create_job",
    " create_job": "create_job",
    "create_job\n": "create_job",
    "functions.create_job:0": "create_job",
    "create_job:12": "create_job",
    "create_job<|channel|>commentary": "create_job",
    "create_job<|channel|>json": "create_job",
    "functions.create_job<|constrain|>json": "create_job",
    "<|channel|>commentary to=functions.create_job": "create_job",
    "commentary<|channel|>create_job": "create_job",
    "create_job()": "create_job",
    "create_job{}": "create_job",
    "create_job.": "create_job",
    "(create_job)": "create_job",
    "@create_job": "create_job",
    "<function=create_job>": "create_job",
    "<|tool_call>create_job": "create_job",
    "create_job<channel|>": "create_job",
    "functions->create_job": "create_job",
    "call:create_job{": "create_job",
    "create_job(), list_jobs()": None,
    "a__b": "a__b",
    "mail.send": "mail.send",
    "x__a__b": None,
    "functions.mail.send": None,
    "create_job<|channel|>list_jobs": None,
    "createJob": None,
    "CREATE_JOB": None,
    "job.create": None,
    "create_job.x": None,
    "recreate_job": None,
    "delete-job": None,
    "": None,
    ":": None,
}
PREFIXED = ("functions.add_note", "default_api:add_note", "tools/add_note", "x__add_note",
            "add_note<|channel|>commentary", "functions.add_note:0", " add_note")  # fmt: skip


@pytest.mark.parametrize("called", NAMES)
def test_a_prefixed_tool_name_is_resolved_if_unique(called: str):
    assert resolve_name(called, TOOLS) == NAMES[called]


async def ask(machine: Any, local: Local, wire: str, *answers: Say) -> Any:
    local.replies[:] = [answer.encode(wire) for answer in answers]
    models: Any = FixedModels(open_model(wire, local.url))
    run = await machine(models=models)
    return run, await run.ask_table(build_react_nodes(make_pack()), "do it")


@pytest.mark.parametrize("wire", WIRES)
async def test_a_call_by_a_prefixed_name_is_made_and_noted(machine, wire: str):
    async with run_local(Say(["ok"]).encode(wire)) as local:
        for n, name in enumerate(PREFIXED):
            call = (f"call_{n}", name, json.dumps({"text": name}))
            run, told = await ask(machine, local, wire, Say(calls=[call]), Say(["ok"]))
            assert told.list_events("tool_error") == [], name
            assert [note for note, _ in await run.list_notes()][-1] == name
            assert told.list_events("tool_start")[0]["name"] == "add_note"
            first = (await run.list_calls(told))[0]
            assert f"the call of {name!r} was read as add_note" in first.notes


@pytest.mark.parametrize("wire", WIRES)
async def test_an_unresolvable_tool_name_stays_unknown(machine, wire: str):
    async with run_local(Say(["ok"]).encode(wire)) as local:
        call = ("call_1", "functions.no_such_tool", "{}")
        _, told = await ask(machine, local, wire, Say(calls=[call]), Say(["ok"]))
    (failed,) = told.list_events("tool_error")
    assert failed["error"] == "unknown tool 'functions.no_such_tool'"


@pytest.mark.parametrize("wire", ["anthropic", "compatible", "responses"])
async def test_null_arguments_are_accepted_by_a_tool_without_parameters(machine, wire: str):
    async with run_local(Say(["ok"]).encode(wire)) as local:
        answers = (Say(calls=[("c1", "explode", "null"), ("c2", "add_note", "null")]), Say(["ok"]))
        _, told = await ask(machine, local, wire, *answers)
    none, some = (event["error"] for event in told.list_events("tool_error"))
    assert (
        none == "explode failed unexpectedly: tell the user, and continue without this tool"
    )  # it was called
    assert some == "the arguments were not a JSON object; the call was not executed"


@pytest.mark.parametrize("wire", ["gemini", "ollama"])
async def test_the_text_null_as_arguments_counts_as_no_arguments(machine, wire: str):
    async with run_local(Say(["ok"]).encode(wire)) as local:
        _, told = await ask(
            machine, local, wire, Say(calls=[("c1", "explode", "null")]), Say(["ok"])
        )
    (failed,) = told.list_events("tool_error")
    assert (
        failed["error"]
        == "explode failed unexpectedly: tell the user, and continue without this tool"
    )
