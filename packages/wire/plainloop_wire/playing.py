"""A project's messages played to its packs, for tests: a scripted model, all else as in service."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.config.sources import DEFAULT_FILE
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import LOCAL_TENANT, LOCAL_USER, RunOutcome
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.embedded.server import stop_embedded
from plainloop_rules.offline.brain import brain

from .app import make_app
from .script import load_script
from .serving import serve_wire

PROVIDER: Final = "ollama"  # the wire that needs neither a key nor an SDK


def play_messages(messages: Sequence[str], *, project: Path, script: Path) -> list[RunOutcome]:
    """Send messages one by one in one conversation, with a scripted model.

    Returns the outcome of each message's run.

    project: the folder of `plainloop.toml`. script: what the model says, as `plainloop wire-server
    --script` takes it. The database is new and goes at the end; no provider is asked, whatever the
    settings say. Raises: AgentError, as the run does that a user would see fail.
    """
    if str(project) not in sys.path:
        sys.path.append(str(project))
    with tempfile.TemporaryDirectory(prefix="plainloop-", ignore_cleanup_errors=True) as folder:
        try:
            return asyncio.run(_play(messages, project, script, Path(folder)))
        finally:
            stop_embedded(Path(folder))


async def _play(
    messages: Sequence[str], project: Path, script: Path, folder: Path
) -> list[RunOutcome]:
    model = make_app(brain, script=load_script(script))
    async with serve_wire(model) as url, open_service(build_settings(project, url, folder)) as on:
        thread = await on.ensure_thread(LOCAL_TENANT, LOCAL_USER, None, messages[0])
        return [
            await on.answer(LOCAL_TENANT, LOCAL_USER, thread.thread_id, message)
            for message in messages
        ]


def build_settings(project: Path, model_url: str, folder: Path) -> Settings:
    """Build the project's settings with the model at `model_url` and a database in `folder`."""
    settings = load_settings(config_path=project / DEFAULT_FILE)
    return replace(
        settings.change(DatabaseSettings, url=None),
        provider=PROVIDER,
        model=None,
        api_key=None,
        api_base=model_url,
        protocol=None,
        agents={},
        data_dir=folder,
    )
