"""Runs of every kind, recorded once as their events: what all encoders are held against.

`PLAINLOOP_UPDATE_GOLDEN=1 pytest tests/protocols/test_golden.py` records them anew.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from plainloop.agent.base.messages.contents import get_answer
from plainloop.agent.errors import ModelAuthError, StreamCut
from plainloop.agent.events import WAITING, Event
from plainloop.agent.store.budgets import Budget, save_budget
from plainloop.agent.types import ToolSchema
from tests.machine.running import TENANT, USER
from tests.machine.scripted import Cut, Hang, text, thought, tools, triage, verdict
from tests.runs.conftest import Replica, StartReplica
from tests.runs.effects_pack import World
from tests.runs.test_takeover import SLOW, expire_leases

FILE = Path(__file__).with_name("golden.json")
ADD = ("c1", "add_note", {"text": "milk"})
LIST = ("c2", "list_notes", {})
NOW: dict[str, Any] = {"retry_after_s": 0.0}
_IDS = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class Golden:
    """One run as it was told, and what its thread holds of the answer at the end."""

    name: str
    events: list[Event]
    answer: str

    @property
    def pauses(self) -> list[int]:
        """The seqs at which it began to wait for its user."""
        following = [*self.events[1:], None]
        return [
            event["seq"]
            for event, after in zip(self.events, following, strict=True)
            if event["event"] in WAITING and (after is None or after["event"] not in WAITING)
        ]


def load_golden() -> list[Golden]:
    return msgspec.json.decode(FILE.read_bytes(), type=list[Golden])


def save_golden(runs: list[Golden]) -> None:
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(runs), indent=1) + b"\n")


def to_outline(events: list[Event]) -> list[str]:
    """What happened, whatever the numbers and the pieces of text."""
    return [name for name, _ in groupby(event["event"] for event in events)]


Recorder = Callable[[StartReplica], Awaitable[tuple[Replica, str]]]


async def begin(start: StartReplica, *script: Any, **more: Any) -> tuple[Replica, str]:
    pack = World().make_pack()
    one = await start(*script, pack=pack, **more)
    return one, await one.submit(await one.create_thread(), "please do it")


async def decide_all(one: Replica, run_id: str, approve: bool) -> None:
    async for event in one.host.watch(TENANT, USER, run_id):
        if event["event"] == "approval_request":
            break
    for asked in await one.host.list_approvals(TENANT, USER, run_id):
        await one.host.decide_approval(TENANT, USER, run_id, asked.approval_id, approve, USER)


async def plain(start: StartReplica) -> tuple[Replica, str]:
    return await begin(start, triage("note_writer"), text("Hello there, Ada.\n\nAnd “good day”."))


async def with_tools(start: StartReplica) -> tuple[Replica, str]:
    first = tools(ADD, said="Let me note that.")
    return await begin(start, triage("note_writer"), first, tools(LIST), text("Noted: milk."))


async def parallel(start: StartReplica) -> tuple[Replica, str]:
    calls = tools(ADD, LIST, ("c3", "pay", {"amount": 5}), ("c4", "nothing", {}), said="All of it.")
    return await begin(start, triage("note_writer"), calls, text("Done, but for one."))


async def reviewed(start: StartReplica) -> tuple[Replica, str]:
    return await begin(
        start,
        triage("poet"),
        tools(LIST, said="I look at your notes."),
        text("Roses are red."),
        verdict("retry", "It must rhyme.", 0.3),
        text("Roses are red, so is your bed."),
        verdict("pass"),
    )


async def broken_off(start: StartReplica) -> tuple[Replica, str]:
    cut = Cut("Half of another", StreamCut("gone", **NOW))
    first = tools(LIST, said="I look.")
    return await begin(start, triage("note_writer"), first, cut, text("A whole answer."))


async def approved(start: StartReplica, approve: bool = True) -> tuple[Replica, str]:
    burn = tools(("c1", "burn_notes", {}), LIST, said="I am about to burn them.")
    one, run_id = await begin(start, triage("note_writer"), burn, text("So be it."))
    await decide_all(one, run_id, approve)
    return one, run_id


async def denied(start: StartReplica) -> tuple[Replica, str]:
    return await approved(start, approve=False)


async def two_approvals(start: StartReplica) -> tuple[Replica, str]:
    both = tools(("c1", "burn_notes", {}), ("c2", "publish", {"text": "hello"}))
    one, run_id = await begin(start, triage("note_writer"), both, text("Both are done."))
    await decide_all(one, run_id, True)
    return one, run_id


async def cancelled(start: StartReplica) -> tuple[Replica, str]:
    one, run_id = await begin(start, triage("note_writer"), tools(LIST), Hang("Half of an"))
    async for event in one.host.watch(TENANT, USER, run_id):
        if event["event"] == "text_delta" and event["data"]["content"].endswith("an"):
            break
    run = await one.service.store.load_run(TENANT, USER, run_id)
    await one.host.cancel(TENANT, USER, run.thread_id)
    return one, run_id


async def at_limit(start: StartReplica) -> tuple[Replica, str]:
    more = tools(("c2", "add_note", {"text": "honey"}), said="And another.")
    script = (triage("note_writer"), tools(ADD, said="One."), more)
    return await begin(start, *script, worker_turns=2)


async def without_budget(start: StartReplica) -> tuple[Replica, str]:
    one = await start(triage("note_writer"), text("Never."), pack=World().make_pack())
    async with one.service.store.transaction(TENANT) as tx:
        await save_budget(tx, Budget("tenant", "day", 100, None))
    return one, await one.submit(await one.create_thread(), "please do it")


async def failed(start: StartReplica) -> tuple[Replica, str]:
    broken = [Cut("Half of it", ModelAuthError("the key is wrong"))]
    return await begin(start, triage("note_writer"), tools(LIST, said="I look."), *broken)


async def taken_over(start: StartReplica) -> tuple[Replica, str]:
    """In the middle of an answer, after a tool call; the second owner says something else."""
    pack = World().make_pack()
    hang = Hang("The first half")
    script = (triage("note_writer"), tools(ADD, said="I note it."), hang)
    first = await start(*script, pack=pack, **SLOW)
    run_id = await first.submit(await first.create_thread(), "please do it")
    async for event in first.host.watch(TENANT, USER, run_id):
        if event["event"] == "text_delta" and event["data"]["content"].endswith("half"):
            break
    await first.service.live.flush()
    await expire_leases(first)
    return await start(text("Another answer."), pack=pack), run_id


async def client_tools(start: StartReplica) -> tuple[Replica, str]:
    """Two of the client's own, beside one of ours; one of them fails."""
    one = await start(
        triage("note_writer"),
        tools(("c1", "get_place", {}), LIST, ("c3", "get_time", {}), said="Let me see."),
        text("It is late in Oslo."),
        pack=World().make_pack(),
    )
    own = tuple(ToolSchema(name, "", {"type": "object"}) for name in ("get_place", "get_time"))
    run_id = await one.submit(await one.create_thread(), "please do it", client_tools=own)
    async for events in one.host.watch_turn(TENANT, USER, run_id):
        if events[-1]["event"] == "tool_request":
            break
    for call_id, result in (("c1", {"place": "Oslo"}), ("c3", "no clock")):
        answer = {"result": result, "is_error": call_id == "c3"}
        await one.host.answer_call(TENANT, USER, run_id, call_id, answer)
    return one, run_id


