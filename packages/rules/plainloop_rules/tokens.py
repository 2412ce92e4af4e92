"""A user's sentence as tokens. Knows punctuation and quotes, no grammar and no domain."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal

from plainloop.agent.base.caching.functions import cached_if_short
from plainloop.agent.dataclasses import dataclass, replace

from .language import Language

TokenKind = Literal["word", "number", "quoted", "mark"]

_APOSTROPHES: Final = str.maketrans("‘’ʼ′＇`´", "'''''''")
_DASHES: Final = str.maketrans("‐‑‒", "---")
_QUOTED: Final = (
    r"“(?P<q1>[^“”\"]+)”|\"(?P<q2>[^\"]+)\"|«(?P<q3>[^«»]+)»|(?<!\w)'(?P<q4>[^']+)'(?!\w)"
    r"|„(?P<q5>[^„“”\"]+)[“”]"
)
_POINT_NUMBER: Final = r"[#$€£]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?[kK]?(?!\w|\.\d|-[A-Z])"
_COMMA_NUMBER: Final = r"[#$€£]?(?:\d{1,3}(?:[. ]\d{3})+|\d+)(?:,\d+)?[kK]?(?!\w|[.,]\d|-[A-Z])"
_WORD: Final = r"[^\W_](?:[\w.+@&'\-]*[\w+#])?"
_OPERATOR: Final = r"[<>]=?|[=≥≤:]"
_TOKENS: Final = tuple(
    re.compile(
        rf"(?P<quoted>{_QUOTED})|(?P<number>{number})|(?P<word>{_WORD})"
        rf"|(?P<operator>{_OPERATOR})|\S"
    )
    for number in (_POINT_NUMBER, _COMMA_NUMBER)
)
_EMOJI_PART: Final = re.compile("[\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")
_ENDERS: Final = frozenset(".!?…,")  # a comma stood before a particle: ", bitte"


@dataclass(frozen=True, slots=True)
class Token:
    """Holds one word, number or sign of a sentence. text: as written. folded: what is compared. A
    word that a contraction hides has no text.

    value: of a number or a number word; None when it is no whole number.
    """

    text: str
    folded: str
    kind: TokenKind
    value: int | None = None
    is_id: bool = False  # "#3"
    is_joined: bool = False  # with a hyphen to the one before


def split_tokens(text: str, language: Language) -> list[Token] | None:
    """Split one sentence into tokens, without the marks at its end.

    None if it has line breaks or control characters.

    >>> from plainloop_rules.language import ENGLISH
    >>> [token.folded for token in split_tokens("What’s  NEW?!", ENGLISH) or []]
    ['what', 'is', 'new']
    """
    # One line: typographic variants made plain, pictures and invisible characters dropped.
    line = unicodedata.normalize("NFC", text.strip()).translate(_APOSTROPHES).translate(_DASHES)
    kept: list[str] = []
    for char in line:
        category = unicodedata.category(char)
        if category in ("Cc", "Cs", "Zl", "Zp") and char != "\t":
            return None
        if category in ("So", "Cf") or _EMOJI_PART.match(char):
            continue
        kept.append(" " if category == "Zs" or char == "\t" else char)
    tokens: list[Token] = []
    for match in _TOKENS[language.has_decimal_comma].finditer("".join(kept).strip()):
        tokens.extend(_make_tokens(match, language))
    # With a capital such a word begins a name or the sentence.
    particles = language.folded_particles
    tokens = [
        token
        for token in tokens
        if not (token.kind == "word" and token.folded in particles and token.text.islower())
    ]
    while tokens and tokens[-1].kind == "mark" and tokens[-1].folded in _ENDERS:
        tokens.pop()
    return tokens


def _make_tokens(match: re.Match[str], language: Language) -> list[Token]:
    text = match.group()
    if match["quoted"]:
        inner = next(group for group in match.group("q1", "q2", "q3", "q4", "q5") if group)
        return [Token(inner.strip(), inner.strip().casefold(), "quoted")]
    if match["number"]:
        value = _read_number(text, has_comma=language.has_decimal_comma)
        return [Token(text, text.casefold(), "number", value, text.startswith("#"))]
    if match["word"]:
        if not language.splits_compounds:
            return _split_contraction(text, language)
        first, *rest = text.split("-")
        joined = [
            replace(token, is_joined=i == 0)
            for word in rest
            for i, token in enumerate(_split_contraction(word, language))
        ]
        return [*_split_contraction(first, language), *joined]
    return [Token(text, text, "mark")]


@cached_if_short(max_entries=4096)  # most words of most messages are the same few
def _split_contraction(text: str, language: Language) -> list[Token]:
    folded = language.fold(text)
    if folded in language.contractions:
        return [Token("", word, "word") for word in language.contractions[folded].split()]
    for ending, word in language.endings.items():
        if folded.endswith(ending) and len(folded) > len(ending):
            stem = text[: -len(ending)]
            return [Token(stem, language.fold(stem), "word"), Token("", word, "word")]
    # The word, apart from the small ones that it is written together with: "d'Acme". A capital
    # there is part of the name: "L'Acme".
    *begun, rest = language.split_beginnings(folded)
    if not begun or (text[0].isupper() and text[-len(rest) :][0].isupper()):
        return [Token(text, folded, "word", language.folded_numbers.get(folded))]
    hidden = [Token("", word, "word") for word in begun]
    return [*hidden, Token(text[-len(rest) :], rest, "word", language.folded_numbers.get(rest))]


def _read_number(text: str, *, has_comma: bool = False) -> int | None:
    """Parse the whole number of "90k", "$1,200", "#3"; None for huge or ambiguous ones.

    "1.500" is one and a half in some languages and fifteen hundred in others.

    >>> _read_number("90k"), _read_number("$1,200"), _read_number("1.500"), _read_number("1.5k")
    (90000, 1200, None, 1500)
    >>> _read_number("1.500", has_comma=True), _read_number("1,5k", has_comma=True)
    (1500, 1500)
    """
    digits = text.casefold().lstrip("#$€£")
    if has_comma:
        digits = digits.replace(".", "").replace(" ", "").replace(",", ".")
    digits = digits.replace(",", "")
    factor = 1000 if digits.endswith("k") else 1
    digits = digits.removesuffix("k")
    if len(digits) > 12 or ("." in digits and factor == 1):
        return None
    number = float(digits) * factor
    return int(number) if number == int(number) else None
