"""Without a package that brings rules, triage decides each sentence, and a model must be named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import ConfigError
from plainloop.agent.intents import rules
from plainloop.agent.service.opening import open_service
from tests.fixtures import ROOT, skipping_without_packages
from tests.routers.remembering import SortingBrain, fast, open_office
from tests.wire_fixtures import StartWire


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rules, "load_hook", lambda name: None)
    rules.load_rules.cache_clear()
    yield
    rules.load_rules.cache_clear()


async def test_without_rules_a_count_needs_triage(
    settings: Settings, wire_server: StartWire
) -> None:
    brain = SortingBrain(lambda text, within: fast("count"))
    server = await wire_server(brain)
    async with open_office(settings, server.base_url, brain) as office:
        await office.add_job(1, "Acme")
        told = await office.ask("Wie viele Jobs habe ich?")

    assert told.answer == "You have 1 job."
    assert brain.asked == ["Wie viele Jobs habe ich?"]


async def test_without_rules_the_offline_provider_names_the_package(settings: Settings) -> None:
    with pytest.raises(ConfigError, match="needs plainloop-rules, which is not installed") as told:
        async with open_service(replace(settings, provider="offline")):
            pass

    assert "pip install plainloop-rules" in (told.value.hint or "")


@pytest.mark.parametrize(
    ("folder", "outcome"), [("tests", pytest.skip.Exception), ("agent", ModuleNotFoundError)]
)
def test_a_missing_package_skips_a_test_but_hides_no_fault_of_the_service(
    folder: str, outcome: type[BaseException]
) -> None:
    code = compile("import plainloop_nowhere", str(ROOT / folder / "made.py"), "exec")
    with pytest.raises(outcome), skipping_without_packages():
        exec(code)
