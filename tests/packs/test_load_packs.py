"""Packs are found by name; a wrong name is one clear error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plainloop.agent.errors import ConfigError
from plainloop.agent.packs import list_pack_names, load_packs


def test_the_named_packs_come_in_the_order_given() -> None:
    assert "careers" in list_pack_names()
    assert [pack.name for pack in load_packs(["careers"])] == ["careers"]


@pytest.mark.parametrize(
    ("names", "message", "hint"),
    [
        (["carers"], "unknown pack 'carers'", "did you mean 'careers'?"),
        ([], "no pack is set", "AGENT_PACKS takes"),
        (["careers", "careers"], "named twice", ""),
        (["../evil"], "unknown pack '../evil'", "known packs: careers"),
    ],
)
def test_a_wrong_name_is_a_configuration_error(names: list[str], message: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_packs(names)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")


def test_listing_packs_imports_none_and_loading_imports_no_sdk() -> None:
    code = (
        "import sys; from plainloop.agent.packs import list_pack_names, load_packs;"
        "list_pack_names();"
        "assert 'plainloop.agent.packs.careers' not in sys.modules; load_packs(['careers']);"
        "assert not {'anthropic', 'openai', 'google.genai'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_engine_and_the_server_mention_no_pack_but_the_default() -> None:
    root = Path(__file__).parents[2]
    engine = [*root.glob("agent/*.py"), *root.glob("server/**/*.py")]
    for folder in (
        *("config", "base", "outbound", "store", "providers", "core", "usage"),
        *("routers", "workers", "evaluators", "designs", "service"),
    ):
        engine += [
            p for p in root.glob(f"agent/{folder}/**/*") if p.suffix in (".py", ".md", ".sql")
        ]

    named = {
        f"{path.relative_to(root)}: {line.strip()}"
        for path in engine
        for line in path.read_text(encoding="utf-8").splitlines()
        for name in list_pack_names()
        if name in line.casefold()
    }

    assert named == {'agent/config/settings.py: ("careers", "staff_onboarding"),'}
