"""Markdown as what a page consists of: one reading of it, for every kind of file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import InputError

MAX_BLOCKS: Final = 5_000
# Documents hold plain paragraphs: four spaces are no program, a line of dashes makes no heading,
# and a tag is text.
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).disable(
    ["code", "lheading", "html_block", "html_inline", "image"]
)
_BULLET: Final = re.compile(r"^([ \t]*)[•▪◦‣·](?=[ \t])", re.M)  # as word processors write lists
_STYLES: Final = {"strong": "bold", "em": "italic"}


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text in one style. text: may contain line breaks."""

    text: str
    styles: frozenset[str] = frozenset()  # of "bold", "italic"


@dataclass(slots=True)
class Block:
    """A paragraph, heading or list item. mark: "•" or "3." before an item; depth: of its list."""

    kind: Literal["paragraph", "heading", "item"]
    spans: list[Span] = field(default_factory=list[Span])
    mark: str = ""
    depth: int = 0


def parse_blocks(content: str) -> list[Block]:
    """Parse Markdown to blocks: paragraphs, headings and list items.

    >>> [(block.kind, block.spans[0].text) for block in parse_blocks("# A\\n\\none\\n- x")]
    [('heading', 'A'), ('paragraph', 'one'), ('item', 'x')]

    Raises: InputError when it is no document for people any more.
    """
    blocks: list[Block] = []
    numbers: list[int | None] = []  # of the lists around, the next item's; None: bullets
    mark = ""
    heading = False
    for token in _MARKDOWN.parse(_BULLET.sub(r"\1-", content)):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            is_ordered = token.type.startswith("ordered")
            numbers.append(int(token.attrGet("start") or 1) if is_ordered else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            numbers.pop()
        elif token.type == "list_item_open":
            number = numbers[-1]
            mark = "•" if number is None else f"{token.info or number}."
            numbers[-1] = None if number is None else number + 1
        elif token.type == "list_item_close":
            mark = ""  # of an empty item: the next paragraph is none of the list
        elif token.type == "heading_open":
            heading = True
        elif token.type in ("inline", "fence", "code_block"):
            kind = "heading" if heading else "item" if mark else "paragraph"
            spans = list(_iter_spans(token.children or [token]))
            blocks.append(Block(kind, spans, mark, len(numbers)))
            mark, heading = "", False
    if len(blocks) > MAX_BLOCKS:
        raise InputError(
            f"the document has more than {MAX_BLOCKS:,} paragraphs",
            hint="Split the document.",
            code="DOCUMENT_TOO_LONG",
        )
    return [block for block in blocks if block.spans]


def _iter_spans(tokens: list[Token]) -> Iterator[Span]:
    """Yield the styled pieces of text of one block; a link's address follows it in brackets."""
    styles: list[str] = []
    links: list[tuple[str, list[str]]] = []  # (address, the texts that it is under)
    for token in tokens:
        name = token.type.removesuffix("_open").removesuffix("_close")
        text = "\n" if token.type in ("softbreak", "hardbreak") else token.content
        if name == "link" and token.nesting == 1:
            links.append((str(token.attrGet("href") or ""), []))
        elif name == "link":
            address, shown = links.pop()
            text = (
                "" if address.removeprefix("mailto:") in ("".join(shown), "") else f" ({address})"
            )
        elif name in _STYLES:
            (styles.append if token.nesting == 1 else styles.remove)(_STYLES[name])
        if text:
            for _, shown in links:
                shown.append(text)
            yield Span(text, frozenset(styles))
