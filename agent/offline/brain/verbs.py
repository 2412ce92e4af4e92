"""Verb classes: what a request wants done, and which tools do such a thing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from ...types import ToolSchema
from .words import stem

Verb = Literal["create", "list", "update", "delete", "read", "search"]

_WORDS: Final[dict[Verb, str]] = {
    "delete": r"delete|remove|drop|discard|erase|forget|get rid of|throw out",
    "update": r"note (?:for|on|about|to) [^:\n]{1,60}:|tag (?:it|this|the)\b"
    r"|move|mark|set|update|change|edit|rename|switch|correct|promote|raise|flag"
    r"|add (?:a |an |the |another )?(?:notes?|tags?|comment)\s*:"
    r"|add (?:a |an |the |another )?(?:note|tag|tags|salary|location|url|link|comment|contact)\b"
    r"[^;\n]{0,120}?\bto\b|rate|put (?=[^.]{0,60}?\b(?:to|as|into|in)\b (?:applied|saved|offer"
    r"|rejected"
    r"|interview))",
    "create": r"add|save|track|create|record|log|register|store|bookmark|insert|keep track of|put"
    r"|note down|enter|start tracking|include|new job|keep (?:an eye on|tabs on)",
    "search": r"search|find|look for|(?-i:google)|browse|hunt|discover|research|look up online"
    r"|scout"
    r"|looking for|any (?:new )?openings",
    "list": r"list|show|display|which|what|how many|count|do i have|did i|have i|view|see|give me"
    r"|tell me|look up|check|where|when|who|is there|are there|any",
    "read": r"read|open|fetch|load|scrape|summari[sz]e|get|what does my|what do you know about me",
}
# Politeness and filler that may stand before the verb that counts.
LEAD: Final = (
    r"(?:(?:please|pls|kindly|can|could|would|will|you|i|i'd|we|want|wanna|like|need|to|let's"
    r"|let|us"
    r"|also|then|and|now|ok|okay|hey|hi|hello|just|go|ahead|help|me|next|finally|so|do)\b[\s,!]*)*"
)
_CLASS: Final[dict[Verb, re.Pattern[str]]] = {
    verb: re.compile(rf"\b(?:{words})(?!\w)", re.I) for verb, words in _WORDS.items()
}
_STARTS: Final[dict[Verb, re.Pattern[str]]] = {
    verb: re.compile(rf"^\W*{LEAD}(?:{words})(?!\w)", re.I) for verb, words in _WORDS.items()
}
VERB_WORD: Final = re.compile("|".join(words for words in _WORDS.values()), re.I)
# Verbs that begin a request of their own after "and", "then" or a full stop.
_OWN_VERBS: Final = "|".join(
    _WORDS[verb] for verb in ("delete", "update", "create", "search", "read")
)
_CLAUSE_END: Final = re.compile(
    r"(?:(?<=\w)[;.!?]\s+|(?<!\s)[^\S\n]*+\n\s*+|,?\s+and\s+(?:then\s+)?|,?\s+then\s+|,\s+)"
    rf"(?=(?:(?:please|also|then|can you|could you)\s+)*(?:{_OWN_VERBS}|list|show|display"
    rf"|how many|which)\b)",
    re.I,
)
# "move A to x and B to y": B must be a name, for "the title to y" is said of A.
_PAIR: Final = re.compile(
    r"^(?P<verb>(?:.{0,40}?\b)?(?i:move|mark|set|put|switch|change))\s+"
    r"(?P<first>(?:the\s+)?[A-ZÀ-Þ#].*?\s(?:to|as|into)\s[^,]+?)(?:\s*,)?\s+(?:and|,)\s+"
    r"(?P<second>(?:the\s+)?[A-ZÀ-Þ#].*?\s(?:to|as|into)\s.+)$"
)
_SEVERAL: Final = re.compile(
    r"^(?P<verb>\W*.{0,30}?\b(?:add|save|track|create|record))\s+(?:these\s+|the\s+|following\s+)*"
    r"(?:two|three|four|five|\d|several|some|both|these|following)?\s*(?:new\s+)?"
    r"(?P<noun>job|contact|position|role|application)s\s*:\s*(?P<items>.+)$",
    re.I | re.S,
)
# "add Cook at Uno and Chef at Due"; not "Cook at Marks and Spencer".
_TWO: Final = re.compile(
    r"^(?P<verb>\W*.{0,30}?\b(?i:add|save|track|create|record)(?:\s+(?i:an?|the|both|job|position)s?)*"
    r"\s*:?)\s+(?P<first>[A-ZÀ-Þ][^,;]*?\s(?:at|@)\s[^,;]+?),?\s+and\s+(?:an?\s+|the\s+)?"
    r"(?P<second>[A-ZÀ-Þ](?:(?!\sand\s)[^,;])*?\s(?:at|@)\s+[A-ZÀ-Þ].*)$"
)
_ITEM_END: Final = re.compile(r"(?<!\s)(?:\s*[;\n]|(?:\s*,)?\s+\band\b)\s*", re.I)
_ITEM_OR_COMMA: Final = re.compile(r"(?<!\s)\s*(?:;|\n|,(?:\s+and\b)?|\s\band\b)\s*", re.I)
_AT: Final = re.compile(r"\sat\s|@", re.I)
_NOTE_MARK: Final = re.compile(r"\bnotes?\b[^:\n]{0,60}:|[\"“]", re.I)
_NEWS: Final = re.compile(
    r"\b(?:appl(?:ied|y)|got|get|received|have|had|is|was|are|reject\w*|offer\w*|interview\w*"
    r"|invited"
    r"|turned|declined|ghosted|heard|said|accepted|made|passed|moved)\b",
    re.I,
)
# Questions that no stored row answers: they ask for advice or an explanation.
_ADVICE: Final = re.compile(
    r"^\W*(?:(?:please|can you|could you)\s+)*(?:how (?:do|can|should|would|to|does)\b|why\b"
    r"|(?:what|when|where|who|which\b.{0,30}) should\b|should i\b|explain\b|advise\b|help me\b"
    r"|prepare\b|tell me (?:a|how|why)\b|what (?:is|are) (?:a|an|the (?:best|difference|meaning))\b"
    r"|what does .{1,40} mean)",
    re.I,
)
_QUESTION: Final = re.compile(
    r"\?\s*$|^\W*(?:which|what|how|do|did|does|have|has|is|are|am|when|where|who|why|can i"
    r"|should)\b",
    re.I,
)

# Parts of a tool's name that tell its class.
_VERB_OF_TOOL: Final[dict[Verb, str]] = {
    "create": "create add save insert new record",
    "update": "update edit set change modify",
    "delete": "delete remove erase",
    "list": "list query lookup",
    "search": "search find",
    "read": "read get load fetch scrape open show",
}
_TOOL_WORDS: Final[dict[str, Verb]] = {
    word: verb for verb, words in _VERB_OF_TOOL.items() for word in words.split()
}
# When no tool is of the wanted class, these classes may serve instead.
FALLBACKS: Final[dict[Verb, tuple[Verb, ...]]] = {
    "list": ("list", "read", "search"),
    "read": ("read", "list", "search"),
    "search": ("search", "list"),
    "create": ("create", "update"),
    "update": ("update",),
    "delete": ("delete",),
}


@dataclass(frozen=True, slots=True)
class ToolName:
    """A tool's name taken apart: `create_job` → class create, nouns ("job",)."""

    verb: Verb | None
    nouns: tuple[str, ...]

    @property
    def stems(self) -> set[str]:
        """Of the nouns."""
        return {stem(noun) for noun in self.nouns}


