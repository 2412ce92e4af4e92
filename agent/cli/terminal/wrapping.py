"""Wraps streamed text between words to the window's width, and removes control characters."""

from __future__ import annotations

import shutil
import unicodedata
from typing import Any, Final, TextIO

from ...base.text.patterns import compile_lazily

MIN_WIDTH: Final = 20  # in a narrower window lines are wrapped as in one of this width
# Wide letters (Chinese, Japanese, Korean) may stand at the end of a line each.
_WIDE: Final = r"\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef"
_TOKEN: Final = compile_lazily(rf"\n|[^\S\n]+|[{_WIDE}][、。，．！？：；」』）]*|[^\s{_WIDE}]+")
_IS_WIDE: Final = compile_lazily(f"[{_WIDE}]")
_STYLE: Final = compile_lazily(r"\x1b\[[0-9;]*m")
# A model's or a page's text must not be able to move the cursor or set the window's title.
_CONTROLS: Final = compile_lazily(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LIST_MARK: Final = compile_lazily(r"[•*+-]|\d{1,3}[.)]")


class WordWrap:
    """Wraps streamed text between words, and indents the lines below a list's mark.

    A word longer than a line is left to the terminal, so that it can be copied.

    width None: nothing is wrapped or held back.

    >>> wrap = WordWrap(12)
    >>> wrap.feed("- one two th") + wrap.feed("ree four") + wrap.finish()
    '- one two\\n  three four'
    """

    def __init__(self, width: int | None) -> None:
        self._width = width
        self._word = ""  # may go on in the next piece
        self._begin_line()

    def feed(self, text: str) -> str:
        """Add a piece of streamed text; return the wrapped text up to the last complete word."""
        if self._width is None:
            return text
        tokens = _TOKEN.findall(self._word + text)
        last = tokens[-1].strip() if tokens else ""
        # A word that is longer than a line is sent at once: it is never broken, so later text does
        # not change it.
        is_open = bool(last) and measure(last) <= self._width  # a mere style belongs to a word
        self._word = tokens.pop() if is_open else ""
        return "".join(map(self._place, tokens))

    def finish(self) -> str:
        """Return the text held back so far."""
        word, self._word = self._word, ""
        return self._place(word) if word else ""

    def _begin_line(self) -> None:
        self._column = self._indent = 0
        self._space: str = ""  # before the next word, if that stands on the same line
        self._is_marked = False

    def _place(self, token: str) -> str:
        assert self._width is not None
        if token == "\n":
            self._begin_line()
            return token
        if token.isspace():
            return self._place_space(token)
        size, space = measure(token), self._space
        self._space = ""
        if (space or _IS_WIDE.match(token)) and self._column + len(space) + size > self._width:
            self._column = self._indent + size
            return "\n" + " " * self._indent + token
        self._is_marked = self._column == self._indent and bool(
            _LIST_MARK.fullmatch(_STYLE.sub("", token))
        )
        self._column += len(space) + size
        if self._column > self._width:  # the terminal has broken it
            self._column %= self._width
        return space + token

    def _place_space(self, space: str) -> str:
        """Keep the space that begins a line, and indent its next lines; else hold it back."""
        assert self._width is not None
        if self._column and not self._is_marked:
            self._space = space
            return ""
        self._column += len(space)
        # Indent at most half of the width: deep lists would leave no room for their words.
        self._indent = min(self._column, self._width // 2)
        self._is_marked = False
        return space


def to_terminal(text: str) -> str:
    r"""Replace control characters in a text, which could move the cursor.

    >>> to_terminal("\x1b]0;title\x07 a\tb\n")
    '�]0;title� a\tb\n'
    """
    return _CONTROLS.sub("�", text)


def is_terminal(stream: TextIO | Any) -> bool:
    """Whether the stream is an interactive terminal."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # replaced or closed
        return False


def get_width(stream: TextIO | Any) -> int | None:
    """Return a terminal's width in characters, at least MIN_WIDTH; None if it is no terminal."""
    return max(MIN_WIDTH, shutil.get_terminal_size().columns) if is_terminal(stream) else None


def wrap_words(text: str, width: int | None) -> str:
    """Break a text into lines of at most this width, between words.

    width: None breaks no line.

    >>> wrap_words("asks for your approval", 14)
    'asks for your\\napproval'
    """
    wrap = WordWrap(width)
    return wrap.feed(text) + wrap.finish()


def measure(text: str) -> int:
    """Measure a text's width in terminal cells, ignoring styles.

    >>> measure("\\x1b[1mab\\x1b[0m"), measure("日本")
    (2, 4)
    """
    return sum(
        # UAX 11: wide and full-width letters take two cells, combining marks none.
        2 if unicodedata.east_asian_width(letter) in "WF" else not unicodedata.combining(letter)
        for letter in _STYLE.sub("", text)
    )
