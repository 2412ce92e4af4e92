"""Users' active runs take turns within a process: one user's flood is no other user's wait."""

from __future__ import annotations

import asyncio
from typing import Any

from plainloop.agent.base.sharing.fair_queue import act_for, get_party
from plainloop.agent.store.connecting.pool import pool_lane
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.types import RunRequest
from tests.machine.scripted import text, triage
from tests.runs.conftest import StartReplica

FLOOD = 80  # runs of one user
DELTAS = 10
# So many of the flood's steps may come before the other user's same one: those that were on their
# way already. In one line for all it is behind all of them.
BETWEEN = 20


class Script:
    """Answers every call once it is open, and keeps whose steps went on in which order."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.arrived = asyncio.Semaphore(0)
        self.answered: dict[str, list[str]] = {"triage": [], "answer": []}  # by user

    async def __call__(self, request: Any) -> Any:
        self.arrived.release()
        await self.open.wait()
        step = "answer" if request.json_schema is None else "triage"
        self.answered[step].append(get_party()[1])
        return triage("note_writer") if step == "triage" else text("word " * DELTAS)


async def test_one_users_flood_does_not_delay_anothers_first_turn(replica: StartReplica) -> None:
    script = Script()
    one = await replica(*[script] * (2 * FLOOD + 2), runs_at_once=2 * FLOOD)
    begun = [("ann", await one.create_thread()) for _ in range(FLOOD)]
    begun.append(("bob", await one.create_thread(user_id="bob")))
    told = [
        (user, await one.host.submit("acme", user, thread_id, RunRequest("tell me something")))
        for user, thread_id in begun
    ]
    for _ in told:  # all are active, and his is the last in every queue
        await script.arrived.acquire()
    script.open.set()
    for user, ticket in told:
        events = [event async for event in one.host.watch("acme", user, ticket.run_id)]
        assert events[-1]["event"] == "done"
    for step, users in script.answered.items():
        assert len(users) == FLOOD + 1, step
        assert users.index("bob") <= BETWEEN, (step, users)


async def test_users_take_turns_for_the_connections_of_a_process(replica: StartReplica) -> None:
    one = await replica()
    # One is left to reads and one to heartbeats.
    at_once = one.service.settings.get_table(DatabaseSettings).connections - 2
    database, served = one.service.store.database, list[str]()
    has_one, may_leave = asyncio.Semaphore(0), asyncio.Semaphore(0)

    async def ask(tenant_id: str, user_id: str) -> None:
        act_for(tenant_id, user_id)
        with pool_lane("run"):
            async with database.transaction(tenant_id):
                served.append(user_id)
                has_one.release()
                await may_leave.acquire()

    async with asyncio.TaskGroup() as group:
        for _ in range(FLOOD):
            group.create_task(ask("acme", "ann"))
        group.create_task(ask("acme", "bob"))
        group.create_task(ask("umbrella", "una"))
        # One connection is given back at a time: whose turn is next does not depend on how long
        # Postgres takes to open another.
        for place in range(FLOOD + 2):
            if place >= at_once:
                may_leave.release()
            await has_one.acquire()
        for _ in range(at_once):
            may_leave.release()
    assert len(served) == FLOOD + 2
    assert set(served[: at_once + 3]) == {"ann", "bob", "una"}, served
