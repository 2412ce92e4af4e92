"""Packs are found by name; a wrong name is one clear error."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from plainloop.agent.errors import ConfigError
from plainloop.agent.packs.loading import list_pack_names, load_packs


def test_the_named_packs_come_in_the_order_given() -> None:
    names = list_pack_names()[::-1]

    assert "staff_onboarding" in names
    assert [pack.name for pack in load_packs(names)] == names


@pytest.mark.parametrize(
    ("names", "message", "hint"),
    [
        (["staf_onboarding"], "unknown pack 'staf_onboarding'", "did you mean 'staff_onboarding'?"),
        ([], "no pack is set", "AGENT_PACKS takes"),
        (["staff_onboarding", "staff_onboarding"], "named twice", ""),
        (["../evil"], "unknown pack '../evil'", "known packs: "),
    ],
)
def test_a_wrong_name_is_a_configuration_error(names: list[str], message: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_packs(names)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")


def test_listing_packs_imports_none_and_loading_imports_no_sdk() -> None:
    code = (
        "import sys; from plainloop.agent.packs.loading import list_pack_names, load_packs;"
        "list_pack_names();"
        "assert 'plainloop_staff' not in sys.modules;"
        "load_packs(list_pack_names());"
        "assert not {'anthropic', 'openai', 'google.genai'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_engine_and_the_server_mention_no_pack() -> None:
    found = list_words(rf"\b(?:{'|'.join(list_pack_names())})\b", without=())

    assert found == []


def test_nothing_of_a_packs_domain_is_said_outside_of_packs() -> None:
    domain = r"résumés?|adzuna|jsearch|cover[_ ]letter|job ?posting(?!\"\))"
    allowed = (
        "agent/designs/base.py",  # the contract's constructor words
        "agent/intents/languages/french.toml",  # where a "résumé" is a summary
    )

    assert list_words(domain, without=allowed) == []


def list_words(pattern: str, without: tuple[str, ...]) -> list[str]:
    """Lines of agent/ and server/ that say it."""
    root = Path(__file__).parents[2]
    files = [
        str(path.relative_to(root))
        for top in ("agent", "server")
        for path in sorted((root / top).rglob("*"))
        if path.suffix in (".py", ".md", ".sql", ".toml")
    ]
    return [
        f"{name}: {line.strip()}"
        for name in files
        if not name.startswith(without)
        for line in (root / name).read_text(encoding="utf-8").splitlines()
        if re.search(pattern, line, re.I)
    ]
