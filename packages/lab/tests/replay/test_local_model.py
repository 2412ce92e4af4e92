"""A real model, which nobody wrote a script for, as the candidate of a live replay."""

from __future__ import annotations

from pathlib import Path

from packages.lab.tests.replay.test_live import load_results, write_rooms
from plainloop.agent.store.store import Store
from plainloop_lab.store import replays as store_replays
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.local_model import LocalModel
from tests.local_model import local_model as local_model


async def test_a_local_model_ends_every_replay_and_tokens_match(
    local_model: LocalModel, plainloop: Command, store: Store, tmp_path: Path
) -> None:
    before = local_model.read_tokens()
    done = await plainloop(*write_rooms(tmp_path), "--no-baseline", **local_model.environ)
    assert done.code == 0, done
    (item,) = await load_results(store)
    assert item.result is not None, (item.error_code, item.error_message)
    assert len(item.result["turns"]) == 2
    rows = store.read("local")
    (info,) = await store_replays.list_replays(rows, None, 10)
    totals = await store_replays.load_ledger_totals(rows, info.replay_id)
    after = local_model.read_tokens()
    counted = [b - a for a, b in zip(before, after, strict=True)]
    buckets = ("input_tokens", "cache_read_tokens", "output_tokens")
    if not totals["failed"]:  # a call that was cut states nothing
        assert [totals[name] for name in buckets] == counted
