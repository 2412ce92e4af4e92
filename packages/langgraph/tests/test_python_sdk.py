"""`langgraph-sdk` for Python, unmodified: threads, runs, streams, interrupts."""

# pyright: basic

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import pytest

from plainloop.agent.errors import ModelAuthError
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.machine.scripted import Hang, text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.proxying import proxying
from tests.runs.test_detached import Gate
from tests.server.conftest import until

from .conftest import (
    ADD,
    BURN,
    LIST,
    MODES,
    Connect,
    collect,
    fold_chunks,
    list_texts,
    refused,
    say,
)

ROUTE = triage("note_writer")


async def test_a_chat_with_tools_is_streamed_as_stored(serve: ServeNotes, connect: Connect) -> None:
    served = await serve(ROUTE, tools(ADD, said="I note it."), tools(LIST), text("Noted."))
    client = connect(served)
    thread = await client.threads.create(metadata={"topic": "milk"})
    name = thread["thread_id"]
    parts = await collect(
        client.runs.stream(name, "notes", input=say("note milk"), stream_mode=MODES)
    )
    state = await client.threads.get_state(name)
    [run] = await client.runs.list(name)

    assert parts[0].event == "metadata" and parts[0].data["run_id"] == run["run_id"]
    assert [part.data for part in parts if part.event == "values"][-1] == state["values"]
    assert list_texts(state["values"]) == [
        ("human", "note milk"),
        ("ai", "I note it."),
        ("tool", '{"note":{"note_id":1,"text":"milk","stars":0}}'),
        ("ai", ""),
        ("tool", '{"notes":[{"note_id":1,"text":"milk","stars":0}]}'),
        ("ai", "Noted."),
    ]
    kept = {item["id"]: item["content"] for item in state["values"]["messages"][1:]}
    assert fold_chunks(parts) == kept
    updates = [next(iter(part.data)) for part in parts if part.event == "updates"]
    assert updates[-5:] == [
        *("note_writer", "note_writer.tools", "note_writer", "note_writer.tools"),
        "note_writer",
    ]
    assert (run["status"], state["next"], state["tasks"]) == ("success", [], [])
    assert (await client.threads.get(name))["metadata"]["topic"] == "milk"


async def test_an_interrupt_is_answered_by_resume(serve: ServeNotes, connect: Connect) -> None:
    served = await serve(ROUTE, BURN, text("So be it."))
    client = connect(served)
    name = (await client.threads.create())["thread_id"]
    parts = await collect(client.runs.stream(name, "notes", input=say("burn"), stream_mode=MODES))
    waiting = await client.threads.get_state(name)
    [interrupt] = waiting["tasks"][0]["interrupts"]
    [request] = interrupt["value"]["action_requests"]

    assert parts[-1].data["__interrupt__"] == [interrupt] == waiting["interrupts"]
    assert request == {"name": "burn_notes", "args": {}, "description": "Burn all of your 0 notes?"}
    assert (await client.threads.get(name))["status"] == "interrupted"
    assert [item["name"] for item in waiting["values"]["messages"][-1]["tool_calls"]] == [
        "burn_notes"
    ]
    resumed = await collect(
        client.runs.stream(name, "notes", command={"resume": True}, stream_mode=MODES)
    )
    first = next(part for part in resumed if part.event == "values")
    ended = await client.threads.get_state(name)

    assert "__interrupt__" not in first.data
    assert resumed[-1].data == ended["values"]
    assert list_texts(ended["values"])[-2:] == [("tool", '{"burnt":0}'), ("ai", "So be it.")]
    assert (await client.threads.get(name))["status"] == "idle"
    # The same answer once more is no second answer.
    again = await client.runs.wait(name, "notes", command={"resume": True})
    assert again == ended["values"]
    with refused(409):
        await client.runs.wait(name, "notes", command={"resume": False})


