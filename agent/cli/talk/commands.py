"""`plainloop ask`, `chat`, … `approve`: the commands and their options."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated

import typer

from ...types import RunOptions
from ..terminal.launching import launch, launch_with_store
from ..terminal.options import Json, Owner, grouped, parse_moment, to_span

Text = Annotated[list[str], typer.Argument(metavar="TEXT", help="the message; - reads stdin")]
Thread = Annotated[
    str | None,
    typer.Option("--thread", "-t", help="continue this thread: its id or the start of its id"),
]
Run = Annotated[str, typer.Argument(metavar="RUN", help="a run's or thread's id, or `last`")]
Events = Annotated[bool, typer.Option("--json", help="print every event as a line of JSON")]
Last = Annotated[bool, typer.Option("--last", "-l", help="continue the newest thread")]
Tags = Annotated[
    list[str] | None, typer.Option("--tag", help="tag for usage reports; may be repeated")
]


@grouped
def ask(
    owner: Owner,
    text: Text,
    thread: Thread = None,
    last: Last = False,
    as_json: Events = False,
    tag: Tags = None,
) -> None:
    """Send one message and print the answer.

    \b
    plainloop ask "add a job: Web Developer at Hooli, remote"
    plainloop ask --last "move it to applied"
    plainloop ask - <question.txt

    The answer is printed while it is written. One line then shows route, tools, tokens, cost and
    time. In a pipe, stdout has only the final answer. Ctrl-C stops the run and keeps the thread.
    """
    from .ask import ask

    owner = replace(owner, options=RunOptions(tags=(*(tag or ()),)))
    launch(ask(" ".join(text), owner, _choose(thread, last), as_json=as_json))


@grouped
def chat(
    owner: Owner,
    context: typer.Context,
    thread: Thread = None,
    last: Last = False,
    tag: Tags = None,
) -> None:
    """Chat in the terminal, or over a pipe.

    \b
    plainloop chat --last
    printf 'list my jobs\\n' | plainloop chat

    The chat has line editing and a history. Type /help for its commands. Ctrl-C stops an answer or
    clears the line. Ctrl-D quits. In a pipe, each line is sent as a message.
    """
    from .chat import chat

    owner = replace(owner, options=RunOptions(tags=(*(tag or ()),)))
    raise typer.Exit(chat(owner, _choose(thread, last), debug=context.obj.debug))


@grouped
def onboard(
    owner: Owner,
    context: typer.Context,
    new: Annotated[bool, typer.Option("--new", help="start the interview again")] = False,
) -> None:
    """Answer the onboarding interview.

    \b
    plainloop onboard
    AGENT_ONBOARDING=acme.staff plainloop onboard --new

    The agent asks the first question, or continues an unfinished interview. Each answer is saved at
    once. Ask "what is missing?" at any time. In a pipe, each line is an answer.
    """
    from .onboard import onboard

    raise typer.Exit(onboard(owner, begin_new=new, debug=context.obj.debug))


@grouped
def threads(
    owner: Owner,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=1000, help="number of threads to show")
    ] = 20,
) -> None:
    """List your threads, newest activity first."""
    from .threads import print_threads

    launch_with_store(print_threads, owner, limit)


@grouped
def show(
    owner: Owner,
    thread: Annotated[
        str,
        typer.Argument(metavar="THREAD", help="the thread's id, the start of its id, or `last`"),
    ],
    as_json: Json = False,
) -> None:
    """Show a thread with its tool calls.

    \b
    plainloop show last
    plainloop show 0197a --json
    """
    from .threads import print_thread

    launch_with_store(print_thread, owner, thread, as_json=as_json)


@grouped
def explain(owner: Owner, run: Run) -> None:
    """Explain a run step by step.

    Shows what each step read, what was decided and why, and the tokens and cost of each model call.

    \b
    plainloop explain last
    """
    from .explain import print_run

    launch_with_store(print_run, owner, run)


@grouped
def failures(
    owner: Owner,
    since: Annotated[
        datetime | None,
        typer.Option(
            parser=parse_moment,
            metavar="WHEN",
            help="only runs that started at this time or later; default: the last seven days",
        ),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(
            parser=parse_moment, metavar="WHEN", help="only runs that started before this time"
        ),
    ] = None,
) -> None:
    """List the failed runs of all users by cause.

    The most frequent cause comes first. Each cause is listed with the provider's error message.

    \b
    plainloop failures --since yesterday
    """
    from .failures import print_failures

    launch_with_store(print_failures, owner, *to_span(since, until))


@grouped
def approvals(owner: Owner, run: Run = "last") -> None:
    """List the tool calls for which a run needs your approval."""
    from .approving import print_approvals

    launch_with_store(print_approvals, owner, run)


@grouped
def approve(
    owner: Owner,
    run: Run = "last",
    deny: Annotated[
        bool, typer.Option("--deny", help="deny the call instead of allowing it")
    ] = False,
    reason: Annotated[str, typer.Option(help="reason for the denial; the model reads it")] = "",
    as_json: Events = False,
) -> None:
    """Approve a run's pending calls and show its answer.

    To approve only one of several pending calls, give the code of that call as RUN.

    \b
    plainloop approve
    plainloop approve 0197a --deny --reason "only the old ones"
    """
    from .approving import approve

    launch(approve(owner, run, deny=deny, as_json=as_json, reason=reason))


def _choose(thread: str | None, last: bool) -> str | None:
    """Return the thread that the options name; None for a new one."""
    if thread is not None and last:
        raise typer.BadParameter("--thread and --last exclude each other: give one of them")
    return "last" if last else thread
