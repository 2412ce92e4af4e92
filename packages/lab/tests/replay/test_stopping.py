"""A replay that was stopped: what it has compared, what did not run, and how it continues."""

from __future__ import annotations

from typing import Any

from plainloop.agent.errors import ModelNotFoundError
from plainloop_lab.store.replays import claim_item
from tests.machine.scripted import Hang, text
from tests.server.conftest import Serve, until
from tests.server.conftest import serve as serve
from tests.server.replays import TALK, finish, post

GONE = ModelNotFoundError("the provider does not know the model scripted-1")
TALKS = [{**TALK, "conversation_id": f"rooms {n}"} for n in range(3)]


async def test_a_failed_replay_continues_over_http_and_pays_nothing_twice(serve: Serve) -> None:
    served = await serve(text("A"), text("B"), GONE, text("C"), text("D"))
    ann, bob = await served.client("ann"), await served.client("bob")
    body: dict[str, Any] = {"baseline": False, "concurrency": 1, "conversations": TALKS[:2]}
    path = f"/api/replays/{(await post(ann, **body, name='Rooms'))['id']}"
    failed = (await finish(ann, path.rpartition("/")[2]))["replay"]
    assert (failed["status"], failed["conversations"], failed["compared"]) == ("failed", 2, 1)
    assert (await bob.post(f"{path}/resume", json={})).status_code == 404

    begun = await ann.post(f"{path}/resume", json={})
    assert (begun.status_code, begun.json()["name"]) == (200, failed["name"]), begun.text
    done = (await finish(ann, failed["id"]))["replay"]
    assert (done["status"], done["compared"]) == ("succeeded", 2)
    async with served.service.store.database.connection() as connection:
        count = "select count(*) from llm_calls where status = 'succeeded'"
        assert await connection.fetchval(count) == 4, "the first conversation is not bought again"
    again = await ann.post(f"{path}/resume", json={})
    assert (again.status_code, "can be continued" in again.text) == (409, True)


async def test_a_cancelled_replay_begins_no_further_conversation(serve: Serve) -> None:
    served = await serve(Hang())
    ann = await served.client("ann")
    body: dict[str, Any] = {"baseline": False, "concurrency": 1, "conversations": TALKS}
    path = f"/api/replays/{(await post(ann, **body))['id']}"

    async def is_begun() -> bool:
        return (await ann.get(f"{path}?report=false")).json()["replay"]["items"].get("running") == 1

    await until(is_begun)
    stopped = (await ann.post(f"{path}/cancel")).json()
    assert stopped["items"] == {"running": 1, "queued": 2}
    assert (stopped["conversations"], stopped["compared"]) == (3, 0)
    async with served.service.store.transaction("acme") as tx:
        assert await claim_item(tx, stopped["id"], "other", 30.0) is None
    shown = (await ann.get(f"{path}/conversations/2")).json()["conversation"]
    assert shown["unfinished"]["candidate"]["status"] == "not run"
    assert (await ann.get("/api/replays")).json()["replays"][0]["compared"] is None


IDLE = """
update replay_items set started_at = now() - interval '2 days' + n * interval '1 minute',
    ended_at = now() - interval '2 days' + (n + 1) * interval '1 minute'
where tenant_id = 'acme' and status = 'succeeded'
"""


async def test_the_time_left_does_not_count_hours_in_which_nothing_ran(serve: Serve) -> None:
    served = await serve(text("A"), text("B"), text("C"), text("D"), Hang())
    ann = await served.client("ann")
    body: dict[str, Any] = {"baseline": False, "concurrency": 1, "conversations": TALKS}
    path = f"/api/replays/{(await post(ann, **body))['id']}?report=false"

    async def load() -> dict[str, Any]:
        return (await ann.get(path)).json()["replay"]

    async def are_two_done() -> bool:
        return (await load())["done"] == 2

    await until(are_two_done)
    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update replays set started_at = now() - interval '2 days'")
        await tx.execute(IDLE)
    assert (await load())["left_s"] == 60
    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update replay_items set status = 'failed' where n = 1")
    assert (await load())["left_s"] is None, "from one conversation no pace is known"
