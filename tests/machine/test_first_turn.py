"""docs/providers.md says what a first turn costs: here it is made, on every provider's wire."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.models import Models
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop_wire.script import parse_script
from tests.machine.conftest import StartMachine
from tests.wire_fixtures import StartWire

TEXT = (Path(__file__).parents[2] / "docs" / "providers.md").read_text(encoding="utf-8")
TOLD = re.findall(r"^\| (\w+) \| (\$[\d.]+) \| (\$[\d.]+) \|$", TEXT, re.MULTILINE)
BY_THE_HOUR = ("deepseek",)  # at some hours half of what is told
SCRIPT = [
    {"match": {"schema": True}, "answer": {"json": {"worker": "note_writer"}}, "times": None},
    {
        "match": {"after_tool": False},
        "answer": {"tool_calls": [{"name": "list_notes", "arguments": {}}]},
        "times": None,
    },
    {"match": {"after_tool": True}, "answer": {"text": "You have no notes."}, "times": None},
]


async def cost_first_turn(
    machine: StartMachine, wire_server: StartWire, provider: str, *, all_large: bool
) -> str:
    server = await wire_server(script=parse_script(SCRIPT))
    key = {PROVIDER_DEFAULTS[provider].key_variables[0]: "k"}
    at_home = Models(load_settings({**key, "AGENT_PROVIDER": provider}), provider)
    large, small = at_home.resolve("worker").model, at_home.resolve("classifier").model
    at_home_too = Models(load_settings({**key, "AGENT_MODEL": large}), provider)
    assert at_home_too.resolve("classifier").model == small, "naming the default changes nothing"
    settings = load_settings(
        {
            **key,
            "AGENT_MODEL": large,
            "AGENT_SMALL_MODEL": large if all_large else small,
            "AGENT_API_BASE": (
                server.base_url if provider in ("anthropic", "gemini") else server.openai_url
            ),
            **({"AGENT_PROTOCOL": "responses"} if provider == "openai" else {}),
        }
    )
    run = await machine(models=Models(settings, provider))
    told = await run.ask("what have I written down so far, and what of it matters?")
    assert told.answer == "You have no notes."
    calls = await run.list_calls(told)
    assert [call.role for call in calls] == ["classifier", "worker", "worker"]
    return f"${sum(Decimal(call.cost_usd or 'nan') for call in calls):.5f}"


@pytest.mark.parametrize(("provider", "cost", "with_large"), TOLD, ids=[row[0] for row in TOLD])
async def test_the_documented_cost_of_a_first_turn_is_true(
    machine: StartMachine, wire_server: StartWire, provider: str, cost: str, with_large: str
):
    for all_large, told in ((False, cost), (True, with_large)):
        found = await cost_first_turn(machine, wire_server, provider, all_large=all_large)
        halved = f"${Decimal(told[1:]) / 2:.5f}"
        assert found in ([told, halved] if provider in BY_THE_HOUR else [told])


def test_the_documentation_states_the_cost_for_every_priced_provider():
    with_keys = [name for name, item in PROVIDER_DEFAULTS.items() if item.detected_by == "key"]
    assert [row[0] for row in TOLD] == with_keys
