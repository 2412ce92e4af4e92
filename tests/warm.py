"""What a process that is forked for tests has loaded: its forks find it there."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
from typing import Final

from plainloop.agent.intents.rules import load_rules
from plainloop.agent.providers.http.clients import preload

# Forks functions from a process that has imported everything already.
FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.preloaded"])


def warm_up(*providers: str) -> None:
    """Load what a first answer of each provider needs, and freeze all that there is."""
    for name in providers:
        asyncio.run(preload(name))
    load_rules().guess_language("a")  # half of what most commands would do
    gc.collect()
    gc.freeze()  # or each fork copies what its collector looks at
