"""A request beside which something else is said: "which jobs pay over 75k, rent just went up"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....intents.lexicon import Lexicon
from ....intents.tokens import Token, split_tokens
from .cutting import Cutter
from .phrasebook import Phrasebook
from .said import ASKING, NAMING, QUIET

MAX_ASIDE_WORDS: Final = 10
MIN_TOLD_WORDS: Final = 3  # before a request, and behind a question; less may be half of one
_PARTED: Final = re.compile(r"(?<=[?!.…])\s+|[,;:]\s+|\s+[-–—]+\s+|\.{2,}\s*|…\s*")
_BUT: Final = re.compile(r"(?:but|aber|mais|pero)\s+", re.I)  # "sorry, but …"
_MEANT: Final = ("noun ", "value ", "order ")
_ASKING: Final = ASKING | {"count", "often"}
_ROWS: Final = frozenset({"whole", "ones", "stored", "last", "top"})
_OF_ROWS: Final = (_ASKING - {"they", "yes", "any"}) | _ROWS
_LISTS: Final = frozenset({"list"})  # of what is said behind a request
_SKIPPED: Final = frozenset({"skip"})


def has_parts(text: str, book: Phrasebook) -> bool:
    """Whether something may be said beside something else: most sentences are one part."""
    joints = filter(None, (_PARTED, book.connecting))
    return any(joint.search(text) for joint in joints)


def list_requests(text: str, lexicon: Lexicon, book: Phrasebook) -> Iterator[str]:
    """What is left of the text without asides, if there are any; the longest first.

    An aside begins like one, or has a verb of `Phrasebook.aside_verbs`, or is a sentence before
    the request or behind a question; it has no word of `turns` and says nothing of rows. Behind
    what is only called by its name ("all my jobs, it wears me out") it has to tell that somebody
    asks.
    """
    marks = [*_PARTED.finditer(text)]
    if book.connecting and (joint := book.connecting.search(text)):
        marks = sorted([joint, *(m for m in marks if not _overlap(m, joint))], key=_get_start)
    starts = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(text)]
    last = len(starts) - 1
    for first, end in ((0, last - 1), (1, last), (1, last - 1), (0, 0), (last, last)):
        if not 0 <= first <= end <= last or end - first == last:
            continue
        asides = [
            _read_aside(
                text[starts[i] : ends[i]],
                lexicon,
                book,
                leads=i < first,
                follows=i > end and "?" in text[ends[end] : starts[end + 1]] + text[ends[end] - 1],
            )
            for i in range(last + 1)
            if not first <= i <= end
        ]
        request = text[starts[first] : ends[end]]
        if first and (but := _BUT.match(request)):
            request = request[but.end() :]
        is_led = end == last and first > 0
        if None not in asides and (any(asides) or is_led or _asks(request, lexicon, book)):
            yield request


def _list_words(cutter: Cutter, tokens: list[Token]) -> list[str]:
    """The words that are no mere courtesy."""
    words: list[str] = []
    i = 0
    while i < len(tokens):
        phrase = cutter.find_phrase(i)
        if phrase is not None and (phrase.tags <= QUIET or "skip" in phrase.tags):
            i = phrase.end
            continue
        words.append(tokens[i].folded)
        i += 1
    return words


def _overlap(one: re.Match[str], other: re.Match[str]) -> bool:
    return one.start() < other.end() and other.start() < one.end()


def _get_start(mark: re.Match[str]) -> int:
    return mark.start()


def _read_aside(
    text: str, lexicon: Lexicon, book: Phrasebook, *, leads: bool, follows: bool
) -> bool | None:
    """Whether it is one beside any request, or only where one asks; None: it is no aside.

    leads: it is said before the request, where little can change it. follows: after a question.
    """
    if _begins_as_aside(text, book):
        return True
    tokens = split_tokens(text, book.language)
    if not tokens or len(tokens) > MAX_ASIDE_WORDS or text.rstrip().endswith("?"):
        return None
    cutter = Cutter(text, tokens, lexicon, book)
    words = _list_words(cutter, tokens)
    if not words:
        return False  # "many thanks"
    is_own = tokens[0].folded in book.folded_aside_verbs  # "bin noch nicht wach"
    may_turn = not (leads or is_own)
    turns = book.folded_turns | (book.folded_afterthoughts if may_turn else frozenset[str]())
    if not turns.isdisjoint(words):
        return None
    telling_verbs = book.folded_aside_verbs & {token.folded for token in tokens}
    is_sentence = (leads or follows) and len(words) >= MIN_TOLD_WORDS - leads
    if not (is_sentence or telling_verbs):
        return None
    relative = cutter.list_tags(0)
    if relative & NAMING and len(tokens) > 1:
        relative |= cutter.list_tags(1)
    is_asking = not book.folded_asking_verbs.isdisjoint(words)
    telling = frozenset[str]() if is_asking else _ROWS if leads or follows else _OF_ROWS
    is_clause = {token.folded for token in tokens[1:2]} & book.folded_aside_verbs
    if "that" in relative and is_clause and not leads:
        relative -= {"that"}  # "…, que estoy haciendo cuentas"
    is_other = ("they" if leads else "that") in relative  # "has Acme seen", "which are remote"
    if is_other or any(_is_of_rows(cutter, tokens, i, telling) for i in range(len(tokens))):
        return None
    return is_asking


def _begins_as_aside(clause: str, book: Phrasebook) -> bool:
    """Whether it begins like one and tells nothing of rows: no name, no status, no other wish."""
    words = book.language.split(re.sub(r"[()¡¿!?.,…]", " ", book.part(clause)))
    lengths = [n for n in range(1, len(words) + 1) if words[:n] in book.folded_asides]
    if not lengths or len(words) > MAX_ASIDE_WORDS:
        return False
    head, rest = words[: lengths[-1]], words[lengths[-1] :]
    capitals = {word for word in clause.split()[1:] if word[:1].isupper()}
    has_name = not set(map(book.language.fold, capitals)) <= set(head)
    return not has_name and book.weighty.isdisjoint(rest)


def _is_of_rows(cutter: Cutter, tokens: list[Token], i: int, telling: frozenset[str]) -> bool:
    token, tags = tokens[i], cutter.list_tags(i)
    is_name = i > 0 and token.text[:1].isupper() and token.text != "I" and cutter.has_capitals
    if i > 0 and "own" in cutter.list_tags(i - 1):
        tags -= {"show"}  # "je sors de garde"
    is_meant = any(tag.startswith(_MEANT) for tag in tags) or bool(tags & telling)
    is_time = token.kind == "number" and tokens[i + 1 : i + 2] and _is_unit(tokens[i + 1])
    is_other = (token.kind in ("number", "quoted") and not is_time) or (
        telling >= _LISTS and token.folded in cutter.book.folded_trades
    )
    return is_name or is_meant or is_other or bool(cutter.find_measure(i) or cutter.find_place(i))


def _is_unit(token: Token) -> bool:
    """Of time: "in 5 min"."""
    return token.folded.startswith(("min", "hour", "stund", "heure", "hora"))


def _asks(text: str, lexicon: Lexicon, book: Phrasebook) -> bool:
    """Whether it begins with what asks, or has a word that nothing but a question has."""
    tokens = split_tokens(text, book.language) or []
    cutter = Cutter(text, tokens, lexicon, book)
    if any("asks" in cutter.list_tags(i) for i in range(len(tokens))):
        return True
    i = 0
    while i < len(tokens):
        phrase = cutter.find_phrase(i)
        if phrase is None or not phrase.tags <= _SKIPPED:
            return phrase is not None and bool(phrase.tags & _ASKING or text.endswith("?"))
        i = phrase.end
    return False
