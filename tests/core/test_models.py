"""Which model answers which role, and with which address, key and protocol."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.models import Models, check_agent_names, connect_models
from plainloop.agent.errors import ConfigError, MissingKeyError
from plainloop.agent.providers.detection import detect_provider
from plainloop.agent.providers.gemini.client import GeminiProvider
from plainloop.agent.providers.http.exchange import Wire
from plainloop.agent.providers.openai.chat import CHAT
from plainloop.agent.providers.openai.responses import RESPONSES

NO_OLLAMA = {"OLLAMA_HOST": "http://127.0.0.1:9"}


def models_of(provider: str, **environ: str) -> Models:
    return Models(load_settings({**NO_OLLAMA, **environ}), provider)


def endpoint_of(chat: Any) -> Any:
    return chat.channel.endpoint


@pytest.mark.parametrize(
    ("environ", "provider"),
    [
        ({}, "offline"),
        ({"KIMI_API_KEY": "k", "GEMINI_API_KEY": "k"}, "gemini"),
        ({"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, "anthropic"),
        ({"ZAI_API_KEY": "k"}, "glm"),
    ],
)
async def test_the_first_provider_with_a_key_answers(environ: dict[str, str], provider: str):
    assert await detect_provider(load_settings({**NO_OLLAMA, **environ})) == provider


ASKED = ("worker", "parser", "classifier", "router", "evaluator")


@pytest.mark.parametrize(
    ("environ", "large", "small"),
    [
        ({}, "claude-sonnet-5-5", "claude-haiku-5-5"),
        ({"AGENT_MODEL": "claude-sonnet-5-5"}, "claude-sonnet-5-5", "claude-haiku-5-5"),
        ({"AGENT_MODEL": "claude-opus-5"}, "claude-opus-5", "claude-haiku-5-5"),
        ({"AGENT_SMALL_MODEL": "claude-haiku-4-5"}, "claude-sonnet-5-5", "claude-haiku-4-5"),
        # A server of one's own has what it has.
        ({"AGENT_MODEL": "qwen3", "AGENT_API_BASE": "http://gpu:1"}, "qwen3", "qwen3"),
        (
            {"AGENT_MODEL": "a", "AGENT_SMALL_MODEL": "b", "AGENT_API_BASE": "http://gpu:1"},
            "a",
            "b",
        ),
    ],
)
def test_setting_the_model_keeps_the_small_model_at_the_vendor(
    environ: dict[str, str], large: str, small: str
):
    models = models_of("anthropic", ANTHROPIC_API_KEY="k", **environ)
    found = {role: models.resolve(role).model for role in ASKED}
    assert found == dict.fromkeys(ASKED[:2], large) | dict.fromkeys(ASKED[2:], small)


def test_an_ollama_model_serves_every_role():
    models = models_of("ollama", AGENT_MODEL="qwen3:8b")
    assert {models.resolve(role).model for role in ASKED} == {"qwen3:8b"}


def test_the_triage_table_sets_classifier_and_router():
    environ = {
        "ANTHROPIC_API_KEY": "k",
        "OPENAI_API_KEY": "k",
        "AGENT_AGENTS_TRIAGE_PROVIDER": "openai",
        "AGENT_AGENTS_ROUTER_MODEL": "claude-r",
    }
    models = models_of("anthropic", **environ)
    assert models.resolve("classifier").label == "openai:gpt-6-luna"
    assert models.resolve("router").label == "anthropic:claude-r"
    assert models.resolve("evaluator").label == "anthropic:claude-haiku-5-5"


def test_a_worker_settings_provider_but_not_model_reaches_its_reviewer():
    environ = {
        "ANTHROPIC_API_KEY": "k",
        "OPENAI_API_KEY": "k",
        "AGENT_AGENTS_COVER_LETTER_PROVIDER": "openai",
        "AGENT_AGENTS_COVER_LETTER_MODEL": "gpt-6.1-sol",
        "AGENT_AGENTS_POET_MODEL": "claude-opus-5",
        "AGENT_AGENTS_PRIVATE_PROVIDER": "ollama",
        "AGENT_AGENTS_PRIVATE_MODEL": "qwen3:8b",
    }
    models = models_of("anthropic", **environ)
    assert models.resolve("worker", "cover_letter").label == "openai:gpt-6.1-sol"
    assert models.resolve("evaluator", "cover_letter").label == "openai:gpt-6-luna"
    assert models.resolve("evaluator", "poet").label == "anthropic:claude-haiku-5-5"
    assert models.resolve("evaluator", "private").label == "ollama:qwen3:8b"
    models = models_of("anthropic", **environ, AGENT_AGENTS_EVALUATOR_MODEL="claude-e")
    assert models.resolve("evaluator", "cover_letter").label == "anthropic:claude-e"


def test_a_workers_own_model_setting_overrides_its_roles():
    environ = {
        "ANTHROPIC_API_KEY": "k",
        "AGENT_AGENTS_WORKER_MODEL": "claude-w",
        "AGENT_AGENTS_COVER_LETTER_MODEL": "claude-l",
    }
    models = models_of("anthropic", **environ)
    assert models.resolve("worker", "general").model == "claude-w"
    assert models.resolve("worker", "cover_letter").model == "claude-l"


def test_fallback_models_use_their_own_key_and_protocol():
    environ = {
        "ANTHROPIC_API_KEY": "a",
        "OPENAI_API_KEY": "o",
        "AGENT_API_KEY": "top",
        "AGENT_MODEL": "gpt-4o",
        "AGENT_PROTOCOL": "chat",
        "AGENT_AGENTS_WORKER_FALLBACK": "anthropic:claude-x, ollama:llama3.1:8b",
    }
    chain = models_of("openai", **environ).resolve_chain("worker")
    labels = [handle.label for handle in chain]
    assert labels == ["openai:gpt-4o", "anthropic:claude-x", "ollama:llama3.1:8b"]
    assert [endpoint_of(handle.chat).api_key for handle in chain[:2]] == ["top", "a"]


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("somewhere:4000", "http://somewhere:4000"),
        ("somewhere", "http://somewhere:11434"),
        (":4000", "http://localhost:4000"),
        ("::1", "http://[::1]:11434"),
        ("[::1]:4000", "http://[::1]:4000"),
        ("somewhere/ollama", "http://somewhere:11434/ollama"),
        ("https://somewhere/", "https://somewhere"),
        ("'somewhere:4000'", "http://somewhere:4000"),
    ],
)
def test_ollama_host_sets_the_ollama_url(host: str, url: str):
    chat: Any = models_of("ollama", OLLAMA_HOST=host).resolve("worker").chat
    assert chat.base_url == url


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"AGENT_MODEL": "gpt-6.1-terra"}, RESPONSES),
        ({"AGENT_MODEL": "gpt-4o"}, CHAT),
        ({"AGENT_MODEL": "gpt-6.1-terra", "AGENT_PROTOCOL": "chat"}, CHAT),
        ({"AGENT_MODEL": "gpt-4o", "AGENT_PROTOCOL": "responses"}, RESPONSES),
        ({"AGENT_API_BASE": "http://127.0.0.1:1/v1", "AGENT_PROTOCOL": "responses"}, RESPONSES),
    ],
)
def test_the_protocol_is_chosen_by_model_or_setting(environ: dict[str, str], expected: Wire):
    chat: Any = models_of("openai", OPENAI_API_KEY="k", **environ).resolve("worker").chat
    assert chat.wire is expected


def test_a_protocol_for_a_provider_with_one_api_is_refused():
    with pytest.raises(ConfigError, match="anthropic has only one API"):
        models_of("anthropic", ANTHROPIC_API_KEY="k", AGENT_PROTOCOL="chat").resolve("worker")


def test_googles_search_is_switched_on_by_its_setting():
    environ = {"GEMINI_API_KEY": "k", "AGENT_GEMINI_SEARCH_GROUNDING": "true"}
    chat: Any = models_of("gemini", **environ).resolve("worker").chat
    assert isinstance(chat, GeminiProvider)
    assert chat._search_grounding is True
    small: Any = models_of("gemini", **environ).resolve("parser").chat
    assert small._search_grounding is False


@pytest.mark.parametrize(
    ("environ", "worker", "parser"),
    [
        ({}, None, None),
        ({"AGENT_THOUGHTS_IN_TEXT": "true"}, True, True),
        (
            {"AGENT_THOUGHTS_IN_TEXT": "true", "AGENT_AGENTS_WORKER_THOUGHTS_IN_TEXT": "false"},
            False,
            True,
        ),
        ({"AGENT_AGENTS_WORKER_THOUGHTS_IN_TEXT": "true"}, True, None),
    ],
)
def test_thoughts_in_text_set_for_a_role_override_the_setting_for_all_roles(
    environ: dict[str, str], worker: bool | None, parser: bool | None
):
    models = models_of("openai", OPENAI_API_KEY="k", **environ)
    assert models.resolve("worker").thoughts_in_text is worker
    assert models.resolve("parser").thoughts_in_text is parser


def test_settings_for_an_unknown_agent_are_refused_with_the_known_names():
    settings = load_settings({"AGENT_AGENTS_BAKER_MODEL": "gpt-4.1"})
    check_agent_names(settings, {"worker", "baker"})
    with pytest.raises(ConfigError) as caught:
        check_agent_names(settings, {"worker", "parser"})
    assert "[agents.baker] is neither a role nor a worker" in caught.value.message
    assert caught.value.hint == "Known names: parser, worker"


def test_the_embedding_role_has_a_model_of_its_own():
    environ = {
        "OPENAI_API_KEY": "k",
        "AGENT_MODEL": "gpt-4o",
        "AGENT_AGENTS_EMBEDDING_PROVIDER": "openai",
    }
    handle = models_of("openai", **environ).resolve("embedding")
    assert handle.label == "openai:text-embedding-3-small"


async def test_a_missing_key_is_reported_when_its_role_is_opened():
    models = await connect_models(load_settings({**NO_OLLAMA, "AGENT_PROVIDER": "kimi"}))
    with pytest.raises(MissingKeyError) as caught:
        models.resolve("worker")
    assert caught.value.hint == "Set KIMI_API_KEY or MOONSHOT_API_KEY."


def test_an_agents_temperature_is_used_if_its_model_supports_it() -> None:
    own = {"OPENAI_API_KEY": "any", "AGENT_AGENTS_WORKER_TEMPERATURE": "0.2"}
    taking = models_of("openai", AGENT_PROVIDER="openai", AGENT_MODEL="gpt-4.1", **own)
    refusing = models_of("openai", AGENT_PROVIDER="openai", AGENT_MODEL="gpt-6.1-terra", **own)

    assert taking.resolve("worker").temperature == 0.2
    assert taking.resolve("evaluator").temperature is None
    with pytest.raises(ConfigError, match=r"openai:gpt-6\.1-terra does not support a temperature"):
        refusing.resolve("worker")