async def thoughtful(start: StartReplica) -> tuple[Replica, str]:
    """It thinks before a tool call, before a draft and before what takes the draft's place."""
    one = await start(
        triage("poet"),
        thought("Notes may help.", tools(LIST, said="I look at your notes.")),
        thought("Red is a colour.", text("Roses are red.")),
        verdict("retry", "It must rhyme.", 0.3),
        thought("Bed rhymes.", text("Roses are red, so is your bed.")),
        verdict("pass"),
        pack=World().make_pack(),
    )
    thread_id = await one.create_thread()
    return one, await one.submit(thread_id, "please do it", tells_reasoning=True)


RUNS: tuple[Recorder, ...] = (
    *(plain, with_tools, parallel, reviewed, broken_off, approved, denied, two_approvals),
    *(client_tools, thoughtful),
    *(cancelled, at_limit, without_budget, failed, taken_over),
)


async def record(recorder: Recorder, start: StartReplica) -> Golden:
    one, run_id = await recorder(start)
    async with asyncio.timeout(120):
        events = await one.collect(run_id)
    thread_id = events[0]["data"]["thread_id"]
    answer = get_answer(await one.service.store.load_messages(TENANT, thread_id))
    known: dict[str, str] = {}

    def rename(match: re.Match[str]) -> str:
        return known.setdefault(match[0], f"{len(known) + 1:08d}-0000-7000-8000-000000000000")

    plain_events = msgspec.json.decode(_IDS.sub(rename, msgspec.json.encode(events).decode()))
    return Golden(recorder.__name__, plain_events, answer)
