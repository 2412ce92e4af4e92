"""What a role's model is made of: names of settings, keys, addresses, and what all models share."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.models import Models, check_agent_names, list_names
from plainloop.agent.errors import ConfigError
from tests.core.test_models import endpoint_of, models_of

KEYS = {"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o"}


@pytest.mark.parametrize(
    ("role", "worker", "names"),
    [
        ("worker", None, ("", "worker")),
        ("worker", "poet", ("poet", "worker")),
        ("parser", None, ("", "parser")),
        ("embedding", None, ("", "embedding")),
        ("evaluator", None, ("evaluator", "evaluator")),
        ("evaluator", "poet", ("evaluator", "poet")),
        ("classifier", None, ("classifier", "triage")),
        ("router", "poet", ("router", "triage")),
        ("triage", None, ("triage", "triage")),
    ],
)
def test_a_roles_models_are_looked_up_by_its_names_in_order(
    role: str, worker: str | None, names: tuple[str, ...]
):
    assert list_names(role, worker) == names


def test_a_model_chain_is_built_once_per_worker_and_role():
    models = models_of("anthropic", **KEYS)
    chain = models.resolve_chain("worker", "poet")
    assert models.resolve_chain("worker", "poet") is chain
    assert models.resolve_chain("worker") is not chain
    assert models.resolve("worker", "poet") is chain[0]


def test_all_model_handles_of_a_service_share_learned_sizes():
    environ = {**KEYS, "AGENT_AGENTS_WORKER_FALLBACK": "openai:gpt-4o"}
    models = models_of("anthropic", **environ)
    first, second = models.resolve_chain("worker")
    for handle in (first, second, models.resolve("router")):
        assert handle.factors is models.factors
        assert handle.outputs is models.outputs
        assert handle.prices is models.prices
        assert handle.pauses is models.pauses
    assert (first.provider, second.provider) == ("anthropic", "openai")
    assert (first.chat.provider, first.chat.model) == (first.provider, first.model)


@pytest.mark.parametrize(
    ("environ", "keys"),
    [
        ({}, {"worker": "a", "poet": "o"}),
        ({"AGENT_API_KEY": "top"}, {"worker": "top", "poet": "o"}),
        ({"AGENT_AGENTS_POET_API_KEY": "own"}, {"worker": "a", "poet": "own"}),
        (
            {"AGENT_API_KEY": "top", "AGENT_AGENTS_WORKER_API_KEY": "own"},
            {"worker": "own", "poet": "o"},
        ),
    ],
)
def test_an_api_key_is_read_from_role_top_level_or_provider_settings(
    environ: dict[str, str], keys: dict[str, str]
):
    own = {"AGENT_AGENTS_POET_PROVIDER": "openai", **environ}
    models = models_of("anthropic", **KEYS, **own)
    found = {"worker": models.resolve("worker", "x"), "poet": models.resolve("worker", "poet")}
    assert {name: endpoint_of(handle.chat).api_key for name, handle in found.items()} == keys


def test_a_base_url_is_read_from_role_or_top_level_settings():
    environ = {
        **KEYS,
        "AGENT_API_BASE": "http://top:1",
        "AGENT_MODEL": "m",
        "AGENT_AGENTS_POET_API_BASE": "http://own:2",
        "AGENT_AGENTS_OTHER_PROVIDER": "openai",
    }
    models = models_of("anthropic", **environ)
    addresses = [
        endpoint_of(models.resolve("worker", name).chat).base_url for name in ("x", "poet", "other")
    ]
    assert addresses[:2] == ["http://top:1", "http://own:2"]
    assert addresses[2] not in addresses[:2], "another provider's is its own"


def test_an_unsupported_temperature_names_the_setting_to_remove():
    named = {**KEYS, "AGENT_AGENTS_WORKER_TEMPERATURE": "0.5", "AGENT_MODEL": "o3"}
    with pytest.raises(ConfigError) as refused:
        models_of("openai", **named).resolve("worker")
    assert refused.value.message == "openai:o3 does not support a temperature"
    hint = "Unset the temperature of the agent worker, or choose another model."
    assert refused.value.hint == hint
    mild = {**KEYS, "AGENT_AGENTS_WORKER_TEMPERATURE": "0.5", "AGENT_MODEL": "gpt-4o"}
    assert models_of("openai", **mild).resolve("worker").temperature == 0.5
    assert models_of("openai", **KEYS).resolve("worker").temperature is None


def test_an_unknown_agent_name_lists_the_known_ones():
    settings = load_settings({"AGENT_AGENTS_POET_MODEL": "m"})
    with pytest.raises(ConfigError) as refused:
        check_agent_names(settings, {"worker", "baker"})
    assert refused.value.message == "[agents.poet] is neither a role nor a worker"
    assert refused.value.hint == "Known names: baker, worker"
    check_agent_names(settings, {"poet"})


def test_the_thoughts_in_text_setting_applies_per_role_or_to_all():
    every: dict[str, Any] = {**KEYS, "AGENT_THOUGHTS_IN_TEXT": "true"}
    own = {"AGENT_AGENTS_POET_THOUGHTS_IN_TEXT": "false"}
    models = models_of("openai", **every, **own)
    assert models.resolve("worker", "x").thoughts_in_text is True
    assert models.resolve("worker", "poet").thoughts_in_text is False
    assert Models(load_settings({}), "offline").resolve("worker").thoughts_in_text is None
