"""Conversations are chosen by what users thought of them."""

from __future__ import annotations

import orjson
import pytest

from plainloop.agent.store.outcomes.ratings import save_rating
from plainloop.agent.store.store import Store
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

LOCAL = "local"


@pytest.fixture
async def rated(plainloop: Command, store: Store) -> Command:
    """Six conversations: the first is disliked, the second liked."""
    for n in range(6):
        await plainloop("ask", f"add a job: Cook {n} at Cafe Uno")
    async with store.transaction(LOCAL) as tx:
        runs = await tx.fetch("select run_id, user_id from runs order by created_at")
        for row, rating in zip(runs, ("down", "up"), strict=False):
            await save_rating(tx, row["user_id"], row["run_id"], rating, "said so")
    return plainloop


async def test_disliked_threads_are_replayed_with_a_seeded_sample_of_others(rated: Command) -> None:
    alone = await rated("replay", "recorded", "--rating", "down")
    assert alone.out.startswith("1 conversation, 0 diverged")
    more = await rated("replay", "recorded", "--rating", "down", "--others", "2")
    assert more.out.startswith("3 conversations, 0 diverged")
    all_ = await rated("replay", "recorded", "--rating", "down", "--others", "99")
    assert all_.out.startswith("6 conversations, 0 diverged")
    none = await rated("replay", "recorded", "--others", "2")
    assert (none.code, "`others` needs a rating" in none.err) == (2, True)
    elsewhere = await rated("replay", "recorded", "--rating", "down", "--tenant", "other")
    assert (elsewhere.code, "no stored thread matches" in elsewhere.err) == (3, True)

    chosen = ("export", "--rating", "up", "--others", "2", "--seed")
    drawn = [(await rated(*chosen, seed)).out for seed in ("1", "1", "2", "3", "4")]
    assert drawn[0] == drawn[1]
    assert len({*drawn}) > 1
    for out in drawn:
        told = [orjson.loads(line).get("ratings") for line in out.splitlines()]
        assert len(told) == 3
        assert [{"turn": 0, "rating": "up", "note": "said so"}] in told
