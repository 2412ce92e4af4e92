"""`plainloop chat`: a conversation in the terminal, or over a pipe.

The prompt blocks outside the event loop, so that line editing and Ctrl-C are the terminal's own;
between two prompts one run lives in the loop.
"""

from __future__ import annotations

import asyncio
import errno
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from ...config.installed import load_hook
from ...config.settings import load_settings
from ...dataclasses import dataclass
from ...errors import InputError, RunWaiting
from ...service.consents import read_consent
from ...service.service import Service
from ..brought import refuse_missing
from ..terminal import output
from ..terminal.failures import EXIT_INTERRUPTED, ReaderGone, Stopped, get_exit_code, report_failure
from ..terminal.opening import find_thread
from ..terminal.options import Owner
from ..terminal.running import make_loop, raise_stopped, run_in
from ..terminal.serving import describe_model, open_service
from ..usage.report import print_usage
from .answering import make_start, show_run
from .approving import decide, find_meant, go_on
from .ask import choose_thread
from .explain import print_run
from .threads import print_thread, print_threads

PROMPT: Final = "> "
HISTORY: Final = "chat_history"  # in the data directory
THREADS_SHOWN: Final = 20


@dataclass(slots=True)
class Conversation:
    """The state of a chat in the terminal: its thread and pending questions.
    thread_id None: the next message begins a thread (an interview if `is_interview`).
    """

    service: Service
    owner: Owner
    thread_id: str | None
    is_interview: bool = False
    asked: Sequence[str] = ()  # codes of the questions that were shown last, undecided
    is_over: bool = False


def chat(owner: Owner, thread: str | None, *, debug: bool) -> int:
    """Chat in the terminal until the input ends; return the exit code.

    With a pipe as input, the code is that of the first failure.
    """
    with open_talk(owner) as (runner, talk):
        if thread is not None:
            found = run_in(runner, find_thread(talk.service.store, owner, thread))
            talk.thread_id = found.thread_id
        where = f"thread {talk.thread_id}" if talk.thread_id else "a new thread"
        told = f"plainloop · {describe_model(talk.service)} · {where} · /help for commands"
        output.write_status(told)
        return talk_on(runner, talk, debug=debug)


@contextmanager
def open_talk(owner: Owner) -> Generator[tuple[asyncio.Runner, Conversation]]:
    """Open a service and its event loop; yield the loop and an empty conversation."""
    settings = load_settings()
    loop_factory = partial(make_loop, settings)
    # One loop for the whole chat: connections of the store and of providers belong to it.
    with asyncio.Runner(loop_factory=loop_factory) as runner, signals_raise():
        stack = AsyncExitStack()
        service = run_in(runner, stack.enter_async_context(open_service(settings, loads_sdk=True)))
        try:
            yield runner, Conversation(service, owner, None)
        finally:
            runner.run(stack.aclose())


def talk_on(runner: asyncio.Runner, talk: Conversation, *, debug: bool) -> int:
    is_interactive = output.is_terminal(sys.stdin)
    exit_code = 0
    for line in _read_lines(is_interactive, talk.service.settings.data_dir / HISTORY):
        try:
            run_in(runner, reply(talk, line))
        except ReaderGone:
            raise
        except Exception as error:  # the edge: the conversation goes on
            # Ctrl-C ends an answer; hang-up and terminate end the chat
            # (test_ctrl_c_during_a_chats_run_cancels_only_the_run).
            if isinstance(error, Stopped) and error.exit_code != EXIT_INTERRUPTED:
                raise
            exit_code = exit_code or get_exit_code(error)
            if isinstance(error, RunWaiting):
                talk.asked = error.question_codes
            if is_interactive and isinstance(error, RunWaiting):  # no failure: a question
                output.write_status("yes allows the call, no denies it, /cancel ends the run")
            else:
                report_failure(error, debug=debug)
        if talk.is_over:
            break
    # The exit code tells a script that a line failed; a person has read the error.
    return 0 if is_interactive else exit_code


async def reply(talk: Conversation, line: str) -> None:
    """Handle an input line of the chat: a command, a decision on an approval, or a message."""
    if not line.strip():
        return
    if line.startswith("/"):
        await run_command(talk, line)
        return
    # Only while a question is pending: "yes" in a new chat is a message
    # (test_yes_in_a_new_chat_is_an_ordinary_message).
    decision = read_consent(line) if talk.asked else None
    if decision is not None:
        await _decide(talk, "", approve=decision)
        return
    await ensure_thread(talk, line)
    await say(talk, line)


async def ensure_thread(talk: Conversation, first_message: str) -> None:
    """Create the conversation's thread (chat or interview) if it has none yet."""
    service, owner = talk.service, talk.owner
    if talk.thread_id is None and talk.is_interview:
        thread = await service.ensure_interview(owner.tenant_id, owner.user_id, begin_new=True)
        talk.thread_id = thread.thread_id
    else:
        talk.thread_id = await choose_thread(service, owner, talk.thread_id, first_message)


