"""Free text inside a sentence that can only be a name: of a row, a place, a person."""

from __future__ import annotations

from typing import Final

from plainloop.agent.dataclasses import dataclass

from .language import Language
from .lexicon import Lexicon
from .tokens import Token

MAX_NAME_WORDS: Final = 5
MAX_SMALL_WORDS: Final = 3
MAX_NAME_CHARS: Final = 80
MIN_NAME_CHARS: Final = 2


@dataclass(frozen=True, slots=True)
class Name:
    """Marks a name in a sentence. text: as written. end: the token after it. is_marked: by
    capitals, quotes or an @.
    """

    text: str
    end: int
    is_marked: bool
    has_capitals: bool  # the same, where every noun has one
    has_small_plural: bool  # "startups": rather a kind of thing than a name


def find_name(
    tokens: list[Token],
    start: int,
    lexicon: Lexicon,
    language: Language,
    *,
    takes_small: bool = False,
) -> Name | None:
    """Return the name that begins at token `start`, or None.

    It ends before a word that means something else. takes_small: only a name can stand there, so
    that in a text without capitals it needs none.

    None when there is none, or when a small word in it may be a mere description ("best", "paid").
    """
    if start < len(tokens) and tokens[start].kind == "quoted":
        text = tokens[start].text
        fits = MIN_NAME_CHARS <= len(text) <= MAX_NAME_CHARS
        return Name(text, start + 1, True, True, has_small_plural=False) if fits else None
    end = start
    while (
        end < len(tokens)
        and (
            _is_nameable(tokens[end], lexicon)
            # "&" stands inside of a name: "Harrow & Finch".
            or (
                start < end < len(tokens) - 1
                and tokens[end].text == "&"
                and all(t.text[:1].isupper() for t in (tokens[end - 1], tokens[end + 1]))
                and _is_nameable(tokens[end - 1], lexicon)
                and _is_nameable(tokens[end + 1], lexicon)
            )
        )
    ):
        end += 1
    run = tokens[start:end]
    text = " ".join(token.text for token in run)
    if end == len(tokens) or not tokens[end].is_joined:  # else of a compound: "Data-Analyst-Job"
        text = "".join(("-" if token.is_joined else " ") + token.text for token in run).strip(" -")
    if not 0 < len(run) <= MAX_NAME_WORDS or not MIN_NAME_CHARS <= len(text) <= MAX_NAME_CHARS:
        return None
    small = [token.folded for token in run if not _is_marked(token, tokens)]
    # Without capitals but the first word's, and "I".
    takes_small = takes_small and all(t.text in ("I", t.text.lower()) for t in tokens[1:])
    has_capitals = not small or takes_small
    if small and not language.has_small_names and not takes_small:
        return None
    if small and end < len(tokens) and text.endswith(language.possessives):
        return None  # somebody's: "my roommate's application at Target"
    if language.nouns_have_capitals and not takes_small:
        small = [token.folded for token in run]
    is_alone = len(run) == 1 and bool(small) and small[0] in language.never_alone
    if len(small) > MAX_SMALL_WORDS or is_alone:
        return None
    never = language.folded_never_names
    if any(word in never or word.endswith(language.vague_endings) for word in small):
        return None
    # Of several nouns the last is the kind of thing: "Deutschen Bahn".
    kinds = [run[-1].folded] if language.nouns_have_capitals and not takes_small else small
    plural = any(language.is_plural(word) for word in kinds)
    return Name(text, end, not small, has_capitals, plural)


def _is_nameable(token: Token, lexicon: Lexicon) -> bool:
    is_text = token.kind == "word" and any(char.isalpha() for char in token.text)
    return is_text and token.folded not in lexicon.known


def _is_marked(token: Token, tokens: list[Token]) -> bool:
    """Whether a token is written like a name. Capitals do not count where every word has one."""
    if "@" in token.text:
        return True
    has_capital = any(char.isupper() for char in token.text)
    return has_capital and any(other.text[:1].islower() for other in tokens)
