"""Lanes buy equal requests once: what is equal, which answer it takes, and what is never shared."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from packages.lab.tests.replay.sharing import (
    Brain,
    Replayed,
    make_models,
    make_plan,
    replay_threads,
)
from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.errors import ModelOverloaded
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatRequest, LLMResponse, Message, ToolSchema
from plainloop_lab.live.paid_calls import PaidCalls, PaidChat
from plainloop_lab.live.sharing import SharedAnswers
from plainloop_lab.store.replays import PaidAnswer
from tests.machine.running import TENANT, USER, Machine
from tests.machine.scripted import text, tools, triage

TOOLS = tuple(ToolSchema(name, name, {"type": "object"}) for name in ("find", "book"))
ASKED = ChatRequest(
    "You book rooms.", [make_text_message("user", "A room")], TOOLS, cache_key="thread"
)


class Side:
    """A conversation in one lane, its answers in memory. others: those of the lane before it."""

    def __init__(self, others: Sequence[PaidAnswer] = (), **models: Any) -> None:
        self.kept: list[PaidAnswer] = []
        numbers = itertools.count(1)
        own = f"{len(others)} more"
        self.brain = Brain(lambda request: text(f"{next(numbers)}. {own}"), **models)
        shared = SharedAnswers.collect("baseline", ((a.identity, a) for a in others))
        self.calls = PaidCalls((), self.keep, self.nothing, self.nothing, "lane's own", shared)
        self.chat = PaidChat(self.brain, self.calls)

    async def keep(self, call: int, answer: PaidAnswer) -> None:
        self.kept.append(answer)

    async def nothing(self, *_: Any) -> None:
        pass

    async def ask(self, *requests: ChatRequest) -> list[str]:
        return [(await self.chat.generate(request)).text for request in requests]


async def test_identical_requests_of_both_variants_are_bought_once() -> None:
    before = Side()
    said = await before.ask(ASKED)
    after = Side(before.kept)
    assert await after.ask(ASKED) == said
    assert after.brain.requests == []
    assert [answer.source for answer in after.kept] == ["baseline"], "kept, for whoever goes on"


ANTHROPIC = create_provider("anthropic", "no-key", "claude-haiku-4-5")
ELSEWHERE = create_provider("openai", "no-key", "gpt-4o-mini", "http://elsewhere.example/v1")


@pytest.mark.parametrize(
    ("changed", "models"),
    [
        (replace(ASKED, temperature=0.2), {}),
        (replace(ASKED, tools=TOOLS[::-1]), {}),
        (replace(ASKED, max_tokens=99), {}),
        (replace(ASKED, system="You book rooms. "), {}),
        (ASKED, {"sent": ELSEWHERE}),
        (ASKED, {"model": "gpt-4o"}),
    ],
    ids=["temperature", "order of tools", "room for the answer", "a space", "address", "model"],
)
async def test_a_candidates_request_differing_in_one_byte_is_bought(
    changed: ChatRequest, models: Any
) -> None:
    before = Side()
    await before.ask(ASKED)
    after = Side(before.kept, **models)
    await after.ask(changed)
    assert len(after.brain.requests) == 1


async def test_requests_with_different_cache_markers_share_no_answer() -> None:
    said = [*ASKED.messages, make_text_message("assistant", "Yes"), *ASKED.messages]
    before = Side(sent=ANTHROPIC)
    asked = replace(ASKED, messages=said)
    await before.ask(asked)
    marked = Side(before.kept, sent=ANTHROPIC)
    await marked.ask(replace(asked, is_newest_passing=True))
    assert len(marked.brain.requests) == 1


async def test_requests_with_different_cache_keys_share_their_answer() -> None:
    before = Side()
    await before.ask(ASKED)
    after = Side(before.kept)
    await after.ask(replace(ASKED, cache_key="another thread"))
    assert after.brain.requests == []


async def test_equal_requests_use_up_recorded_answers_then_buy_new_ones() -> None:
    before = Side()
    first, second = await before.ask(ASKED, ASKED)
    after = Side(before.kept)
    assert await after.ask(ASKED, ASKED) == [first, second]
    assert first != second
    await after.ask(ASKED)
    assert len(after.brain.requests) == 1


async def test_each_of_a_conversations_equal_turns_reuses_its_own_answer() -> None:
    before = Side()
    said = await before.ask(ASKED)
    before.calls.begin_turn(1)
    said += await before.ask(ASKED)
    after = Side(before.kept)
    again = await after.ask(ASKED)
    after.calls.begin_turn(1)
    assert [*again, *await after.ask(ASKED)] == said
    assert len(set(said)) == 2


async def test_a_variant_shares_no_answer_after_a_differing_tool_result() -> None:
    def read(result: str) -> ChatRequest:
        call: Any = {"type": "tool_call", "id": "a", "name": "find", "arguments": {}}
        told: Any = {"type": "tool_result", "id": "a", "name": "find", "result": result}
        told["is_error"] = False
        made: list[Message] = [
            {"role": "assistant", "parts": [call]},
            {"role": "tool", "parts": [told]},
        ]
        return replace(ASKED, messages=[*ASKED.messages, *made])

    before = Side()
    await before.ask(ASKED, read("room 7"))
    after = Side(before.kept)
    await after.ask(ASKED, read("room 8"))
    assert [len(request.messages) for request in after.brain.requests] == [3]


async def test_a_fallbacks_answer_is_not_reused_for_the_first_model() -> None:
    """A failed attempt takes no answer either: asked again, the same bytes take the first one."""
    fallback, before = Side(model="gpt-4o"), Side()
    before.brain.think = lambda request: ModelOverloaded("busy")
    with pytest.raises(ModelOverloaded):
        await before.ask(ASKED)
    (told,) = await fallback.ask(ASKED)
    one, other = Side(fallback.kept), Side(fallback.kept, model="gpt-4o")
    await one.ask(ASKED)
    assert len(one.brain.requests) == 1, "the first model was asked for itself"
    assert await other.ask(ASKED) == [told]
    assert other.brain.requests == []


async def test_an_interrupted_variant_resumes_after_its_last_answer() -> None:
    before = Side()
    _, second = await before.ask(ASKED, ASKED)
    killed = Side(before.kept)
    await killed.ask(ASKED)
    resumed = Side(before.kept)
    shared = SharedAnswers.collect("baseline", ((a.identity, a) for a in before.kept))
    nothing = resumed.nothing
    resumed.calls = PaidCalls(killed.kept, resumed.keep, nothing, nothing, "", shared)
    resumed.chat = PaidChat(resumed.brain, resumed.calls)
    assert (await resumed.ask(ASKED, ASKED))[1] == second
    assert resumed.brain.requests == []


# Over stored threads, with the real workers, designs and reports.


def work(request: ChatRequest) -> LLMResponse:
    """Triage, a note, what was noted."""
    if request.json_schema is not None:
        return triage("notes_worker")
    last = request.messages[-1]
    if last["role"] == "tool":
        return text("Noted.")
    return tools((f"c{len(request.messages)}", "add_note", {"text": "milk"}))


def drift(request: ChatRequest) -> LLMResponse:
    """The provider has changed its model: it answers at once, in other words."""
    return (
        triage("notes_worker") if request.json_schema is not None else text("Certainly, my dear!")
    )


@pytest.fixture
async def recorded(machine: Any) -> Machine:
    return await machine(models=make_models(Brain(work)))


async def record(run: Machine, threads: int, turns: int = 1) -> list[str]:
    found: list[str] = []
    for _ in range(threads):
        run.thread_id = (await run.service.ensure_thread(TENANT, USER, None, "t")).thread_id
        found.append(run.thread_id)
        for _ in range(turns):
            told = await run.ask("note milk")
            assert told.error is None, told.error
    return found


ALL: dict[str, Callable[[ChatRequest], Any]] = dict.fromkeys(
    ("baseline", "candidate", "drift"), work
)


def get_sharing(found: Replayed) -> Any:
    return found.summary["sharing"]


async def test_a_candidate_without_effect_buys_nothing(recorded: Machine) -> None:
    threads = await record(recorded, 3, turns=2)
    found = await replay_threads(recorded, threads, make_plan(baseline=True), ALL)
    assert found.bought["candidate"] == 0
    assert found.bought["baseline"] > 0
    assert found.summary["verdict"]["kind"] == "same"
    assert found.summary["verdict"]["headline"].startswith("Nothing differs")
    shared = get_sharing(found)
    assert (shared["touched"], shared["bought_calls"]) == (0, 0)
    assert shared["shared_calls"] == found.bought["baseline"]
    assert shared["saved_tokens"] == 15 * shared["shared_calls"]


async def test_without_a_baseline_a_no_op_candidate_buys_only_the_drift_sample(
    recorded: Machine,
) -> None:
    threads = await record(recorded, 4)
    plan = make_plan(baseline=False, drift=0.5)
    found = await replay_threads(recorded, threads, plan, ALL)
    calls = found.bought["drift"]
    assert found.bought == {"candidate": 0, "drift": calls, "drift_again": calls}
    assert get_sharing(found)["shared_calls"] == 2 * calls, "every second conversation is sampled"
    assert found.summary["verdict"]["headline"].startswith("Nothing differs")
    difference = [item["difference"] for item in found.summary["measures"] if item["difference"]]
    assert {item["mean"] for item in difference} == {0.0}, "equal pairs are exactly equal"


async def test_a_candidate_buys_only_requests_with_the_changed_prompt(recorded: Machine) -> None:
    threads = await record(recorded, 2)
    worker = recorded.service.pack.workers[0].name
    plan = make_plan(baseline=True, prompts={worker: "Note with care."})
    found = await replay_threads(recorded, threads, plan, ALL)
    roles = {request.json_schema is None for request in found.brains["candidate"].requests}
    assert roles == {True}, "triage was taken from the baseline"
    assert get_sharing(found)["touched"] == 2


async def test_trials_of_one_task_share_no_answers(recorded: Machine) -> None:
    """Five threads say the same, byte for byte: each is its own draw in each lane's first."""
    threads = await record(recorded, 5)
    plan = make_plan(baseline=True)
    found = await replay_threads(recorded, threads, plan, ALL)
    assert found.bought["baseline"] % 5 == 0
    assert found.bought["baseline"] >= 10
    own = replace(plan, share=False)
    each = await replay_threads(recorded, threads, own, ALL)
    assert each.bought["candidate"] == each.bought["baseline"] == found.bought["baseline"]