def parse_tool_name(tool: ToolSchema) -> ToolName:
    """Class and nouns by the name.

    >>> parse_tool_name(ToolSchema("job_search", "", {}))
    ToolName(verb='search', nouns=('job',))
    """
    words = [word for word in re.split(r"[^a-z0-9]+", tool.name.casefold()) if word]
    verbs: list[Verb] = [_TOOL_WORDS[word] for word in words if word in _TOOL_WORDS]
    verb = verbs[0] if verbs else None
    return ToolName(verb, tuple(word for word in words if word not in _TOOL_WORDS))


def split_clauses(text: str) -> list[str]:
    """A compound request as its single requests; text after a note's mark is never split.

    >>> split_clauses("Add a job at Acme and then list my jobs")
    ['Add a job at Acme', 'list my jobs']
    """
    mark = _NOTE_MARK.search(text)
    head, tail = (text[: mark.start()], text[mark.start() :]) if mark else (text, "")
    parts = [each for part in _CLAUSE_END.split(head) for each in _repeat_verb(part)]
    parts[-1] += tail
    return [part.strip() for part in parts if part.strip()] or [text.strip()]


def _repeat_verb(clause: str) -> list[str]:
    """What names its verb once for several things, as one clause for each.

    >>> _repeat_verb("move Acme to rejected and Netflix to applied")
    ['move Acme to rejected', 'move Netflix to applied']
    >>> _repeat_verb("add two jobs: Cook at Noma and Waiter at Noma")
    ['add a job: Cook at Noma', 'add a job: Waiter at Noma']
    >>> _repeat_verb("add Cook at Marks and Spencer and Chef at Due")
    ['add Cook at Marks and Spencer', 'add Chef at Due']
    """
    several = _SEVERAL.match(clause)
    if several:
        for pattern in (_ITEM_END, _ITEM_OR_COMMA):
            items = [item.strip() for item in pattern.split(several["items"]) if item.strip()]
            if len(items) > 1 and all(len(_AT.findall(item)) == 1 for item in items):
                return [f"{several['verb']} a {several['noun']}: {item}" for item in items]
    pair = _PAIR.match(clause) or _TWO.match(clause)
    if pair:
        return [f"{pair['verb']} {pair['first']}", f"{pair['verb']} {pair['second']}"]
    return [clause]


def find_verb(clause: str) -> Verb | None:
    """The class of the clause's leading verb, else of the first verb in it; None without one."""
    if is_advice(clause):
        return None
    for verb, pattern in _STARTS.items():
        if pattern.search(clause):
            return verb
    if is_question(clause):
        return "list"
    hits: list[tuple[int, Verb]] = [
        (match.start(), verb)
        for verb, pattern in _CLASS.items()
        if (match := pattern.search(clause))
    ]
    return min(hits)[1] if hits else None


def is_advice(clause: str) -> bool:
    """Whether the clause asks for what no stored row answers."""
    return _ADVICE.search(clause) is not None


def is_command(clause: str) -> bool:
    """Whether the clause begins with a verb that asks for a deed."""
    return any(pattern.search(clause) for pattern in _STARTS.values())


def is_question(text: str) -> bool:
    return _QUESTION.search(text.strip()) is not None


def is_news(text: str) -> bool:
    """Whether the text tells an event ("they rejected me") rather than asks for a deed."""
    return not is_question(text) and _NEWS.search(text) is not None
