"""Separates thoughts that a model wrote into its text from the answer: tags, harmony's channels.

Source: pydantic-ai #2364, litellm #14121, browser-use/web-ui #148 (tags in the content);
nbramia/LifeOS PR #568, perplexityai/api-discussion #177 (only the end, as the prompt has the
beginning); antirez/ds4 #678 (a second end); openai/harmony docs/format.md (channels).
"""

from __future__ import annotations

import re
from copy import copy
from typing import Final, Literal

from ...base.text.patterns import compile_lazily

# "taken back": all text before it was a thought, as only the end of that came.
Kind = Literal["text", "reasoning", "taken back"]
Piece = tuple[Kind, str]

_TAGS: Final = {
    "<think>": "</think>",
    "<seed:think>": "</seed:think>",
    "<mm:think>": "</mm:think>",
    "[think]": "[/think]",
    "◁think▷": "◁/think▷",
    "<|channel>thought": "<channel|>",
}
# Plain words of XML: a thought only where they are an answer's first word.
_FIRST_TAGS: Final = {
    f"<{name}>": f"</{name}>" for name in ("thinking", "thought", "thoughts", "reasoning")
}
_OPENINGS: Final = {**_TAGS, **_FIRST_TAGS}
_CLOSINGS: Final = tuple(dict.fromkeys(_OPENINGS.values()))
_BEGINS: Final = ("<|start|>", "<|channel|>")
_ENDS: Final = ("<|end|>", "<|return|>", "<|call|>")
_HARMONY: Final = (*_BEGINS, *_ENDS, "<|message|>", "<|constrain|>")
_MARKS: Final = (*_TAGS, *_CLOSINGS, *_HARMONY)
_FIRST_LETTERS: Final = {mark[0] for mark in _MARKS}
_MARK: Final = compile_lazily("|".join(map(re.escape, _MARKS)), re.IGNORECASE)
_QUOTES: Final = {'"': '"', "'": "'", "\u201c": "\u201d", "\u00ab": "\u00bb"}
_CHANNEL: Final = compile_lazily("|".join(map(re.escape, _HARMONY)))
_FENCE: Final = ("```", "~~~")
_LONGEST_CHARS: Final = max(map(len, _OPENINGS))
# Models whose prompt opens the thought, so that only its end comes, where no server parses it.
_HEADLESS: Final = compile_lazily(r"nemotron|deepseek-r1|qwq|r1-|[-_]think|glm-z1", re.IGNORECASE)
FINAL: Final = "final"  # the channel of what is said


def is_headless(model: str) -> bool:
    """Return whether the name is of a model whose answers begin inside a thought.

    >>> is_headless("nvidia/Nemotron-3-Nano"), is_headless("Qwen3-30B-Thinking"), is_headless("m")
    (True, True, False)
    """
    return _HEADLESS.search(model) is not None


