"""A gate's verdict is a row, and webhooks are told in the transaction in which it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from packages.lab.tests.test_gate import REWARD, VERDICTS, spread, write, write_talks
from plainloop.agent.base.ids import make_id
from plainloop.agent.store.store import Store
from plainloop_lab.decide.rules import read_rules
from plainloop_lab.store.verdicts import record_gate_verdict
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

HOOK = (
    "insert into webhooks (tenant_id, webhook_id, user_id, url, secret, events)"
    " values ($1, $2, $3, 'https://hooks.example', 'x', $4)"
)
GATE = ("gate", "rules.toml", "-b", "then.jsonl", "-c", "now.jsonl")


async def add_hook(store: Store, tenant: str, user: str | None, *events: str) -> str:
    async with store.transaction(tenant) as tx:
        await tx.execute(HOOK, tenant, hook := make_id(), user, [*events])
    return hook


async def list_told(store: Store, tenant: str) -> list[Any]:
    sql = "select webhook_id, event, data from webhook_deliveries order by delivery_id"
    return [*await store.read(tenant).fetch(sql)]


def write_sides(folder: Path, now: list[float]) -> Path:
    write_talks(folder / "then.jsonl", spread(0.8, len(now)))
    write_talks(folder / "now.jsonl", now)
    return write(folder / "rules.toml", REWARD)


@pytest.mark.parametrize("name", VERDICTS)
async def test_a_gates_verdict_on_files_is_stored_and_sent_on_request(
    name: str, plainloop: Command, store: Store, tmp_path: Path
) -> None:
    now, verdict, code = VERDICTS[name]
    write_sides(tmp_path, now)
    mine = await add_hook(store, "local", "local", "gate.decided")
    all_of_us = await add_hook(store, "local", None, "run.ended", "gate.decided")
    await add_hook(store, "local", "bob", "gate.decided")
    await add_hook(store, "umbrella", None, "gate.decided")
    unasked = await plainloop(*GATE)
    assert (unasked.code, await list_told(store, "local")) == (code, [])

    asked = await plainloop(*GATE, "--record")
    told = await list_told(store, "local")
    [row] = await store.read("local").fetch("select * from gate_verdicts")

    assert asked.code == code
    assert {str(item["webhook_id"]) for item in told} == {mine, all_of_us}
    assert [item["event"] for item in told] == ["gate.decided"] * 2
    assert told[0]["data"] == {
        "verdict_id": str(row["verdict_id"]),
        "verdict": verdict,
        "rules": row["rules"],
        "candidates": [{"replay_id": None, "verdict": verdict, "tasks": len(now)}],
    }
    assert await list_told(store, "umbrella") == []


async def test_a_verdict_of_a_rolled_back_transaction_sends_no_webhook(
    store: Store, tmp_path: Path
) -> None:
    rules = read_rules(write(tmp_path / "rules.toml", REWARD))
    await add_hook(store, "acme", None, "gate.decided")
    result = {"verdict": "passed", "candidates": [{"name": "x", "verdict": "passed", "tasks": 9}]}
    with pytest.raises(ZeroDivisionError):
        async with store.transaction("acme") as tx:
            await record_gate_verdict(tx, "ann", rules, result, {"x": None})
            raise ZeroDivisionError
    assert await list_told(store, "acme") == []
    async with store.transaction("acme") as tx:
        await record_gate_verdict(tx, "ann", rules, result, {"x": make_id()})
    assert len(await list_told(store, "acme")) == 1