async def test_the_model_receives_the_reason_of_a_rejection(
    serve: ServeNotes, connect: Connect
) -> None:
    served = await serve(ROUTE, BURN, text("Then not."))
    client = connect(served)
    waiting = await client.runs.wait(None, "notes", input=say("burn"))
    [thread] = await client.threads.search(status="interrupted")
    [interrupt] = waiting["__interrupt__"]
    decisions = {"decisions": [{"type": "reject", "message": "They are ours."}]}
    ended = await client.runs.wait(
        thread["thread_id"], "notes", command={"resume": {interrupt["id"]: decisions}}
    )

    [denied] = [item for item in ended["messages"] if item["type"] == "tool"]
    assert denied["status"] == "error" and "They are ours." in denied["content"]
    assert list_texts(ended)[-1] == ("ai", "Then not.")


ANSWERS: list[tuple[Any, str | None]] = [
    ([{"type": "accept", "args": None}], "success"),
    ([{"type": "accept", "args": {"action": "burn_notes", "args": {}}}], "success"),
    ([{"type": "ignore", "args": None}], "error"),
    ([{"type": "response", "args": "Keep them."}], "error"),
    ({"decisions": [{"type": "approve"}]}, "success"),
    ([{"type": "accept", "args": {"action": "burn_notes", "args": {"all": True}}}], None),
    ({"decisions": [{"type": "edit", "edited_action": {}}]}, None),
    ("yes", None),
    ({}, None),
]


def be_eager_to_burn(request: ChatRequest) -> LLMResponse:
    if request.json_schema is not None:
        return ROUTE
    return text("Well.") if request.messages[-1]["role"] == "tool" else BURN


async def test_interrupts_accept_each_usual_answer_format(
    serve: ServeNotes, connect: Connect
) -> None:
    """Those that are refused leave the question as it is, for the next one."""
    client = connect(await serve(*[be_eager_to_burn] * 99))
    for answer, status in ANSWERS:
        waiting = await client.threads.search(status="interrupted")
        name = waiting[0]["thread_id"] if waiting else (await client.threads.create())["thread_id"]
        if not waiting:
            await client.runs.wait(name, "notes", input=say("burn"))
        if status is None:
            with refused(422):
                await client.runs.wait(name, "notes", input={}, command={"resume": answer})
            assert (await client.threads.get(name))["status"] == "interrupted"
            continue
        ended = await client.runs.wait(name, "notes", input={}, command={"resume": answer})
        shown = [item["status"] for item in ended["messages"] if item["type"] == "tool"]
        assert shown == [status], answer


async def test_two_calls_that_wait_for_approval_form_one_langgraph_interrupt(
    serve: ServeNotes, connect: Connect
) -> None:
    both = tools(("c1", "burn_notes", {}), ("c2", "publish", {"text": "hello"}))
    served = await serve(ROUTE, both, text("Done."))
    client = connect(served)
    name = (await client.threads.create())["thread_id"]
    parts = await collect(client.runs.stream(name, "notes", input=say("do both")))
    [asked] = parts[-1].data["__interrupt__"]
    state = await client.threads.get_state(name)
    assert state["interrupts"] == [asked] and len(asked["value"]["action_requests"]) == 2
    with refused(422):
        one = {"decisions": [{"type": "approve"}]}
        await client.runs.wait(name, "notes", command={"resume": one})
    order = [item["name"] for item in asked["value"]["action_requests"]]
    decisions = [{"type": "approve" if item == "publish" else "reject"} for item in order]
    ended = await client.runs.wait(name, "notes", command={"resume": {"decisions": decisions}})

    status = {item["name"]: item["status"] for item in ended["messages"] if item["type"] == "tool"}
    assert status == {"publish": "success", "burn_notes": "error"}


def write_as_page(waiting: dict[str, Any], text: str) -> dict[str, Any]:
    """What agent-chat-ui posts when its user writes: for each call without a result right behind
    its message, one that the page made up.
    """
    shown = waiting["messages"]
    made_up = [
        {
            "type": "tool",
            "tool_call_id": call["id"],
            "id": f"do-not-render-{uuid.uuid4()}",
            "name": call["name"],
            "content": "Successfully handled tool call.",
        }
        for n, message in enumerate(shown)
        if [item["type"] for item in shown[n + 1 : n + 2]] != ["tool"]
        for call in message.get("tool_calls", ())
    ]
    content = [{"type": "text", "text": text}]
    asked = {"id": str(uuid.uuid4()), "type": "human", "content": content}
    return {"messages": [*made_up, asked], "context": None}


