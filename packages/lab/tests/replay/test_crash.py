"""A live batch under everything at once: three processes, one killed again and again, a database
that crashes and comes back, a candidate that tries what it may not.

`AGENT_REPLAY_CRASH_TALKS=100` takes the recorded airline conversations (where they are), kills and
restarts more often, and prints its figures with `-s`.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.recorded.desk import DEEDS, open_desk, write_pack
from packages.lab.tests.recorded.test_openai_format import SAMPLE, ask_tool, line, tell, user
from plainloop.agent.base.messages.contents import get_text, list_calls
from plainloop.agent.packs.loading import list_migration_folders
from plainloop.agent.store.embedded.server import start_embedded
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.outages import keep_trying
from plainloop.agent.store.store import Store
from plainloop_lab.replay.sources.conversations import Conversation
from plainloop_lab.replay.sources.openai_format import (
    number_lines,
    parse_conversation,
    parse_conversations,
    to_openai,
)
from plainloop_lab.replay.sources.tool_inference import infer_tools
from plainloop_lab.replay.sources.tool_schemas import ToolShape
from plainloop_lab.store import replays as store_replays
from tests.cli.conftest import Command, make_environ, point_at
from tests.fixtures import make_settings
from tests.runs.test_database_restarts import crash_server

TALKS = int(os.environ.get("AGENT_REPLAY_CRASH_TALKS") or 6)
KILLS = max(2, TALKS // 6)
ON_HAND = 2  # conversations of a process at once: what a kill may make be bought twice
LANES = ("baseline", "candidate")
TRIED = {"peek_at_everything": "read", "wipe_everything": "write", "phone_the_boss": "external"}
BUCKETS = {
    "input_tokens": "input_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
    "output_tokens": "output_tokens",
}


def make_talks() -> list[Conversation]:
    """So many of the recorded ones; where those are not, of our own."""
    if SAMPLE.exists():
        with SAMPLE.open("rb") as lines:
            return list(islice(parse_conversations(number_lines(lines)), TALKS))
    return [parse_conversation(make_line(n), n + 1) for n in range(TALKS)]


def make_line(n: int) -> bytes:
    guest, room = f"guest-{n}", f"room-{n}"
    return line(
        {"role": "system", "content": "You book rooms."},
        user(f"A room for {guest}"),
        ask_tool("a", "find_guest", orjson.dumps({"guest": guest}).decode()),
        tell("a", "known"),
        {"role": "assistant", "content": "Which one?"},
        user(f"It shall be {room}, yes"),
        ask_tool("b", "book_room", orjson.dumps({"room": room}).decode()),
        tell("b", "booked"),
        {"role": "assistant", "content": "It is yours."},
        conversation_id=f"talk-{n}",
    )


def make_script(talks: list[Conversation]) -> list[dict[str, Any]]:
    """A candidate that makes the recorded calls where the user names their object, each time with
    calls that were not recorded beside it; says something after a result; else asks back."""
    calls: dict[str, dict[str, Any]] = {}
    for talk in talks:
        for turn in talk.turns:
            for call in (call for message in turn.recorded for call in list_calls(message)):
                named = [value for value in call["arguments"].values() if isinstance(value, str)]
                for value in named:
                    if len(value) > 4 and value in get_text(turn.user):
                        given = {"name": call["name"], "arguments": call["arguments"]}
                        calls.setdefault(value, given)
    tried = [{"name": name, "arguments": {"all": True}} for name in TRIED]
    steps: list[dict[str, Any]] = [{"match": {"after_tool": True}, "answer": {"text": "I see."}}]
    for value, call in calls.items():
        match = {"user": re.escape(value)}
        steps.append({"match": match, "answer": {"tool_calls": [call, *tried]}})
    steps.append({"match": {"user": "(?i)yes"}, "answer": {"tool_calls": tried[1:]}})
    steps.append({"answer": {"text": "What shall I do?"}})
    return [{**step, "times": None} for step in steps]


def list_tools(talks: list[Conversation]) -> list[dict[str, Any]]:
    """The recorded tools, what only looks by its effect `read`, and those that nobody called."""
    reads = re.compile("^(get|search|find|list)_")
    found = [
        (shape, "read" if reads.match(shape.name) else "write") for shape in infer_tools(talks)
    ]
    anything = {"type": "object"}
    found += [(ToolShape(name, "", anything), effect) for name, effect in TRIED.items()]
    return [
        {"name": shape.name, "parameters": shape.parameters, "effect": effect}
        for shape, effect in found
    ]


@pytest.fixture
async def command(data_dir: Path, tmp_path: Path) -> AsyncIterator[Command]:
    """The command on a server of its own, which may be crashed."""
    url = await asyncio.to_thread(start_embedded, data_dir)
    command = Command(make_environ(tmp_path) | {"DATABASE_URL": url}, tmp_path)
    yield command
    for process in command.running:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def serve_script(
    command: Command, script: Path, log: Path
) -> tuple[asyncio.subprocess.Process, str]:
    """The wire server as a process of its own, and its address."""
    options = ("--port", "0", "--script", str(script), "--log-file", str(log), "--first-ms", "20")
    process = await command.start("wire-server", *options)
    assert process.stdout is not None
    async with asyncio.timeout(60):
        while found := await process.stdout.readline():
            if address := re.search(rb"http://[\d.:]+", found):
                return process, address[0].decode()
    raise AssertionError("the wire server did not start")


async def read_replay(store: Store, replay_id: str) -> store_replays.ReplayInfo:
    async def read() -> store_replays.ReplayInfo:
        return await store_replays.load_replay(store.read("local"), None, replay_id)

    return await keep_trying(read)


async def count_rows(store: Store, statement: str) -> int:
    async def count() -> int:
        return (await store.read("local").fetch(statement))[0]["n"]

    return await keep_trying(count)


async def wait_for_batch(store: Store, process: asyncio.subprocess.Process) -> str:
    async with asyncio.timeout(120):
        while True:
            assert process.returncode is None, await process.communicate()
            if found := await store_replays.list_replays(store.read("local"), None, 1):
                return found[0].replay_id
            await asyncio.sleep(0.05)


async def wait_for_owners(store: Store, replay_id: str, wanted: int) -> bool:
    """Until so many processes work on the batch; False when nothing is left for one more."""
    statement = (
        "select count(distinct owner) as n from replay_items "
        "where tenant_id = 'local' and status = 'running'"
    )
    async with asyncio.timeout(300):
        while await count_rows(store, statement) < wanted:
            if not (await read_replay(store, replay_id)).items.get("queued"):
                return False
            await asyncio.sleep(0.02)
    return True


async def wait_for_answers(store: Store, replay_id: str, more: int) -> None:
    """Until so many more answers are kept, or the batch has ended."""
    statement = "select count(*) as n from replay_answers where tenant_id = 'local'"
    begun = await count_rows(store, statement)
    async with asyncio.timeout(300):
        while (await read_replay(store, replay_id)).ended_at is None:
            if await count_rows(store, statement) >= begun + more:
                return
            await asyncio.sleep(0.02)


async def harass(
    command: Command,
    wire: asyncio.subprocess.Process,
    store: Store,
    data_dir: Path,
    replay_id: str,
    environ: dict[str, str],
) -> tuple[int, int]:
    """Kill one helper after the other; every second time the database goes down as well, before
    its helper or after it. No model answers until the next one has begun to work, so that on a
    slow machine too there is something to be killed. Returns: the kills, and the crashes.
    """
    kills = crashes = 0
    options = ("--concurrency", str(ON_HAND))
    while kills < KILLS:
        wire.send_signal(signal.SIGSTOP)
        victim = await command.start("replay", "resume", replay_id, *options, **environ)
        has_begun = await wait_for_owners(store, replay_id, 3)
        wire.send_signal(signal.SIGCONT)
        if not has_begun:
            break
        await wait_for_answers(store, replay_id, 2 * ON_HAND)
        if kills % 2 == 0:
            await asyncio.to_thread(crash_server, data_dir)
            if kills % 4 == 0:
                await kill(victim)
            await asyncio.to_thread(start_embedded, data_dir)
            crashes += 1
            await wait_for_answers(store, replay_id, 1)
        await kill(victim)
        kills += 1
    return kills, crashes


async def kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def test_a_live_replay_survives_kills_and_database_crashes(
    command: Command, data_dir: Path, tmp_path: Path
) -> None:
    talks = make_talks()
    (tmp_path / "talks.jsonl").write_bytes(
        b"\n".join(orjson.dumps(to_openai(talk)) for talk in talks)
    )
    tools = list_tools(talks)
    (tmp_path / "tools.json").write_bytes(orjson.dumps(tools))
    script, log = tmp_path / "script.json", tmp_path / "wire.jsonl"
    script.write_bytes(orjson.dumps(make_script(talks)))
    wire, address = await serve_script(command, script, log)
    wire.send_signal(signal.SIGSTOP)
    async with open_desk() as desk:
        effects = {tool["name"]: tool["effect"] for tool in tools}
        environ = point_at("anthropic", address) | write_pack(tmp_path, effects)
        environ["DESK_PORT"] = str(desk.port)
        options = ("--concurrency", str(ON_HAND))
        began = time.monotonic()
        first = await command.start(
            *("replay", "live", "--from", "talks.jsonl", "--tools", "tools.json"),
            *("--model", "claude-haiku-4-5", "--report", "out", *options),
            **environ,
        )
        settings = make_settings(command.environ["DATABASE_URL"], data_dir)
        folders = [*list_migration_folders(()), tmp_path / "front" / "desk" / "migrations"]
        store = await connect_store(settings, migration_folders=folders)
        try:
            replay_id = await wait_for_batch(store, first)
            helper = await command.start("replay", "resume", replay_id, *options, **environ)
            await wait_for_owners(store, replay_id, 2)
            kills, crashes = await harass(command, wire, store, data_dir, replay_id, environ)
            assert kills > 0 and crashes > 0
            for process in (first, helper):
                out, err = await process.communicate()
                assert process.returncode == 0, (out, err)
            duration_s = time.monotonic() - began
            bought = read_bought(log)
            kept = await list_kept(store, replay_id)
            check_report(tmp_path / "out" / "report.json", talks, kept)
            cut = await check_ledger(store, replay_id, kept, bought, kills)
            assert await count_rows(store, DEEDS) == 0
            assert desk.told == [], "no tool of the file's names is one of the service's"
        finally:
            await store.close()
    sums = {name: sum(usage[name] for usage in bought) for name in BUCKETS}
    print(
        f"\n{len(talks)} conversations × {len(LANES)} lanes: {len(kept)} answers kept, "
        f"{len(bought)} bought, {kills} kills that cut {cut} calls, "
        f"{crashes} crashes of the database, {duration_s:.0f} s\n{sums}"
    )


def read_bought(log: Path) -> list[dict[str, int]]:
    """The usage of every answer that the wire server gave, as its log has it."""
    entries = [orjson.loads(text) for text in log.read_bytes().splitlines()]
    return [
        {name: entry["usage"].get(theirs) or 0 for name, theirs in BUCKETS.items()}
        for entry in entries
        if entry["status"] == 200 and entry["usage"]
    ]


async def list_kept(store: Store, replay_id: str) -> list[dict[str, Any]]:
    """By lane, conversation, turn and call: the usage of the answers that the batch has."""
    statement = (
        "select lane, n, turn, call, response -> 'usage' as usage from replay_answers "
        "where tenant_id = 'local' and replay_id = $1"
    )
    return [dict(row) for row in await store.read("local").fetch(statement, replay_id)]


def count_usage(usage: list[dict[str, Any]]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(item[name] or 0 for name in BUCKETS) for item in usage)


def check_report(path: Path, talks: list[Conversation], kept: list[dict[str, Any]]) -> None:
    """Every conversation once, in both lanes, with the tokens of its own answers."""
    report = orjson.loads(path.read_bytes())
    listed = [item["conversation_id"] for item in report["conversations"]]
    assert listed == [talk.conversation_id for talk in talks]
    assert report["summary"]["unfinished"] == {}
    sums = Counter[tuple[Any, ...]]()
    for row in kept:
        for name in BUCKETS:
            sums[row["lane"], row["n"], row["turn"], name] += row["usage"][name] or 0
    uses = Counter[tuple[str, str]]()
    for n, item in enumerate(report["conversations"]):
        answered = [k for k, turn in enumerate(talks[n].turns) if turn.recorded]
        assert [turn["turn"] for turn in item["turns"]] == answered
        for turn in item["turns"]:
            for lane in LANES:
                done = turn["lanes"][lane]
                assert done["error"] is None
                for name in BUCKETS:
                    assert (done["tokens"][name] or 0) == sums[lane, n, turn["turn"], name]
                uses.update((use["name"], use["served"]) for use in done["tools"])
    assert {name: served for name, served in uses if name in TRIED} == dict.fromkeys(
        TRIED, "closed"
    )
    assert any(served == "recorded" for _, served in uses)
    assert {served for _, served in uses} <= {"recorded", "again", "closed"}


async def check_ledger(
    store: Store,
    replay_id: str,
    kept: list[dict[str, Any]],
    bought: list[dict[str, int]],
    kills: int,
) -> int:
    """What was kept was bought, each once; the rest were on the way to a process that was killed.
    The ledger has the wire's tokens of all but those. Returns: how many calls a kill cut off."""
    lost = count_usage(bought) - count_usage([row["usage"] for row in kept])
    assert not count_usage([row["usage"] for row in kept]) - count_usage(bought)
    assert lost.total() == len(bought) - len(kept) <= kills * ON_HAND
    statement = (
        "select status, error_code, input_tokens, cache_read_tokens, cache_write_tokens, "
        "output_tokens from llm_calls where tenant_id = 'local' and replay_id = $1"
    )
    rows = [dict(row) for row in await store.read("local").fetch(statement, replay_id)]
    settled = [row for row in rows if row["status"] == "succeeded"]
    assert count_usage(settled) == count_usage([row["usage"] for row in kept])
    rest = Counter((row["status"], row["error_code"]) for row in rows if row not in settled)
    crashed = rest.pop(("cut", "CRASHED"), 0)
    assert lost.total() <= crashed <= kills * ON_HAND
    # While the wire server stands still its connections grow old: asked again, nothing was bought.
    assert set(rest) <= {("failed", "MODEL_UNREACHABLE")}
    return crashed
