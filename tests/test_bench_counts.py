"""What a turn does, counted. Such figures are the same on every machine, so they are held here."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_bench import measure

# At most. What is written by a clock is not counted. Python calls are those of 3.11 on
# uvloop; a machine on which answers come in more reads has a few more.
MAX_COUNTS = {
    "count": {"round_trips": 5, "transactions": 3, "python_calls": 1_900, "wal_bytes": 3_400},
    "one tool": {"round_trips": 6, "transactions": 5, "python_calls": 3_600, "wal_bytes": 9_800},
    "letter": {"round_trips": 10, "transactions": 10, "python_calls": 8_600, "wal_bytes": 23_900},
    "one tool, new sentence": {
        "round_trips": 7,
        "transactions": 6,
        "python_calls": 4_400,
        "wal_bytes": 11_500,
    },
    "letter, new sentence": {
        "round_trips": 11,
        "transactions": 11,
        "python_calls": 9_500,
        "wal_bytes": 26_700,
    },
}


@pytest.fixture(scope="module")
def counts() -> dict[str, Any]:
    pytest.importorskip("plainloop_lab")
    return measure("counts", "--ours")["ours"]


@pytest.mark.parametrize("flow", MAX_COUNTS)
def test_a_turns_statements_and_calls_stay_at_their_noted_counts(counts: dict[str, Any], flow: str):
    taken = counts[flow]

    assert {name: min(taken[name], most) for name, most in MAX_COUNTS[flow].items()} == {
        name: taken[name] for name in MAX_COUNTS[flow]
    }
