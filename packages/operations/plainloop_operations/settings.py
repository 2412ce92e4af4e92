"""Settings of schedules and webhooks."""

from __future__ import annotations

from collections.abc import Mapping

from plainloop.agent.config.values import Count, Seconds, setting
from plainloop.agent.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OperationsLimits:
    """`[limits]` of schedules and webhooks."""

    schedules_per_user: Count = setting(20, "max. schedules of one user")
    schedule_late_s: Seconds = setting(300.0, "seconds after which a due time counts as missed")
    webhooks_per_user: Count = setting(10, "max. webhooks of one user, and of the tenant itself")
    webhook_timeout_s: Seconds = setting(
        10.0, "max. seconds for one attempt to deliver to a webhook"
    )
    webhook_retry_s: Seconds = setting(
        5.0, "seconds until the second attempt to deliver; later pauses are longer"
    )
    webhook_attempts: Count = setting(
        9, "max. attempts to deliver one message; then its webhook is disabled"
    )


TABLES: Mapping[str, type] = {"limits": OperationsLimits}
