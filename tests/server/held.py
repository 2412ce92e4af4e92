"""Runs whose model has been asked and answers when it is let."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx2

from tests.machine.scripted import text, triage
from tests.runs.test_detached import Gate
from tests.server.conftest import Serve, Served, begin
from tests.server.events import RawStream

SAID = "tell me a story about work"
ANSWER = "at last, all of it"


class Held(Gate):
    """The model of one run: sorts at once and answers when it is let. script: what `serve` takes"""

    def __init__(self) -> None:
        super().__init__(text(ANSWER))
        self.script: list[Any] = [triage("general"), self]


@dataclass(frozen=True)
class HeldRun:
    """Ann's, which waits for its model. path: of its conversation; stream: of who began it."""

    held: Held
    served: Served
    ann: httpx2.AsyncClient
    path: str
    stream: RawStream


async def begin_held(serve: Serve, *more: Any, **options: Any) -> HeldRun:
    """more: what the model says afterwards; options: of `serve`."""
    held = Held()
    served = await serve(*held.script, *more, **options)
    ann = await served.client()
    path = f"/api/chat/conversations/{await begin(ann)}"
    stream = await say_raw(served, path)
    await held.asked.wait()
    return HeldRun(held, served, ann, path, stream)


async def say_raw(served: Served, path: str, content: str = SAID) -> RawStream:
    """The stream of a message to Ann's conversation, over a bare socket."""
    body = {"content": content}
    return await RawStream.open(served.url, f"{path}/messages", served.token(), body=body)
