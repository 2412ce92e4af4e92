"""Why a live replay may not go on."""

from __future__ import annotations

from ...errors import AgentError


class ReplayStopped(AgentError):
    """The replay may not go on now; what is paid for stays."""

    code = "REPLAY_STOPPED"
    exit_code = 6