async def say(talk: Conversation, text: str | None) -> None:
    """Send a message (text None: the agent speaks first) and show its answer in the terminal.

    A finished interview ends the conversation.
    """
    assert talk.thread_id is not None
    start = make_start(talk.service, talk.owner, talk.thread_id, text)
    trace = await show_run(talk.service, talk.owner, talk.thread_id, start, is_chat=True)
    if trace.is_complete:
        output.write_status("the interview is complete")
        talk.is_over = True


async def run_command(talk: Conversation, line: str) -> None:
    """Run a `/command` of the chat.

    Raises: InputError for an unknown command, and where a new chat has nothing to show yet.
    """
    store, owner = talk.service.store, talk.owner
    name, _, argument = line[1:].strip().partition(" ")
    match name:
        case "help":
            for command, text in _COMMANDS.items():
                output.write_line(f"/{command:<9} {text}")
            output.write_line("Ctrl-C stops an answer or clears the line, Ctrl-D quits.")
        case "new":
            talk.thread_id, talk.asked = None, ()
            output.write_status("the next message starts a new thread")
        case "threads":
            await print_threads(store, owner, THREADS_SHOWN)
        case "show":
            await print_thread(store, owner, argument.strip() or _get_thread(talk, name))
        case "explain":
            await print_run(store, owner, argument.strip() or _get_thread(talk, name))
        case "approve" | "deny":
            await _decide(talk, argument.strip(), approve=name == "approve")
        case "cancel":  # of a run that waits; while an answer comes, Ctrl-C does it
            run_id = None
            if talk.thread_id is not None:
                run_id = await store.queue.cancel(owner.tenant_id, owner.user_id, talk.thread_id)
            talk.asked = ()
            output.write_status(
                "no run is active or waiting here" if run_id is None else "cancelled"
            )
        case "usage":
            await print_usage(store, owner)
        case "export":
            if (export := load_hook("export")) is None:
                refuse_missing(name)
                return
            file = argument.strip()
            target = Path(file).expanduser() if file else None  # noqa: ASYNC240 - nothing else runs
            await export(store, owner.tenant_id, _get_thread(talk, name), target)
        case "quit":
            talk.is_over = True
        case _:
            raise InputError(f"unknown command /{name}", hint="/help lists the commands.")


def _get_thread(talk: Conversation, command: str) -> str:
    """Return the thread that the chat is in: never another one, such as the newest.

    Raises: InputError while nothing was said in it.
    """
    if talk.thread_id is None:
        hint = "send a message first; /threads lists your other threads"
        if command != "export":
            hint += f"; `/{command} last` uses the newest one"
        raise InputError("this chat has no messages yet", hint=hint)
    return talk.thread_id


async def _decide(talk: Conversation, argument: str, *, approve: bool) -> None:
    named = (
        [argument]
        if argument
        else talk.asked or [_get_thread(talk, "approve" if approve else "deny")]
    )
    talk.asked = ()  # decided elsewhere, or too late: "yes" is a message again
    meant = [
        item for name in named for item in await find_meant(talk.service.store, talk.owner, name)
    ]
    seen = await decide(talk.service.store, talk.owner, meant, approve=approve)
    await go_on(talk.service, talk.owner, meant[0].run_id, seen, is_chat=True)


_COMMANDS: Final = {
    "help": "this list",
    "new": "start a new thread",
    "threads": "list your threads, newest first",
    "show": "show this or another thread with its tool calls",
    "explain": "explain the last or another run, step by step",
    "approve": "allow the pending call, and continue",
    "deny": "deny the pending call, and continue",
    "cancel": "cancel the waiting run",
    "usage": "show tokens and cost so far",
    "export": "export this thread as a line of OpenAI messages, to the terminal or a file",
    "quit": "quit the chat",
}


def _read_lines(is_interactive: bool, history: Path) -> Iterator[str]:
    """Yield messages until the input ends: lines of a pipe, or what is typed at the prompt.
    There pasted lines are one message, Ctrl-C clears the input, Tab completes commands, and earlier
    input comes back.
    """
    if not is_interactive:
        stdin: Any = sys.stdin  # None when it was closed
        yield from (line.rstrip("\r\n") for line in stdin or ())
        return
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.history import FileHistory, History, InMemoryHistory

    commands = WordCompleter([f"/{name}" for name in _COMMANDS], sentence=True)
    kept: History = InMemoryHistory()
    with suppress(OSError):  # then what is typed is not kept
        history.parent.mkdir(parents=True, exist_ok=True)
        history.touch(mode=0o600)  # nobody else reads it
        kept = FileHistory(history)
    session = PromptSession[str](history=kept, completer=commands, complete_while_typing=False)
    while True:
        try:
            yield session.prompt(PROMPT)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            # The terminal is gone; its signal comes later, or never (nohup).
            raise Stopped(signal.SIGHUP) from error


@contextmanager
def signals_raise() -> Generator[None]:
    """Let hang-up and terminate signals end the conversation inside the block."""
    # What nohup has set to be ignored stays ignored.
    numbers = [n for n in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) != signal.SIG_IGN]
    before = {number: signal.signal(number, raise_stopped) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
