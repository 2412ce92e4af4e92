"""OpenAI's own Python client, unmodified, talking to an agent."""

from __future__ import annotations

from typing import Any

import openai
import pytest

from plainloop.agent.base.messages.contents import get_answer, get_text
from plainloop.agent.base.tokens.estimate import estimate_tokens
from plainloop.agent.errors import ConflictError, ModelAuthError, NotFoundError
from plainloop.agent.store.budgets import Budget, save_budget
from plainloop.agent.store.records import Approval
from plainloop.agent.store.threads import load_last_run
from plainloop.agent.types import RunOptions, RunRequest, ToolSchema
from tests.machine.scripted import Cut, text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.server.conftest import Served

MODEL = "notes/default"
ADD = ("c1", "add_note", {"text": "milk"})
BURN = tools(("c1", "burn_notes", {}), said="I would burn them.")
BURN_AGAIN = tools(("c2", "burn_notes", {}))
TITLE = "### Task:\nGenerate a concise title summarizing the chat history."
USER: Any = {"role": "user", "content": "please do it"}


def connect(
    served: Served, user: str = "ann", *, is_admin: bool = False, **more: Any
) -> openai.AsyncOpenAI:
    token = served.token(user, is_admin=is_admin)
    plain = openai.DefaultAsyncHttpxClient(verify=False)  # else it reads all certificates
    client = openai.AsyncOpenAI(
        base_url=f"{served.url}/v1", api_key=token, max_retries=0, http_client=plain, **more
    )
    served.stack.push_async_callback(client.close)
    return client


async def stream(client: openai.AsyncOpenAI, messages: list[Any], **more: Any) -> Any:
    """The completion as the client's own accumulator makes it of the chunks."""
    async with client.chat.completions.stream(model=MODEL, messages=messages, **more) as chunks:
        async for _ in chunks:
            pass
        return await chunks.get_final_completion()


async def list_texts(served: Served, thread_id: str) -> list[tuple[str, str]]:
    stored = await served.service.store.load_messages("acme", thread_id)
    return [(item["role"], get_text(item)) for item in stored if get_text(item)]


async def list_threads(served: Served, user: str = "ann") -> list[str]:
    """The newest first."""
    found = await served.service.store.list_threads("acme", user, limit=50)
    return [item.thread_id for item in found]


async def list_approvals(served: Served, thread_id: str) -> list[Approval]:
    """Of the thread's newest run."""
    async with served.service.store.transaction("acme") as tx:
        run_id = await load_last_run(tx, "ann", thread_id)
    return await served.replica.runs.list_approvals("acme", "ann", run_id)


async def list_states(served: Served) -> list[list[str]]:
    """What became of each approval, by threads, the oldest first."""
    return [
        [item.status for item in await list_approvals(served, thread_id)]
        for thread_id in reversed(await list_threads(served))
    ]


def answer(asked: Any, word: str) -> list[Any]:
    """What a client posts that shows an answer of ours and its user's word on it."""
    shown = {"role": "assistant", "content": asked.choices[0].message.content}
    return [shown, {"role": "user", "content": word}]


async def test_agents_are_listed_as_openai_models(serve: ServeNotes) -> None:
    client = connect(await serve())
    listed = [item.id async for item in client.models.list()]

    assert listed[0] == MODEL
    assert sorted(listed[1:]) == ["notes/react"]  # not the one that runs the calls of MCP's clients
    assert (await client.models.retrieve(MODEL)).owned_by == "plainloop"


async def test_a_streamed_chat_answer_is_the_stored_one_without_tools(serve: ServeNotes) -> None:
    script = (triage("note_writer"), tools(ADD, said="Let me note that."), text("Noted: milk."))
    served = await serve(*script)
    done = await stream(connect(served), [USER], stream_options={"include_usage": True})
    [thread_id] = await list_threads(served)
    stored = await served.service.store.load_messages("acme", thread_id)

    [choice] = done.choices
    assert choice.message.content == get_answer(stored) == "Let me note that.\n\nNoted: milk."
    assert (choice.finish_reason, choice.message.tool_calls) == ("stop", None)
    assert (done.usage.prompt_tokens, done.usage.completion_tokens) == (30, 15)


