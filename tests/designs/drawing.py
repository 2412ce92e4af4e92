"""Reads a graph drawing: which names it holds, and which arrows lead from where to where."""

from __future__ import annotations

import re
from dataclasses import dataclass

Edge = tuple[str, str]
NAME = re.compile(r"\[?[A-Za-z_][\w.]*\??\]?")
BETWEEN = {"to": re.compile(r"\s*─+►\s*"), "both": re.compile(r"\s*⇄\s*")}


@dataclass(frozen=True)
class Token:
    row: int
    start: int
    end: int
    text: str


def parse_drawing(drawing: str) -> set[Edge]:
    """The drawing's arrows as pairs of names. A pair joined by ⇄ is left from its first name."""
    rows = drawing.splitlines()
    tokens = [
        Token(r, match.start(), match.end(), match[0])
        for r, row in enumerate(rows)
        for match in NAME.finditer(row)
    ]
    return {*_read_rows(rows, tokens), *_read_columns(rows, tokens)}


def _read_rows(rows: list[str], tokens: list[Token]) -> set[Edge]:
    edges: set[Edge] = set()
    for row, line in enumerate(rows):
        group: list[str] = []
        previous: Token | None = None
        for token in (token for token in tokens if token.row == row):
            gap = line[previous.end : token.start] if previous else ""
            if gap.strip() == "|":
                group.append(token.text)
            elif BETWEEN["both"].fullmatch(gap):
                edges |= {(group[0], token.text), (token.text, group[0])}
            elif BETWEEN["to"].fullmatch(gap):
                alternatives = _list_alternatives(line, token)
                edges |= {(left, right) for left in group for right in alternatives}
                group = [token.text]
            else:
                group = [token.text]
            previous = token
    return edges


def _list_alternatives(line: str, token: Token) -> list[str]:
    """The token and those that `|` joins to its right."""
    joined = re.match(r"[\w.\[\]?]+(\s*\|\s*[\w.]+)*", line[token.start :])
    assert joined is not None
    return re.split(r"\s*\|\s*", joined[0])


def _read_columns(rows: list[str], tokens: list[Token]) -> set[Edge]:
    edges: set[Edge] = set()
    for token in tokens:
        for column in range(token.start, token.end):
            below = _get(rows, token.row + 1, column)
            if below == "│" and (target := _follow_down(rows, tokens, token.row + 1, column)):
                edges.add((token.text, target))
            if below == "▲":
                sources = _follow_back(rows, tokens, token.row + 1, column)
                edges |= {(source, token.text) for source in sources}
    return edges


def _follow_down(rows: list[str], tokens: list[Token], row: int, column: int) -> str | None:
    while _get(rows, row, column) == "│":
        row += 1
    if _get(rows, row, column) == "└":
        column = rows[row].index("►", column) + 1
        while _get(rows, row, column) == " ":
            column += 1
    return _find(tokens, row, column)


def _follow_back(rows: list[str], tokens: list[Token], row: int, column: int) -> list[str]:
    """From an arrow's head down to its corner, along to the other corner, up to each source."""
    while _get(rows, row, column) in "▲│":
        row += 1
    last = rows[row].index("┘", column)
    sources: list[str] = []
    for place in range(column, last + 1):
        above = row - 1
        while rows[row][place] in "┴┘" and _get(rows, above, place) == "│":
            above -= 1
        if rows[row][place] in "┴┘" and (source := _find(tokens, above, place)):
            sources.append(source)
    return sources


def _get(rows: list[str], row: int, column: int) -> str:
    return rows[row][column] if row < len(rows) and column < len(rows[row]) else " "


def _find(tokens: list[Token], row: int, column: int) -> str | None:
    for token in tokens:
        if token.row == row and token.start <= column < token.end:
            return token.text
    return None


def drop_labels(edges: set[Edge], labels: set[str]) -> set[Edge]:
    """The edges with labels and decisions taken out: what led to one leads to what it led to."""
    for label in labels:
        sources = {a for a, b in edges if b == label}
        targets = {b for a, b in edges if a == label}
        edges = {(a, b) for a, b in edges if label not in (a, b)}
        edges |= {(a, b) for a in sources for b in targets}
    return edges
