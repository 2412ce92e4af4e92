"""Live replays over HTTP, as tests of the service and of plainloop-lab begin them."""

from __future__ import annotations

from typing import Any

import httpx2
import orjson

from tests.openai_lines import ask_tool, line, tell, user
from tests.server.conftest import until

ROOMS = line(
    {"role": "system", "content": "You book rooms."},
    user("A room for two"),
    ask_tool("a", "find_room", '{"beds": 2}'),
    tell("a", "room 7"),
    {"role": "assistant", "content": "Room 7 is free."},
    user("Book it"),
    ask_tool("b", "book_room", '{"room": 7}'),
    tell("b", "booked"),
    {"role": "assistant", "content": "It is yours."},
    user("Thanks"),
    conversation_id="rooms",
)
TALK = orjson.loads(ROOMS)


async def post(client: httpx2.AsyncClient, **body: Any) -> Any:
    answer = await client.post("/api/replays", json=body)
    assert answer.status_code == 202, answer.text
    return answer.json()


async def finish(client: httpx2.AsyncClient, replay_id: str) -> Any:
    """The replay's detail once it has ended."""
    found: dict[str, Any] = {}

    async def is_over() -> bool:
        found.update((await client.get(f"/api/replays/{replay_id}")).json())
        return found["replay"]["ended_at"] is not None

    await until(is_over)
    return found
