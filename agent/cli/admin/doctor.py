"""`plainloop doctor`: checks the installation and says how to fix problems."""

from __future__ import annotations

from typing import Final

from ...config.settings import Settings, load_settings
from ...core.models import connect_models
from ...doctor.examining import Access, examine, examine_machine, run_check
from ...doctor.findings import Finding, from_error
from ...doctor.providers import probe_providers
from ...mcp.servers import ServerState
from ...packs.loading import load_served_packs
from ..mcp.servers import load_states
from ..terminal import output
from ..terminal.failures import to_line
from ..terminal.opening import open_store

_MARKS: Final = {"ok": "ok  ", "note": "    ", "warn": "WARN", "fail": "FAIL"}


async def doctor(*, live: bool) -> int:
    """Check the installation and print the findings; return 1 if something does not work.

    live: also ask each configured provider what it can do.
    """
    findings = examine_machine()
    try:
        settings = load_settings()
    except Exception as error:  # noqa: BLE001 - the edge: a finding like any other
        print_findings([*findings, from_error("settings", error)])
        return 1
    access = Access(
        # A check changes nothing: missing migrations are one of its findings.
        lambda: open_store(settings, migrate=False),
        lambda: connect_models(settings),
        lambda: load_tool_servers(settings),
    )
    findings += await examine(settings, access)
    if live:
        findings += await run_check("live", lambda: probe_providers(settings))
    print_findings(findings)
    return 1 if any(finding.level == "fail" for finding in findings) else 0


async def load_tool_servers(settings: Settings) -> list[ServerState]:
    """Connect to each configured tool server; return the servers' tools and problems."""
    if not settings.mcp and not any(pack.mcp_servers for pack in load_served_packs(settings)):
        return []
    # A check migrates nothing (test_doctor_migrates_nothing_with_tool_servers_either).
    async with open_store(settings, migrate=False) as store:
        return await load_states(settings, store)


def print_findings(findings: list[Finding]) -> None:
    for finding in findings:
        output.write_line(f"{_MARKS[finding.level]}  {finding.what:<9} {to_line(finding.text)}")
        if finding.todo:
            output.write_line(f"      {'':<9} → {to_line(finding.todo)}")
    failed = sum(finding.level == "fail" for finding in findings)
    output.write_line()
    output.write_line(f"problems to fix: {failed}" if failed else "everything required is in place")
