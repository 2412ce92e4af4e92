"""`Chat` of @ai-sdk/react with `DefaultChatTransport`, unmodified, in Node."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.base.messages.contents import get_answer, get_text
from plainloop.agent.errors import ModelAuthError
from plainloop.agent.store.records import ThreadInfo
from tests.machine.scripted import Cut, Hang, text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.node_clients import get_end, require_node, run_client
from tests.protocols.posting import make_body
from tests.runs.test_detached import Gate
from tests.server.conftest import Served

PROGRAM = "ai_sdk.mjs"
ADD = ("c1", "add_note", {"text": "milk"})
LIST = ("c2", "list_notes", {})
BURN = tools(("c1", "burn_notes", {}), said="I would burn them.")


@pytest.fixture(autouse=True)
def ai_sdk() -> None:
    require_node("@ai-sdk/react")
    require_node("ai-6")
    require_node("ai-5")


def get_shown(end: dict[str, Any]) -> str:
    """The newest answer's text on the page."""
    return "".join(p["text"] for p in end["messages"][-1]["parts"] if p["type"] == "text")


def to_plain(message: dict[str, Any]) -> list[Any]:
    """Text, and calls with what came of them."""
    return [
        part["text"].strip()
        if part["type"] == "text"
        else (part["toolName"], part["state"], part.get("output", part.get("errorText")))
        for part in message["parts"]
        if part["type"] in ("text", "dynamic-tool")
    ]


async def list_threads(served: Served) -> list[ThreadInfo]:
    return await served.service.store.list_threads("acme", "ann", limit=10)


async def load_answer(served: Served, thread: ThreadInfo | None = None) -> str:
    """The newest thread's last answer as it is stored."""
    thread = thread or (await list_threads(served))[0]
    return get_answer(await served.service.store.load_messages("acme", thread.thread_id))


