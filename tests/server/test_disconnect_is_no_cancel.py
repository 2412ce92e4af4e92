"""Who goes away stops nothing; who cancels stops the provider's stream, and sees what it cost."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop_wire.faults import Faults
from tests.server.conftest import Served, begin, serving, until
from tests.server.events import RawStream, fold, parse_sse
from tests.wire_fixtures import StartWire, WireServer

ASKED = "tell me in detail how I should prepare for an interview as a cook"


@dataclass
class Slow:
    """A service whose provider, a real server on a socket, speaks slowly."""

    wire: WireServer
    served: Served
    ann: httpx2.AsyncClient

    async def begin_run(self) -> tuple[str, RawStream, str]:
        """(conversation, the run's stream, what it has told): the answer has begun."""
        conversation = await begin(self.ann)
        path = f"/api/chat/conversations/{conversation}/messages"
        stream = await RawStream.open(self.served.url, path, "", body={"content": ASKED})
        told = ""
        while "text_delta" not in told:
            told += (await stream.read_chunk()).decode()
        return conversation, stream, told

    def find_answering(self) -> Any:
        """What the provider saw of the request that is, or was, being answered."""
        return self.wire.requests[-1]


StartSlow = Callable[[int], Awaitable[Slow]]


@pytest.fixture
async def slow(settings: Settings, wire_server: StartWire) -> AsyncIterator[StartSlow]:
    """`await slow(40)`: milliseconds between two pieces of an answer."""
    async with AsyncExitStack() as stack:

        async def start(delay_ms: int) -> Slow:
            wire = await wire_server(faults=Faults(delay_ms=delay_ms))
            chosen = replace(
                settings, provider="anthropic", api_key=Secret("sk-test"), api_base=wire.base_url
            )
            served = await stack.enter_async_context(serving(chosen))
            return Slow(wire, served, await stack.enter_async_context(make_client(served.url)))

        yield start


def make_client(url: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=url, timeout=60, trust_env=False)


async def wait_for(condition: Callable[[], bool]) -> None:
    async def holds() -> bool:
        return condition()

    await until(holds)


async def test_a_disconnect_does_not_cancel_the_run(slow: StartSlow):
    service = await slow(10)
    conversation, stream, _ = await service.begin_run()
    stream.cut()
    path = f"/api/chat/conversations/{conversation}"
    rest = await service.ann.get(f"{path}/stream?after=0")
    read = (await service.ann.get(path)).json()
    events = parse_sse(rest.text)

    assert events[-1].event == "done"
    assert fold(events) == events[-1].data["content"] == read["messages"][-1]["content"]
    assert not any(request["disconnected"] for request in service.wire.requests)


async def test_the_steps_of_a_stopped_run_add_up_to_its_tokens(slow: StartSlow):
    service = await slow(500)
    conversation, stream, _ = await service.begin_run()
    stopped = await service.ann.post(f"/api/chat/conversations/{conversation}/cancel")
    await stream.read_all()
    path = f"/api/runs/{stopped.json()['run_id']}"
    run, told = [(await service.ann.get(f"{path}{it}")).json() for it in ("", "/steps")]
    calls = [call for step in told["steps"] for call in step["calls"]]
    one_by_one = [(await service.ann.get(f"{path}/steps?after=0&limit=1")).json()["steps"]]

    assert sum(call["output_tokens"] for call in calls) == run["output_tokens"] > 0
    assert [step["next"] is None for step in told["steps"]] == [False] * (told["total"] - 1) + [
        True
    ]
    assert [step["n"] for step in told["steps"]] == [*range(told["total"])]
    assert one_by_one == [told["steps"][1:2]]


async def test_a_cancel_closes_the_provider_connection_and_keeps_the_text(slow: StartSlow):
    service = await slow(500)  # so that the whole answer would take a quarter of a minute
    conversation, stream, told = await service.begin_run()
    path = f"/api/chat/conversations/{conversation}"
    started = time.monotonic()
    stopped = (await service.ann.post(f"{path}/cancel")).json()
    told += await stream.read_all()
    took_s = time.monotonic() - started
    events = parse_sse(told)
    await wait_for(lambda: service.find_answering()["disconnected"])
    read = (await service.ann.get(path)).json()
    run = (await service.ann.get(f"/api/runs/{stopped['run_id']}")).json()
    usage = (await service.ann.get("/api/usage?by=status")).json()["usage"]
    [cancelled] = [row for row in usage if row["status"] == "cancelled"]

    assert took_s < 10  # a second is promised; a busy machine adds to it
    assert stopped == {"run_id": events[0].data["run_id"]}
    assert events[-1].event == "error"
    assert events[-1].data["code"] == "CANCELLED"
    assert read["messages"][-1]["content"] == fold(events) != ""
    assert read["messages"][-1]["status"] == "cancelled"
    assert read["active_run_id"] is None
    assert run["status"] == "cancelled"
    assert (cancelled["calls"], cancelled["estimated_calls"]) == (1, 1)
    assert cancelled["output_tokens"] > 0
