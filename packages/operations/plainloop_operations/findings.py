"""What `plainloop doctor` tells of webhooks and schedules."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.doctor.findings import Finding
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store
from plainloop.agent.store.transactions import operate_alone

SQL: Final = load_sql(Path(__file__).parent / "findings.sql")


async def find_stopped(store: Store) -> list[Finding]:
    """Report for `plainloop doctor` how many webhooks and schedules of all tenants have stopped."""
    row: Any = await operate_alone(store.database).fetchrow(SQL["count_noteworthy"])
    found: list[Finding] = []
    if count := row["disabled_webhooks"]:
        text = f"{format_count(count, 'webhook')} disabled, because too many deliveries failed"
        found.append(
            Finding("warn", "webhooks", text, "`/api/webhooks` shows the last error of each.")
        )
    if count := row["stopped_schedules"]:
        text = f"{format_count(count, 'schedule')} stopped, because no due time is left"
        todo = "`/api/schedules/{id}/history` shows the reason."
        found.append(Finding("note", "schedules", text, todo))
    return found
