"""Documents, samples and help texts name no model that its vendor is about to shut down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from plainloop.agent.providers.endings import load_endings
from plainloop.agent.providers.pricing import is_listed

ROOT = Path(__file__).parents[1]
TEXTS = (".md", ".toml", ".json", ".jsonl", ".txt", ".sh", ".yml", ".jinja", ".py")
# Where models of the past must be named: the lists themselves, a vendor's old rules, the history.
LEFT_OUT = (
    "docs/decisions/",
    "packages/wire/",
    "/tests/",
    "ledger/reconcile.py",
    "ledger/stated.py",
)
_WORD = re.compile(r"(?<![\w.-])[a-z][a-z0-9]{0,20}(?:[.-][a-z0-9]+){1,8}(?![\w-])")
_NAMES = re.compile(r"(gpt|o[134]|claude|gemini|kimi|deepseek|glm)-\w")
_PROVIDERS = {
    "gpt": "openai",
    "claude": "anthropic",
    "gemini": "gemini",
    "kimi": "kimi",
    "deepseek": "deepseek",
}


def list_texts() -> list[Path]:
    tops = [ROOT / name for name in ("docs", "examples", "packages")]
    found = [path for top in tops for path in top.rglob("*") if path.suffix in TEXTS]
    found += [ROOT / "README.md", ROOT / ".env.example", ROOT / "scripts/benchmarks/week.py"]
    names = ((path, path.relative_to(ROOT).as_posix()) for path in found)
    return [path for path, name in names if not any(part in name for part in LEFT_OUT)]


def list_models(text: str) -> Iterator[tuple[str, str]]:
    """The names of vendors' models in a text, with their providers."""
    for word in set(_WORD.findall(text)):
        provider = _PROVIDERS.get(word.partition("-")[0])
        if provider is not None and _NAMES.match(word):
            yield provider, word


def test_no_text_mentions_a_model_with_a_shutdown_date() -> None:
    endings = load_endings()
    ending = {
        f"{path.relative_to(ROOT)}: {model}"
        for path in list_texts()
        for provider, model in list_models(path.read_text(encoding="utf-8", errors="ignore"))
        if endings.find(provider, model) is not None
    }

    assert sorted(ending) == []


def test_models_in_commands_and_settings_are_in_the_price_list() -> None:
    named = re.compile(r'(?:--model |model = "|AGENT_MODEL=)(?:(\w+):)?([a-z][\w.-]+)')
    unknown: set[str] = set()
    count = 0
    for path in list_texts():
        if path.suffix != ".md":
            continue
        for _, model in named.findall(path.read_text(encoding="utf-8")):
            for provider, name in list_models(model):
                count += 1
                price_list = {"gemini": "google", "kimi": "moonshotai"}.get(provider, provider)
                if not is_listed(provider, name) and not is_listed(price_list, name):
                    unknown.add(f"{path.name}: {name}")

    assert count >= 10
    assert sorted(unknown) == []


@pytest.mark.parametrize(
    "text", ["`gpt-4o-mini`", "model=gpt-4o", '"gemini-2.5-pro"', "kimi-k2.6."]
)
def test_model_names_are_found_in_any_context(text: str) -> None:
    (found,) = list_models(text)

    assert load_endings().find(*found) is not None
