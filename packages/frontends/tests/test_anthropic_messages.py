"""Anthropic's own Python client, unmodified, talking to an agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anthropic
import httpx2
import pytest

from packages.frontends.tests.test_openai_chat import ADD, BURN, MODEL, list_texts, list_threads
from packages.frontends.tests.test_wishes import SHAPE
from plainloop.agent.errors import StreamCut
from tests.machine.scripted import Cut, text, thought, tools, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.program_bodies import PNG
from tests.server.conftest import Served

PLACE: Any = {
    "name": "get_place",
    "description": "Where the user is.",
    "input_schema": {"type": "object", "properties": {}},
}
HI: Any = {"role": "user", "content": "please do it"}


def connect(
    served: Served, user: str = "ann", base: str = "/anthropic"
) -> anthropic.AsyncAnthropic:
    client = anthropic.AsyncAnthropic(
        base_url=f"{served.url}{base}",
        api_key=served.token(user),
        max_retries=0,
        http_client=httpx2.AsyncClient(verify=False),
    )
    served.stack.push_async_callback(client.close)
    return client


async def ask(client: anthropic.AsyncAnthropic, messages: list[Any], **more: Any) -> Any:
    """The message as the client gets it in one piece."""
    send: Callable[..., Any] = client.messages.create
    return await send(model=MODEL, messages=messages, **{"max_tokens": 500, **more})


async def stream(client: anthropic.AsyncAnthropic, messages: list[Any], **more: Any) -> Any:
    """The message as the client's own accumulator makes it of the events."""
    named: dict[str, Any] = {"model": MODEL, "messages": messages, "max_tokens": 500, **more}
    async with client.messages.stream(**named) as events:
        async for _ in events:
            pass
        return await events.get_final_message()


def show(message: Any) -> list[tuple[str, Any]]:
    """A message's blocks, each as its kind and what stands in it."""
    keys = {"text": "text", "thinking": "thinking", "tool_use": "input"}
    return [(block.type, getattr(block, keys[block.type])) for block in message.content]


@pytest.mark.parametrize("send", [ask, stream])
async def test_an_agent_answers_plain_and_streamed_messages_requests(
    send: Any, serve: ServeNotes
) -> None:
    script = [triage("note_writer"), tools(ADD), text("Milk is noted.")]
    served = await serve(*script)
    said = await send(connect(served), [HI])

    assert show(said) == [("text", "Milk is noted.")]
    assert (said.role, said.type, said.model) == ("assistant", "message", MODEL)
    assert (said.stop_reason, said.stop_sequence) == ("end_turn", None)
    assert said.usage.input_tokens > 0 and said.usage.output_tokens > 0


async def test_client_system_texts_are_placed_below_the_packs_prompt(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Arr."))
    block = {"type": "text", "text": "Be short.", "cache_control": {"type": "ephemeral"}}
    late = {"role": "system", "content": "Say arr."}
    await ask(connect(served), [late, HI], system=[block])
    sorting, working = get_model(served).requests

    assert working.system.rstrip().endswith("Be short.\n\nSay arr.\n</wishes>")
    assert "Be short." not in sorting.system


async def test_a_posted_history_continues_its_thread(serve: ServeNotes) -> None:
    answers = ("One.", "Two.")
    served = await serve(*(it for said in answers for it in (triage("note_writer"), text(said))))
    client = connect(served)
    first = await ask(client, [HI])
    asked = [HI, {"role": "assistant", "content": first.content}, {**HI, "content": "and now?"}]
    second = await stream(client, asked)

    assert show(second) == [("text", "Two.")]
    [thread] = await list_threads(served)
    assert await list_texts(served, thread) == [
        ("user", "please do it"),
        ("assistant", "One."),
        ("user", "and now?"),
        ("assistant", "Two."),
    ]


@pytest.mark.parametrize("send", [ask, stream])
async def test_a_client_tool_is_called_and_its_result_used(send: Any, serve: ServeNotes) -> None:
    served = await serve(
        triage("note_writer"), tools(("c1", "get_place", {"near": "sea"})), text("You are in Oslo.")
    )
    client = connect(served)
    first = await send(client, [HI], tools=[PLACE], tool_choice={"type": "any"})
    [call] = first.content
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "Oslo", "is_error": False}
    noted = {"type": "text", "text": "Remember: be brief."}
    asked = [
        HI,
        {"role": "assistant", "content": first.content},
        {"role": "user", "content": [result, noted]},
    ]
    second = await send(client, asked, tools=[PLACE])
    seen = get_model(served).requests[-1].messages[-1]["parts"][0]

    assert (first.stop_reason, show(first)) == ("tool_use", [("tool_use", {"near": "sea"})])
    assert show(second) == [("text", "You are in Oslo.")]
    assert seen["type"] == "tool_result" and seen["result"] == "Oslo\n\nRemember: be brief."


