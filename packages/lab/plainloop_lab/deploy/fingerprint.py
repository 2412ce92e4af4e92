"""What decides how a run goes, as one digest: two replicas with the same one need no judgement."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

from plainloop.agent.config.pack_parts import find_code, list_extensions
from plainloop.agent.config.settings import (
    AuthSettings,
    DatabaseSettings,
    DeploySettings,
    ServerSettings,
    Settings,
    UsageSettings,
)
from plainloop.agent.store.migrations import CORE_MIGRATIONS
from plainloop_lab.replay.report.recorded_part import digest_code, digest_files


def make_fingerprint(settings: Settings) -> str:
    """Make the digest of what decides how a run goes: code, prompts, rules, packs and what extends
    them, migrations, settings, versions of libraries; not where this process listens and stores.

    What is in it for nothing costs a judgement; what is missing is never judged.
    """
    own = (ServerSettings(), DatabaseSettings(), AuthSettings(), UsageSettings(), DeploySettings())
    server, database, auth, usage, deploy = own
    alike = replace(
        settings, server=server, database=database, auth=auth, usage=usage, deploy=deploy
    )
    brought = {module.partition(".")[0] for module in list_extensions()}
    places = (CORE_MIGRATIONS, *filter(None, map(find_code, sorted(brought))))
    sys_path = dict.fromkeys(sys.path)
    tables = (one.route_table for one in (settings, *settings.agents.values()))
    parts = (
        digest_code(alike),
        digest_files(places),
        sorted(map(repr, settings.tables.values())),  # a pack's own settings
        # The tables of routes, which settings only name.
        [path.read_bytes() for path in tables if path is not None and path.is_file()],
        # What is installed, by name and version, without reading what each says of itself.
        sorted({found.name for place in sys_path for found in Path(place).glob("*.dist-info")}),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
