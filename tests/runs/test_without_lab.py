"""Without a package that chooses models, what is configured answers, or a start is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import RoleSettings, Settings
from plainloop.agent.core.models import connect_models
from plainloop.agent.errors import ConfigError
from plainloop.agent.service import variants
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.variants import Variants


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "load_hook", lambda name: None)


@pytest.mark.parametrize(
    "changed",
    [
        {"route_table": Path("routes.json")},
        {"agents": {"worker": RoleSettings(route_table=Path("routes.json"))}},
        {"agents": {"worker": RoleSettings(cascade=True, fallback=("offline:rules",))}},
    ],
    ids=["a table", "a worker's table", "a cascade"],
)
async def test_settings_of_missing_packages_are_refused(
    settings: Settings, changed: dict[str, Any]
) -> None:
    asked = replace(settings, **changed)
    with pytest.raises(ConfigError, match="need plainloop-lab, which is not installed"):
        Variants.check(asked, await connect_models(settings))


async def test_without_lab_a_canarys_run_uses_the_configured_model(settings: Settings) -> None:
    async with open_service(settings) as service:
        assert type(service.variants) is Variants
        outcome = await service.answer("acme", "ann", await begin(service), "how many jobs?")
        drawn = replace(outcome.run, canary_id="0198f3aa-0000-7000-8000-000000000000")
        assert await service.variants.open(drawn, service.models, None) is None


async def begin(service: Any) -> str:
    return (await service.ensure_thread("acme", "ann", None, "how many jobs?")).thread_id
