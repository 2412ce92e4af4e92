"""`plainloop doctor`: is everything in place, and what to do where it is not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from ...config.settings import Settings, load_settings
from ..terminal import output
from ..terminal.failures import to_line
from .doctor_database import check_database
from .doctor_machine import check_data_dir, check_packages, check_python, check_tokens
from .doctor_service import (
    check_design,
    check_providers,
    check_settings,
    check_tool_servers,
    probe_providers,
)
from .findings import Finding, from_error

_MARKS: Final = {"ok": "ok  ", "note": "    ", "warn": "WARN", "fail": "FAIL"}


async def doctor(*, live: bool) -> int:
    """Print what was found; returns the exit code: 1 when something does not work.

    live: also ask each configured provider what it can do.
    """
    findings = [*check_python(), *check_packages()]
    try:
        settings = load_settings()
    except Exception as error:  # noqa: BLE001 - the edge: a finding like any other
        findings.append(from_error("settings", error))
        print_findings(findings)
        return 1
    for what, check in _CHECKS.items():
        findings += await run_check(what, check, settings)
    if live:
        findings += await run_check("live", probe_providers, settings)
    print_findings(findings)
    return 1 if any(finding.level == "fail" for finding in findings) else 0


Check = Callable[[Settings], Awaitable[list[Finding]]]
_CHECKS: Final[dict[str, Check]] = {
    "settings": check_settings,
    "data": check_data_dir,
    "database": check_database,
    "design": check_design,
    "models": check_providers,
    "tools": check_tool_servers,
    "tokens": check_tokens,
}


async def run_check(what: str, check: Check, settings: Settings) -> list[Finding]:
    """What the check found; its own failure is a finding too, so that the others still run."""
    try:
        return await check(settings)
    except Exception as error:  # noqa: BLE001 - the edge
        return [from_error(what, error)]


def print_findings(findings: list[Finding]) -> None:
    for finding in findings:
        output.write_line(f"{_MARKS[finding.level]}  {finding.what:<9} {to_line(finding.text)}")
        if finding.todo:
            output.write_line(f"      {'':<9} → {to_line(finding.todo)}")
    failed = sum(finding.level == "fail" for finding in findings)
    output.write_line()
    output.write_line(f"{failed} to repair" if failed else "everything that is needed is there")
