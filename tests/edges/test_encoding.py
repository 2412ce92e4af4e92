"""What every encoder owes: the stored answer, equal bytes, and to go on anywhere."""

from __future__ import annotations

from plainloop.server.edges.encoder import ShownText


def test_what_is_said_again_is_not_shown_again() -> None:
    shown = ShownText()
    shown.append("I look.")
    shown.close_part()
    shown.append("\n\nHalf of it")
    shown.reset()
    again = [shown.append(piece) for piece in ("I look.", "\n\nHalf", " of it", " and more")]

    assert again == [(False, ""), (False, ""), (False, ""), (False, " and more")]
    assert shown.text == "I look.\n\nHalf of it and more"


def test_what_is_said_differently_drops_the_last_part() -> None:
    shown = ShownText()
    shown.append("I look.")
    shown.close_part()
    shown.append("\n\nHalf of it")
    shown.reset()

    assert shown.append("I look.\n\n") == (False, "")
    assert shown.append("All") == (True, "\n\nAll")
    assert shown.text == "I look.\n\nAll"


def test_what_is_not_said_again_is_void() -> None:
    shown = ShownText()
    shown.append("I look.")
    shown.close_part()
    shown.append("\n\nHalf")
    shown.reset()
    shown.append("I look.")

    assert shown.settle() == (True, "")
    assert shown.settle() == (False, "")
    assert shown.text == "I look."
