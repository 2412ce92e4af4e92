"""Images and documents in messages: by our own API and by every client that can send them."""

from __future__ import annotations

import base64
from typing import Any

import httpx2
import pytest

from packages.frontends.tests.test_openai_chat import MODEL, connect, list_threads
from plainloop.agent.base.messages.files import ToldFile, read_files
from plainloop.agent.base.messages.settings import FileLimits
from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import AgentError
from tests.machine.scripted import text, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.server.conftest import Served
from tests.server.test_websocket import open_socket, receive, receive_run
from tests.server.test_websocket import send as send_frame

IMAGE = b"\x89PNG\r\n\x1a\n" + bytes(8) + (300).to_bytes(4) + (200).to_bytes(4) + bytes(9)
PNG = base64.b64encode(IMAGE).decode()
URL = f"data:image/png;base64,{PNG}"
ASK = "What is this?"
SCRIPT = (triage("note_writer"), text("A square."))
CHATS = "/api/chat/conversations"


def list_seen(served: Served, request: int = -1) -> list[tuple[str, Any]]:
    """What the model was told by the user's newest message."""
    users = [m for m in get_model(served).requests[request].messages if m["role"] == "user"]
    return [
        (part["media_type"], part["data"]) if part["type"] == "file" else ("text", part["text"])
        for part in users[-1]["parts"]
        if part["type"] in ("file", "text")
    ]


async def by_our_own(served: Served) -> None:
    client = await served.client()
    thread_id = (await client.post(CHATS, json={})).json()["id"]
    body = {"content": ASK, "files": [{"data": PNG, "name": "photo.png"}]}
    await client.post(f"{CHATS}/{thread_id}/messages", json=body)


async def by_ui(served: Served) -> None:
    file = {"type": "file", "mediaType": "image/png", "url": URL, "filename": "photo.png"}
    message = {"id": "m", "role": "user", "parts": [file, {"type": "text", "text": ASK}]}
    client = await served.client()
    await client.post("/api/ui/default/chat", json={"id": "c", "messages": [message]})


async def by_agui(served: Served) -> None:
    source = {"type": "data", "value": PNG, "mimeType": "image/png"}
    content = [{"type": "image", "source": source}, {"type": "text", "text": ASK}]
    body = {"threadId": "t", "runId": "r"}
    message = {"id": "m", "role": "user", "content": content}
    await (await served.client()).post("/api/agui/default", json={**body, "messages": [message]})


async def by_old_agui(served: Served) -> None:
    file = {"type": "binary", "mimeType": "image/png", "data": PNG, "filename": "photo.png"}
    message = {"id": "m", "role": "user", "content": [file, {"type": "text", "text": ASK}]}
    body = {"threadId": "t", "runId": "r", "messages": [message]}
    await (await served.client()).post("/api/agui/default", json=body)


async def by_chat(served: Served) -> None:
    parts: Any = [{"type": "image_url", "image_url": {"url": URL}}, {"type": "text", "text": ASK}]
    said: Any = [{"role": "user", "content": parts}]
    await connect(served).chat.completions.create(model=MODEL, messages=said)


async def by_responses(served: Served) -> None:
    image = {"type": "input_image", "image_url": URL, "detail": "auto"}
    said: Any = [{"role": "user", "content": [image, {"type": "input_text", "text": ASK}]}]
    await connect(served).responses.create(model=MODEL, input=said)


async def by_socket(served: Served) -> None:
    client = await served.client()
    thread_id = (await client.post(CHATS, json={})).json()["id"]
    file = {"data": PNG, "name": "photo.png"}
    async with open_socket(served) as socket:
        await send_frame(socket, conversation_id=thread_id, content=ASK, files=[file])
        await receive_run(socket)


WAYS = (by_our_own, by_socket, by_ui, by_agui, by_old_agui, by_chat, by_responses)


async def test_an_image_reaches_the_model_and_stays_in_the_history(serve: ServeNotes) -> None:
    served = await serve(*SCRIPT * len(WAYS), messages_per_minute=1_000)
    ann, bob = await served.client(), await served.client("bob")
    for send in WAYS:
        await send(served)
        await check_image(served, ann, bob)


async def check_image(served: Served, client: httpx2.AsyncClient, bob: httpx2.AsyncClient) -> None:
    """In the only conversation, which is deleted then."""
    [thread_id] = await list_threads(served)
    shown = (await client.get(f"{CHATS}/{thread_id}")).json()["messages"][0]
    [file, words] = shown["parts"]
    fetched = await client.get(file["url"])
    stored = await served.service.store.load_messages("acme", thread_id)

    assert list_seen(served) == [("image/png", PNG), ("text", ASK)]
    assert (shown["content"], words["text"]) == (ASK, ASK)
    assert (file["media_type"], file["size_bytes"]) == ("image/png", len(IMAGE))
    assert (fetched.content, fetched.headers["content-type"]) == (IMAGE, "image/png")
    assert stored[0].get("tokens", 0) >= 300 * 200 // 750
    assert (await bob.get(file["url"])).status_code == 404

    await client.delete(f"{CHATS}/{thread_id}")
    assert (await client.get(file["url"])).status_code == 404


