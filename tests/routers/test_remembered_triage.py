"""What triage answered to a sentence is remembered, with other names; and who is served with it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.erasure import erase_thread_rows, erase_user_rows
from tests.replaying import load_stored, replay_stored
from tests.routers.remembering import TENANT, Office, SortingBrain, fast, open_office, worker
from tests.wire_fixtures import StartWire

StartOffice = Callable[..., Coroutine[Any, Any, Office]]


def sort(text: str, within: bool) -> dict[str, Any]:
    """What a sensible model says to the sentences below."""
    words = text.rstrip("?!. ").split()
    if text.startswith("anything going on at "):
        return fast("list", company=" ".join(words[4:]))
    if text.startswith("what about ") and not within:
        return fast("list", company=" ".join(words[2:]))
    if text.startswith("anything paying more than "):
        return fast("list", salary=f">= {words[-1]}")
    return worker()


@pytest.fixture
async def office(settings: Settings, wire_server: StartWire) -> AsyncIterator[StartOffice]:
    async with AsyncExitStack() as stack:

        async def start(brain: SortingBrain | None = None, **agent: Any) -> Office:
            chosen = brain or SortingBrain(sort)
            server = await wire_server(chosen)
            opened = open_office(settings, server.base_url, chosen, **agent)
            return await stack.enter_async_context(opened)

        yield start


async def test_a_sentence_is_learned_after_three_equal_triages(office: StartOffice):
    own = await office()
    for n, company in enumerate(("Acme", "Initech", "Hooli", "Globex"), 1):
        await own.add_job(n, company)
    for company in ("Acme", "Initech", "Hooli"):
        assert not await own.is_free(f"anything going on at {company}?")
    told = await own.ask("Anything going on at Globex")
    assert "Cook 4 at Globex" in told.answer
    assert len(own.brain.asked) == 3
    steps = await own.load_steps(told)
    rule = steps[0].update["result"]["rule"]
    assert rule.startswith("learned.")
    note = f"{rule} answers as triage did: “anything going on at {{jobs.company}}”, 3 times for you"
    assert steps[0].notes[0].startswith(note)
    avoided = [(item.role, item.reason) for item in steps[1].avoided]
    assert avoided == [(role, f"fast path rule {rule}") for role in ("classifier", "worker")]


async def test_learned_sentences_can_lead_to_a_worker_with_criteria(office: StartOffice):
    brain = SortingBrain(lambda text, _: worker("writer", f"has {text.split()[-1]} lines"))
    own = await office(brain)
    await own.teach("please write something of 12")
    told = await own.ask("please write something of 15")
    steps = await own.load_steps(told)
    assert len(brain.asked) == 3
    assert steps[0].update["success_criteria"] == "has 15 lines"
    assert [step.node for step in steps[:3]] == ["intent_classifier", "agent_router", "writer"]
    rule = steps[0].update["result"]["rule"]
    assert [(i.role, i.reason) for i in steps[0].avoided] == [
        ("classifier", f"remembered triage {rule}")
    ]


async def test_a_template_of_two_users_serves_a_third_without_their_names(office: StartOffice):
    own = await office()
    for n, (user, company) in enumerate((("ann", "Acme"), ("ben", "Hooli"), ("eve", "EA")), 1):
        await own.add_job(n, company, user)
    assert not await own.is_free("anything going on at Acme?", "ann")
    assert not await own.is_free("anything going on at Hooli?", "ben")
    told = await own.ask("anything going on at EA?", "eve")
    assert "Cook 3 at EA" in told.answer
    assert len(own.brain.asked) == 2
    note = (await own.load_steps(told))[0].notes[0]
    assert "for 2 users" in note
    assert "acme" not in note.lower()
    assert "hooli" not in note.lower()


async def test_one_users_template_serves_no_other_user_or_tenant(office: StartOffice):
    own = await office()
    await own.teach("please sing of the sea", times=3)
    assert await own.is_free("please sing of the sea")
    assert not await own.is_free("please sing of the sea", "ben")
    assert await own.is_free("please sing of the sea", "eve"), "two have said it"
    assert not await own.is_free("please sing of the sea", "ann", "evil")
    assert not await own.is_free("please sing of the sea", "eve", "evil")


async def test_similar_but_different_sentences_go_to_triage(office: StartOffice):
    traps = [
        "anything going on at Acme except Initech?",
        "anything going on at Acme, and what should I do next?",
        "anything not going on at Acme?",
        "anything going on at Hooli?",  # nobody's
        "anything going on at Ben's?",  # another user's
        "anything going on at home?",  # begins a company's name
        "Is anything going on at Acme?",
    ]
    own = await office()
    await own.add_job(1, "Acme")
    await own.add_job(2, "Ben's", "ben")
    await own.add_job(3, "Home Depot")
    await own.teach("anything going on at Acme?")
    assert await own.is_free("anything going on at Acme?")
    assert [trap for trap in traps if await own.is_free(trap)] == []
    assert await own.is_free("anything going on at Acme?")


async def test_a_learned_list_without_rows_goes_to_triage(office: StartOffice):
    own = await office()
    await own.add_job(1, "Acme", salary=90_000)
    await own.teach("anything paying more than 80000?")
    assert await own.is_free("anything paying more than 85000?")
    told = await own.ask("anything paying more than 95000?")
    nodes = [step.node for step in await own.load_steps(told)]
    assert nodes[:4] == ["intent_classifier", "fast_list", "intent_classifier", "fast_list"]
    assert own.brain.asked[-1] == "anything paying more than 95000?"


async def test_a_template_that_triage_contradicts_is_removed_permanently(office: StartOffice):
    own = await office(audit_share=1.0)  # triage is asked whenever it would be served
    await own.teach("please sing of the sea")
    own.brain.sort = lambda _text, _within: worker("writer")
    told = await own.ask("please sing of the sea")
    notes = (await own.load_steps(told))[0].notes
    assert "is checked by calling triage: this is its answer number 1" in notes[0]
    assert any("not used any more" in note for note in notes)
    own.brain.sort = sort
    await own.teach("please sing of the sea", times=4)
    assert not await own.is_free("please sing of the sea")
    await own.teach("please sing of the sea", user="ben")
    assert not await own.is_free("please sing of the sea", "ben")


async def test_a_wrong_template_is_dropped_when_rechecked(office: StartOffice):
    own = await office(SortingBrain(lambda _text, _within: worker("writer")))
    for user in ("ann", "ben"):
        await own.ask("please sing of the sea", user)
    own.brain.sort = sort
    uses = 1
    while await own.is_free("please sing of the sea", "eve"):
        uses += 1
    print(f"\na poisoned template was dropped at answer number {uses}")
    assert uses == 5
    assert not await own.is_free("please sing of the sea", "ann")


async def test_context_dependent_sentences_use_no_template(office: StartOffice):
    own = await office()
    await own.add_job(1, "Acme")
    await own.teach("what about Acme")
    assert await own.is_free("what about Acme")
    first = await own.ask("please sing of the sea")
    thread = first.run.thread_id
    assert not await own.is_free("what about Acme", thread=thread)
    assert not await own.is_free("what about Acme"), "triage has said something else meanwhile"


async def test_inside_a_conversation_only_templates_learned_in_one_are_used(office: StartOffice):
    own = await office()
    await own.add_job(1, "Acme")
    await own.teach("anything going on at Acme?")
    thread = (await own.ask("please sing of the sea")).run.thread_id
    for _ in range(3):
        assert not await own.is_free("anything going on at Acme?", thread=thread)
    assert await own.is_free("anything going on at Acme?", thread=thread)


@pytest.mark.parametrize("question", ["Of which sea?", "どの海ですか？", "أي بحر؟"])
async def test_replies_to_questions_are_not_learned(question: str, office: StartOffice):
    own = await office()
    await own.teach("please sing of the sea")
    own.brain.says = question
    thread = (await own.ask("hm")).run.thread_id
    for _ in range(5):
        assert not await own.is_free("please sing of the sea", thread=thread)
    assert await own.is_free("please sing of the sea")
    rows = await own.service.store.read(TENANT).fetch(
        "select is_within from learned_votes where tenant_id = $1 and template like 'please%'",
        TENANT,
    )
    assert {row["is_within"] for row in rows} == {False}


async def test_learned_sentences_are_erased_with_user_and_conversation(office: StartOffice):
    own = await office()
    store = own.service.store
    first = await own.ask("please sing of the sea", "ann")
    await own.ask("please sing of the sea", "ben")
    assert await own.is_free("please sing of the sea", "eve")
    async with store.transaction(TENANT) as tx:
        await erase_thread_rows(tx, "ann", first.run.thread_id)
    assert not await own.is_free("please sing of the sea", "eve"), "ben is alone with it"
    async with store.transaction(TENANT) as tx:
        await erase_user_rows(tx, "ben")
        await erase_user_rows(tx, "eve")
    sql = "select count(*) from learned_votes where tenant_id = $1"
    assert await store.read(TENANT).fetchval(sql, TENANT) == 0


async def test_nothing_is_learned_offline_or_when_switched_off(
    office: StartOffice, settings: Settings
):
    own = await office(remember=False)
    await own.teach("please sing of the sea")
    async with open_service(replace(settings, provider="offline")) as service:
        keyless = Office(service, own.brain)
        await keyless.teach("could you perhaps sing of the sea")
    sql = "select count(*) from learned_votes where tenant_id = $1"
    assert await own.service.store.read(TENANT).fetchval(sql, TENANT) == 0


async def test_runs_answered_by_a_forgotten_template_still_replay(office: StartOffice):
    own = await office()
    store = own.service.store
    await own.add_job(1, "Acme", salary=5)
    await own.teach(
        "anything going on at Acme?", "please sing of the sea", "anything paying more than 3?"
    )
    thread = (await own.ask("anything going on at Acme?")).run.thread_id
    for text in ("please sing of the sea", "anything paying more than 9?"):
        fresh = (await own.ask(text)).run.thread_id
        await check_replay(own, fresh)
    await store.read(TENANT).execute("delete from learned_votes where tenant_id = $1", TENANT)
    await check_replay(own, thread)


async def check_replay(own: Office, thread_id: str) -> None:
    asked = len(own.brain.asked)
    thread = await load_stored(own.service.store, TENANT, thread_id)
    pack = own.service.pack
    replayed = await replay_stored(thread, {pack.name: pack}, own.service.settings)
    assert replayed.divergence is None
    assert [turn.outcome for turn in replayed.turns] == ["same"]
    assert len(own.brain.asked) == asked


async def test_learned_votes_are_bounded_per_user(office: StartOffice):
    own = await office()
    limits = replace(own.service.settings.limits, learned_votes=3)
    own.service.settings = replace(own.service.settings, limits=limits)
    for n in "abcdefgh":
        await own.ask(f"please sing of {n}")
    sql = "select count(*) from learned_votes where tenant_id = $1"
    assert await own.service.store.read(TENANT).fetchval(sql, TENANT) <= 4


async def test_learned_sentences_move_with_their_tenant(office: StartOffice):
    moving: Any = pytest.importorskip("plainloop_operations.moving.tables")
    own = await office()
    await own.teach(SONG := "please sing of the sea")
    store = own.service.store
    async with store.database.connection() as connection:
        tables = {table.name: table for table in await moving.list_tables(connection)}
        await connection.execute("select set_config('app.tenant_id', $1, false)", TENANT)
        content = await moving.read_content(connection, tables["learned_votes"], TENANT, 30)
    assert content.rows == 3
    assert await own.is_free(SONG)