async def test_a_new_message_abandons_the_pending_interrupt(
    serve: ServeNotes, connect: Connect
) -> None:
    both = tools(("c1", "burn_notes", {}), ("c2", "publish", {"text": "hello"}))
    served = await serve(ROUTE, both, *(ROUTE, text("As you like.")), *(ROUTE, text("Again.")))
    client = connect(served)
    name = (await client.threads.create())["thread_id"]
    await client.runs.wait(name, "notes", input=say("do both"))
    waiting = (await client.threads.get_state(name))["values"]
    options = {"stream_mode": ["values"], "stream_subgraphs": True, "stream_resumable": True}
    posted = write_as_page(waiting, "say hello to all instead")
    assert len(posted["messages"]) == 3
    parts = await collect(client.runs.stream(name, "notes", input=posted, **options))
    ended = await client.threads.get_state(name)
    seen = str(get_model(served).requests[-1].messages)

    assert parts[-1].data == ended["values"] and ended["interrupts"] == []
    assert list_texts(ended["values"])[-2:] == [
        ("human", "say hello to all instead"),
        ("ai", "As you like."),
    ]
    assert "Successfully handled" not in seen
    assert "Successfully handled" not in str(ended)
    # It does so at each later message as well, for calls that never got a result.
    posted = write_as_page(ended["values"], "and once more to all")
    again = await client.runs.wait(name, "notes", input=posted)
    assert list_texts(again)[-1] == ("ai", "Again.")
    with refused(422) as error:
        unknown = {**posted["messages"][0], "type": "tool", "tool_call_id": "c7", "id": "x"}
        await client.runs.wait(name, "notes", input={"messages": [unknown, *say("hi")["messages"]]})
    assert "tool" in error.value.response.json()["detail"]


async def test_an_interrupt_can_be_ended_without_an_answer(
    serve: ServeNotes, connect: Connect
) -> None:
    served = await serve(ROUTE, BURN)
    client = connect(served)
    name = (await client.threads.create())["thread_id"]
    await client.runs.wait(name, "notes", input=say("burn"))
    parts = await collect(
        client.runs.stream(name, "notes", input={}, command={"goto": "__end__"}, stream_mode=MODES)
    )
    ended = await client.threads.get(name)

    assert "error" not in [part.event for part in parts]
    assert "__interrupt__" not in parts[-1].data
    assert (ended["status"], ended["interrupts"]) == ("idle", {})
    with refused(409):
        await client.runs.wait(name, "notes", input={}, command={"goto": "__end__"})


async def test_a_yes_sent_early_does_not_decide_a_later_interrupt(
    serve: ServeNotes, connect: Connect
) -> None:
    again = tools(("c2", "burn_notes", {}))
    served = await serve(ROUTE, BURN, again, text("Done."))
    client = connect(served)
    name = (await client.threads.create())["thread_id"]
    await client.runs.wait(name, "notes", input=say("burn"))
    waiting = await client.runs.wait(name, "notes", command={"resume": True})
    with refused(409):
        await client.runs.wait(name, "notes", command={"resume": True})
    [interrupt] = waiting["__interrupt__"]
    state = await client.threads.get_state(name)
    assert state["interrupts"] == [interrupt]
    checkpoint = {key: state["checkpoint"][key] for key in ("checkpoint_id", "checkpoint_ns")}
    ended = await client.runs.wait(name, "notes", command={"resume": True}, checkpoint=checkpoint)

    assert list_texts(ended)[-1] == ("ai", "Done.")


