"""Markdown in a terminal: styles instead of markers, however the text is cut into pieces."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from plainloop.agent.cli.terminal.markdown import BOLD, CODE, PLAIN, MarkdownStyle

CASES = [
    ("plain words, 2 * 3 = 6", "plain words, 2 * 3 = 6"),
    ("a **bold** word", f"a {BOLD}bold{PLAIN} word"),
    ("run `ls **` now", f"run {CODE}ls **{PLAIN} now"),
    ("# Title\ntext", f"{BOLD}Title{PLAIN}\ntext"),
    ("- one\n  * two", "• one\n  • two"),
    ("- #2 Backend Engineer", "• #2 Backend Engineer"),
    ("#2 is no heading", "#2 is no heading"),
    ("-5 degrees", "-5 degrees"),
    ("**never closed\nnext", f"{BOLD}never closed{PLAIN}\nnext"),
    ("```py\n# x = **y\n```\nend", f"\n{CODE}# x = **y{PLAIN}\n\nend"),
    ("```\nx\n```y\n```", f"\n{CODE}x{PLAIN}\n{CODE}```y{PLAIN}\n"),
    ("```ls```", f"{CODE}{PLAIN}{CODE}ls{PLAIN}{CODE}{PLAIN}"),
    ("a*", "a*"),
]


def style_pieces(pieces: list[str]) -> str:
    style = MarkdownStyle()
    return "".join(map(style.feed, pieces)) + style.finish()


@pytest.mark.parametrize(("text", "styled"), CASES)
def test_markers_become_styles(text: str, styled: str):
    assert style_pieces([text]) == styled


@given(st.sampled_from([text for text, _ in CASES]), st.lists(st.integers(0, 40), max_size=6))
def test_where_the_text_is_cut_makes_no_difference(text: str, cuts: list[int]):
    places = [0, *sorted(cuts), len(text)]
    pieces = [text[a:b] for a, b in zip(places, places[1:], strict=False)]

    assert style_pieces(pieces) == style_pieces([text])


@given(st.text(alphabet="ab *`#-\n", max_size=60))
def test_styles_never_leak_past_the_end_and_no_word_is_lost(text: str):
    assume(not re.search(r"```[^`\n]*[ab][^`\n]*$", text, re.M))  # a block's language is no word
    styled = style_pieces(list(text))
    plain = styled.replace(BOLD, "").replace(CODE, "").replace(PLAIN, "")

    assert "".join(c for c in text if c in "ab") == "".join(c for c in plain if c in "ab")
    assert max(styled.rfind(BOLD), styled.rfind(CODE)) <= styled.rfind(PLAIN)
