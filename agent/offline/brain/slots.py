"""A tool's arguments read from a request, guided by the tool's parameter schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...base.text import fold
from ..rules import get_rules
from .amounts import find_limit, parse_amount
from .places import find_place
from .schemas import MISSING, Param, fit_value

_NEGATION: Final = re.compile(
    r"(?:\b(?:not|never|no longer|without)|n['’]t)\s+(?:\w+\s+){0,2}$", re.I
)
_AFTER: Final = re.compile(
    r"\b(?:to|as|into|is now|is|now|became|:|=)\s+(?:an?\s+|the\s+)?['\"“]?$", re.I
)
# A deed that stays done, however the thing went on: "have I applied to", not "status applied".
_DEED: Final = re.compile(r"\b(?:have|did) i\b|\bi(?: have|['’]ve)\b", re.I)
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s<>\"'“”]+", re.I)
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_NOTES: Final = re.compile(
    r"\b(?:with\s+(?:a\s+|the\s+)?|add\s+(?:a\s+|the\s+)?|set\s+(?:the\s+)?|leave\s+a\s+)?notes?"
    r"(?:\s+(?:to|for|on|about)\s+(?:it|that one|the\s+[^:]{1,60}?|[^:,]{1,60}?(?=:)))?"
    r"\s*(?:saying(?:\s+that)?|that|:|=|reading)\s*[\"“']?(?P<value>.+?)[\"”']?\s*$",
    re.I | re.S,
)
_LISTS: Final[dict[str, re.Pattern[str]]] = {
    "requirements": re.compile(
        r"\b(?:requirements?|requires|must[- ]haves?)\s*(?::|=|are)\s*([^.;\n]+)", re.I
    ),
    "nice_to_haves": re.compile(r"\bnice[- ]to[- ]haves?\s*(?::|=|are|is)\s*([^.;\n]+)", re.I),
    "tags": re.compile(
        r"\b(?:tags?|tagged|labell?ed)(?:\s+(?:it|this|them|the\s[^,;:]{1,60}?\s(?=as\b|with\b)))?"
        r"\s*(?:as|:|=|are|with)?\s*"
        r"(?!(?:the|to)\b)([\w+#-]+(?:\s*(?:,|\band\b)\s*[\w+#-]+)*)",
        re.I,
    ),
}
_HASHTAG: Final = re.compile(r"(?<!\w)#([A-Za-z][\w-]*)")
_PERSON: Final = re.compile(
    r"(?i:\b(?:contact|recruiter|hiring manager|interviewer)(?:\s+(?:person|name))?\s*(?:is|:|="
    r"|,)?\s+)"
    r"([A-ZÀ-Þ][\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+)*)"
)
_SOURCE: Final = re.compile(
    r"(?i:\b(?:(?:found|saw|seen|posted|advertised)(?:\s+it)?\s+(?:on|via|through)"
    r"|source\s*(?:is|:|=))\s+)([A-Za-z][\w.]*)"
)
QUOTED: Final = re.compile(r"[\"“]([^\"”]+)[\"”]")
_SEARCH_NOISE: Final = re.compile(
    r"^(?:(?:please|can you|could you|would you|i(?:'m| am) looking|help me(?: to)?"
    r"|i want(?: you)? to|hey|hi)\s+)*"
    r"(?:(?:search|look|google|browse|hunt|find|research|check|discover|get|show|tell|list)\b\s*)"
    r"(?:up\b\s*)?(?:me\b\s*)?(?:(?:on\s+)?(?:the\s+)?(?:web|internet|online)\b\s*)?(?:for|about"
    r"|on|what)?\b\s*"
    r"|^for\s+|\b(?:please|on the (?:web|internet)|online)\b",
    re.I,
)
_JOB_NOISE: Final = re.compile(
    r"\b(?:(?:some|any|me|new|open|all|good|the|a|an|\d+)\s+)+(?=\S)"
    r"|\b(?:jobs?|openings?|positions?|roles?|vacancies|opportunities|listings)\b"
    r"|\b(?:remote(?:ly|\s+only)?|remote-only|only remote)\b|\bthat\s+pays?\b.*$|\bpaying\b.*$",
    re.I,
)
_NO_FACT: Final = re.compile(r"^(?:an?|the|it|them|to|be|is|of|on|in|for|my|his|her)$", re.I)

Reader = Callable[[str], Any]


def read_slots(
    text: str, params: Mapping[str, Param], *, is_change: bool = False
) -> dict[str, Any]:
    """What the text says about each parameter, in its type; a parameter it is silent on is absent.

    is_change: the text changes a thing that it names, so names are no values here unless it says
    "set the title to …".
    """
    slots: dict[str, Any] = {}
    note = _NOTES.search(text) if "notes" in params else None
    if note:
        slots["notes"] = note["value"].strip()
        text = text[: note.start()].strip(" ,.;:") + " "
    for name, pattern in _LISTS.items():
        match = pattern.search(text) if name in params else None
        if match:
            slots[name] = _to_list(name, match[1])
            text = f"{text[: match.start()]} {text[match.end() :]}"
    explicit, text = _read_explicit(text, params)
    slots.update(explicit)
    plain = _URL.sub(" ", _EMAIL.sub(" ", text))
    names = {} if is_change else read_names(plain)
    found: dict[str, Any] = {**names, "url": find_url(text)}
    for rules in get_rules():
        found |= rules.read_values(plain) if rules.read_values else {}
    for name, param in params.items():
        if name in slots:
            continue
        value = found.get(name) or _read_param(param, text, plain)
        fitted = fit_value(param, value) if value not in (None, "") else MISSING
        if fitted is not MISSING:
            slots[name] = fitted
    is_first = "status" in params and params["status"].enum[:1] == (slots.get("status"),)
    if "or_later" in params and "status" in slots and not is_first and is_deed(text):
        slots["or_later"] = True
    return {name: slots[name] for name in params if name in slots}


def read_names(text: str) -> dict[str, str]:
    """Names in a text by the parameter that takes them; one that it is silent on is absent."""
    found: dict[str, str] = {}
    for rules in get_rules():
        found |= rules.read_names(text) if rules.read_names else {}
    return {name: value for name, value in found.items() if value}


def is_deed(text: str) -> bool:
    """Whether the user's own deed is meant, whatever came of it.

    >>> is_deed("which jobs have I applied to?"), is_deed("jobs with status applied")
    (True, False)
    """
    return _DEED.search(text) is not None


def is_led_to(value: str, text: str) -> bool:
    """Whether a word before the name says that it is one: "at acme", not "my loan application".

    >>> is_led_to("acme", "jobs at acme"), is_led_to("loan", "my loan application")
    (True, False)
    """
    before = rf"\b(?:at|with|from|in|near|for|by|to|is|=|:)\s+(?:the\s+)?{re.escape(value)}"
    return re.search(before, text, re.I) is not None


def find_enum(text: str, values: tuple[str, ...]) -> str | None:
    """The value of a closed set that the text means; None when it means none or denies one.

    >>> find_enum("move it from saved to applied", ("saved", "applied"))
    'applied'
    """
    hits: list[tuple[bool, int, str]] = []
    folded = fold(text)
    for rank, value in enumerate(values):
        for match in _enum_pattern(value).finditer(folded):
            if _NEGATION.search(folded[: match.start()]):
                continue
            hits.append((_AFTER.search(folded[: match.start()]) is not None, rank, value))
    return max(hits)[2] if hits else None


def find_enums(text: str, values: tuple[str, ...]) -> list[str]:
    """All values that the text means, in its order.

    >>> find_enums("my applied and saved jobs", ("saved", "applied"))
    ['applied', 'saved']
    """
    folded = fold(text)
    places: dict[str, int] = {}
    for value in values:
        for match in _enum_pattern(value).finditer(folded):
            if not _NEGATION.search(folded[: match.start()]):
                places.setdefault(value, match.start())
    return sorted(places, key=lambda value: places[value])


def cut_note(text: str) -> str:
    """The text before its note: what a note says names nothing."""
    note = _NOTES.search(text)
    if note is None:
        return text
    return text[: note.start()] + text[note.start() : note.start("value")].strip(" :\"“'") + "."


def find_url(text: str) -> str:
    match = _URL.search(text)
    return match[0].rstrip(".,;:!?)]") if match else ""


def build_query(text: str, *, is_about_jobs: bool) -> str:
    """The words to search for: the request without its politeness, verb, place and numbers."""
    quoted = QUOTED.search(text)
    if quoted:
        return quoted[1]
    query = _SEARCH_NOISE.sub("", _SEARCH_NOISE.sub("", text.strip(" ?.!")))
    if is_about_jobs:
        place = find_place(query)
        if place:
            query = re.sub(rf"\b(?:in|near|around|based in)\s+{re.escape(place)}\b", " ", query)
        query = _JOB_NOISE.sub(" ", query)
    return re.sub(r"\s+", " ", query).strip(" ,.?!")


def _enum_pattern(value: str) -> re.Pattern[str]:
    plain = re.escape(fold(value)).replace("_", "[ _-]")
    known = {name: words for rules in get_rules() for name, words in rules.enum_words.items()}
    words = known.get(value.casefold(), rf"{plain}s?")
    return re.compile(rf"\b(?:{words})\b", re.I)


def _read_param(param: Param, text: str, plain: str) -> Any:
    if param.enum:
        return find_enum(plain, param.enum)
    reader = _READERS.get(param.name)
    return reader(plain if param.name in _ON_PLAIN else text) if reader else None


def _to_list(name: str, text: str) -> str:
    """Items of prose in the parameter's form: tags by comma, all else one a line."""
    items = re.split(r"\s*(?:,|;|\band\b)\s*", text.strip())
    return (", " if name == "tags" else "\n").join(item for item in items if item)


