"""Documents of an older version are found after the update, and only there."""

from __future__ import annotations

import shutil
from pathlib import Path

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.opening import connect_store
from plainloop_retrieval import MIGRATIONS as KNOWLEDGE
from plainloop_retrieval.store import list_documents, search_text
from plainloop_staff import make_pack

MIGRATIONS = make_pack().migrations
PASSAGE = """insert into staff_passages (tenant_id, name, position, heading, content)
values ($1, 'a.md', 1, 'Leave', 'Thirty days of holiday.')"""


async def test_documents_added_before_an_upgrade_are_found_after_it(
    settings: Settings, empty_database_url: str, tmp_path: Path
):
    assert MIGRATIONS is not None
    shutil.copy(MIGRATIONS / "0001_staff_knowledge.sql", tmp_path)
    own = settings.change(DatabaseSettings, url=Secret(empty_database_url))
    older = await connect_store(own, migration_folders=[tmp_path])
    async with older.transaction("t1") as tx:
        document = (
            "insert into staff_documents (tenant_id, name, size_bytes) values ($1, 'a.md', 9)"
        )
        await tx.execute(document, "t1")
        await tx.execute(PASSAGE, "t1")
    await older.close()

    store = await connect_store(own, migration_folders=[KNOWLEDGE, MIGRATIONS])
    try:
        mine, others = store.read("t1"), store.read("t2")
        (row,) = await list_documents(mine, "staff_onboarding")
        (found,) = await search_text(mine, "staff_onboarding", "holiday", 5)
        left = await mine.fetchval("select count(*) from staff_passages")
        assert (row["name"], row["passages"], found["heading"], left) == ("a.md", 1, "Leave", 0)
        assert await list_documents(others, "staff_onboarding") == []
        # Row-level security is forced as it was: the migration had to see every row.
        assert await others.fetchval("select count(*) from knowledge_documents") == 0
    finally:
        await store.close()
