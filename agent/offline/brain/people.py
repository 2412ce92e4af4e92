"""People whom a request names: "add Jane Roe from Netflix as a contact"."""

from __future__ import annotations

import re
from typing import Final

_PART: Final = r"[A-ZÀ-Þ][\w'’-]*[\w]"
_NAME: Final = rf"({_PART}(?:\s+(?:(?:von|van|de|der|den|la|di|bin|al)\s+)*{_PART}){{0,3}})"
_ROLE: Final = r"(?:contact|recruiter|hiring manager|interviewer|colleague|headhunter)"
_PERSON: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_NAME}['’]s\s+(?i:e-?mail|mail|phone|address)",
        rf"(?i:\b{_ROLE}\b(?:\s+(?:at|for|from|with)\s+)){_PART}(?:\s+{_PART})*\s+(?i:is)\s+{_NAME}",
        rf"(?i:\b{_ROLE}(?:\s+(?:person|name))?(?:\s+(?:named|called|is))?\s*[:=,]?\s+){_NAME}",
        rf"{_NAME},?\s+(?i:(?:from|at|of|with)\s+)[^,;.]{{1,60}}?\s+(?i:(?:as|to|into)\s+"
        rf"(?:an?\s+|my\s+|the\s+)?(?:new\s+)?{_ROLE}s?\b)",
        rf"{_NAME}\s+(?i:(?:as|to|into)\s+(?:an?\s+|my\s+|the\s+)?(?:new\s+)?{_ROLE}s?\b)",
    )
)
# A verb at the head of the sentence has a capital, too.
_VERB: Final = re.compile(r"^(?:Add|Save|Store|Record|Create|Put|Change|Set|Update|My|The|New)\s+")
_COMPANY: Final = re.compile(
    r"(?i:\b(?:company|employer|firm)(?:\s+(?:named|called))?\s*[:=]?\s+)[\"“]?"
    rf"([A-ZÀ-Þ0-9][\w&.'’-]*(?:\s+(?:&\s+|of\s+)?{_PART})*)"
)
_OF_PERSON: Final = re.compile(rf"{_PART}['’]s\s+(?i:e-?mail|mail|phone)\b")


def find_person(text: str) -> str:
    """
    >>> find_person("add a contact: John Smith, john@smith.example, at Acme")
    'John Smith'
    >>> find_person("Add Jane Roe from Netflix as a contact"), find_person("add a job at Acme")
    ('Jane Roe', '')
    """
    for pattern in _PERSON:
        match = pattern.search(text)
        name = _VERB.sub("", match[1]) if match else ""
        if name and not _VERB.match(name + " "):
            return name
    return ""


def is_about_person(text: str) -> bool:
    """Whether it is somebody's address that the text is about: "Jane's e-mail"."""
    return _OF_PERSON.search(text) is not None


def find_company(text: str) -> str:
    """The company that the text says to keep.

    >>> find_company("add a company: Umbrella, https://umbrella.example"), find_company("add a job")
    ('Umbrella', '')
    """
    match = _COMPANY.search(text)
    return match[1].strip() if match else ""
