"""`models` and `doctor` show the effort of each role, and keys that only a role or worker has."""

from __future__ import annotations

import pytest

from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.models import Models
from plainloop.agent.doctor.providers import (
    check_providers,
    describe_used,
    list_configured,
    list_used,
    make_configured,
)

LOW = "effort low"


def describe(provider: str, **environ: str) -> dict[str, str]:
    """By what the models do: what is shown of their effort."""
    settings = load_settings({f"{provider.upper()}_API_KEY": "k", **environ})
    lines = describe_used(Models(settings, provider), settings)
    shown = (line.partition(" answers as ")[2].split(" · ") for line in lines)
    return {users: next((it for it in rest if "effort" in it), "") for users, *rest in shown}


OWN_HIGH = "not sent (the model's own, high)"
CASES: list[tuple[str, dict[str, str], str, str]] = [
    ("anthropic", {}, f"effort {OWN_HIGH}", LOW),
    ("anthropic", {"AGENT_EFFORT": "max"}, f"effort max as worker; {OWN_HIGH} as parser", LOW),
    (
        "gemini",
        {"AGENT_EFFORT": "max"},
        "effort high (max is set, the model does not have it) as worker; "
        "not sent (the model's own) as parser",
        "effort minimal",
    ),
    (
        "openai",
        {"AGENT_MODEL": "gpt-4.2", "AGENT_EFFORT": "high"},
        "effort not sent (high is set, the model has no levels)",
        LOW,
    ),
    ("openai", {"AGENT_MODEL": "gpt-4.2"}, "", LOW),
    (
        "glm",
        {"AGENT_AGENTS_TRIAGE_EFFORT": "max"},
        "effort not sent (the model's own, max)",
        "effort max as classifier, router, triage; low as evaluator",
    ),
    ("minimax", {}, f"effort {OWN_HIGH}", "effort none"),
]


@pytest.mark.parametrize(("provider", "environ", "worker", "small"), CASES)
def test_plainloop_models_shows_each_roles_effort(
    provider: str, environ: dict[str, str], worker: str, small: str
) -> None:
    assert [*describe(provider, **environ).values()] == [worker, small]


def test_a_workers_effort_and_fallback_are_shown_separately() -> None:
    environ = {
        "AGENT_AGENTS_POET_EFFORT": "max",
        "AGENT_AGENTS_POET_FALLBACK": "anthropic:claude-opus-5-5",
        "OPENAI_API_KEY": "k",
    }
    shown = describe("anthropic", **environ)

    assert shown["worker, parser, poet"] == (
        "effort not sent (the model's own, high) as worker, parser; max as poet"
    )
    assert shown["fallback of poet"] == "effort max"


ONLY_THERE = [
    ({"AGENT_AGENTS_POET_PROVIDER": "gemini", "AGENT_AGENTS_POET_API_KEY": "g"}, "[agents.poet]"),
    ({"AGENT_PROVIDER": "gemini", "AGENT_AGENTS_WORKER_API_KEY": "g"}, "[agents.worker]"),
    ({"AGENT_PROVIDER": "gemini", "AGENT_API_KEY": "g"}, "api_key"),
    ({"GOOGLE_API_KEY": "g", "AGENT_AGENTS_POET_API_KEY": "x"}, "GOOGLE_API_KEY"),
]


@pytest.mark.parametrize(("environ", "place"), ONLY_THERE)
async def test_doctor_names_where_each_key_is_set(environ: dict[str, str], place: str) -> None:
    settings = load_settings({"AGENT_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": "k", **environ})
    models = Models(settings, settings.provider or "anthropic")
    told = [finding.text for finding in await check_providers(settings, models)]
    (without,) = (text for text in told if text.startswith("no key for"))

    assert f"gemini: key in {place}" in told
    assert "gemini" not in without
    assert "gemini" in await list_configured(settings)


async def test_a_workers_models_are_listed_with_its_key_and_url() -> None:
    environ = {
        "ANTHROPIC_API_KEY": "k",
        "AGENT_AGENTS_POET_PROVIDER": "openai",
        "AGENT_AGENTS_POET_API_KEY": "own",
        "AGENT_AGENTS_POET_API_BASE": "http://127.0.0.1:9/v1",
    }
    chat = await make_configured("openai", load_settings(environ))

    assert (chat.provider, getattr(chat, "base_url", "")) == ("openai", "http://127.0.0.1:9/v1")


def test_one_model_at_two_urls_is_listed_as_two() -> None:
    environ = {
        "OPENAI_API_KEY": "k",
        "AGENT_AGENTS_POET_API_BASE": "http://127.0.0.1:9/v1",
        "AGENT_AGENTS_CRITIC_EFFORT": "low",
    }
    settings = load_settings(environ)
    used = list_used(Models(settings, "openai"), settings)
    (poet,) = [handle for users, handle in used if users == ["poet"]]
    (worker,) = [handle for users, handle in used if {"worker", "critic"} <= {*users}]

    assert poet.label == worker.label
    assert poet.base_url == "http://127.0.0.1:9/v1" != worker.base_url
