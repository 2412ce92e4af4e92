"""Runs keep by which code they began; a starting service does not wait for its digests."""

from __future__ import annotations

from plainloop.agent.config.settings import Settings
from plainloop.agent.packs.code_parts import digest_parts, name_parts
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.recordings import load_code_parts
from plainloop.agent.store.store import Store
from plainloop.agent.types import RunRequest


async def test_the_first_run_names_the_code_that_is_saved(settings: Settings, store: Store) -> None:
    async with open_service(settings) as service:
        assert service.parts is not None
        thread = await service.ensure_thread("acme", "ann", None, "test")
        start = service.make_start(thread, RunRequest("hello"))
    today = digest_parts(service.packs, settings)
    assert start.parts_name == name_parts(today)
    assert await load_code_parts(store.read("acme"), name_parts(today)) == today
