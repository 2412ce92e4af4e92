"""The test's side of the workers: starts, kills, stops and continues them; a client that comes
back with its cursor."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Final

from plainloop.agent.events import TERMINAL, Event
from tests.crash.worker import work_forever
from tests.warm import FORKS

PATIENCE_S: Final = 120.0
_numbers = itertools.count(1)


@dataclass
class Replica:
    """One worker process, seen from the test."""

    name: str
    process: Any
    said: dict[str, asyncio.Queue[dict[str, Any]]] = field(
        default_factory=lambda: defaultdict(asyncio.Queue)
    )
    connected: asyncio.Event = field(default_factory=asyncio.Event)
    writer: asyncio.StreamWriter | None = None
    is_stopped: bool = False

    async def wait_for(self, kind: str) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_S):
            return await self.said[kind].get()

    def ask(self, do: str, **arguments: Any) -> None:
        assert self.writer is not None
        self.writer.write(json.dumps({"do": do, **arguments}).encode() + b"\n")

    async def submit(self, thread_id: str, text: str, key: str) -> str:
        self.ask("submit", thread_id=thread_id, text=text, key=key)
        return (await self.wait_for("submitted"))["run_id"]

    def kill(self) -> None:
        """`kill -9`; nobody waits for the process, as nobody does for a crashed one."""
        os.kill(self.process.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Those who watch leave, as a browser does that hears nothing for long."""
        self.is_stopped = True
        os.kill(self.process.pid, signal.SIGSTOP)
        self.dismiss_viewers()

    def dismiss_viewers(self) -> None:
        for watch_id in [name for name in self.said if name.startswith("watch")]:
            self.said[watch_id].put_nowait({"kind": "gone"})

    def go_on(self) -> None:
        self.is_stopped = False
        os.kill(self.process.pid, signal.SIGCONT)
        self.ask("go_on")


class Replicas:
    """All workers of a test over one database. Use `async with`."""

    def __init__(self, environ: dict[str, str], log: str) -> None:
        self.environ = environ  # of those that are started from now on
        self._log = log
        self._all: dict[str, Replica] = {}
        self._server: asyncio.Server | None = None
        self._port = 0

    async def __aenter__(self) -> Replicas:
        self._server = await asyncio.start_server(self._listen, "127.0.0.1", 0, limit=2**22)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        for replica in self._all.values():
            if replica.process.is_alive():
                replica.kill()
        for replica in self._all.values():
            await asyncio.to_thread(replica.process.join)
        assert self._server is not None
        self._server.close()

    async def start(self, name: str, boundary: str = "", **more: str) -> Replica:
        arguments = (self._port, name, boundary, {**self.environ, **more}, self._log)
        process = FORKS.Process(target=work_forever, args=arguments, daemon=True)
        replica = self._all[name] = Replica(name, process)
        await asyncio.to_thread(process.start)
        await replica.wait_for("ready")
        return replica

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        replica: Replica | None = None
        try:
            while line := await reader.readline():
                said = json.loads(line)
                if said["kind"] == "hello":
                    replica = self._all[said["name"]]
                    replica.writer = writer
                elif replica is not None:
                    await replica.said[said.pop("to", said["kind"])].put(said)
        except (ConnectionError, json.JSONDecodeError):
            pass  # killed in the middle of a line
        finally:
            writer.close()
            if replica is not None:
                replica.dismiss_viewers()


class Client:
    """Follows one run: over another replica, from its cursor, when the one that it watches goes."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.events: list[Event] = []

    @property
    def cursor(self) -> int:
        return self.events[-1]["seq"] if self.events else 0

    @property
    def is_done(self) -> bool:
        return bool(self.events) and self.events[-1]["event"] in TERMINAL

    async def follow(self, replica: Replica) -> None:
        """Until the run's end, or until the replica is gone."""
        watch_id = f"watch{next(_numbers)}"
        queue = replica.said[watch_id]
        replica.ask("watch", to=watch_id, run_id=self.run_id, after=self.cursor)
        while not self.is_done:
            said = await queue.get()
            if said["kind"] == "gone":
                return
            self.events.append(said["event"])

    async def follow_to_end(self, replica: Replica) -> None:
        """Come back to it where it cuts its viewers: on a slow machine it may not hear in time
        whether its runs are its own still.
        """
        while not self.is_done:
            await self.follow(replica)
