"""The pack is found by its entry point; a name that is nearly its own is told."""

from __future__ import annotations

import pytest

from plainloop.agent.errors import ConfigError
from plainloop.agent.packs.loading import load_packs


def test_it_is_loaded_by_its_short_name_only() -> None:
    assert [pack.name for pack in load_packs(["staff_onboarding"])] == ["staff_onboarding"]
    with pytest.raises(ConfigError, match="unknown pack 'plainloop_staff'"):
        load_packs(["plainloop_staff"])


def test_a_name_that_is_nearly_its_own_is_told() -> None:
    with pytest.raises(ConfigError, match="unknown pack 'staf_onboarding'") as caught:
        load_packs(["staf_onboarding"])
    assert "did you mean 'staff_onboarding'?" in (caught.value.hint or "")
