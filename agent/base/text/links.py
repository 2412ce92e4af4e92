"""Makes addresses in answers unclickable unless the user or a trusted source named them.

The text comes in pieces, and what comes out is the same however it is cut. A word is held back
only from the letter on that may make an address of it, and no longer than to its end. Nothing
depends on where code or quotes begin: whoever writes the answer may open and close them at will.
"""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncGenerator, Callable
from typing import Final

from ...types import Message, MessagePart
from .addresses import MAX_ADDRESS_CHARS, list_ends, to_key
from .patterns import compile_lazily

NOTE: Final = "(Links to addresses that nobody mentioned are shown as plain text.)"
# Of a text that is read in the event loop. The dearest takes 13 ms; 50 would be felt.
SLICE_CHARS: Final = 2_048
_MAX_TRIED: Final = 16  # beginnings of addresses in a row, in one word, that nobody named
_CONTEXT_CHARS: Final = 256  # of a long word, kept to know a host's name by: none is longer
_SPACE: Final = " \t\r\n"  # and no other: elsewhere clients let an address go on
_RUNS: Final = compile_lazily(rf"[{_SPACE}]++|[^{_SPACE}]++")
_HOST: Final = r"(?<![\w.-])[\w-]++(?:\.[\w-]++)++"
# The last letter of each is the first that may have to change.
_SUSPECT_HOST: Final = re.compile(rf"(?<![\w.-])[\w-]++\.[\w-]++\.|{_HOST}[/?#:]")
_SUSPECT: Final = compile_lazily(
    r"(?<=/)/|@|<|\\|(?<=\])[(:]"  # a scheme's slashes, a mail, a tag, an escape, a link's target
    rf"|&[#\w]{{1,31}}+;|{_SUSPECT_HOST.pattern}"
)
_ENTITY_CHARS: Final = 33
# From the last bracket on: what goes on after a space.
_UNFINISHED: Final = compile_lazily(r"(?:\][(:]|(?<=\]\()<|<[a-zA-Z][\w:-]*+)\Z")
_TARGET: Final = compile_lazily(rf"\](?=([(:])[{_SPACE}]*+(<?))")
_TARGET_END: Final = compile_lazily(rf"[{_SPACE}<>]")
_LEADS_AWAY: Final = compile_lazily(r"[:&\\]|//")
_PLAIN_TAG: Final = compile_lazily(
    rf"</?(?!style|script)[a-z][\w-]*+[{_SPACE}]*+/?>|</", re.IGNORECASE
)
_TAG: Final = compile_lazily(r"<[a-zA-Z!?]")
_START: Final = compile_lazily(rf"(?<![\w+.-])(?:[a-zA-Z][\w+.-]*+://|[\w.+-]++@[\w-]|{_HOST})")
_TOKEN: Final = compile_lazily(rf"[^{_SPACE}<>\"'`\[\]|{{}}\\^]++")
_AFTER: Final = compile_lazily(
    rf"[.,:;!?*_~)\"']{{0,3}}(?:[{_SPACE}<]|\Z)|>|\][.,:;!?*_~)]{{0,3}}(?:[{_SPACE}(:]|\Z)"
)
_ESCAPED: Final = compile_lazily(r"\\(?=[/\\:.@])|(?<=/)\\(?=[^\s])")
_HOST_PATH: Final = re.compile(rf"({_HOST})((?:[/?#](?=[^{_SPACE}(:])|:(?=\d))?)")
_BROKEN: Final = compile_lazily(
    r"(?<=/)(?<!//)/++(?=[^\s(:])"
    r"|(?<=[\w.+-])@(?=\w)"
    rf"|{_HOST_PATH.pattern}"
    r"|(?<=\w)\.(?=\w)"
)
_RUN_BREAK: Final = compile_lazily(r".*[^\w.-]", re.DOTALL)
_NUMBERS: Final = compile_lazily(r"\d+(?:\.\d+)*+\Z")


