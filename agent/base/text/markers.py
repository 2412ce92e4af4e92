"""Removes an end marker from streamed text, wherever the chunks are cut."""

from __future__ import annotations


class MarkerFilter:
    """Removes an end marker from a streamed text. The result is equal for any chunks.

    Where a marker was, whitespace keeps its neighbours apart; a marker that begins or ends the text
    leaves none. A marker holds no whitespace itself.

    >>> marked = MarkerFilter("[DONE]")
    >>> marked.feed("Thank you! [DO") + marked.feed("NE] Bye. [DONE]") + marked.finish()
    'Thank you! Bye.'
    >>> marked.is_found
    True
    """

    def __init__(self, marker: str) -> None:
        self._marker = marker
        self.reset()

    def reset(self) -> None:
        """Discard held-back text, because a new text begins."""
        self._held = ""  # whitespace, a marker's beginning: not shown until it is clear what it is
        self._gap: str | None = None  # whitespace since the last marker; None: text came after it
        self._has_shown = False
        self.is_found = False

    def feed(self, piece: str) -> str:
        """Add a piece of streamed text; return the text to stream now, without end markers."""
        text, shown, start = self._held + piece, list[str](), 0
        while (at := text.find(self._marker, start)) >= 0:
            shown.append(self._release(text[start:at].rstrip()))
            self._gap, self.is_found = self._gap or "", True
            start = at + len(self._marker)
        text = text[start:]
        # The last characters may belong to a marker, and the whitespace before it with them.
        longest = min(len(text), len(self._marker) - 1)
        begun = next((n for n in range(longest, 0, -1) if self._marker.startswith(text[-n:])), 0)
        keep = len(text[: len(text) - begun].rstrip())
        self._held = text[keep:]
        return "".join((*shown, self._release(text[:keep])))

    def finish(self) -> str:
        """End the text; return the rest of it that was held back."""
        held, self._held = self._held, ""
        if self._gap is not None:
            held = held.rstrip()
        return self._release(held)

    def _release(self, text: str) -> str:
        """Return text to follow what was shown: right after a marker, with one gap."""
        if self._gap is None or not text:
            self._has_shown = self._has_shown or bool(text)
            return text
        body = text.lstrip()
        gap = self._gap + text[: len(text) - len(body)]
        if not body:
            self._gap = gap
            return ""
        lead = (gap or " ") if self._has_shown else ""
        self._gap, self._has_shown = None, True
        return lead + body
