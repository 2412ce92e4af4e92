"""The Responses API by OpenAI's own Python client, unmodified."""

from __future__ import annotations

import asyncio
from typing import Any

import openai
import pytest

from packages.frontends.tests.test_openai_chat import (
    MODEL,
    connect,
    list_states,
    list_texts,
    list_threads,
)
from plainloop.agent.base.messages.contents import get_answer
from plainloop.agent.errors import ModelAuthError
from tests.machine.scripted import Cut, Hang, text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model

ADD = ("c1", "add_note", {"text": "milk"})
LIST = ("c2", "list_notes", {})
BURN = tools(("c1", "burn_notes", {}), said="I would burn them.")
BURN_AGAIN = tools(("c2", "burn_notes", {}))


async def stream(client: openai.AsyncOpenAI, said: Any, **more: Any) -> Any:
    """The response as the client's own accumulator makes it of the events."""
    async with client.responses.stream(model=MODEL, input=said, **more) as events:
        async for _ in events:
            pass
        return await events.get_final_response()


async def test_a_streamed_response_is_the_stored_answer(serve: ServeNotes) -> None:
    script = (triage("note_writer"), tools(ADD, said="I note it."), text("Noted: milk."))
    served = await serve(*script)
    client = connect(served)
    done = await stream(client, "please do it")
    [thread_id] = await list_threads(served)
    stored = await served.service.store.load_messages("acme", thread_id)
    again = await client.responses.retrieve(done.id)

    assert done.output_text == get_answer(stored) == "I note it.\n\nNoted: milk."
    assert (done.status, done.usage.total_tokens) == ("completed", 45)
    assert [item.type for item in done.output] == ["message"]
    assert again.output_text == done.output_text


async def test_a_response_can_follow_or_branch_from_another(serve: ServeNotes) -> None:
    turns = [(triage("note_writer"), text(said)) for said in ("First.", "Second.", "Third.")]
    served = await serve(*(step for turn in turns for step in turn))
    client = connect(served)
    ask = client.responses.create
    first = await ask(model=MODEL, input="one")
    second = await ask(model=MODEL, input="two", previous_response_id=first.id)
    third = await ask(model=MODEL, input="otherwise", previous_response_id=first.id)
    branch, old = await list_threads(served)

    assert (second.output_text, third.output_text) == ("Second.", "Third.")
    assert second.previous_response_id == third.previous_response_id == first.id
    assert [said for _, said in await list_texts(served, old)] == [
        "one",
        "First.",
        "two",
        "Second.",
    ]
    assert [said for _, said in await list_texts(served, branch)] == [
        *("one", "First.", "otherwise", "Third.")
    ]


async def test_a_responses_stream_resumes_at_a_sequence_number(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("one two three four"))
    client = connect(served)
    events = await client.responses.create(model=MODEL, input="count", stream=True)
    whole: list[Any] = [event async for event in events]
    response_id = whole[0].response.id
    for seen in range(len(whole)):
        rest = await client.responses.retrieve(response_id, stream=True, starting_after=seen)
        told = [event.sequence_number async for event in rest]
        assert told == [event.sequence_number for event in whole[seen + 1 :]]


async def test_the_clients_own_tools_are_called_by_the_client(serve: ServeNotes) -> None:
    ask = tools(("c1", "get_place", {"exact": True}), said="One moment.")
    served = await serve(triage("note_writer"), ask, text("It is late in Oslo."))
    client = connect(served)
    schema: Any = {"type": "function", "name": "get_place", "parameters": {"type": "object"}}
    first = await stream(client, "where am I?", tools=[{**schema, "strict": False}])
    message, call = first.output
    result = {"type": "function_call_output", "call_id": call.call_id, "output": '{"at": "Oslo"}'}
    rest = await stream(client, [result], previous_response_id=first.id)
    read = [await client.responses.retrieve(item.id) for item in (first, rest)]

    assert (call.type, call.name, call.arguments) == (
        "function_call",
        "get_place",
        '{"exact":true}',
    )
    assert message.content[0].text == "One moment."
    assert rest.output_text.strip() == "It is late in Oslo."
    assert get_model(served).requests[-1].messages[-1]["parts"][0]["result"] == {"at": "Oslo"}
    assert [item.output_text.strip() for item in read] == ["One moment.", "It is late in Oslo."]
    assert [item.type for item in read[0].output] == ["message", "function_call"]
    assert {item.status for item in read} == {"completed"}


async def test_a_yes_sent_twice_decides_one_approval(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN, BURN_AGAIN, text("They are burnt."))
    client = connect(served)
    first = await stream(client, "please do it")
    key = {"Idempotency-Key": "k-2"}
    told = [
        await stream(client, "yes", previous_response_id=first.id, extra_headers=key)
        for _ in range(2)
    ]
    before = await list_states(served)
    rest = await stream(client, "yes", previous_response_id=told[-1].id)
    after = await stream(client, "yes", previous_response_id=told[-1].id)

    assert told[0].output_text == told[1].output_text
    assert before == [["consumed", "pending"]]
    assert rest.output_text.strip() == after.output_text.strip() == "They are burnt."
    assert await list_states(served) == [["consumed", "consumed"]]


