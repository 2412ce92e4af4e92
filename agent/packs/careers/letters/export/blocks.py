"""A document's Markdown as what a page consists of; only as much Markdown as letters use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

_EMPHASIS: Final = re.compile(
    r"(?<![\w*])(\*\*|__)(?=\S)(?P<bold>.+?)(?<=\S)\1(?![\w*])"
    r"|(?<![\w*])([*_])(?=[^\s*_])(?P<italic>[^*_\n]+?)(?<=\S)\3(?![\w*])"
)
_LINK: Final = re.compile(r"\[([^\]\n]{1,200})\]\((https?://[^\s)]{1,500})\)")
_ESCAPE: Final = re.compile(r"\\([\\`*_{}\[\]()#+\-.!])")


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading or list item. lines: as they are broken in the text."""

    kind: Literal["paragraph", "heading", "item"]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    style: Literal["", "bold", "italic"] = ""


def split_blocks(content: str) -> list[Block]:
    """
    >>> [block.kind for block in split_blocks("# A\\n\\none\\ntwo\\n- x\\n- y")]
    ['heading', 'paragraph', 'item', 'item']
    """
    blocks: list[Block] = []
    open_lines: list[str] = []

    def close() -> None:
        if open_lines:
            blocks.append(Block("paragraph", tuple(open_lines)))
            open_lines.clear()

    for line in content.splitlines():
        text = line.strip()
        heading = re.match(r"#{1,6}\s+(.+?)\s*#*$", text)
        item = re.match(r"[-*•]\s+(.+)$", text)
        if heading or item:
            close()
        if heading:
            blocks.append(Block("heading", (heading[1],)))
        elif item:
            blocks.append(Block("item", (item[1],)))
        elif text:
            open_lines.append(text)
        else:
            close()
    close()
    return blocks


def split_spans(line: str) -> list[Span]:
    """
    >>> split_spans("a **b** c")
    [Span(text='a ', style=''), Span(text='b', style='bold'), Span(text=' c', style='')]
    """
    line = _LINK.sub(lambda match: _show_link(match[1], match[2]), line)
    spans: list[Span] = []
    at = 0
    for match in _EMPHASIS.finditer(line):
        spans.append(Span(_unescape(line[at : match.start()])))
        style = "bold" if match["bold"] else "italic"
        spans.append(Span(_unescape(match["bold"] or match["italic"]), style))
        at = match.end()
    spans.append(Span(_unescape(line[at:])))
    return [span for span in spans if span.text]


def to_plain(line: str) -> str:
    return "".join(span.text for span in split_spans(line))


def _show_link(text: str, url: str) -> str:
    return text if text == url else f"{text} ({url})"


def _unescape(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)
