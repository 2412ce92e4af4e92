"""A conversation of a replay side by side, and what people say of it."""

from __future__ import annotations

import csv
import io
from typing import Any

import httpx2

from tests.server.conftest import Served, ask, begin
from tests.server.conftest import ann as ann
from tests.server.conftest import serve as serve
from tests.server.conftest import served as served
from tests.server.replays import TALK, finish, post


def summarize(found: dict[str, Any]) -> dict[str, Any]:
    return found["report"]["people"]


async def test_a_users_repeated_verdict_counts_once_and_can_be_removed(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    made = await post(ann, conversations=[TALK], baseline=False)
    found = await finish(ann, made["id"])
    assert summarize(found) == {"better": 0, "worse": 0, "same": 0, "named": 0, "p": 1.0}
    (worst,) = found["report"]["worst"]
    path = f"/api/replays/{made['id']}/conversations/{worst['n']}"

    shown = (await ann.get(path)).json()
    assert (shown["reference"], shown["verdicts"]) == ("recording", [])
    assert shown["conversation"]["conversation_id"] == "rooms"
    assert {*shown["conversation"]["turns"][0]["lanes"]} == {"recording", "candidate"}

    for verdict in ("better", "worse"):  # a second thought replaces the first
        said = await ann.put(f"{path}/verdict", json={"verdict": verdict, "note": "no room 7"})
        assert said.status_code == 200, said.text
    boss = await served.client("boss", is_admin=True)
    await boss.put(f"{path}/verdict", json={"verdict": "worse"})
    listed = (await ann.get(path)).json()["verdicts"]
    assert [(item["user_id"], item["verdict"], item["note"]) for item in listed] == [
        ("ann", "worse", "no room 7"),
        ("boss", "worse", ""),
    ]
    assert summarize((await ann.get(f"/api/replays/{made['id']}")).json())["worse"] == 1
    page = await ann.get(f"/api/replays/{made['id']}", params={"format": "html"})
    assert "1 conversation judged: 0 better, 1 worse, 0 the same" in page.text
    assert "no room 7" in page.text
    whole = (await ann.get(f"/api/replays/{made['id']}", params={"format": "json"})).json()
    assert [item["note"] for item in whole["conversations"][0]["verdicts"]] == ["no room 7", ""]
    table = await ann.get(f"/api/replays/{made['id']}", params={"format": "csv"})
    rows = [row for row in csv.DictReader(io.StringIO(table.text)) if row["lane"] == "candidate"]
    assert {(row["judged_by_people"], row["reasons"]) for row in rows} == {
        ("worse", "ann: no room 7")
    }

    for client in (ann, boss):
        await client.put(f"{path}/verdict", json={"verdict": None})
    assert (await ann.get(path)).json()["verdicts"] == []


async def test_a_verdict_states_whether_the_names_of_the_sides_were_seen(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    """Who has seen the names cannot judge without them any more."""
    other = {**TALK, "conversation_id": "other"}
    made = await post(ann, conversations=[TALK, other], baseline=False)
    await finish(ann, made["id"])
    url = f"/api/replays/{made['id']}"

    async def judge(n: int, verdict: str, seen: str | None, turn: str = "") -> str:
        path = f"{url}/conversations/{n}{turn}/verdict"
        answer = await ann.put(path, json={"verdict": verdict, "seen": seen})
        assert answer.status_code == 200, answer.text
        return answer.json()["verdicts"][0]["seen"]

    assert [
        await judge(0, "better", "hidden"),
        await judge(0, "worse", "hidden"),
        await judge(0, "worse", "names"),
        await judge(0, "worse", "hidden"),
        await judge(0, "better", "hidden"),
        await judge(0, "better", None),
    ] == ["hidden", "hidden", "revealed", "revealed", "changed", "changed"]
    assert [await judge(1, "same", "names"), await judge(1, "worse", "hidden")] == ["names"] * 2
    one, two = "/turns/0", "/turns/1"
    await ann.put(f"{url}/conversations/1/verdict", json={"verdict": None})
    assert [
        await judge(1, "better", "hidden", one),
        await judge(1, "better", "names", one),
        await judge(1, "worse", "names", one),
    ] == ["hidden", "revealed", "changed"]
    await ann.put(f"{url}/conversations/1{one}/verdict", json={"verdict": None})
    assert await judge(1, "better", "hidden", one) == "hidden"
    assert await judge(1, "better", "names", two) == "names"

    assert summarize((await ann.get(url)).json())["named"] == 2
    page = (await ann.get(url, params={"format": "html"})).text
    assert "2 conversations judged: 2 better, 0 worse, 0 the same" in page
    assert ", 2 seen with names" in page
    assert "(changed after the names were shown)" in page
    table = csv.DictReader(io.StringIO((await ann.get(url, params={"format": "csv"})).text))
    seen = {row["n"]: row["seen"] for row in table if row["lane"] == "candidate"}
    assert seen == {"0": "ann: changed", "1": "ann: names"}


async def test_sides_that_are_the_same_cannot_be_judged(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    made = await post(ann)
    found = await finish(ann, made["id"])
    assert found["report"]["summary"]["differing"] == {"conversations": 0}
    url = f"/api/replays/{made['id']}/conversations"
    assert (await ann.get(url, params={"only": "differing"})).json()["conversations"] == []
    assert (await ann.get(f"{url}/0")).json()["differs"] is False

    for path in (f"{url}/0", f"{url}/0/turns/0"):
        said = await ann.put(f"{path}/verdict", json={"verdict": "better"})
        assert said.status_code == 400
        assert "nothing to judge" in said.json()["error"]["message"]
    assert (await ann.put(f"{url}/0/verdict", json={"verdict": None})).status_code == 200

    other = await post(ann, conversations=[TALK], baseline=False)
    found = await finish(ann, other["id"])
    assert found["report"]["summary"]["differing"] == {"conversations": 1}
    assert found["report"]["worst"][0]["differs"] is True
    listed = await ann.get(
        f"/api/replays/{other['id']}/conversations", params={"only": "differing"}
    )
    assert [item["differs"] for item in listed.json()["conversations"]] == [True]


async def test_only_the_owner_reads_and_judges_a_replay(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    made = await post(ann, conversations=[TALK], baseline=False)
    await finish(ann, made["id"])
    one = f"/api/replays/{made['id']}/conversations"
    for other in (await served.client("bob"), await served.client("ann", "other")):
        assert (await other.get(f"{one}/0")).status_code == 404
        said = await other.put(f"{one}/0/verdict", json={"verdict": "better"})
        assert said.status_code == 404
    for place in ("7", "x", "-1", "99999999999999"):
        assert (await ann.get(f"{one}/{place}")).status_code == 404
        said = await ann.put(f"{one}/{place}/verdict", json={"verdict": "better"})
        assert said.status_code == 404
    assert (await ann.put(f"{one}/0/verdict", json={"verdict": "good"})).status_code == 422


async def test_verdicts_are_erased_with_their_thread_or_replay(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    boss = await served.client("boss", is_admin=True)
    conversation = await begin(ann)
    await ask(ann, conversation, "how many jobs do I have?")
    async with served.service.store.transaction("acme") as tx:
        changed = "update messages set parts = replace(parts::text, 'jobs', 'tasks')::json"
        await tx.execute(f"{changed} where role = 'assistant'")
    threads = await post(boss, threads={"user_id": "*"}, baseline=False)
    own = await post(ann, conversations=[TALK], baseline=False)
    for replay_id in (threads["id"], own["id"]):
        await finish(boss, replay_id)
        said = await boss.put(
            f"/api/replays/{replay_id}/conversations/0/verdict", json={"verdict": "better"}
        )
        assert said.status_code == 200, said.text

    assert (await ann.delete("/api/users/ann")).status_code == 204

    async with served.service.store.transaction("acme") as tx:
        assert await tx.fetchval("select count(*) from replay_verdicts") == 0


async def test_a_verdict_on_one_answer_is_in_that_answers_row_with_its_reason(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    made = await post(ann, conversations=[TALK], baseline=False)
    await finish(ann, made["id"])
    path = f"/api/replays/{made['id']}"
    said = {"verdict": "better", "note": "the right room"}
    await ann.put(f"{path}/conversations/0/turns/1/verdict", json=said)

    table = await ann.get(path, params={"format": "csv"})
    page = (await ann.get(path, params={"format": "html"})).text

    rows = [row for row in csv.DictReader(io.StringIO(table.text)) if row["lane"] == "candidate"]
    assert rows[1]["reasons"] == "ann: the right room"
    assert "answer 2: the candidate is better – the right room" in " ".join(page.split())


async def test_a_replayed_thread_is_called_by_its_first_question_not_its_id(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    conversation = await begin(ann)
    await ask(ann, conversation, "how many jobs do I have?")
    made = await post(ann, baseline=False)
    await finish(ann, made["id"])

    page = (await ann.get(f"/api/replays/{made['id']}", params={"format": "html"})).text

    assert "<summary><b>how many jobs do I have?</b>" in page
    assert conversation not in page