async def test_a_late_yes_shows_the_now_pending_question(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN, BURN_AGAIN, text("They are burnt."))
    client = connect(served)
    first = await stream(client, "please do it")
    await stream(client, "no", previous_response_id=first.id)
    told = await stream(client, "yes", previous_response_id=first.id)
    before = await list_states(served)
    rest = await stream(client, "yes", previous_response_id=told.id)

    assert told.output_text.startswith(
        "That question is closed (this approval was already decided: denied)."
    )
    assert "Burn all of your 0 notes?" in told.output_text
    assert before == [["denied", "pending"]]
    assert rest.output_text.strip() == "They are burnt."


async def test_an_ended_response_is_unchanged_while_its_run_waits_again(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN, BURN_AGAIN, text("They are burnt."))
    client = connect(served)
    first = await stream(client, "please do it")
    await stream(client, "yes", previous_response_id=first.id)
    again = await client.responses.retrieve(first.id)
    events = await client.responses.retrieve(first.id, stream=True)
    told = [event.type async for event in events]

    assert (again.status, again.output_text) == ("completed", first.output_text)
    assert told.index("response.completed") == len(told) - 1


async def test_cancelling_a_later_response_of_a_run_keeps_the_earlier_one(
    serve: ServeNotes,
) -> None:
    served = await serve(triage("note_writer"), BURN, Hang("So far"))
    client = connect(served)
    first = await stream(client, "please do it")
    named = {"previous_response_id": first.id, "background": True}
    second = await client.responses.create(model=MODEL, input="yes", **named)
    events = await client.responses.retrieve(first.id, stream=True)
    async with asyncio.timeout(60):  # the run's end does not come
        assert [event.type async for event in events][-1] == "response.completed"
    told = [await client.responses.cancel(item.id) for item in (first, second)]
    again = await client.responses.retrieve(first.id)

    assert [item.status for item in (*told, again)] == ["completed", "cancelled", "completed"]
    assert again.output_text == first.output_text


async def test_a_failure_raises_in_the_client(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), Cut("Half of it", ModelAuthError("wrong key")))
    with pytest.raises(openai.APIError) as failed:
        await stream(connect(served), "please do it")

    told = failed.value.body
    assert failed.value.code == "MODEL_AUTH"
    assert isinstance(told, dict) and told["action"]["label"] == "Replace the key"


async def test_a_response_is_visible_only_to_its_user(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Mine."))
    mine = await stream(connect(served), "please do it")
    bob = connect(served, "bob")
    for name in (mine.id, "resp_" + "0" * 32, "resp_x"):
        with pytest.raises(openai.NotFoundError):
            await bob.responses.retrieve(name)
        with pytest.raises(openai.NotFoundError) as refused:
            await stream(bob, "and now?", previous_response_id=name)
        assert refused.value.code == "previous_response_not_found"
    assert await list_threads(served, "bob") == []


async def test_an_admins_key_reads_and_cancels_its_users_responses(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), Hang("So far"))
    users = [{"x-openwebui-user-id": name} for name in ("kim", "lee")]
    kim, lee = [connect(served, "boss", is_admin=True, default_headers=user) for user in users]
    begun = await kim.responses.create(model=MODEL, input="please do it", background=True)
    for other in (lee, connect(served, "bob", default_headers=users[0])):
        for asked in (other.responses.retrieve(begun.id), other.responses.cancel(begun.id)):
            with pytest.raises(openai.NotFoundError):
                await asked
    read = await kim.responses.retrieve(begun.id)
    ended = await kim.responses.cancel(begun.id)

    assert (read.status, ended.status) == ("in_progress", "cancelled")
    assert len(await list_threads(served, "kim")) == 1


async def test_a_response_in_the_background_is_read_when_it_is_done(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Done."))
    client = connect(served)
    begun = await client.responses.create(model=MODEL, input="please do it", background=True)
    async with asyncio.timeout(60):
        while (done := await client.responses.retrieve(begun.id)).status == "in_progress":
            await asyncio.sleep(0.01)
    with pytest.raises(openai.BadRequestError) as refused:
        await client.responses.create(model=MODEL, input="x", background=True, store=False)

    assert (begun.status, begun.background) == ("in_progress", True)
    assert (done.status, done.output_text) == ("completed", "Done.")
    assert "`background`" in refused.value.message


async def test_a_response_in_the_background_can_be_cancelled(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), Hang("So far"))
    client = connect(served)
    begun = await client.responses.create(model=MODEL, input="please do it", background=True)
    told = [await client.responses.cancel(begun.id), await client.responses.retrieve(begun.id)]

    assert [item.status for item in told] == ["cancelled", "cancelled"]


async def test_unsupported_responses_features_are_refused(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Done."))
    client = connect(served)
    done = await client.responses.create(model=MODEL, input="please do it")
    output: Any = [{"type": "function_call_output", "call_id": "c1", "output": [None]}]
    for asked in (
        client.responses.delete(done.id),
        client.responses.input_items.list(done.id),
        client.responses.create(model=MODEL, input=output),
    ):
        with pytest.raises(openai.BadRequestError):
            await asked
    with pytest.raises(openai.NotFoundError):
        await connect(served, "bob").responses.delete(done.id)
