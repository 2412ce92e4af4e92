"""A replica as a process of its own, driven over a socket by the test that forked it.

Lines of JSON in both directions. In: `submit`, `watch`, `go`, `drain`. Out: `ready`, `reached`,
`submitted`, `event`, `gone` (a viewer was cut), `drained`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.models import Models, connect_models
from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.packs.helping import add_helpers
from plainloop.agent.service.runs import RunHost
from plainloop.agent.service.service import Service
from plainloop.agent.store import leases
from plainloop.agent.store.opening import connect_store
from plainloop.agent.types import RunRequest
from tests.crash.boundaries import StoppingModels, StoppingStore, World
from tests.machine.notes_pack import REVIEWED, WRITER, add_note, make_pack

TENANT, USER = "acme", "ann"
# As a replica tells it where deploys are judged.
TELL_CODE = """
    insert into replicas (owner, is_draining, code, repeats, takes_runs)
    values ($1, false, $2, array[$2::text], true)
    on conflict (owner) do update set code = excluded.code, repeats = excluded.repeats,
        takes_runs = true
"""


class Worker:
    """One replica. boundary: where it stands still the first time; "" for nowhere. code: which
    code it tells that it has, as a deploy that is judged does; "": it tells none.
    """

    def __init__(self, boundary: str, code: str, reader: asyncio.StreamReader, writer: Any) -> None:
        self._boundary = boundary
        self._code = code
        self._reader = reader
        self._writer = writer
        self._go = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def reach(self, boundary: str) -> None:
        if boundary == self._boundary:
            self._boundary = ""
            self.say("reached", boundary=boundary)
            await self._go.wait()

    def say(self, kind: str, **data: Any) -> None:
        self._writer.write(json.dumps({"kind": kind, **data}).encode() + b"\n")

    async def run(self, environ: dict[str, str], log: Path) -> None:
        settings = load_settings(environ)
        store = StoppingStore.wrap(await connect_store(settings, migrate=False), self.reach)
        models = StoppingModels(await connect_models(settings), self.reach)
        pack = make_effects_pack(World(log, self.reach))
        service = Service(settings, store, cast(Models, models), (pack,))
        host = RunHost(service)
        if self._code:
            service.join_replicas(self._code)
            async with store.database.operate() as tx:
                await tx.execute(TELL_CODE, service.owner, self._code)
        await host.start()
        self.say("ready", owner=service.owner)
        while line := await self._reader.readline():
            command = json.loads(line)
            work = getattr(self, f"_{command.pop('do')}")
            task = asyncio.create_task(work(host, **command))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        os._exit(0)

    async def _submit(self, host: RunHost, thread_id: str, text: str, key: str) -> None:
        request = RunRequest(text, idempotency_key=key)
        ticket = await host.submit(TENANT, USER, thread_id, request)
        self.say("submitted", run_id=ticket.run_id, is_new=ticket.is_new)

    async def _watch(self, host: RunHost, to: str, run_id: str, after: int) -> None:
        try:
            async for event in host.watch(TENANT, USER, run_id, after):
                self.say("event", to=to, event=event)
        finally:
            self.say("gone", to=to)

    async def _go_on(self, host: RunHost) -> None:
        self._go.set()

    async def _drain(self, host: RunHost, grace_s: float) -> None:
        await host.drain(grace_s)
        self.say("drained")


def make_effects_pack(world: World) -> Pack:
    """One tool for each effect, and two that bring their process down; all of them leave a line in
    the world's log.
    """

    @tool("read")
    async def look(tool: ToolContext, what: str) -> Any:
        """Look something up."""
        return await world.act("look", tool.idempotency_key)

    @tool("write")
    async def note(tool: ToolContext, what: str) -> Any:
        """Write something down."""
        await add_note.function(tool, what)
        return await world.act("note", tool.idempotency_key)

    @tool("external", is_keyed=True)
    async def pay(tool: ToolContext, what: str) -> Any:
        """Pay for something."""
        return await world.act("pay", tool.idempotency_key)

    @tool("external")
    async def mail(tool: ToolContext, what: str) -> Any:
        """Mail something."""
        return await world.act("mail", tool.idempotency_key)

    @tool("read")
    async def blow(tool: ToolContext, what: str) -> Any:
        """End the process."""
        await world.act("blow", tool.idempotency_key)
        os.kill(os.getpid(), signal.SIGKILL)

    @tool("read")
    async def stall(tool: ToolContext, what: str) -> Any:
        """Let the process stand still until the run is another's."""
        await world.act("stall", tool.idempotency_key)
        world.stand_still(tool.ctx.run.fence)

    tools = (blow, look, mail, note, pay, stall)
    worker = replace(WRITER, tools=tuple(item.name for item in tools))
    lead = WorkerSpec("lead", "lets others work", "You lead.", (), helpers=(worker.name,))
    return add_helpers(replace(make_pack(), workers=(worker, REVIEWED, lead), tools=tools))


def work_forever(port: int, name: str, boundary: str, environ: dict[str, str], log: str) -> None:
    """The forked process's whole life."""

    code = environ.pop("CODE", "")

    async def main() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
        writer.write(json.dumps({"kind": "hello", "name": name}).encode() + b"\n")
        await Worker(boundary, code, reader, writer).run(environ, Path(log))

    if boot := environ.pop("BOOT", ""):  # a machine of its own, which has the others' name
        leases._make_host = lambda: f"host.{boot}.4026531836"  # type: ignore[reportPrivateUsage]
    logging.disable(logging.CRITICAL)
    asyncio.run(main())
