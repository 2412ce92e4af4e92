"""Conversations without an id that are equal, at once: evaluations, load tests, bots with one key.

`AGENT_TEST_EQUAL_CONVERSATIONS=1000` makes it as many as the field asks for.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

import openai
import pytest

from packages.frontends.tests.test_openai_chat import BURN, MODEL, connect, list_threads, stream
from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.machine.scripted import Hang, text, tools, triage
from tests.protocols.conftest import ServeNotes
from tests.server.conftest import Served

COUNT = int(os.environ.get("AGENT_TEST_EQUAL_CONVERSATIONS", "20"))
REACT = "notes/react"
OPENERS = [f"hello {n}" for n in range(10)]
ROOM: dict[str, Any] = {
    "messages_per_minute": 1_000_000,
    "requests_per_minute": 1_000_000,
    "runs_per_user": 100_000,
    "runs_per_free_place": 1_000,
}


def echo(request: ChatRequest) -> LLMResponse:
    """Say all that the model sees of what its user has said."""
    return text(" / ".join(get_text(item) for item in request.messages if item["role"] == "user"))


async def ask(client: openai.AsyncOpenAI, said: list[Any], *, is_streamed: bool) -> tuple[str, str]:
    """(text, finish reason) of the answer."""
    if not is_streamed:
        done = await client.chat.completions.create(model=REACT, messages=said)
        return done.choices[0].message.content or "", done.choices[0].finish_reason
    pieces: list[str] = []
    reason = ""
    async for chunk in await client.chat.completions.create(
        model=REACT, messages=said, stream=True
    ):
        for choice in chunk.choices:
            pieces.append(choice.delta.content or "")
            reason = choice.finish_reason or reason
    return "".join(pieces), reason


async def talk(client: openai.AsyncOpenAI, n: int) -> list[str]:
    """Three turns; returns what was wrong with each answer. The first two are said by many."""
    said: list[Any] = []
    wrong: list[str] = []
    for words in (OPENERS[n % 10], "and then?", f"I am number {n}"):
        said.append({"role": "user", "content": words})
        answer = await ask(client, said, is_streamed=n % 2 == 0)
        expected = " / ".join(item["content"] for item in said if item["role"] == "user")
        wrong += [] if answer == (expected, "stop") else [f"{n}: {expected!r} got {answer}"]
        said.append({"role": "assistant", "content": answer[0]})
    return wrong


async def test_concurrent_equal_conversations_are_not_mixed_or_lost(serve: ServeNotes) -> None:
    served = await serve(*([echo] * (COUNT * 3)), **ROOM)
    client = connect(served)
    gate = asyncio.Semaphore(64)

    async def one(n: int) -> list[str]:
        async with gate:
            return await talk(client, n)

    found = await asyncio.gather(*(one(n) for n in range(COUNT)))

    assert [item for wrong in found for item in wrong] == []


async def test_sequential_equal_conversations_keep_separate_threads(serve: ServeNotes) -> None:
    served = await serve(*([echo] * 12))
    client = connect(served)
    for n in range(4):
        assert await talk(client, n * 10) == []

    assert len(await list_threads(served)) == 4


@pytest.mark.parametrize("kind", ["chat", "responses by history", "responses by id"])
async def test_eight_equal_simultaneous_requests_get_eight_answers(
    kind: str, serve: ServeNotes
) -> None:
    served = await serve(*([echo] * 9))
    client = connect(served)
    one, two = ({"role": "user", "content": words} for words in ("one", "two"))
    if kind == "chat":
        first, _ = await ask(client, [one], is_streamed=False)
        said = [one, {"role": "assistant", "content": first}, two]
        found = await asyncio.gather(*(ask(client, said, is_streamed=n % 2 == 0) for n in range(8)))
        answers = [answer for answer, _ in found]
    else:
        begun: Any = await client.responses.create(model=REACT, input=[one])  # type: ignore[list-item]
        more: dict[str, Any] = {"input": [one, *begun.output, two]}
        if kind == "responses by id":
            more = {"input": [two], "previous_response_id": begun.id}
        told = [client.responses.create(model=REACT, **more) for _ in range(8)]
        done: Any = await asyncio.gather(*told)
        assert {item.status for item in done} == {"completed"}
        answers = [item.output_text for item in done]

    assert answers == ["one / two"] * 8


async def test_an_equal_history_does_not_cancel_the_active_run(serve: ServeNotes) -> None:
    served = await serve(echo, Hang("So far"), echo)
    client = connect(served)
    said: list[Any] = [{"role": "user", "content": "one"}]
    first, _ = await ask(client, said, is_streamed=False)
    said += [{"role": "assistant", "content": first}, {"role": "user", "content": "two"}]
    chunks = await client.chat.completions.create(model=REACT, messages=said, stream=True)
    async for chunk in chunks:
        if chunk.choices[0].delta.content == "So":
            break
    answer = await ask(client, said, is_streamed=False)
    active = [await find_active(served, thread_id) for thread_id in await list_threads(served)]
    await chunks.close()

    assert answer == ("one / two", "stop")
    assert [run is not None for run in active] == [False, True]


async def find_active(served: Served, thread_id: str) -> str | None:
    return await served.replica.runs.find_active("acme", "ann", thread_id)


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_an_answer_that_was_cancelled_is_an_error(
    is_streamed: bool, serve: ServeNotes
) -> None:
    served = await serve(Hang("So far"))
    client = connect(served)
    asked = ask(client, [{"role": "user", "content": "one"}], is_streamed=is_streamed)
    answering = asyncio.create_task(asked)
    async with asyncio.timeout(60):
        while not (await list_threads(served) and await cancel(served)):
            await asyncio.sleep(0.01)
        with pytest.raises(openai.APIError) as cancelled:
            await answering

    assert cancelled.value.code == "CANCELLED"


async def cancel(served: Served) -> str | None:
    [thread_id] = await list_threads(served)
    return await served.replica.runs.cancel("acme", "ann", thread_id)


async def test_a_tool_call_and_its_continuation_have_different_response_ids(
    serve: ServeNotes,
) -> None:
    script = (triage("note_writer"), tools(("c1", "get_place", {})), text("In Oslo."))
    served = await serve(*script, triage("note_writer"), text("Again."))
    client = connect(served)
    schema = {"type": "function", "function": {"name": "get_place", "parameters": {}}}
    said: list[Any] = [{"role": "user", "content": "where?"}]
    first = await stream(client, said, tools=[schema])
    said += [
        first.choices[0].message.model_dump(exclude_none=True),
        {"role": "tool", "tool_call_id": "c1", "content": "Oslo"},
    ]
    rest = await stream(client, said, tools=[schema])
    again = await stream(client, said, tools=[schema])
    last = rest.choices[0].message.content
    said += [{"role": "assistant", "content": last}, {"role": "user", "content": "again"}]
    await stream(client, said, tools=[schema])

    assert first.id != rest.id == again.id
    assert len(await list_threads(served)) == 1


async def test_an_unrelated_reply_leaves_the_approval_pending(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN)
    client = connect(served)
    said: list[Any] = [{"role": "user", "content": "burn"}]
    first = await stream(client, said)
    said.append({"role": "assistant", "content": first.choices[0].message.content})
    said.append({"role": "user", "content": "Something else, please"})
    rest = await stream(client, said)

    told = rest.choices[0].message.content
    assert told.startswith("That was not a clear yes or no, so the question is still open.")
    assert told.rpartition("\n\n")[2] in first.choices[0].message.content
    assert len(await list_threads(served)) == 1
    assert MODEL in rest.model