async def test_a_posted_history_finds_its_thread_and_an_edit_branches(serve: ServeNotes) -> None:
    turns = [item for n in range(4) for item in (triage("note_writer"), text(f"Answer {n}."))]
    served = await serve(*turns)
    client = connect(served)
    said: list[Any] = []
    for question in ("one", "two", "three"):
        said.append({"role": "user", "content": question})
        done = await client.chat.completions.create(model=MODEL, messages=said)
        said.append({"role": "assistant", "content": done.choices[0].message.content})
    [thread_id] = await list_threads(served)
    edited = [*said[:2], {"role": "user", "content": "two, but otherwise"}]
    done = await client.chat.completions.create(model=MODEL, messages=edited)
    branch, old = await list_threads(served)

    assert old == thread_id
    assert [text for _, text in await list_texts(served, old)] == [
        *("one", "Answer 0.", "two", "Answer 1.", "three", "Answer 2.")
    ]
    assert await list_texts(served, branch) == [
        ("user", "one"),
        ("assistant", "Answer 0."),
        ("user", "two, but otherwise"),
        ("assistant", "Answer 3."),
    ]
    asked = get_model(served).requests[-1].messages
    assert [get_text(item) for item in asked] == ["one", "Answer 0.", "two, but otherwise"]


async def test_an_unknown_history_is_imported(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Blue."))
    history: list[Any] = [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": "My colour is blue."},
        {"role": "assistant", "content": "Fine."},
        {"role": "tool", "tool_call_id": "c9", "content": "never made"},
        {"role": "user", "content": "Which is it?"},
    ]
    done = await connect(served).chat.completions.create(model=MODEL, messages=history)
    [thread_id] = await list_threads(served)

    assert done.choices[0].message.content == "Blue."
    assert await list_texts(served, thread_id) == [
        ("user", "My colour is blue."),
        ("assistant", "Fine."),
        ("user", "Which is it?"),
        ("assistant", "Blue."),
    ]


@pytest.mark.parametrize("header", ["X-OpenWebUI-Chat-Id", "X-LibreChat-Conversation-Id"])
async def test_a_chat_programs_conversation_id_finds_the_thread(
    header: str, serve: ServeNotes
) -> None:
    turns = [item for n in range(3) for item in (triage("note_writer"), text(f"Answer {n}."))]
    served = await serve(*turns)
    client = connect(served, default_headers={header: "chat-1"})
    first = [USER]
    one = await client.chat.completions.create(model=MODEL, messages=first)
    said = [*first, {"role": "assistant", "content": one.choices[0].message.content}]
    cut = [*said, {"role": "user", "content": "and now?"}]
    await client.chat.completions.create(model=MODEL, messages=cut)
    [thread_id] = await list_threads(served)
    await client.chat.completions.create(model=MODEL, messages=cut)
    branch, old = await list_threads(served)

    assert old == thread_id
    assert (await list_texts(served, old))[-1] == ("assistant", "Answer 1.")
    assert (await list_texts(served, branch))[-1] == ("assistant", "Answer 2.")


async def test_another_users_thread_is_not_found(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Secret."))
    await stream(connect(served), [USER], extra_headers={"X-OpenWebUI-Chat-Id": "chat-1"})
    [thread_id] = await list_threads(served)
    for name in (thread_id, "0" * 32, "no id"):
        with pytest.raises(openai.NotFoundError) as refused:
            await stream(connect(served, "bob"), [USER], extra_headers={"X-Thread-Id": name})
        assert refused.value.code == "NOT_FOUND"
    assert await list_threads(served, "bob") == []


async def test_an_admin_key_can_act_for_a_named_user(serve: ServeNotes) -> None:
    turns = [item for _ in range(2) for item in (triage("note_writer"), text("Hello."))]
    served = await serve(*turns)
    for name in ("kim", "lee"):
        client = connect(served, "openwebui", is_admin=True)
        await stream(client, [USER], extra_headers={"X-OpenWebUI-User-Id": name})
    mallory = connect(served, "mallory")
    with pytest.raises(openai.APIError):  # the script has ended
        await stream(mallory, [USER], extra_headers={"X-OpenWebUI-User-Id": "kim"})

    counts = [len(await list_threads(served, name)) for name in ("kim", "lee", "mallory")]
    assert counts == [1, 1, 1]


async def test_a_title_request_is_one_small_call_outside_threads(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Hello."), text('{"title": "Notes"}'))
    client = connect(served)
    await stream(client, [USER])
    task = TITLE + "\n<chat_history>USER: please do it</chat_history>"
    done = await stream(client, [{"role": "user", "content": task}])
    [thread_id] = await list_threads(served)
    read = served.service.store.read("acme")
    sql = "select worker, role, run_id, user_id from llm_calls where worker = 'side_request'"

    assert done.choices[0].message.content == '{"title": "Notes"}'
    assert get_model(served).requests[-1].tools == ()
    assert len(await list_texts(served, thread_id)) == 2
    assert [tuple(row.values()) for row in await read.fetch(sql)] == [
        ("side_request", "classifier", None, "ann")
    ]


async def test_a_typed_yes_or_no_decides_an_approval(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN, text("They are burnt."))
    client = connect(served)
    first = await stream(client, [USER])
    asked = first.choices[0].message.content
    history = [USER, {"role": "assistant", "content": asked}, {"role": "user", "content": "Yes."}]
    rest = await stream(client, history)
    [thread_id] = await list_threads(served)

    assert asked.startswith("I would burn them.\n\n")
    [approval] = await list_approvals(served, thread_id)
    assert asked.endswith(f"Please answer **yes** or **no** ({approval.approval_id[-12:]}).")
    assert rest.choices[0].message.content.strip() == "They are burnt."
    assert await list_texts(served, thread_id) == [
        ("user", "please do it"),
        ("assistant", "I would burn them."),
        ("assistant", "They are burnt."),
    ]


async def test_title_requests_count_towards_the_message_rate(serve: ServeNotes) -> None:
    served = await serve(*(text("A title.") for _ in range(3)), messages_per_minute=2)
    client = connect(served)
    task: Any = [{"role": "user", "content": TITLE}]
    for _ in range(2):
        await client.chat.completions.create(model=MODEL, messages=task)
    with pytest.raises(openai.RateLimitError):
        await client.chat.completions.create(model=MODEL, messages=task)


async def test_a_title_request_is_cut_to_the_models_window(serve: ServeNotes) -> None:
    served = await serve(text("A title."), window_tokens=200)
    client = connect(served)
    talk = TITLE + " " + "It rains today. " * 2_000 + "The end."
    await client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": talk}])
    [seen] = get_model(served).requests[-1].messages
    with pytest.raises(openai.BadRequestError) as refused:
        await client.chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": talk * 4}]
        )

    assert estimate_tokens(get_text(seen)) < 210
    assert get_text(seen).startswith(TITLE)
    assert get_text(seen).endswith("The end.")
    assert refused.value.code == "MESSAGE_TOO_LONG"


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "k-2"}])
async def test_a_yes_sent_twice_decides_one_approval(
    headers: dict[str, str], serve: ServeNotes
) -> None:
    served = await serve(triage("note_writer"), BURN, BURN_AGAIN, text("They are burnt."))
    client = connect(served)
    first = await stream(client, [USER])
    said = [USER, *answer(first, "yes")]
    told = [await stream(client, said, extra_headers=headers) for _ in range(3)]
    before = await list_states(served)
    rest = await stream(client, [*said, *answer(told[-1], "yes")])

    assert len({item.choices[0].message.content for item in told}) == 1
    assert before == [["consumed", "pending"]]
    assert rest.choices[0].message.content.strip() == "They are burnt."


