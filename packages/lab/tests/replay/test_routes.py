"""Live replays over HTTP: begun, worked on by the service, read as JSON, CSV and page."""

from __future__ import annotations

import asyncio
import csv
import re
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import httpx2
import pytest

from plainloop.agent.config.settings import RoleSettings, Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.errors import ConfigError, ModelNotFoundError
from plainloop.agent.packs.prompts import change_prompts, list_workers
from plainloop.agent.service.service import Service
from plainloop.agent.service.variants import change_settings
from plainloop.agent.store.database import Queryable
from plainloop_lab.live.plan import CANDIDATE, LanePlan, LivePlan
from plainloop_lab.routes import host
from plainloop_lab.routes.host import ReplayHost
from plainloop_lab.routes.running_parts import version_prompt
from plainloop_lab.service.hosting import make_hosting
from plainloop_lab.service.prompts import find_prompt_problem
from plainloop_lab.service.worker import NewItem, create_replay
from plainloop_lab.store.replays import (
    DueVerdict,
    HostedReplay,
    Outcome,
    claim_verdict,
    find_due_verdict,
    record_verdict,
    save_verdict,
)
from plainloop_operations.moving.holding import hold_tenant
from tests.machine.scripted import Hang, text
from tests.server.conftest import Serve, Served, ask, begin, until
from tests.server.conftest import ann as ann
from tests.server.conftest import serve as serve
from tests.server.conftest import served as served
from tests.server.replays import TALK, finish, post


def find_host(served: Served) -> ReplayHost:
    return next(one for one in served.replica.hosts if isinstance(one, ReplayHost))


async def wait_for_verdict(client: httpx2.AsyncClient, replay_id: str, verdict: str) -> None:
    """Until the list, which reads no report, shows this verdict."""

    async def is_listed() -> bool:
        listed = (await client.get("/api/replays")).json()["replays"]
        return (replay_id, verdict) in {(item["id"], item["verdict"]) for item in listed}

    await until(is_listed)