async def test_the_ai_sdk_client_shows_a_plain_answer(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Hello there,\n\nAda."))
    end = await get_end(served, PROGRAM, "plain")

    assert (end["status"], end["errors"]) == ("ready", [])
    assert get_shown(end) == await load_answer(served) == "Hello there,\n\nAda."
    assert end["finishes"] == [
        {"isError": False, "isAbort": False, "isDisconnect": False, "finishReason": "stop"}
    ]
    assert end["history"]["success"], end["history"]
    assert end["history"]["data"][0]["id"] == end["messages"][0]["id"]
    assert end["history"]["data"][1]["id"] == end["messages"][1]["id"]
    assert "data-progress" in end["data"]


async def test_the_ai_sdk_shows_the_servers_tool_calls_and_repeats_none(serve: ServeNotes) -> None:
    first = tools(ADD, ("c3", "explode", {}), said="I note it.")
    served = await serve(triage("note_writer"), first, tools(LIST), text("Noted."))
    end = await get_end(served, PROGRAM, "plain")
    answer = end["messages"][-1]

    assert len(end["finishes"]) == 1
    assert get_shown(end) == await load_answer(served)
    calls = [name for name, *_ in to_plain(answer)[1:-1]]
    assert (sorted(calls[:2]), calls[2:]) == (["add_note", "explode"], ["list_notes"])
    assert [item["type"] for item in answer["parts"]].count("step-start") == 3
    stored = to_plain(end["history"]["data"][-1])
    assert sorted(stored, key=str) == sorted(to_plain(answer), key=str)


@pytest.mark.parametrize(
    ("scenario", "state"), [("approve", "output-available"), ("deny@6!", "output-denied")]
)
async def test_after_an_approval_the_run_continues_in_a_new_stream(
    scenario: str, state: str, serve: ServeNotes
) -> None:
    served = await serve(triage("note_writer"), BURN, text("So be it."))
    waiting, end = [item async for item in run_client(served, PROGRAM, scenario)]
    [call] = [p for p in end["messages"][-1]["parts"] if p["type"] == "dynamic-tool"]

    assert waiting["part"]["toolName"] == "burn_notes"
    if "@" not in scenario:  # 6 does not keep it
        assert waiting["part"]["approval"]["requestReason"] == "Burn all of your 0 notes?"
    assert waiting["history"]["success"], waiting["history"]
    assert waiting["history"]["data"][-1]["parts"][-1]["state"] == "approval-requested"
    assert (end["status"], end["errors"], call["state"]) == ("ready", [], state)
    assert [item["finishReason"] for item in end["finishes"]] == ["tool-calls", "stop"]
    assert [item["role"] for item in end["messages"]] == ["user", "assistant"]
    assert get_shown(end) == await load_answer(served) == "I would burn them.\n\nSo be it."


@pytest.mark.parametrize(  # with `!` the page says which version it is
    ("version", "scenario", "state"),
    [
        ("5", "type_no", "output-error"),
        ("6", "type_yes", "output-available"),
        ("6!", "type_yes", "output-available"),
        ("7", "type_no", "output-error"),
        ("7!", "type_no", "output-denied"),
    ],
)
async def test_a_typed_yes_or_no_decides_an_ai_sdk_approval(
    version: str, scenario: str, state: str, serve: ServeNotes
) -> None:
    script = (triage("note_writer"), BURN, text("So be it."), triage("note_writer"))
    served = await serve(*script, text("Nothing."))
    waiting, end = [item async for item in run_client(served, PROGRAM, f"{scenario}@{version}")]
    asked, decided, last = (item for item in end["messages"] if item["role"] == "assistant")
    is_asked_by_a_part = version in ("6!", "7!")

    assert (end["status"], end["errors"]) == ("ready", [])
    assert waiting["history"]["success"], waiting["history"]
    assert ("Please answer **yes** or **no** (" in str(asked)) is not is_asked_by_a_part
    assert ("Please answer" in str(waiting["history"]["data"])) is not is_asked_by_a_part
    [(name, shown, _), said] = to_plain(decided)
    assert (name, shown, said) == ("burn_notes", state, "So be it.")
    assert to_plain(last) == ["Nothing."]
    assert asked["id"] != decided["id"]
    [thread] = await list_threads(served)
    stored = await served.service.store.load_messages("acme", thread.thread_id)
    told = [get_text(item) for item in stored if item["role"] == "user"]
    assert told == ["please do it", "and then?"]


async def test_an_app_that_sends_only_the_last_message_can_decide_approvals(
    serve: ServeNotes,
) -> None:
    served = await serve(triage("note_writer"), BURN, text("So be it."))
    client = await served.client()
    await client.post("/api/ui/default/chat", json=make_body("c"))
    message = {"id": "m2", "role": "user", "parts": [{"type": "text", "text": "no"}]}
    answer = await client.post("/api/ui/default/chat", json={"id": "c", "message": message})

    assert '"delta":" it."' in answer.text and "did not allow" in answer.text


async def test_an_invalid_ai_sdk_version_is_refused(serve: ServeNotes) -> None:
    client = await (await serve()).client()
    told = {"x-ai-sdk-version": "newest"}
    answer = await client.post("/api/ui/default/chat", json=make_body("c"), headers=told)

    assert (answer.status_code, answer.text[:32]) == (400, "x-ai-sdk-version must be the AI ")


@pytest.mark.parametrize(
    ("named", "chunk"), [("?ai_sdk=6", "tool-approval-request"), ("", "Please answer")]
)
async def test_the_url_can_name_the_ai_sdk_version(
    named: str, chunk: str, serve: ServeNotes
) -> None:
    served = await serve(triage("note_writer"), BURN)
    answer = await (await served.client()).post(f"/api/ui/default/chat{named}", json=make_body("c"))

    assert chunk in answer.text


async def test_an_ai_sdk_stream_resumes_without_repeated_text(serve: ServeNotes) -> None:
    gate = Gate(text("And the rest of it."))
    served = await serve(triage("note_writer"), tools(ADD, said="I note it."), gate)
    async for told in run_client(served, PROGRAM, "cut"):
        if told["kind"] == "resumed":
            gate.open.set()
        end = told

    assert end["status"] == "ready"
    assert [item["isError"] for item in end["finishes"]] == [True, False]
    assert get_shown(end) == await load_answer(served)
    assert get_shown(end) == "I note it.\n\nAnd the rest of it."
    assert [item["role"] for item in end["messages"]] == ["user", "assistant"]


async def test_resuming_an_ai_sdk_chat_without_an_active_run_shows_nothing(
    serve: ServeNotes,
) -> None:
    end = await get_end(await serve(), PROGRAM, "idle")

    assert (end["status"], end["messages"], end["errors"]) == ("ready", [], [])


@pytest.mark.parametrize(("version", "reason"), [("6", "other"), ("7!", "interrupted")])
async def test_the_ai_sdk_stop_route_cancels_the_run(
    version: str, reason: str, serve: ServeNotes
) -> None:
    served = await serve(triage("note_writer"), Hang("Half of an"))
    stopped, end = [item async for item in run_client(served, PROGRAM, f"cancel@{version}")]

    assert stopped["stopped"] is True
    assert (end["status"], get_shown(end)) == ("ready", "Half of an")
    assert end["finishes"][-1].get("finishReason", reason) == reason
    assert await load_answer(served) == "Half of an"


async def test_the_ai_sdk_shows_an_error_below_the_partial_answer(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), Cut("Half of it", ModelAuthError("wrong key")))
    end = await get_end(served, PROGRAM, "plain")

    assert (end["status"], get_shown(end)) == ("error", "Half of it")
    assert len(end["errors"]) == 1 and "wrong key" not in end["errors"][0]


