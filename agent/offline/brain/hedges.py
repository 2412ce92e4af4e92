"""What a text only seems to ask for: denied, supposed, feared, or still to come. It is not done."""

from __future__ import annotations

import re
from typing import Final

from ..rules import get_rules

# "Don't forget to add …" asks for the deed.
_REMINDER: Final = re.compile(
    r"^\W*(?:please\s+)?(?:(?:do not|don['’]?t|never) forget|remember|be sure|make sure)\s+to\s+",
    re.I,
)
_POLITE: Final = re.compile(
    r"\b(?:can|could|would|will)\s+you\b|\bwould you mind\b|\bi(?: would|['’]d)\s+(?:like|love)\b"
    r"|\bif (?:possible|you (?:can|could|want|like|don['’]t mind|please)|that['’]?s ok(?:ay)?)\b",
    re.I,
)
_WRITE: Final = (
    r"(?:add|adding|save|saving|track|create|record|log|register|store|bookmark|delete|deleting"
    r"|remove|removing|drop|discard|erase|move|moving|mark|marking|set|setting|update|updating"
    r"|change|changing|edit|rename|switch|put|touch|write|writing|draft|compose)"
)
_DENIED: Final = re.compile(
    r"(?:\b(?:do|does|should|must|will|would|can)\s+not|\bnever|\bcannot|\bnot|n['’]t|\bdont"
    r"|\bwithout|\bno need to|\bstop|\bavoid|\binstead of|\brather than)"
    rf"\s+(?:\w+\s+){{0,2}}?{_WRITE}\b",
    re.I,
)
_SUPPOSED: Final = re.compile(
    r"\b(?:if|unless|in case|suppose|assuming|provided that)\b"
    r"|^\W*(?:when|once|whenever|as soon as|until|after|before)\b[^,]{3,80},",
    re.I,
)
# What the rules cannot pick out: all but one, and what is taken back in the same breath.
_BEYOND: Final = re.compile(
    r"\b(?:except|excluding|apart from|other than|but not|all but|everything but|besides)\b"
    r"|\w\W+(?:no,|no wait|wait,|i mean|or rather|scratch that|actually,)\s",
    re.I,
)
_UNDONE: Final = re.compile(
    r"\b(?:withdr\w+|cancel\w*|call(?:ed)? off|revok\w+|rescind\w*|postponed"
    r"|I (?:have |just )*(?:rejected|declined|refused|turned down)"
    r"|(?:turned|turn) (?:it|them|(?:the|their|his|her) \w+) down)\b",
    re.I,
)
_UNSURE: Final = re.compile(
    r"\b(?:whether|might|could|should|would|shall|afraid|worried|wonder\w*|thinking (?:of|about)"
    r"|think (?:of|about)|consider\w*|tempted|perhaps|maybe|probably|how to|about to|hope|hoping"
    r"|hopefully|wish|almost|nearly|imagine|dream\w*|expect\w*|plan(?:ning)? to|intend\w*)\b"
    r"|(?-i:\bmay\b)",
    re.I,
)
_TO_COME: Final = re.compile(
    r"(?:\b(?:will|going to|gonna|want to|like to|need to|have to|ought to|supposed to)|['’]ll)\b"
    r"(?!\s+(?:\w+\s+){0,3}?(?:interview|screen|call|meet|hire)\w*)",
    re.I,
)
_NOT: Final = re.compile(
    r"\b(?:not|never|nor|neither|no longer)\b|n['’]t\b|\b(?:did|have|has|was|is)nt\b", re.I
)
_UNREAL: Final = (_UNSURE, _TO_COME, _NOT, _SUPPOSED, _UNDONE, _BEYOND)
# Conditions that no parameter says: what is left out, when it was, how much it is.
_UNSAID: Final = re.compile(
    r"\b(?:except(?:ing)?|excluding|exclude|other than|apart from|besides|but not|all but|minus"
    r"|without|not|never|no longer|since|between|yesterday|today"
    r"|(?:this|last|past|next) (?:week|month|year|quarter)|ago"
    r"|(?:over|above|under|below|more than|less than|at least|at most)\s+[$€£]?\d[\d.,]*k?"
    r"|i (?:(?:have|had|just|already) )*(?:rejected|declined|refused|turned down)"
    r"|(?:are|is|still) (?:still )?open)\b|n['’]t\b",
    re.I,
)

# Small words that carry something after all, and the turns of speech in which they do not.
_FORM: Final = re.compile(
    r"\b(?:have|has) (?:i|we) got\b|\b(?:i|we)['’]ve got\b|\b(?:get|give|let|make) me\b"
    r"|(?<!do )\bi (?:want|need)\b|\bcan i get\b",
    re.I,
)
_DOUBTFUL: Final = re.compile(r"\b(?:(?i:get|got|make|made|want|need|put)|IT|US)\b")


def strip_reminder(text: str) -> str:
    """
    >>> strip_reminder("Don't forget to add a job at Acme")
    'add a job at Acme'
    """
    return _REMINDER.sub("", text)


def is_denied(clause: str) -> bool:
    """Whether the clause says not to do it.

    >>> is_denied("please don't delete the Acme job"), is_denied("delete the Acme job")
    (True, False)
    """
    return _DENIED.search(clause) is not None


def is_beyond(clause: str) -> bool:
    """Whether the clause picks by what it leaves out, or corrects itself."""
    return _BEYOND.search(clause) is not None


def is_supposed(text: str) -> bool:
    """Whether the text names a condition for what it asks."""
    return _SUPPOSED.search(_POLITE.sub(" ", text)) is not None


def is_unsure(text: str) -> bool:
    """Whether the text weighs a deed instead of asking for it."""
    return _UNSURE.search(_POLITE.sub(" ", text)) is not None


def is_unreal(clause: str) -> bool:
    """Whether what the clause tells has not happened (yet)."""
    if any(re.search(real, clause, re.I) for rules in get_rules() for real in rules.real):
        return False
    plain = _POLITE.sub(" ", clause)
    learned = [pattern for rules in get_rules() for pattern in rules.unreal]
    return any(pattern.search(plain) for pattern in _UNREAL) or any(
        re.search(pattern, plain, re.I) for pattern in learned
    )


def find_unsaid(clause: str) -> int | None:
    """Where the first condition on stored rows begins that no filter can say; None without one.

    >>> find_unsaid("all jobs except rejected"), find_unsaid("list my rejected jobs")
    (9, None)
    """
    found = _UNSAID.search(clause)
    return found.start() if found else None


def list_doubtful(clause: str) -> list[str]:
    """Small words that say more than the question's form.

    >>> list_doubtful("how many jobs did I get?"), list_doubtful("how many jobs have I got?")
    (['get'], [])
    """
    return _DOUBTFUL.findall(_FORM.sub(" ", clause))
