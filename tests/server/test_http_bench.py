"""The benchmark runs; nothing is said of how fast."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.processes import run_program

ROOT = Path(__file__).parents[2]


async def test_the_http_benchmark_runs_at_a_small_size():
    pytest.importorskip("plainloop_careers")
    arguments = "--rounds 1 --runs 2 --clients 2 --streams 3 --tokens 60 --rate 100 --json".split()
    command = (sys.executable, "-m", "scripts.benchmarks", "http", *arguments)
    result = json.loads(await run_program(*command, folder=ROOT, timeout_s=300))

    assert result["runs"]["one tool call"].keys() == {"http", "in-process"}
    assert result["streams"]["floor"]["streams"] == 3
    assert result["streams"]["own runs"]["streams"] == 3
    assert result["streams"]["one run"]["streams"] == 3
