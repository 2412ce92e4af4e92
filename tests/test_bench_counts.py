"""What a turn does, counted. Such figures are the same on every machine, so they are held here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.test_bench import run_bench

# At most; round trips and transactions are exact. Python calls: of Python 3.11.
MOST = {
    "count": {"round_trips": 9, "transactions": 5, "python_calls": 7_400, "wal_bytes": 4_000},
    "one tool": {
        "round_trips": 41,
        "transactions": 13,
        "python_calls": 21_000,
        "wal_bytes": 12_500,
    },
    "letter": {"round_trips": 19, "transactions": 13, "python_calls": 34_500, "wal_bytes": 34_000},
}


@pytest.fixture(scope="module")
def counts() -> dict[str, Any]:
    done = run_bench("counts", "--ours", "--json")
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)["ours"]


@pytest.mark.parametrize("flow", MOST)
def test_a_turn_takes_no_more_than_it_did(counts: dict[str, Any], flow: str):
    taken = counts[flow]

    assert {name: min(taken[name], most) for name, most in MOST[flow].items()} == {
        name: taken[name] for name in MOST[flow]
    }
