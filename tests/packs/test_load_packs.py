"""Packs are found by name; a wrong name is one clear error."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from plainloop.agent.config import pack_parts
from plainloop.agent.errors import ConfigError
from plainloop.agent.packs.loading import list_pack_names, load_packs
from tests.fixtures import TESTS_PACK

ROOT = Path(__file__).parents[2]


def test_packs_load_in_the_configured_order() -> None:
    names = [TESTS_PACK, *list_pack_names()[::-1]]

    assert [pack.name for pack in load_packs(names)] == ["tracker", *names[1:]]


def test_without_a_pack_the_error_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack_parts, "find_entries", lambda group: {})
    with pytest.raises(ConfigError) as caught:
        load_packs([])
    assert "`plainloop new NAME` creates one" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("names", "message", "hint"),
    [
        ([], "no pack is configured", ""),
        ([TESTS_PACK, TESTS_PACK], "more than once", ""),
        (["../evil"], "unknown pack '../evil'", "your own module must be in the current folder"),
    ],
)
def test_an_unknown_pack_name_is_a_configuration_error(
    names: list[str], message: str, hint: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_packs(names)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")


def test_listing_packs_imports_none_and_loading_no_sdk_and_no_routes() -> None:
    code = (
        "import sys; from plainloop.agent.packs.loading import list_pack_names, load_packs;"
        "list_pack_names();"
        "assert not [name for name in sys.modules if name.startswith('plainloop_')];"
        f"load_packs([*list_pack_names(), {TESTS_PACK!r}]);"
        "assert not {'anthropic', 'openai', 'google.genai'} & set(sys.modules);"
        "assert not [n for n in sys.modules if n.startswith('plainloop_') and '.routes' in n]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_engine_and_the_server_mention_no_pack() -> None:
    assert list_words(r"\b(?:careers|staff_onboarding)\b", without=()) == []


def test_modules_outside_packs_contain_no_domain_words() -> None:
    domain = r"résumés?|adzuna|jsearch|cover[_ ]letter|job ?posting(?!\"\))"
    allowed = ("agent/designs/base.py",)  # the contract's constructor words

    assert list_words(domain, without=allowed) == []


def list_words(pattern: str, without: tuple[str, ...]) -> list[str]:
    """Lines of agent/ and server/ that say it."""
    files = [
        str(path.relative_to(ROOT))
        for top in ("agent", "server")
        for path in sorted((ROOT / top).rglob("*"))
        if path.suffix in (".py", ".md", ".sql", ".toml")
    ]
    return [
        f"{name}: {line.strip()}"
        for name in files
        if not name.startswith(without)
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines()
        if re.search(pattern, line, re.I)
    ]
