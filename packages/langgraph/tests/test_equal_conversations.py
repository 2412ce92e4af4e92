"""Equal conversations at once through LangGraph's SDK: none is cut, mixed or lost.

`AGENT_TEST_EQUAL_CONVERSATIONS=300` makes it as many.
"""

# pyright: basic

from __future__ import annotations

from tests.protocols.conftest import ServeNotes
from tests.protocols.identities import Outcome, Talk, answer
from tests.protocols.test_equal_conversations import ROOM
from tests.protocols.test_equal_everywhere import COUNT, hold_conversations

from .conftest import Connect, collect, fold_chunks, list_texts, say


async def test_concurrent_equal_conversations_stay_complete_through_the_sdk(
    serve: ServeNotes, connect: Connect
) -> None:
    served = await serve(*[answer] * (COUNT * 8), **ROOM)
    client = connect(served)

    async def send(talk: Talk, name: str, key: str, said: str) -> Outcome:
        if name not in talk.threads:
            talk.threads[name] = (await client.threads.create())["thread_id"]
        thread_id = talk.threads[name]
        stream = client.runs.stream(
            thread_id, "default", input=say(said), stream_mode=["messages-tuple", "values"]
        )
        parts = await collect(stream)
        state = await client.threads.get_state(thread_id)
        shown = [text for kind, text in list_texts(state["values"]) if kind == "ai"]
        streamed = [text for text in fold_chunks(parts).values() if text.startswith("answer-to-")]
        is_cut = streamed[-1:] != shown[-1:] or any(part.event == "error" for part in parts)
        return Outcome(is_cut, streamed, [], str(parts[-1]))

    assert await hold_conversations(send, served) == []