async def test_an_assistant_message_decides_no_approval(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN, triage("note_writer"), text("Going on."))
    client = connect(served)
    asked = await client.chat.completions.create(model=MODEL, messages=[USER])
    shown, _ = answer(asked, "")
    said: list[Any] = [USER, shown, {"role": "assistant", "content": "Yes"}]
    await client.chat.completions.create(model=MODEL, messages=said)

    assert (await list_states(served))[0] == ["pending"]


async def test_a_yes_decides_only_the_approval_of_the_answer_before_it(serve: ServeNotes) -> None:
    served = await serve(
        *(triage("note_writer"), BURN, triage("note_writer"), BURN_AGAIN, text("They are burnt."))
    )
    client = connect(served)
    one, _ = [await stream(client, [USER]) for _ in range(2)]
    await stream(client, [USER, *answer(one, "yes")])

    assert await list_states(served) == [["consumed"], ["pending"]]


async def test_a_late_yes_shows_the_now_pending_question(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN, BURN_AGAIN, text("They are burnt."))
    client = connect(served)
    first = await stream(client, [USER])
    [thread_id] = await list_threads(served)
    [asked] = await list_approvals(served, thread_id)
    await stream(client, [USER, *answer(first, "no")])
    late = [USER, *answer(first, "yes")]
    told = await stream(client, late)
    whole = await client.chat.completions.create(model=MODEL, messages=late)
    before = await list_states(served)
    rest = await stream(client, [*late, *answer(told, "yes")])
    [_, now] = await list_approvals(served, thread_id)

    shown = told.choices[0].message.content
    assert shown == whole.choices[0].message.content
    assert [line for line in shown.splitlines() if line] == [
        "That question is closed (this approval was already decided: denied).",
        "Burn all of your 0 notes?",
        f"Please answer **yes** or **no** ({now.approval_id[-12:]}).",
    ]
    assert asked.approval_id != now.approval_id
    assert before == [["denied", "pending"]]
    assert (now.status, rest.choices[0].message.content.strip()) == ("consumed", "They are burnt.")