async def test_a_failed_client_tool_is_an_error_to_the_model(serve: ServeNotes) -> None:
    script = [triage("note_writer"), tools(("c1", "get_place", {})), text("No idea.")]
    served = await serve(*script)
    client = connect(served)
    first = await ask(client, [HI], tools=[PLACE])
    result = {"type": "tool_result", "tool_use_id": first.content[0].id, "is_error": True}
    failed = {**result, "content": [{"type": "text", "text": "no GPS"}]}
    told = {"role": "assistant", "content": first.content}
    await ask(client, [HI, told, {"role": "user", "content": [failed]}], tools=[PLACE])
    seen = get_model(served).requests[-1].messages[-1]["parts"][0]

    assert seen["type"] == "tool_result" and (seen["result"], seen["is_error"]) == ("no GPS", True)


async def test_an_approval_is_requested_in_text_and_decided_by_yes(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN, text("Burnt."))
    client = connect(served)
    first = await ask(client, [HI])
    told = {"role": "assistant", "content": first.content}
    second = await stream(client, [HI, told, {"role": "user", "content": "yes"}])

    assert "Please answer **yes** or **no**" in first.content[0].text
    assert show(second) == [("text", "Burnt.")]


@pytest.mark.parametrize("send", [ask, stream])
async def test_thinking_is_returned_on_request(send: Any, serve: ServeNotes) -> None:
    four = thought("2 and 2", text("Four."))
    served = await serve(*(item for _ in range(3) for item in (triage("note_writer"), four)))
    client = connect(served)
    shown = await send(client, [HI], thinking={"type": "enabled", "budget_tokens": 1024})
    omitted = {"type": "adaptive", "display": "omitted"}
    hidden = await send(client, [{**HI, "content": "again"}], thinking=omitted)
    unasked = await send(client, [{**HI, "content": "once more"}])

    assert show(shown) == [("thinking", "2 and 2"), ("text", "Four.")]
    assert shown.content[0].signature
    assert show(hidden) == show(unasked) == [("text", "Four.")]


async def test_output_config_sets_the_answers_json_shape(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text('{"name": "Ann", "age": 41}'))
    config = {"format": {"type": "json_schema", "schema": SHAPE}, "effort": "low"}
    send: Callable[..., Any] = connect(served).messages.with_raw_response.create
    raw = await send(model=MODEL, max_tokens=50, messages=[HI], output_config=config)
    wanted = get_model(served).requests[-1]

    assert show(await raw.parse()) == [("text", '{"name":"Ann","age":41}')]
    assert wanted.json_schema is not None and wanted.json_schema.schema == SHAPE
    assert wanted.max_tokens == 50
    assert wanted.effort == "low" and "x-plainloop-ignored" not in raw.headers
    assert raw.headers["request-id"] == raw.headers["x-request-id"]


async def test_runs_end_with_anthropics_stop_reasons(serve: ServeNotes) -> None:
    long, refused = text("One two", stop="length"), text("", stop="refusal")
    script = [text("One END two"), long, refused]
    served = await serve(*(item for said in script for item in (triage("note_writer"), said)))
    client = connect(served)
    asked = [{**HI, "content": str(n)} for n in range(3)]
    stopped = await stream(client, asked[:1], stop_sequences=["nil", "END"])
    cut = await ask(client, asked[1:2])
    denied = await ask(client, asked[2:])

    assert show(stopped) == [("text", "One ")]
    assert (stopped.stop_reason, stopped.stop_sequence) == ("stop_sequence", "END")
    assert (cut.stop_reason, denied.stop_reason) == ("max_tokens", "refusal")


async def test_images_and_documents_reach_the_model(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("I see."))
    image = {"type": "base64", "media_type": "image/png", "data": PNG}
    page = {"type": "text", "media_type": "text/plain", "data": "Rent is due."}
    content = [
        {"type": "image", "source": image},
        {"type": "document", "source": page, "title": "lease.txt"},
        {"type": "text", "text": "what is this?"},
    ]
    await ask(connect(served), [{"role": "user", "content": content}])
    parts = get_model(served).requests[-1].messages[-1]["parts"]
    kinds = [part["media_type"] for part in parts if part["type"] == "file"]

    assert kinds == ["image/png", "text/plain"]


