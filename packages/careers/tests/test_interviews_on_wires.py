"""Both interviews over each provider's real wire format, whose server is strict about histories."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import Service
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop_careers.onboarding import MARKER
from plainloop_wire.serving import WIRES, build_environ
from tests.packs.interviewing import Interviewing
from tests.wire_fixtures import StartWire

ANSWERS = {
    "careers": ("Cook", "Oslo", "onsite", "500k", "Fish", "now", "short"),
    "staff_onboarding": ("Ada Lovelace", "42", "a unicorn", "mouse", "none", "yes", "yes"),
}


@asynccontextmanager
async def open_wire(settings: Settings, url: str, wire: str, pack: str) -> AsyncIterator[Service]:
    environ = {"AGENT_DATA_DIR": str(settings.data_dir), "AGENT_ONBOARDING": pack}
    own = load_settings({**environ, **build_environ(wire, url)})
    async with open_service(own.with_tables(settings.get_table(DatabaseSettings))) as service:
        yield service


@pytest.mark.parametrize("pack", ANSWERS)
@pytest.mark.parametrize("wire", WIRES)
async def test_a_whole_interview_runs_over_each_wire(
    wire: str, pack: str, settings: Settings, wire_server: StartWire
):
    server = await wire_server()
    async with open_wire(settings, server.base_url, wire, pack) as service:
        held = Interviewing(service)
        turns = [await held.say(said) for said in (None, *ANSWERS[pack][:2])]
    async with open_wire(settings, server.base_url, wire, pack) as service:  # a restart
        held = Interviewing(service)
        turns += [await held.say(said) for said in (None, *ANSWERS[pack][2:])]

    assert [turn.error for turn in turns] == [None] * len(turns)
    assert [turn.ending for turn in turns[:-1]] == [["done"]] * (len(turns) - 1)
    assert turns[-1].ending == ["onboarding_complete", "done"]
    assert all(turn.shown == turn.done and MARKER not in turn.shown for turn in turns)
