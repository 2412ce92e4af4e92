"""Settings of the database and of what it keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ...config.values import Count, Nice, Pair, Seconds, Secret, setting
from ...dataclasses import dataclass

Judging = Literal["refuse", "warn", "off"]
BrokenRuns = Literal["go_on", "end"]


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """`[database]`"""

    url: Secret | None = setting(
        None,
        "URL of Postgres 15 or later; unset: an embedded Postgres in the data directory",
        "DATABASE_URL",
    )
    read_url: Secret | None = setting(
        None,
        "URL of a read replica for reports and lists; unset or unreachable: the database itself",
    )
    read_lag_s: Seconds = setting(
        60.0, "seconds that the read replica may lag; if it lags more, the database itself is read"
    )
    transaction_pooler: bool = setting(
        False, "true if a transaction pooler (pgbouncer) stands before the database"
    )
    connections: Pair = setting(
        10, "max. database connections of one process; further queries wait for a free one"
    )
    wait_s: Seconds = setting(60.0, "max. seconds that a query waits for a free connection")
    silent_s: Seconds = setting(
        10.0, "seconds without an answer from the database host until its connections count as dead"
    )


@dataclass(frozen=True, slots=True)
class UsageSettings:
    """`[usage]`"""

    budget_webhook: str | None = setting(
        None, "URL that gets a POST when a soft budget is exceeded or a hard one is nearly used up"
    )
    keep_calls_days: Count | None = setting(
        None, "days until rows of the usage ledger are deleted; their sums stay; unset: never"
    )
    keep_events_days: Count | None = setting(
        None, "days until the events of ended runs are deleted; unset: never"
    )


@dataclass(frozen=True, slots=True)
class DeploySettings:
    """`[deploy]`: the check of new code before it serves."""

    judge: Judging = setting(
        "off",
        "check new code against stored runs at start; refuse: a replica with "
        "differences does not become ready; warn: it only reports them; off: no "
        "check",
    )
    left_s: Seconds = setting(
        60.0, "seconds that a run started by other code waits for a replica with that code"
    )
    broken: BrokenRuns = setting(
        "go_on",
        "what to do after deploy.left_s with a run that this code would continue "
        "differently: go_on continues the run, end ends it with the reason",
    )
    nice: Nice = setting(10, "nice value during start and check; 0: none (Linux)")

    @property
    def start_nice(self) -> int:
        """Return the nice value during start and deploy check; 0 without a check."""
        return 0 if self.judge == "off" else self.nice


@dataclass(frozen=True, slots=True)
class KeyLimits:
    """`[limits]` of API keys."""

    api_keys_per_user: Count = setting(20, "max. valid API keys of one user")
    api_key_days: Count = setting(365, "max. days that an API key is valid, and its default")


TABLES: Mapping[str, type] = {
    "database": DatabaseSettings,
    "usage": UsageSettings,
    "deploy": DeploySettings,
    "limits": KeyLimits,
}