async def test_a_stream_resumes_after_any_event(serve: ServeNotes, connect: Connect) -> None:
    served = await serve(ROUTE, tools(ADD, said="I note it."), text("It is noted by now."))
    client = connect(served)
    name = (await client.threads.create())["thread_id"]
    run = await client.runs.create(name, "notes", input=say("note milk"))
    whole = await collect(client.runs.join_stream(name, run["run_id"], last_event_id="-1"))

    assert whole[-1].data == await client.runs.join(name, run["run_id"])
    assert len({part.id for part in whole}) == len(whole) > 10
    for n, part in enumerate(whole[:-1]):
        rest = await collect(client.runs.join_stream(name, run["run_id"], last_event_id=part.id))
        assert rest == whole[n + 1 :]


async def test_a_langgraph_stream_loses_no_event_at_a_cut_connection(
    serve: ServeNotes, connect: Connect
) -> None:
    gate = Gate(text("And the rest of it."))
    served = await serve(ROUTE, tools(ADD, said="I note it."), gate)
    async with proxying(served.url) as line:
        client = connect(served, url=line.url)
        name = (await client.threads.create())["thread_id"]
        parts: list[Any] = []
        async for part in client.runs.stream(
            name, "notes", input=say("note milk"), stream_mode=["messages-tuple"]
        ):
            parts.append(part)
            if part.event == "messages" and part.data[0]["type"] == "tool":
                line.cut()
                line.is_cut = False
                gate.open.set()
    state = await connect(served).threads.get_state(name)

    assert fold_chunks(parts) == {
        item["id"]: item["content"] for item in state["values"]["messages"][1:]
    }
    assert list_texts(state["values"])[-1] == ("ai", "And the rest of it.")
    assert [part.event for part in parts].count("metadata") == 1


async def test_a_run_is_cancelled_by_its_id_and_by_hanging_up(
    serve: ServeNotes, connect: Connect
) -> None:
    served = await serve(ROUTE, Hang("Half"), ROUTE, Hang("Half"), ROUTE, Hang("Half"))
    client = connect(served)
    name = (await client.threads.create())["thread_id"]
    run = await client.runs.create(name, "notes", input=say("write"))

    await until(lambda: len(get_model(served).requests) == 2)
    await client.runs.cancel(name, run["run_id"], wait=True)
    assert (await client.runs.get(name, run["run_id"]))["status"] == "interrupted"

    run_id = ""
    for wish, status in (("cancel", "interrupted"), ("continue", "running")):
        seen = len(get_model(served).requests)
        async for part in client.runs.stream(
            name, "notes", input=say("write"), on_disconnect=wish, stream_mode="messages-tuple"
        ):
            run_id = part.data["run_id"] if part.event == "metadata" else run_id
            if len(get_model(served).requests) == seen + 2:
                break
        async with asyncio.timeout(60):
            while (await client.runs.get(name, run_id))["status"] != status:
                await asyncio.sleep(0.05)


async def test_a_busy_thread_queues_or_refuses_the_next_run(
    serve: ServeNotes, connect: Connect
) -> None:
    gate = Gate(text("One."))
    served = await serve(ROUTE, gate, ROUTE, text("Two."))
    client = connect(served)
    name = (await client.threads.create())["thread_id"]
    first = await client.runs.create(name, "notes", input=say("say one to all"))
    await gate.asked.wait()
    assert (await client.threads.get(name))["status"] == "busy"
    with refused(409):
        await client.runs.create(
            name, "notes", input=say("say no to all"), multitask_strategy="reject"
        )
    second = await client.runs.create(
        name, "notes", input=say("say two to all", id="q2"), metadata={"by": "test"}
    )
    watching = asyncio.create_task(
        collect(client.runs.join_stream(name, second["run_id"], stream_mode="values"))
    )
    assert (second["status"], second["metadata"]["by"]) == ("pending", "test")
    gate.open.set()
    parts = await watching

    said = [said for _, said in list_texts(parts[1].data)]
    assert (parts[0].event, said) == ("metadata", ["say one to all", "One.", "say two to all"])
    assert list_texts(parts[-1].data)[-1] == ("ai", "Two.")
    runs = await client.runs.list(name)
    assert [run["run_id"] for run in runs] == [second["run_id"], first["run_id"]]
    # The same message once more is the same run.
    again = await client.runs.create(name, "notes", input=say("say two to all", id="q2"))
    assert again["run_id"] == second["run_id"]


