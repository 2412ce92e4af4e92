"""What decides how a run goes, as one digest: two replicas with the same one need no judgement."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from plainloop.agent.config.pack_parts import find_code, list_extensions
from plainloop.agent.config.settings import Settings
from plainloop.agent.store.connecting.settings import (
    DatabaseSettings,
    DeploySettings,
    UsageSettings,
)
from plainloop.agent.store.migrations import CORE_MIGRATIONS
from plainloop.server.settings import AuthSettings, ServerSettings
from plainloop_lab.replay.report.digests import digest_code, digest_files
from plainloop_lab.settings import CheckSettings

# Tables that say where a process listens and stores, not how a run goes.
_APART = (
    *(ServerSettings, DatabaseSettings, AuthSettings, UsageSettings),
    *(DeploySettings, CheckSettings),
)


def make_fingerprint(settings: Settings) -> str:
    """Hash all that decides how runs behave, to compare the code of replicas.

    That is code, prompts, rules, packs and what extends them, migrations, settings, versions of
    libraries; not where this process listens and stores.

    What is in it for nothing costs a judgement; what is missing is never judged.
    """
    alike = settings.with_tables(*(owner() for owner in _APART))
    brought = {module.partition(".")[0] for module in list_extensions()}
    places = (CORE_MIGRATIONS, *filter(None, map(find_code, sorted(brought))))
    sys_path = dict.fromkeys(sys.path)
    tables = (one.route_table for one in (settings, *settings.agents.values()))
    parts = (
        digest_code(alike),
        digest_files(places),
        # The tables of routes, which settings only name.
        [path.read_bytes() for path in tables if path is not None and path.is_file()],
        # What is installed, by name and version, without reading what each says of itself.
        sorted({found.name for place in sys_path for found in Path(place).glob("*.dist-info")}),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
