"""A judgement never reads from a replica of the database that lacks the newest turns."""

from __future__ import annotations

from plainloop.agent.config.settings import Settings
from plainloop_lab.deploy.gate import open_reading
from tests.core.test_late_replica import (
    CALLS,
    LONG_S,
    PATIENCE_S,
    WHERE,
    Standby,
    opened,
    set_replica,
)
from tests.core.test_late_replica import standby as standby
from tests.core.test_late_replica import standby_server as standby_server


async def test_deploy_judging_reads_from_no_lagging_replica(
    settings: Settings, standby: Standby
) -> None:
    async with opened(settings, standby.url, LONG_S) as store:
        async with open_reading(set_replica(settings, standby.url, PATIENCE_S), store) as reading:
            assert await reading.read("local").fetchval(WHERE)
        await standby.pause()
        await store.create_thread("local", "ann", pack="tracker")
        async with open_reading(set_replica(settings, standby.url, 0.5), store) as reading:
            assert await reading.read("local").fetchval(CALLS) == 1
            assert not await reading.read("local").fetchval(WHERE)
