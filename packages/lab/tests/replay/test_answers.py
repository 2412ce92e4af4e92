"""Each answer of a replay has a page: what differs, in words, the worst first, and a verdict on it,
which `plainloop label` and the console keep in the same rows.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest

from packages.lab.tests.replay.test_measures import make_turn
from plainloop.agent.store.store import Store
from plainloop_lab.comparing import differences, measures
from plainloop_lab.comparing.differences import describe_differences
from plainloop_lab.live.words import WordMatcher
from plainloop_lab.report import live_page
from plainloop_lab.routes import replays
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.server.conftest import Served
from tests.server.conftest import ann as ann
from tests.server.conftest import serve as serve
from tests.server.conftest import served as served
from tests.server.replays import TALK, finish, post

OTHER_WORDS = (
    "update replay_items set result = replace(result::text, 'fixed rules', 'simple rules')::json"
)
NAMES = ("today", "the candidate")


def test_differences_of_two_turns_are_described_worst_first() -> None:
    """What may write stands before what reads, arguments after whole calls, words at the end."""
    read = {"name": "find", "arguments": {"status": "saved"}, "effect": "read", "served": "then"}
    other = {**read, "arguments": {"status": "applied"}}
    extra = {"name": "look", "arguments": {}, "effect": "read", "served": "then"}
    write = {"name": "delete", "arguments": {"id": 3}, "effect": "write", "served": "closed"}
    before = make_turn(text="You have 2 jobs.", tools=[read], path=["a", "b"], error=None)
    now = make_turn(
        text="You have 3 jobs.", tools=[extra, other, write], path=["a", "c"], error="LIMIT_REACHED"
    )
    assert describe_differences(before, now, NAMES) == [
        "today ended well, the candidate ended by LIMIT_REACHED",
        "today was answered by a, b, the candidate by a, c",
        "only the candidate calls delete (id: 3), which may write",
        "only the candidate calls look",
        "find: status is “saved” in today, “applied” in the candidate",
        "today says “2” where the candidate says “3”",
    ]
    assert describe_differences(before, before, NAMES) == []


async def test_answers_are_not_compared_in_the_event_loop(
    served: Served, ann: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Comparing long answers takes seconds, in which the server would serve nobody else."""
    threads: list[threading.Thread] = []
    for name in ("parse_conversation", "infer_tools", "to_openai"):
        work = getattr(replays, name)

        def note(*told: Any, work: Any = work, **more: Any) -> Any:
            threads.append(threading.current_thread())
            return work(*told, **more)

        monkeypatch.setattr(replays, name, note)
    made = await post(ann, conversations=[TALK], baseline=False)
    await finish(ann, made["id"])
    assert len(threads) == 3

    class Watched(WordMatcher):
        def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
            threads.append(threading.current_thread())
            super().__init__(before, after)

    for module in (measures, differences, live_page):
        monkeypatch.setattr(module, "WordMatcher", Watched)
    path = f"/api/replays/{made['id']}"
    first = (await ann.get(f"{path}/answers")).json()["answers"][0]
    one = f"{path}/conversations/{first['n']}"
    for url in (f"{path}?format=json", f"{one}/turns/{first['turn']}", one, f"{one}?format=html"):
        seen = len(threads)
        assert (await ann.get(url)).status_code == 200
        assert len(threads) > seen, url
    assert threading.main_thread() not in threads


async def test_a_users_verdict_is_stored_counted_and_can_be_removed(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    made = await post(ann, conversations=[TALK], baseline=False)
    await finish(ann, made["id"])
    listed = (await ann.get(f"/api/replays/{made['id']}/answers")).json()
    assert listed["differing"] == len(listed["answers"]) > 0
    severities = [item["severity"] for item in listed["answers"]]
    assert severities == sorted(severities, reverse=True)
    first = listed["answers"][0]
    conversation = f"/api/replays/{made['id']}/conversations/{first['n']}"
    one = f"{conversation}/turns/{first['turn']}"
    page = (await ann.get(one)).json()
    assert page["differences"][:3] == first["differences"]
    assert page["verdicts"] == []

    said = await ann.put(f"{one}/verdict", json={"verdict": "worse", "note": "no room"})
    assert said.status_code == 200, said.text
    (kept,) = (await ann.get(conversation)).json()["verdicts"]
    place = str(first["turn"])
    assert kept["verdict"] == "worse", "the conversation's is what its turns come to"
    assert kept["turns"] == {place: {"verdict": "worse", "note": "no room"}}
    shown = (await ann.get(f"/api/replays/{made['id']}/answers")).json()
    assert (shown["judged"], shown["answers"][0]["people"]) == (1, "worse")
    left = (await ann.get(f"/api/replays/{made['id']}/answers?unjudged=true")).json()["answers"]
    assert len(left) == len(listed["answers"]) - 1

    for other in (await served.client("bob"), await served.client("ann", "other")):
        assert (await other.get(one)).status_code == 404
        assert (await other.get(f"/api/replays/{made['id']}/answers")).status_code == 404
        assert (await other.put(f"{one}/verdict", json={"verdict": "same"})).status_code == 404
    assert (await ann.get(f"{conversation}/turns/99")).status_code == 404
    await ann.put(f"{one}/verdict", json={"verdict": None})
    assert (await ann.get(conversation)).json()["verdicts"] == []

    await ann.put(f"{conversation}/verdict", json={"verdict": "better"})
    shown = (await ann.get(f"/api/replays/{made['id']}/answers")).json()
    people = [item["people"] for item in shown["answers"]]
    assert people == ["better"] * shown["judged"] == ["better"] * len(listed["answers"])


async def test_the_label_command_stores_the_same_verdicts_as_the_console(
    plainloop: Command, store: Store, tmp_path: Path
) -> None:
    for n in range(3):
        await plainloop("ask", f"add a job: Cook {n} at Cafe Uno")
    done = await plainloop("replay", "live", "--no-baseline")
    assert done.code == 0, done
    async with store.transaction("local") as tx:
        await tx.execute(OTHER_WORDS)
        replay_id = await tx.fetchval("select replay_id::text from replays")
    asked = await plainloop("label", replay_id, stdin=b"1\n0\nq\n")
    assert asked.code == 0, asked
    assert "2 verdicts added to the replay" in asked.err
    assert "── differences" in asked.out
    assert "today" not in asked.out and "candidate" not in asked.out
    rows = await store.read("local").fetch("select user_id, verdict, turns from replay_verdicts")
    assert {row["user_id"] for row in rows} == {"local"}
    assert sorted(row["turns"]["0"]["verdict"] == "same" for row in rows) == [False, True]
    assert all(row["verdict"] == row["turns"]["0"]["verdict"] for row in rows)
    again = await plainloop("label", replay_id, stdin=b"q\n")
    assert "1 of 1" in again.out, "what was judged is not asked again"
    report = await plainloop("replay", "show", replay_id, "--report", "shown")
    assert "was not judged: 1 of 3 differ" in report.out, report
    told = (tmp_path / "shown" / "report.json").read_bytes()
    assert told.count(b'"people"') >= 4, "by conversation and by turn"