UNREAD: dict[str, dict[str, Any]] = {
    "messages": {"messages": [HI, {"role": "assistant", "content": "The answer is ("}]},
    "tools": {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
    "tool_choice": {"tool_choice": {"type": "any"}},
    "max_tokens": {"max_tokens": 0},
    "mcp_servers": {"mcp_servers": [{"type": "url", "url": "https://a.example", "name": "a"}]},
    "container": {"container": "c1"},
    "frobnicate": {"frobnicate": 1},
    "temperature": {"temperature": 1.5},
}


async def test_unsupported_parameters_are_refused_in_anthropics_shape(serve: ServeNotes) -> None:
    served = await serve()
    client = await served.client()
    for name, more in UNREAD.items():
        body = {"model": MODEL, "max_tokens": 5, "messages": [HI], **more}
        answer = await client.post("/anthropic/v1/messages", json=body)
        told = answer.json()

        assert (answer.status_code, told["type"]) == (400, "error"), answer.text
        assert told["error"]["type"] == "invalid_request_error"
        assert told["error"]["param"] == name
        assert told["request_id"] == answer.headers["request-id"]

    assert get_model(served).requests == []


async def test_api_errors_raise_the_anthropic_clients_exception_classes(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), *(Cut("half", StreamCut("gone")) for _ in range(3)))
    client = connect(served)
    with pytest.raises(anthropic.NotFoundError):
        await client.messages.create(model="nobody", max_tokens=5, messages=[HI])
    stranger = connect(served)
    stranger.api_key = "wrong"
    with pytest.raises(anthropic.AuthenticationError):
        await stranger.messages.create(model=MODEL, max_tokens=5, messages=[HI])
    with pytest.raises(anthropic.APIStatusError) as failed:
        await stream(client, [HI])

    assert isinstance(failed.value.body, dict)
    assert failed.value.body["error"]["type"] == "api_error"


async def test_count_tokens_calls_no_model(serve: ServeNotes) -> None:
    served = await serve()
    client = connect(served)
    few = await client.messages.count_tokens(model=MODEL, messages=[HI])
    more = await client.messages.count_tokens(
        model=MODEL, messages=[HI], system="Be short. " * 50, tools=[PLACE]
    )

    assert 0 < few.input_tokens < 20 < more.input_tokens
    assert get_model(served).requests == [] and await list_threads(served) == []


async def test_agents_are_listed_as_models(serve: ServeNotes) -> None:
    served = await serve()
    for base in ("/anthropic", ""):
        client = connect(served, base=base)
        listed = [item.id async for item in await client.models.list()]
        read = await client.models.retrieve(MODEL)

        assert listed[0] == MODEL
        assert (read.id, read.type, read.display_name) == (MODEL, "model", MODEL)


async def test_models_are_listed_in_pages(serve: ServeNotes) -> None:
    client = connect(await serve())
    whole = await client.models.list()
    ids = [item.id for item in whole.data]
    first = await client.models.list(limit=1)
    before = await client.models.list(limit=1, before_id=ids[-1])
    with pytest.raises(anthropic.NotFoundError):
        await client.models.list(after_id="no/such")
    with pytest.raises(anthropic.BadRequestError):
        await client.models.list(limit=0)

    assert [item.id async for item in first] == ids
    assert (len(first.data), first.has_more, whole.has_more) == (1, True, False)
    assert (before.data[0].id, before.has_more) == (ids[-2], len(ids) > 2)


async def test_clients_with_a_version_header_can_use_the_bare_url(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Hello."))
    said = await ask(connect(served, base=""), [HI])
    body = {"model": MODEL, "max_tokens": 5, "messages": [HI]}
    unsaid = await (await served.client()).post("/v1/messages", json=body)

    assert show(said) == [("text", "Hello.")]
    assert unsaid.status_code == 400
    assert unsaid.json()["error"]["message"].startswith("anthropic-version: header is required")


async def test_a_posted_history_of_another_user_matches_no_thread(serve: ServeNotes) -> None:
    served = await serve(
        triage("note_writer"), text("One."), triage("note_writer"), text("Who are you?")
    )
    first = await ask(connect(served), [HI])
    asked = [HI, {"role": "assistant", "content": first.content}, {**HI, "content": "go on"}]
    await ask(connect(served, "bob"), asked)

    assert len(await list_threads(served)) == len(await list_threads(served, "bob")) == 1


@pytest.mark.parametrize(
    ("more", "effort"),
    [
        ({"output_config": {"effort": "xhigh"}}, "xhigh"),
        ({"thinking": {"type": "disabled"}}, "none"),
        ({"thinking": {"type": "adaptive"}}, None),
        ({"thinking": {"type": "enabled", "budget_tokens": 1024}}, "low"),
        ({"thinking": {"type": "enabled", "budget_tokens": 10_000}}, "medium"),
        ({"thinking": {"type": "enabled", "budget_tokens": 32_000}}, "high"),
        (
            {
                "thinking": {"type": "enabled", "budget_tokens": 32_000},
                "output_config": {"effort": "low"},
            },
            "low",
        ),
        ({"output_config": {"effort": "ultra"}}, None),
    ],
)
async def test_effort_and_thinking_fields_set_the_workers_effort(
    more: Any, effort: str | None, serve: ServeNotes
) -> None:
    served = await serve(triage("note_writer"), text("Four."))
    send: Callable[..., Any] = connect(served).messages.with_raw_response.create
    raw = await send(model=MODEL, max_tokens=50, messages=[HI], extra_body=more)
    sorting, answering = get_model(served).requests

    assert (sorting.effort, answering.effort) == ("low", effort)
    is_unknown = more.get("output_config", {}).get("effort") == "ultra"
    ignored = raw.headers.get("x-plainloop-ignored")
    assert ignored == ("output_config.effort" if is_unknown else None)
