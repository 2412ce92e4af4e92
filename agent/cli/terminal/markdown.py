"""Styles streamed Markdown for the terminal, holding back only an unfinished marker or word."""

from __future__ import annotations

import re
from typing import Final

from .wrapping import WordWrap

BOLD: Final = "\x1b[1m"
CODE: Final = "\x1b[36m"
PLAIN: Final = "\x1b[0m"
_FENCE: Final = re.compile(r"^\s*(```(?!.*`)|~~~)")  # "```ls```" is code in a line
_FENCE_END: Final = re.compile(r"^\s*(`{3,}|~{3,})\s*$")
_HEADING: Final = re.compile(r"^#{1,6} +")
_BULLET: Final = re.compile(r"^( *)[*+-] +")
# What may become a marker of a line's beginning once more of the line is there.
_MAY_BEGIN: Final = re.compile(r"^\s*+(#{0,6} *|[*+-] *|`{0,3}|~{0,3}|(```|~~~).*)$")


class MarkdownStyle:
    """Converts streamed Markdown to terminal styles; other characters are unchanged.

    width: lines outside of code blocks are broken between words there; None: nowhere.
    is_plain: markers stay what they are.

    >>> style = MarkdownStyle()
    >>> style.feed("- **a") + style.feed("b** and `c`") + style.finish()
    '• \\x1b[1mab\\x1b[0m and \\x1b[36mc\\x1b[0m'
    """

    def __init__(self, width: int | None = None, *, is_plain: bool = False) -> None:
        self._is_plain = is_plain
        self._wrap = WordWrap(width)
        self._held = ""  # may be part of a marker
        self._is_line_start = True
        self._is_fenced = False
        self._open: list[str] = []  # the styles that hold now, outermost first

    def feed(self, text: str) -> str:
        """Add a piece of Markdown; return the styled part that can no longer change."""
        return self._style(self._held + text, is_end=False)

    def finish(self) -> str:
        """End the text: return its held-back rest, with all styles closed."""
        styled = self._style(self._held, is_end=True) + self._wrap.feed(self._close())
        return styled + self._wrap.finish()

    def _style(self, text: str, *, is_end: bool) -> str:
        shown: list[str] = []
        self._held = ""
        while text:
            line, newline, rest = text.partition("\n")
            # Held back: "-" may become a bullet or "---", and what is on the screen cannot be taken
            # back (test_terminal_markdown_is_equal_for_any_chunks).
            if self._is_line_start and not newline and not is_end and _MAY_BEGIN.match(line):
                self._held = line
                break
            styled = self._style_line(line, is_whole=bool(newline) or is_end)
            # Code is not wrapped, since it is copied
            # (test_terminal_lines_break_between_words_except_in_code).
            shown.append(styled if self._is_fenced else self._wrap.feed(styled))
            if newline:
                shown.append(self._wrap.feed(self._close() + "\n"))
                self._is_line_start = True
            text = rest
        return "".join(shown)

    def _style_line(self, line: str, *, is_whole: bool) -> str:
        """Style a line, or the part of it that has arrived."""
        begin = ""
        if self._is_line_start and line:
            if (_FENCE_END if self._is_fenced else _FENCE).match(line):
                self._is_fenced = not self._is_fenced
                return line if self._is_plain else ""
            self._is_line_start = False
            if not self._is_plain:
                begin, line = self._begin_line(line)
        if self._is_plain or self._is_fenced:
            return begin + line
        return begin + self._style_words(line, is_whole=is_whole)

    def _begin_line(self, line: str) -> tuple[str, str]:
        """Return (the style or mark that begins the line, the rest of it)."""
        if self._is_fenced:
            return self._toggle(CODE), line
        if found := _HEADING.match(line):
            return self._toggle(BOLD), line[found.end() :]
        if found := _BULLET.match(line):
            return f"{found[1]}• ", line[found.end() :]
        return "", line

    def _style_words(self, line: str, *, is_whole: bool) -> str:
        # The second star of `**` may come in the next piece.
        if line.endswith("*") and not line.endswith("**") and not is_whole:
            line, self._held = line[:-1], "*"
        parts = re.split(r"(`)", line)
        return "".join(
            self._toggle(CODE)
            if part == "`"
            else part
            if CODE in self._open
            else re.sub(r"\*\*", lambda _: self._toggle(BOLD), part)
            for part in parts
        )

    def _toggle(self, style: str) -> str:
        if style in self._open:
            self._open.remove(style)
            # Reset all styles, then switch the open ones on again: styles may end in another order
            # than they began.
            return PLAIN + "".join(self._open)
        self._open.append(style)
        return style

    def _close(self) -> str:
        is_open, self._open = bool(self._open), []
        return PLAIN if is_open else ""
