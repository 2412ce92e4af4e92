"""A replica looks after what runs beside it."""

from __future__ import annotations

from decimal import Decimal

import httpx2

from plainloop.agent.service.variants import Variant
from plainloop_lab.decide.guarding import read_guards
from plainloop_lab.service.rollouts import ShadowOptions, start_canary, start_shadow
from plainloop_lab.store import replays as store_replays
from plainloop_lab.store import rollouts as store_rollouts
from tests.server.conftest import Served, ask, begin, until
from tests.server.conftest import ann as ann
from tests.server.conftest import serve as serve
from tests.server.conftest import served as served

TENANT = "acme"


async def test_a_serving_replica_runs_the_shadow_and_watches_the_canary(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    store = served.service.store
    other = Variant({"AGENT_MODEL": "other"})
    options = ShadowOptions(1.0, Decimal(1))
    shadow_id = await start_shadow(store, TENANT, "boss", other, options)
    canary_id = await start_canary(store, TENANT, "boss", other, 1e-9, read_guards(None))
    await ask(ann, await begin(ann), "how many jobs do I have?")
    rows = store.read(TENANT)

    async def is_seen() -> bool:
        shadow = await store_rollouts.load_rollout(rows, shadow_id)
        canary = await store_rollouts.load_rollout(rows, canary_id)
        info = await store_replays.load_replay(rows, None, shadow.replay_id or "")
        guards = (canary.state or {"guards": []})["guards"]
        counts = [guard["counts"] for guard in guards]
        return info.items == {"succeeded": 1} and {"baseline": 1} in counts

    await until(is_seen)
