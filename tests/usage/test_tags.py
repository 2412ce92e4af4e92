"""Runs have tags, from API and command; usage is filtered and reported by them."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest

from plainloop.agent.base.text.cleaning import check_tags
from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store
from plainloop.agent.usage.report import UsageFilter, summarize_usage
from plainloop.agent.usage.rollup import roll_up_usage
from tests.cli.conftest import Command
from tests.server.conftest import Serve, begin
from tests.usage.ledger import fill_ledger


async def test_usage_can_be_grouped_by_message_tags(serve: Serve) -> None:
    served = await serve()
    ann = await served.client("ann")
    conversation = await begin(ann)
    path = f"/api/chat/conversations/{conversation}/messages"
    headers = {"accept": "application/json"}
    for tags in (["nightly", "team:blue"], ["nightly"], []):
        body = {"content": "what is a résumé?", "tags": tags}
        assert (await ann.post(path, json=body, headers=headers)).status_code == 200
    wrong = await ann.post(path, json={"content": "hi", "tags": ["two words"]}, headers=headers)
    rows = (await ann.get("/api/usage?by=tag&runs=true")).json()
    blue = (await ann.get("/api/usage?tag=team:blue")).json()["usage"][0]

    assert {row["tag"]: row["runs"] for row in rows["runs"]} == {
        "nightly": 2,
        "team:blue": 1,
        None: 1,
    }
    assert blue["calls"] == next(row["calls"] for row in rows["usage"] if row["tag"] == "team:blue")
    assert wrong.status_code in (400, 422)


async def test_ask_can_set_tags_that_usage_reports(plainloop: Command) -> None:
    await plainloop("ask", "what is a résumé?", "--tag", "trial", "--tag", "ci/42")
    await plainloop("ask", "what is a résumé?")
    told = await plainloop("usage", "--by", "tag", "--format", "csv")
    only = await plainloop("usage", "--by", "run", "--only", "tag=trial", "--format", "csv")
    wrong = await plainloop("ask", "hi", "--tag", "two words")
    again = await plainloop("replay", "recorded", "--tag", "trial")

    assert again.out.startswith("1 conversation, 0 diverged"), again
    tags = {row["tag"] for row in csv.DictReader(io.StringIO(told.out))}
    assert tags == {"trial", "ci/42", ""}
    assert len([*csv.DictReader(io.StringIO(only.out))]) == 1
    assert wrong.code == 2


async def test_tags_survive_summing(store: Store) -> None:
    now = datetime.now(UTC)
    await fill_ledger(store, now, days=3)
    async with store.transaction("acme") as tx:
        await tx.execute(
            "update llm_calls set tags = case when user_id = 'ann' then '{a,b}'::text[]"
            " else '{b}' end where user_id <> 'cid'"
        )
    only = UsageFilter({"tag": "b"}, since=now - timedelta(days=2, minutes=13))
    before = [await summarize_usage(store.read("acme"), by) for by in (["tag"], ["tag", "model"])]
    narrow = await summarize_usage(store.read("acme"), ["user"], only)
    assert await roll_up_usage(store) is not None

    assert {row.keys["tag"] for row in before[0]} == {"a", "b", None}
    assert {row.keys["user"] for row in narrow} == {"ann", "bob"}
    after = [await summarize_usage(store.read("acme"), by) for by in (["tag"], ["tag", "model"])]
    assert after == before
    assert await summarize_usage(store.read("acme"), ["user"], only) == narrow


@pytest.mark.parametrize(
    "tags", [["two words"], [""], ["a" * 65], ["a,b"], [str(n) for n in range(11)]]
)
def test_an_invalid_tag_is_refused(tags: list[str]) -> None:
    with pytest.raises(InputError):
        check_tags(tags)
