"""Addresses, phone numbers, placeholders that were left standing, and who signs a letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object

from ...files import Patterns
from ...resumes.shape import is_document_title
from .facts import Material
from .sentences import Sentence
from .view import Finding, make_finding
from .words import split_words

_SAID: Final = Patterns(__file__)
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LINK: Final = _SAID.compile("link")
_PHONE: Final = re.compile(r"(?<![\w.])\+?\(?\d[\d\s()./-]{6,}\d(?!\w)")
_PLACEHOLDER: Final = _SAID.compile("placeholder")
_YEARS: Final = re.compile(r"(?:19|20)\d{2}")
_MAX_SIGNATURE: Final = 60
_IS_CONTACT: Final = re.compile(r"[@\d\[<{]|://|www\.")


def check_contacts(text: str, material: Material) -> Iterator[Finding]:
    """Check that a letter's addresses are known ones and that it has no placeholder left."""
    for match in _PLACEHOLDER.finditer(text):
        yield Finding(match[0], problem=f"The placeholder “{match[0]}” is not filled in.")
    for claim, key in _list_contacts(text):
        facts = [*material.own, *material.posting]
        known = next((fact for fact in facts if key in _squeeze(fact.text)), None)
        yield make_finding(claim, known)


def check_signature(
    sentences: Sequence[Sentence], resume: Mapping[str, Any], profile: str
) -> Iterator[str]:
    """Yield a problem if the letter is signed with another person's name or with a heading."""
    signed = next((item.text for item in sentences if item.part == "closing"), "")
    if not signed or len(signed) > _MAX_SIGNATURE or _IS_CONTACT.search(signed):
        return
    if is_document_title(signed):
        yield f"The letter is signed “{signed}”, which is a heading, not a name."
        return
    basics = as_object(resume.get("basics"))
    own = split_words(str(basics.get("name") or ""))
    if own and not {*own, *split_words(profile)} & set(split_words(signed)):
        yield f"The letter is signed “{signed}”, but the résumé belongs to {basics['name']}."


def blank_contacts(text: str) -> str:
    """Replace addresses and placeholders by equally many spaces, so that positions stay."""
    for pattern in (_PLACEHOLDER, _EMAIL, _LINK):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return _PHONE.sub(lambda match: " " * len(match[0]) if _is_phone(match[0]) else match[0], text)


def _list_contacts(text: str) -> Iterator[tuple[str, str]]:
    """Yield each address, link and phone number of a text as (as written, as compared)."""
    for match in _EMAIL.finditer(text):
        yield match[0], _squeeze(match[0])
    text = _EMAIL.sub(" ", text)
    for match in _LINK.finditer(text):
        claim = match[0].rstrip(".,;:!?/")
        yield claim, _squeeze(re.sub(r"^(?:https?://)?(?:www\.)?", "", claim, flags=re.I))
    for match in _PHONE.finditer(_LINK.sub(" ", text)):
        if _is_phone(match[0]):
            digits = re.sub(r"\D", "", match[0])
            yield match[0].strip(), digits[-9:]  # with or without the country's code


def _is_phone(text: str) -> bool:
    """Whether a text has enough digits for a phone number, and is not a range of years."""
    digits = re.sub(r"\D", "", text)
    return len(digits) >= 7 and len(re.sub(r"\D", "", _YEARS.sub("", text))) > 2


def _squeeze(text: str) -> str:
    """Reduce a text to lower-case letters, digits and what addresses need, for comparison."""
    return re.sub(r"[^\w@.+/-]|(?<=\d)[-./](?=\d)", "", text.casefold())