def _read_hashtags(text: str) -> str | None:
    return ", ".join(_HASHTAG.findall(text)) or None


def _read_group(pattern: re.Pattern[str]) -> Reader:
    def read(text: str) -> str | None:
        match = pattern.search(text)
        return match[match.lastindex or 0] if match else None

    return read


def _read_remote_only(text: str) -> bool | None:
    match = _enum_pattern("remote").search(fold(text))
    return True if match and not _NEGATION.search(fold(text)[: match.start()]) else None


_ON_PLAIN: Final = frozenset({"location", "city", "limit", "num_results"})
_READERS: Final[dict[str, Reader]] = {
    "location": find_place,
    "city": find_place,
    "limit": find_limit,
    "num_results": find_limit,
    "tags": _read_hashtags,
    "email": _read_group(_EMAIL),
    "contact_email": _read_group(_EMAIL),
    "contact_name": _read_group(_PERSON),
    "source": _read_group(_SOURCE),
    "remote_only": _read_remote_only,
}


def _read_explicit(text: str, params: Mapping[str, Param]) -> tuple[dict[str, Any], str]:
    """What the text sets by the parameter's own name ("location to Berlin"), and the rest."""
    slots: dict[str, Any] = {}
    for name in sorted(params, key=len, reverse=True):
        if name in _LISTS:
            continue
        words = re.escape(name).replace("_", r"[\s_-]+")
        pattern = re.compile(
            rf"\b(?:the\s+|its\s+)?{words}(?:\s+(?:of|for|on)\s+(?:(?:it|that"
            rf"|the)\s+)?[^,;:.\n]{{0,60}}?)?\s*(?P<mark>:|=|\bto\b"
            rf"|\bis\b)\s*[\"“']?(?P<value>[^,;\n\"”]+?)"
            rf"[\"”']?(?=\s*(?:[,;\n]|$|[.!?](?:\s|$))|\s+and\b(?!\s+[A-Z])"
            rf"|\s+(?:and\s+)?(?:the\s+|its\s+)?\w+\s*(?::|=))",
            re.I,
        )
        match = pattern.search(text)
        if match is None or _NO_FACT.match(match["value"]):
            continue
        value = _fit_explicit(params[name], match["value"].strip())
        if value is not MISSING:
            slots[name] = value
            text = text[: match.start()] + " " + text[match.end() :]
    return slots, text


def _fit_explicit(param: Param, value: str) -> Any:
    if param.enum:
        meant = find_enum(value, param.enum)
        return meant if meant is not None else fit_value(param, value)
    if "integer" in param.kinds or "number" in param.kinds:
        number = re.search(r"(\d[\d.,']{0,14})\s*(k\b)?", value, re.I)
        if number is None:
            return MISSING
        digits = number[1].rstrip(".,'")
        is_rating = re.fullmatch(r"\d\.\d{1,2}", digits) and not number[2]
        return fit_value(param, float(digits) if is_rating else parse_amount(digits, number[2]))
    return fit_value(param, value)
