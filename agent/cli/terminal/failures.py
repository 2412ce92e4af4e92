"""Converts an exception to an error line and an exit code, for all commands.

    error[NOT_FOUND]: no such thread: 0197…
    hint: `plainloop threads` lists yours.

Exit codes are the classes' own (`agent/errors.py`); here are those that no class has.
"""

from __future__ import annotations

import logging
import signal
import sys
import traceback
from typing import Any, Final

import typer

from ...errors import AgentError
from .wrapping import get_width, to_terminal, wrap_words

EXIT_BUG: Final = 1
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as a shell says it
EXIT_PIPE: Final = 141  # 128 + SIGPIPE
MAX_MESSAGE_CHARS: Final = 1_000

EXIT_CODES: Final = """\
0 done · 1 something failed · 2 wrong usage, settings or input · 3 not found ·
4 conflict, thread busy · 5 database · 6 a limit ended the run · 7 model failed ·
8 waits for your approval · 9 a budget is used up · 10 a gate is undecided ·
129, 130, 143 stopped by hang-up, Ctrl-C, terminate · 141 stdout was closed"""


class Stopped(Exception):
    """A signal ended the command; its run has been recorded as cancelled."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal.Signals(signal_number).name)
        self.exit_code = 128 + signal_number


class ReaderGone(Exception):
    """The reader of our output is gone: end without a message."""


def report_failure(error: BaseException, *, debug: bool = False) -> int:
    """Print an error, its hint and notes on stderr; return the command's exit code.

    A bare group of commands prints its help there.
    """
    # End without a message, as other programs do in `| head`: the reader is gone.
    if isinstance(error, (ReaderGone, BrokenPipeError)):
        return EXIT_PIPE
    if type(error).__name__ == "NoArgsIsHelpError":  # typer exports no name for it
        write_error(str(getattr(error, "message")))  # noqa: B009
        return get_exit_code(error)
    # A message may quote a file or a server (test_errors_cannot_control_the_terminal).
    for line in [*describe_failure(error), *list_notes(error)]:
        write_error(to_terminal(wrap_words(line, get_width(sys.stderr))))
    if debug:
        write_error(to_terminal("".join(traceback.format_exception(error)).rstrip()))
    return get_exit_code(error)


def describe_failure(error: BaseException) -> list[str]:
    """Describe an error in one line with its code, and in a second line with its hint, if any."""
    if isinstance(error, (KeyboardInterrupt, typer.Abort)):
        return ["cancelled"]
    if isinstance(error, Stopped):
        return ["cancelled" if error.exit_code == EXIT_INTERRUPTED else f"cancelled by {error}"]
    if isinstance(error, AgentError):
        code, hint = error.code, error.hint
        message = error.message or type(error).__name__
    elif isinstance(error, typer.TyperException):
        code, hint = "USAGE", "`--help` shows all options and commands."
        message = error.format_message()
    else:
        code, hint = "INTERNAL_ERROR", "This is a bug. `plainloop --debug …` shows its traceback."
        name = type(error).__name__
        message = f"{name}: {error}" if str(error) else name
    lines = [f"error[{code}]: {to_line(message)}"]
    return [*lines, f"hint: {to_line(hint)}"] if hint else lines


def list_notes(error: BaseException | None) -> list[str]:
    """List the notes attached to the error and to its chain of causes, each once."""
    notes: list[str] = []
    while error is not None:
        notes += getattr(error, "__notes__", [])
        error = error.__cause__ or error.__context__
    return list(dict.fromkeys(notes))


def get_exit_code(error: BaseException) -> int:
    if isinstance(error, (AgentError, typer.TyperException, Stopped)):
        return error.exit_code
    is_cancel = isinstance(error, (KeyboardInterrupt, typer.Abort))
    return EXIT_INTERRUPTED if is_cancel else EXIT_BUG


def to_line(text: str) -> str:
    """Join a text's lines to one line, cut after 1,000 characters.

    >>> to_line("two\\nlines")
    'two lines'
    """
    # A provider's body may be a page of HTML: one line, cut, so that the hint below stays in sight.
    line = " ".join(text.split())
    return line if len(line) <= MAX_MESSAGE_CHARS else line[:MAX_MESSAGE_CHARS] + "…"


def write_error(text: str) -> None:
    """Write a line to stderr, unless the terminal is closed."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


def configure_logging(*, debug: bool) -> None:
    """Write log warnings to stderr in short lines, or in debug mode everything with tracebacks.

    A record with a traceback is not shown otherwise: its exception arrives at `report_failure`.
    """
    handler = logging.StreamHandler(sys.stderr)
    if debug:
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
    else:
        # A tool that raised ends no run, and arrives nowhere else.
        handler.addFilter(lambda record: not record.exc_info or record.msg == "tool_failed")
        handler.addFilter(_add_event)
        handler.setFormatter(_LineFormatter("warning: %(event)s"))
        # The command that asked tells it, in its own last line.
        handler.addFilter(lambda record: record.msg != "model_failed")
    logging.basicConfig(handlers=[handler], level=logging.DEBUG if debug else logging.WARNING)


class _LineFormatter(logging.Formatter):
    """Formats log records as one line without tracebacks."""

    def formatException(self, ei: object) -> str:
        return ""


_OWN_FIELDS: Final = frozenset(vars(logging.makeLogRecord({})))


def _add_event(record: logging.LogRecord) -> bool:
    """Add to a log record its message and extra fields as one line."""
    extra: dict[str, Any] = {k: v for k, v in vars(record).items() if k not in _OWN_FIELDS}
    pairs = [f"{key}={value}" for key, value in extra.items()]
    record.event = to_line(" ".join([record.getMessage(), *pairs]))
    return True
