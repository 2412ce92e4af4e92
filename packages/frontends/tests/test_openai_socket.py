"""Responses over a WebSocket, and compaction, by OpenAI's own Python client."""

from __future__ import annotations

from typing import Any

import openai
import pytest
from websockets.exceptions import InvalidStatus

from packages.frontends.tests.test_openai_chat import MODEL, connect, list_threads
from packages.frontends.tests.test_openai_responses import stream
from tests.machine.scripted import text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.server.conftest import Served

ENDS = {"response.completed", "response.failed", "response.incomplete", "error"}


def make_turns(*said: str) -> list[Any]:
    return [step for answer in said for step in (triage("note_writer"), text(answer))]


async def ask(connection: Any, said: Any, **more: Any) -> list[Any]:
    """The events of one response."""
    await connection.response.create(model=MODEL, input=said, **more)
    told: list[Any] = []
    while not told or told[-1].type not in ENDS:
        told.append(await connection.recv())
    return told


async def connect_socket(served: Served, user: str = "ann") -> Any:
    manager = connect(served, user).responses.connect()
    return await served.stack.enter_async_context(manager)


async def test_one_socket_carries_several_responses(serve: ServeNotes) -> None:
    served = await serve(*make_turns("First.", "Second."))
    socket = await connect_socket(served)
    first = await ask(socket, "one")
    second = await ask(socket, "two", previous_response_id=first[-1].response.id)
    streamed = await connect(served).responses.retrieve(second[-1].response.id)

    assert [event.sequence_number for event in first] == list(range(len(first)))
    assert first[-1].response.output[0].content[0].text == "First."
    assert second[-1].response.output == streamed.output
    assert len(await list_threads(served)) == 1


async def test_a_client_tools_result_can_be_sent_over_the_socket(serve: ServeNotes) -> None:
    call = tools(("c1", "get_place", {}))
    served = await serve(triage("note_writer"), call, text("It is Oslo."))
    socket = await connect_socket(served)
    schema = {"type": "function", "name": "get_place", "parameters": {"type": "object"}}
    first = await ask(socket, "where?", tools=[{**schema, "strict": False}])
    output = {"type": "function_call_output", "call_id": "c1", "output": "Oslo"}
    rest = await ask(socket, [output], previous_response_id=first[-1].response.id)

    assert first[-1].response.output[0].name == "get_place"
    assert rest[-1].response.output[0].content[0].text == "It is Oslo."


async def test_errors_are_sent_and_the_socket_stays_open(serve: ServeNotes) -> None:
    served = await serve(*make_turns("Well."))
    socket = await connect_socket(served)
    [unknown] = await ask(socket, "hi", previous_response_id="resp_" + "0" * 32)
    await socket.send_raw("{")
    broken = await socket.recv()
    await socket.send_raw('{"type": "response.cancel"}')
    strange = await socket.recv()
    whole = await ask(socket, "hi")

    assert (unknown.status, unknown.error.code) == (404, "previous_response_not_found")
    assert (broken.status, broken.error.code) == (400, "INVALID_FORMAT")
    assert strange.status == 400
    assert whole[-1].type == "response.completed"


async def test_a_socket_needs_a_token(serve: ServeNotes) -> None:
    served = await serve()
    client = openai.AsyncOpenAI(base_url=f"{served.url}/v1", api_key="nobody")
    with pytest.raises(InvalidStatus) as refused:
        async with client.responses.connect():
            pass

    assert refused.value.response.status_code == 401


async def test_a_compacted_conversation_continues_its_thread(serve: ServeNotes) -> None:
    served = await serve(*make_turns("First.", "Second.", "Third."))
    client = connect(served)
    first = await stream(client, "one")
    small = await client.responses.compact(model=MODEL, previous_response_id=first.id)
    items: Any = [item.to_dict(warnings=False) for item in small.output]
    for said in ("two", "otherwise"):
        more: Any = {"type": "message", "role": "user", "content": said}
        await client.responses.create(model=MODEL, input=[*items, more])
    seen = get_model(served).requests[-1].messages

    assert [item.type for item in small.output] == ["message", "compaction"]
    assert small.usage.total_tokens == 0
    assert [part["text"] for m in seen for part in m["parts"] if part["type"] == "text"] == [
        *("one", "First.", "otherwise")
    ]
    assert len(await list_threads(served)) == 2


async def test_a_posted_conversation_can_be_compacted(serve: ServeNotes) -> None:
    served = await serve(*make_turns("Third."))
    client = connect(served)
    said: Any = [
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "First."},
        {"role": "user", "content": "two"},
        {"role": "assistant", "content": "Second."},
    ]
    small = await client.responses.compact(model=MODEL, input=said)
    items: Any = [item.to_dict(warnings=False) for item in small.output]
    await client.responses.create(model=MODEL, input=[*items, {"role": "user", "content": "three"}])
    texts = [p["text"] for m in get_model(served).requests[-1].messages for p in m["parts"]]

    assert texts == ["one", "First.", "two", "Second.", "three"]


async def test_a_compaction_is_visible_only_to_its_user(serve: ServeNotes) -> None:
    served = await serve(*make_turns("Mine."))
    mine = await stream(connect(served), "one")
    small = await connect(served).responses.compact(model=MODEL, previous_response_id=mine.id)
    bob = connect(served, "bob")
    for item in (small.output[-1].to_dict(), {"type": "compaction", "encrypted_content": "x"}):
        said: Any = [item, {"role": "user", "content": "and now?"}]
        with pytest.raises(openai.NotFoundError):
            await bob.responses.create(model=MODEL, input=said)
    with pytest.raises(openai.NotFoundError):
        await bob.responses.compact(model=MODEL, previous_response_id=mine.id)


async def test_an_unstored_response_continues_only_on_its_socket(serve: ServeNotes) -> None:
    served = await serve(*make_turns("First.", "Second."))
    socket, other = await connect_socket(served), await connect_socket(served)
    first = await ask(socket, "one", store=False)
    name = first[-1].response.id
    [elsewhere] = await ask(other, "two", previous_response_id=name)
    second = await ask(socket, "two", previous_response_id=name, store=False)
    with pytest.raises(openai.NotFoundError):
        await connect(served).responses.retrieve(name)
    with pytest.raises(openai.NotFoundError) as refused:
        await connect(served).responses.create(model=MODEL, input="x", previous_response_id=name)

    assert first[-1].response.store is False
    assert elsewhere.error.code == refused.value.code == "previous_response_not_found"
    assert second[-1].response.output[0].content[0].text == "Second."
    assert len(await list_threads(served)) == 1


async def test_a_failed_unstored_response_is_dropped(serve: ServeNotes) -> None:
    served = await serve(*make_turns("First.", "Anew."))
    socket = await connect_socket(served)
    first = await ask(socket, "one", store=False)
    output = {"type": "function_call_output", "call_id": "nobody-asked", "output": "x"}
    from_it = {"previous_response_id": first[-1].response.id, "store": False}
    [failed] = await ask(socket, [output], **from_it)
    [forgotten] = await ask(socket, "two", **from_it)
    anew = await ask(socket, "three", store=False)

    assert failed.error.code == "NOTHING_ASKED"
    assert forgotten.error.code == "previous_response_not_found"
    assert anew[-1].response.output[0].content[0].text == "Anew."


async def test_an_unstored_response_can_be_cancelled(serve: ServeNotes) -> None:
    served = await serve(*make_turns("First."))
    whole = await connect(served).responses.create(model=MODEL, input="one", store=False)
    stopped = await connect(served).responses.cancel(whole.id)

    assert (stopped.id, stopped.status) == (whole.id, "completed")
