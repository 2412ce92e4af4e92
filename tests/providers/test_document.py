"""docs/providers.md says what the tables say; its snippets can be pasted, its program runs."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.models import Models
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from tests.providers.local_server import Reply, run_local

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "providers.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"^```toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
KEYS = {key: "k" for d in PROVIDER_DEFAULTS.values() for key in d.key_variables}


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_the_documented_snippet_creates_models(snippet: str, tmp_path: Path):
    path = tmp_path / "plainloop.toml"
    path.write_text(snippet)
    settings = load_settings(KEYS, path)
    models = Models(settings, settings.provider or "openai")
    for role in ("classifier", "worker", *settings.agents):
        assert models.resolve_chain(role)


def test_the_documented_provider_table_equals_the_code():
    rows = re.findall(r"^\| (\w+) \| (.*?) \| (.*?) \| (.*?) \| .*? \|$", TEXT, re.MULTILINE)
    told: dict[str, Any] = {
        name: (tuple(re.findall(r"`(\w+)`", keys)), default, small)
        for name, keys, default, small in rows
        if name in PROVIDER_DEFAULTS
    }
    assert told == {
        name: (item.key_variables, item.default_model, item.small_model)
        for name, item in PROVIDER_DEFAULTS.items()
    }
    assert list(told) == list(PROVIDER_DEFAULTS)


def test_each_provider_with_two_regions_is_documented():
    regional = [name for name, item in PROVIDER_DEFAULTS.items() if item.intl_base_url]
    (sentence,) = re.findall(r"^(.*) have one service in China", TEXT, re.MULTILINE)
    assert re.findall(r"`(\w+)`", sentence) == regional


PROGRAM = re.compile(r"(?<=^```python\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
ANSWER = b'{"choices": [{"message": {"content": "Hi!"}, "finish_reason": "stop"}]}'


async def test_the_documented_program_answers() -> None:
    (program,) = PROGRAM.findall(TEXT)
    async with run_local(Reply(ANSWER)) as local:
        environ = {**os.environ, "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": local.url}
        command = (sys.executable, "-c", program)
        process = await asyncio.create_subprocess_exec(*command, env=environ, stdout=PIPE)
        said, _ = await process.communicate()
    assert said == b"Hi!\n"
    assert local.requests[0]["headers"]["authorization"] == "Bearer k"
