from __future__ import annotations

import sys
from typing import Any, get_args

import msgspec
import pytest
from genai_prices import Usage, calc_price

from plainloop.agent.errors import ConfigError, MissingKeyError
from plainloop.agent.providers.defaults import (
    PROVIDER_DEFAULTS,
    Quirks,
    choose_protocol,
    quirks_for,
)
from plainloop.agent.providers.registry import create_provider

# Our provider → whose price list its models stand in.
PRICED = {
    "anthropic": "anthropic",
    "openai": "openai",
    "gemini": "google",
    "deepseek": "deepseek",
    "kimi": "moonshotai",
    "glm": "zai",
    "minimax": "minimax",
}


@pytest.mark.parametrize("provider", PRICED)
def test_default_models_are_in_the_price_list(provider: str) -> None:
    defaults = PROVIDER_DEFAULTS[provider]
    for model in (defaults.default_model, defaults.small_model):
        price = calc_price(
            Usage(input_tokens=1000, output_tokens=10), model, provider_id=PRICED[provider]
        )
        assert price.total_price > 0
        assert not getattr(price.model, "deprecated", False)


def test_default_models_are_known_to_the_installed_sdks() -> None:
    from anthropic.types.model_param import ModelParam
    from openai.types.shared import ChatModel

    anthropic, openai = PROVIDER_DEFAULTS["anthropic"], PROVIDER_DEFAULTS["openai"]
    known_to_anthropic = get_args(get_args(ModelParam)[0])
    assert {anthropic.default_model, anthropic.small_model} <= set(known_to_anthropic)
    assert {openai.default_model, openai.small_model} <= set(get_args(ChatModel))


def test_an_unknown_provider_is_named_with_the_nearest_known_one() -> None:
    with pytest.raises(ConfigError) as caught:
        create_provider("antropic", "key")
    assert caught.value.message == "unknown provider: antropic"
    assert "'anthropic'" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("provider", "sdk", "extra"),
    [
        ("anthropic", "anthropic", "anthropic"),
        ("openai", "openai", "openai"),
        ("deepseek", "openai", "openai"),
        ("gemini", "google.genai", "gemini"),
    ],
)
def test_a_provider_whose_sdk_is_not_installed_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, provider: str, sdk: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, sdk, None)
    with pytest.raises(ConfigError) as caught:
        create_provider(provider, "key")
    assert caught.value.hint == f"pip install 'plainloop[{extra}]'"


def test_a_missing_key_names_its_variables_in_order() -> None:
    with pytest.raises(MissingKeyError) as caught:
        create_provider("glm", None)
    assert caught.value.hint == "Set GLM_API_KEY or ZAI_API_KEY or ZHIPUAI_API_KEY."


@pytest.mark.parametrize(
    "given",
    [
        *({"api_key": key} for key in ("abc\ndef", "schlüssel", "a\x00b")),  # no header holds them
        *({"api_base": address} for address in ("localhost:8000", "ftp://host/v1", "http://")),
        {"region": "mars"},
    ],
    ids=repr,
)
def test_unusable_provider_settings_are_refused_before_any_call(given: Any) -> None:
    with pytest.raises(ConfigError):
        create_provider("glm", **{"api_key": "key", **given})


@pytest.mark.parametrize(
    ("provider", "model", "address", "like"),
    [
        ("openai", "gpt-4.1", "https://api.openai.com/v1", "openai"),
        ("openai", "gpt-4.1", "http://gateway.internal/v1", "openai"),
        ("openai", "deepseek-flash", "https://api.deepseek.com", "deepseek"),
        ("glm", "glm-5.3", "https://api.z.ai/api/coding/paas/v4", "glm"),
        ("glm", "glm-5.3", "http://127.0.0.1:1", "glm"),
    ],
)
def test_quirks_follow_the_server_not_the_model_name(
    provider: str, model: str, address: str, like: str
) -> None:
    assert quirks_for(provider, model, address) == PROVIDER_DEFAULTS[like].quirks


@pytest.mark.parametrize("model", ["llama-3", "gpt-oss-120b"])
def test_an_unknown_server_gets_plain_requests(model: str) -> None:
    quirks = quirks_for("openai", model, "http://localhost:8000/v1")

    plain = msgspec.structs.replace(quirks, files=(), efforts=())
    assert plain == Quirks(thoughts_in_text=True)
    assert all(offer.is_guess for offer in quirks.efforts)
    assert "image/png" in quirks.files  # whether its model sees them, it says itself


@pytest.mark.parametrize(
    ("provider", "model", "address", "protocol"),
    [
        ("openai", "gpt-6.1-terra", "https://api.openai.com/v1", "openai_responses"),
        ("openai", "o4-mini", "https://api.openai.com/v1", "openai_responses"),
        ("openai", "gpt-4.1", "https://api.openai.com/v1", "openai_chat"),
        ("openai", "gpt-5-chat-latest", "https://api.openai.com/v1", "openai_chat"),
        ("openai", "gpt-6.1-terra", "http://localhost:8000/v1", "openai_chat"),
        ("deepseek", "deepseek-flash", "https://api.deepseek.com", "openai_chat"),
        ("anthropic", "claude-sonnet-5-5", "https://api.anthropic.com", "anthropic"),
    ],
)
def test_openais_reasoning_models_use_the_responses_api(
    provider: str, model: str, address: str, protocol: str
) -> None:
    assert choose_protocol(provider, model, address) == protocol