async def test_a_failed_run_raises_in_the_client(serve: ServeNotes, connect: Connect) -> None:
    served = await serve(ROUTE, ModelAuthError("no"))
    client = connect(served)
    name = (await client.threads.create())["thread_id"]
    parts = await collect(client.runs.stream(name, "notes", input=say("say it to all")))
    [run] = await client.runs.list(name)
    state = await client.threads.get_state(name)

    assert (parts[-1].event, parts[-1].data["error"]) == ("error", "MODEL_AUTH")
    assert (run["status"], (await client.threads.get(name))["status"]) == ("error", "error")
    assert "MODEL_AUTH" in state["tasks"][0]["error"]
    joined = await client.runs.join(name, run["run_id"])
    assert joined["__error__"]["error"] == "MODEL_AUTH"


async def test_a_langgraph_run_from_an_earlier_checkpoint_creates_a_branch(
    serve: ServeNotes, connect: Connect
) -> None:
    served = await serve(
        *(ROUTE, text("One.")),
        *(ROUTE, text("Two.")),
        *(ROUTE, text("Other.")),
        ROUTE,
        text("New."),
    )
    client = connect(served)
    name = str(uuid.uuid4())
    for word in ("first", "second"):
        await client.runs.wait(
            name, "notes", input=say(f"say {word} to all"), if_not_exists="create"
        )
    history = await client.threads.get_history(name)
    assert [len(item["values"]["messages"]) for item in history] == [4, 3, 2, 1, 0]
    before = history[1]["parent_checkpoint"]  # of the second question
    ended = await client.runs.wait(name, "notes", input=say("say third to all"), checkpoint=before)
    assert [said for _, said in list_texts(ended)] == [
        *("say first to all", "One.", "say third to all", "Other.")
    ]
    history = await client.threads.get_history(name)
    again = await client.runs.wait(name, "notes", checkpoint=history[1]["checkpoint"])
    assert [said for _, said in list_texts(again)][-2:] == ["say third to all", "New."]
    with refused(404):
        await client.runs.wait(name, "notes", input=say("x"), checkpoint=before)
    shown = await client.threads.search(ids=[name])
    assert [item["thread_id"] for item in shown] == [name]
    assert len(await served.service.store.list_threads("acme", "ann", limit=9)) == 3


async def test_threads_are_searched_by_metadata(serve: ServeNotes, connect: Connect) -> None:
    served = await serve(ROUTE, text("Hello."))
    client = connect(served)
    one = await client.threads.create(metadata={"topic": "tea", "size": 1})
    two = await client.threads.create(thread_id=str(uuid.uuid4()), metadata={"topic": "milk"})
    assert await client.threads.create(thread_id=two["thread_id"], if_exists="do_nothing") == two
    with refused(409):
        await client.threads.create(thread_id=two["thread_id"])
    await client.threads.update(one["thread_id"], metadata={"size": 2})
    await client.runs.wait(two["thread_id"], "notes", input=say("say hello to all"))
    found = await client.threads.search(metadata={"topic": "tea", "size": 2})
    assistant = await client.threads.search(metadata={"graph_id": "notes"}, limit=1)

    assert [item["thread_id"] for item in found] == [one["thread_id"]]
    assert assistant[0]["thread_id"] == two["thread_id"]
    assert list_texts(assistant[0]["values"]) == [("human", "say hello to all"), ("ai", "Hello.")]
    assert await client.threads.count(metadata={"topic": "milk"}) == 1
    assert await client.threads.search(metadata={"topic": "beer"}) == []
    await client.threads.copy(two["thread_id"])
    assert await client.threads.count(metadata={"topic": "milk"}) == 2
    await client.threads.delete(two["thread_id"])
    with refused(404):
        await client.threads.get(two["thread_id"])
    async with served.service.store.transaction("acme") as tx:
        noted = await tx.fetch(
            "select metadata ->> 'topic' as topic from client_metadata order by 1"
        )
    assert [row["topic"] for row in noted] == ["milk", "tea"]  # the copy's, and the other one's


