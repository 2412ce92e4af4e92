"""Texts that a review may send back, held until they stand: for clients that only append.

A client of the first seven events knows no `text_reset`. It sees only what stands: a draft comes
in one piece as soon as nothing will replace it, and what is said again is not repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ...agent.core.spec import Pack
from ...agent.core.state import END
from ...agent.events import Event
from .sse import SseWriter


def find_drafts(pack: Pack) -> dict[str, int]:
    """Return after how many tool calls an answer is reviewed, by worker.

    An answer is reviewed if its worker made more calls than this number.
    """
    # -1: an answer without any tool call is reviewed too.
    least = {"always": -1, "auto": 0}
    drafting = {
        spec.name: spec.evaluate_after if spec.evaluate == "auto" else least[spec.evaluate]
        for spec in pack.workers
        if spec.evaluate in least
    }
    return {**drafting, **{spec.name: -1 for spec in pack.workers if spec.after}}


class WholeTextWriter(SseWriter):
    """Writes our own events without drafts; it must receive all events from the first on."""

    def __init__(self, drafts: Mapping[str, int], after: int, *, may_wait: bool = False) -> None:
        """Write a run's events. drafts: as `find_drafts`; after: what the client has seen."""
        super().__init__(may_wait=may_wait)
        self._drafts = drafts
        self._after = after
        self._is_draft = False
        self._calls = 0  # tool calls of this turn
        self._text = ""
        self._sent = ""

    def write(self, events: list[Event]) -> bytes:
        shown: list[Event] = []
        for event in events:
            made = self._fold(event)
            shown += made if event["seq"] > self._after else []
        # What ends the stream is among those that are always passed on.
        return super().write(shown) if shown else b""

    def _fold(self, event: Event) -> list[Event]:
        data = event["data"]
        match event["event"]:
            case "node_start":
                # A node without a review counts as its own limit, so its text is never a draft.
                self._is_draft = self._calls > self._drafts.get(data["node"], self._calls)
            case "node_end" if data["next"] == END or data["next"] == f"{data['node']}.tools":
                return self._send(event) or [event]  # text in its place has its number
            case "text_delta":
                self._text += data["content"]
                return [] if self._is_draft else self._send(event)
            # Not sent: if the next text does not begin with the text sent so far, `done` corrects
            # it
            # (test_with_drafts_off_a_rejected_draft_is_not_streamed).
            case "text_reset":
                self._text = ""
                return []
            case "tool_start":
                self._calls += 1
            case "done":
                self._text = data["content"]
                return [*self._send(event, is_last=True), event]
            case "approval_request" | "tool_request" | "error":
                return [*self._send(event), event]
            case _:
                pass
        return [event]

    def _send(self, event: Event, *, is_last: bool = False) -> list[Event]:
        """Return events with the text not sent yet; at the end with a reset if it contradicts."""
        text, number = self._text, event["seq"]
        if not text.startswith(self._sent):
            if not is_last:
                return []
            self._sent = text
            reset = {"seq": number, "event": "text_reset", "data": {"reason": "corrected"}}
            return cast("list[Event]", [reset, _make_delta(number, text)])
        new, self._sent = text[len(self._sent) :], text
        return [_make_delta(number, new)] if new else []


def _make_delta(number: int, text: str) -> Event:
    return cast(Event, {"seq": number, "event": "text_delta", "data": {"content": text}})