async def test_an_ai_sdk_error_before_the_stream_is_plain_text(serve: ServeNotes) -> None:
    served = await serve(messages_per_minute=1)
    client = await served.client()
    await client.post("/api/ui/default/chat", json=make_body("one"))
    end = await get_end(served, PROGRAM, "plain")

    assert end["status"] == "error"
    assert end["errors"][0].startswith("too many requests. try again in ")


@pytest.mark.parametrize(
    ("scenario", "asked", "shown"),
    [
        ("regenerate", ["please do it"], "Third."),
        ("edit", ["otherwise"], "Third."),
        ("newest_alone", ["please do it", "otherwise"], "Third."),
    ],
)
async def test_posting_a_history_without_its_end_starts_a_branch(
    scenario: str, asked: list[str], shown: str, serve: ServeNotes
) -> None:
    turns = [(triage("note_writer"), text(said)) for said in ("First.", "Second.", "Third.")]
    served = await serve(*(step for turn in turns for step in turn))
    end = await get_end(served, PROGRAM, scenario)
    branch, old = await list_threads(served)
    questions = [
        item["parts"][0]["text"] for item in end["history"]["data"] if item["role"] == "user"
    ]

    assert (end["status"], end["errors"]) == ("ready", [])
    assert get_shown(end) == await load_answer(served, branch) == shown
    assert questions == asked
    assert await load_answer(served, old) == "Second."


async def test_a_client_tools_call_is_executed_by_the_client(serve: ServeNotes) -> None:
    ask = tools(("c1", "get_place", {"exact": True}), said="Where are you?")
    served = await serve(triage("note_writer"), ask, text("Then it is Oslo."))
    called, end = [item async for item in run_client(served, PROGRAM, "client_tool")]
    model = get_model(served)

    assert (called["name"], called["input"]) == ("get_place", {"exact": True})
    assert (end["status"], end["errors"]) == ("ready", [])
    assert get_shown(end) == await load_answer(served) == "Where are you?\n\nThen it is Oslo."
    assert "get_place" in [item.name for item in model.requests[1].tools]
    assert model.requests[2].messages[-1]["parts"][0]["result"] == {"place": "Oslo"}


async def test_an_ai_sdk_chat_is_visible_only_to_its_user(serve: ServeNotes) -> None:
    turns = [step for _ in range(2) for step in (triage("note_writer"), text("Mine."))]
    served = await serve(*turns)
    ann, bob = await served.client(), await served.client("bob")
    first = await ann.post("/api/ui/default/chat", json=make_body("c"))
    thread_id, run_id = first.headers["x-conversation-id"], first.headers["x-run-id"]
    decided = {"id": run_id, "role": "assistant", "parts": [{"approval": {"id": run_id}}]}
    answers = [await bob.get(f"/api/ui/default/chat/{name}/messages") for name in ("c", thread_id)]
    answers += [await bob.post(f"/api/ui/default/chat/{name}/stop") for name in ("c", thread_id)]
    answers.append(await bob.post("/api/ui/default/chat", json={"id": "c", "message": decided}))
    resumed = await bob.get(f"/api/ui/default/chat/{thread_id}/stream")
    own = await bob.post("/api/ui/default/chat", json=make_body("c"))

    assert [item.status_code for item in answers] == [404] * 5
    assert resumed.status_code == 204
    assert own.headers["x-conversation-id"] != thread_id


async def test_client_tools_can_be_sent_as_an_object_keyed_by_name(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), tools(("c1", "get_place", {})))
    offered = {"get_place": {"description": "Where?", "parameters": {"type": "object"}}}
    body = {**make_body("c", "where am I?"), "tools": offered}
    answer = await (await served.client()).post("/api/ui/default/chat", json=body)

    assert answer.status_code == 200, answer.text
    assert '"toolName":"get_place"' in answer.text
