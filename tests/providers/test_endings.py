"""Announced changes of models and missing prices: where they are reported, with which remedy."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.core.models import Models
from plainloop.agent.doctor.database import check_database
from plainloop.agent.doctor.findings import Finding
from plainloop.agent.doctor.model_warnings import list_endings
from plainloop.agent.doctor.providers import check_answers, check_used, describe_used, list_used
from plainloop.agent.errors import ConfigError
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, Quirks
from plainloop.agent.providers.endings import get_today, load_endings, parse_endings
from plainloop.agent.providers.http.model_list import parse_models
from plainloop.agent.providers.pricing import LIST_PRICES
from plainloop.agent.providers.provider_state import Target
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop.server.observe.metrics import Metrics
from tests.usage.ledger import add_calls
from tests.usage.price_list import list_model

ROOT = Path(__file__).parents[2]
LIST = ROOT / "agent" / "providers" / "endings.toml"
MADE = """
[[endings]]
provider = "openai"
models = ["gpt-6.1-terra"]
ends = 2099-01-14
successor = "gpt-7-terra"

[[endings]]
provider = "openai"
models = ["gpt-6-luna"]
ends = 2020-03-01

[[endings]]
provider = "openai"
models = ["gpt-rerouted-6"]
ends = 2020-03-01
successor = "gpt-6.1-sol"
reroutes = true
"""


def open_models(path: Path, **environ: str) -> tuple[Models, list[Finding]]:
    made = path / "endings.toml"
    made.write_text(MADE)
    given = {"OPENAI_API_KEY": "k", "AGENT_ENDINGS_FILE": str(made), **environ}
    settings = load_settings(given)
    models = Models(settings, "openai")
    return models, check_used(models, settings)


def test_doctor_reports_shutdown_dates_of_used_models(tmp_path: Path) -> None:
    _, found = open_models(tmp_path)
    gone, ending = (finding for finding in found if finding.what == "endings")
    days = (date(2099, 1, 14) - get_today()).days

    assert (gone.level, ending.level) == ("fail", "warn")
    assert gone.text == "openai:gpt-6-luna ended on 1 March 2020"
    assert ending.text == (
        f"openai:gpt-6.1-terra ends on 14 January 2099 (in {days:,} days); successor: gpt-7-terra"
    )
    assert (ending.todo or "").endswith(
        "plainloop replay live --provider openai --model gpt-7-terra"
    )


@pytest.mark.parametrize(
    ("model", "new", "level"),
    [("dearer-6", 2, "warn"), ("cheaper-6", 0.5, "note"), ("unchanged-6", 1, None)],
)
def test_doctor_reports_dated_price_changes(
    tmp_path: Path, model: str, new: float, level: str | None
) -> None:
    start = get_today() + timedelta(days=33)
    with list_model("openai", model, (None, 1, 4), (start, new, 4 * new)):
        _, found = open_models(tmp_path, AGENT_MODEL=model)
    findings = [finding for finding in found if finding.what == "prices"]

    assert [finding.level for finding in findings] == ([level] if level else [])
    when = f"from {start.day} {start:%B %Y} (in 33 days): $1.00 / $4.00 → "
    assert all(finding.text.startswith(f"openai:{model} costs ") for finding in findings)
    assert all(when in finding.text for finding in findings)


def test_doctor_warns_of_a_reroute_though_calls_are_still_answered(tmp_path: Path) -> None:
    _, found = open_models(tmp_path, AGENT_MODEL="gpt-rerouted-6")
    (finding,) = (item for item in found if "gpt-rerouted-6" in item.text and item.what != "prices")

    assert (finding.level, finding.what) == ("warn", "endings")
    text = "openai:gpt-rerouted-6 is answered by gpt-6.1-sol since 1 March 2020"
    assert finding.text == text


async def test_doctor_reports_unannounced_reroutes_of_the_ledger(
    store: Store, settings: Settings
) -> None:
    own = replace(settings, provider="anthropic", model="claude-opus-4-5", api_key=Secret("k"))
    await add_calls(store, "claude-opus-4-5", answered="claude-opus-4-5-20251101")
    await add_calls(store, "claude-sonnet-5-5", answered="claude-sonnet-4-5", tenant="umbrella")
    assert await check_answers(own, store) == [], "not named: no setting has it"

    await add_calls(store, "claude-opus-4-5", answered="claude-haiku-4-5", tenant="umbrella")
    assert await check_answers(settings, store) == []
    [finding] = await check_answers(own, store)
    assert finding.level == "warn"
    assert finding.text.startswith("anthropic:claude-opus-4-5: claude-haiku-4-5 answers since ")
    assert finding in await check_database(own, store)


def test_a_model_shut_down_by_one_vendor_can_be_available_at_another(tmp_path: Path) -> None:
    environ = {"AGENT_API_BASE": "http://127.0.0.1:9/v1", "AGENT_MODEL": "gpt-6-luna"}
    _, found = open_models(tmp_path, **environ)

    assert {finding.level for finding in found if finding.what == "endings"} == {"warn"}


def test_plainloop_models_shows_shutdown_dates_and_prices(tmp_path: Path) -> None:
    models, _ = open_models(tmp_path)
    settings = load_settings({"AGENT_ENDINGS_FILE": str(tmp_path / "endings.toml")})
    lines = describe_used(models, settings)

    assert [line.rpartition(" · ")[2].partition(" (")[0] for line in lines] == [
        "ends on 14 January 2099",
        "ended on 1 March 2020",
    ]


def test_a_model_without_a_price_shows_the_setting_to_add(tmp_path: Path) -> None:
    _, found = open_models(tmp_path, AGENT_MODEL="gpt-of-nobody")
    (finding,) = (finding for finding in found if finding.what == "prices")

    assert finding.level == "warn"
    assert "openai:gpt-of-nobody" in finding.text
    line = (finding.todo or "").partition(": ")[2]
    config = tmp_path / "plainloop.toml"
    config.write_text(f"[prices]\n{line}\n")
    settings = load_settings({"OPENAI_API_KEY": "k", "AGENT_MODEL": "gpt-of-nobody"}, config)
    again = check_used(Models(settings, "openai"), settings)
    assert [item for item in again if item.what == "prices"] == []


def test_metrics_show_when_used_models_end(tmp_path: Path) -> None:
    models, _ = open_models(tmp_path)
    settings = load_settings({"AGENT_ENDINGS_FILE": str(tmp_path / "endings.toml")})
    metrics = Metrics()
    metrics.show_endings(list_endings([h for _, h in list_used(models, settings)], settings))
    who = {"provider": "openai", "model": "gpt-6.1-terra"}

    told = metrics.registry.get_sample_value("plainloop_model_end_timestamp_seconds", who)
    assert told == 4072032000


@pytest.mark.parametrize(
    ("provider", "model", "ends"),
    [
        ("openai", "gpt-4o", date(2027, 1, 14)),
        ("openai", "gpt-4o-2024-08-06", date(2027, 1, 14)),
        ("openai", "gpt-4o-2024-05-13", date(2026, 10, 23)),
        ("openai", "openai/gpt-4o-mini", date(2027, 1, 14)),
        ("openai", "ft:gpt-4.1-mini-2025-04-14:acme::abc", date(2027, 1, 14)),
        ("openai", "gpt-4o-transcribe", None),
        ("openai", "gpt-5-mini", date(2026, 12, 11)),
        ("openai", "gpt-6-luna", None),
        ("gemini", "models/gemini-2.5-pro", date(2026, 12, 1)),
        ("gemini", "gemini-2.5-flash-lite", None),
        ("anthropic", "claude-opus-4-1-20250805", date(2026, 8, 5)),
        ("kimi", "kimi-k2.6", date(2026, 12, 31)),
        ("kimi", "kimi-k2-thinking", date(2026, 5, 25)),
        ("kimi", "kimi-k2-0711-preview", date(2026, 5, 25)),
        ("deepseek", "deepseek-v4-pro", date(2026, 9, 14)),
        ("ollama", "gpt-4o", None),
    ],
)
def test_model_versions_and_tunings_share_the_shutdown_date(
    provider: str, model: str, ends: date | None
) -> None:
    found = load_endings().find(provider, model)

    assert (found and found.ends) == ends


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[[endings]]\nmodels = 1",
        "endings = [",
        '[[endings]]\nprovider = "openai"',
        '[[endings]]\nprovider = "openai"\nmodels = ["m"]\nends = 2027-01-01\nreroutes = true',
    ],
)
def test_an_unreadable_endings_file_is_refused_by_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as refused:
        load_endings(path)
    assert "endings_file" in refused.value.message


def test_every_shutdown_entry_has_a_source_and_a_living_successor() -> None:
    endings = load_endings()
    one = Usage(input_tokens=1, output_tokens=1)
    for entry in parse_endings(LIST):
        assert entry.provider in PROVIDER_DEFAULTS
        assert (entry.source or "").startswith("https://")
        if entry.successor is not None:
            assert endings.find(entry.provider, entry.successor) is None, entry
            assert LIST_PRICES.price(entry.provider, entry.successor, one).amount is not None


def test_no_default_model_has_a_shutdown_date() -> None:
    endings = load_endings()
    defaults = [
        (provider, model)
        for provider, item in PROVIDER_DEFAULTS.items()
        for model in (item.default_model, item.small_model)
    ]
    assert [name for name in defaults if endings.find(*name) is not None] == []


def test_a_listed_shutdown_date_is_read() -> None:
    listed = [{"id": "a", "shutdown_date": "2027-01-14"}, {"id": "b"}]
    raw = json.dumps({"data": [*listed, {"id": "c", "shutdown_date": None}]}).encode()
    models, _ = parse_models(raw, Target("openai", "m", Quirks()), {})

    assert [model.ends for model in models] == ["2027-01-14", None, None]


@pytest.mark.parametrize(
    "model", ["claude-2", "claude-3-opus-latest", "claude-3-5-haiku-20241022", "claude-sonnet-4-5"]
)
def test_the_list_has_models_that_anthropic_retired(model: str) -> None:
    ending = load_endings().find("anthropic", model)

    assert ending is not None
    assert ending.ends <= date(2026, 11, 30)


@pytest.mark.parametrize(
    ("model", "ends"),
    [
        ("gpt-4o-audio-preview", date(2026, 5, 7)),
        ("gpt-4o-audio-preview-2024-12-17", date(2026, 7, 23)),  # announced on 22 April 2026
        ("gpt-4-0314", date(2026, 3, 26)),
        ("gpt-4-0613", date(2026, 10, 23)),
    ],
)
def test_the_list_has_the_dates_of_openais_deprecations_page(model: str, ends: date) -> None:
    ending = load_endings().find("openai", model)

    assert ending is not None
    assert ending.ends == ends


def test_a_preview_of_gemini_ended_before_the_model_that_it_previewed() -> None:
    endings = load_endings()
    preview = endings.find("gemini", "gemini-2.5-pro-preview-05-06")
    model = endings.find("gemini", "gemini-2.5-pro")

    assert preview is not None
    assert model is not None
    assert (preview.ends, preview.reroutes) == (date(2025, 12, 2), False)
    assert model.ends == date(2026, 12, 1)
