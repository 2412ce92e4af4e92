"""A clause beside a request: what tells why somebody asks, and changes nothing."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from ....intents.lexicon import Lexicon
from ....intents.tokens import split_tokens
from .cutting import Cutter
from .phrasebook import Phrasebook
from .said import ASKING, NAMING, QUIET

MAX_ASIDE_WORDS: Final = 14
MAX_LEADING_WORDS: Final = 30
MIN_TOLD_WORDS: Final = 3  # before a request, and behind a question; less may be half of one
MAX_SUBJECT_WORDS: Final = 4
MAX_OPENING_WORDS: Final = 4
MAX_NAMING_WORDS: Final = 3
MAX_COURTEOUS_WORDS: Final = 6
_MEANT: Final = ("noun ", "value ", "order ")
_DETERMINERS: Final = frozenset({"the", "mine", "a"})
_ROWS: Final = frozenset({"whole", "ones", "stored", "last", "top"})
_OF_ROWS: Final = ((ASKING | {"count", "often"}) - {"they", "yes", "any"}) | _ROWS
_DRAWN_OUT: Final = re.compile(r"([a-zà-ÿ])\1{2,}")  # "merciii"
_SHOWING: Final = frozenset({"list", "show", "sort"})
_LISTS: Final = frozenset({"list"})  # of what is said behind a request


class Clause:
    """It begins like an aside, or tells of who asks or of somebody's own things, or is a sentence
    before the request or behind a question; it tells nobody to do anything and says nothing of
    rows.

    leads: it is said before the request, where little can change it. follows: after a question.
    """

    def __init__(
        self, text: str, lexicon: Lexicon, book: Phrasebook, *, leads: bool, follows: bool
    ) -> None:
        text = _DRAWN_OUT.sub(r"\1", book.part(text))
        self._text, self._book, self._beside = text, book, book.beside
        self._leads, self._follows = leads, follows
        tokens = split_tokens(text, book.language)
        self._is_sentence, self._tokens = tokens is not None, tokens or []
        self._words = [token.folded for token in self._tokens]
        self._cutter = Cutter(text, self._tokens, lexicon, book)

    def read(self) -> bool | None:
        """Whether it is an aside of any request, or only of one that asks; None: it is none."""
        if self._begins_as_aside():
            return True
        if not self._is_sentence:
            return None
        if not self._telling:
            return False  # "many thanks"
        longest = MAX_LEADING_WORDS if self._leads else MAX_ASIDE_WORDS
        if len(self._words) > longest or self._text.rstrip().endswith("?"):
            return None
        if self._narrows() or any(map(self._turns, self._telling)):
            return None
        if not self._is_told() or self._is_relative():
            return None
        if any(self._is_of_rows(i, self._told_of_rows) for i in self._telling):
            return None
        return self.is_asking

    @cached_property
    def _told_of_rows(self) -> frozenset[str]:
        """Tags that say something of rows in such a clause."""
        is_own = self.is_own and not self._is_wish
        if self.is_asking or (self._leads and (is_own or self._has_subject)):
            return frozenset()
        is_beside = self._leads or self._follows or self._has_subject or is_own
        return _ROWS if is_beside else _OF_ROWS

    def _begins_as_aside(self) -> bool:
        """Whether it begins like one and tells nothing of rows: no name, no status, no wish."""
        book = self._book
        words = book.language.split(re.sub(r"[()¡¿!?.,…]", " ", self._text))
        lengths = [n for n in range(1, len(words) + 1) if words[:n] in book.openings]
        if not lengths or len(words) > MAX_ASIDE_WORDS:
            return False
        head, rest = words[: lengths[-1]], words[lengths[-1] :]
        capitals = {word for word in self._text.split()[1:] if word[:1].isupper()}
        has_name = not set(map(book.language.fold, capitals)) <= set(head)
        return not has_name and book.weighty.isdisjoint(rest)

    @cached_property
    def _telling(self) -> list[int]:
        """Where the words are that are no mere courtesy."""
        places: list[int] = []
        i = 0
        while i < len(self._words):
            phrase = self._cutter.find_phrase(i)
            is_quiet = phrase and (phrase.tags <= QUIET or "skip" in phrase.tags)
            if phrase and is_quiet and "ornot" not in phrase.tags:
                i = phrase.end
                continue
            places.append(i)
            i += 1
        return places

    @cached_property
    def is_asking(self) -> bool:
        return not self._beside.asking_verbs.isdisjoint(self._words)

    @cached_property
    def is_own(self) -> bool:
        """Whether somebody tells of himself: "bin noch nicht wach"."""
        opening = self._words if self._leads else self._words[:MAX_OPENING_WORDS]
        return not self._beside.own_words.isdisjoint(opening)

    @cached_property
    def _is_wish(self) -> bool:
        return not self._beside.wishes.isdisjoint(self._words)

    def _narrows(self) -> bool:
        """Whether it tells when, or of whom: "before the summer", "for my brother"."""
        return not self._beside.frames.isdisjoint({self._words[0], self._words[self._telling[0]]})

    @cached_property
    def _start(self) -> int:
        """Where it begins behind what gives a reason: "because", "que"."""
        return int(self._words[0] in self._beside.reasons)

    @cached_property
    def _has_subject(self) -> bool:
        """Whether it tells of a thing of its own, no row: "the rent went up"."""
        i, language = self._start, self._book.language
        if self._words[0].endswith(language.possessives) and self._text[:1].islower():
            return True  # "rent's going up"
        if i + 1 >= len(self._words) or not self._cutter.list_tags(i) & _DETERMINERS:
            return False
        tags = self._cutter.list_tags(i + 1)
        is_row = any(tag.startswith(_MEANT) for tag in tags) or bool(
            tags & (_OF_ROWS - {"person"} | {"job", "contact"})
        )
        follows = self._words[i + 2 : i + 2 + MAX_SUBJECT_WORDS]
        return not (is_row or self._beside.telling_verbs.isdisjoint(follows))

    def _turns(self, i: int) -> bool:
        """Whether the word makes another request of it."""
        beside, word = self._beside, self._words[i]
        is_deed = word in beside.deeds or word in beside.calls
        if is_deed or word.endswith(self._book.not_endings):
            return self._is_to_be_done(i)
        if i == 0 and (self._has_subject or self.is_asking or (self._start and self.is_own)):
            return False  # "die Miete steigt", "because I am broke"
        if i == self._telling[0] and not self.is_own and self._cutter.list_tags(i) & _SHOWING:
            return True  # "sort out a new contact"
        if word in beside.told:
            return not (self._leads or self.is_asking)
        if word in beside.afterthoughts:
            if self._leads:  # "I want something nice"
                return self._is_wish and word not in beside.frames
            return not (self.is_own or self._has_subject)
        return word in beside.turns

    def _is_to_be_done(self, i: int) -> bool:
        """Whether a verb tells to do something, and does not tell what somebody does anyway."""
        is_call = self._words[i] in self._beside.calls
        tags = self._cutter.list_tags(i - 1) if i else frozenset[str]()
        if "and" in tags:
            return True
        if self.is_own:
            return self._is_wish and not is_call
        if self._leads:
            is_led = i > 0 and self._words[i - 1] in self._beside.told  # "you can delete"
            return is_led or i in (self._telling[0], len(self._words) - 1)
        if self._follows and is_call:
            return i == 0  # "what's her number? She tried to call"
        return i == 0 or not tags & _DETERMINERS

    def _is_told(self) -> bool:
        """Whether it has a verb that tells, or is a sentence where one is expected."""
        is_name = all(self._tokens[i].text[:1].isupper() for i in self._telling)
        is_short = len(self._words) <= MAX_NAMING_WORDS
        is_thing = is_short and self._cutter.list_tags(0) & {"the", "mine"}  # "my brother: …"
        if (self._leads or self._follows) and not (is_name or is_thing):
            if len(self._telling) >= MIN_TOLD_WORDS - self._leads:
                return True
        is_brief = len(self._words) <= MAX_COURTEOUS_WORDS
        if is_brief and self._words[0] in self._beside.courtesies:
            return True  # "thanks for earlier"
        is_of_somebody = self.is_own or self._has_subject
        return is_of_somebody or not self._beside.telling_verbs.isdisjoint(self._words)

    def _is_relative(self) -> bool:
        """Whether it goes on about what was said: "has Acme seen", "which are remote"."""
        first = self._cutter.find_phrase(0)
        is_inverted = first and "yes" in first.tags and first.end > 1
        if self._leads and is_inverted and not self._book.language.adjectives_follow:
            return True  # "hab ich dir nicht gesagt, …"
        tags = first.tags if first else frozenset[str]()
        if tags & NAMING and len(self._words) > 1:
            tags |= self._cutter.list_tags(1)
        if self._leads:
            return "they" in tags and not (self.is_own or self._start)
        is_clause = self._words[1:2] and self._words[1] in self._beside.telling_verbs
        return "that" in tags and not (is_clause or self._has_subject or self._has_object())

    def _has_object(self) -> bool:
        """Whether one's own verb has its object, so that "que" gives a reason: "que no aguanto el
        metro".
        """
        return self.is_own and any(
            self._cutter.list_tags(i) & _DETERMINERS for i in range(2, len(self._words))
        )

    def _is_of_rows(self, i: int, telling: frozenset[str]) -> bool:
        token, tags = self._tokens[i], self._cutter.list_tags(i)
        if "skip" in tags or token.folded in self._beside.familiar:
            return False
        is_name = i > 0 and token.text[:1].isupper() and token.text != "I"
        if i > 0 and "own" in self._cutter.list_tags(i - 1):
            tags -= {"show"}  # "je sors de garde"
        if i == 0 and self.is_own:
            tags -= {"show"}  # "need cheering up"
        if any(tag.startswith(_MEANT) for tag in tags) or tags & telling:
            return True
        if self._is_time(i):
            return False
        is_other = token.kind in ("number", "quoted") or (
            telling >= _LISTS and token.folded in self._book.trades
        )
        is_name = is_name and self._cutter.has_capitals
        return (
            is_name or is_other or bool(self._cutter.find_measure(i) or self._cutter.find_place(i))
        )

    def _is_time(self, i: int) -> bool:
        """How long something takes, "in 5 min"; before a request any number that somebody tells of
        himself, and what happens today.
        """
        found = self._cutter.find_measure(i)
        if self._tokens[i].value is not None:
            is_told = found is not None and found.number and not self._told_of_rows
            follows = "".join(self._words[i + 1 : i + 2])
            return bool(is_told) or follows.startswith(self._beside.units)
        is_today = found is not None and found.period == ("in", "today")
        return is_today and self._leads and len(self._telling) >= MIN_TOLD_WORDS
