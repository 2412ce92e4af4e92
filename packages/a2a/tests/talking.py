"""A client of A2A that posts a message under an id of its own choice."""

from __future__ import annotations

import json
import uuid

from tests.protocols.identities import Outcome, Talk


async def send_a2a(talk: Talk, name: str, message_id: str, said: str) -> Outcome:
    if name not in talk.threads:
        begun = await call_a2a(talk, uuid.uuid4().hex, f"in-{name}")
        talk.threads[name] = json.loads(begun.told)["result"]["task"]["contextId"]
    return await call_a2a(talk, message_id, said, contextId=talk.threads[name])


async def call_a2a(talk: Talk, message_id: str, said: str, **more: str) -> Outcome:
    message = {"messageId": message_id, "role": "ROLE_USER", "parts": [{"text": said}], **more}
    body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    return (await talk.post("/a2a", body))[1]