class ThoughtSplitter:
    """Splits streamed text into thoughts and text; tags in code or quotes are text.
    Where a tag may begin, its first letters are held back.
    """

    def __init__(self, *, is_held: bool = False) -> None:
        """Begin a text. is_held: nothing is told before a thought, or all of it, has ended."""
        self._held = is_held
        self._buffer = ""
        self._read_to = 0  # before it in the buffer stands no mark but quoted ones
        self._ahead: _Place | None = None  # at `_read_to`; None: it is the buffer's start
        self._held_back = ""  # read, but not yet emitted
        self._closing: str | None = None  # inside a thought, until this
        self._is_start = True  # nothing but blanks since the beginning or a thought
        self._is_behind = False  # a thought came before: the blanks after it are none of the text
        self._header: str | None = None  # of a harmony message, until its text begins
        self._channel: str | None = None  # of the harmony message at hand
        self._place = _Place()  # after the text emitted so far
        self._has_text = False  # some text was emitted
        self._is_harmony = False
        self.is_late = False  # only the end of a thought came, behind what was told as text

    def feed(self, text: str) -> list[Piece]:
        """Add a piece of streamed text; return the pieces that surely are text or reasoning.

        Text that may be part of a tag is held back until the next call or `finish`.
        """
        self._buffer += text
        pieces: list[Piece] = []
        while self._step(pieces, is_last=False):
            pass
        return pieces

    def finish(self) -> list[Piece]:
        """End the text; return its held-back rest as pieces of text or reasoning."""
        pieces: list[Piece] = []
        self._let_go(pieces)
        while self._buffer and self._step(pieces, is_last=True):
            pass
        return pieces

    def release(self) -> list[Piece]:
        """Return the held-back text as pieces, and hold back no possible opening tags from now on.

        Called when the server sends thoughts in their own field.
        """
        pieces: list[Piece] = []
        self._let_go(pieces)
        return [*pieces, *self.feed("")]

    def _let_go(self, pieces: list[Piece]) -> None:
        self._held = False
        self._emit("text", self._held_back, pieces)
        # What was held back may close a quote.
        self._held_back, self._read_to, self._ahead = "", 0, None

    def _step(self, pieces: list[Piece], *, is_last: bool) -> bool:
        """Read the buffer up to the next mark; return whether another step may follow."""
        if self._closing is not None:
            return self._read_thought(self._closing, pieces, is_last)
        if self._header is not None or self._channel is not None:
            return self._read_harmony(pieces, is_last)
        if self._is_start and not self._read_start(is_last):
            return False
        return self._closing is not None or self._read_text(pieces, is_last)

    def _read_start(self, is_last: bool) -> bool:
        """Decide whether a thought begins here; return False if the buffer is too short to tell."""
        stripped = self._buffer.lstrip()
        low = stripped[:_LONGEST_CHARS].lower()
        for opening in _OPENINGS:
            if low.startswith(opening):
                self._open(opening, stripped[len(opening) :])
                return True
        if not is_last and any(opening.startswith(low) for opening in _OPENINGS):
            return False
        self._buffer = stripped if self._is_behind else self._buffer
        self._is_start = False
        return True

    def _read_thought(self, closing: str, pieces: list[Piece], is_last: bool) -> bool:
        end = re.search(re.escape(closing), self._buffer, re.IGNORECASE)
        if end is None:
            self._emit("reasoning", self._take(_keep(self._buffer, (closing,), is_last)), pieces)
            return False
        self._emit("reasoning", self._take(end.start()), pieces)
        self._buffer = self._buffer[len(closing) :]
        self._close()
        return True

    def _read_text(self, pieces: list[Piece], is_last: bool) -> bool:
        at, place = self._read_to, self._ahead or self._place.copy()
        self._read_to, self._ahead = 0, None
        for match in _MARK.finditer(self._buffer, at):
            # From mark to mark: reading the text before a mark again for each of them takes
            # quadratic time (tests/providers/test_linear_reading.py).
            place.pass_by(self._buffer[at : match.start()])
            at, letter = match.start(), self._buffer[match.end() : match.end() + 1]
            if place.last in _QUOTES and not letter and not is_last:
                self._read_to, self._ahead = at, place
                return False  # what follows tells whether it is quoted
            if not place.is_quoting(letter):
                before, after = self._buffer[:at], self._buffer[match.end() :]
                return self._read_mark(match[0].lower(), before, after, pieces)
        size = _keep(self._buffer, _MARKS, is_last)
        if self._held:
            self._read_to = max(at, size)
            place.pass_by(self._buffer[at : self._read_to])
            self._ahead = place
        else:
            self._emit("text", self._take(size), pieces)
        return False

    def _read_mark(self, mark: str, before: str, after: str, pieces: list[Piece]) -> bool:
        self._buffer = after
        if mark in _BEGINS:
            if self._is_harmony:
                self._emit("text", before, pieces)
            else:
                self._take_back(before, pieces)
            self._is_harmony, self._header, self._held = True, "", False
        elif mark in _CLOSINGS:
            self._take_back(before, pieces)
            self._close()
        elif mark in _TAGS and not self._held:
            self._emit("text", before, pieces)
            self._open(mark, after)
        elif mark in _ENDS:  # a marker that the server forgot behind plain text
            self._put(before, after, pieces)
        else:
            self._put(before + mark, after, pieces)
        return True

    def _put(self, text: str, rest: str, pieces: list[Piece]) -> None:
        """Emit text, or put it back before the rest while everything is held back."""
        if self._held:
            # It stays among what is held: the end of the thought, or of all, decides.
            self._held_back += text
        else:
            self._emit("text", text, pieces)
        self._buffer = rest

    def _read_harmony(self, pieces: list[Piece], is_last: bool) -> bool:
        match = _CHANNEL.search(self._buffer)
        end = match.start() if match else _keep(self._buffer, _HARMONY, is_last)
        header = self._take(end)
        if self._header is not None:
            self._header += header
        else:
            self._emit("text" if self._channel == FINAL else "reasoning", header, pieces)
        if match is None:
            return False
        self._buffer = self._buffer[len(match[0]) :]
        if match[0] in _BEGINS:
            self._header, self._channel = "", None
        elif match[0] == "<|message|>":
            words = (self._header or "").split()
            # A message without a channel is the answer.
            self._channel = words[0] if words and words[0] != "assistant" else FINAL
            self._header = None
        elif match[0] in _ENDS:
            self._header, self._channel = None, None
            self._close()
        return True

    def _open(self, opening: str, rest: str) -> None:
        self._closing, self._buffer = _OPENINGS[opening], rest
        self._held = False

    def _close(self) -> None:
        self._closing = None
        self._held = False
        self._is_start = self._is_behind = True
        self._place = _Place()

    def _take_back(self, text: str, pieces: list[Piece]) -> None:
        """Turn all text so far into a thought: what was emitted, and what was held back."""
        self.is_late = self.is_late or self._has_text
        pieces.append(("taken back", ""))
        self._emit("reasoning", self._held_back + text, pieces)
        self._held_back = ""

    def _take(self, size: int) -> str:
        head, self._buffer = self._buffer[:size], self._buffer[size:]
        return head

    def _emit(self, kind: Kind, text: str, pieces: list[Piece]) -> None:
        if not text:
            return
        pieces.append((kind, text))
        if kind == "text":
            self._has_text = self._has_text or not text.isspace()
            self._place.pass_by(text)


