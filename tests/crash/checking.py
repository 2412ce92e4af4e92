"""What must hold after any crash, read from the database, the wire server's and the world's log."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.messages.contents import get_answer, list_open_calls
from plainloop.agent.core.history import repair_history
from plainloop.agent.events import TERMINAL, Event
from plainloop.agent.store.store import Store
from tests.machine.running import TENANT, USER, fold_text

SETTLE_TRIES: Final = 600
FINAL_STATUSES: Final = {"succeeded", "failed", "unknown", "denied", "interrupted"}


async def check_run(store: Store, run_id: str, asked: str, seen: list[Event]) -> dict[str, Any]:
    """Check one run and its thread; returns what its tool call came to, for the caller's part."""
    run = await store.load_run(TENANT, USER, run_id)
    told = (run.status, run.error_code, run.error_message, run.attempt)
    assert told[:2] == ("succeeded", None), told
    messages = await store.load_messages(TENANT, run.thread_id)
    assert fold_text([*_text_of(messages[:1])]) == asked, "the acknowledged message is there"
    assert repair_history(messages)[1] == [], (repair_history(messages)[1], messages)
    assert list_open_calls(messages) == []
    read = store.read(TENANT)
    rows = await read.fetch(
        "select position from messages where thread_id = $1 order by position", run.thread_id
    )
    assert [row["position"] for row in rows] == list(range(len(rows)))
    steps = await store.load_steps(TENANT, run_id)
    assert [step.n for step in steps] == list(range(len(steps)))

    events = await store.load_events(TENANT, run_id)
    assert [e["event"] for e in events if e["event"] in TERMINAL] == ["done"]
    numbers = [event["seq"] for event in events]
    assert numbers == sorted(set(numbers)), [(e["seq"], e["event"]) for e in events]
    answer = get_answer(messages)
    assert fold_text(events) == events[-1]["data"]["content"] == answer
    assert [e["seq"] for e in seen] == sorted({e["seq"] for e in seen}), "each once, in order"
    assert fold_text(seen) == answer, "what the client shows is what is stored"
    assert seen[-1]["event"] == "done"

    calls = await store.list_tool_calls(TENANT, run_id)
    assert {call.status for call in calls} <= FINAL_STATUSES
    return {call.name: call.status for call in calls}


async def check_ledger(store: Store, wire_requests: list[Any]) -> None:
    """Every request that the wire server saw has its row, and every row is settled."""
    statuses: Counter[str] = Counter()
    for _ in range(SETTLE_TRIES):
        rows = await store.read(TENANT).fetch("select status from llm_calls")
        statuses = Counter(row["status"] for row in rows)
        if not statuses["started"]:
            break
        await asyncio.sleep(0.1)  # a process that was continued has yet to see that it lost
    assert not statuses["started"], statuses
    assert statuses.total() >= len(wire_requests), (statuses, len(wire_requests))


def read_world(log: Path) -> Counter[tuple[str, str]]:
    """(tool, key) → how many calls the outside world saw."""
    lines = log.read_text().splitlines() if log.exists() else []
    return Counter((name, key) for name, key in (line.split(" ") for line in lines))


def check_effects(world: Counter[tuple[str, str]], run_id: str, tool: str, status: str) -> None:
    """The promise for this tool's class of effect. `note` is checked by its rows."""
    keys = {key for name, key in world if name == tool and key.startswith(run_id)}
    times = sum(world[tool, key] for key in keys)
    if tool == "pay":
        assert len(keys) == 1, "one key, so one effect"
        assert status == "succeeded"
    elif tool == "mail":
        assert times <= 1, "never again without being told to"
        assert status == ("succeeded" if times else "unknown") or status == "unknown"
    else:
        assert times >= 1
        assert status == "succeeded"


def _text_of(messages: list[Any]) -> list[Any]:
    return [
        {"event": "text_delta", "data": {"content": part["text"]}}
        for message in messages
        for part in message["parts"]
        if part["type"] == "text"
    ]
