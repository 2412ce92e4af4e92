"""Ray, Dask and Spark spread a recorded replay: each gives the bytes of one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.lab.tests.recorded.test_shards import FILES, write_talks
from tests.cli.conftest import Command


@pytest.mark.parametrize(
    ("engine", "package"), [("ray", "ray"), ("dask", "distributed"), ("spark", "pyspark")]
)
async def test_every_replay_engine_gives_the_same_bytes_as_one_process(
    engine: str, package: str, plainloop: Command, tmp_path: Path
) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed")
    write_talks(tmp_path / "talks.jsonl")
    asked = ("replay", "recorded", "--from", "talks.jsonl", "--processes")
    whole = await plainloop(*asked, "1", "--report", "whole")
    done = await plainloop(*asked, "2", "--engine", engine, "--report", engine)
    assert (done.code, done.out.splitlines()[0]) == (whole.code, whole.out.splitlines()[0]), done
    for name in FILES:
        assert (tmp_path / engine / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


async def test_a_missing_replay_engine_names_its_extra(plainloop: Command, tmp_path: Path) -> None:
    (tmp_path / "ray.py").write_text("raise ImportError\n")
    write_talks(tmp_path / "talks.jsonl")
    asked = ("replay", "recorded", "--from", "talks.jsonl", "--engine", "ray")
    done = await plainloop(*asked, PYTHONPATH=f"{tmp_path}:{plainloop.environ['PYTHONPATH']}")
    assert (done.code, "pip install 'plainloop-lab[ray]'" in done.err) == (2, True)
