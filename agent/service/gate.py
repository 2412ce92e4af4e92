"""Decides if a replica may take runs; without a package that judges deploys, it may at once.

A package that does has a `Gate` of its own, by the entry point `gate` of `plainloop.hooks`.
"""

from __future__ import annotations

from typing import Literal

from ..config.installed import load_hook
from ..config.settings import Settings
from ..errors import ConfigError
from ..store.connecting.settings import DeploySettings
from .service import Service

GateState = Literal["ready", "judging", "refused"]


class Gate:
    """Keeps a replica from taking runs until it may serve; this one lets it serve at once.
    `prepare` first, then `judge` while `state` is judging.
    """

    def __init__(self, service: Service) -> None:
        self.state: GateState = "ready"
        self._service = service

    @property
    def is_ready(self) -> bool:
        """Whether this replica may accept runs."""
        return self.state == "ready"

    @property
    def differences(self) -> tuple[str, ...]:
        """List the differences in answers for which the gate refused this replica; here none."""
        return ()

    async def prepare(self) -> None:
        """Find out whether a deploy check must run first. Raises: ConfigError, StoreError."""
        refuse_judging(self._service.settings)

    async def judge(self) -> None:
        """Decide whether this replica may serve, and set `state`; this class does nothing."""


def load_gate() -> type[Gate]:
    """Return the class that decides when this replica accepts runs.

    An installed package may bring it; else it is `Gate`, which accepts runs at once.

    Raises: ConfigError for one that cannot be imported.
    """
    return load_hook("gate") or Gate


def refuse_judging(settings: Settings) -> None:
    """Raise ConfigError if the setting `deploy.judge` needs a package that is not installed."""
    if settings.get_table(DeploySettings).judge != "off":
        raise ConfigError(
            "AGENT_DEPLOY_JUDGE needs plainloop-lab, which is not installed",
            hint="Install it with `pip install plainloop-lab`, or set AGENT_DEPLOY_JUDGE=off.",
        )