async def test_users_can_replay_their_own_conversations_over_http(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    conversation = await begin(ann)
    await ask(ann, conversation, "add a job: Cook at Cafe Uno")
    await ask(await served.client("bob"), await begin(await served.client("bob")), "hello")
    made = await post(ann)
    assert (made["status"], made["verdict"]) == ("running", None)
    assert made["lanes"] == ["baseline", "candidate"]
    assert sum(made["items"].values()) == 2, "another user's conversation is not in it"
    found = await finish(ann, made["id"])
    assert found["replay"]["status"] == "succeeded"
    assert found["report"]["summary"]["worse"] == {"conversations": 0, "turns": 0}
    measures = {item["name"]: item for item in found["report"]["summary"]["measures"]}
    assert set(measures["uncached_usd"]["lanes"]) == {"baseline", "candidate"}
    jobs = (await ann.get("/api/jobs")).json()
    assert str(jobs).count("Cafe Uno") == 1, "no write tool ran again"


async def test_a_replays_conversations_are_filtered_by_use_and_judgement(served: Served) -> None:
    boss = await served.client("boss", is_admin=True)
    job, greeting = "add a job: Cook at Cafe Uno", "hello"
    for said in (greeting, job):
        await ask(boss, await begin(boss), said)
    made = await post(boss, prompts={"crm_worker": "Be brief."})
    await finish(boss, made["id"])
    path = f"/api/replays/{made['id']}/conversations"

    async def list_said(only: str) -> list[str]:
        found = (await boss.get(path, params={"only": only})).json()
        return [item["said"] for item in found["conversations"]]

    assert await list_said("used") == [job]
    assert await list_said("judged") == []
    async with served.service.store.transaction("acme") as tx:
        await save_verdict(tx, "boss", made["id"], 0, "same", "")
    assert await list_said("judged") == [greeting]
    assert (await boss.get(path, params={"only": "other"})).status_code == 422


async def test_the_list_shows_the_verdict_of_a_report_that_nobody_read(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    made = await post(ann)
    await wait_for_verdict(ann, made["id"], "passed")
    other = await served.client("ann", "other")
    assert (await other.get("/api/replays")).json() == {"replays": []}


async def test_a_saved_judgement_changes_the_verdict_in_the_list(serve: Serve) -> None:
    """Its answer in other words is unread until somebody judges it."""
    served = await serve(replay_worse=1.0)
    ann = await served.client("ann")
    made = await post(ann, conversations=[TALK], baseline=False)
    await wait_for_verdict(ann, made["id"], "undecided")
    path = f"/api/replays/{made['id']}"
    assert "<b>Not proven yet.</b>" in (await ann.get(path, params={"format": "html"})).text

    await ann.put(f"{path}/conversations/0/verdict", json={"verdict": "better"})
    await make_due(served)
    await wait_for_verdict(ann, made["id"], "passed")
    assert (await ann.get(path)).json()["decision"]["status"] == "passed"
    page = (await ann.get(path, params={"format": "html"})).text
    assert "<b>The candidate can replace what answers today.</b>" in page

    await ann.put(f"{path}/conversations/0/verdict", json={"verdict": None})
    await make_due(served)
    await wait_for_verdict(ann, made["id"], "undecided")
    assert (await ann.get(path)).json()["decision"]["status"] == "undecided"


async def test_an_undecided_report_counts_the_users_stored_conversations(serve: Serve) -> None:
    served = await serve(replay_worse=1.0)
    ann, bob = await served.client("ann"), await served.client("bob")
    for client, said in ((ann, "hello"), (ann, "add a job: Cook at Cafe Uno"), (bob, "hello")):
        await ask(client, await begin(client), said)
    await begin(ann)  # an empty one cannot be replayed

    async def read_stored(**changes: Any) -> tuple[str, int | None]:
        found = await finish(ann, (await post(ann, **changes))["id"])
        return found["decision"]["status"], found["stored"]

    assert await read_stored(conversations=[TALK], baseline=False) == ("undecided", 2)
    assert await read_stored() == ("passed", None)


async def make_due(served: Served) -> None:
    """Let the verdicts be due now that would be due some seconds after the last judgement."""
    async with served.service.store.database.connection() as connection:
        await connection.execute(
            "update replays set verdict_due = now() where verdict_due is not null"
        )


async def test_judgements_in_quick_succession_cause_one_new_verdict(serve: Serve) -> None:
    """It is computed some seconds after the last one: each needs the whole report."""
    served = await serve(replay_worse=1.0)
    ann = await served.client("ann")
    made = await post(ann, conversations=[TALK], baseline=False)
    await wait_for_verdict(ann, made["id"], "undecided")
    store, due = served.service.store, list[datetime]()
    for verdict in ("worse", "better"):
        async with store.transaction("acme") as tx:
            await save_verdict(tx, "ann", made["id"], 0, verdict, "")
            due.append(await tx.fetchval("select verdict_due from replays"))
            assert await tx.fetchval("select verdict_due > clock_timestamp() from replays")
        assert await find_due_verdict(store) is None

    assert due[1] > due[0]
    await make_due(served)
    await wait_for_verdict(ann, made["id"], "passed")


async def test_a_verdict_computed_before_a_judgement_is_not_stored(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    made = await post(ann, conversations=[TALK], baseline=False)
    await wait_for_verdict(ann, made["id"], "undecided")
    older = DueVerdict("acme", made["id"], datetime.now(UTC))
    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update replays set verdict_due = $1", older.verdict_due)
        await save_verdict(tx, "ann", made["id"], 0, "better", "")
        await record_verdict(tx, older, "passed")
        assert await tx.fetchval("select verdict from replays") == "undecided"
        assert await tx.fetchval("select verdict_due > $1 from replays", older.verdict_due)


async def test_a_report_that_cannot_be_made_is_tried_once(
    served: Served, ann: httpx2.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    made = await post(ann, conversations=[TALK], baseline=False)
    await wait_for_verdict(ann, made["id"], "undecided")
    database = served.service.store.database
    async with database.connection() as connection:
        await connection.execute("""update replay_items set result = '{"turns": 5}'""")
        await connection.execute("update replays set verdict_due = now()")

    async def is_given_up() -> bool:
        async with database.connection() as connection:
            return await connection.fetchval("select verdict_due is null from replays")

    await until(is_given_up)
    assert [item.message for item in caplog.records].count("verdict_failed") == 1


async def test_a_verdicts_claim_is_extended_while_it_is_computed(
    served: Served, ann: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long report's claim is extended: else replicas claim it in turn, and none stores one."""
    made = await post(ann, conversations=[TALK], baseline=False)
    await wait_for_verdict(ann, made["id"], "undecided")
    extended = asyncio.Event()

    async def claim(tx: Queryable, due: DueVerdict, lease_s: float) -> DueVerdict | None:
        found = await claim_verdict(tx, due, lease_s)
        if due.verdict_due > datetime.now(UTC):  # claimed before, not merely due
            extended.set()
        return found

    async def compute(service: Service, due: DueVerdict) -> Outcome:
        await extended.wait()
        return "passed"

    monkeypatch.setattr(host.store_replays, "claim_verdict", claim)
    monkeypatch.setattr(host, "VERDICT_LEASE_S", 2.0)
    monkeypatch.setattr(host, "load_verdicts", lambda: compute)
    async with served.service.store.database.connection() as connection:
        await connection.execute("update replays set verdict_due = now()")
    find_host(served).poke()
    await wait_for_verdict(ann, made["id"], "passed")


async def test_a_report_can_be_read_while_its_tenant_is_moved(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    """Reading it writes nothing: a tenant that is moved refuses all writes."""
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    made = await post(ann)
    await wait_for_verdict(ann, made["id"], "passed")
    async with served.service.store.database.connection() as connection:
        await connection.execute("update replays set verdict = null")
    await hold_tenant(served.service.store.database, "acme", 5.0)

    read = await ann.get(f"/api/replays/{made['id']}")

    assert (read.status_code, read.json()["decision"]["status"]) == (200, "passed"), read.text
    assert read.json()["replay"]["verdict"] == "passed"
    listed = (await ann.get("/api/replays")).json()["replays"]
    assert [item["verdict"] for item in listed] == [None], "reading the report stored nothing"


async def test_experiments_are_found_by_words_of_their_names(ann: httpx2.AsyncClient) -> None:
    made = [await post(ann, conversations=[TALK], name=name) for name in ("Rooms", "Room service")]

    async def find(words: str, limit: int = 9) -> list[str]:
        path = f"/api/replays?limit={limit}&q={words}"
        return [item["id"] for item in (await ann.get(path)).json()["replays"]]

    rooms, service = (item["id"] for item in made)
    assert (await find("service ROOM"), await find("room", 1)) == ([service], [service])
    assert (await find("room"), await find("garden")) == ([service, rooms], [])


async def test_administrators_read_the_prompts_that_a_replay_may_change(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    boss = await served.client("boss", is_admin=True)
    listed = (await boss.get("/api/prompts")).json()["prompts"]
    pack = served.service.pack
    workers = {item["name"]: item["text"] for item in listed if item["pack"] == pack.name}
    assert {spec.name: spec.prompt for spec in pack.workers}.items() <= workers.items()
    refused = await ann.get("/api/prompts")
    assert (refused.status_code, "prompts" in refused.json()) == (403, False)

    await ask(boss, await begin(boss), "how many jobs do I have?")
    replaced = {item["name"]: f"{item['text']} Be brief." for item in listed}
    made = await post(boss, prompts=replaced)
    found = await finish(boss, made["id"])
    assert found["report"]["lanes"]["candidate"]["prompts"] == sorted(replaced)
    both = {i["name"]: {"today": i["text"], "candidate": replaced[i["name"]]} for i in listed}
    assert found["report"]["prompts"] == both
    path = f"/api/replays/{made['id']}"
    report = (await boss.get(path, params={"format": "json"})).json()
    assert (report["prompts"], report["decision"]) == (both, found["decision"])
    page = (await boss.get(path, params={"format": "html"})).text
    assert page.count("Changed prompt: ") == len(both)
    assert "<ins>" in page


async def test_administrators_read_what_each_part_of_the_assistant_runs_with(
    served: Served,
) -> None:
    boss = await served.client("boss", is_admin=True)
    pack, models = served.service.pack, served.service.models
    parts = (await boss.get("/api/prompts")).json()["parts"]
    workers = {part["name"]: part for part in parts if part["role"] == "worker"}
    assert workers.keys() == {spec.name for spec in list_workers(pack)}
    for spec in list_workers(pack):
        part = workers[spec.name]
        assert (part["text"], part["tools"]) == (spec.prompt, list(spec.tools))
        assert part["model"] == models.resolve("worker", spec.name).model
        assert part["version"] == version_prompt(spec.prompt) != version_prompt("Be brief.")
    assert len(parts) == len(workers), "without a model, only workers answer"


async def test_a_replaced_prompt_changes_no_equally_named_worker_of_another_pack(
    served: Served,
) -> None:
    boss = await served.client("boss", is_admin=True)
    ours, name = served.service.pack, served.service.pack.workers[0].name
    twin = replace(ours, name="twin", prompts={**ours.prompts, "triage": "Sort requests."})
    served.service.packs = (ours, twin)
    listed = (await boss.get("/api/prompts")).json()["prompts"]
    named = {item["name"] for item in listed if item["text"] == ours.workers[0].prompt}
    assert named == {f"{ours.name}.{name}", f"twin.{name}"}

    await ask(boss, await begin(boss), "how many jobs do I have?")
    made = await post(boss, prompts={f"twin.{name}": "Be brief."})
    assert made["status"] == "running", made
    await finish(boss, made["id"])
    changed = [change_prompts(pack, {f"twin.{name}": "Be brief."}) for pack in (ours, twin)]
    assert [pack.workers[0].prompt for pack in changed] == [ours.workers[0].prompt, "Be brief."]

    body = {"prompts": {"twin.triage": "Sort {nothing}"}}
    broken = (await boss.post("/api/replays", json=body)).json()
    assert "it may contain {workers}" in broken["error"]["message"]


@pytest.mark.parametrize(
    "field", ["{workers:>2000}", "{workers.x}", "{workers!r}", "{0}", "{", "}"]
)
def test_a_replaced_prompt_may_contain_only_its_own_placeholders(field: str) -> None:
    """With a width of a template's field a request could take all of the server's memory."""
    told = str(find_prompt_problem({"route": f"Sort {field}"}, {"route"}))
    assert told.startswith("the prompt 'route' cannot be filled in")
    assert told.endswith(": it may contain {workers}")
    assert find_prompt_problem({"route": "Sort {workers} {{as they are}}"}, {"route"}) is None


async def test_an_empty_conversation_is_left_out_of_a_replay(ann: httpx2.AsyncClient) -> None:
    empty, full = await begin(ann), await begin(ann)
    await ask(ann, full, "how many jobs do I have?")
    all_of_mine = await post(ann, baseline=False)
    named = await post(ann, baseline=False, threads={"ids": [empty]})
    found = await finish(ann, all_of_mine["id"])
    await finish(ann, named["id"])
    assert found["replay"]["items"] == {"succeeded": 3}, "the candidate and twice the drift sample"
    assert (await ann.get(f"/api/replays/{named['id']}")).status_code == 200


async def test_a_conversation_without_an_answer_is_not_drawn_and_counts_nowhere(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    silent, full = await begin(ann), await begin(ann)
    for thread_id in (silent, full):
        await ask(ann, thread_id, "how many jobs do I have?")
    named = await post(ann, threads={"ids": [silent, full]}, max_cost_usd=1)
    await finish(ann, named["id"])
    async with served.service.store.transaction("acme") as tx:
        gone = "delete from messages where tenant_id = 'acme' and thread_id = $1 and position > 0"
        await tx.execute(gone, silent)
    found = (await ann.get(f"/api/replays/{named['id']}?report=false")).json()["replay"]
    assert (found["conversations"], found["estimate_usd"]) == (2, None), "rules cost nothing"

    drawn = await finish(ann, (await post(ann))["id"])
    assert drawn["replay"]["conversations"] == 1
    assert (await ann.post("/api/replays/estimate", json={})).json()["stored"] == 1

    path = f"/api/replays/{named['id']}/conversations"
    async with served.service.store.transaction("acme") as tx:  # so the report is made again
        await save_verdict(tx, "ann", named["id"], 1, "same", "")
    both = (await ann.get(f"/api/replays/{named['id']}")).json()
    assert (both["replay"]["conversations"], both["replay"]["compared"]) == (1, 1)
    listed = (await ann.get(path, params={"outcome": "empty"})).json()["conversations"]
    assert [item["conversation_id"] for item in listed] == [silent]


async def test_a_replays_report_can_be_downloaded_as_files(ann: httpx2.AsyncClient) -> None:
    made = await post(ann, name="Rooms, again", conversations=[TALK], baseline=False)
    assert made["name"].startswith("Rooms, again: The same again against the recorded answers, ")
    await wait_for_verdict(ann, made["id"], "undecided")
    files = {
        form: await ann.get(f"/api/replays/{made['id']}", params={"format": form})
        for form in ("json", "csv", "html")
    }
    assert files["json"].json()["conversations"][0]["conversation_id"] == "rooms"
    rows = [*csv.DictReader(files["csv"].text.splitlines())]
    assert {(row["experiment"], row["verdict"]) for row in rows} == {(made["name"], "undecided")}
    assert [(row["lane"], bool(row["question"] and row["answer"])) for row in rows[:2]] == [
        ("recording", True),
        ("candidate", True),
    ]
    assert f"<h1>{made['name']}</h1>" in files["html"].text
    assert re.search(r"<th[^>]*>Then</th>\s*<th[^>]*>Candidate</th>", files["html"].text)
    names = [file.headers["content-disposition"] for file in files.values()]
    assert all("attachment; filename*=UTF-8''rooms-again-the-same-again" in it for it in names)
    assert all(made["id"][-6:] in it for it in names)


async def test_a_replay_is_invisible_to_other_users(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    conversation = await begin(ann)
    await ask(ann, conversation, "how many jobs do I have?")
    made = await post(ann)
    path = f"/api/replays/{made['id']}"
    for other in (await served.client("bob"), await served.client("ann", "other")):
        assert (await other.get(path)).status_code == 404
        assert (await other.post(f"{path}/cancel")).status_code == 404
        assert (await other.get("/api/replays")).json() == {"replays": []}
        begun = await other.post("/api/replays", json={"threads": {"ids": [conversation]}})
        assert begun.status_code == 404
    boss = await served.client("boss", is_admin=True)
    assert (await boss.get(path)).status_code == 200
    everybody = {"threads": {"user_id": "*"}}
    bob = await served.client("bob")
    assert (await bob.post("/api/replays", json=everybody)).status_code == 403
    assert (await boss.post("/api/replays", json=everybody)).status_code == 202
    await finish(ann, made["id"])


async def test_another_replica_continues_an_abandoned_replay(serve: Serve) -> None:
    first = await serve(Hang())
    ann = await first.client("ann")
    made = await post(ann, conversations=[TALK], baseline=False)

    async def is_begun() -> bool:
        state = (await ann.get(f"/api/replays/{made['id']}")).json()["replay"]
        return state["items"] == {"running": 1}

    await until(is_begun)
    second = await serve(recovery_s=0.2)
    first.replica.stop()
    found = await finish(await second.client("ann"), made["id"])
    assert found["replay"]["status"] == "succeeded"


async def test_a_replay_ends_whose_process_was_killed_after_its_last_item(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    """Its items have ended and it has not: nobody would go on, and it would count as open."""
    made = await post(ann, conversations=[TALK], baseline=False)
    await finish(ann, made["id"])
    async with served.service.store.database.connection() as connection:
        await connection.execute("update replays set status = 'running', ended_at = null")
    find_host(served).poke()
    found = await finish(ann, made["id"])
    assert found["replay"]["status"] == "succeeded"


async def test_an_open_replay_of_an_older_version_is_continued(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    """Its stored plan lacks the fields that later versions added."""
    made = await post(ann, conversations=[TALK], baseline=False)
    await finish(ann, made["id"])
    older = "(candidate::jsonb - 'batch_api' - 'beside')::json"
    async with served.service.store.database.connection() as connection:
        await connection.execute(
            f"update replays set status = 'running', ended_at = null, candidate = {older}"
        )
    find_host(served).poke()
    found = await finish(ann, made["id"])
    assert found["replay"]["status"] == "succeeded"


async def test_waiting_replays_do_not_delay_other_replays(
    served: Served, ann: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A provider's batch takes up to a day, and a shadow waits while users are served."""
    begun: list[str] = []

    async def work(service: Service, found: HostedReplay) -> None:
        begun.append(found.replay_id)
        await asyncio.Event().wait()

    monkeypatch.setattr(host, "load_replay", lambda: work)
    lanes, most = {CANDIDATE: LanePlan()}, host.MOST_REPLAYS
    waiting = [LivePlan(lanes, batch_api=True)] * most + [LivePlan(lanes, beside=0)] * 2 * most
    made: list[str] = []
    for plan in (*waiting, LivePlan(lanes)):
        items = [NewItem(conversation=TALK)]
        whose = served.service.store, "acme", "ann"
        made.append(await create_replay(*whose, items, plan, "a test", None, make_hosting(1)))
    find_host(served).poke()

    async def have_begun() -> bool:
        return len(begun) > most

    await until(have_begun)
    assert {*begun} == {*made[:most], made[-1]}


@pytest.mark.parametrize(("beside", "status"), [(None, "failed"), (0, "stopped")])
async def test_a_replay_that_cannot_be_opened_fails_with_the_reason(
    served: Served, ann: httpx2.AsyncClient, beside: int | None, status: str
) -> None:
    """By a replica without the model's key, say; a shadow's is stopped, which ends the shadow."""
    plan = LivePlan({CANDIDATE: LanePlan({"AGENT_PROVIDER": "openai"})}, beside=beside)
    made = await create_replay(
        *(served.service.store, "acme", "ann", [NewItem(conversation=TALK)], plan, "a test", None),
        make_hosting(1),
    )
    find_host(served).poke()

    found = (await finish(ann, made))["replay"]
    assert (found["status"], found["items"]) == (status, {"failed": 1})
    assert found["reason"] == "there is no API key for openai"


async def test_a_cancelled_replay_is_not_resumed(serve: Serve) -> None:
    served = await serve(Hang(), recovery_s=0.1)
    ann = await served.client("ann")
    made = await post(ann, conversations=[TALK], baseline=False)
    stopped = await ann.post(f"/api/replays/{made['id']}/cancel")
    assert (stopped.status_code, stopped.json()["status"]) == (200, "cancelled")
    again = await ann.post(f"/api/replays/{made['id']}/cancel")
    assert again.status_code == 409
    await find_host(served).look()
    assert (await finish(ann, made["id"]))["replay"]["status"] == "cancelled"


async def test_a_replay_counts_conversations_deleted_since_it_began(serve: Serve) -> None:
    served = await serve(auth=False)
    local = await served.client()
    chats = [await begin(local), await begin(local)]
    for chat in chats:
        await ask(local, chat, "how many jobs do I have?")
    made = await post(local, threads={"ids": chats})
    assert (await finish(local, made["id"]))["replay"]["deleted"] == 0
    await local.delete(f"/api/chat/conversations/{chats[0]}")
    one = f"/api/replays/{made['id']}"
    found = (await local.get(one)).json()
    assert (found["replay"]["conversations"], found["replay"]["deleted"]) == (1, 1)
    assert (await local.get(one, params={"format": "json"})).json()["deleted"] == 1
    page = (await local.get(one, params={"format": "html"})).text
    assert "1 conversation was deleted since this began" in page


async def test_a_stopped_or_failed_replay_states_its_reason_and_cost(serve: Serve) -> None:
    """The scripted model has no price, so no limit can hold; one without a limit has no cost."""
    gone = ModelNotFoundError("the provider does not know the model scripted-1")
    served = await serve(*[text("Yes.")] * 3, *[gone] * 3)
    ann = await served.client("ann")
    refused = {"conversations": [TALK], "baseline": False, "max_cost_usd": 1}
    assert (await ann.post("/api/replays", json=refused)).status_code == 400
    limited = {"id": await begin_limited(served)}  # as if its model had had a price then
    unlimited = await post(ann, conversations=[TALK], baseline=False)
    await finish(ann, unlimited["id"])  # else the next one takes its answers
    for made, status, cost, reason in (
        (limited, "stopped", "0", "scripted:scripted-1: the price is unknown, so the cost limit"),
        (unlimited, "succeeded", None, None),
        (await post(ann, conversations=[TALK], baseline=False), "failed", None, gone.message),
    ):
        found = (await finish(ann, made["id"]))["replay"]
        assert (found["status"], found["cost_usd"]) == (status, cost)
        assert (found["reason"] or "").startswith(reason or "") and bool(found["reason"]) == bool(
            reason
        )
        listed = (await ann.get("/api/replays")).json()["replays"]
        # A list may know them later.
        later = {"items": {}, "verdict": None, "compared": None, "done": None}
        assert found | later in [it | later for it in listed]


async def begin_limited(served: Served) -> str:
    """Begin a replay with a cost limit of a model without a price, which HTTP refuses."""
    plan, items = LivePlan({CANDIDATE: LanePlan()}), [NewItem(conversation=TALK)]
    whose = served.service.store, "acme", "ann"
    found = await create_replay(*whose, items, plan, "a test", Decimal(1), make_hosting(1))
    find_host(served).poke()
    return found


REFUSED: dict[str, tuple[dict[str, Any], int, str]] = {
    "no such provider": ({"provider": "nobody"}, 400, "nobody"),
    "no key": ({"provider": "openai"}, 400, "OPENAI_API_KEY"),
    "no such design": ({"design": "nobody"}, 400, "nobody"),
    "a prompt of nobody": ({"prompts": {"barkeeper": "x"}}, 400, "barkeeper"),
    "both sources": ({"threads": {}, "conversations": [TALK]}, 400, "not both"),
    "a sandbox of nothing": ({"sandbox": True, "conversations": [TALK]}, 400, "sandbox"),
    "the same id twice": ({"conversations": [TALK, TALK]}, 400, "same conversation_id"),
    "no conversation": ({"conversations": [{"messages": "x"}]}, 400, "line 1"),
    "a tool that is missing": ({"conversations": [TALK], "tools": []}, 400, "book_room"),
    "a limit that allows nothing": ({"max_cost_usd": 0}, 400, "max_cost_usd must be above 0"),
    "nothing to replay": ({}, 404, "no stored conversation"),
    "a bad thread": ({"threads": {"ids": ["x"]}}, 404, ""),
    "more threads than allowed": ({"threads": {"ids": ["x"] * 10_001}}, 422, "threads"),
    "others of no rating": ({"threads": {"others": 1}}, 400, "`others` needs a rating"),
    "a shape": ({"concurrency": 0}, 422, "concurrency"),
}


async def test_named_threads_are_replayed_if_they_belong_to_the_chosen_user(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    """An administrator's own are not meant where another user is named."""
    conversation = await begin(ann)
    await ask(ann, conversation, "hello")
    admin, bob = await served.client("root", is_admin=True), await served.client("bob")

    async def send(client: httpx2.AsyncClient, **threads: Any) -> int:
        body = {"threads": {"ids": [conversation], **threads}, "baseline": False}
        return (await client.post("/api/replays", json=body)).status_code

    assert await send(ann) == await send(ann, ids=[conversation.upper()]) == 202
    assert await send(admin, user_id="ann") == await send(admin, user_id="*") == 202
    assert await send(admin) == await send(admin, user_id="bob") == await send(bob) == 404
    assert await send(bob, user_id="ann") == 403


async def test_impossible_replays_are_refused_over_http(ann: httpx2.AsyncClient) -> None:
    for name, (body, status, told) in REFUSED.items():
        answer = await ann.post("/api/replays", json=body)
        assert (answer.status_code, told in answer.text) == (status, True), (name, answer.text)
    assert (await ann.get("/api/replays")).json() == {"replays": []}


def test_other_providers_get_neither_the_services_key_nor_its_url() -> None:
    own = replace(
        Settings(), provider="anthropic", api_key=Secret("k"), api_base="https://own", model="m"
    )
    other = change_settings(own, {"AGENT_PROVIDER": "openai"})
    assert (other.api_key, other.api_base, other.model) == (None, None, None)
    same = change_settings(own, {"AGENT_PROVIDER": "anthropic", "AGENT_MODEL": "n"})
    assert (same.api_key, same.api_base, same.model) == (own.api_key, "https://own", "n")
    judged = change_settings(own, {"AGENT_AGENTS_EVALUATOR_PROVIDER": "openai"})
    assert judged.agents["evaluator"] == RoleSettings(provider="openai")
    with pytest.raises(ConfigError):
        change_settings(own, {"AGENT_API_BASE": "https://elsewhere"})


async def test_the_number_of_conversations_that_users_may_sandbox_is_limited(serve: Serve) -> None:
    served = await serve(replay_sandboxes=1)
    ann, boss = await served.client("ann"), await served.client("boss", is_admin=True)
    for client in (ann, ann, boss, boss):
        await ask(client, await begin(client), "add a job: Cook at Cafe Uno")
    body = {"baseline": False, "sandbox": True}
    refused = await ann.post("/api/replays", json=body)
    told = refused.json()["error"]
    assert (refused.status_code, told["code"]) == (400, "TOO_MANY_SANDBOXES")
    assert "each of its 2 conversations" in told["message"]
    assert "limits.replay_sandboxes" in told["hint"]
    assert (await ann.get("/api/replays")).json() == {"replays": []}
    await post(ann, **body, sample=1)
    await post(ann, baseline=False)
    await post(boss, **body)