async def test_a_chats_history_shows_files_in_each_protocols_format(serve: ServeNotes) -> None:
    served = await serve(*SCRIPT, *SCRIPT)
    await by_ui(served)
    await by_agui(served)
    client = await served.client()
    [ui, _] = (await client.get("/api/ui/default/chat/c/messages")).json()
    [agui, _] = (await client.get("/api/agui/default/t/messages")).json()

    assert ui["parts"] == [
        {"type": "file", "mediaType": "image/png", "url": URL, "filename": "photo.png"},
        {"type": "text", "text": ASK},
    ]
    assert agui["content"] == [
        {"type": "image", "source": {"type": "data", "value": PNG, "mimeType": "image/png"}},
        {"type": "text", "text": ASK},
    ]


async def test_a_message_may_be_a_file_alone(serve: ServeNotes) -> None:
    served = await serve(*SCRIPT)
    client = await served.client()
    thread_id = (await client.post(CHATS, json={})).json()["id"]
    body = {"content": "", "files": [{"data": URL, "name": "photo.png"}]}
    await client.post(f"{CHATS}/{thread_id}/messages", json=body)
    read = (await client.get(f"{CHATS}/{thread_id}")).json()

    assert list_seen(served) == [("image/png", PNG)]
    assert list_seen(served, 0) == [("text", "[photo.png: image/png]")]
    assert read["conversation"]["title"] == "[photo.png: image/png]"
    assert [item["role"] for item in read["messages"]] == ["user", "assistant"]


async def test_files_of_a_posted_history_are_stored(serve: ServeNotes) -> None:
    served = await serve(*SCRIPT)
    image: Any = [{"type": "image_url", "image_url": {"url": URL}}]
    said: Any = [
        {"role": "user", "content": image},
        {"role": "assistant", "content": "A square."},
        {"role": "user", "content": "And its colour?"},
    ]
    await connect(served).chat.completions.create(model=MODEL, messages=said)
    first = get_model(served).requests[-1].messages[0]

    assert [part["type"] for part in first["parts"]] == ["file"]


async def test_an_idempotency_key_used_with_another_file_is_refused(serve: ServeNotes) -> None:
    served = await serve(*SCRIPT)
    client = await served.client()
    thread_id = (await client.post(CHATS, json={})).json()["id"]
    path, key = f"{CHATS}/{thread_id}/messages", {"idempotency-key": "k-1"}
    bodies = [{"content": ASK, "files": [{"data": data}]} for data in (PNG, PNG, "aGVsbG8=")]
    bodies[-1]["files"][0]["media_type"] = "text/plain"  # type: ignore[index]
    answers = [await client.post(path, json=body, headers=key) for body in bodies]

    assert [item.status_code for item in answers] == [200, 200, 409]


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ([ToldFile("aGVsbG8=", "image/png")], "UNSUPPORTED_MEDIA_TYPE"),
        ([ToldFile("aGVsbG8=", "application/zip")], "UNSUPPORTED_MEDIA_TYPE"),
        ([ToldFile("AAECAw==")], "UNSUPPORTED_MEDIA_TYPE"),
        ([ToldFile("https://example.com/x.png")], "INVALID_INPUT"),
        ([ToldFile("no base64!", "text/plain")], "INVALID_INPUT"),
        ([ToldFile("data:text/plain,")], "INVALID_INPUT"),
        ([ToldFile("A" * 20_000, "text/plain")], "PAYLOAD_TOO_LARGE"),
        ([ToldFile("data:text/plain," + "a" * 1001)], "PAYLOAD_TOO_LARGE"),
        ([ToldFile("aGVsbG8=", "text/plain")] * 3, "PAYLOAD_TOO_LARGE"),
    ],
)
def test_unsupported_files_are_refused(
    files: list[ToldFile], code: str, settings: Settings
) -> None:
    strict = settings.change(FileLimits, file_bytes=1000, files_per_message=2)
    with pytest.raises(AgentError) as refused:
        read_files(files, strict)

    assert refused.value.code == code


def tell(content: bytes) -> ToldFile:
    return ToldFile(base64.b64encode(content).decode())


JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08" + bytes([0, 75, 0, 100, 3, 1])


@pytest.mark.parametrize(
    ("told", "kind", "tokens"),
    [
        (ToldFile(PNG, "image/jpeg"), "image/png", 80),
        (ToldFile(URL), "image/png", 80),
        (ToldFile("data:text/plain,hello%20world"), "text/plain", 2),
        (tell(b"%PDF-1 /Type /Page /Type/Page"), "application/pdf", 4000),
        (tell(b"\xff\xd8\xff\xe0\x00\x02"), "image/jpeg", 1600),
        (tell(JPEG), "image/jpeg", 10),
    ],
)
def test_a_files_type_comes_from_its_content_and_its_tokens_count(
    told: ToldFile, kind: str, tokens: int, settings: Settings
) -> None:
    [part] = read_files([told], settings)

    assert (part["media_type"], part["tokens"]) == (kind, tokens)


async def test_a_file_beyond_the_limits_is_refused_over_sockets_too(serve: ServeNotes) -> None:
    served = await serve(file_bytes=10)
    client = await served.client()
    thread_id = (await client.post(CHATS, json={})).json()["id"]
    async with open_socket(served) as socket:
        for more in ({"files": [{"data": PNG}]}, {}):
            await send_frame(socket, conversation_id=thread_id, content="", **more)
        told = [await receive(socket), await receive(socket)]

    assert [frame["code"] for frame in told] == ["PAYLOAD_TOO_LARGE", "INVALID_FORMAT"]
