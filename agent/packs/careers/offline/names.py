"""Names in a request: companies, titles, places. Patterns as data, the first that fits wins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ....offline.brain.places import CAP, CAP_NAME, NO_NAMES
from ....offline.brain.words import list_words
from ..files import load_data

_TITLES: Final = load_data(__file__, "titles.toml")
_TITLE_HEADS: Final = frozenset[str](_TITLES["heads"].split())
_TITLE_WORDS: Final = _TITLE_HEADS | frozenset[str](_TITLES["words"].split())
_FILLER: Final = re.compile(
    r"^(?:(?:a|an|the|my|this|that|new|another|me|for|to|job|jobs|role|position|application|opening"
    r"|entry|posting|please|as|called|named|titled|on|it|one|of|opportunity|saved"
    r"|tracked)\b[\s:,-]*"
    r"|[\s:,–—-]+)+",
    re.I,
)
_UP_TO_DETERMINER: Final = re.compile(
    r"^.*\b(?:(?:for|about|an?|my|their|new)\s+(?:the\s+)?|(?:of|to|on|with)\s+the\s+)", re.I
)
# "Save this for me: …": what is named stands after the colon.
_LEAD_IN: Final = re.compile(
    r"^[^:\n]{0,40}\b(?:this|that|it|me|job|list|position|role|one|following)\s*:\s+", re.I
)
_ADDING: Final = re.compile(
    r"^\W*(?:(?:please|can|could|you|i|want|to|let|us)\s+)*"
    r"(?:add|save|track|create|record|log|register|store|bookmark|insert|put|new|enter|include)\b",
    re.I,
)
_TRAILER: Final = re.compile(
    r"(?:\s+(?:job|jobs|role|roles|position|positions|application|opening|entry|posting"
    r"|opportunity|vacancy|please|one|offer|interview|thing))+$",
    re.I,
)
_STOP: Final = (
    r"(?=\s*(?:[,;!?()\n\"“”]|$|\.(?:\s|$)|:\s|https?://)"
    r"|\s+(?:in|as|for|with|to|is|was|has|have|on|and|but|because|paying|pays|from|at|via|that"
    r"|which|please|remote|remotely|hybrid|onsite|on-site|salary|status|using|based|located|today"
    r"|yesterday|now|again|tomorrow|last|this|next|into|said|just|rejected|offered|made|called"
    r"|job|role|position|posting|application|opening|listing|vacancy|offer|interview|entry|so"
    r"|since|who|where|when|while|will|would|then|tagged|tags?|notes?|url|link|if|or|are|were"
    r"|asap|it|i|by|through|my|the|tomorrow|before|after|deadline|contact|recruiter)\b"
    r"|\s+[-–—]\s|\s+[$€£]?\d)"
)
_PHRASE: Final = rf"([^\s,;:!?()\n\"“”][^,;!?()\n\"“”]*?){_STOP}"
_KIND: Final = r"(?:job|role|position|posting|opening|vacancy|opportunity|listing|application)s?"

_SEEKS: Final = (
    r"(?:(?:is|are)\s+)?(?:now\s+|currently\s+)?(?:hiring|looking\s+for|searching\s+for|seeking|seeks"
    r"|recruiting|wants|needs)"
)
_COMPANY: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{CAP_NAME}\s+(?i:{_SEEKS})\s+(?i:an?|the|their)\s",
        rf"(?i:\b(?:company|employer)(?:\s+name)?\s*(?:is|:|=|called|named)\s*)[\"“]?{_PHRASE}",
        r"(?i:(?:\bat|@|\bfrom|\bwith)\s+)[\"“]([^\"”]{2,60})[\"”]",
        rf"(?i:(?:\bat|@)\s+)[\"“]?{CAP_NAME}",
        rf"(?i:(?:\bat|@)\s+)(?!\d)[\"“]?{_PHRASE}",
        rf"(?i:\b(?:from|with|by)\s+)(?:the\s+)?{CAP_NAME}",
        rf"(?i:\b(?:appl(?:y|ied|ying)|application|interview(?:ing|ed)?)\s+(?:to|for|with)\s+)"
        rf"{CAP_NAME}(?!\s+(?i:{_KIND})\b)",
        rf"(?i:\b(?:appl(?:y|ied|ying)\s+to|from)\s+)(?!\d){_PHRASE}",
        rf"^(?i:i\s+heard\s+(?:back\s+)?from\s+)?{CAP_NAME}(?:\s+(?i:has|have|just|finally))*\s+"
        r"(?i:reject|offer|invit|declin|turn|ghost|call|repl|hired|want|made|gave|sent|said)",
        r"^(?i:the\s+)?(\w[\w&.-]*)(?:\s+(?i:has|have|just|finally))*\s+"
        r"(?i:rejected|offered|invited|declined|turned|ghosted|replied|made|gave|sent)\b",
        r"([A-ZÀ-Þ][\w&-]*)['’]s\s+(?i:[\w\s-]*?(?:application|job|role|position|offer|letter))\b",
    )
)
# Weaker: a bare name after a verb or preposition, only when nothing else named a company.
_BARE_COMPANY: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?i:company|employer)\s+{CAP_NAME}",
        rf"(?i:\b(?:set|move|mark|update|delete|remove|put|drop|change|track|add|save|about|to"
        rf"|for|on)"
        rf"\s+(?:the\s+)?){CAP_NAME}",
    )
)
_TITLE: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\b(?:job\s+title|title|position|role)\s*(?:is|:|=)\s*[\"“]?{_PHRASE}",
        rf"\b(?:job\s+)?title\s+{_PHRASE}",
        rf"\bas\s+(?:an?|the|their|our)\s+{_PHRASE}",
        rf"\b{_SEEKS}\s+(?:an?|the|their)\s+{_PHRASE}",
        rf"\b(?:an?|the|this|that|my|new|for|their|another|saved?|add|track|open)\s+"
        rf"((?:[^\s,;:!?()@]+\s+){{1,6}}?){_KIND}\b",
    )
)
_BEFORE_AT: Final = re.compile(
    r"([^,;:!?()\n\"“”]+?)[\"”,]?\s*(?:\bat\b|@|\bwith\b|\bfrom\b)\s", re.I
)
_LEADING_VERB: Final = re.compile(
    r"^.*\b(?:add|save|track|create|record|log|register|store|bookmark|insert|move|mark|set|update"
    r"|change|edit|delete|remove|drop|put|for|the|an?|my|as|applied|apply|to|find|show|about|of"
    r"|called|is|was|see|list|got|have|enter|include|i|me|new|want|file|in|on|down|note)\s+",
    re.I,
)
_PAIR: Final = re.compile(r"^\s*([^,;:|/()–—]+?)\s*(?:,|\||:|/|\s[-–—]\s|\()\s*([^,;:|()–—]+)")
_THE_X_JOB: Final = re.compile(
    rf"(?i:\b(?:the|my|that|this|an?|for)\s+((?:[^\s,;:!?()@]+\s+){{1,6}}?)(?:{_KIND}|one|thing)\b)"
    rf"|\b((?:{CAP}\s+){{1,5}})(?i:{_KIND})\b"
)


@dataclass(frozen=True, slots=True)
class Names:
    """Who and what a request names; "" where it names none."""

    company: str = ""
    title: str = ""


@lru_cache(maxsize=128)
def parse_names(text: str) -> Names:
    """Company and job title in a request.

    >>> parse_names("Add a Web Developer job at Microsoft")
    Names(company='Microsoft', title='Web Developer')
    """
    is_adding = _ADDING.search(text) is not None
    text = _LEAD_IN.sub("", text)
    company = _find_company(text, _COMPANY)
    title = _find_title(text, company, is_adding=is_adding)
    if not company:
        pair = _split_pair(text)
        phrase = _split_job_phrase(text)
        title, company = pair if pair[1] else (phrase[1] or title, phrase[0])
    if not company:
        company = _find_company(text, _BARE_COMPANY)
        title = title or (_find_lone_title(text) if company else "")
    return Names(company, "" if fold_equal(title, company) else title)


def fold_equal(left: str, right: str) -> bool:
    return list_words(left) == list_words(right)


def is_title(phrase: str) -> bool:
    """Whether the phrase ends or begins like a job title.

    >>> is_title("Senior Data Scientist"), is_title("Microsoft")
    (True, False)
    """
    words = phrase.casefold().replace(",", " ").split()
    if not words:
        return False
    ends_well = words[-1] in _TITLE_HEADS or words[-1].rstrip("s") in _TITLE_HEADS
    return ends_well or (len(words) > 2 and words[0] in ("head", "vp", "director", "chief"))


def _find_company(text: str, patterns: tuple[re.Pattern[str], ...]) -> str:
    for pattern in patterns:
        for match in pattern.finditer(text):
            name = _TRAILER.sub("", match[1].strip(" \"“”'.,"))
            words = name.split()
            if words and len(words) <= 6 and not _is_no_name(name):
                return name
    return ""


def _is_no_name(name: str) -> bool:
    words = list_words(name)
    return not words or words[0] in NO_NAMES or is_title(name) or name[0].isdigit()


def _find_title(text: str, company: str, *, is_adding: bool) -> str:
    for pattern in _TITLE:
        for match in pattern.finditer(text):
            title = _clean_title(match[1], company)
            if title and (is_title(title) or (company and not _is_no_name(title))):
                return title
    before = _BEFORE_AT.search(text) if company else None
    if before is None:
        return ""
    title = _clean_title(_LEADING_VERB.sub("", before[1].strip() + " "), company)
    words = list_words(title)
    if not words or words[0] in NO_NAMES or len(words) > 7:
        return ""
    return title if is_title(title) or is_adding else ""


def _find_lone_title(text: str) -> str:
    """A part between commas that is a title by itself."""
    parts = [part.strip() for part in re.split(r"[,;:()]", text)]
    return next((part for part in parts if is_title(part) and len(part.split()) <= 6), "")


def _clean_title(phrase: str, company: str) -> str:
    nearest = _UP_TO_DETERMINER.sub("", phrase.strip(" \"“”'.,"))
    cleaned = _TRAILER.sub("", _FILLER.sub("", nearest)).strip(" \"“”'.,:")
    if company and cleaned.casefold().startswith(company.casefold() + " "):
        cleaned = cleaned[len(company) :].strip()
    return "" if fold_equal(cleaned, company) else cleaned


def _split_pair(text: str) -> tuple[str, str]:
    """("Web Developer", "Microsoft") of "Web Developer, Microsoft" in either order."""
    match = _PAIR.match(text)
    if match is None:
        return "", ""
    first = _clean_title(_LEADING_VERB.sub("", match[1]), "")
    second = _clean_title(match[2], "")
    if is_title(first) and not is_title(second) and second[:1].isupper():
        return first, second
    if is_title(second) and not is_title(first) and first[:1].isupper():
        return second, first
    return "", ""


def _split_job_phrase(text: str) -> tuple[str, str]:
    """(company, title) of "the Acme Web Developer job": known title words end the company."""
    for match in _THE_X_JOB.finditer(text):
        words = _clean_title(match[1] or match[2], "").split()
        at = len(words)
        while at and words[at - 1].casefold() in _TITLE_WORDS:
            at -= 1
        company, title = " ".join(words[:at]), " ".join(words[at:])
        if company and not _is_no_name(company) and len(words[:at]) <= 4:
            return company, title
        if title and is_title(title):
            return "", title
    return "", ""
