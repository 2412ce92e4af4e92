"""The printed grammar: sentences in four languages, and the English one that each is read as."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from plainloop.agent.base.text.cleaning import fold
from plainloop.agent.base.text.patterns import compile_lazily
from plainloop_documents.reading.pay import to_number
from plainloop_rules.matching import measure_languages

from ..files import load_data

_WORDS: Final = load_data(__file__, "grammar.toml")
_FORMS: Final[Mapping[str, Mapping[str, list[str]]]] = _WORDS["forms"]
_STATUSES: Final[Mapping[str, Mapping[str, str]]] = _WORDS["statuses"]
LANGUAGES: Final = ("english", "german", "french", "spanish")
MAX_CHARS: Final = 300
_SLOT: Final = re.compile(r"\{(\w+)\}")
_WORD: Final = r"[^\s,;:!?()\"“”@#]+"
_PROPER: Final = r"(?:[A-ZÀ-ÞŁŚŻ0-9][^\s,;:!?()\"“”@#]*|de|du|la|le|del|und|et|y|of|&)"
_QUOTED: Final = r"[\"“][^\"“”]{1,80}[\"”]"
_AMOUNT: Final = (
    r"(?:\d{1,3}(?:[., ]\d{3})+(?:[.,]\d{1,2}(?!\d))?|\d{1,9}(?:[.,]\d{1,3}(?!\d))?)[kK]?"
)
_SHAPES: Final = {
    "number": r"\d{1,9}",
    "url": r"https?://\S+",
    "min": _AMOUNT,
    "max": _AMOUNT,
    "text": r".{1,200}",
    "words": r".{1,200}",
}
_NAMES: Final = ("company", "name", "city")


def rephrase(request: str) -> str:
    """Translate a request in one of the known forms to English.

    Other requests stay as they are.

    >>> rephrase("Bitte verschiebe die Stelle bei Acme auf abgelehnt!")
    'move the Acme job to rejected'
    >>> rephrase("verschiebe die Stelle bei Acme nicht auf abgelehnt")
    'verschiebe die Stelle bei Acme nicht auf abgelehnt'
    >>> rephrase("ändere #3, Gehalt: 50.000")
    'update job #3, salary max: 50000'
    """
    text = " ".join(request.split())
    if len(text) > MAX_CHARS:
        return request
    for language in LANGUAGES:
        said = _compile_courtesy(language).sub("", text)
        folded = fold(said)
        for name, words, pattern in _list_forms(language):
            # A pattern takes 1 ms to compile, and few of them have all their words in a request.
            if all(word in folded for word in words) and (found := pattern.fullmatch(said)):
                return _to_english(name, found.groupdict())
    return request


def write(form: str, request: str, **values: Any) -> str:
    """Write a sentence of this form in the request's language.

    A value that is missing becomes its name in capitals.

    >>> write("move", "Acme hat mir leider abgesagt", company="Acme", status="rejected")
    'verschiebe die Stelle bei Acme auf abgelehnt'
    """
    language = guess_language(request)
    sentence = _FORMS[form][language][0]

    def fill(slot: re.Match[str]) -> str:
        value = values.get(slot[1])
        if value and slot[1] == "status":
            return _STATUSES[value].get(language, value)
        is_stored = form.startswith("add") and slot[1] not in _SHAPES
        said = str(value or slot[1].upper())
        return f'"{said}"' if is_stored else said

    return _SLOT.sub(fill, sentence)


def list_help() -> dict[str, tuple[str, ...]]:
    """Map each language's word for "help" to example sentences in that language."""
    return {
        word: tuple(
            _SLOT.sub(lambda slot: slot[1].upper(), sentence)
            for form in _FORMS.values()
            for sentence in form[language]
        )
        for language, word in _WORDS["help"].items()
    }


def guess_language(request: str) -> str:
    """Guess the language of a request; English if it is unclear."""
    shares = measure_languages(request)
    words = set(re.findall(r"[^\W\d_]+", request.casefold()))
    own = {name: len(words & _list_words(name)) / max(1, len(words)) for name in LANGUAGES}
    return max(LANGUAGES, key=lambda name: shares.get(name, 0.0) + own[name])


