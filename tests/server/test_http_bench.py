"""The benchmark runs; nothing is said of how fast."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


async def test_the_http_benchmark_runs_in_small():
    arguments = "--rounds 1 --runs 2 --clients 2 --streams 3 --tokens 60 --rate 100 --json".split()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "scripts.benchmarks", "http", *arguments),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(300):
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    result = json.loads(out)

    assert result["runs"]["one tool call"].keys() == {"http", "in-process"}
    assert result["streams"]["floor"]["streams"] == 3
    assert result["streams"]["own runs"]["streams"] == 3
    assert result["streams"]["one run"]["streams"] == 3
