"""How a run is shown in a terminal, event by event."""

from __future__ import annotations

from typing import Any, cast

import pytest

from plainloop.agent.cli.talk.answering import TerminalView
from plainloop.agent.events import Event


def show(*events: tuple[str, dict[str, Any]]) -> None:
    view = TerminalView()
    for name, data in events:
        view.follow(cast(Event, {"event": name, "data": data}))


def test_the_terminal_announces_a_reset_only_after_visible_text(capsys: pytest.CaptureFixture[str]):
    show(("text_reset", {"reason": "resumed"}), ("text_delta", {"content": "Hello."}))
    first = capsys.readouterr()
    assert (first.out, first.err) == ("Hello.", "")

    show(("text_delta", {"content": "Hel"}), ("text_reset", {"reason": "cut"}))
    second = capsys.readouterr()
    assert (second.out, second.err) == ("Hel\n", "[the answer above is replaced: cut]\n")
