"""What cannot be replayed is counted and named by every command; what can be, is."""

from __future__ import annotations

from pathlib import Path

import httpx2
import orjson
import pytest

from plainloop.agent.store.store import Store
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.server.conftest import ann as ann
from tests.server.conftest import ask, begin
from tests.server.conftest import serve as serve
from tests.server.conftest import served as served
from tests.server.replays import finish, post

GONE = """
update runs set pack = 'gone'
where thread_id = (select thread_id from threads order by created_at limit 1)
"""
REASON = "1 left out: the pack 'gone' is not served"


@pytest.fixture
async def two_threads(plainloop: Command, store: Store) -> Command:
    """The pack of the first is not served any more."""
    await plainloop("ask", "add a job: Cook at Cafe Uno")
    await plainloop("ask", "how many jobs do I have?")
    async with store.transaction("local") as tx:
        await tx.execute(GONE)
    return plainloop


async def test_a_recorded_replay_reports_the_conversations_it_skips(
    two_threads: Command, tmp_path: Path
) -> None:
    for folder in ("before", "after"):
        done = await two_threads("replay", "recorded", "--report", folder)
    assert done.code == 0, done
    assert done.out.startswith(f"1 conversation, 0 diverged · turns: 1 same\n{REASON} (")
    totals = orjson.loads((tmp_path / "after" / "report.json").read_bytes())["totals"]
    assert totals["left_out"][0].startswith(REASON)
    assert REASON.replace("'", "&#39;") in (tmp_path / "after" / "report.html").read_text()
    compared = await two_threads("replay", "compare", "before", "after")
    assert "left out of both: 1 conversation" in compared.out
    assert "1 conversation compared, 0 differ" in compared.out


async def test_a_live_replay_reports_the_conversations_it_skips(two_threads: Command) -> None:
    done = await two_threads("replay", "live", "--no-baseline")
    assert done.code == 0, done
    assert f"source: stored threads, {REASON}" in done.out


async def test_a_replay_of_an_exported_file_reports_skipped_conversations(
    two_threads: Command,
) -> None:
    done = await two_threads("export", "--recording", "-o", "all.jsonl")
    assert done.out == "2 conversations: all.jsonl\n"
    replayed = await two_threads("replay", "recorded", "--from", "all.jsonl")
    assert replayed.out.startswith(f"1 conversation, 0 diverged · turns: 1 same\n{REASON} (")


async def test_an_interview_is_replayed_beside_the_chats(ann: httpx2.AsyncClient) -> None:
    await ask(ann, await begin(ann), "how many jobs do I have?")
    kicked = await ann.post("/api/chat/onboarding/kick", headers={"Accept": "application/json"})
    assert kicked.status_code == 200, kicked.text
    found = await finish(ann, (await post(ann))["id"])
    assert found["replay"]["items"] == {"succeeded": 4}, found["report"]["summary"]["failures"]
    assert found["report"]["summary"]["worse"] == {"conversations": 0, "turns": 0}
    report = await ann.get(f"/api/replays/{found['replay']['id']}", params={"format": "json"})
    assert report.text.count('"path":["newcomer_interview"]') == 3  # the recording, both lanes
