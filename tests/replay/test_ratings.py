"""Conversations are chosen by what users thought of them, and reports and gates count it."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from plainloop.agent.store.decide.ratings import save_rating
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


async def test_what_was_disliked_is_replayed_beside_twice_as_many_others(rated: Command) -> None:
    alone = await rated("replay", "recorded", "--rating", "down")
    assert alone.out.startswith("1 conversation, 0 diverged")
    more = await rated("replay", "recorded", "--rating", "down", "--others", "2")
    assert more.out.startswith("3 conversations, 0 diverged")
    all_ = await rated("replay", "recorded", "--rating", "down", "--others", "99")
    assert all_.out.startswith("6 conversations, 0 diverged")
    none = await rated("replay", "recorded", "--others", "2")
    assert (none.code, "Choose a rating too" in none.err) == (2, True)
    elsewhere = await rated("replay", "recorded", "--rating", "down", "--tenant", "other")
    assert (elsewhere.code, "no stored thread fits" in elsewhere.err) == (3, True)


async def test_the_same_seed_draws_the_same_others(rated: Command) -> None:
    chosen = ("export", "--rating", "up", "--others", "2", "--seed")
    drawn = [(await rated(*chosen, seed)).out for seed in ("1", "1", "2", "3", "4")]
    assert drawn[0] == drawn[1]
    assert len({*drawn}) > 1
    for out in drawn:
        told = [orjson.loads(line).get("ratings") for line in out.splitlines()]
        assert len(told) == 3
        assert [{"turn": 0, "rating": "up", "note": "said so"}] in told


RULES = """
[[rule]]
measure = "failed"
margin = "50pp"
where = { rating = "down" }

[[rule]]
measure = "failed"
margin = "50pp"
by = ["rating"]
needed = false
"""


async def test_a_report_counts_ratings_and_a_gate_looks_at_the_disliked(
    rated: Command, tmp_path: Path
) -> None:
    """From the database and from an export alike."""
    await rated("export", "-o", "all.jsonl")
    (tmp_path / "rules.toml").write_text(RULES)
    for name, source in (("stored", []), ("file", ["--from", "all.jsonl"])):
        done = await rated("replay", "live", *source, "--report", name)
        assert done.code == 0, done
        line = next(x for x in done.out.splitlines() if x.startswith("liked by"))
        assert line.split()[4:] == ["50%", "–", "–", "–"]
        gate = await rated("gate", "rules.toml", "--candidate", name, "--json", f"{name}.json")
        assert gate.code in (0, 10), gate
        told = orjson.loads((tmp_path / f"{name}.json").read_bytes())
        assert '"rating"' in orjson.dumps(told).decode()
        assert "rating down" in gate.out, gate.out
