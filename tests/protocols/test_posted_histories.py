"""A conversation that a client brings along: bounded, stored at once, counted, ended with it."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from packages.frontends.tests.test_openai_chat import MODEL, list_threads
from plainloop.agent.store.store import Store
from tests.machine.scripted import text, triage
from tests.protocols.conftest import ServeNotes
from tests.server.conftest import Served

PATHS = ("/v1/chat/completions", "/v1/responses", "/v1/responses/compact")


def make_history(count: int, words: str = "said") -> list[dict[str, Any]]:
    """The user has the last word."""
    roles = ("user", "assistant")
    return [{"role": roles[(count - 1 - n) % 2], "content": f"{words} {n}"} for n in range(count)]


def make_body(path: str, history: list[dict[str, Any]]) -> dict[str, Any]:
    key = "messages" if path.endswith("completions") else "input"
    return {"model": MODEL, key: history}


async def post(served: Served, path: str, history: list[dict[str, Any]]) -> httpx2.Response:
    client = await served.client()
    return await client.post(path, json=make_body(path, history))


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"posted_messages": 5}, "at most 5 (limits.posted_messages)"),
        ({"posted_tokens": 50}, "at most 50 (limits.posted_tokens)"),
    ],
)
async def test_a_posted_history_beyond_the_limits_is_refused_unstored(
    limits: dict[str, int], told: str, serve: ServeNotes
) -> None:
    served = await serve(**limits)
    for path in PATHS:
        refused = await post(served, path, make_history(21))
        error = refused.json()["error"]
        assert (refused.status_code, error["code"]) == (400, "HISTORY_TOO_LONG"), path
        assert told in error["message"]
    assert await list_threads(served) == []


@pytest.mark.parametrize("path", PATHS)
async def test_a_posted_history_is_stored_in_one_transaction(path: str, serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Fine."))
    answer = await post(served, path, make_history(21))
    sql = "select count(*) as stored, count(distinct xmin::text) as times from messages"
    row: Any = await served.service.store.read("acme").fetchrow(f"{sql} where run_id is null")

    assert answer.status_code == 200, answer.text
    assert row["stored"] == (21 if path.endswith("compact") else 20)
    assert row["times"] == 1


async def test_a_known_history_is_not_imported_again(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("First."), posted_messages=1)
    history: list[Any] = [{"role": "user", "content": "one"}]
    model: Any = served.service.models
    for n, said in enumerate(("Second.", "Third."), start=2):
        answer = (await post(served, PATHS[0], history)).json()["choices"][0]["message"]
        history += [answer, {"role": "user", "content": str(n)}]
        model.first.script += [triage("note_writer"), text(said)]
    assert (await post(served, PATHS[0], history)).status_code == 200


@pytest.mark.parametrize(("path", "most"), [(PATHS[0], 2), (PATHS[1], 2), (PATHS[2], 1)])
async def test_a_posted_history_counts_towards_rates_like_a_message(
    path: str, most: int, serve: ServeNotes
) -> None:
    served = await serve(triage("note_writer"), text("Fine."), messages_per_minute=most)
    answers = [await post(served, path, make_history(4, words)) for words in ("once", "twice")]

    assert [answer.status_code for answer in answers] == [200, 429]
    assert len(await list_threads(served)) == 1


@pytest.mark.parametrize("path", PATHS)
async def test_closing_the_connection_stops_the_import_of_a_history(
    path: str, serve: ServeNotes
) -> None:
    served = await serve()
    store = served.service.store
    async with store.transaction("acme") as tx:
        await tx.execute("lock table messages in share mode")
        posting = asyncio.create_task(post(served, path, make_history(20)))
        await wait_for_waiting(store, 1)
        posting.cancel()
        await wait_for_waiting(store, 0)
    assert await list_threads(served) == []
    assert await store.read("acme").fetch("select from messages") == []


async def wait_for_waiting(store: Store, count: int) -> None:
    """Until so many statements of this database wait for a lock."""
    sql = (
        "select count(*) from pg_stat_activity"
        " where wait_event_type = 'Lock' and datname = current_database()"
    )
    async with store.database.connection() as connection, asyncio.timeout(60):
        while await connection.fetchval(sql) != count:
            await asyncio.sleep(0.01)
