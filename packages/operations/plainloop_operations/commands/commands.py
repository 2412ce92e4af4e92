"""The commands that come with this package. COMMANDS has all."""

from __future__ import annotations

from typing import Any, Final

from .doctor_commands import doctors
from .learned_commands import learned
from .schedule_commands import schedules
from .tenant_commands import tenants
from .usage_commands import usages
from .webhook_commands import webhooks

COMMANDS: Final[dict[str, Any]] = {
    "doctor": doctors,
    "learned": learned,
    "schedules": schedules,
    "tenant": tenants,
    "usage": usages,
    "webhooks": webhooks,
}
