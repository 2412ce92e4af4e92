"""A letter cut into its parts and sentences."""

from __future__ import annotations

import re
import textwrap
from typing import Final, Literal

from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.dataclasses import dataclass

from ...files import Patterns

_SAID: Final = Patterns(__file__)
Part = Literal["head", "salutation", "body", "closing"]

# What is longer is no prose; in pieces its check stays quick.
MAX_SENTENCE: Final = 600
_LONG_WORD: Final = compile_lazily(r"(\S{100})(?=\S)")
_ABBREVIATION: Final = _SAID.compile("abbreviation")
_SENTENCE_END: Final = compile_lazily(r"(?<![.!?])[.!?]+[\"”’)]*\s+(?=[\"“‘(]?[^\W_a-z])")
_MARKDOWN: Final = compile_lazily(r"\*\*|__|`|^[ \t]*(?:#+|[-*•>]|\d+[.)])[ \t]+", re.M)
RESIDENCE: Final = _SAID.compile("residence")  # what a place alone can prove
_LINK: Final = compile_lazily(r"\[([^\[\]]+)\]\(([^)\s]{1,500})\)")
SALUTATION: Final = _SAID.text("salutation")
CLOSING: Final = _SAID.text("closing")
_SALUTATION: Final = compile_lazily(rf"^{SALUTATION}", re.I)
_GREETING: Final = compile_lazily(rf"^\W*\w+|\b{SALUTATION}", re.I)
# In whatever language: a few words alone, with the sign that a greeting ends in.
_LONE_GREETING: Final = compile_lazily(r"^(?:[^\W\d]++[ .,]*+){1,5}+(?:(?<=,)|[:!])$")
_CLOSING: Final = compile_lazily(
    rf"^(?:{CLOSING}|with (?:kind|best) (?:regards|wishes)|thank you)[,.!]?$", re.I
)
# It claims as much as the text above the signature.
_POSTSCRIPT: Final = compile_lazily(r"^(?:P\.?[ ]?S|N\.?[ ]?B)\b[.:]*+(?=\s)")


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    part: Part


def split_letter(letter: str) -> list[Sentence]:
    """Split a letter into sentences. Address lines, salutation and signature count as sentences."""
    plain = _LINK.sub(r"\1 \2", _LONG_WORD.sub(r"\1 ", letter.replace("\r\n", "\n")))
    # A list item is a paragraph of its own.
    plain = re.sub(r"\n(?=[ \t]*(?:[-*•]|\d+[.)])[ \t]+)", "\n\n", plain)
    paragraphs = [_MARKDOWN.sub("", part) for part in re.split(r"\n\s*\n", plain)]
    lines = [line.strip() for part in paragraphs for line in part.split("\n")]
    has_salutation = any(_SALUTATION.match(line) for line in lines)
    part: Part = "head" if has_salutation else "body"
    sentences: list[Sentence] = []
    if not has_salutation and _LONE_GREETING.match(first := paragraphs[0].strip()):
        sentences.append(Sentence(first, "salutation"))
        paragraphs = paragraphs[1:]
    for paragraph in paragraphs:
        part = _split_paragraph(paragraph, part, sentences)
    return sentences


def blank_greeting(text: str) -> str:
    """Replace the greeting in a salutation by spaces, which leaves only names."""
    return _GREETING.sub(lambda match: " " * len(match[0]), text)


def _split_paragraph(paragraph: str, part: Part, sentences: list[Sentence]) -> Part:
    """Append the paragraph's sentences to the list; return the letter's part that comes next."""
    body: list[str] = []
    for line in (line.strip() for line in paragraph.split("\n")):
        if part in ("body", "closing") and (mark := _POSTSCRIPT.match(line)):
            part, line = "body", line[mark.end() :].strip()
        if part in ("head", "body") and not body and _SALUTATION.match(line) and len(line) < 80:
            sentences.append(Sentence(line, "salutation"))
            part = "body"
        elif part == "body" and _CLOSING.match(line):
            sentences.extend(_split_body(body))
            body = []
            part = "closing"
        elif part == "body":
            body.append(line)
        elif line:
            sentences.extend(Sentence(item, part) for item in textwrap.wrap(line, MAX_SENTENCE))
    sentences.extend(_split_body(body))
    return part


def _split_body(lines: list[str]) -> list[Sentence]:
    text = " ".join(line for line in lines if line)
    pieces: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if match[0].startswith(".") and _ABBREVIATION.search(text, start, match.start()):
            continue
        pieces.append(text[start : match.end()].strip())
        start = match.end()
    pieces.append(text[start:].strip())
    return [
        Sentence(chunk, "body") for piece in pieces for chunk in textwrap.wrap(piece, MAX_SENTENCE)
    ]
