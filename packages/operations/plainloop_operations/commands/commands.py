"""The commands that come with this package. COMMANDS has all."""

from __future__ import annotations

from typing import Any, Final

from .tenant_commands import tenants
from .usage_commands import usages

COMMANDS: Final[dict[str, Any]] = {"tenant": tenants, "usage": usages}
