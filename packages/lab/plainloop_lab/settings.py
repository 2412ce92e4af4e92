"""Settings of live replays, batches and the check of new code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from plainloop.agent.config.values import Count, Seconds, Share, setting
from plainloop.agent.dataclasses import dataclass

ChangedCode = Literal["check", "refuse", "warn"]


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """`[deploy]`: what the check of new code reads."""

    code: ChangedCode = setting(
        "check",
        "if code that the check does not run has changed and is not in the file of intended "
        "differences: check: `deploy check` fails; refuse: a replica is refused too; warn: report",
    )
    sample: Count = setting(100, "number of stored conversations to check for each pack and design")
    allowed: Path | None = setting(
        None, "file of intended differences; unset: allowed.toml in the current folder, if present"
    )


@dataclass(frozen=True, slots=True)
class ReplayLimits:
    """`[limits]` of live replays."""

    replays_per_user: Count = setting(4, "max. live replays that one user may have open")
    replay_sandboxes: Count = setting(
        100, "max. conversations in a non-administrator's replay with `sandbox`, which copies rows"
    )
    replay_calls: Count = setting(100, "max. model calls per turn and variant in a live replay")
    replay_times: Count = setting(
        5, "max. model calls per replayed turn, as a multiple of the recorded calls"
    )
    replay_worse: Share = setting(
        0.1, "a live replay passes only if at most this share of conversations gets worse"
    )
    replay_drift: Share = setting(
        0.05, "in a replay without a baseline: share of conversations run again, to detect drift"
    )
    batch_conversations: Count = setting(
        1000, "max. conversations in parallel in a replay with --batch-api, per process"
    )
    batch_poll_s: Seconds = setting(
        15.0, "seconds until a provider's batch is first polled; later polls are less frequent"
    )
    batch_wait_s: Seconds = setting(
        60.0, "seconds that a call in a replay with --batch-api waits for others to share its batch"
    )


TABLES: Mapping[str, type] = {"deploy": CheckSettings, "limits": ReplayLimits}
