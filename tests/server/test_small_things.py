"""Bodies and files as other programs write them, and cursors that two places name."""

from __future__ import annotations

import base64
import gzip
import json

import pytest

from plainloop.agent.base.messages.files import ToldFile, decode_text, read_files
from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import UnsupportedMedia
from plainloop.server.serving import build_config
from tests.machine.running import change_settings
from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, begin
from tests.server.events import parse_sse, post
from tests.server.test_websocket import open_socket, receive, send

CHATS = "/api/chat/conversations"
JSON = {"content-type": "application/json"}
TEXTS = {
    "notes.md": "text/markdown",
    "jobs.csv": "text/csv",
    "trace.json": "application/json",
    "main.py": "text/plain",
    "": "text/plain",
}


@pytest.mark.parametrize("stated", [None, "", "application/octet-stream"])
@pytest.mark.parametrize("name", TEXTS)
def test_a_text_file_without_a_type_is_recognised_by_its_name(
    name: str, stated: str | None, settings: Settings
) -> None:
    data = base64.b64encode("\ufeffGrüße, a,b".encode()).decode()
    [part] = read_files([ToldFile(data, stated, name or None)], settings)

    assert part["media_type"] == TEXTS[name]
    assert decode_text(part) == "Grüße, a,b"


@pytest.mark.parametrize("content", [b"PK\x03\x04\x00", b"\xff\xfea\x00", b"\x00\x01\x02"])
def test_binary_files_without_a_type_are_refused(content: bytes, settings: Settings) -> None:
    data = base64.b64encode(content).decode()
    with pytest.raises(UnsupportedMedia, match="unknown type"):
        read_files([ToldFile(data, None, "notes.txt")], settings)


async def test_a_byte_order_mark_is_accepted_and_other_encodings_refused(serve: Serve):
    ann = await (await serve()).client()
    body = json.dumps({"title": "Größe"}, ensure_ascii=False)
    read = await ann.post(CHATS, content=b"\xef\xbb\xbf" + body.encode(), headers=JSON)
    coded = {**JSON, "content-encoding": "gzip"}
    refused = [
        await ann.post(CHATS, content=gzip.compress(body.encode()), headers=JSON),
        await ann.post(CHATS, content=gzip.compress(body.encode()), headers=coded),
        await ann.post(CHATS, content=body.encode("utf-16"), headers=JSON),
    ]

    assert (read.status_code, read.json()["title"]) == (201, "Größe")
    assert [answer.status_code for answer in refused] == [415, 415, 415]
    told = [answer.json()["error"]["message"] for answer in refused]
    assert ["gzip" in told[0], "gzip" in told[1], "UTF-16" in told[2]] == [True] * 3


async def test_of_two_event_cursors_the_newer_one_is_used(serve: Serve):
    served = await serve(triage("general"), text("one two three four"))
    ann = await served.client()
    conversation = await begin(ann)
    answer, events = await post(ann, conversation, "tell me")
    path = f"{CHATS}/{conversation}/stream"
    for after, last in ((1, 3), (3, 1)):
        query = {"run_id": answer.headers["x-run-id"], "after": after}
        told = await ann.get(path, params=query, headers={"last-event-id": str(last)})
        assert parse_sse(told.text) == [item for item in events if item.seq > 3]


async def test_resuming_a_finished_run_on_a_socket_sends_its_end(serve: Serve):
    served = await serve(triage("general"), text("Hello."))
    ann = await served.client()
    conversation = await begin(ann)
    _, events = await post(ann, conversation, "hi there, how are you")
    async with open_socket(served) as socket:
        after = events[-1].seq
        await send(socket, type="resume", conversation_id=conversation, after=after)
        told = await receive(socket)

    assert (told["type"], told["code"]) == ("error", "NO_RUN")


def test_the_keep_alive_setting_is_used(settings: Settings) -> None:
    kept = change_settings(settings, idle_s=75.0)

    async def app(*_: object) -> None: ...

    assert build_config(app, kept).timeout_keep_alive == 75


async def test_the_contract_lists_every_authentication_scheme(serve: Serve):
    ann = await (await serve()).client()
    told = (await ann.get("/openapi.json")).json()
    said = told["paths"][f"{CHATS}/{{conversation_id}}/messages"]["post"]["responses"]["200"]

    assert {*told["components"]["securitySchemes"]} == {"bearer", "key", "session"}
    assert [*said["content"]] == ["application/json", "text/event-stream"]
