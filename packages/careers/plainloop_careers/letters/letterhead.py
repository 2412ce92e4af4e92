"""The head of a letter: sender, recipient, date and subject, from résumé and job alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object

from ..files import Patterns
from .grounding.sentences import split_letter

_SAID: Final = Patterns(__file__)
# By the language that a salutation is in; English where none of them is found.
_LANGUAGES: Final[dict[str, dict[str, Any]]] = _SAID["languages"]


def build_letterhead(
    letter: str, resume: Mapping[str, Any], job: Mapping[str, Any] | None, today: date
) -> str:
    """Build the head of a letter as Markdown; "" if the letter has one, or nobody is known.

    What the résumé or the job does not say is left out.

    >>> print(build_letterhead("Dear Ann,", {"basics": {"name": "Bo"}}, None, date(2026, 11, 3)))
    Bo
    <BLANKLINE>
    3 November 2026
    """
    parts = [sentence.part for sentence in split_letter(letter)]
    basics = as_object(resume.get("basics"))
    if "salutation" not in parts or "head" in parts or not basics.get("name"):
        return ""
    home = as_object(basics.get("location"))
    place = " ".join(_list_texts(home, "postalCode", "city"))
    contacts = " · ".join(_list_texts(basics, "phone", "email"))
    sender = [*_list_texts(basics, "name"), *_list_texts(home, "address"), place, contacts]
    said = find_language(letter)
    blocks = [sender]
    if job is not None:
        blocks.append([*_list_texts(job, "company", "contact_name")])
    month = said["months"][today.month - 1]
    blocks.append([said["date"].format(day=today.day, month=month, year=today.year)])
    if job is not None:
        blocks.append([f"**{said['subject'].format(title=job['title'])}**"])
    return "\n\n".join("\n".join(filter(None, block)) for block in blocks if any(block))


def find_language(letter: str) -> dict[str, Any]:
    """Return the words for a letterhead in the language of the letter's salutation."""
    for said in _LANGUAGES.values():
        if re.match(rf"\W*(?:{'|'.join(said['greetings'])})\b", letter, re.I):
            return said
    return _LANGUAGES["english"]


def _list_texts(source: Mapping[str, Any], *names: str) -> list[str]:
    """List the texts at these names on one line each, without empty ones."""
    return [" ".join(str(source[name]).split()) for name in names if source.get(name)]