class _Place:
    """A position in a text, with what stands before it that may make a mark there a quoted one."""

    def __init__(self) -> None:
        self._is_code = False  # a fence is open
        self._head = ""  # the line's first letters: a fence's, perhaps
        self._ticks = 0  # in the line
        self.last = ""  # the line's newest letter

    def copy(self) -> _Place:
        return copy(self)

    def pass_by(self, text: str) -> None:
        """Move past a text, keeping track of code blocks and backticks."""
        *lines, rest = text.split("\n")
        for line in lines:
            if self._read_head(line) in _FENCE:
                self._is_code = not self._is_code
            self._head, self._ticks, self.last = "", 0, ""
        self._head = self._read_head(rest)
        self._ticks += rest.count("`")
        self.last = rest[-1:] or self.last

    def is_quoting(self, letter: str) -> bool:
        """Return whether a tag at this place is quoted. letter: the one after the tag, or ""."""
        quote = _QUOTES.get(self.last)
        return self._is_code or self._ticks % 2 == 1 or (quote is not None and letter == quote)

    def _read_head(self, line: str) -> str:
        size = len(_FENCE[0])
        return self._head if len(self._head) == size else (self._head + line).lstrip()[:size]


def split_text(text: str) -> list[Piece]:
    """Split a whole text into pieces of answer and of reasoning, in order.

    >>> split_text("<think>A bore.</think>Good day!")
    [('reasoning', 'A bore.'), ('text', 'Good day!')]
    >>> split_text("A bore.\\n</think>Good day!")
    [('reasoning', 'A bore.\\n'), ('text', 'Good day!')]
    >>> split_text("Write `<think>` first.")
    [('text', 'Write `<think>` first.')]
    """
    splitter = ThoughtSplitter()
    joined: list[Piece] = []
    for kind, piece in (*splitter.feed(text), *splitter.finish()):
        if kind == "taken back":
            joined = [("reasoning", "".join(fragment for _, fragment in joined))] if joined else []
        elif joined and joined[-1][0] == kind:
            joined[-1] = (kind, joined[-1][1] + piece)
        else:
            joined.append((kind, piece))
    return joined


def _keep(text: str, marks: tuple[str, ...], is_last: bool) -> int:
    """Return how much of the text can be emitted: not an end that may begin a mark."""
    if is_last:
        return len(text)
    for at in range(max(0, len(text) - max(map(len, marks))), len(text)):
        if text[at] in _FIRST_LETTERS:
            end = text[at:].lower()
            if any(mark.startswith(end) for mark in marks):
                return at
    return len(text)
