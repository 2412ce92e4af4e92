"""The answer to a posted history: its run as a stream or as one body, in the frames of its API."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from copy import deepcopy
from typing import Any, Generic, Protocol, TypeVar

from starlette.responses import JSONResponse

from plainloop.agent.core.api import ApiRequest
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.events import TERMINAL, WAITING, Event
from plainloop.server.http.endpoint import AppContext
from plainloop.server.http.sse import EventStream
from plainloop.server.protocols.conversations import PostedMessage
from plainloop.server.protocols.encoder import Encoder, Frame, collect_run, encode_events, show_run
from plainloop.server.routes.streaming import make_run_error

from .lookups import save_end
from .threads import ENDS, Posted, Started


class AnswerEncoder(Encoder, Protocol):
    """An encoder that also knows what its client has received."""

    @property
    def history(self) -> Sequence[PostedMessage]:
        """Return the answer in the form in which the client will post it as history."""
        ...

    @property
    def has_failed(self) -> bool:
        """Return whether the run ended with an error that this API cannot express in an answer."""
        ...


class OpeningEncoder(AnswerEncoder, Protocol):
    """An encoder whose answers may begin with a notice."""

    def open(self) -> list[Frame]:
        """Return the frames before those of the run."""
        ...


E = TypeVar("E", bound=AnswerEncoder)
Opening = TypeVar("Opening", bound=OpeningEncoder)


@dataclass(frozen=True, slots=True)
class Answer(Generic[E]):
    """The run that answers a request.

    request: as its user. space: as of `Conversations`. opening: frames before those of the run.
    """

    app: AppContext
    request: ApiRequest
    space: str
    posted: Posted
    started: Started
    encoder: E
    opening: Sequence[Frame] = ()

    async def serve(
        self,
        to_body: Callable[[Sequence[Frame]], dict[str, Any]],
        headers: Mapping[str, str] | None = None,
        *,
        is_stream: bool,
    ) -> EventStream | JSONResponse:
        """Return the run's event stream, or its finished answer as JSON that `to_body` builds.

        Raises: the AgentError that ended the run, ServiceUnavailable; neither for a stream.
        """
        named, after = (self.app, self.request, self.started.run_id), self.started.after
        headers = {**self.started.headers, **(headers or {})}
        if is_stream:
            return show_run(
                *(*named, self.encoder),
                after=after,
                opening=self.opening,
                headers=headers,
                batches=self.watch(),
            )
        frames, last = await collect_run(*named, self.encoder, after=after)
        await self._save(self.encoder)
        if self.encoder.has_failed:
            raise make_run_error(last)
        return JSONResponse(to_body([*self.opening, *frames]), headers=headers)

    async def watch(self) -> AsyncGenerator[list[Event]]:
        """Yield the run's events, and store the digest that identifies its thread.

        The digest is stored before the last events are yielded.
        """
        batches = self.app.runs.watch_turn(*self.request.owner, self.started.run_id)
        async with aclosing(batches):
            async for events in batches:
                if (last := events[-1]["event"]) in TERMINAL | WAITING:
                    ended = deepcopy(self.encoder)  # the other one encodes these events as well
                    encode_events(ended, events)
                    if last in WAITING:
                        ended.wait()
                    await self._save(ended)
                yield events

    async def _save(self, ended: E) -> None:
        """Store a digest of the history with its answer: `find_thread` finds the thread by it."""
        run, owned = self.started, (self.request.db, self.request.user_id)
        digest = self.posted.name_after(ended.history, is_unused=run.is_reminder)
        await save_end(*owned, self.space + ENDS, digest, run.thread_id, run.run_id)
