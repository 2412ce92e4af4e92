"""The answer as the user sees it grow, over tool calls, retries and reviews."""

from __future__ import annotations

from agent.core.context import RequestContext
from agent.core.markers import MarkerFilter

GAP = "\n\n"  # between what was said before a tool call and what is said after it


class AnswerStream:
    """Shows one model answer. `kept` is what this turn told the user before it, still valid.

    Folding the events of a run (append `text_delta`, empty at `text_reset`) gives the text that
    `get_answer` reads from the stored messages.
    """

    def __init__(self, kept: str, ctx: RequestContext, hidden: MarkerFilter | None = None) -> None:
        """hidden: what takes a marker out before anybody sees it."""
        self._kept = kept
        self._ctx = ctx
        self._hidden = hidden

    def show(self, text: str) -> None:
        """Append text."""
        self._append(self._hidden.feed(text) if self._hidden else text)

    def finish(self) -> None:
        """The text is complete: show what a possible marker had held back."""
        if self._hidden:
            self._append(self._hidden.finish())

    def begin(self) -> None:
        """An attempt begins: what an earlier one held back is void."""
        if self._hidden:
            self._hidden.reset()

    def _append(self, text: str) -> None:
        if not text:
            return
        journal = self._ctx.journal
        lead = GAP if self._kept and not journal.partial_text else ""
        journal.partial_text += text
        self._ctx.emit("text_delta", {"content": lead + text})

    def restart(self, reason: str) -> None:
        """Take back what this answer has shown; what was kept stands again."""
        self._ctx.journal.partial_text = ""
        self._ctx.emit("text_reset", {"reason": reason})
        if self._kept:
            self._ctx.emit("text_delta", {"content": self._kept})
