"""What a tenant's runs taught: votes for templates, sizes of answers, heads of prompts."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any

import pytest

from plainloop.agent.base.ids import make_id
from plainloop.agent.store.learned.votes import (
    MAX_MATCHES,
    TemplateMatch,
    Vote,
    build_use,
    build_vote,
    drop_templates,
    find_templates,
    from_rows,
    learn,
)
from plainloop.agent.store.ledger import (
    hash_prompt_text,
    load_head,
    load_output_sizes,
    load_recent_threads,
    load_token_factors,
    lower_maximum,
)
from plainloop.agent.store.records import Reserved, SentHead
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    make_step,
)

ANSWER = {"fast_intent": "list"}
VOTE = Vote("show jobs", "show jobs", "show", ANSWER, "is right", False)


async def vote(store: Store, user_id: str, made: Vote = VOTE, pack: str = "p", **rest: Any) -> None:
    told = build_vote(user_id, pack, made, rest.pop("run", None), rest.pop("at_most", 10), **rest)
    await learn(store.read("acme"), [told])


async def find(store: Store, user_id: str, sentence: str = "show jobs", pack: str = "p") -> Any:
    return await find_templates(store.read("acme"), user_id, pack, sentence, "show")


async def list_voted(store: Store, tenant_id: str = "acme") -> list[str]:
    sql = "select template from learned_votes where tenant_id = $1 order by template"
    return [row["template"] for row in await store.read(tenant_id).fetch(sql, tenant_id)]


def test_a_learned_vote_is_stored_with_its_user_run_and_count():
    told = build_vote("ann", "p", VOTE, ("t1", "r1"), 7)
    assert told.pop("vote_id")
    whose = {"user_id": "ann", "pack": "p", "thread_id": "t1", "run_id": "r1"}
    assert told == {**whose, **asdict(VOTE), "times": 3, "at_most": 7}
    outside = build_vote("ann", "p", VOTE, None, 7, times=1)
    assert (outside["thread_id"], outside["run_id"], outside["times"]) == (None, None, 1)
    assert build_use("v1") == {"used": "v1"}


FOUND = TemplateMatch("t", {}, "", "v", 0, 0, 0, 0, False, False)


@pytest.mark.parametrize(
    ("counts", "alone", "within"),
    [
        ({}, False, False),
        ({"own": 2, "users": 1}, False, False),
        ({"own": 3, "users": 1}, True, False),
        ({"users": 2}, True, False),
        ({"is_imported": True}, True, False),
        ({"own": 3, "own_within": 2}, True, False),
        ({"own": 3, "own_within": 3}, True, True),
        ({"users": 2, "users_within": 1}, True, False),
        ({"users": 2, "users_within": 2}, True, True),
        ({"is_imported": True, "is_imported_within": True}, True, True),
        ({"is_imported_within": True}, False, False),
        ({"own_within": 3, "users_within": 2}, False, False),
    ],
)
def test_a_learned_template_is_used_if_enough_votes_agree(
    counts: dict[str, Any], alone: bool, within: bool
):
    found = replace(FOUND, **counts)
    assert (found.is_agreed(is_within=False), found.is_agreed(is_within=True)) == (alone, within)


async def test_a_sentence_loads_its_template_with_votes(store: Store):
    await vote(store, "ann")
    await vote(store, "bob", replace(VOTE, is_within=True))
    (found,) = await find(store, "ann")
    assert (found.template, found.answer, found.criteria) == ("show jobs", ANSWER, "is right")
    assert (found.own, found.users, found.users_within) == (1, 1, 1)
    assert (found.own_within, found.is_imported, found.uses) == (0, False, 0)
    assert await find(store, "ann", "show notes") == []
    assert await find(store, "ann", pack="q") == []
    assert await find_templates(store.read("umbrella"), "ann", "p", "show jobs", "show") == []
    await learn(store.read("acme"), [build_use(found.vote_id)])
    assert (await find(store, "ann"))[0].uses == 1
    assert from_rows([asdict(found)]) == [found]


async def test_a_pattern_that_equals_its_template_is_stored_once(store: Store):
    await vote(store, "ann")
    await vote(store, "ann", replace(VOTE, template="show {number} jobs", pattern="show _ jobs"))
    await vote(store, "ann", times=1)
    async with store.database.connection() as connection:
        kept = await connection.fetch("select template, pattern from learned_votes order by 1")
    assert [tuple(row) for row in kept] == [
        ("show jobs", ""),
        ("show {number} jobs", "show _ jobs"),
    ]
    assert [item.template for item in await find(store, "ann")] == ["show jobs"]
    assert [item.template for item in await find(store, "ann", "show 7 jobs")] == [
        "show {number} jobs"
    ]
    assert await find_templates(store.read("umbrella"), "ann", "p", "show jobs", "show") == []


async def test_templates_of_one_user_serve_only_that_user(store: Store):
    await vote(store, "ann")
    assert [item.own for item in await find(store, "ann")] == [1]
    assert await find(store, "bob") == []


async def test_the_oldest_votes_of_a_user_make_room_for_new_ones(store: Store):
    for n in range(4):
        await vote(store, "ann", replace(VOTE, template=f"t{n}", pattern=f"t{n}"), at_most=2)
    db = store.read("acme")
    kept = ["t2", "t3"]
    assert await list_voted(store) == kept
    await drop_templates(db, "p", ["t3"])
    await vote(store, "ann", replace(VOTE, template="t3", pattern="t3"), at_most=1)
    assert await list_voted(store) == kept, "what is not stored makes no room"


async def test_surplus_votes_are_deleted_only_at_one_vote_in_sixteen(store: Store):
    db = store.read("acme")

    async def add(n: int, ending: str) -> int:
        told = build_vote("ann", "p", replace(VOTE, template=f"t{n}", pattern="%"), None, 100)
        await learn(db, [{**told, "vote_id": told["vote_id"][:-1] + ending}])
        return len(await list_voted(store))

    assert [await add(n, "1") for n in range(103)][-1] == 103
    assert await add(103, "0") == 100
    assert await list_voted(store, "umbrella") == []


async def test_loading_templates_is_bounded(store: Store):
    for n in range(MAX_MATCHES + 2):
        await vote(store, "ann", replace(VOTE, template=f"t{n:02}"), at_most=99)
    assert [item.template for item in await find(store, "ann")] == [
        f"t{n:02}" for n in range(MAX_MATCHES)
    ]


async def record(store: Store, run: Any, **rest: Any) -> Any:
    """An answered call in the ledger; `settled` is what its settlement has."""
    settled = rest.pop("settled", {})
    await store.record_call_start(start := make_call_start(run, **rest))
    await store.settle_calls("acme", [make_settled(start, **settled)])
    return start


async def test_the_beginning_of_a_workers_newest_request_is_loaded(store: Store):
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    system = await store.save_prompt_text("acme", "system", "Be brief.")
    tools = await store.save_prompt_text("acme", "tools", "[]")
    assert system == hash_prompt_text("Be brief.") and len(system) == 32
    whole = {"system_hash": system, "tools_hash": tools, "token_factor": 1.5}
    await record(store, run, **whole)
    await record(store, run, system_hash=system, first_position=3)
    await record(store, run, worker="other", system_hash=tools)
    await answer(store, run)
    async with store.transaction("acme") as tx:
        first = SentHead("Be brief.", "[]", run.run_id, 1.5)
        newest = SentHead("Be brief.", None, run.run_id, 1.0)
        assert await load_head(tx, thread.thread_id, "worker", None, None) == newest
        assert await load_head(tx, thread.thread_id, "worker", 0, None) == first
        assert await load_head(tx, thread.thread_id, "worker", 1, None) is None
        assert await load_head(tx, thread.thread_id, "worker", None, make_id()) is None
        assert await load_head(tx, make_id(), "worker", None, None) is None
    async with store.transaction("umbrella") as tx:
        assert await load_head(tx, thread.thread_id, "worker", None, None) is None


async def test_a_calls_reserved_cost_can_be_lowered_before_the_call(store: Store):
    run = await begin_run(store, await create_thread(store))
    start = make_call_start(run, reserved=Reserved(10, Decimal(5)))
    await store.record_call_start(start)
    async with store.transaction("acme") as tx:
        await lower_maximum(tx, start, Reserved(5, Decimal("1.25")))
    (row,) = await store.list_calls("acme", run.run_id)
    assert Decimal(row.most_usd or 0) == Decimal("1.25")
    async with store.transaction("acme") as tx:
        await lower_maximum(tx, start, Reserved(5, None))
    (row,) = await store.list_calls("acme", run.run_id)
    assert row.most_usd is None


async def test_token_factors_and_answer_sizes_are_learned_from_the_ledger(store: Store):
    run = await begin_run(store, await create_thread(store))
    for n in range(20):
        usage = Usage(input_tokens=1_000 + n, output_tokens=10 * (n + 1))
        await record(store, run, estimated_input_tokens=500, settled={"usage": usage})
    review = {"usage": Usage(input_tokens=100, output_tokens=50)}
    await record(store, run, role="evaluator", worker="poet", settled=review)
    async with store.transaction("acme") as tx:
        (factor,) = (await load_token_factors(tx)).items()
        sizes = await load_output_sizes(tx)
        recent = await load_recent_threads(tx, "anthropic:some-model", "worker", "worker")
        for label, role, worker in (
            ("anthropic:other", "worker", "worker"),
            ("openai:some-model", "worker", "worker"),
            ("anthropic:some-model", "router", "worker"),
            ("anthropic:some-model", "worker", ""),
        ):
            assert await load_recent_threads(tx, label, role, worker) == []
    assert factor[0] == "anthropic:some-model" and math.isclose(factor[1], 2.02, abs_tol=0.05)
    label = "anthropic:some-model"
    assert sizes == {(label, "worker"): 190, (label, "evaluator"): 50, ("poet", "review"): 150}
    (thread,) = recent
    assert (len(thread.called), thread.tokens[:2], thread.read[0]) == (20, [1_000, 1_001], None)
    async with store.transaction("umbrella") as tx:
        assert (await load_token_factors(tx), await load_output_sizes(tx)) == ({}, {})


async def test_a_learned_vote_is_stored_with_the_step_that_gave_it(store: Store):
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    told = build_vote("ann", "p", VOTE, (thread.thread_id, run.run_id), 10)
    await store.record_steps(run, [make_step(0, next_node="w", learned=(told,)), make_step(1)])
    (found,) = await find(store, "ann")
    assert (found.template, found.own) == ("show jobs", 1)
    again = build_vote("ann", "p", VOTE, (thread.thread_id, run.run_id), 10)
    await learn(store.read("acme"), [again])
    assert (await find(store, "ann"))[0].own == 1, "a run votes once"