class LinkFilter:
    """Filters streamed text: addresses whose key `is_named` rejects become unclickable.
    A note at the end of the text says so.

    >>> shown = LinkFilter({"acme.example/1"}.__contains__)
    >>> shown.feed("[1](https://acme.example/1) ![](https://ev") + shown.feed("il.example/?d=1)!")
    '[1](https://acme.example/1) ![]'
    >>> shown.finish().splitlines()[0]
    ' (https:/[/]evil[.]example/?d=1)!'
    """

    def __init__(
        self,
        is_named: Callable[[str], bool],
        note: str = NOTE,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        """Filter by `is_named`. prepare: long work that its first answer needs; `pass_on` leaves it
        to a thread.
        """
        self._is_named = is_named
        self._note = note
        self._prepare = prepare
        self.reset()

    def reset(self) -> None:
        """Discard held-back text, because a new text begins."""
        self._word = ""  # so far, with what was shown of it
        self._shown = 0  # letters of it
        self._run = 0  # where the last of it that may be a host's name begins
        self._is_held = False
        self._has_changed = False

    def feed(self, piece: str) -> str:
        """Add a piece of streamed text; return the text to send now, with safe links."""
        shown: list[str] = []
        for run in _RUNS.findall(piece):
            if run[0] in _SPACE and not self._goes_on():
                shown += (self._end_word(), run)
            else:
                shown += self._add(run)
        return "".join(shown)

    async def pass_on(self, text: str) -> str:
        """Filter a long text without blocking the event loop; return the text to send."""
        shown: list[str] = []
        async for piece in take_slices(text):
            # Only a piece that may end an address, or begin one, may need a look-up.
            is_near = self._is_held or _SUSPECT.search(self._word + piece) is not None
            if self._prepare is not None and is_near:
                prepare, self._prepare = self._prepare, None
                await asyncio.to_thread(prepare)
            shown.append(self.feed(piece))
        return "".join(shown)

    def finish(self) -> str:
        """End the text; return its held-back rest, with a note if links were disarmed."""
        rest = self._end_word()
        return f"{rest}\n\n{self._note}" if self._has_changed and self._note else rest

    def _goes_on(self) -> bool:
        """Whether held text continues after a space: a link's target may come after one."""
        if not self._is_held:
            return False
        word = self._word.rstrip(_SPACE)
        return _UNFINISHED.match(word, max(word.rfind("]"), word.rfind("<"), 0)) is not None

    def _add(self, run: str) -> list[str]:
        shown: list[str] = []
        while run:
            room = MAX_ADDRESS_CHARS - len(self._word)
            self._word += run[:room]
            run = run[room:]
            if not self._is_held:
                shown.append(self._show_calm())
            if len(self._word) == MAX_ADDRESS_CHARS:
                shown.append(self._cut_word())
        return shown

    def _show_calm(self) -> str:
        """Return the part of the word that cannot change any more."""
        # Not from the word's start each time: only a host's name may have begun long before.
        matches = [
            _SUSPECT_HOST.match(self._word, self._run),
            _SUSPECT.search(self._word, max(0, self._shown - _ENTITY_CHARS)),
        ]
        ends = [match.end() - 1 for match in matches if match]
        self._is_held = bool(ends)
        end = min(ends, default=len(self._word))
        shown, self._shown = self._word[self._shown : end], end
        if broken := _RUN_BREAK.match(shown):
            self._run = end - len(shown) + broken.end()
        return shown

    def _cut_word(self) -> str:
        """End a word longer than any address: held text gets a space that was not in the text."""
        if self._is_held:
            self._has_changed = True
            return self._end_word() + " "
        self._word = self._word[-_CONTEXT_CHARS:]
        self._shown, self._run = len(self._word), 0
        return ""

    def _end_word(self) -> str:
        rest = ""
        if self._is_held:
            rest = self._disarm(self._word)[self._shown :]
            self._has_changed = self._has_changed or rest != self._word[self._shown :]
        self._word, self._shown, self._run, self._is_held = "", 0, 0, False
        return rest

    def _disarm(self, word: str) -> str:
        """Return a suspicious word with its unnamed addresses broken."""
        # A space after each named address that a client would let go on.
        ends = (last for _, last in self._find_named(word))
        open_ends = [at for at in ends if at > self._shown and not _AFTER.match(word, at)]
        word = _apply(word, {at: (at, " ") for at in open_ends})
        spans = self._find_named(word)
        changes: dict[int, tuple[int, str]] = {}  # where each begins: its end, what stands there

        def change(start: int, end: int, text: str) -> None:
            if not any(first <= start < last for first, last in spans):
                changes.setdefault(start, (end, text))

        find_away, find_end = _make_finder(_LEADS_AWAY, word), _make_finder(_TARGET_END, word)
        for target in _TARGET.finditer(word):
            start = target.end(2)
            end = find_end(start)
            is_away = find_away(start) < end
            if is_away and not self._is_target(target[1] + target[2], word[start:end]):
                change(target.end(), target.end(), " ")
        for tag in _TAG.finditer(word):
            is_link = any(first == tag.end() - 1 and word[last : last + 1] == ">"
                          for first, last in spans)  # fmt: skip
            if not is_link and not _PLAIN_TAG.match(word, tag.start()):
                change(tag.start() + 1, tag.start() + 1, " ")
        for entity in re.finditer(r"&[#\w]{1,31}+;", word):
            if _builds_address(entity[0]):
                change(entity.end() - 1, entity.end() - 1, " ")
        if _has_address(word.replace("\\", "")) or "//" in word.replace("\\", "/"):
            for escape in _ESCAPED.finditer(word):
                change(escape.end(), escape.end(), " ")
        self._break(word, spans, change)
        return _apply(word, changes)

    def _break(
        self, word: str, spans: list[tuple[int, int]], change: Callable[[int, int, str], None]
    ) -> None:
        """Put brackets around what makes text an address, and around each dot after that."""
        is_broken = False
        position = 0
        while broken := _BROKEN.search(word, position):
            span = next((item for item in spans if item[0] <= broken.start() < item[1]), None)
            if span is not None:
                position, is_broken = span[1], False
                continue
            position = max(broken.end(), position + 1)
            if broken[1] is None:
                if broken[0] != "." or is_broken:
                    for at in range(broken.start(), broken.end()):
                        change(at, at + 1, f"[{word[at]}]")
                    is_broken = True
                continue
            dots = [broken.start() + at for at, letter in enumerate(broken[1]) if letter == "."]
            if not is_broken and _is_host(broken[1], broken[2]):
                dots, is_broken = dots[1:], True
                if broken[2]:
                    change(broken.start(2), broken.start(2) + 1, f"[{broken[2][0]}]")
            for at in dots if is_broken else ():
                change(at, at + 1, "[.]")

    def _find_named(self, word: str) -> list[tuple[int, int]]:
        """Find the spans of named addresses in a word, none inside another."""
        spans: list[tuple[int, int]] = []
        position = tried = 0
        while tried < _MAX_TRIED and (start := _START.search(word, position)):
            position = start.end()
            tried += 1
            token = _TOKEN.match(word, start.start())
            ends = list_ends(token[0]) if token else ()
            named = next((end for end in ends if end and self._is_named(to_key(end))), None)
            if named is not None:
                position, tried = max(position, start.start() + len(named)), 0
                spans.append((start.start(), start.start() + len(named)))
        return spans

    def _is_target(self, opening: str, target: str) -> bool:
        """Whether a link's whole target is named."""
        if opening == "(":
            target, *_ = target.partition("](")
            target = target[: _find_closing(target)]
        return self._is_named(to_key(target))


async def disarm_text(text: str, links: LinkFilter | None) -> str:
    """Return a text with its untrusted links made unclickable.

    Without a filter, the text is unchanged.
    """
    if links is None:
        return text
    links.reset()
    return await links.pass_on(text) + links.finish()


async def disarm_message(message: Message, links: LinkFilter | None) -> Message:
    """Return a message with the untrusted links in its text made unclickable.

    Without a filter, the message is unchanged.
    """
    if links is None:
        return message
    links.reset()
    left = sum(part["type"] == "text" for part in message["parts"])
    parts: list[MessagePart] = []
    for part in message["parts"]:
        if part["type"] != "text":
            parts.append(part)
            continue
        left -= 1
        text = await links.pass_on(part["text"]) + ("" if left else links.finish())
        parts.append({**part, "text": text})
    return message if parts == message["parts"] else {**message, "parts": parts}


async def take_slices(text: str) -> AsyncGenerator[str]:
    """Yield the text in slices, letting other tasks run between them."""
    for start in range(0, len(text), SLICE_CHARS):
        if start:
            await asyncio.sleep(0)
        yield text[start : start + SLICE_CHARS]


def _make_finder(pattern: re.Pattern[str], word: str) -> Callable[[int], int]:
    """Make a function that finds the pattern from a position on, called from left to right."""
    at = -1

    def find(position: int) -> int:
        nonlocal at
        if at < position:
            match = pattern.search(word, position)
            at = match.start() if match else len(word)
        return at

    return find


def _find_closing(target: str) -> int:
    """Return the index of the bracket that closes a link's target; its length without one."""
    depth = 0
    for at, letter in enumerate(target):
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return at
    return len(target)


def _builds_address(entity: str) -> bool:
    r"""Whether the entity is a letter that an address may be made of.

    >>> _builds_address("&#58;"), _builds_address("&sol;"), _builds_address("&amp;")
    (True, True, False)
    """
    decoded = html.unescape(entity)
    return len(decoded) == 1 and (
        decoded in ":/.@?#=%-_" or (decoded.isascii() and decoded.isalnum())
    )


def _has_address(word: str) -> bool:
    return any(
        match[1] is None or _is_host(match[1], match[2])
        for match in _BROKEN.finditer(word)
        if match[0] != "."
    )


def _is_host(name: str, after: str = "") -> bool:
    """Whether clients link a name: its last label is no number; four numbers need a path."""
    if _NUMBERS.match(name):
        return bool(after) and name.count(".") == 3
    last = name.rpartition(".")[2]
    is_label = len(last) > 1 and not last[0].isdigit()
    return is_label and (bool(after) or name.count(".") > 1)


def _apply(word: str, changes: dict[int, tuple[int, str]]) -> str:
    pieces: list[str] = []
    position = 0
    for start in sorted(changes):
        end, text = changes[start]
        if start >= position:
            pieces += (word[position:start], text)
            position = end
    return "".join((*pieces, word[position:]))
