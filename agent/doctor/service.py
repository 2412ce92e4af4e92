"""Checks the service: settings, design and packs, and the tools of tool servers."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.text.cleaning import format_count
from ..config.describing import describe_settings
from ..config.settings import Settings
from ..designs.base import load_design
from ..mcp.servers import ServerState
from ..packs.loading import load_served_packs
from .findings import Finding


async def check_settings(settings: Settings) -> list[Finding]:
    """Report each setting that is not at its default, with its source."""
    places = {"environment": "from {}", "file": "from the file"}
    file = f"file {settings.config_path}" if settings.config_path else "no plainloop.toml"
    # Secrets are masked there (test_doctor_reports_each_settings_source_without_secrets).
    made = [row for row in describe_settings(settings) if row[3] != "default"]
    return [
        Finding("ok", "settings", f"{file} · {len(made)} set, all others have their defaults"),
        *(
            Finding("note", "", f"{key} = {value} ({places[source].format(env)})")
            for key, env, value, source in made
        ),
    ]


async def check_design(settings: Settings) -> list[Finding]:
    """Report the design and packs that would be served. Raises: ConfigError."""
    design = load_design(settings.agent.design)
    packs = load_served_packs(settings)
    workers = [worker.name for worker in packs[0].workers]
    text = f"{design.name} · packs {', '.join(pack.name for pack in packs)}"
    return [Finding("ok", "design", f"{text} · workers {', '.join(workers)}")]


def check_tool_servers(states: Sequence[ServerState]) -> list[Finding]:
    """Report how many tools each tool server adds, and why others are left out."""
    findings: list[Finding] = []
    for state in states:
        name = state.server.name
        text = f"{name}: {format_count(len(state.tools), 'tool')} from {state.server.where}"
        findings.append(Finding("ok" if state.tools else "warn", "tools", text))
        findings += [Finding("warn", "tools", f"{name}: {problem}") for problem in state.problems]
    return findings
