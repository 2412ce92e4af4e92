"""A marker is never shown, however the text is cut; all else is shown, and as soon as it can be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.base.text.markers import MarkerFilter

MARKER = "[DONE]"
pieces = st.lists(
    st.sampled_from(["[", "[DO", "NE]", "DONE]", MARKER, " ", "\n", "a", "word "]), max_size=12
)


def strip_whole(text: str) -> str:
    """What is left, by the words of the class: said once more, without any stream."""
    first, *behind = text.split(MARKER)
    if not behind:
        return text
    left = first.rstrip()
    for n, part in enumerate(behind, 1):
        body = part if n == len(behind) else part.rstrip()
        if not body.strip():
            continue
        gap = body[: len(body) - len(body.lstrip())] or " "
        left += (gap if left else "") + body.lstrip()
    return left


@given(pieces)
def test_marker_removal_does_not_depend_on_chunks(cut: list[str]):
    text = "".join(cut)
    marked = MarkerFilter(MARKER)
    shown = [*map(marked.feed, cut), marked.finish()]

    assert "".join(shown) == strip_whole(text)
    assert marked.is_found is (MARKER in text)


@given(pieces)
def test_marker_removal_never_withdraws_streamed_text(cut: list[str]):
    marked = MarkerFilter(MARKER)
    so_far = ""
    for n, piece in enumerate(cut):
        so_far += marked.feed(piece)
        assert strip_whole("".join(cut)).startswith(so_far.rstrip()), n


@pytest.mark.parametrize(
    ("text", "shown"),
    [("plain", "plain"), ("a [", "a"), ("a [DON", "a"), ("a [DONT", "a [DONT"), ("a b ", "a b")],
)
def test_streaming_holds_back_only_text_that_may_become_a_marker(text: str, shown: str):
    assert MarkerFilter(MARKER).feed(text) == shown


def test_resetting_a_streamed_text_drops_held_back_characters():
    marked = MarkerFilter(MARKER)
    marked.feed("a [DONE] b [DO")
    marked.reset()

    assert marked.is_found is False
    assert marked.feed("NE] c") + marked.finish() == "NE] c"
