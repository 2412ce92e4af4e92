"""Writes to stdout and stderr: styles, progress, and no control characters."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TextIO

from .failures import ReaderGone
from .markdown import MarkdownStyle
from .wrapping import get_width, is_terminal, to_terminal, wrap_words


def prepare_streams() -> None:
    """Make stdin and stdout accept text that they cannot decode or encode.

    A closed stdout or stderr is replaced by one that discards all output.
    """
    # Python makes a closed stream None, and `print(file=None)` writes to stdout: a status line
    # would stand in the answer (test_commands_work_with_stdout_or_stderr_closed). It also keeps
    # the descriptor from being given to a socket or a file.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115 - open to the end
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "replace"),
        (sys.stderr, "replace"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def write(text: str) -> None:
    """Write text to stdout and flush.

    On a terminal, control characters are replaced by `�`.

    Raises: ReaderGone when nobody reads it.
    """
    # On a terminal only (test_control_sequences_in_answers_do_not_reach_the_terminal): a pipe gets
    # every byte, as its reader may want it.
    _put(to_terminal(text) if is_terminal(sys.stdout) else text)


def make_style() -> MarkdownStyle:
    """Build the style for one streamed Markdown answer on stdout, as wide as the terminal."""
    return MarkdownStyle(get_width(sys.stdout), is_plain="NO_COLOR" in os.environ)


def write_styled(text: str, style: MarkdownStyle) -> None:
    """Write a piece of streamed Markdown with styles and wrapped lines."""
    _put(style.feed(to_terminal(text)))


def write_warning(text: str) -> None:
    """Write a warning as a line on stdout, yellow on a terminal."""
    is_plain = not is_terminal(sys.stdout) or "NO_COLOR" in os.environ
    write_line(text) if is_plain else _put(f"\x1b[33m{to_terminal(text)}\x1b[0m\n")


def finish_styled(style: MarkdownStyle) -> None:
    """Write the rest of a streamed Markdown answer, and close its styles."""
    _put(style.finish())


def write_line(text: str = "") -> None:
    write(text + "\n")


def write_lines(lines: Iterable[str]) -> None:
    for line in lines:
        write_line(line)


def write_status(text: str) -> None:
    """Write a status line that does not belong to a command's output.

    On a terminal it goes to stdout, dimmed, else to stderr.
    """
    if is_terminal(sys.stdout):
        _put(dim(wrap_words(to_terminal(text), get_width(sys.stdout))) + "\n")
    else:
        print(to_terminal(text), file=sys.stderr, flush=True)


def _put(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:  # a closed pipe; a terminal that hung up
        # Otherwise Python flushes it once more at the exit, and prints that error.
        drop(sys.stdout)
        raise ReaderGone from error


def close_streams() -> None:
    """Flush stdout and stderr before the exit, discarding output to a closed pipe."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            drop(stream)


def drop(stream: TextIO) -> None:
    """Discard a stream's buffered output and all output that follows."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    # The descriptor, not the object: C libraries and children write to it too.
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def dim(text: str) -> str:
    return text if "NO_COLOR" in os.environ else f"\x1b[2m{text}\x1b[0m"


@contextmanager
def progress(text: str) -> Generator[Callable[[str | None], None]]:
    """Show a spinner with a text on stderr while the block runs, if stderr is a terminal.

    Yields a function that changes its text, and ends it for None.
    """
    if not is_terminal(sys.stderr):
        yield lambda text: None
        return
    from rich.console import Console
    from rich.markup import escape

    status = Console(stderr=True).status(escape(text))

    def update(text: str | None) -> None:
        status.stop() if text is None else status.update(escape(text))

    with status:
        yield update


@contextmanager
def progress_bar(text: str, total: int) -> Generator[Callable[[], None]]:
    """Show a progress bar on stderr while the block runs, if stderr is a terminal.

    Yields a function that moves it on by one.
    """
    if not is_terminal(sys.stderr):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(text, *columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(text, total=total)
        yield lambda: bar.advance(task)
