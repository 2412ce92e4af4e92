"""Holds a replayed turn against its recording, step by step and request by request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import orjson

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.base.messages.requests import (
    fingerprint_request,
    list_parameters,
    to_tools_text,
)
from plainloop.agent.base.shown.pictures import restore_pictures
from plainloop.agent.core.history import MODEL_BEGAN
from plainloop.agent.store.records import StepCommit
from plainloop.agent.types import ChatRequest, Message

from ..sources.recording import RecordedAnswer, RecordedTurn, to_visible
from .divergence import Diverged, Divergence, DivergenceKind, RecordingEnded

_YOU_BEGIN: Final = make_text_message("user", MODEL_BEGAN)


class TurnCheck:
    """Compares the replay of one turn with its recording, step by step.

    system: the prompt that an imported source had; None where requests are compared by fingerprint.

    Tools cannot raise through the machine, so a divergence that they find is kept here and raised
    with the next step.
    """

    def __init__(
        self, turn: RecordedTurn, history: Sequence[Message], system: str | None = None
    ) -> None:
        self._turn = turn
        self._said: list[Message] = [*history, turn.user]
        self._system = system
        self.path: list[str] = []
        self.fingerprints: list[str] = []
        self._asked = ""
        self.step = 0
        self.node = turn.steps[0].node if turn.steps else "start"

    def see_call(self, fingerprint: str) -> None:
        """Note the fingerprint of the request that is about to be sent."""
        self._asked = fingerprint

    def compare_request(self, request: ChatRequest, answer: RecordedAnswer) -> Divergence | None:
        """Return how a request diverges from the recorded one, or None if it does not.

        The fingerprint is part of the report, so that two reports can be compared.
        """
        self.fingerprints.append(self._asked)
        if answer.fingerprint is not None:
            if self._is_alike(request, answer.fingerprint):
                return None
            return self._note("request", *_tell_apart(answer, request))
        if self._system is not None and request.system != self._system:
            return self._note("request", {"system": self._system}, {"system": request.system})
        return self._compare_messages(request.messages)

    def _is_alike(self, request: ChatRequest, recorded: str) -> bool:
        """Whether the request has this fingerprint, in today's form or one of earlier recordings.

        These left out requests' parameters, or pictures of earlier turns.
        """
        if recorded == self._asked:
            return True
        tools = to_tools_text(request)
        shown = restore_pictures(request.messages, self._said)
        return any(
            fingerprint_request(form, tools, with_parameters=has_parameters) == recorded
            for form in (request, replace(request, messages=shown))
            for has_parameters in (False, True)
        )

    def see_step(self, commit: StepCommit) -> None:
        """Check that the replay's next step is as recorded.

        Raises: Diverged, RecordingEnded.
        """
        self.path.append(commit.node)
        steps = self._turn.steps
        if commit.n >= len(steps) and not self._turn.is_complete:
            raise RecordingEnded
        if commit.n >= len(steps):
            end = steps[-1].next_node if steps else "no step"
            self._raise("path", {"ends with": end}, {"goes on with": commit.node})
        recorded = steps[commit.n]
        if recorded.node != commit.node:
            self._raise("path", {"node": recorded.node}, {"node": commit.node})
        replayed: dict[str, Any] = {**commit.update}
        if not recorded.is_whole:
            replayed = {key: replayed.get(key) for key in recorded.update}
        sides = [_show_messages(update) for update in (recorded.update, replayed)]
        # Alike before JSON is alike after it; only a difference may be one of form.
        if sides[0] != sides[1]:
            sides = [orjson.loads(orjson.dumps(side)) for side in sides]
        if sides[0] != sides[1]:
            self._raise("update", *sides)
        if recorded.next_node != commit.next_node:
            self._raise("path", {"next": recorded.next_node}, {"next": commit.next_node})
        self._said += commit.update.get("messages", [])
        self.step = commit.n + 1
        self.node = commit.next_node

    def find_missing_steps(self) -> Divergence | None:
        """Return a divergence if recorded steps are left at the replay's end, else None."""
        left = self._turn.steps[len(self.path) :]
        if not left:
            return None
        return self._note("path", {"goes on with": left[0].node}, {"ends with": self.node})

    def _compare_messages(self, shown: Sequence[Message]) -> Divergence | None:
        """Compare an imported request's messages with the recorded newest ones; None if alike.

        If the source's model spoke first, ours has an extra first message.
        """
        if self._said[0]["role"] != "user" and _look_alike(shown[:1], [_YOU_BEGIN]):
            shown = shown[1:]
        newest = self._said[-len(shown) :] if shown else self._said
        if shown and _look_alike(shown, newest):
            return None
        sides = ({"messages": to_visible(side)} for side in (newest, shown))
        return self._note("request", *sides)

    def _note(self, kind: DivergenceKind, recorded: Any, replayed: Any) -> Divergence:
        return Divergence(kind, self.step, self.node, recorded, replayed)

    def _raise(self, kind: DivergenceKind, recorded: Any, replayed: Any) -> None:
        raise Diverged(self._note(kind, recorded, replayed))


def _look_alike(some: Sequence[Message], others: Sequence[Message]) -> bool:
    """Whether two lists of messages are the same to a model.

    Most are the same objects, or have the same parts.
    """
    if len(some) != len(others):
        return False
    pairs = [(a, b) for a, b in zip(some, others, strict=True) if a["parts"] is not b["parts"]]
    return all(to_visible([one]) == to_visible([other]) for one, other in pairs)


def _show_messages(update: dict[str, Any]) -> dict[str, Any]:
    """Return a step's update with its messages as a model sees them."""
    if "messages" not in update:
        return update
    return {**update, "messages": to_visible(update["messages"] or [])}


def _tell_apart(
    answer: RecordedAnswer, request: ChatRequest
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both requests for a diff, (recorded, replayed).

    If their texts are the same, a parameter or the answer's schema is not, of which a recording
    keeps the fingerprint only.
    """
    tools = to_tools_text(request)
    replayed: dict[str, Any] = {
        "system": request.system,
        "tools": orjson.loads(tools) if tools else [],
        "messages": to_visible(request.messages),
    }
    if answer.request is None or answer.request == replayed:
        schema = request.json_schema.schema if request.json_schema else None
        today = {"parameters": list_parameters(request), "answer's schema": schema}
        return {"fingerprint": answer.fingerprint}, today
    return answer.request, replayed