@cache
def _list_words(language: str) -> frozenset[str]:
    """Return the words that a language's forms consist of."""
    sentences = [sentence for form in _FORMS.values() for sentence in form[language]]
    said = [_SLOT.sub(" ", sentence) for sentence in sentences]
    said += [names.get(language, key) for key, names in _STATUSES.items()]
    return frozenset(re.findall(r"[^\W\d_]+", " ".join(said).casefold()))


@cache
def _compile_courtesy(language: str) -> re.Pattern[str]:
    words = _plainer(_WORDS["courtesy"][language])
    ending = rf"(?<![\s,.!?])(?:[\s,.!?]|\b(?:{words})\b)*\Z"
    return re.compile(rf"\A(?:[\s¿¡]|(?:{words})(?!\w)[\s,!]*+)+|{ending}", re.I)


@cache
def _list_forms(language: str) -> tuple[tuple[str, list[str], re.Pattern[str]], ...]:
    """List (form, its fixed words, its pattern) for each sentence of a language."""
    return tuple(
        (name, _split_words(sentence), compile_lazily(_to_pattern(sentence, language)))
        for name, form in reversed(list(_FORMS.items()))  # what says more comes first
        for sentence in form[language]
        # The rules read an amount as the English write it, so "50.000" is another sentence.
        if (language, sentence) != ("english", form["english"][0]) or name.startswith("pay")
    )


def _split_words(sentence: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", fold(_SLOT.sub(" ", sentence)))


def _to_pattern(sentence: str, language: str) -> str:
    pieces: list[str] = []
    for at, part in enumerate(_SLOT.split(sentence.strip("¿? "))):
        # A space before a colon may be missing.
        own = re.escape(part).replace(r"\ :", ":").replace(":", r"\s?:").replace(r"\ ", r"\s")
        pieces.append(_shape(part, language) if at % 2 else f"(?i:{_plainer(own)})")
    return "".join(pieces)


def _shape(name: str, language: str) -> str:
    """Build the pattern for a form's value: a name in quotes, or words that cannot be others."""
    if name == "status":
        words = "|".join(_inflect(said.get(language, key)) for key, said in _STATUSES.items())
        return rf"(?P<status>(?i:{words}))"
    if name in _SHAPES:
        return rf"(?P<{name}>{_SHAPES[name]})"
    stop = rf"(?!(?i:{_WORDS['connecting'][language]})(?!\w)|(?i:\d[\d.,]{0, 12}k?)(?!\w))"
    word = _PROPER if name in _NAMES and language != "english" else _WORD
    return rf"(?P<{name}>{_QUOTED}|{stop}{word}(?:\s{stop}{word}){{0,5}})"


def _plainer(pattern: str) -> str:
    """Let accents be missing in a pattern: "zurück" matches "zuruck", too."""
    return "".join(
        f"[{char}{plain}]" if plain != char else char
        for char in pattern
        for plain in [unicodedata.normalize("NFD", char)[0]]
    )


def _to_english(form: str, said: Mapping[str, str]) -> str:
    """Fill a form's first English sentence with these values; values to be stored are quoted."""
    values = dict(said)
    for slot, text in said.items():
        if slot == "status":
            values[slot] = next(
                key
                for key, names in _STATUSES.items()
                if any(re.fullmatch(_inflect(it), text, re.I) for it in (key, *names.values()))
            )
        elif slot in ("min", "max"):
            amount, is_thousands = to_number(text.rstrip("kK")), text[-1] in "kK"
            is_whole = amount.is_integer()  # "5 à 8k" is a range of thousands
            values[slot] = f"{amount * (1 if is_whole or not is_thousands else 1000):.12g}"
            values[slot] += "k" * (is_whole and is_thousands)
        elif slot not in _SHAPES:
            name = text.strip('"“”')
            values[slot] = f'"{name}"' if form.startswith("add") else name
    return _SLOT.sub(lambda slot: values[slot[1]], _FORMS[form]["english"][0])


def _inflect(word: str) -> str:
    """Build a pattern for all forms of a status: "refusé", "refusées"; "guardado", "guardadas"."""
    if word.endswith("o"):
        return f"{_plainer(word[:-1])}[oa]s?"
    return f"{_plainer(word)}(?:e[ns]?|s)?"
