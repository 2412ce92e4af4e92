"""`/api/prices`: prices of all known models of the configured providers, and what is announced."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.config.settings import Settings
from plainloop.agent.providers.endings import get_today
from tests.server.conftest import Serve, ask, begin

ENDING = """
[[endings]]
provider = "openai"
models = ["gpt-6-luna"]
ends = {}
successor = "gpt-7"
"""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A key for OpenAI, and an own price for one of its models."""
    own = {"openai:gpt-6.1-terra": OwnPrice(input=Decimal(3), output=Decimal(12))}
    return replace(settings, prices=own, _environ={"OPENAI_API_KEY": "any"})


async def test_prices_name_cached_rates_shutdowns_and_own_prices(
    serve: Serve, tmp_path: Path
) -> None:
    ends = get_today() + timedelta(days=40)
    (tmp_path / "endings.toml").write_text(ENDING.format(ends))
    served = await serve(endings_file=tmp_path / "endings.toml")
    ann = await served.client()
    data = (await ann.get("/api/prices")).json()
    models = {(item["provider"], item["model"]): item for item in data["models"]}
    providers = {provider for provider, _ in models}

    assert "openai" in providers and "deepseek" not in providers, "only those with a key"
    own, ended = models["openai", "gpt-6.1-terra"], models["openai", "gpt-6-luna"]
    assert (own["is_own"], own["input_usd"], own["cache_read_usd"]) == (True, "3", "3")
    assert (own["output_usd"], own["changes"]) == ("12", [])
    assert ended["ends"] == ends.isoformat()
    assert not ended["is_own"]
    assert float(ended["cache_read_usd"]) < float(ended["input_usd"])
    assert any("successor gpt-7" in text for text in ended["changes"])
    assert len([name for name in models if name[0] == "openai"]) > 20


async def test_models_used_in_the_last_30_days_are_marked_and_listed(serve: Serve) -> None:
    served = await serve()
    ann, stranger = await served.client(), await served.client("ann", "umbrella")
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    path = "update llm_calls set provider = 'openai', model = '{}' where tenant_id = 'acme'"
    found: list[set[str]] = []
    for model, age in (("gpt-6-luna", 29), ("unlisted-1", 29), ("gpt-6-luna", 31)):
        async with served.service.store.transaction("acme") as tx:
            await tx.execute(f"{path.format(model)}")
            await tx.execute(f"update llm_calls set created_at = now() - interval '{age} days'")
        models = (await ann.get("/api/prices")).json()["models"]
        found.append({item["model"] for item in models if item["is_used"]})

    assert found == [{"gpt-6-luna"}, {"unlisted-1"}, set()]
    others = (await stranger.get("/api/prices")).json()["models"]
    assert not [item for item in others if item["is_used"]]