async def test_a_langgraph_thread_is_invisible_to_other_users(
    serve: ServeNotes, connect: Connect
) -> None:
    served = await serve(ROUTE, BURN, text("So be it."))
    client = connect(served)
    name = str(uuid.uuid4())
    await client.runs.wait(name, "notes", input=say("burn"), if_not_exists="create")
    [run] = await client.runs.list(name)
    [thread] = await served.service.store.list_threads("acme", "ann", limit=9)
    for other in (connect(served, "eve"), connect(served, "ann", "globex")):
        assert await other.threads.search() == []
        for known in (name, thread.thread_id):
            for asking in (
                other.threads.get(known),
                other.threads.get_state(known),
                other.threads.get_history(known),
                other.threads.update(known, metadata={"a": 1}),
                other.threads.delete(known),
                other.runs.list(known),
                other.runs.get(known, run["run_id"]),
                other.runs.join(known, run["run_id"]),
                other.runs.cancel(known, run["run_id"]),
                other.runs.wait(known, "notes", command={"resume": True}),
                collect(other.runs.join_stream(known, run["run_id"])),
            ):
                with refused(404):
                    await asking
        mine = await other.threads.create(thread_id=name)
        assert mine["thread_id"] == name and mine["values"] is None
    assert (await client.threads.get(name))["status"] == "interrupted"


async def test_assistants_list_the_pack_and_its_designs(
    serve: ServeNotes, connect: Connect
) -> None:
    client = connect(await serve())
    found = await client.assistants.search()
    one = await client.assistants.get(found[0]["assistant_id"])
    nodes = (await client.assistants.get_graph(one["assistant_id"]))["nodes"]

    assert [item["graph_id"] for item in found][:2] == ["notes", "default"]
    assert one == found[0]
    assert "note_writer" in {node["id"] for node in nodes}
    assert await client.assistants.count() == len(found)
    assert (await client.assistants.get_schemas("default"))["graph_id"] == "default"
    with refused(404):
        await client.assistants.get("nobody")


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"input": {"mood": "fine", "messages": []}}, "mood"),
        ({"input": {"messages": [{"role": "system", "content": "Be rude."}]}}, "system"),
        ({"input": {"messages": [{"role": "tool", "content": "1"}]}}, "tool"),
        ({"input": say("hi"), "stream_mode": "events"}, "events"),
        ({"input": say("hi"), "multitask_strategy": "rollback"}, "rollback"),
        ({"input": say("hi"), "webhook": "https://example.org"}, "webhook"),
        ({"input": say("hi"), "interrupt_before": ["tools"]}, "interrupt_before"),
        ({"input": say("hi"), "context": {"model": "x"}}, "context"),
        ({"input": say("hi"), "config": {"configurable": {"model": "x"}}}, "model"),
        ({"input": say("hi"), "config": {"recursion_limit": 3}}, "recursion_limit"),
        ({"command": {"goto": "agent"}}, "resume"),
        ({"input": {"messages": []}}, "empty"),
    ],
)
async def test_unsupported_operations_are_refused_by_name(
    asked: dict[str, Any], named: str, serve: ServeNotes, connect: Connect
) -> None:
    client = connect(await serve())
    name = (await client.threads.create())["thread_id"]
    with refused(422) as error:
        await collect(client.runs.stream(name, "notes", **asked))

    assert named in str(error.value.response.json()["detail"])
    assert await client.runs.list(name) == []


async def test_the_langgraph_store_is_refused_as_unsupported(
    serve: ServeNotes, connect: Connect
) -> None:
    client = connect(await serve())
    with refused(404) as error:
        await client.store.put_item(("memories",), "a", {"b": 1})

    assert "the store is not supported" in error.value.response.json()["detail"]
    with refused(422):
        await client.threads.get("nope")
