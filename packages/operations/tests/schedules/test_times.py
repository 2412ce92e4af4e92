"""When a cron expression is due, in its time zone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from plainloop.agent.errors import InputError
from plainloop_operations.schedules.times import find_next


@pytest.mark.parametrize(
    ("cron", "zone", "after", "due"),
    [
        ("30 7 * * MON-FRI", "UTC", "2026-11-27T07:30", "2026-11-30T07:30"),
        ("30 7 * * *", "Europe/Berlin", "2026-11-25T00:00", "2026-11-25T06:30"),
        ("30 7 * * *", "Europe/Berlin", "2026-07-25T00:00", "2026-07-25T05:30"),
        ("0 0 29 2 *", "UTC", "2026-11-25T00:00", "2028-02-29T00:00"),
        # The hour that is left out: right after it.
        ("30 2 * * *", "Europe/Berlin", "2026-03-29T00:00", "2026-03-29T01:00"),
        # The hour that comes twice: once …
        ("30 2 * * *", "Europe/Berlin", "2026-10-25T00:00", "2026-10-25T00:30"),
        ("30 2 * * *", "Europe/Berlin", "2026-10-25T00:30", "2026-10-26T01:30"),
        # … unless it is due every hour.
        ("30 * * * *", "Europe/Berlin", "2026-10-25T00:30", "2026-10-25T01:30"),
        ("15 12 * * *", "Asia/Kolkata", "2026-11-25T00:00", "2026-11-25T06:45"),
    ],
)
def test_schedules_follow_local_wall_clock_time(cron: str, zone: str, after: str, due: str) -> None:
    found = find_next(cron, zone, datetime.fromisoformat(after).replace(tzinfo=UTC))
    assert found == datetime.fromisoformat(due).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "cron", ["", "* * * *", "* * * * * *", "60 * * * *", "0 0 31 2 *", "a b c d e", "* " * 99]
)
def test_invalid_cron_expressions_are_refused(cron: str) -> None:
    with pytest.raises(InputError):
        find_next(cron, "UTC", datetime.now(UTC))


@pytest.mark.parametrize("zone", ["", "Mars/Base", "../../etc/passwd", "/etc/passwd", "America"])
def test_unknown_time_zones_are_refused(zone: str) -> None:
    with pytest.raises(InputError, match="unknown time zone"):
        find_next("* * * * *", zone, datetime.now(UTC))
