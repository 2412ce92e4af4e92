"""Settings of running: leases, recovery, queues and helpers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..config.values import Count, Seconds, setting
from ..dataclasses import dataclass
from ..errors import ConfigError

Preferences = Literal["ignore", "refuse"]


@dataclass(frozen=True, slots=True)
class RequestSettings:
    """`[server]`: what requests may ask for."""

    preferences: Preferences = setting(
        "ignore",
        "what to do with client preferences that no model supports, such as a "
        "temperature: ignore or refuse",
    )


@dataclass(frozen=True, slots=True)
class RunLimits:
    """`[limits]` of running, queued and watched runs.

    Raises: ConfigError when the heartbeat is not shorter than the lease.
    """

    lease_s: Seconds = setting(30.0, "seconds without a heartbeat until a process loses its run")
    heartbeat_s: Seconds = setting(
        8.0, "seconds between two heartbeats of a process that owns a run"
    )
    run_attempts: Count = setting(
        2, "max. times that a run whose process was lost is started again"
    )
    quarantine_s: Seconds = setting(
        10.0, "seconds until a run that may have crashed its process is started again"
    )
    event_flush_ms: Count = setting(
        25, "milliseconds of text that are collected into one stored event"
    )
    cancel_poll_s: Seconds = setting(
        0.5, "seconds until a replica notices a cancel sent to another replica"
    )
    recovery_s: Seconds = setting(2.0, "seconds between two checks for runs to take over")
    viewer_poll_ms: Count = setting(
        150, "milliseconds between two checks of a run on another replica"
    )
    keep_alive_s: Seconds = setting(
        15.0, "seconds without an event until a stream sends a comment to stay open"
    )
    viewer_timeout_s: Seconds = setting(
        30.0, "seconds until a viewer that does not read its stream is disconnected"
    )
    runs_at_once: Count = setting(500, "max. active runs of one process; further runs are queued")
    runs_waiting: Count = setting(
        2000, "max. queued runs; beyond it, messages are refused with 503"
    )
    runs_per_free_place: Count = setting(
        8, "max. active and queued runs of a tenant per free run slot; more are refused with 503"
    )

    def __post_init__(self) -> None:
        if self.heartbeat_s >= self.lease_s:
            raise ConfigError(
                f"limits.heartbeat_s ({self.heartbeat_s:g}) must be less than "
                f"limits.lease_s ({self.lease_s:g})",
                hint="Set heartbeat_s to a third of lease_s, for example.",
            )


@dataclass(frozen=True, slots=True)
class TitleSettings:
    """`[agent]`: how conversations are named."""

    titles: bool = setting(
        True,
        "let the small model title a conversation after its first answer; false: its first words",
        "AGENT_TITLES",
    )


TABLES: Mapping[str, type] = {
    "agent": TitleSettings,
    "server": RequestSettings,
    "limits": RunLimits,
}
