"""How a run is shown in a terminal, event by event."""

from __future__ import annotations

from typing import Any, cast

import pytest

from plainloop.agent.cli.talk.answering import TerminalView
from plainloop.agent.cli.terminal.failures import report_failure
from plainloop.agent.cli.terminal.output import write_status
from plainloop.agent.errors import InputError
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


def test_errors_cannot_control_the_terminal(capsys: pytest.CaptureFixture[str]):
    report_failure(InputError("a\x1b]0;owned\x07b", hint="c\x9bd"), debug=True)
    write_status("e\x1b[2Jf")

    shown = capsys.readouterr().err
    assert not {"\x1b", "\x07", "\x9b"} & set(shown)
    assert all(text in shown for text in ("a�]0;owned�b", "c�d", "e�[2Jf"))
