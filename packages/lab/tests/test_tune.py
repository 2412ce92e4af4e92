"""`plainloop tune`: tries are replays, so that money holds and nothing is bought twice."""

from __future__ import annotations

import asyncio
import os
import re
from decimal import Decimal
from pathlib import Path

import orjson

from packages.lab.tests.recorded.test_openai_format import line, user
from packages.lab.tests.replay.test_live import Candidate, answer, read_least
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_wire.faults import Faults
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire, WireServer

PROCESSES = int(os.environ.get("PLAINLOOP_TUNE_PROCESSES", "1"))
COUNT = 24
RULES = """
[[rule]]
measure = "polite"
[check.polite]
contains = "please"
"""
# Of an uninterrupted search of one try: learn and choose twice, one proposal, sealed on both sides.
CALLS = 4 * 6 + 1 + 2 * 12


def obey(request: ChatRequest) -> LLMResponse:
    """A model that does what its prompt says, and proposes the same better one each time."""
    if "You improve the instructions" in request.system:
        return answer("```\nYou book rooms. Say please.\n```")
    return answer("Room 7, please." if "Say please" in request.system else "Room 7.")


def ignore(request: ChatRequest) -> LLMResponse:
    """A model that does the same whatever its prompt says."""
    proposes = "You improve the instructions" in request.system
    return answer("You book rooms. Say please." if proposes else "Room 7.")


def write_talks(folder: Path, *more: str) -> tuple[str, ...]:
    lines = [
        line(
            {"role": "system", "content": "You book rooms."},
            user(f"Room {n}"),
            {"role": "assistant", "content": "Done."},
            conversation_id=f"talk-{n}",
        ).strip()
        for n in range(COUNT)
    ]
    (folder / "talks.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    (folder / "rules.toml").write_text(RULES, encoding="utf-8")
    source = ("tune", "react", "--from", "talks.jsonl", "--rules", "rules.toml")
    return (*source, "--into", "tuned", "--tries", "1", *more)


def read_cost(told: str) -> Decimal:
    found = re.search(r"cost \$([\d.]+)", told)
    assert found, told
    return Decimal(found[1])


async def load_cost(store: Store) -> Decimal:
    rows = await store.read("local").fetch(
        "select coalesce(sum(cost_usd), 0) as usd from llm_calls where tenant_id = 'local'"
    )
    return Decimal(rows[0]["usd"])


async def wait_for_requests(server: WireServer, count: int) -> None:
    async with asyncio.timeout(120):
        while len(server.requests) < count:
            await asyncio.sleep(0.02)


async def test_tune_finds_tests_and_writes_a_better_prompt(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(obey))
    environ = point_at("anthropic", server.base_url)
    planned = await plainloop(*write_talks(tmp_path, "--max-cost-usd", "9", "--plan"), **environ)
    assert (planned.code, server.requests) == (0, []), planned
    assert planned.out.startswith("6 to learn, 6 to choose, 12 sealed; at most 48")

    done = await plainloop(*write_talks(tmp_path, "--max-cost-usd", "9"), **environ)
    assert done.code == 0, done
    assert (tmp_path / "tuned" / "react.md").read_text() == "You book rooms. Say please.\n"
    assert len(server.requests) == CALLS
    assert abs(read_cost(done.out) - await load_cost(store)) < Decimal("0.0001")
    assert "polite better" in done.out


async def test_tune_without_improvement_does_not_use_the_sealed_test(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(ignore))
    environ = point_at("anthropic", server.base_url)
    done = await plainloop(*write_talks(tmp_path, "--max-cost-usd", "9"), **environ)
    assert (done.code, len(server.requests)) == (10, 19), done
    assert done.out.splitlines()[-1].startswith("no better prompt found, cost $0.0")


async def test_tune_refuses_a_model_without_a_price(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(obey))
    environ = point_at("anthropic", server.base_url) | {"AGENT_MODEL": "nobody-knows-1"}
    done = await plainloop(*write_talks(tmp_path, "--max-cost-usd", "9"), **environ)
    assert (done.code, server.requests) == (6, []), done
    assert '[prices."anthropic:nobody-knows-1"]' in done.err
    assert "higher --max-cost-usd" not in done.err


async def test_tune_uses_the_workers_stored_threads(plainloop: Command, tmp_path: Path) -> None:
    talks = "\n/new\n".join(f"what should I ask company {n}?" for n in range(9))
    assert (await plainloop("chat", stdin=f"{talks}\n".encode())).code == 0
    (tmp_path / "rules.toml").write_text(RULES, encoding="utf-8")
    command = ("--rules", "rules.toml", "--into", "tuned", "--max-cost-usd", "1", "--tries", "1")
    planned = await plainloop("tune", "general", *command, "--plan")
    assert planned.out.startswith("2 to learn, 2 to choose, 5 sealed; at most 18"), planned
    unknown = await plainloop("tune", "nobody", *command)
    assert (unknown.code, "there is no worker 'nobody'" in unknown.err) == (3, True), unknown


async def test_a_killed_tune_resumes_within_its_budget(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    """PLAINLOOP_TUNE_PROCESSES=8 for the whole of it."""
    server = await wire_server(Candidate(obey))
    environ = point_at("anthropic", server.base_url) | {
        "AGENT_LIMITS_MAX_OUTPUT_TOKENS": "200",
        "AGENT_LIMITS_LEASE_S": "8",
        "AGENT_LIMITS_HEARTBEAT_S": "1",
    }
    poor = await plainloop(*write_talks(tmp_path, "--max-cost-usd", "0.000001"), **environ)
    assert (poor.code, server.requests) == (6, []), poor
    least = Decimal(read_least(poor.err)) + Decimal("0.0001")
    poor = await plainloop(*write_talks(tmp_path, "--max-cost-usd", str(least)), **environ)
    bought = len(server.requests)
    assert (poor.code, 0 < bought < CALLS) == (6, True), poor
    assert await load_cost(store) <= least

    server.wire.faults.load(Faults(first_ms=600_000))  # nobody is answered any more
    command = write_talks(tmp_path, "--max-cost-usd", "9", "-c", "2")
    working = [await plainloop.start(*command, **environ)]
    await wait_for_requests(server, bought + 1)
    newest = [*orjson.loads((tmp_path / "tuned" / "tune.json").read_bytes()).values()][-1]
    for _ in range(PROCESSES - 1):
        working.append(await plainloop.start("replay", "resume", newest, **environ))
    second = await plainloop(*command, **environ)
    assert "another process is running `tune`" in second.err, second
    for process in working:
        process.kill()
        await process.wait()

    server.wire.faults.load(Faults())
    done = await plainloop(*command, **environ)
    assert done.code == 0, done
    on_their_way = 2 + 4 * (PROCESSES - 1)  # when their process was killed
    assert CALLS <= len(server.requests) <= CALLS + on_their_way
    assert await load_cost(store) <= Decimal(9)
