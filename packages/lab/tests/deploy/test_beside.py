"""What clients of three replicas feel of a fourth that starts and is judged beside them: it prints
their turns' times, asserts none, and has them all end well.

Blocks of seconds come in rounds. In each round the same turns begin at the same moments beside
nothing and beside each fourth one, which is stopped (SIGSTOP) for the others' blocks and judges
again and again, so that thousands of turns meet it; the ratio's interval is by rounds.

`AGENT_DEPLOY_ROUNDS=40` for as many rounds (1) of `AGENT_DEPLOY_BLOCK_S` seconds (0.5),
`AGENT_DEPLOY_FOURTHS` for a fourth of each nice value and rests (`10/4`; `0/0,10/0,10/4` compares),
`AGENT_DEPLOY_PER_S` for more turns a second (30), `AGENT_DEPLOY_REPLAYED` for more conversations of
a judgement (20).
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import os
import random
import signal
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from packages.lab.tests.deploy.changing import copy_served, edit
from packages.lab.tests.deploy.test_under_load import JUDGED, LIMITS, PATIENCE_S, SAID, read_log
from plainloop_lab.deploy.aside import RESTS
from tests.cli.conftest import COMMAND, Command, make_environ
from tests.server.test_serving import start_server

ROUNDS = int(os.environ.get("AGENT_DEPLOY_ROUNDS") or 1)
REPLICAS = 3 if ROUNDS > 1 else 2
PER_S = float(os.environ.get("AGENT_DEPLOY_PER_S") or 30)
BLOCK_S = float(os.environ.get("AGENT_DEPLOY_BLOCK_S") or 0.5)
REPLAYED = int(os.environ.get("AGENT_DEPLOY_REPLAYED") or 20)
FOURTHS = (os.environ.get("AGENT_DEPLOY_FOURTHS") or f"10/{RESTS}").split(",")
NOTHING = "nothing"
KEPT_S = 2.0  # a connection: less than a server keeps an idle one
DRAWS = 2_000  # of a confidence interval
JUDGES_ONCE = "        verdict = await judge_stored(judge, store, reading, threads, rests=rests)\n"
JUDGES_AGAIN = f"""\
        import time
        while is_whole:
            await judge_stored(judge, store, reading, threads, rests=rests)
            told = {{"conversations": len(threads), "cpu_s": time.thread_time()}}
            logger.info("deploy_repeated", extra=told)
{JUDGES_ONCE}"""
Block = list[float]  # seconds of turns, from when each was due


@dataclass(frozen=True)
class Turn:
    due_s: float  # from its block's begin
    words: str


@dataclass
class Pace:
    """Turns that begin by the clock, however long those before take."""

    ports: list[int]
    ends: list[str] = field(default_factory=list[str])
    idle: dict[int, list[Any]] = field(default_factory=lambda: defaultdict(list[Any]))

    async def pass_block(self, turns: list[Turn]) -> Block:
        """Begin each turn when it is due, and wait for all."""
        begun = time.monotonic()
        talking: list[asyncio.Task[float]] = []
        async with asyncio.TaskGroup() as group:
            for number, turn in enumerate(turns):
                await asyncio.sleep(max(0.0, begun + turn.due_s - time.monotonic()))
                port = self.ports[number % len(self.ports)]
                talking.append(group.create_task(self.talk(port, turn, begun)))
        return [task.result() for task in talking]

    async def talk(self, port: int, turn: Turn, begun: float) -> float:
        path = "/api/chat/conversations"
        made = json.loads(await self.post(port, path, {}))
        said = await self.post(port, f"{path}/{made['id']}/messages", {"content": turn.words})
        self.ends.append(said.rpartition(b"event: ")[2].partition(b"\n")[0].decode())
        return time.monotonic() - begun - turn.due_s

    async def post(self, port: int, path: str, content: dict[str, Any]) -> bytes:
        """The answer's body. Without a library: the client shares the machine with the servers."""
        reader, writer = await self.connect(port)
        body = json.dumps(content).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert answer.startswith((b"http/1.1 200", b"http/1.1 201")), answer
        if b"content-length: " in answer:
            size = int(answer.partition(b"content-length: ")[2].split()[0])
            found = await reader.readexactly(size)
        else:
            found = b"".join([piece async for piece in read_chunks(reader)])
        self.idle[port].append((time.monotonic(), reader, writer))
        return found

    async def connect(self, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection that was used just now, which no server has closed, or a new one."""
        while idle := self.idle[port]:
            used_at, reader, writer = idle.pop()
            if used_at > time.monotonic() - KEPT_S:
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", port)


async def read_chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while size := int(await reader.readline(), 16):
        yield (await reader.readexactly(size + 2))[:-2]
    await reader.readline()


def draw_turns(seed: int, block_s: float) -> list[Turn]:
    chance = random.Random(seed)
    words = [words for words in SAID if not words.startswith("add")]
    turns: list[Turn] = []
    due_s = chance.expovariate(PER_S)
    while due_s < block_s:
        turns.append(Turn(due_s, chance.choice(words)))
        due_s += chance.expovariate(PER_S)
    return turns


@dataclass
class Fourth:
    """A replica that is judged. seen: when its log said what."""

    process: Any
    seen: dict[str, asyncio.Future[float]]
    repeated: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    async def read(self) -> None:
        async for raw in self.process.stderr:
            line = json.loads(raw) if raw.startswith(b"{") else {}
            if line.get("event") == "deploy_repeated":
                self.repeated.append(line)
            seen = self.seen.get(line.get("event", ""))
            if seen is not None and not seen.done():
                seen.set_result(time.monotonic())

    @asynccontextmanager
    async def going_on(self) -> AsyncIterator[None]:
        """It works for as long, and stands still again."""
        self.process.send_signal(signal.SIGCONT)
        yield
        self.process.send_signal(signal.SIGSTOP)


@asynccontextmanager
async def start_fourth(command: Command, environ: Mapping[str, str]) -> AsyncIterator[Fourth]:
    """One that starts, and is killed."""
    process: Any = await command.start("serve", "--port", "0", **environ)
    events = ("deploy_judging", "deploy_repeated", "deploy_judged")
    loop = asyncio.get_running_loop()
    fourth = Fourth(process, {event: loop.create_future() for event in events})
    reading = asyncio.create_task(fourth.read())
    yield fourth
    process.kill()
    await process.wait()
    await reading


@pytest.fixture
async def command(tmp_path: Path) -> AsyncIterator[Command]:
    # Each in a session of its own, as under systemd, where something is measured.
    program = COMMAND if ROUNDS == 1 else ("setsid", *COMMAND)
    command = Command(make_environ(tmp_path), tmp_path, program=program)
    yield command
    await command.close()


async def test_turns_on_other_replicas_succeed_while_a_deploy_is_judged(
    command: Command, empty_database_url: str, tmp_path: Path
):
    environ = {
        **JUDGED,
        **{f"AGENT_LIMITS_{name}": "1000000" for name in LIMITS},
        "AGENT_DEPLOY_SAMPLE": str(REPLAYED),
        "DATABASE_URL": empty_database_url,
    }
    started = await asyncio.gather(*(start_server(command, **environ) for _ in range(REPLICAS)))
    reading = [asyncio.create_task(read_log(process)) for process, _ in started]
    pace = Pace([urlsplit(url).port or 0 for _, url in started])
    while len(pace.ends) < REPLAYED:
        await pace.pass_block(draw_turns(-1, REPLAYED / PER_S))
    arms: dict[str, dict[str, str]] = {}
    for number, (nice, rests) in enumerate(arm.split("/") for arm in FOURTHS):
        copy = copy_served(tmp_path / f"changed{number}")
        change(copy, rests)
        told = {**environ, "AGENT_DEPLOY_NICE": nice, "PYTHONPATH": str(copy)}
        arms[f"nice {nice}, rests {rests}"] = told
    await compare_judging(pace, command, arms)
    for task in reading:
        task.cancel()
    assert set(pace.ends) == {"done"}


def change(copy: Path, rests: str) -> None:
    """Make it another code than what serves, which judges again and again."""
    folder = copy / "plainloop_lab" / "deploy"
    edit(folder / "aside.py", f"RESTS: Final = {RESTS}", f"RESTS: Final = {rests}")
    edit(folder / "gate.py", JUDGES_ONCE, JUDGES_AGAIN)


async def compare_judging(pace: Pace, command: Command, told: Mapping[str, Any]) -> None:
    fourths: dict[str, Fourth] = {}
    blocks: dict[str, list[Block]] = defaultdict(list)
    busy: dict[str, list[float]] = defaultdict(list)

    async def pass_block(number: int, arm: str) -> None:
        psutil.cpu_percent()
        found = await pace.pass_block(draw_turns(number, BLOCK_S))
        busy[arm].append(psutil.cpu_percent())
        blocks[arm].append(found)

    async def pass_round(number: int) -> None:
        arms = [NOTHING, *fourths]
        for arm in arms[:: 1 if number % 2 else -1]:
            if arm == NOTHING:
                await pass_block(number, arm)
                continue
            async with fourths[arm].going_on():
                await pass_block(number, arm)

    async with AsyncExitStack() as exits:
        for arm, environ in told.items():
            fourth = await exits.enter_async_context(start_fourth(command, environ))
            async with asyncio.timeout(PATIENCE_S):
                await fourth.seen["deploy_repeated"]
            fourth.process.send_signal(signal.SIGSTOP)
            fourths[f"judging, {arm}"] = fourth
        for number in range(ROUNDS):
            await pass_round(number)
    print()
    for arm, found in blocks.items():
        taken = sum(busy[arm]) / len(busy[arm])
        print(f"{arm}: {taken:.0f} % of the machine; {compare(found, blocks[NOTHING])}")
    for arm, fourth in fourths.items():
        if len(fourth.repeated) > 1:
            print(f"{arm}: {tell_pace(fourth.repeated)}")


def tell_pace(repeated: list[dict[str, Any]]) -> str:
    """What the judging thread took, from its first judgement's end to its last, and about how long
    that was by the clock, as far as it was not stopped.
    """
    first, last = repeated[0], repeated[-1]
    count = sum(one["conversations"] for one in repeated[1:])
    cpu_s = last["cpu_s"] - first["cpu_s"]
    took_s, clock_s = (10_000 * each / count for each in (cpu_s, ROUNDS * BLOCK_S))
    return f"10,000 conversations in {took_s:.0f} s of a core, {clock_s:.0f} by the clock ({count})"


def compare(rounds: list[Block], without: list[Block]) -> str:
    """Percentiles, and how much more each is than without, with its 95 % interval by rounds."""
    told = f"{sum(map(len, rounds))} turns"
    for share in (0.5, 0.95, 0.99):
        here, there = find_percentile(rounds, share), find_percentile(without, share)
        told += f"; p{100 * share:.0f} {1000 * here:.1f} ms"
        if rounds is not without:
            low, high = find_interval(rounds, without, share)
            told += f" ({100 * here / there - 100:+.1f} %, {low:+.1f} to {high:+.1f})"
    return told


def find_interval(rounds: list[Block], without: list[Block], share: float) -> tuple[float, float]:
    chance = random.Random(1)
    ratios: list[float] = []
    for _ in range(DRAWS):
        drawn = chance.choices(range(len(rounds)), k=len(rounds))
        here, there = (
            find_percentile([side[n] for n in drawn], share) for side in (rounds, without)
        )
        ratios.append(100 * here / there - 100)
    ratios.sort()
    return ratios[DRAWS // 40], ratios[-DRAWS // 40]


def find_percentile(rounds: list[Block], share: float) -> float:
    ordered = sorted(itertools.chain.from_iterable(rounds))
    return ordered[math.floor(share * (len(ordered) - 1))] if ordered else math.nan
