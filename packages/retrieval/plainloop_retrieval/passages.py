"""A document cut into passages: short enough to quote, whole enough to be understood."""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, Final

from plainloop.agent.base.text.cleaning import clean_text, cut_text
from plainloop.agent.dataclasses import dataclass
from plainloop_documents.reading import document

CUT_JOB: Final = "plainloop_retrieval.passages"
CUT_VERSION: Final = 1  # counted up where the same file gives other passages than before
HEADING_CHARS: Final = 300
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*)")
_CLOSING: Final = f"#{string.whitespace}"  # of a heading; in the pattern it took quadratic time
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n")
_FENCE: Final = re.compile(r"\s{0,3}(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a document: its text, the headings above it, and its offset.

    heading: the headings above it, " › " between; "" for none. text_offset: the characters of the
    document's text before it. page: None where a format has no pages.
    """

    heading: str
    content: str
    text_offset: int = 0
    page: int | None = None


def run(content: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """Split an uploaded file into passages.

    Called in the child process that reads uploads. Returns `{"passages": [{heading, content,
    text_offset, page}, …], "size_bytes"}`.

    Raises: as `reading.document.run`.
    """
    read = document.run(content, options)
    starts: list[int] = read["page_starts"]
    passages = [
        {
            "heading": passage.heading,
            "content": passage.content,
            "text_offset": passage.text_offset,
            "page": bisect_right(starts, passage.text_offset) or None,
        }
        for passage in split_passages(clean_text(read["text"]), options["passage_chars"])
    ]
    return {"passages": passages, "size_bytes": len(content)}


def split_passages(text: str, max_chars: int) -> list[Passage]:
    """Split a text into passages of at most `max_chars`, at headings, paragraphs, sentences.

    >>> split_passages("# Desk\\n\\nKeep it tidy.\\n\\n## Plants\\n\\nWater them.", 900)
    [Passage(heading='Desk', content='Keep it tidy.', text_offset=8, page=None), \
Passage(heading='Desk › Plants', content='Water them.', text_offset=34, page=None)]
    """
    passages: list[Passage] = []
    for heading, paragraphs in _split_sections(text):
        content, begin = "", 0
        for start, end in paragraphs:
            for offset, piece in _cut(text[start:end], start, max_chars):
                if content and len(content) + 2 + len(piece) > max_chars:
                    passages.append(Passage(heading, content, begin))
                    content = ""
                begin = begin if content else offset
                content = f"{content}\n\n{piece}" if content else piece
        if content:
            passages.append(Passage(heading, content, begin))
    return passages


def _split_sections(text: str) -> list[tuple[str, list[tuple[int, int]]]]:
    """Split a text at headings: for each section, headings above and spans of paragraphs."""
    above: list[tuple[int, str]] = []
    sections: list[tuple[str, list[tuple[int, int]]]] = [("", [])]
    offset, is_code, is_open = 0, False, False
    for line in text.splitlines(keepends=True):
        start, offset = offset, offset + len(line)
        is_code ^= _FENCE.match(line) is not None
        heading = None if is_code else _HEADING.match(line.rstrip())
        paragraphs = sections[-1][1]
        if heading:
            level, title = len(heading[1]), cut_text(heading[2].rstrip(_CLOSING), HEADING_CHARS)
            above = [*(item for item in above if item[0] < level), (level, title)]
            sections.append((" › ".join(name for _, name in above), []))
            is_open = False
        elif line.strip():
            begin = paragraphs.pop()[0] if is_open else start
            paragraphs.append((begin, start + len(line.rstrip())))
            is_open = True
        else:
            is_open = False
    return sections


def _cut(paragraph: str, start: int, max_chars: int) -> list[tuple[int, str]]:
    """The paragraph in pieces that fit, each with its offset: whole sentences where they do, else
    hard cuts.
    """
    if len(paragraph) <= max_chars:
        return [(start, paragraph)]
    pieces: list[tuple[int, str]] = []
    for at, sentence in _iter_sentences(paragraph):
        for within in range(0, len(sentence), max_chars):
            part = sentence[within : within + max_chars]
            if pieces and len(pieces[-1][1]) + 1 + len(part) <= max_chars:
                pieces[-1] = (pieces[-1][0], f"{pieces[-1][1]} {part}")
            else:
                pieces.append((start + at + within, part))
    return pieces


def _iter_sentences(paragraph: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a paragraph, each with its offset."""
    begin = 0
    for end in _SENTENCE_END.finditer(paragraph):
        yield begin, paragraph[begin : end.start()]
        begin = end.end()
    yield begin, paragraph[begin:]
