"""Live replay: real SDKs on a real socket, tools closed, every answer bought once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pytest

from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, LLMResponse, Usage
from plainloop_lab.live.plan import CANDIDATE, LanePlan, LivePlan
from plainloop_lab.live.tools import NOT_EXECUTED
from plainloop_lab.store import replays as store_replays
from plainloop_lab.store.replays import ItemResult
from plainloop_wire.call import Rules
from plainloop_wire.faults import Faults
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.server.replays import ROOMS
from tests.wire_fixtures import StartWire, WireServer


@dataclass(frozen=True)
class Candidate:
    """What answers behind the wire."""

    answer: Callable[[ChatRequest], LLMResponse]


SCHEMAS = [
    {"name": "find_room", "parameters": {"type": "object"}, "effect": "read"},
    {"name": "book_room", "parameters": {"type": "object"}, "effect": "write"},
]


def be_curious(request: ChatRequest) -> LLMResponse:
    """A candidate that calls what was recorded and more, then says what it was told."""
    last = request.messages[-1]
    if last["role"] == "tool":
        told = [part["result"] for part in last["parts"] if part["type"] == "tool_result"]
        return answer(f"Told: {orjson.dumps(told).decode()}")
    two, nine = {"beds": 2}, {"beds": 9}
    finds = [("find_room", two), ("find_room", nine), ("find_room", two)]
    return call_tools(request, *finds, ("book_room", {"room": 8}))


def call_tools(request: ChatRequest, *calls: tuple[str, dict[str, Any]]) -> LLMResponse:
    place = len(request.messages)
    parts: list[Any] = [
        {"type": "tool_call", "id": f"c{place}{i}", "name": name, "arguments": given}
        for i, (name, given) in enumerate(calls)
    ]
    return LLMResponse({"role": "assistant", "parts": parts}, "tool_use", count(20), "m")


def answer(text: str) -> LLMResponse:
    said: Any = [{"type": "text", "text": text}]
    return LLMResponse({"role": "assistant", "parts": said}, "end", count(5), "m")


def count(tokens: int) -> Usage:
    return Usage(input_tokens=100, output_tokens=tokens)


async def load_results(store: Store, lane: str = "candidate") -> list[ItemResult]:
    rows = store.read("local")
    (info, *_) = await store_replays.list_replays(rows, None, 1)
    return await store_replays.list_results(rows, info.replay_id, lane, 0, 1000)


async def load_turns(store: Store, lane: str = "candidate") -> list[dict[str, Any]]:
    (item,) = await load_results(store, lane)
    assert item.result is not None, (item.error_code, item.error_message)
    return item.result["turns"]


def write_rooms(folder: Path) -> tuple[str, ...]:
    (folder / "rooms.jsonl").write_bytes(ROOMS)
    (folder / "tools.json").write_bytes(orjson.dumps(SCHEMAS))
    return ("replay", "live", "--from", "rooms.jsonl", "--tools", "tools.json")


@pytest.fixture
async def server(wire_server: StartWire) -> WireServer:
    return await wire_server(Candidate(be_curious))


async def test_a_live_replay_executes_no_unrecorded_call(
    plainloop: Command, server: WireServer, store: Store, tmp_path: Path
) -> None:
    environ = point_at("anthropic", server.base_url)
    done = await plainloop(*write_rooms(tmp_path), "--no-baseline", **environ)
    assert (done.code, done.out.count("1 succeeded")) == (0, 1), done
    turns = await load_turns(store)
    served = [[(use["name"], use["served"]) for use in turn["tools"]] for turn in turns]
    wanted = [("find_room", "closed"), ("find_room", "again"), ("book_room", "closed")]
    assert served == [[("find_room", "recorded"), *wanted], [("find_room", "again"), *wanted]]
    told = ["room 7", {"error": NOT_EXECUTED}, "room 7", {"error": NOT_EXECUTED}]
    assert turns[0]["text"] == f"Told: {orjson.dumps(told).decode()}"
    assert [turn["path"] for turn in turns] == [["react", "react.tools", "react"]] * 2
    assert [turn["error"] for turn in turns] == [None, None]


async def test_replay_calls_are_in_the_ledger_with_the_wires_tokens(
    plainloop: Command, server: WireServer, store: Store, tmp_path: Path
) -> None:
    await plainloop(*write_rooms(tmp_path), "--no-share", **point_at("anthropic", server.base_url))
    rows = store.read("local")
    (info,) = await store_replays.list_replays(rows, None, 10)
    totals = await store_replays.load_ledger_totals(rows, info.replay_id)
    sent = [entry["usage"] for entry in server.requests if entry["usage"]]
    assert totals["calls"] == len(sent) == 8
    assert totals["output_tokens"] == sum(usage["output_tokens"] for usage in sent)
    assert totals["input_tokens"] == sum(usage["input_tokens"] for usage in sent)
    assert await store.list_threads("local", "local", limit=10) == []


@pytest.mark.parametrize("mode", ["recorded", "own"])
async def test_the_history_option_sets_which_answers_later_turns_read(
    mode: str, plainloop: Command, server: WireServer, tmp_path: Path
) -> None:
    arguments = [*write_rooms(tmp_path), "--no-baseline", "--history", mode]
    await plainloop(*arguments, **point_at("anthropic", server.base_url))
    messages = server.requests[2]["body"]["messages"]
    said = [
        block["text"]
        for message in messages[:-1]
        for block in message["content"]
        if message["role"] == "assistant" and block["type"] == "text"
    ]
    assert said[-1].startswith("Room 7" if mode == "recorded" else "Told:")


async def test_baseline_and_candidate_use_their_own_prompt_and_model(
    plainloop: Command, server: WireServer, store: Store, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "react.md").write_text("You book castles.\n")
    changes = ("--prompts", "mine", "--model", "claude-haiku-4-5")
    await plainloop(*write_rooms(tmp_path), *changes, **point_at("anthropic", server.base_url))
    seen = {(e["body"]["model"], str(e["body"]["system"])[:80]) for e in server.requests}
    assert len({model for model, _ in seen}) == 2
    assert {(model == "claude-haiku-4-5", "castles" in prompt) for model, prompt in seen} == {
        (True, True),
        (False, False),
    }
    assert len(await load_results(store, "baseline")) == 1


TRACKER = ("add a job: Backend Engineer at Initech, remote", "move the Initech job to applied")


def be_busy(request: ChatRequest) -> LLMResponse:
    """A candidate that writes what nobody asked for, and reads what was not read."""
    if request.json_schema is not None:
        text = orjson.dumps({"worker": "crm_worker", "success_criteria": "x"}).decode()
        return answer(text)
    if request.messages[-1]["role"] == "tool":
        return be_curious(request)
    evil = {"company": "Evil", "title": "Boss"}
    return call_tools(request, ("create_job", evil), ("list_jobs", {"limit": 3}))


@pytest.mark.parametrize("allow", [True, False])
async def test_a_live_replay_runs_no_write_tool_and_reads_only_on_request(
    allow: bool, plainloop: Command, wire_server: StartWire, store: Store
) -> None:
    for said in TRACKER:
        await plainloop("ask", said)
    server = await wire_server(Candidate(be_busy))
    extra = ["--allow-reads"] if allow else []
    environ = point_at("openai", server.openai_url)
    done = await plainloop("replay", "live", "--no-baseline", *extra, **environ)
    assert done.code == 0, done
    rows = await store.read("local").fetch(
        "select company from tracker_jobs where tenant_id = 'local'"
    )
    assert [row["company"] for row in rows] == ["Initech"]
    uses = [
        (use["name"], use["served"])
        for item in await load_results(store)
        for turn in (item.result or {})["turns"]
        for use in turn["tools"]
    ]
    assert set(uses) == {("create_job", "closed"), ("list_jobs", "read" if allow else "closed")}


async def count_answers(store: Store, replay_id: str) -> int:
    rows = await store.read("local").fetch(
        "select count(*) as n from replay_answers where tenant_id = 'local' and replay_id = $1",
        replay_id,
    )
    return rows[0]["n"]


async def wait_for_batch(store: Store) -> str:
    async with asyncio.timeout(120):
        while not (found := await store_replays.list_replays(store.read("local"), None, 1)):
            await asyncio.sleep(0.05)
    return found[0].replay_id


async def test_a_cost_limit_refuses_models_without_a_price(
    plainloop: Command, server: WireServer, store: Store, tmp_path: Path
) -> None:
    environ = point_at("openai", server.openai_url)
    limit = ("--no-baseline", "--max-cost-usd", "1", "--model", "nobody-knows-1")
    done = await plainloop(*write_rooms(tmp_path), *limit, **environ)
    assert (done.code, "price is unknown" in done.err) == (6, True), done
    assert '[prices."openai:nobody-knows-1"]' in done.err
    assert server.requests == []
    replay_id = await wait_for_batch(store)
    gone_on = await plainloop("replay", "resume", replay_id, **environ)
    assert gone_on.code == 6


def read_least(told: str) -> str:
    """The limit of cost with which one more call is made: what it may cost, and no more."""
    found = re.search(r"may cost up to \$([\d.]+)", told)
    assert found, told
    return str(Decimal(found[1]) + Decimal("0.0001"))


async def load_status(store: Store) -> str:
    (info,) = await store_replays.list_replays(store.read("local"), None, 1)
    return info.status


async def test_the_cost_limit_holds_at_sixty_concurrent_calls(
    plainloop: Command, server: WireServer, store: Store, tmp_path: Path
) -> None:
    lines = [ROOMS.replace(b'"rooms"', b'"rooms-%d"' % n).strip() for n in range(60)]
    write_rooms(tmp_path)
    (tmp_path / "rooms.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    server.wire.faults.load(Faults(first_ms=300))  # so that many are on their way at once
    environ = point_at("anthropic", server.base_url) | {"AGENT_LIMITS_MAX_OUTPUT_TOKENS": "200"}
    source = ("replay", "live", "--from", "rooms.jsonl", "--tools", "tools.json")
    limit = ("--no-baseline", "--max-cost-usd", "0.05", "--concurrency", "60")
    done = await plainloop(*source, *limit, "--report", str(tmp_path / "report"), **environ)
    sent = [entry["usage"] for entry in server.requests if entry["usage"]]
    model = server.requests[0]["body"]["model"]
    used = (Usage(one["input_tokens"], 0, 0, one["output_tokens"]) for one in sent)
    cost = sum((Prices().price("anthropic", model, one).amount or Decimal(0)) for one in used)

    assert done.code == 6, done
    assert Decimal("0.03") < cost <= Decimal("0.05")
    assert await load_status(store) == "stopped"
    assert "stopped" in done.out and (tmp_path / "report" / "report.html").exists()


async def test_a_replay_at_its_cost_limit_resumes_with_a_higher_one(
    plainloop: Command, server: WireServer, store: Store, tmp_path: Path
) -> None:
    environ = point_at("anthropic", server.base_url)
    limit = ("--no-baseline", "--max-cost-usd", "0.000001", "--concurrency", "1")
    done = await plainloop(*write_rooms(tmp_path), *limit, **environ)
    assert (done.code, "limit of $0.000001" in done.err) == (6, True), done
    assert server.requests == []
    replay_id = await wait_for_batch(store)
    one = ("--max-cost-usd", read_least(done.err), "--concurrency", "1")
    again = await plainloop("replay", "resume", replay_id[:13], *one, **environ)
    assert (again.code, len(server.requests)) == (6, 1), again
    assert "stopped" in again.out and await load_status(store) == "stopped"
    more = await plainloop("replay", "resume", replay_id[:13], "--max-cost-usd", "5", **environ)
    assert (more.code, "succeeded" in more.out) == (0, True), more
    assert len(server.requests) == 4, "what was bought before is not bought again"


async def test_stored_answers_to_another_prompt_are_not_reused(
    plainloop: Command, server: WireServer, store: Store, tmp_path: Path
) -> None:
    environ = point_at("anthropic", server.base_url)
    limit = ("--no-baseline", "--max-cost-usd", "0.000001", "--concurrency", "1")
    stopped = await plainloop(*write_rooms(tmp_path), *limit, **environ)
    one = ("--max-cost-usd", read_least(stopped.err), "--concurrency", "1")
    await plainloop("replay", "resume", await wait_for_batch(store), *one, **environ)
    await store.read("local").fetch(
        "update replay_items set conversation = "
        "replace(conversation::text, 'rooms.', 'tents.')::json "
        "where tenant_id = 'local' returning n"
    )
    replay_id = await wait_for_batch(store)
    done = await plainloop("replay", "resume", replay_id, "--max-cost-usd", "5", **environ)
    assert done.code == 1, done
    (item,) = await load_results(store)
    assert (item.status, item.error_code) == ("failed", "REPLAY_CHANGED")
    bought = len(server.requests)
    again = await plainloop("replay", "resume", replay_id, "--max-cost-usd", "5", **environ)
    assert (again.code, "succeeded" in again.out) == (0, True), again
    assert len(server.requests) == bought + 4, "all of it is answered anew"


class Restless:
    """Looks for one room after the other until it is told to stop."""

    has_rest = False

    def answer(self, request: ChatRequest) -> LLMResponse:
        if self.has_rest:
            return be_curious(request)
        return call_tools(request, ("find_room", {"beds": len(request.messages)}))


async def test_a_cancelled_batch_stops_and_can_be_resumed(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    restless = Restless()
    server = await wire_server(restless, faults=Faults(first_ms=50))
    environ = {
        **point_at("anthropic", server.base_url),
        "AGENT_LIMITS_HEARTBEAT_S": "0.2",
        "AGENT_LIMITS_REACT_TURNS": "10000",
    }
    process = await plainloop.start(*write_rooms(tmp_path), **environ)
    replay_id = await wait_for_batch(store)
    stopped = await plainloop("replay", "cancel", replay_id)
    assert stopped.code == 0, stopped
    _, err = await process.communicate()
    assert (process.returncode, b"the replay was cancelled" in err) == (6, True)
    restless.has_rest = True
    resumed = await plainloop("replay", "resume", replay_id, **environ)
    assert (resumed.code, "2 succeeded" in resumed.out) == (0, True), resumed


async def test_another_tenant_sees_no_batch(
    plainloop: Command, server: WireServer, store: Store, tmp_path: Path
) -> None:
    await plainloop(*write_rooms(tmp_path), "--no-share", **point_at("anthropic", server.base_url))
    replay_id = await wait_for_batch(store)
    listed = await plainloop("replay", "list")
    assert replay_id in listed.out
    other = ("--tenant", "other")
    assert (await plainloop("replay", "list", *other)).out == ""
    for command in ("resume", "cancel"):
        done = await plainloop("replay", command, replay_id, *other)
        assert (done.code, "no replay has an id" in done.err) == (3, True)


BAD = {
    "a key": (["--set", "AGENT_API_KEY=x"], "is a secret"),
    "no setting": (["--set", "MODEL"], "--set must be AGENT_NAME=VALUE"),
    "an unknown setting": (["--set", "AGENT_MODLE=x"], "AGENT_MODEL"),
    "an unknown provider": (["--provider", "nobody"], "nobody"),
    "a prompt of nobody": (["--prompts", "mine"], "the prompt 'barkeeper' belongs to no worker"),
    "no prompt": (["--prompts", "empty"], "empty contains no prompt"),
    "a model of nobody": (["--model", "barkeeper=gpt-4o"], "Known names: classifier, crm_worker"),
}


async def test_impossible_replays_are_refused_before_anything_is_stored(
    plainloop: Command, store: Store, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "barkeeper.md").write_text("x")
    (tmp_path / "empty").mkdir()
    for name, (arguments, told) in BAD.items():
        done = await plainloop(*write_rooms(tmp_path), *arguments)
        assert (done.code, told in done.err) == (2, True), (name, done)
    assert await store_replays.list_replays(store.read("local"), None, 1) == []


async def test_a_candidates_provider_never_receives_the_baselines_key(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    """The second server takes its own key only."""
    server = await wire_server(Candidate(be_curious), rules=Rules(key="second-secret"))
    own = {
        "AGENT_PROVIDER": "anthropic",
        "AGENT_API_KEY": "first-secret",
        "AGENT_API_BASE": server.base_url,
    }
    other = {"OPENAI_API_KEY": "second-secret"}
    changes = ("--no-baseline", "--provider", "openai", "--set", "AGENT_LIMITS_MODEL_ATTEMPTS=1")
    base = ("--set", f"AGENT_API_BASE={server.openai_url}")
    done = await plainloop(*write_rooms(tmp_path), *changes, *base, **own, **other)
    assert done.code == 0, done
    assert {entry["dialect"] for entry in server.requests} == {"openai_chat"}


def test_a_stored_plan_with_unknown_options_is_refused() -> None:
    """Left out in silence, a newer version's option would give two kinds of answers."""
    told = LivePlan({CANDIDATE: LanePlan(prompts={"chef": "Be brief."})}).to_json()
    assert LivePlan.from_json(orjson.loads(orjson.dumps(told))).to_json() == told
    newer = {CANDIDATE: {**told["lanes"][CANDIDATE], "speed": "fast"}}
    for given in ({**told, "speed": "fast"}, {**told, "lanes": newer}):
        with pytest.raises(TypeError, match="speed"):
            LivePlan.from_json(given)
