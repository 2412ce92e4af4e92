"""The pack is found by its entry point; a name that is nearly its own is told."""

from __future__ import annotations

import pytest

from plainloop.agent.errors import ConfigError
from plainloop.agent.packs.loading import load_packs


def test_the_installed_pack_is_loaded_by_its_short_name() -> None:
    assert [pack.name for pack in load_packs(["staff_onboarding"])] == ["staff_onboarding"]
    with pytest.raises(ConfigError, match="unknown pack 'plainloop_staff'"):
        load_packs(["plainloop_staff"])


def test_a_misspelt_pack_name_suggests_the_right_one() -> None:
    with pytest.raises(ConfigError, match="unknown pack 'staf_onboarding'") as caught:
        load_packs(["staf_onboarding"])
    assert "did you mean 'staff_onboarding'?" in (caught.value.hint or "")
