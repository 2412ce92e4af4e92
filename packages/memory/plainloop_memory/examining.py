"""What `plainloop doctor` says of the memories."""

from __future__ import annotations

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.config.settings import Settings
from plainloop.agent.doctor.findings import Finding
from plainloop.agent.store.store import Store

from .settings import MemorySettings
from .store import count_all


async def examine(settings: Settings, store: Store) -> list[Finding]:
    """Report for `plainloop doctor` the numbers of memories and of users at the maximum."""
    most = settings.get_table(MemorySettings).most
    counts = await count_all(store, most)
    memories = f"{counts['memories']:,} memories"
    text = f"{memories}, of {format_count(counts['users'], 'user')}"
    found = [Finding("ok", "memory", text)]
    if counts["full"]:
        text = f"{format_count(counts['full'], 'user')} with the maximum of {most} memories"
        todo = (
            "For these users, each new memory must replace an old one. "
            "AGENT_MEMORY_MOST raises the maximum."
        )
        found.append(Finding("note", "memory", text, todo))
    return found
