"""Equal conversations at once through every protocol: none is cut, mixed or lost.

`AGENT_TEST_EQUAL_CONVERSATIONS=300` makes it as many for each.
"""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.protocols import identities as ids
from tests.protocols.conftest import ServeNotes
from tests.protocols.identities import Send, Talk, answer
from tests.protocols.test_equal_conversations import ROOM
from tests.server.conftest import Served

COUNT = int(os.environ.get("AGENT_TEST_EQUAL_CONVERSATIONS", "8"))
PROTOCOLS: dict[str, Send] = {
    "AG-UI": ids.send_agui_message,
    "AI SDK": ids.send_ui,
    "chat completions": ids.send_chat,
    "Messages": ids.send_messages,
    "Responses": ids.send_response,
    "native": ids.send_native,
    "MCP": ids.send_mcp,
}


async def hold_conversations(send: Send, served: Served) -> list[str]:
    """Hold `COUNT` equal conversations at once; return what was wrong with each answer."""
    gate = asyncio.Semaphore(32)

    async def talk(n: int) -> list[str]:
        wrong: list[str] = []
        async with gate:
            client = Talk(served)
            for turn, said in enumerate(("hello", "and-then", f"number-{n}")):
                outcome = await send(client, f"chat-{n}", f"{n}-{turn}", said)
                if outcome.is_refused or outcome.answers[-1:] != [f"answer-to-{said}"]:
                    wrong.append(f"{n}, {said}: {outcome.answers} {outcome.told[:200]}")
        return wrong

    found = await asyncio.gather(*(talk(n) for n in range(COUNT)))
    return [item for wrong in found for item in wrong]


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_concurrent_equal_conversations_stay_complete_in_each_protocol(
    protocol: str, serve: ServeNotes
) -> None:
    served = await serve(*[answer] * (COUNT * 8), **ROOM)

    assert await hold_conversations(PROTOCOLS[protocol], served) == []
