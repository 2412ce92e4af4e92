"""The answer as the user sees it grow, over tool calls, retries and reviews."""

from __future__ import annotations

from agent.core.context import RequestContext

GAP = "\n\n"  # between what was said before a tool call and what is said after it


class AnswerStream:
    """Shows one model answer. `kept` is what this turn told the user before it, still valid.

    Folding the events of a run (append `text_delta`, empty at `text_reset`) gives the text that
    `get_answer` reads from the stored messages.
    """

    def __init__(self, kept: str, ctx: RequestContext) -> None:
        self._kept = kept
        self._ctx = ctx

    def show(self, text: str) -> None:
        """Append visible text."""
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
