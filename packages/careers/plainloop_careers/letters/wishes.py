"""Which kind of letter a request asks for and in which language, and whether a letter is that.

The lists are short on purpose: what they do not know is left to the model's verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from plainloop.agent.intents.matching import measure_languages


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of letter. asked: as requests name it. shown: what no such letter is without."""

    title: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Wish:
    """Says what a request names. kinds: each would do; none, None: it does not say."""

    kinds: frozenset[str]
    language: str | None


def _make_kind(title: str, asked: str, shown: str) -> Kind:
    return Kind(title, re.compile(asked, re.I), re.compile(shown, re.I))


_OFFER: Final = r"[^.?!\n]{0,30}\b(?:offer|position|job|role)"
KINDS: Final = {
    "cover_letter": _make_kind(
        "Cover letter",
        r"\b(?:cover|motivation|application) ?letter|anschreiben|bewerbungsschreiben"
        r"|lettre de motivation|carta de (?:presentaci[óo]n|motivaci[óo]n)",
        r"\bappl(?:y|ying|ication)|\b(?:position|role|job|opening|vacancy|opportunity|team)\b"
        r"|bewerb|stelle|candidat|poste\b|puesto|solicit",
    ),
    "thank_you": _make_kind(
        "Thank-you note",
        r"\bthank[- ]you (?:note|letter|e-?mail|message)|\bthank(?:s| you) for (?:the interview"
        r"|interviewing|inviting|meeting|our|speaking)|dankschreiben|dankes?-?mail"
        r"|(?:mail|lettre) de remerciement|(?:carta|correo) de agradecimiento",
        r"\bthank|\bgrateful|\bappreciat|dank|merci|graci|agrade",
    ),
    "follow_up": _make_kind(
        "Follow-up",
        r"\bfollow(?:ing)?[- ]?up\b|\bchecking in on\b|\bstatus of my application\b|nachfass"
        r"|(?:mail|message|lettre) de relance|(?:correo|mensaje) de seguimiento",
        r"\bfollow|\bcheck(?:ing)? in\b|\bstatus\b|\bupdate|\bnews\b|\bhear|\bstand|\bapplied\b"
        r"|\bmy application\b|\binterview|\bstill\b|\bnach|stand|relanc|suite|segui|estado",
    ),
    "decline": _make_kind(
        "Letter that declines an offer",
        rf"\bdeclin(?:e|es|ing)\b|\bturn(?:s|ing)? down\b|\breject(?:s|ing)?{_OFFER}"
        r"|\babsage\b|\bablehn(?:e|t|en|ung)\b|\bd[ée]clin(?:er|ant)\b|\brefus(?:er|ant)?\b"
        r"|\brechaz(?:o|ar|ando)\b",
        r"declin|turn(?:ing)? (?:it |\w+ offer )?down|withdraw|\bnot\b.{0,30}\baccept"
        r"|unable to (?:accept|join)|another (?:offer|position|role|opportunity)"
        r"|absag|ablehn|abzulehnen|nicht an(?:nehm|zunehm)|déclin|refus|ne pas accepter|rechaz",
    ),
    "acceptance": _make_kind(
        "Letter that accepts an offer",
        rf"\baccept(?:s|ing|ance)?\b{_OFFER}|\bacceptance (?:letter|note|e-?mail)|\bzusage\b"
        r"|\bangebot an(?:nehmen|zunehmen)\b|\baccepter\b|\baceptar\b",
        r"accept|\bjoin|zusag|nehme|anzunehmen|rejoindre|acept|incorpor",
    ),
    "resignation": _make_kind(
        "Letter of resignation",
        r"\bresign(?:s|ing|ation)?\b|\bnotice letter|letter of notice|\bk[üu]ndigung|kündige\b"
        r"|\bd[ée]mission(?:ner)?\b|\bdimisi[óo]n\b|carta de renuncia",
        r"resign|\bnotice\b|step(?:ping)? down|\bleav(?:e|ing)\b|kündig|démission|dimi|renunci",
    ),
}
# As they are called in the languages that are read here; of others only in English.
_LANGUAGES: Final = {
    "english": r"english|englisch|anglais|ingl[ée]s",
    "german": r"german|deutsch|allemand|alem[áa]n",
    "french": r"french|französisch|franzoesisch|fran[çc]ais|franc[ée]s",
    "spanish": r"spanish|spanisch|espagnol|espa[ñn]ol|castellano",
    **{
        name: name
        for name in (
            *("italian", "portuguese", "dutch", "danish", "norwegian", "swedish", "finnish"),
            *("polish", "czech", "hungarian", "greek", "turkish", "russian", "ukrainian"),
            *("romanian", "arabic", "hebrew", "hindi", "chinese", "japanese", "korean"),
        )
    },
}
_NAMED: Final = rf"(?P<language>{'|'.join(_LANGUAGES.values())})"
# "write it in German, please", but neither "fluent in German" nor "in German law".
_IN_LANGUAGE: Final = re.compile(
    rf"(?:^\W*+|\b(?P<before>\w++)\W++)(?:in|into|auf|en)\s+{_NAMED}"
    r"(?=\W*$|\s+(?:for|to|at|about|with|instead|please|bitte|für|an|pour|para)\b)",
    re.I,
)
_AS_ADJECTIVE: Final = re.compile(
    rf"\b{_NAMED}(?:e[nrs]?)? (?:(?:cover|application|motivation|thank-you|follow-up) )?"
    r"(?:letter|note|e-?mail|message|version|anschreiben)\b",
    re.I,
)
_CLAUSE_END: Final = re.compile(r"[.,;:!?\n]|\band\b|\bund\b", re.I)
_CONTENT: Final = re.compile(
    r"\b(?:mention|say|tell|state|stress|explain|because|since|that|where|who|which)\b", re.I
)
_OF_A_PERSON: Final = frozenset(
    "fluent fluency proficient proficiency degree skills experience interview lessons courses work "
    "native level speak talk talks".split()
)
_MEASURED_CHARS: Final = 4_000
_CERTAIN_SHARE: Final = 0.2  # of a text's words; a third or more in prose of that language


