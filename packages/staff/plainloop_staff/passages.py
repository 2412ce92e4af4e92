"""A document cut into passages: short enough to quote, whole enough to be understood."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from plainloop_documents.reading import document

PASSAGE_CHARS: Final = 900
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*?)[\s#]*$")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n")
_FENCE: Final = re.compile(r"\s{0,3}(?:```|~~~)")


CUT_JOB: Final = "plainloop_staff.passages"


@dataclass(frozen=True, slots=True)
class Passage:
    """Holds a passage of a document. heading: the headings above it, " › " between; "" for none."""

    heading: str
    content: str


def run(content: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """A file's passages as `{"passages": [[heading, content], …], "size_bytes"}`. Runs in the child
    that reads uploads: a handbook takes seconds.

    Raises: as `reading.document.run`.
    """
    passages = split_passages(document.run(content, options)["text"])
    found = [[passage.heading, passage.content] for passage in passages]
    return {"passages": found, "size_bytes": len(content)}


def split_passages(text: str, max_chars: int = PASSAGE_CHARS) -> list[Passage]:
    """Passages of at most `max_chars`, cut at headings and paragraphs, else at sentences.

    >>> split_passages("# Desk\\n\\nKeep it tidy.\\n\\n## Plants\\n\\nWater them.")
    [Passage(heading='Desk', content='Keep it tidy.'), \
Passage(heading='Desk › Plants', content='Water them.')]
    """
    passages: list[Passage] = []
    for heading, paragraphs in _split_sections(text):
        content = ""
        for piece in (p for paragraph in paragraphs for p in _cut(paragraph, max_chars)):
            if content and len(content) + 2 + len(piece) > max_chars:
                passages.append(Passage(heading, content))
                content = ""
            content = f"{content}\n\n{piece}" if content else piece
        if content:
            passages.append(Passage(heading, content))
    return passages


def _split_sections(text: str) -> list[tuple[str, list[str]]]:
    """(headings above, paragraphs) for each stretch between two headings."""
    above: list[tuple[int, str]] = []
    sections: list[tuple[str, list[list[str]]]] = [("", [[]])]  # paragraphs as their lines
    is_code = False
    for line in text.splitlines():
        is_code ^= _FENCE.match(line) is not None
        heading = None if is_code else _HEADING.match(line)
        paragraphs = sections[-1][1]
        if heading:
            level = len(heading[1])
            above = [*(item for item in above if item[0] < level), (level, heading[2])]
            sections.append((" › ".join(name for _, name in above), [[]]))
        elif line.strip():
            paragraphs[-1].append(line.rstrip())
        elif paragraphs[-1]:
            paragraphs.append([])
    return [(name, ["\n".join(lines) for lines in found if lines]) for name, found in sections]


def _cut(paragraph: str, max_chars: int) -> list[str]:
    """The paragraph in pieces that fit: whole sentences where they do, else hard cuts."""
    if len(paragraph) <= max_chars:
        return [paragraph]
    pieces: list[str] = []
    for sentence in _SENTENCE_END.split(paragraph):
        for start in range(0, len(sentence), max_chars):
            part = sentence[start : start + max_chars]
            if pieces and len(pieces[-1]) + 1 + len(part) <= max_chars:
                pieces[-1] = f"{pieces[-1]} {part}"
            else:
                pieces.append(part)
    return pieces
