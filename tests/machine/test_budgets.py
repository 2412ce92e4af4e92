"""A run under a budget: told to come to an end, told once, refused without a call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.providers.lifetimes import Pauses
from plainloop.agent.store.budgets import Budget, list_budget_usage, save_budget
from plainloop.agent.store.connecting.settings import UsageSettings
from plainloop.agent.types import Usage
from tests.machine.running import TENANT
from tests.machine.scripted import ScriptedModels, ScriptedProvider, text, tools, triage

MANY = Usage(input_tokens=100, output_tokens=9_000)
ADD = ("c1", "add_note", {"text": "milk", "stars": 2})
WRAP_UP = "budget for this work is nearly used up"


async def save(run: Any, budget: Budget) -> None:
    async with run.service.store.transaction(TENANT) as tx:
        await save_budget(tx, budget)
    run.service.store.budgets.forget(TENANT)


def read_last(request: Any) -> str:
    return json.dumps(request.messages[-1])


async def test_a_nearly_used_up_budget_adds_a_request_to_finish(machine: Any) -> None:
    run = await machine(
        triage("note_writer"),
        replace(tools(ADD), usage=MANY),
        tools(("c2", "add_note", {"text": "honey", "stars": 1})),
        text("Done."),
        max_output_tokens=500,
    )
    await save(run, Budget("run", "total", 11_000, None))
    told = await run.ask()
    asked = [WRAP_UP in read_last(request) for request in run.provider.requests]

    assert told.answer == "Done."
    assert asked == [False, False, False, True]
    assert [event["is_hard"] for event in told.list_events("budget")] == [True]
    # It is no part of the thread.
    assert WRAP_UP not in json.dumps(await run.load_messages())
    usage = (await list_budget_usage(run.service.store.read(TENANT)))[0]
    assert usage.reserved_tokens == 0 and usage.used_tokens > 9_000


@pytest.mark.parametrize(
    ("limit", "stop", "is_noted"),
    [(11_400, "length", True), (11_400, "end", False), (1_000_000, "length", False)],
)
async def test_explain_mentions_the_budget_only_if_it_cut_the_answer(
    machine: Any, limit: int, stop: Any, is_noted: bool
) -> None:
    last = replace(text("It begins", stop), usage=MANY)
    run = await machine(
        triage("note_writer"), replace(tools(ADD), usage=MANY), last, max_output_tokens=2_000
    )
    await save(run, Budget("run", "total", limit, None))
    told = await run.ask()
    notes = [note for step in await run.load_steps(told) for note in step.notes]
    room = run.provider.requests[2].max_tokens
    limited = f"the answer was limited to {room} output tokens by a budget or the model's window"

    assert any(n.startswith("the answer ended early") for n in notes) is (stop == "length")
    assert (room < 2_000) is (limit == 11_400)
    assert [n for n in notes if n.startswith("the answer was limited")] == [limited] * is_noted


async def test_without_budget_left_no_model_is_called(machine: Any) -> None:
    run = await machine(triage("note_writer"), text("Done."))
    await save(run, Budget("tenant", "day", 100, None))
    told = await run.ask()

    assert told.last[1]["code"] == "BUDGET_EXCEEDED"
    assert run.provider.requests == []
    assert await run.list_calls(told) == []


@pytest.fixture
async def told_to() -> AsyncIterator[tuple[str, asyncio.Queue[Any]]]:
    """An address that takes POSTs, and what it was told."""
    bodies: asyncio.Queue[Any] = asyncio.Queue()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length")
        )
        bodies.put_nowait(json.loads(await reader.readexactly(length)))
        writer.write(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/told", bodies


async def test_exceeding_a_soft_budget_sends_one_webhook(
    machine: Any, told_to: tuple[str, asyncio.Queue[Any]]
) -> None:
    url, bodies = told_to
    answers = [item for _ in "ab" for item in (triage("note_writer"), text("Done."))]
    run = await machine(*answers)
    usage = replace(run.service.settings.get_table(UsageSettings), budget_webhook=url)
    run.service.settings = run.service.settings.with_tables(usage)
    await save(run, Budget("tenant", "day", 10, None, is_hard=False))
    first, second = await run.ask(), await run.ask()
    body = await asyncio.wait_for(bodies.get(), 60)

    assert first.answer == second.answer == "Done."
    first.check_stream()
    assert (len(first.list_events("budget")), len(second.list_events("budget"))) == (1, 0)
    assert body == {"tenant_id": TENANT, "subject": "", **first.list_events("budget")[0]}
    assert bodies.empty()


# Thirty calls whose prompts are read from the cache, and ten whose prompts are not.
CACHED_CALLS = """
insert into llm_calls (tenant_id, call_id, user_id, thread_id, node, worker, role, attempt,
    provider, model, status, estimated_input_tokens, usage_source, input_tokens, cache_read_tokens,
    created_at)
select tenant_id, plainloop_first_id(now() - n * interval '1 second'), user_id, thread_id, node,
    worker, role, 1, provider, model, 'succeeded', 2000, 'provider', 2000 - read, read,
    now() - n * interval '1 second'
from llm_calls, generate_series(0, 39) as n,
    lateral (select case when n < 10 then 0 else 1900 end as read) as cached
where role = 'worker'
"""


async def test_a_drop_in_cache_reads_sends_a_webhook(
    machine: Any, told_to: tuple[str, asyncio.Queue[Any]]
) -> None:
    url, bodies = told_to
    answers = [triage("note_writer"), text("Done.")]
    models = ScriptedModels(ScriptedProvider(*answers, *answers))
    models.chain = (replace(models.resolve("worker"), pauses=Pauses()),)
    run = await machine(models=models)
    usage = replace(run.service.settings.get_table(UsageSettings), budget_webhook=url)
    run.service.settings = run.service.settings.with_tables(usage)
    await run.ask()
    async with run.service.store.transaction(TENANT) as tx:
        await tx.execute(CACHED_CALLS)
    told = await run.ask()
    body = await asyncio.wait_for(bodies.get(), 60)

    (notice,) = told.list_events("budget")
    assert (notice["budget_id"], notice["is_hard"]) == ("cache", False)
    assert "is read from the provider's cache, usually" in notice["message"]
    assert body == {"tenant_id": TENANT, "subject": "", **notice}
    assert any(notice["message"] in step.notes for step in await run.load_steps(told))
    assert (told.answer, bodies.empty()) == ("Done.", True)
