"""Which models a user may choose, and what a replay counts against: one rule for all routes."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from packages.lab.tests.replay.test_routes import find_host
from plainloop.agent.config.settings import RoleSettings
from plainloop.server.settings import AuthSettings
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.conftest import serve as serve
from tests.server.conftest import served as served


def allow(served: Served, **auth: Any) -> None:
    settings = served.service.settings
    served.service.settings = replace(
        settings.change(AuthSettings, **auth), _environ={"OPENAI_API_KEY": "sk-operator"}
    )


async def try_replay(client: httpx2.AsyncClient, **body: Any) -> tuple[int, str]:
    answer = await client.post("/api/replays", json={"baseline": False, **body})
    return answer.status_code, answer.json().get("error", {}).get("code", "")


@pytest.fixture
async def talked(serve: Serve) -> Served:
    served = await serve()
    for user in ("ann", "boss"):
        client = await served.client(user)
        await ask(client, await begin(client), "how many jobs do I have?")
    return served


async def test_users_can_replay_only_with_the_services_models(talked: Served):
    allow(talked)
    ann = await talked.client("ann")
    boss = await talked.client("boss", is_admin=True)

    assert await try_replay(ann) == (202, "")
    dear = {"provider": "openai", "model": "gpt-dear"}
    assert await try_replay(ann, **dear) == (403, "MODEL_NOT_ALLOWED")
    assert await try_replay(ann, judge="openai:gpt-dear") == (403, "MODEL_NOT_ALLOWED")
    assert await try_replay(ann, model="another") == (403, "MODEL_NOT_ALLOWED")
    unpriced = (400, "UNPRICED_MODEL")  # allowed, but no limit can hold
    assert await try_replay(boss, **dear, max_cost_usd=1) == unpriced


@pytest.mark.parametrize("name", ["crm_worker", "CRM_Worker", "Classifier", "Worker", "tRiage"])
async def test_no_spelling_of_a_name_gives_a_forbidden_model(talked: Served, name: str):
    """Settings know one spelling, in upper case: what is asked for is checked as it is set."""
    allow(talked)
    ann = await talked.client("ann")

    forbidden = await try_replay(ann, models={name: "openai:gpt-dear"})
    assert forbidden == (403, "MODEL_NOT_ALLOWED")


async def test_a_forbidden_model_is_refused_though_a_worker_has_its_own(talked: Served):
    """The top model is of all other workers and roles, though the worker's own stays."""
    allow(talked)
    settings = talked.service.settings
    talked.service.settings = replace(settings, agents={"worker": RoleSettings(provider="offline")})
    ann = await talked.client("ann")

    dear = {"provider": "openai", "model": "gpt-dear"}
    assert await try_replay(ann, **dear) == (403, "MODEL_NOT_ALLOWED")


async def test_settings_decide_which_models_users_and_admins_may_choose(talked: Served):
    allow(talked, user_models=("openai:gpt-cheap*",), admin_models=("openai:gpt-cheap*",))
    ann = await talked.client("ann")
    boss = await talked.client("boss", is_admin=True)
    cheap, dear = ({"provider": "openai", "model": f"gpt-{name}"} for name in ("cheap-1", "dear"))

    unpriced = (400, "UNPRICED_MODEL")  # allowed, but no limit can hold
    assert await try_replay(ann, **cheap, max_cost_usd=1) == unpriced
    for client in (ann, boss):
        assert await try_replay(client, **dear) == (403, "MODEL_NOT_ALLOWED")
    tried = await boss.post("/api/config/test", json=dear)
    assert (tried.status_code, tried.json()["error"]["code"]) == (403, "MODEL_NOT_ALLOWED")
    assert (await ann.post("/api/config/test", json=cheap)).status_code == 403


async def test_replays_count_against_the_rate_and_the_open_limit(serve: Serve):
    often = await serve(messages_per_minute=2)
    ann = await often.client("ann")
    await ask(ann, await begin(ann), "how many jobs do I have?")

    assert await try_replay(ann) == (202, "")
    assert await try_replay(ann) == (429, "TOO_MANY_REQUESTS")

    few = await serve(replays_per_user=1)
    await find_host(few).drain()  # so that they stay open
    bob = await few.client("bob")
    await ask(bob, await begin(bob), "how many jobs do I have?")
    assert await try_replay(bob) == (202, "")
    assert await try_replay(bob) == (429, "TOO_MANY_REQUESTS")


async def test_simultaneous_replays_never_exceed_the_limit(serve: Serve):
    served = await serve(replays_per_user=10)
    await find_host(served).drain()  # so that they stay open
    told = {}
    for user, tries in (("ann", 100), ("ben", 1)):
        client = await served.client(user)
        await ask(client, await begin(client), "how many jobs do I have?")
        told[user] = Counter(await asyncio.gather(*(try_replay(client) for _ in range(tries))))

    assert told == {"ann": {(202, ""): 10, (429, "TOO_MANY_REQUESTS"): 90}, "ben": {(202, ""): 1}}


async def test_a_replay_without_any_budget_left_does_not_begin(serve: Serve):
    served = await serve()
    ann, boss = await served.client("ann"), await served.client("boss", is_admin=True)
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    budget = {"scope": "user", "user_id": "ann", "period": "total", "limit_tokens": 1}
    assert (await boss.put("/api/budgets", json=budget)).status_code == 200
    await ask_in_vain(ann)

    assert await try_replay(ann) == (402, "BUDGET_EXCEEDED")


async def ask_in_vain(client: httpx2.AsyncClient) -> None:
    """A call that finds no room."""
    conversation = await begin(client)
    path = f"/api/chat/conversations/{conversation}/messages"
    answer = await client.post(
        path, json={"content": "write me a poem"}, headers={"accept": "application/json"}
    )
    assert answer.status_code == 402, answer.text
