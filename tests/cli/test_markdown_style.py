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


def style_pieces(pieces: list[str], width: int | None = None, *, is_plain: bool = False) -> str:
    style = MarkdownStyle(width, is_plain=is_plain)
    return "".join(map(style.feed, pieces)) + style.finish()


@pytest.mark.parametrize(("text", "styled"), CASES)
def test_the_terminal_renders_markdown_markers_as_styles(text: str, styled: str):
    assert style_pieces([text]) == styled


@given(st.sampled_from([text for text, _ in CASES]), st.lists(st.integers(0, 40), max_size=6))
def test_terminal_markdown_is_equal_for_any_chunks(text: str, cuts: list[int]):
    places = [0, *sorted(cuts), len(text)]
    pieces = [text[a:b] for a, b in zip(places, places[1:], strict=False)]

    assert style_pieces(pieces) == style_pieces([text])


@given(st.text(alphabet="ab *`#-\n", max_size=60))
def test_terminal_styles_end_with_the_text_and_lose_no_word(text: str):
    assume(not re.search(r"```[^`\n]*[ab][^`\n]*$", text, re.M))  # a block's language is no word
    styled = style_pieces(list(text))
    plain = styled.replace(BOLD, "").replace(CODE, "").replace(PLAIN, "")

    assert "".join(c for c in text if c in "ab") == "".join(c for c in plain if c in "ab")
    assert max(styled.rfind(BOLD), styled.rfind(CODE)) <= styled.rfind(PLAIN)


WRAPPED = [
    ("one two three four", "one two\nthree four"),
    ("- one two three four", "• one two\n  three\n  four"),
    ("a **bold word** there", f"a {BOLD}bold\nword{PLAIN} there"),
    ("```\none two three four\n```\nx", f"\n{CODE}one two three four{PLAIN}\n\nx"),
    ("at https://example.org/long", "at\nhttps://example.org/long"),
    ("天地玄黄宇宙。", "天地玄黄宇\n宙。"),
]


@pytest.mark.parametrize(("text", "shown"), WRAPPED)
def test_terminal_lines_break_between_words_except_in_code(text: str, shown: str):
    assert style_pieces([text], 10) == shown
    assert style_pieces(list(text), 10) == shown


def test_without_colours_the_terminal_prints_markdown_markers():
    assert style_pieces(["**one** two\n```\na b c d e f\n```"], 8, is_plain=True) == (
        "**one**\ntwo\n```\na b c d e f\n```"
    )


@given(st.text(alphabet="ab *`#-\n", max_size=80), st.integers(5, 30))
def test_no_terminal_line_exceeds_the_window_width(text: str, width: int):
    assume("```" not in text and "~~~" not in text)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", style_pieces(list(text), width))

    # A word that is longer than what a list's marks leave of the line stays behind them.
    lines = [re.sub(r"^(?:\s*[•*+-]\s+)+", "", line) for line in plain.splitlines()]
    long = [line for line in lines if len(line) > width and " " in line.strip()]
    # The terminal breaks a word that is longer than a line, of which half may be set in; the next
    # ones go on behind it.
    assert [line for line in long if max(map(len, line.split())) <= width // 2] == []
    assert "".join(c for c in text if c in "ab") == "".join(c for c in plain if c in "ab")
