"""A sentence cut into parts by a phrasebook: every word is part of one, or there is no cut."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from ....intents.lexicon import Lexicon
from ....intents.measures import list_bounds, parse_period
from ....intents.reading import Reading
from ....intents.sentence import Sentence
from ....intents.tokens import Token
from .phrasebook import Phrasebook
from .towns import MAX_TOWN_WORDS, is_town

MAX_NAME_WORDS: Final = 5
MAX_SMALL_WORDS: Final = 3
_MIN_AMOUNT: Final = 10_000  # no number of a name's own: "Atlas 3000"
_MARKS: Final = frozenset(",.;:!?¿¡()-–—…/")
_UNMARKED: Final = frozenset({"status", "open", "know", "person", "skip"})
_SMALL_TAGS: Final = frozenset({"skip", "me", "own", "they", "that"})
_LEADING: Final = frozenset({"leading", "at", "in", "from", "of", "as", "the"})
_BEFORE_OTHERS: Final = frozenset({"at", "person", "mister", "contact"})
_COUNTED: Final = frozenset({"last", "top", "ones", "single"})
_IN_TRADES: Final = frozenset({"person", "value status>=applied", "skip", "stored", "finite"})
_BEFORE_TOWNS: Final = frozenset(
    [
        "noun jobs",
        "trade",
        "value status=saved",
        *(f"value remote_type={kind}" for kind in ("onsite", "hybrid", "remote")),
    ]
)


@dataclass(frozen=True, slots=True)
class Part:
    """Some words and what they say: tags of the phrasebook, or `name`, `number`, `mark` …"""

    tags: frozenset[str]
    end: int
    text: str = ""  # of a name, as written
    words: tuple[str, ...] = ()
    is_place: bool = False
    is_trade: bool = False
    is_firm: bool = False
    has_capital: bool = False
    is_kind: bool = False  # written small, in the plural: "startups"
    number: int = 0
    bound: tuple[str, int] | None = None  # "gte", 50_000
    period: tuple[str, str] | None = None


def cut(text: str, tokens: list[Token], lexicon: Lexicon, book: Phrasebook) -> list[Part] | None:
    """The parts, each as long as may be; None: a word is in none of them."""
    cutter = Cutter(text, tokens, lexicon, book)
    parts: list[Part] = []
    i = 0
    while i < len(tokens):
        part = cutter.find_part(i, parts[-1].tags if parts else frozenset())
        if part is None:
            return None
        parts.append(part)
        i = part.end
    return parts


class Cutter:
    def __init__(self, text: str, tokens: list[Token], lexicon: Lexicon, book: Phrasebook) -> None:
        self._text = text
        self._tokens, self.book, self._language = tokens, book, book.language
        self._words = tuple(token.folded for token in tokens)
        self._sentence = Sentence(tokens, lexicon, book.language)
        written = [t for t in tokens if t.kind == "word" and t.text not in ("", "I")]
        begins_small = bool(written) and written[0].text[0].islower()
        first = next((token for token in tokens if token.kind != "mark"), None)
        if first and written[:1] == [first] and first.text[0].isupper():
            written = written[1:]
        words = [t.text for t in tokens if t.kind == "word" and t.text]
        self._writes_capitals = any(text[0].isupper() and text != "I" for text in words[1:])
        small = [token.text for token in written if token.text[:1].islower()]
        is_mixed = begins_small or len(small) * 2 >= len(written) or any(len(t) > 3 for t in small)
        self.has_capitals = is_mixed and not self._language.nouns_have_capitals

    def find_part(self, i: int, before: frozenset[str]) -> Part | None:
        token = self._tokens[i]
        if token.kind == "mark":
            return Part(frozenset({"mark"}), i + 1) if token.folded in _MARKS else None
        if token.kind == "quoted" or token.is_id or self._is_abbreviation(i):
            return None
        if "mister" in before and (name := self._find_noble(i)):
            return name
        phrase = self.find_phrase(i)
        if phrase and "mister" in phrase.tags:
            if self._is_proper(i + 1):
                return phrase
            if self.book.is_trade(self._words[i : phrase.end]) and not self._names_at(phrase.end):
                return self._make_name(i, phrase.end)  # "puestos de ingeniero"
        if town := self._find_town(i, before):
            return town
        if phrase is None and self._is_proper(i) and not self._is_proper(i + 1):
            if trade := self._find_trade(i, before):  # "TIG welder"
                return trade
        if self._is_proper(i) and (before & _LEADING or self._is_proper(i + 1)):
            named = ("noun", "value", "job", "contact")
            is_noun = phrase and any(tag.startswith(named) for tag in phrase.tags)
            is_value = phrase and any(tag.startswith("value") for tag in phrase.tags)
            if is_value or (is_noun and (self._is_proper(i + 1) or self._is_proper(i - 1))):
                return None  # "Applied Materials"
            if not is_noun and not self.find_measure(i) and (name := self._find_name(i, before)):
                return name
        measure, place = self.find_measure(i), self.find_place(i)
        found = [part for part in (phrase, measure, place) if part]
        if found:
            return max(found, key=lambda part: part.end)
        return self._find_trade(i, before) or self._find_name(i, before)

    def find_phrase(self, i: int) -> Part | None:
        for length in self.book.lengths.get(self._words[i], ()):
            words = self._words[i : i + length]
            tags = self.book.phrases.get(words)
            is_torn = self._is_torn(i, length) or self._names_after(i, length)
            if tags is not None and not is_torn:
                if any(tag in ("own", "yes", "any", "role", "count") for tag in tags):
                    return Part(frozenset(tags), i + length)
                leads = {"leading"} if words[-1] in self.book.leads_to_names else set[str]()
                return Part(frozenset(tags).union(leads, self._list_marks(words, tags)), i + length)
        return None

    def _is_abbreviation(self, i: int) -> bool:
        """Whether capitals make a name of a small word: "how many IT jobs", "my US jobs"."""
        text, tags = self._tokens[i].text, self.book.phrases.get(self._words[i : i + 1], ())
        is_small = not _SMALL_TAGS.isdisjoint(tags)
        return i > 0 and len(text) == 2 and text.isupper() and self.has_capitals and is_small

    def _list_marks(self, words: tuple[str, ...], tags: tuple[str, ...]) -> frozenset[str]:
        """What the words of a phrase tell that has not a meaning of its own."""
        if not _UNMARKED.isdisjoint(tags):
            return frozenset()
        marks = frozenset[str]().union(*(self.book.marks.get(word, ()) for word in words))
        has_value = any(tag.startswith("value ") for tag in tags)
        return marks if has_value else marks - {"me"}

    def _is_torn(self, i: int, length: int) -> bool:
        """Whether its last word begins an amount: "pagan más" of "pagan más de 30"."""
        end = i + length
        bounds = list_bounds(self._sentence, end - 1) if length > 1 else ()
        return any(after > end for after, *_ in bounds)

    def _names_after(self, i: int, length: int) -> bool:
        """Whether its last word begins a name, by its capital: "à La" of "à La Rochelle"."""
        end = i + length
        if length < 2 or end >= len(self._tokens) or not self._writes_capitals:
            return False
        last = self._tokens[end - 1]
        is_article = "the" in self.book.phrases.get(self._words[end - 1 : end], ())
        return is_article and last.text.istitle() and self._tokens[end].text[:1].isupper() and i > 0

    def find_measure(self, i: int) -> Part | None:
        """A time, an amount, a number; the longest."""
        found = [
            Part(frozenset({"period"}), end, period=reading.period)
            for end, reading in parse_period(self._sentence, (i, Reading()))
        ]
        found += [self._make_bound(*bound) for bound in list_bounds(self._sentence, i)]
        if number := self._sentence.get_number(i):
            found.append(Part(frozenset({"number"}), i + 1, number=number))
        return max(found, key=lambda part: part.end, default=None)

    def _make_bound(self, end: int, op: str, number: int, shift: int) -> Part:
        """The amount that ends before `end`; shift: 1 for more than it, -1 for less."""
        if number < 1000 and end < len(self._words) and "thousands" in self.list_tags(end):
            number, end = number * 1000, end + 1  # "30 mil"
        return Part(frozenset({"bound"}), end, bound=(op, number + shift))

    def _ends_name(self, i: int, *, is_long: bool) -> bool:
        """Whether a number before `i` is a name's own: "Kita Wirbelwind 7 beworben"."""
        if self._tokens[i].kind == "mark":
            return True
        tags = self.list_tags(i)
        is_counted = any(tag.startswith(("noun", "order")) for tag in tags)
        return is_long and bool(tags) and not is_counted and tags.isdisjoint(_COUNTED)

    def list_tags(self, i: int) -> frozenset[str]:
        phrase = self.find_phrase(i)
        return phrase.tags if phrase else frozenset()

    def find_place(self, i: int) -> Part | None:
        if self._words[i] in self.book.unnamed and self._tokens[i].text.islower():
            return None  # "combien de tours"
        ends = [
            i + len(words)
            for words in self.book.places_by_word.get(self._words[i], ())
            if self._words[i : i + len(words)] == words
        ]
        return self._make_name(i, max(ends)) if ends else None

    def _find_town(self, i: int, before: frozenset[str]) -> Part | None:
        """The town that is named where only a place can stand: "jobs in Stoke-on-Trent"."""
        first = self._tokens[i].text
        is_after_in = "in" in before and "of" not in before
        is_after_in = is_after_in or (i > 0 and "one" in before and self._is_in(i - 1))
        if not is_after_in and not (before & _BEFORE_TOWNS and first[:1].isupper()):
            return None
        is_small = first[:1].islower()
        if is_small and (self._writes_capitals or self._words[i] in self.book.unnamed):
            return None
        shortest = i + 1 if self.find_phrase(i) is None else i + 2  # "Stelle" is one, too
        for end in range(min(len(self._tokens), i + MAX_TOWN_WORDS), shortest - 1, -1):
            run = self._tokens[i:end]
            goes_on = self._words[end : end + 1] == ("&",) or self._is_proper(end)
            is_written = run[-1].kind == "word" and all(
                token.kind == "word" or token.folded == "." for token in run
            )
            if is_written and not goes_on and is_town(self._write(i, end)):
                return replace(self._make_name(i, end), is_place=True)
        return None

    def _is_in(self, i: int) -> bool:
        """Whether the word says where: the last one of "job in", too."""
        return "in" in self.book.phrases.get(self._words[i : i + 1], ())

    def _find_trade(self, i: int, before: frozenset[str]) -> Part | None:
        """What someone works as, and which: "staff nurse", "mozo de almacén"."""
        if before & _BEFORE_OTHERS and not before & {"as", "in"}:
            return None  # "bei Bäcker Müller", "telefonnummer thomas weber"
        if self._language.adjectives_follow:
            if not self._words[i] or not self.book.is_trade(self._words[i : i + 1]):
                return None
            return self._make_name(i, self._extend_trade(i + 1))
        longest = 0
        for end in range(i + 1, min(len(self._words), i + MAX_SMALL_WORDS) + 1):
            if self.find_phrase(end - 1) is None and self.book.is_trade(self._words[i:end]):
                longest = end
            elif not self._qualifies_trade(end - 1):
                break
        return self._make_name(i, longest) if longest else None

    def _extend_trade(self, end: int) -> int:
        """Where a trade ends that tells which behind it: "diseñadora gráfica", "chef de rang"."""
        if self._qualifies_trade(end):
            word = self._words[end]
            if self._language.is_plural(word) or word.endswith(self.book.verb_endings):
                return end
            end += 1
        after = end
        while after < len(self._words) and self._words[after] in self.book.joining:
            after += 1
        has_article = "the" in self.book.phrases.get(self._words[end : end + 1], ())
        if after == end or has_article or not self._qualifies_trade(after, is_joined=True):
            return end
        return after + 1 + self._qualifies_trade(after + 1)  # "éducatrice de jeunes enfants"

    def _qualifies_trade(self, i: int, *, is_joined: bool = False) -> bool:
        """Whether a word tells which trade, and nothing else that is known."""
        if i >= len(self._tokens) or self._tokens[i].kind != "word":
            return False
        word, text = self._words[i], self._tokens[i].text
        if word in self.book.trades or word in self.book.branches:
            return True
        is_plain = text.islower() and text.isalpha() and word not in self.book.unnamed
        phrase = self.find_phrase(i)
        if is_joined and phrase and phrase.end == i + 1 and phrase.tags <= _IN_TRADES:
            phrase = None  # "chef de partie", "analista de datos"
        return is_plain and not (phrase or self.find_measure(i) or self.find_place(i))

    # names

    def _find_name(self, i: int, before: frozenset[str]) -> Part | None:
        end, is_proper = i, self._is_proper(i)
        while end < len(self._tokens) and end - i < MAX_NAME_WORDS:
            if self._may_name(end) and (end == i or self._is_proper(end) == is_proper):
                end += 1
            elif end > i and (after := self._join(i, end, before)):
                end = after
            else:
                break
        own = sum(word not in self.book.joining for word in self._words[i:end])
        is_long = own > MAX_SMALL_WORDS and not (is_proper or self._is_capital(i))
        if end == i or is_long:
            return None
        return self._make_name(i, end)

    def _find_noble(self, i: int) -> Part | None:
        """The name after "Herrn" that begins with "von"."""
        end = i
        while end < len(self._words) and self._words[end] in self.book.particles:
            end += 1
        is_name = i < end < len(self._words) and self._tokens[end].text[:1].isupper()
        return self._make_name(i, end + 1) if is_name else None

    def _join(self, start: int, i: int, before: frozenset[str]) -> int:
        """The end of what a name goes on with at `i`: "chef de rang", "Jean de La Roche".

        0: it ends there, as in "comptable de Lyon". "Atlas 3000" goes on, "Acme 5 derniers" not.
        """
        words, joints = self._words, self.book.joining
        follows = i + 1 < len(words)
        if self._tokens[i].kind == "number":
            is_within = self._is_proper(start) and self._is_proper(i + 1)
            is_within |= "at" in before and self._is_capital(start) and self._is_capital(i + 1)
            if is_within:
                return i + 2 if self.find_phrase(i + 1) is None else 0  # "Talleres 2 Hermanos"
            is_long = i - start > 1 or bool(before & {"at", "leading"})
            is_last = not follows or self._ends_name(i + 1, is_long=is_long)
            number = self._sentence.get_number(i) or 0
            is_amount = number >= _MIN_AMOUNT or 1990 <= number <= 2100
            before_name = before & (_LEADING | {"status", "pay"})
            is_version = "." in self._tokens[i].text and not number  # "Prüfwerk 4.0"
            is_own = is_last and (number or is_version) and not is_amount
            return i + 1 if is_own and (self._is_proper(start) or before_name) else 0
        if follows and words[i + 1] in self.book.kin:
            return i + 2 if words[i] == "&" or "and" in self.list_tags(i) else 0
        if words[i] == "," and words[i + 2 : i + 3] == ("&",) and self._is_capital(i + 1):
            return i + 4 if i + 3 < len(words) else 0  # "Hollis, Vane & Sons"
        if words[i] == "&" and follows and self._tokens[i + 1].kind == "number":
            return i + 3 if self._names_at(i + 2) else 0  # "Pike & 3 Sons"
        if words[i] == "." and len(words[i - 1]) < 5 and self._is_capital(start):
            return i + 2 if self._is_capital(i + 1) else 0  # "St. Paul", "Gebr. Thiel"
        is_person = bool(before & {"person", "work"})
        if self._is_proper(start) or is_person:
            joints |= self.book.particles
        after = i
        while after < len(words) and words[after] in joints and not self._is_proper(after):
            after += 1
        if after > i and self._is_proper(start) and self._is_proper(after + 1):
            if self._tokens[after].kind == "number":
                return after + 2  # "Hôtel des 4 Vents"
        if after in (i, len(words)) or not self._may_name(after):
            return 0
        if words[i] == "&":
            return after + 1
        if self._language.nouns_have_capitals and "at" in before and self._is_capital(start):
            is_name = self._is_capital(after) and not self.find_measure(after)
            return after + 1 if is_name else 0  # "Klinik am Weiher"
        is_one = self._is_proper(start) or is_person or self.book.is_trade(words[start:i])
        fits = is_one and self._is_proper(start) == self._is_proper(after)
        return after + 1 if fits and not self.find_place(after) else 0

    def _names_at(self, i: int) -> bool:
        return i < len(self._tokens) and self._may_name(i)

    def _is_proper(self, i: int) -> bool:
        """Written with a capital where that means something."""
        if not self.has_capitals or i >= len(self._tokens):
            return False
        token = self._tokens[i]
        if token.kind != "word" or not (token.text[:1].isupper() or token.text[:1].isdigit()):
            return False
        if i == 0 and (self._words[0] in self.book.lengths or self._words[0] in self.book.unnamed):
            return False
        return i > 0 or token.text.isupper() or self._is_proper(1)

    def _is_capital(self, i: int) -> bool:
        return i < len(self._tokens) and self._tokens[i].text[:1].isupper()

    def _may_name(self, i: int) -> bool:
        token, word = self._tokens[i], self._words[i]
        stem = next(
            (word.removesuffix(e) for e in self._language.possessives if word.endswith(e)), word
        )
        if stem != word and (stem in self.book.lengths or stem in self.book.unnamed):
            return False
        if token.kind != "word" or not any(map(str.isalpha, token.text)) or len(token.text) < 2:
            return False
        if self._is_proper(i) or word in self.book.trades:
            return True
        if token.text[:1].islower() and self._writes_capitals:
            return False  # others are written with one
        if self.find_phrase(i) or self.find_measure(i):
            return False
        endings = (*self._language.vague_endings, *self.book.not_endings)
        is_vague = token.text.islower() and word.endswith(endings)
        return word not in self.book.unnamed and not is_vague

    def _write(self, start: int, end: int) -> str:
        """As it was written: a hyphen may be a name's own, and "du" is one word."""
        texts = [token.text for token in self._tokens[start:end]]
        pieces = (re.escape(text) if text else r"(?:\w+['’]?)?" for text in texts)
        found = re.search(r"[\s-]*".join(pieces), self._text)
        return found[0] if found else " ".join(texts)

    def _make_name(self, start: int, end: int) -> Part:
        text = self._write(start, end)
        words = self._words[start:end]
        tags = {"name", "trade"} if self.book.is_trade(words) else {"name"}
        for ending in self._language.possessives:
            if text.endswith(ending) and "whose" not in tags:
                words = (*words[:-1], words[-1].removesuffix(ending))
                tags.add("whose")
        return Part(
            frozenset(tags),
            end,
            text,
            words,
            is_place=words in self.book.folded_places,
            is_trade=self.book.is_trade(words),
            is_firm=not self.book.firm_words.isdisjoint(words) or any(map(str.isdigit, text)),
            has_capital=self._tokens[start].text[:1].isupper(),
            is_kind=text.islower() and self._language.is_plural(words[-1]),
        )
