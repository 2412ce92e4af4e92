"""Runs all checks of the installation, for the terminal and the console."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager

from ..config.settings import Settings
from ..core.models import Models
from ..dataclasses import dataclass
from ..mcp.servers import ServerState
from ..store.store import Store
from .database import check_database
from .findings import Finding, from_error
from .machine import check_data_dir, check_packages, check_python, check_tokens
from .providers import check_providers
from .service import check_design, check_settings, check_tool_servers

Check = Callable[[], Awaitable[list[Finding]]]


@dataclass(frozen=True, slots=True)
class Access:
    """Gives the doctor access to store and service, opened by a command or already running."""

    open_store: Callable[[], AbstractAsyncContextManager[Store]]  # nothing is migrated for it
    load_models: Callable[[], Awaitable[Models]]
    load_tool_servers: Callable[[], Awaitable[Sequence[ServerState]]]


def examine_machine() -> list[Finding]:
    """Check everything that needs no settings: Python and the installed packages."""
    return [*check_python(), *check_packages()]


async def examine(settings: Settings, access: Access) -> list[Finding]:
    """Run all checks and list their findings; a crashed check becomes a finding too."""

    async def look_at_database() -> list[Finding]:
        async with access.open_store() as store:
            return await check_database(settings, store)

    async def look_at_providers() -> list[Finding]:
        return await check_providers(settings, await access.load_models())

    async def look_at_tools() -> list[Finding]:
        return check_tool_servers(await access.load_tool_servers())

    checks: dict[str, Check] = {
        "settings": lambda: check_settings(settings),
        "data": lambda: check_data_dir(settings),
        "database": look_at_database,
        "design": lambda: check_design(settings),
        "models": look_at_providers,
        "tools": look_at_tools,
        "tokens": lambda: check_tokens(settings),
    }
    # Run each check by itself: an unreachable database must not hide a fault of a key
    # (test_doctor_continues_after_a_failure_with_a_remedy).
    return [finding for what, check in checks.items() for finding in await run_check(what, check)]


async def run_check(what: str, check: Check) -> list[Finding]:
    """Return a check's findings, or its failure as a finding."""
    try:
        return await check()
    except Exception as error:  # noqa: BLE001 - the edge: a finding like any other
        return [from_error(what, error)]