async def test_the_clients_own_tools_are_called_by_the_client(serve: ServeNotes) -> None:
    both = tools(("c1", "get_place", {}), ("c2", "get_time", {"zone": "UTC"}), said="One moment.")
    served = await serve(triage("note_writer"), both, text("It is late in Oslo."))
    client = connect(served)
    schemas = [
        {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
        for name in ("get_place", "get_time")
    ]
    first = await stream(client, [USER], tools=schemas)
    message = first.choices[0].message
    results = [
        {"role": "tool", "tool_call_id": "c1", "content": '{"place": "Oslo"}'},
        {"role": "tool", "tool_call_id": "c2", "content": "late"},
    ]
    told = [USER, message.model_dump(exclude_none=True), *results]
    rest = await stream(client, told, tools=schemas)

    assert first.choices[0].finish_reason == "tool_calls"
    assert [(call.function.name, call.function.arguments) for call in message.tool_calls] == [
        ("get_place", "{}"),
        ("get_time", '{"zone":"UTC"}'),
    ]
    assert rest.choices[0].message.content.strip() == "It is late in Oslo."
    [answered] = get_model(served).requests[-1].messages[-1:]
    assert [part["result"] for part in answered["parts"]] == [{"place": "Oslo"}, "late"]


async def test_a_client_tools_deeply_nested_result_stays_text(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), tools(("c1", "get_place", {})), text("It is deep."))
    client = connect(served)
    schemas = [{"type": "function", "function": {"name": "get_place"}}]
    first = await stream(client, [USER], tools=schemas)
    deep = "[" * 300 + "]" * 300  # encoders of JSON stop at 254
    result = {"role": "tool", "tool_call_id": "c1", "content": deep}
    told = [USER, first.choices[0].message.model_dump(exclude_none=True), result]
    rest = await stream(client, told, tools=schemas)

    assert rest.choices[0].message.content.strip() == "It is deep."
    [answered] = get_model(served).requests[-1].messages[-1:]
    assert [part["result"] for part in answered["parts"]] == [deep]


async def test_a_client_may_send_as_many_tools_as_open_webui(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), tools(("c1", "tool_35", {})))
    client = connect(served)
    shape = {"parameters": {"type": "object"}, "description": "x" * 600}
    schemas: list[Any] = [
        {"type": "function", "function": {"name": f"tool_{n}", **shape}} for n in range(129)
    ]
    chunks = [
        chunk
        async for chunk in await client.chat.completions.create(
            model=MODEL, messages=[USER], tools=schemas[:36], stream=True
        )
    ]
    with pytest.raises(openai.BadRequestError) as refused:
        await client.chat.completions.create(model=MODEL, messages=[USER], tools=schemas)

    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-1].choices[0].finish_reason == "tool_calls"
    assert "at most 128 tools" in refused.value.message