def read_wish(request: str) -> Wish:
    """The kinds and the language that a request names.

    >>> wish = read_wish("write a letter declining the offer from Acme, in German please")
    >>> sorted(wish.kinds), wish.language
    (['decline'], 'german')
    """
    kinds = frozenset(name for name, kind in KINDS.items() if kind.asked.search(request))
    languages = set(_iter_languages(request))
    return Wish(kinds, languages.pop() if len(languages) == 1 else None)


def check_wish(wish: Wish, letter: str) -> Iterator[str]:
    """A problem for the kind and one for the language, where the letter is surely of another."""
    shares = measure_languages(letter[:_MEASURED_CHARS])
    best = max(shares, key=lambda name: shares[name])
    if shares[best] < _CERTAIN_SHARE:
        return  # what language it is in is not known, so no word tells its kind either
    # Portuguese has many words that are Spanish, too.
    known = shares.get(wish.language or "")
    is_other = best == "english" if known is None else shares[best] >= 2 * known
    if wish.language and is_other:
        asked, found = wish.language.capitalize(), best.capitalize()
        yield f"The letter is in {found}, and was asked for in {asked}: write all of it in {asked}."
    if wish.kinds and not any(KINDS[name].shown.search(letter) for name in wish.kinds):
        asked = " or ".join(KINDS[name].title.lower() for name in sorted(wish.kinds))
        yield f"The letter is of another kind than the one asked for ({asked}): write that one."


def _iter_languages(request: str) -> Iterator[str]:
    """Each language that a clause names for the letter; none of what is to stand in it."""
    for clause in _CLAUSE_END.split(request):
        told = _CONTENT.split(clause, maxsplit=1)[0]
        found = _AS_ADJECTIVE.search(told) or _IN_LANGUAGE.search(told)
        if found and (found.groupdict().get("before") or "").lower() not in _OF_A_PERSON:
            yield next(
                name
                for name, names in _LANGUAGES.items()
                if re.fullmatch(names, found["language"], re.I)
            )
