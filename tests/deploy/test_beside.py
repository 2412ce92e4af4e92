"""What clients of three replicas feel of a fourth that starts and is judged beside them: it prints
their turns' times, asserts none, and has them all end well.

`AGENT_DEPLOY_ROUNDS=8` for as many rounds (1), each without it and with it, once for each of
`AGENT_DEPLOY_NICES` (10; `0,10,19` compares); `AGENT_DEPLOY_BUSY` is the percentage of
the machine that the load takes before (55), `AGENT_DEPLOY_REPLAYED` how many conversations each
judgement replays (40).
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import shutil
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.cli.conftest import COMMAND, Command, make_environ
from tests.deploy.changing import add_comment, copy_served, copy_tree
from tests.deploy.test_under_load import JUDGED, LIMITS, PATIENCE_S, REPLICAS, SAID, Load, read_log
from tests.server.test_serving import make_client, start_server

ROUNDS = int(os.environ.get("AGENT_DEPLOY_ROUNDS") or 1)
BUSY = float(os.environ.get("AGENT_DEPLOY_BUSY") or 55)
REPLAYED = int(os.environ.get("AGENT_DEPLOY_REPLAYED") or 40)
# The nice values of the fourth; None: there is none.
ARMS = (None, *(os.environ.get("AGENT_DEPLOY_NICES") or "10").split(","))
LOOKS = 3  # until the load takes what it shall
LOOK_S = 2.0 if ROUNDS == 1 else 6.0
FIRST_PER_S = 10.0
WITHOUT_S = 3.0 if ROUNDS == 1 else 12.0
DRAWS = 2_000  # of a confidence interval

Took = dict[str, list[list[float]]]  # by what was beside them, by round: seconds of turns


@dataclass
class Pace:
    """Turns that begin by the clock, however long those before take. A turn's time counts from when
    it was due.
    """

    load: Load
    per_s: float = FIRST_PER_S
    beside: str = ""  # what is there now; "": what is not counted
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list[float]))

    async def keep(self) -> None:
        chance = random.Random(1)
        turns = (words for words in itertools.cycle(SAID) if not words.startswith("add"))
        due = time.monotonic()
        async with asyncio.TaskGroup() as group:
            while not self.load.stop.is_set():
                due += chance.expovariate(self.per_s)
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                self.load.asked += 1
                group.create_task(self.talk(next(turns), due))

    async def talk(self, words: str, due: float) -> None:
        took = self.took[self.beside]
        client = self.load.clients[self.load.asked % len(self.load.clients)]
        self.load.ends.append(await self.load.say(client, words))
        took.append(time.monotonic() - due)

    async def take_as_much(self) -> float:
        """Make the load what it shall be; returns the percentage that it came to."""
        found = 0.0
        for _ in range(LOOKS):
            psutil.cpu_percent()
            await asyncio.sleep(LOOK_S)
            found = psutil.cpu_percent()
            self.per_s *= min(2.0, BUSY / max(found, 1.0))
        return found


@pytest.fixture
async def command(tmp_path: Path) -> AsyncIterator[Command]:
    # Each in a session of its own, as under systemd.
    command = Command(make_environ(tmp_path), tmp_path, program=("setsid", *COMMAND))
    yield command
    await command.close()


async def test_turns_of_others_end_well_beside_one_that_is_judged(
    command: Command, empty_database_url: str, tmp_path: Path
):
    tree = copy_served(tmp_path / "served")
    copy = copy_tree(tree, tmp_path / "changed")
    add_comment(random.Random(1), copy)
    environ = {
        **JUDGED,
        **{f"AGENT_LIMITS_{name}": "1000000" for name in LIMITS},
        "AGENT_DEPLOY_SAMPLE": str(REPLAYED),
        "DATABASE_URL": empty_database_url,
    }
    old = replace(command, environ={**command.environ, "PYTHONPATH": str(tree)})
    new = replace(command, environ={**command.environ, "PYTHONPATH": str(copy)})
    started = [await start_server(old, **environ) for _ in range(REPLICAS)]
    clients = [make_client(url) for _, url in started]
    load = Load(clients)
    pace = Pace(load)
    took: Took = defaultdict(list)
    async with asyncio.TaskGroup() as group:
        reading = [group.create_task(read_log(process)) for process, _ in started]
        turns = group.create_task(pace.keep())
        await load.wait_for_more(REPLAYED)
        busy = await pace.take_as_much()
        for number in range(ROUNDS):
            for arm in ARMS if number % 2 else ARMS[::-1]:
                told = {**environ, "AGENT_DEPLOY_NICE": str(arm)}
                await (pass_without(pace) if arm is None else judge_beside(pace, new, told))
                for name, found in pace.took.items():
                    took[name].append(found)
                pace.took.clear()
        load.stop.set()
        await turns
        for task in reading:
            task.cancel()
    for client in clients:
        await client.aclose()
    shutil.rmtree(copy)
    describe(took, busy, pace.per_s)
    assert set(load.ends) == {"done"}


async def pass_without(pace: Pace) -> None:
    pace.beside = "nothing"
    await asyncio.sleep(WITHOUT_S)
    pace.beside = ""


async def judge_beside(pace: Pace, new: Command, environ: dict[str, str]) -> None:
    """A fourth one starts, is judged and found ready, and is killed before it serves."""
    name = f"nice {environ['AGENT_DEPLOY_NICE']}"
    pace.beside = f"starting, {name}"
    process = await new.start("serve", "--port", "0", **environ)
    assert process.stderr is not None
    told: dict[str, Any] = {}
    async with asyncio.timeout(PATIENCE_S):
        async for raw in process.stderr:
            if b'"deploy_judging"' in raw:
                pace.beside = f"judged, {name}"
            if b'"deploy_judged"' in raw:
                told = json.loads(raw)
                break
    pace.beside = ""
    process.kill()
    await process.wait()
    assert told.get("state") == "ready", told
    assert told["conversations"] >= REPLAYED


def describe(took: Took, busy: float, per_s: float) -> None:
    print(f"\n{per_s:.0f} turns a second, {busy:.0f} % of the machine")
    without = took["nothing"]
    for name, rounds in sorted(took.items()):
        if name:
            both = "; ".join(compare(rounds, without, share) for share in (0.5, 0.99))
            print(f"{name}: {sum(map(len, rounds))} turns in {len(rounds)} rounds; {both}")


def compare(rounds: list[list[float]], without: list[list[float]], share: float) -> str:
    """A percentile, and how much more it is than without, with its 95 % interval by rounds."""
    told = f"p{100 * share:.0f} {1000 * find_percentile(rounds, share):.0f} ms"
    if rounds is without:
        return told
    chance = random.Random(1)
    more = sorted(
        100 * find_percentile(chance.choices(rounds, k=len(rounds)), share)
        / find_percentile(chance.choices(without, k=len(without)), share) - 100
        for _ in range(DRAWS)
    )  # fmt: skip
    here = 100 * find_percentile(rounds, share) / find_percentile(without, share) - 100
    return f"{told} ({here:+.0f} %, {more[DRAWS // 40]:+.0f} to {more[-DRAWS // 40]:+.0f})"


def find_percentile(rounds: list[list[float]], share: float) -> float:
    ordered = sorted(itertools.chain.from_iterable(rounds))
    return ordered[int(share * (len(ordered) - 1))]