async def test_provider_drift_makes_a_replay_with_shared_answers_undecided(
    recorded: Machine,
) -> None:
    threads = await record(recorded, 6)
    plan = make_plan(baseline=False, drift=1.0)
    found = await replay_threads(recorded, threads, plan, {**ALL, "drift": drift})
    assert get_sharing(found)["is_void"]
    assert found.summary["verdict"]["kind"] == "undecided"
    assert "not valid" in found.summary["verdict"]["headline"]
    assert any("6 of 6 sampled conversations" in why for why in found.summary["verdict"]["reasons"])


async def test_ordinary_noise_of_a_provider_is_not_reported_as_drift(recorded: Machine) -> None:
    draw = random.Random(7)

    def moody(request: ChatRequest) -> LLMResponse:
        if request.json_schema is not None:
            return triage("notes_worker")
        return text(" ".join(draw.choices(["Certainly!", "Done.", "Milk it is.", "Noted."], k=3)))

    brain: Any = recorded.provider
    brain.think = moody
    threads = await record(recorded, 6)
    plan = make_plan(baseline=False, drift=1.0)
    found = await replay_threads(recorded, threads, plan, {**ALL, "drift": moody})
    assert get_sharing(found)["drift"]["conversations"] == 6
    assert not get_sharing(found)["is_void"]


class Died(BaseException):
    """The process is gone in the middle of a call."""


async def test_a_call_missing_after_a_crash_is_bought_once(recorded: Machine) -> None:
    """A process that dies in a lane's second call: whoever goes on buys that call, no other."""
    threads = await record(recorded, 1)
    plan = make_plan(baseline=True)
    asked = 0

    def die(request: ChatRequest) -> LLMResponse:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise Died
        return work(request)

    with pytest.raises(Died):
        await replay_threads(recorded, threads, plan, {**ALL, "baseline": die}, concurrency=1)
    async with recorded.store.transaction(TENANT) as tx:
        rows = await tx.fetch("select replay_id from replays where tenant_id = $1", TENANT)
    known = str(rows[0]["replay_id"])
    found = await replay_threads(recorded, [], plan, ALL, replay_id=known)
    assert found.info.status == "succeeded"
    assert found.bought["candidate"] == 0
    whole = get_sharing(found)["shared_calls"]
    assert found.bought["baseline"] == whole - 1
