"""Three replicas die at random moments while a canary runs, and in the middle it is ended."""

from __future__ import annotations

import pytest

from packages.lab.tests.rolling import CANDIDATE, PROMPT, is_drawn
from plainloop_lab.decide.guarding import read_guards
from plainloop_lab.service.rollouts import start_canary, stop_rollout
from plainloop_lab.store import rollouts as store_rollouts
from tests.crash.conftest import Scene
from tests.crash.test_seeds import FIRST_SEED, SEEDS, Nemesis, survive
from tests.crash.worker import TENANT, USER

# Each worker's call with the run's side (null: begun when no canary ran) and what it was shown.
SHOWN = """
select runs.run_id, runs.thread_id, side, prompt_texts.text
from llm_calls
join runs using (tenant_id, run_id)
join prompt_texts on prompt_texts.tenant_id = runs.tenant_id
    and prompt_texts.hash = llm_calls.system_hash
left join rollout_runs on rollout_runs.tenant_id = runs.tenant_id
    and rollout_runs.run_id = runs.run_id
where runs.tenant_id = $1 and llm_calls.role = 'worker'
"""


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + max(1, SEEDS // 3)))
async def test_runs_stay_on_their_canary_side_after_crashes(seed: int, scene: Scene) -> None:
    rollout_id = await start_canary(scene.store, TENANT, USER, CANDIDATE, 0.2, read_guards(None))
    rows = scene.store.read(TENANT)

    async def end(scene: Scene, nemesis: Nemesis) -> None:
        rollout = await store_rollouts.load_rollout(rows, rollout_id)
        await stop_rollout(scene.store, TENANT, rollout)

    await survive(seed, scene, end, replicas=3)
    salt = await rows.fetchval("select salt from rollouts")
    calls = await rows.fetch(SHOWN, TENANT)
    assert calls
    for call in calls:
        drawn = is_drawn(salt, call["thread_id"], 0.2)
        assert call["side"] == ("candidate" if drawn else "baseline")
        assert (PROMPT in call["text"]) == drawn, call["run_id"]
