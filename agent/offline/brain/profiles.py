"""Statements about the user, and the profile's Markdown with one of them added."""

from __future__ import annotations

import re
from typing import Any, Final, cast

_REMEMBER: Final = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+|also\s+)*(?:remember|keep in mind"
    r"|note(?=\s+that\b|\s*[:,])"
    r"|don['’]t forget"
    r"|bear in mind|for the future|fyi|for your information)\b(?:\s+that"
    r"|\s*[:,])?\s+(?P<fact>.{3,})$",
    re.I | re.S,
)
_TO_PROFILE: Final = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+)*(?:add|save|put|write|store"
    r"|note)\s+(?P<fact>.{3,}?)\s+"
    r"(?:to|in|into|on)\s+my\s+profile\W*$"
    r"|^\W*(?:please\s+|can you\s+|could you\s+)*(?:update|add to|change|extend"
    r"|edit)\s+my\s+profile"
    r"\s*(?:[:,–-]|with|to say|so that|that|to)\s*(?P<rest>.{3,})$",
    re.I | re.S,
)
_ABOUT_SELF: Final = re.compile(
    r"^\W*(?P<fact>(?:i\s+(?:really\s+|only\s+|would\s+|strongly\s+)*(?:prefer|speak|live in"
    r"|want to work"
    r"|want to be|am looking for|am interested in|hope to|dislike|like working|love working"
    r"|don['’]t"
    r" want|do not want|won['’]t|will not relocate|can relocate|can start|am based in|relocat)"
    r"|i['’]d (?:prefer|love to work|like to work)|i['’]m (?:looking for|interested in|based in"
    r"|willing)"
    r"|my (?:preferred|desired|target|favou?rite|ideal|expected|minimum|salary|notice|name is"
    r"|goal|dream"
    r"|availability))\b.{3,})$",
    re.I | re.S,
)
_NOT_FACTS: Final = re.compile(r"\?\s*$|https?://|\b(?:note|notes)\s*:", re.I)
_TEXT_KEYS: Final = ("content", "profile", "markdown", "text", "body")
NOTES_HEADING: Final = "## Notes"


def find_statement(text: str) -> str:
    """What the user states about themselves for the profile; "" when the text is no statement.

    >>> find_statement("Remember that I prefer remote jobs.")
    'I prefer remote jobs'
    """
    stripped = text.strip()
    if _NOT_FACTS.search(stripped):
        return ""
    match = _REMEMBER.match(stripped) or _TO_PROFILE.match(stripped) or _ABOUT_SELF.match(stripped)
    if match is None:
        return ""
    fact = next(value for value in match.groupdict().values() if value)
    return re.sub(r"\s+", " ", fact).strip(' .!,;:"“”')


def find_markdown(result: Any) -> str:
    """The profile's Markdown in a tool's result; "" when there is none yet."""
    if isinstance(result, str):
        return result.strip()
    if not isinstance(result, dict):
        return ""
    found = cast(dict[str, Any], result)
    for key in _TEXT_KEYS:
        value = found.get(key)
        if isinstance(value, dict):
            return find_markdown(cast(Any, value))
        if isinstance(value, str):
            return value.strip()
    return ""


def drop_front_matter(markdown: str) -> str:
    """The Markdown without its front matter, which belongs to the store.

    >>> drop_front_matter("---\\nonboarded: true\\n---\\n# Me")
    '# Me'
    """
    return re.sub(r"\A---\n.*?\n---\n*", "", markdown, flags=re.S).strip()


def merge_note(markdown: str, fact: str) -> str:
    """The profile with the fact as a bullet under "Notes"; unchanged when it is there already."""
    body = drop_front_matter(markdown)
    bullet = f"- {fact[0].upper()}{fact[1:]}" if fact else ""
    if bullet.casefold() in (line.strip().casefold() for line in body.splitlines()):
        return body
    return merge_section(body, NOTES_HEADING, bullet)


def merge_section(body: str, heading: str, line: str) -> str:
    """The Markdown with a line at the end of the section; the section is made when missing."""
    lines = body.splitlines()
    wanted = heading.casefold()
    at = next((i for i, text in enumerate(lines) if text.strip().casefold() == wanted), None)
    if at is None:
        return "\n".join([*lines, *([""] if lines else []), heading, "", line]).strip()
    end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("#")), len(lines))
    while end > at + 1 and not lines[end - 1].strip():
        end -= 1
    rest = lines[end:]
    return "\n".join([*lines[:end], *([""] if end == at + 1 else []), line, *rest]).strip()