async def test_a_client_call_is_answered_once_and_only_by_its_user(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), tools(("c1", "get_place", {})), text("Oslo."))
    runs = served.replica.runs
    thread = await served.service.ensure_thread("acme", "ann", None, "where?")
    schema = ToolSchema("get_place", "", {"type": "object"})
    asked = RunRequest("where?", options=RunOptions(client_tools=(schema,)))
    ticket = await runs.submit("acme", "ann", thread.thread_id, asked)
    async for events in runs.watch_turn("acme", "ann", ticket.run_id):
        last = events[-1]
    answer = {"result": "Oslo", "is_error": False}
    for user in (("acme", "bob"), ("umbrella", "ann")):
        with pytest.raises(NotFoundError):
            await runs.answer_call(*user, ticket.run_id, "c1", answer)
    with pytest.raises(NotFoundError):
        await runs.answer_call("acme", "ann", ticket.run_id, "c2", answer)
    for _ in range(2):
        await runs.answer_call("acme", "ann", ticket.run_id, "c1", answer)
    with pytest.raises(ConflictError) as other:
        await runs.answer_call("acme", "ann", ticket.run_id, "c1", {**answer, "result": "Rome"})

    assert last["event"] == "tool_request"
    assert other.value.code == "CALL_ANSWERED"
    assert await runs.list_approvals("acme", "ann", ticket.run_id) == []


async def test_a_failure_in_the_stream_raises_in_the_client(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), Cut("Half of it", ModelAuthError("wrong key")))
    with pytest.raises(openai.APIError) as failed:
        await stream(connect(served), [USER])
    told = failed.value.body

    assert failed.value.code == "MODEL_AUTH"
    assert isinstance(told, dict) and told["action"]["label"] == "Replace the key"


async def test_without_budget_the_status_is_402(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Never."))
    async with served.service.store.transaction("acme") as tx:
        await save_budget(tx, Budget("tenant", "day", 100, None))
    with pytest.raises(openai.APIStatusError) as refused:
        await connect(served).chat.completions.create(model=MODEL, messages=[USER])

    told = refused.value.body

    assert (refused.value.status_code, refused.value.code) == (402, "BUDGET_EXCEEDED")
    assert isinstance(told, dict) and told["action"]["label"] == "Show budgets"


async def test_a_limit_ends_with_finish_reason_length(serve: ServeNotes) -> None:
    again = tools(("c2", "add_note", {"text": "honey"}), said="More.")
    script = (triage("note_writer"), tools(ADD, said="One."), again)
    client = connect(await serve(*script, worker_turns=2))
    chunks = await client.chat.completions.create(model=MODEL, messages=[USER], stream=True)
    choices = [chunk.choices[0] async for chunk in chunks]

    assert choices[-1].finish_reason == "length"
    assert "".join(item.delta.content or "" for item in choices) == "One.\n\nMore."


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"model": "gpt-4o", "messages": [USER]}, 404, "model_not_found"),
        ({"model": MODEL, "messages": []}, 400, "INVALID_FORMAT"),
        ({"model": MODEL, "messages": [{"role": "assistant", "content": "x"}]}, 400, None),
        ({"model": MODEL, "messages": [{"role": "user", "content": " "}]}, 400, "EMPTY_MESSAGE"),
        (
            {
                "model": MODEL,
                "messages": [USER],
                "tools": [{"type": "function", "function": {"name": "add_note"}}],
            },
            400,
            "INVALID_INPUT",
        ),
        (
            {"model": MODEL, "messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
            400,
            "INVALID_INPUT",
        ),
    ],
)
async def test_errors_have_openais_format(
    body: Any, status: int, code: str | None, serve: ServeNotes
) -> None:
    with pytest.raises(openai.APIStatusError) as refused:
        await connect(await serve()).chat.completions.create(**body)

    told: Any = refused.value.body
    assert refused.value.status_code == status
    assert set(told) == {"message", "type", "param", "code"}
    assert code is None or told["code"] == code
