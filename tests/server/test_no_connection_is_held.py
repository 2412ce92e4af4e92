"""While models think, the database's connections are free: many more runs than connections."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, ask, begin, until

RUNS = 60  # three times the connections of a process


class Crowd:
    """A model that sorts at once, and answers everybody at the end."""

    def __init__(self) -> None:
        self.waiting = 0
        self.release = asyncio.Event()

    def __call__(self, request: Any) -> Any:
        return triage("general") if request.json_schema is not None else self._answer()

    async def _answer(self) -> Any:
        self.waiting += 1
        await self.release.wait()
        return text("at last")


async def test_runs_waiting_for_models_hold_no_database_connection(serve: Serve):
    crowd = Crowd()
    served = await serve(*[crowd] * (2 * RUNS), messages_per_minute=10 * RUNS)
    ann = await served.client()
    conversations = [await begin(ann) for _ in range(RUNS)]
    asked = [
        asyncio.create_task(ask(ann, conversation, "tell me a story about work"))
        for conversation in conversations
    ]

    async def are_all_waiting() -> bool:
        return crowd.waiting == RUNS

    await until(are_all_waiting)
    ready = await ann.get("/readyz")
    read = (await ann.get(f"/api/chat/conversations/{conversations[0]}")).json()
    crowd.release.set()
    answers = await asyncio.gather(*asked)

    assert ready.status_code == 200
    assert [item["role"] for item in read["messages"]] == ["user"]
    assert {answer["content"] for answer in answers} == {"at last"}
