"""`/api/usage`: by any dimension, filtered, sorted, in pages; as JSON and CSV."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx2
import pytest

from plainloop.agent.store.database import Row
from plainloop.agent.store.store import Store
from plainloop.agent.store.transactions import Autocommit
from plainloop.server.routes.usage import add_titles
from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, ask, begin
from tests.usage.test_cache_amounts import save_calls


@pytest.fixture
async def ann(serve: Serve) -> httpx2.AsyncClient:
    """Who has asked once: two calls."""
    ann = await (await serve(triage("general"), text("yes"))).client()
    await ask(ann, await begin(ann), "tell me a story about work")
    return ann


async def load(ann: httpx2.AsyncClient, **query: Any) -> Any:
    return (await ann.get("/api/usage", params=query)).json()


async def test_usage_is_grouped_by_any_dimension_as_json_and_csv(ann: httpx2.AsyncClient):
    total, by_role = await load(ann), await load(ann, by=["role", "model"])
    table = await ann.get("/api/usage", params={"by": "role,model", "format": "csv"})
    since = await load(ann, since="2999-01-01")

    assert (total["usage"][0]["calls"], total["usage"][0]["input_tokens"]) == (2, 20)
    assert total["usage"][0]["cost_usd"] is None
    assert {row["role"] for row in by_role["usage"]} == {"classifier", "worker"}
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    rows = [*csv.DictReader(io.StringIO(table.text))]
    assert {row["role"] for row in rows} == {"classifier", "worker"}
    assert rows[0]["cost_usd"] == ""
    assert since["usage"][0]["calls"] == 0


@pytest.mark.parametrize("by", ["run", "chat"])
async def test_a_csv_by_run_or_chat_holds_the_displayed_titles(ann: httpx2.AsyncClient, by: str):
    table = await ann.get("/api/usage", params={"by": by, "format": "csv"})
    (row,) = csv.DictReader(io.StringIO(table.text))
    (named,) = (await load(ann, by=by))["threads"]

    assert row[by] == named["id"]
    assert row["title"] == named["title"] == "tell me a story about work"
    assert row["begun_at"][:19] == named["created_at"][:19]


def test_a_csvs_row_of_calls_outside_chats_says_so() -> None:
    rows = add_titles([{"chat": None, "calls": 2}, {"chat": "gone", "calls": 1}], ["chat"], [])

    assert [row["title"] for row in rows] == ["Without a chat", "Deleted chat"]


def test_a_csv_names_untitled_chats_as_the_console_does() -> None:
    begun = datetime(2026, 11, 30, tzinfo=UTC)
    named: Any = {
        "id": "a",
        "kind": "onboarding",
        "user_id": "ann",
        "title": None,
        "created_at": begun,
    }

    assert add_titles([{"chat": "a"}], ["chat"], [named])[0]["title"] == "Interview of ann"


async def test_a_csv_names_workers_and_its_file_names_its_filters(ann: httpx2.AsyncClient):
    filters = {"by": "feature", "format": "csv", "role": "worker"}
    table = await ann.get("/api/usage", params=filters)
    (row,) = csv.DictReader(io.StringIO(table.text))

    assert (row["feature"], row["title"]) == ("general", "General")
    assert "usage-by-feature-of-user-ann-of-role-worker-to-" in table.headers["content-disposition"]


@pytest.mark.parametrize("by", ["feature", "run", "chat"])
async def test_experiments_are_one_row_of_a_report_and_of_its_csv(serve: Serve, by: str):
    served = await serve(triage("general"), text("yes"), triage("general"), text("yes"))
    ann = await served.client()
    for _ in range(2):
        told = await ask(ann, await begin(ann), "tell me a story about work")
    async with served.service.store.transaction("acme") as tx:
        await tx.execute(
            "update llm_calls set thread_id = null, run_id = null, step = null, duration_ms = 900,"
            f" replay_id = gen_random_uuid() where run_id = '{told['run_id']}'"
        )
    report = await load(ann, by=by, apart="true", latency="true", limit=1)
    table = await ann.get("/api/usage", params={"by": by, "apart": "true", "format": "csv"})
    rows = [*csv.DictReader(io.StringIO(table.text))]

    assert [row["calls"] for row in report["usage"]][-1] == 2
    assert report["usage"][-1][by] == "*experiments"
    assert report["latency"][-1]["duration_ms_p95"] == 900
    experiments = [row for row in rows if row[by] == "Experiments"]
    assert [row["calls"] for row in experiments] == ["2"]
    assert sum(int(row["calls"]) for row in rows) == 4
    if by != "feature":
        assert experiments[0]["title"] == "Experiments"
        assert len(rows) == 2


@pytest.mark.parametrize("by", ["", "day"])
async def test_sums_by_time_alone_are_the_same_with_experiments_apart(
    ann: httpx2.AsyncClient, by: str
):
    asked = {"by": by} if by else {}
    apart, together = await load(ann, **asked, apart="true"), await load(ann, **asked)

    assert apart["usage"] == together["usage"]
    assert len(apart["usage"]) == 1


async def test_a_usage_csv_is_named_by_its_rows_and_period(ann: httpx2.AsyncClient):
    november = {"since": "2026-11-01T00:00:00Z", "until": "2026-12-01T00:00:00Z", "format": "csv"}
    grouped = await ann.get("/api/usage", params={"by": "day,model", **november})
    totals = await ann.get("/api/usage", params=november)

    name = "usage-by-day-model-of-user-ann-2026-11-01-to-2026-11-30.csv"
    assert name in grouped.headers["content-disposition"]
    name = "usage-totals-of-user-ann-2026-11-01-to-2026-11-30.csv"
    assert name in totals.headers["content-disposition"]


async def test_usage_is_filtered_sorted_and_paged(ann: httpx2.AsyncClient):
    whole, first = await load(ann, by="role"), await load(ann, by="role", limit=1)
    rest = await load(ann, by="role", limit=1, cursor=first["next_cursor"])
    only = await load(ann, role="worker", runs="true")
    replays = await load(ann, origin="replay")

    assert first["usage"] + rest["usage"] == whole["usage"]
    assert (whole["next_cursor"], rest["next_cursor"]) == (None, None)
    assert only["usage"][0]["calls"] == 1
    assert (only["runs"][0]["runs"], only["runs"][0]["tokens_p50"]) == (1, 15)
    assert replays["usage"][0]["calls"] == 0
    for wrong, status in (
        ({"cursor": "-1"}, 400),
        ({"by": "colour"}, 400),
        ({"since": "9999-12-31T23:59:59Z"}, 422),
    ):
        assert (await ann.get("/api/usage", params=wrong)).status_code == status, wrong


async def test_usage_shows_latency_and_failure_counts(ann: httpx2.AsyncClient):
    asked = {"by": "day,role", "latency": "true"}
    rows, none = await load(ann, **asked), await load(ann, **asked, since="2999-01-01")
    with_avoided, without = await load(ann), await load(ann, avoided="false")

    assert (with_avoided["avoided"] != [], without) == (True, {**with_avoided, "avoided": []})
    assert none["latency"] == []
    assert [row["role"] for row in rows["latency"]] == ["classifier", "worker"]
    for row in rows["latency"]:
        assert (row["calls"], row["unsuccessful_calls"]) == (1, 0)
        assert 0 <= row["duration_ms_p50"] <= row["duration_ms_p95"]


async def test_a_running_call_is_not_a_failed_one(serve: Serve):
    served = await serve(triage("general"), text("yes"))
    ann = await served.client()
    await ask(ann, await begin(ann), "tell me a story about work")
    for status, age, failed in (("started", 0, 0), ("failed", 0, 1), ("started", 2, 1)):
        async with served.service.store.transaction("acme") as tx:
            await tx.execute(
                f"update llm_calls set status = '{status}', created_at = now() -"
                f" interval '{age} days' where role = 'worker'"
            )
        report = await load(ann, latency="true")
        for name in ("usage", "latency"):
            assert report[name][0]["unsuccessful_calls"] == failed, (status, name)


MADE = """
[[endings]]
provider = "scripted"
models = ["scripted-1"]
ends = 2099-01-14
successor = "scripted-2"
"""


async def test_usage_shows_the_share_of_calls_to_ending_models(serve: Serve, tmp_path: Path):
    made = tmp_path / "endings.toml"
    made.write_text(MADE)
    served = await serve(triage("general"), text("yes"), endings_file=made)
    ann, bob = await served.client("ann"), await served.client("bob")
    await ask(ann, await begin(ann), "tell me a story about work")
    ending = {
        "provider": "scripted",
        "models": ["scripted-1"],
        "ends": "2099-01-14",
        "successor": "scripted-2",
        "calls": 2,
        "share": 1.0,
        "rehearsal": "plainloop replay live --provider scripted --model scripted-2",
    }

    assert (await load(ann))["endings"] == [ending]
    assert (await load(ann, role="worker"))["endings"] == [{**ending, "calls": 1}]
    [change] = (await load(ann))["changes"]
    same = {name: change[name] for name in ("provider", "models", "calls", "share", "rehearsal")}
    assert {**same, "ends": change["date"], "successor": change["to"]} == ending
    assert (change["kind"], change["source"], change["new_price"]) == ("shutdown", None, None)
    without = await load(ann, endings="false")
    assert (without["changes"], without["endings"]) == ([], [])
    assert ((await load(bob))["changes"], (await load(bob))["endings"]) == ([], [])


async def test_usage_by_thread_shows_own_titles_and_the_owners_of_others(serve: Serve):
    served = await serve(*[triage("general"), text("yes")] * 3)
    ann, bob = await served.client("ann"), await served.client("bob")
    other = await served.client("ann", tenant="elsewhere")
    boss = await served.client("boss", is_admin=True)
    chats = [await begin(ann, "A story"), await begin(bob, "Bob's own"), await begin(other, "Far")]
    for client, chat in zip((ann, bob, other), chats, strict=True):
        await ask(client, chat, "tell me a story about work")

    async def describe(client: httpx2.AsyncClient, **query: Any) -> list[tuple[Any, ...]]:
        threads = (await load(client, by="thread", **query))["threads"]
        return sorted((item["user_id"], item["id"], item["title"]) for item in threads)

    mine = [("ann", chats[0], "A story")]
    assert await describe(ann) == mine
    assert await describe(ann, thread_id=chats[1]) == []
    assert await describe(boss, user_id="*") == [("ann", chats[0], None), ("bob", chats[1], None)]
    filtered = await load(ann, thread_id=chats[0])
    assert [(item["id"], item["title"]) for item in filtered["threads"]] == [(chats[0], "A story")]
    assert (await load(ann, by="model"))["threads"] == []


async def test_a_chats_usage_sums_all_versions_of_its_messages(serve: Serve):
    served = await serve(*[triage("general"), text("yes")] * 4)
    ann, bob = await served.client("ann"), await served.client("bob")
    chat = await begin(ann, "A story")
    await ask(ann, chat, "tell me a story about work")
    await ask(ann, chat, "tell me a story about love")
    branched = await ann.post(f"/api/chat/conversations/{chat}/branches", json={"before": 2})
    other = branched.json()["id"]
    await ask(ann, other, "tell me a story about luck")
    await ask(bob, await begin(bob, "Bob's own"), "tell me a story about work")

    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update llm_calls set cost_usd = 0.01 where tenant_id = 'acme'")
    threads = await load(ann, by="thread")
    (row,) = (report := await load(ann, by="chat"))["usage"]
    (named,) = report["threads"]
    runs = await load(ann, by="run", chat_id=other)
    assert (row["chat"], named["id"], named["title"]) == (chat, chat, "A story")
    assert (named["versions"], named["newest_id"]) == (2, other)
    assert row["calls"] == sum(item["calls"] for item in threads["usage"]) == 6
    assert len(threads["usage"]) == 2
    asked = {item["id"]: item["title"].split()[-1] for item in runs["threads"][1:]}
    assert {asked[item["run"]] for item in runs["usage"]} == {"work", "love", "luck"}
    assert (row["cost_usd"], named["hidden_usd"]) == ("0.06", "0.02")
    (first,) = (await load(ann, chat_id=chat))["threads"]
    assert (first["newest_id"], first["hidden_usd"]) == (chat, "0.02")
    assert (await load(bob, chat_id=chat))["usage"][0]["calls"] == 0


COST_MORE = "update llm_calls set cost_usd = coalesce(cost_usd, 0) + 1 where tenant_id = 'acme'"


class BusyReader(Autocommit):
    """Reads while calls end: each statement finds more cost than the one before."""

    async def fetch(self, sql: str, *args: Any) -> list[Row]:
        await self.execute(COST_MORE)
        return await super().fetch(sql, *args)


async def test_sums_of_a_report_grow_from_today_to_the_period(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
):
    served = await serve(triage("general"), text("yes"))
    ann = await served.client()
    await ask(ann, await begin(ann), "tell me a story about work")
    monkeypatch.setattr(
        Store, "read_late", lambda store, tenant: BusyReader(store.database, tenant)
    )
    since = datetime.now(UTC).strftime("%Y-%m-01T00:00:00Z")
    report = await load(ann, since=since, pace="true")

    costs = (
        report["pace"]["today_usd"],
        report["pace"]["month_usd"],
        report["usage"][0]["cost_usd"],
    )
    today, month, period = map(float, costs)
    assert 0 < today < month < period


async def test_a_report_sorted_by_losses_has_the_largest_of_all_groups_first(serve: Serve):
    served = await serve()
    ann = await served.client()
    models = {"claude-haiku-4-5": 1, "claude-opus-4-1": 2, "claude-sonnet-4-5": 3}
    for n, (model, calls) in enumerate(models.items()):
        written = [(100 * n + 10 * at, 0, 2_000, 0) for at in range(calls)]  # each anew: a loss
        await save_calls(served.service.store, *written, model=f"anthropic:{model}")

    pages = list[dict[str, Any]]()
    for cursor in ("0", "1", "2"):
        query = {"by": "model", "sort": "lost", "limit": 1, "cursor": cursor}
        pages.append((await ann.get("/api/usage", params=query)).json())

    rows = [row for page in pages for row in page["usage"]]
    losses = [Decimal(row["prefix_loss_usd"] or 0) for row in rows]
    assert [row["model"] for row in rows] == [
        "claude-opus-4-1",
        "claude-sonnet-4-5",
        "claude-haiku-4-5",
    ]
    assert losses == sorted(losses, reverse=True) and losses[1] > losses[2] == 0
    assert [page["next_cursor"] for page in pages] == ["1", "2", None]
