"""Without a package that judges deploys every replica serves, or says what is missing."""

from __future__ import annotations

from typing import Literal

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import ConfigError
from plainloop.agent.service.gate import Gate
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.connecting.settings import DeploySettings


async def test_without_a_judge_a_replica_serves_at_once(settings: Settings) -> None:
    async with open_service(settings) as service:
        gate = Gate(service)
        await gate.prepare()

    assert (gate.is_ready, gate.state, gate.differences) == (True, "ready", ())


@pytest.mark.parametrize("judge", ["warn", "refuse"])
async def test_deploy_judge_without_lab_is_refused_at_the_start(
    settings: Settings, judge: Literal["warn", "refuse"]
) -> None:
    asked = settings.change(DeploySettings, judge=judge)
    async with open_service(asked) as service:
        with pytest.raises(ConfigError, match="AGENT_DEPLOY_JUDGE needs plainloop-lab") as caught:
            await Gate(service).prepare()

    assert caught.value.hint is not None and "pip install plainloop-lab" in caught.value.hint
