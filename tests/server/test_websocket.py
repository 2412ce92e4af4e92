"""The WebSocket contract, frame by frame, with a real client."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, get_args
from urllib.parse import urlsplit

import jsonschema
import msgspec
import pytest
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plainloop.agent.errors import ModelAuthError
from plainloop.server.auth.identity import Identity, make_token
from plainloop.server.http.protocol import _Gathering
from plainloop.server.settings import AuthSettings
from plainloop.server.ws.frames import GROUP_CHARS, ServerFrame, join_pieces, to_frame
from plainloop.server.ws.outlet import Outlet
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, Served, begin, until
from tests.server.held import ANSWER, SAID, Held


@asynccontextmanager
async def open_socket(
    served: Served, path: str = "/ws/chat", **options: Any
) -> AsyncIterator[ClientConnection]:
    headers = options.pop("headers", {"authorization": f"Bearer {served.token()}"})
    async with connect(
        served.ws_url + path, additional_headers=headers, proxy=None, **options
    ) as socket:
        yield socket


@asynccontextmanager
async def hold(
    serve: Serve, *more: Any, **options: Any
) -> AsyncIterator[tuple[Served, Held, ClientConnection, str]]:
    """A replica with a run that waits for its model, the socket that asked, and where."""
    held = Held()
    served = await serve(*held.script, *more, **options)
    conversation = await begin(await served.client())
    async with open_socket(served) as socket:
        await send(socket, conversation_id=conversation, content=SAID)
        await held.asked.wait()
        yield served, held, socket, conversation


async def send(socket: ClientConnection, **frame: Any) -> None:
    await socket.send(json.dumps(frame))


_, PARTS = msgspec.json.schema_components(get_args(ServerFrame), ref_template="#/$defs/{name}")
TOLD = jsonschema.Draft202012Validator(
    {"$defs": PARTS, "oneOf": [{**part, "additionalProperties": False} for part in PARTS.values()]}
)


async def receive(socket: ClientConnection) -> dict[str, Any]:
    """The next frame, which is one of those that the contract tells, without another field."""
    async with asyncio.timeout(60):
        frame = json.loads(await socket.recv())
    TOLD.validate(frame)
    return frame


async def receive_run(socket: ClientConnection) -> list[dict[str, Any]]:
    """Frames up to the one that ends a run."""
    frames = [await receive(socket)]
    while frames[-1]["type"] not in ("complete", "error"):
        frames.append(await receive(socket))
    return frames


def fold(frames: list[dict[str, Any]]) -> str:
    said = ""
    for frame in frames:
        if frame["type"] == "token":
            said += frame["content"]
        elif frame["type"] == "text_reset":
            said = ""
    return said


async def test_a_websocket_message_is_answered_by_token_and_complete(serve: Serve):
    served = await serve(triage("general"), text("one two three"))
    ann = await served.client()
    conversation = await begin(ann)
    async with open_socket(served) as socket:
        await send(socket, type="message", conversation_id=conversation, content="hello you there")
        frames = await receive_run(socket)
    read = (await ann.get(f"/api/chat/conversations/{conversation}")).json()

    assert list(dict.fromkeys(frame["type"] for frame in frames)) == ["token", "complete"]
    assert fold(frames) == "one two three"
    run_id = frames[0]["run_id"]
    assert frames[0] == {
        "type": "token",
        "content": frames[0]["content"],  # pieces that came at once are one
        "run_id": run_id,
        "seq": frames[0]["seq"],
    }
    assert frames[-1] == {
        "type": "complete",
        "message_id": read["messages"][-1]["id"],
        "conversation_id": conversation,
        "run_id": run_id,
        "seq": frames[-1]["seq"],
    }
    assert (await ann.get(f"/api/runs/{run_id}")).json()["conversation_id"] == conversation
    assert uuid.UUID(frames[-1]["message_id"])
    assert [frame["seq"] for frame in frames] == sorted({frame["seq"] for frame in frames})


async def test_websocket_tool_frames_have_text_source_and_time(serve: Serve):
    call = ("c1", "create_job", {"company": "Acme", "title": "Cook"})
    bad = ("c2", "create_job", {"company": "Acme"})
    served = await serve(triage("crm_worker"), tools(call), tools(bad), text("done"))
    conversation = await begin(await served.client())
    async with open_socket(served) as socket:
        await send(socket, conversation_id=conversation, content="please note that job for me")
        frames = [frame for frame in await receive_run(socket) if "tool_name" in frame]

    assert [frame["type"] for frame in frames] == ["tool_start", "tool_complete"] * 2
    start, end, _, failed = frames
    assert start == {
        "type": "tool_start",
        "tool_call_id": "c1",
        "tool_name": "create_job",
        "tool_input": '{"company":"Acme","title":"Cook"}',
        "source": "local",
        "timestamp": start["timestamp"],
        "run_id": start["run_id"],
        "seq": start["seq"],
    }
    assert start["timestamp"][10] == "T"
    assert set(end) == {*start, "tool_result"} - {"tool_input"}
    assert json.loads(end["tool_result"])["job"]["company"] == "Acme"
    whole = json.loads(failed["tool_result"])
    assert (failed["tool_call_id"], whole["status"]) == ("c2", "error")
    assert whole["error"]


CALL = ("c1", "create_job", {"company": "Acme", "title": "Cook"})


@pytest.mark.parametrize("asked", [{}, {"tool_arguments": True, "usage": True}])
async def test_websocket_arguments_and_usage_are_sent_on_request(
    asked: dict[str, Any], serve: Serve
):
    served = await serve(triage("crm_worker"), tools(CALL), text("done"))
    conversation = await begin(await served.client())
    async with open_socket(served) as socket:
        said = {"conversation_id": conversation, "content": "please note that job for me"}
        await send(socket, **said, **asked)
        frames = await receive_run(socket)
    written = [frame for frame in frames if frame["type"] == "tool_arguments"]
    start = next(frame for frame in frames if frame["type"] == "tool_start")
    usages = [frame for frame in frames if frame["type"] == "usage"]

    assert len(usages) == (3 if asked else 0)
    assert len(written) == (3 if asked else 0)
    if asked:
        assert json.loads("".join(frame["content"] for frame in written)) == CALL[2]
        assert {(frame["index"], frame["tool_call_id"]) for frame in written} == {(0, "c1")}
        assert written[-1]["seq"] < start["seq"]
        assert usages[0]["input_tokens"] == 10 and "cost_usd" in usages[0]


NO_FRAMES: list[str | bytes] = [
    "",
    "{",
    "[]",
    "7",
    '"text"',
    "{}",
    '{"type": "message"}',
    '{"type": "message", "content": "hi", "conversation_id": "no uuid"}',
    '{"type": "message", "content": ""}',
    '{"type": "message", "content": 7}',
    '{"type": "dance"}',
    '{"type": 7}',
    '{"type": "cancel"}',
    '{"type": "resume", "conversation_id": "x"}',
    "[" * 2000,
    b"\x00\x01",
]


async def test_unparsable_frames_are_an_invalid_format_error(served: Served):
    async with open_socket(served) as socket:
        for frame in NO_FRAMES:
            await socket.send(frame)
            answer = await receive(socket)
            assert (answer["type"], answer["code"]) == ("error", "INVALID_FORMAT"), frame
        await send(socket, type="ping")
        assert await receive(socket) == {"type": "pong"}


async def test_websocket_texts_are_cleaned_as_over_http(serve: Serve):
    served = await serve(triage("general"), text("yes"))
    ann = await served.client()
    conversation = await begin(ann)
    async with open_socket(served) as socket:
        content = r"half an emoji \ud83d and a NUL \u0000."
        await socket.send(f'{{"conversation_id": "{conversation}", "content": "{content}"}}')
        assert (await receive_run(socket))[-1]["type"] == "complete"
    read = (await ann.get(f"/api/chat/conversations/{conversation}")).json()

    assert read["messages"][0]["content"] == "half an emoji \ufffd and a NUL ."


async def test_a_conversation_without_runs_has_nothing_to_resume(served: Served):
    conversation = await begin(await served.client())
    async with open_socket(served) as socket:
        await send(socket, type="resume", conversation_id=conversation, after=0)
        told = await receive(socket)

    assert told == {
        "type": "error",
        "message": "this conversation has no run to resume",
        "code": "NO_RUN",
        "hint": "Send a message to start one.",
    }


async def test_conversations_of_others_get_the_error_of_missing_ones(served: Served):
    others = [
        await begin(await served.client("bob")),
        await begin(await served.client("ann", "umbrella")),
        str(uuid.uuid4()),
    ]
    async with open_socket(served) as socket:
        for conversation in others:
            for frame in (
                {"type": "message", "content": "hi"},
                {"type": "cancel"},
                {"type": "resume", "after": 0},
            ):
                await send(socket, **frame, conversation_id=conversation)
                assert await receive(socket) == {
                    "type": "error",
                    "message": "no such conversation",
                    "code": "ACCESS_DENIED",
                    "hint": "Check the id; only conversations of the same user are visible.",
                }
    async with open_socket(served, "/ws/onboarding") as socket:
        for conversation in others:
            for frame in ({"type": "message", "content": "hi"}, {"type": "kick"}):
                await send(socket, **frame, conversation_id=conversation)
                assert (await receive(socket))["code"] == "ACCESS_DENIED"


async def test_a_failing_model_and_a_busy_thread_have_their_own_websocket_codes(serve: Serve):
    async with hold(serve, ModelAuthError("wrong key")) as (served, held, socket, busy):
        failing = await begin(await served.client())
        await send(socket, conversation_id=busy, content="another one")
        assert (await receive(socket))["code"] == "THREAD_BUSY"
        await send(socket, conversation_id=failing, content=SAID)
        answer = await receive(socket)
        held.open.set()
        await receive_run(socket)

    assert answer == {
        "type": "error",
        "message": ModelAuthError.sentence,
        "code": "LLM_ERROR",
        "action": {"screen": "settings/models", "label": "Replace the key"},
        "run_id": answer["run_id"],
        "seq": answer["seq"],
    }


async def test_simultaneous_frames_are_sent_in_one_write(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
):
    writes: list[bytes] = []

    class Counted:
        def __init__(self, transport: Any) -> None:
            self.transport = transport

        def __getattr__(self, name: str) -> Any:
            return getattr(self.transport, name)

        def write(self, data: bytes) -> None:
            writes.append(data)
            self.transport.write(data)

    make = _Gathering.__init__
    counted = lambda self, transport, loop: make(self, Counted(transport), loop)  # noqa: E731
    monkeypatch.setattr(_Gathering, "__init__", counted)
    async with hold(serve) as (served, held, socket, _):
        (live,) = served.service.live.list_all()
        before = len(writes)
        for n in range(20):
            live.journal.emit({"event": "text_delta", "data": {"content": f"{n} "}})
            live.journal.emit({"event": "text_reset", "data": {"reason": "retry"}})
        frames = [await receive(socket) for _ in range(40)]
        assert len(writes) == before + 1
        held.open.set()
        await receive_run(socket)

    assert [frame["type"] for frame in frames] == ["token", "text_reset"] * 20


async def test_a_cancel_frame_ends_the_run(serve: Serve):
    async with hold(serve) as (_, _, socket, conversation):
        await send(socket, type="cancel", conversation_id=conversation)
        last = (await receive_run(socket))[-1]

    assert (last["type"], last["code"]) == ("error", "CANCELLED")


async def test_a_new_socket_resumes_where_the_old_one_ended(serve: Serve):
    async with hold(serve) as (served, held, socket, conversation):
        socket.transport.abort()
    held.open.set()
    resume = {"type": "resume", "conversation_id": conversation}
    async with open_socket(served) as socket:
        await send(socket, **resume, after=0)
        frames = await receive_run(socket)
    async with open_socket(served) as socket:
        await send(socket, **resume, after=frames[-2]["seq"] - 2)
        rest = await receive_run(socket)

    assert fold(frames) == ANSWER
    assert fold(rest) == " of it"
    assert rest[-1] == frames[-1]


async def test_queued_tokens_are_merged_into_one_frame(serve: Serve):
    async with hold(serve) as (served, held, socket, conversation), open_socket(served) as other:
        (live,) = served.service.live.list_all()

        def say(count: int) -> None:
            for n in range(count):
                live.journal.emit({"event": "text_delta", "data": {"content": f"{n} "}})

        first_seq, singles = live.last_seq + 1, []
        for _ in range(20):
            say(1)
            singles.append(await receive(socket))
        say(100)
        group = await receive(socket)
        await send(other, type="resume", conversation_id=conversation, after=group["seq"] - 3)
        rest = await receive(other)
        held.open.set()
        last = (await receive_run(socket))[-1]

    assert [frame["seq"] for frame in singles] == [*range(first_seq, first_seq + 20)]
    assert {frame["content"] for frame in singles} == {"0 "}
    assert group["content"] == "".join(f"{n} " for n in range(100))
    assert group["seq"] == first_seq + 119
    assert (rest["content"], rest["seq"]) == ("97 98 99 ", group["seq"])
    assert last["type"] == "complete"


def test_onboarding_complete_frames_name_the_conversation():
    complete = to_frame({"seq": 5, "event": "onboarding_complete", "data": {}}, "t", None)

    assert complete == {"type": "onboarding_complete", "conversation_id": "t"}


async def test_a_ticket_opens_one_socket_on_any_replica(serve: Serve):
    served, other = await serve(), await serve()
    ticket = (await (await other.client()).post("/ws/ticket")).json()
    assert ticket["expires_in_s"] == 30
    path = f"/ws/chat?ticket={ticket['ticket']}"
    async with open_socket(served, path, headers={}) as socket:
        await send(socket, type="ping")
        await receive(socket)
    for used in (path, "/ws/chat?ticket=nonsense", "/ws/chat?ticket=.x", "/ws/chat"):
        assert await find_refusal(served, used) == (401, "UNAUTHENTICATED")


async def test_a_token_in_the_query_can_be_switched_off(serve: Serve):
    served = await serve(server={"query_token": False})

    path = f"/ws/chat?token={served.token()}"
    assert await find_refusal(served, path) == (401, "UNAUTHENTICATED")


async def find_refusal(served: Served, path: str, **options: Any) -> tuple[int, str]:
    """The status and the code with which the handshake is refused."""
    with pytest.raises(InvalidStatus) as refused:
        async with open_socket(served, path, **{"headers": {}, **options}):
            pass
    response = refused.value.response
    return response.status_code, json.loads(response.body)["error"]["code"]


@pytest.mark.parametrize("path", ["/ws/chat", "/ws/onboarding", "/v1/responses"])
async def test_a_refused_token_never_opens_a_socket(path: str, served: Served):
    """A client that retries counts on until a socket opens: one that opened would never stop."""
    if path.startswith("/v1/"):
        pytest.importorskip("plainloop_frontends")
    opened, counted = 0, 0
    while counted < 3:
        try:
            async with open_socket(served, path, headers={"authorization": "Bearer not-a-token"}):
                opened, counted = opened + 1, 0
        except InvalidStatus as error:
            counted += 1
            assert error.response.status_code == 401
            assert error.response.headers["www-authenticate"] == "Bearer"
        assert opened == 0


async def test_a_socket_is_closed_when_its_token_expires(served: Served):
    token = make_token(served.settings.get_table(AuthSettings), Identity("acme", "ann"), 1.2 - 30)
    async with open_socket(served, headers={"authorization": f"Bearer {token}"}) as socket:
        told = await receive(socket)
        with pytest.raises(ConnectionClosed):
            await socket.recv()
    assert (told["code"], socket.close_code) == ("TOKEN_EXPIRED", 4401)


async def test_a_page_of_another_origin_cannot_open_a_socket(serve: Serve):
    served = await serve(server={"origins": ("https://app.example.com",)})
    for origin in ("https://app.example.com", served.url):
        async with open_socket(served, origin=origin) as socket:
            await send(socket, type="ping")
            await receive(socket)
    for origin in ("https://evil.example", "null", "https://app.example.com.evil.example"):
        with pytest.raises(InvalidStatus) as refused:
            async with open_socket(served, origin=origin):
                pass
        assert refused.value.response.status_code == 403


async def test_a_refused_handshake_is_not_logged_as_an_error(
    served: Served, caplog: pytest.LogCaptureFixture
):
    assert await find_refusal(served, "/ws/chat") == (401, "UNAUTHENTICATED")
    await (await served.client()).get("/api/health")  # behind it, so that its task has ended

    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_hanging_up_in_the_handshake_is_no_error(
    served: Served, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO")
    parts = urlsplit(served.url)
    head = (
        f"GET /ws/chat?ticket=YWNtZQ.unknown HTTP/1.1\r\nhost: {parts.netloc}\r\n"
        "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    for _ in range(5):
        _, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(head.encode())
        await writer.drain()
        writer.transport.abort()

    await until(lambda: [item.getMessage() for item in caplog.records].count("socket") == 5)
    assert [item for item in caplog.records if item.levelname == "ERROR"] == []


async def test_too_large_a_frame_and_too_many_sockets_are_refused(serve: Serve):
    served = await serve(frame_bytes=1000, sockets_per_user=2)
    async with open_socket(served) as first, open_socket(served) as second:
        for socket in (first, second):
            await send(socket, type="ping")
            await receive(socket)
        token = {"headers": {"authorization": f"Bearer {served.token()}"}}
        assert await find_refusal(served, "/ws/chat", **token) == (429, "TOO_MANY_REQUESTS")
        await first.send("x" * 1001)
        with pytest.raises(ConnectionClosed):
            await first.recv()
        assert first.close_code == 1009
    async with open_socket(served) as third:
        await send(third, type="ping")
        assert await receive(third) == {"type": "pong"}


async def test_a_stopping_replica_closes_sockets_with_code_1012(serve: Serve):
    async with hold(serve, drain_s=0.3) as (served, _, socket, _):
        served.replica.stop()
        with pytest.raises(ConnectionClosed):
            while True:
                frame = await receive(socket)
                assert frame["type"] not in ("complete", "error")
        assert socket.close_code == 1012


async def test_an_interview_can_be_held_over_a_socket(served: Served):
    async with open_socket(served, "/ws/onboarding") as socket:
        await send(socket, type="kick")
        greeting = await receive_run(socket)
        await send(socket, content="My name is Ada and I am looking for a job as a cook")
        answer = await receive_run(socket)
    ann = await served.client()
    interview = (await ann.get("/api/chat/onboarding")).json()

    assert greeting[-1]["type"] == answer[-1]["type"] == "complete"
    assert greeting[-1]["conversation_id"] == interview["conversation"]["id"]
    assert interview["conversation"]["kind"] == "onboarding"
    assert fold(greeting)


async def test_a_new_conversation_named_in_the_frame_becomes_the_interview(served: Served):
    ann = await served.client()
    conversation = await begin(ann)
    async with open_socket(served, "/ws/onboarding") as socket:
        await send(socket, conversation_id=conversation, content="My name is Ada")
        answer = await receive_run(socket)
        await send(socket, conversation_id=conversation, content="I look for a job as a cook")
        again = await receive_run(socket)
        await send(socket, type="resume", conversation_id=conversation)
        resumed = await receive_run(socket)
    interview = (await ann.get("/api/chat/onboarding")).json()

    ends = [frames[-1] for frames in (answer, again, resumed)]
    assert [(end["type"], end["conversation_id"]) for end in ends] == [
        ("complete", conversation)
    ] * 3
    assert (interview["conversation"]["id"], interview["conversation"]["kind"]) == (
        conversation,
        "onboarding",
    )
    assert [message["role"] for message in interview["messages"]][:2] == ["user", "assistant"]


async def test_a_kick_can_name_a_new_conversation(served: Served):
    conversation = await begin(await served.client())
    async with open_socket(served, "/ws/onboarding") as socket:
        await send(socket, type="kick", conversation_id=conversation)
        assert (await receive_run(socket))[-1]["conversation_id"] == conversation
        await send(socket, type="kick", conversation_id=conversation, new=True)
        assert (await receive(socket))["code"] == "INVALID_FORMAT"


async def test_a_once_only_interview_refuses_a_second_start(served: Served):
    async with open_socket(served, "/ws/onboarding") as socket:
        await send(socket, type="kick", new=True)
        told = await receive(socket)

    assert told["message"] == "the interview of 'tracker' can be done only once"


async def test_chat_and_interview_sockets_refuse_each_others_conversations(serve: Serve):
    served = await serve(triage("general"), text("Hello."), text("And you?"))
    chat = await begin(await served.client())
    async with open_socket(served) as socket:
        await send(socket, conversation_id=chat, content="hello you there")
        await receive_run(socket)
    async with open_socket(served, "/ws/onboarding") as socket:
        await send(socket, conversation_id=chat, content="hi")
        as_interview = await receive(socket)
        await send(socket, type="kick", conversation_id=await begin(await served.client()))
        interview = (await receive_run(socket))[-1]["conversation_id"]
    async with open_socket(served) as socket:
        await send(socket, conversation_id=interview, content="hi")
        as_chat = await receive(socket)

    assert as_interview == {
        "type": "error",
        "code": "WRONG_KIND",
        "message": "this conversation is a chat: start the interview in a new conversation",
    }
    assert as_chat == {
        "type": "error",
        "code": "WRONG_KIND",
        "message": "open this conversation at /ws/onboarding",
    }


async def test_a_frame_without_a_required_field_is_invalid_format(served: Served):
    async with open_socket(served) as socket:
        for frame in ({"content": "hi"}, {"type": "message", "content": "hi"}, {"type": "kick"}):
            await send(socket, **frame)
            assert (await receive(socket))["code"] == "INVALID_FORMAT", frame


async def test_options_of_event_streams_are_refused_over_a_socket(served: Served):
    conversation = await begin(await served.client())
    async with open_socket(served) as socket:
        for option in ({"drafts": False}, {"wait": "close"}):
            await send(socket, conversation_id=conversation, content="hi", **option)
            assert (await receive(socket))["code"] == "INVALID_FORMAT", option


async def test_a_runtime_error_ends_a_frame_not_the_socket(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def fail(*_: Any) -> None:
        raise RecursionError("a bug")  # which is a RuntimeError

    served = await serve()
    conversation = await begin(await served.client())
    monkeypatch.setattr(served.replica.runs, "submit", fail)
    async with open_socket(served) as socket:
        await send(socket, conversation_id=conversation, content="hello")
        refused = await receive(socket)
        await send(socket, type="ping")
        pong = await receive(socket)

    assert (refused["code"], pong) == ("INTERNAL_ERROR", {"type": "pong"})
    assert [item.getMessage() for item in caplog.records if item.levelname == "ERROR"] == [
        "frame_failed"
    ]


async def test_a_view_that_fails_closes_its_socket(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def fail(*_: Any) -> AsyncIterator[Any]:
        raise RuntimeError("a bug")
        yield

    served = await serve(triage("general"), text("hello"))
    conversation = await begin(await served.client())
    monkeypatch.setattr(served.replica.runs, "watch_batches", fail)
    async with open_socket(served) as socket:
        await send(socket, conversation_id=conversation, content="hello")
        with pytest.raises(ConnectionClosed):
            await receive(socket)

    assert socket.close_code == 1011
    assert "view_failed" in caplog.text


def test_merged_tokens_stay_below_their_bound():
    piece = "x" * (GROUP_CHARS - 1)
    said: Any = [{"seq": n, "event": "text_delta", "data": {"content": piece}} for n in range(1, 5)]

    assert [(item["seq"], len(item["data"]["content"])) for item in join_pieces(said)] == [
        (2, 2 * len(piece)),
        (4, 2 * len(piece)),
    ]


async def test_a_blocked_send_is_noticed():
    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        if message["type"] == "websocket.send":
            await asyncio.Event().wait()

    socket = WebSocket({"type": "websocket"}, receive, send)
    await socket.accept()
    outlet = Outlet(socket)
    sending = asyncio.create_task(outlet.send({"type": "pong"}))
    async with asyncio.timeout(60):
        await outlet.wait_until_stuck(0.02)
    sending.cancel()


async def test_a_socket_that_reads_nothing_is_closed(serve: Serve):
    long = "x" * 200_000
    served = await serve(triage("general"), text(" ".join([long] * 80)), viewer_timeout_s=0.2)
    ann = await served.client()
    conversation = await begin(ann)
    async with open_socket(served, close_timeout=0.1) as socket:
        socket.transport.pause_reading()
        await send(socket, conversation_id=conversation, content="tell me a story about work")

        async def has_ended() -> bool:
            read = await ann.get(f"/api/chat/conversations/{conversation}")
            return len(read.json()["messages"]) == 2

        async def is_dropped() -> bool:
            return 'plainloop_http_open{kind="websocket"} 0.0' in (await ann.get("/metrics")).text

        await until(has_ended)
        await until(is_dropped)
        socket.transport.abort()


@pytest.mark.parametrize(("approve", "status"), [(True, "approved"), (False, "denied")])
async def test_an_approve_frame_decides_once_and_only_for_its_owner(
    serve: Serve, approve: bool, status: str
):
    drop = tools(("c1", "delete_job", {"job_id": 1}))
    served = await serve(triage("crm_worker"), drop, text("so be it"))
    conversation = await begin(await served.client())
    bob = {"authorization": f"Bearer {served.token('bob')}"}
    async with open_socket(served) as socket, open_socket(served, headers=bob) as strange:
        await send(socket, conversation_id=conversation, content="please drop the first one")
        asked = await receive(socket)
        while asked["type"] != "approval_request":
            asked = await receive(socket)
        decision = {"run_id": asked["run_id"], "approval_id": asked["approval_id"]}
        await send(strange, type="approve", **decision, approve=True)
        refused = await receive(strange)
        await send(socket, type="approve", **decision, approve=approve)
        frames = await receive_run(socket)
        await send(socket, type="approve", **decision, approve=not approve)
        again = await receive(socket)

    whole = {"type", "seq", "tool_call_id", "tool_name", "tool_input", "question", *decision}
    assert {*asked} == whole, "nothing of it is for the server alone"
    assert (asked["tool_name"], json.loads(asked["tool_input"])) == ("delete_job", {"job_id": 1})
    assert (refused["type"], refused["code"]) == ("error", "ACCESS_DENIED")
    told = next(frame for frame in frames if frame["type"] == "approval")
    assert told == {"type": "approval", **decision, "status": status}
    assert frames[-1]["type"] == "complete"
    assert again["code"] == "APPROVAL_DECIDED"
