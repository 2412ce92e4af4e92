"""Every route with bodies and names that nobody should send: no bug answers."""

from __future__ import annotations

from typing import Any

from tests.protocols.conftest import ServeNotes, serve
from tests.protocols.test_bodies_fuzz import ID, RPC, check_bodies, check_names

__all__ = ["serve"]

PATHS = ("/a2a",)
RAW = {"raw": "aGVsbG8=", "mediaType": "text/plain", "filename": "hello.txt"}
PARTS = [{"text": "hello"}, {"data": {"a": 1}}, RAW]
SAID = {"messageId": "m", "role": "ROLE_USER", "parts": PARTS}
SEND: dict[str, Any] = {"message": SAID, "configuration": {"returnImmediately": True}}
A2A: list[dict[str, Any]] = [
    {**RPC, "method": "SendMessage", "params": SEND},
    {**RPC, "method": "SendStreamingMessage", "params": SEND},
    {**RPC, "method": "GetTask", "params": ID},
    {**RPC, "method": "ListTasks", "params": {"contextId": ID["id"]}},
    {**RPC, "method": "SendMessage", "params": {"message": {**SAID, "taskId": ID["id"]}}},
]
BODIES: dict[str, list[dict[str, Any]]] = {
    "/a2a": A2A,
    "/a2a/message:send": [SEND],
    "/a2a/message:stream": [SEND],
    "/a2a/tasks/{task_id}": [{}],
}


async def test_no_body_causes_a_500_or_reveals_other_users_data(serve: ServeNotes) -> None:
    await check_bodies(serve, BODIES, PATHS)


async def test_no_name_in_a_url_causes_a_500(serve: ServeNotes) -> None:
    await check_names(serve, PATHS)
