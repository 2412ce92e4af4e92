"""Runs one message and prints its events: in a terminal, to a pipe, or as JSON."""

from __future__ import annotations

import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from decimal import Decimal
from typing import Any, Final, Protocol

import orjson

from ...base.ids import get_question_code
from ...core.journal import Viewer
from ...dataclasses import dataclass, field
from ...errors import LimitReached, RunWaiting
from ...events import Event
from ...service.service import Service
from ...store.records import CallInfo
from ..terminal import output
from ..terminal.failures import ReaderGone
from ..terminal.options import Owner
from ..terminal.rendering import shorten_id

# Steps on the way to whoever answers; all other nodes are a run's route.
_WAY_NODES: Final = frozenset({"intent_classifier", "agent_router", "format_result"})


Start = Callable[[Viewer], Awaitable[str]]  # gives the answer


class View(Protocol):
    """Shows a run in the terminal: `follow` gets every event, `finish` is called after the run."""

    def follow(self, event: Event) -> None: ...

    def finish(self, answer: str) -> None: ...


@dataclass(slots=True)
class Trace:
    """Collects facts of a run from its events, for the line below the answer."""

    run_id: str = ""
    nodes: list[str] = field(default_factory=list[str])
    tools: list[str] = field(default_factory=list[str])
    error: dict[str, Any] | None = None
    is_complete: bool = False  # the run ended an interview
    asked: list[str] = field(default_factory=list[str])  # codes of what it asks

    def follow(self, event: Event) -> None:
        match event["event"]:
            case "run_start":
                self.run_id = event["data"]["run_id"]
                # The run continues, so its earlier questions are decided.
                self.asked.clear()
            case "approval_request":
                self.asked.append(get_question_code(event["data"]["approval_id"]))
            case "node_start":
                self.nodes.append(event["data"]["node"])
            case "tool_start":
                self.tools.append(event["data"]["name"])
            case "onboarding_complete":
                self.is_complete = True
            case "error":
                self.error = event["data"]
            case _:
                pass


def make_start(service: Service, owner: Owner, thread_id: str, text: str | None) -> Start:
    """Build the function that starts a run for a message. text None: the agent speaks first."""

    async def start(viewer: Viewer) -> str:
        whose = (owner.tenant_id, owner.user_id, thread_id)
        return (await service.answer(*whose, text, viewer, owner.options)).answer

    return start


async def follow_run(start: Start, thread_id: str, view: View) -> Trace:
    """Start a run and show its events in the view until it ends; return their trace.

    Raises: ReaderGone after the run when the output was closed meanwhile; the run is not harmed.
    LimitReached after the text that exists was shown. What the run raises.
    """
    trace = Trace()
    gone: list[ReaderGone] = []

    def follow(event: Event) -> None:
        trace.follow(event)
        if gone:
            return
        try:
            view.follow(event)
        except ReaderGone as error:  # a reader who leaves does not stop a run
            gone.append(error)

    try:
        answer = await start(follow)
    except BaseException as error:
        if isinstance(error, RunWaiting):
            error.question_codes = trace.asked
        if trace.run_id:
            # A note, not another error: its class decides the exit code.
            error.add_note(f"stored in thread {thread_id}: `--thread {thread_id}` continues it")
        raise
    if gone:
        raise gone[0]
    view.finish(answer)
    return trace


async def describe_run(
    service: Service, owner: Owner, thread_id: str | None, trace: Trace, seconds: float
) -> str:
    """Describe a run in one line: route, tools, tokens, cost, seconds, thread.

    thread_id None: the reader knows which thread it is.
    """
    calls = await service.store.list_calls(owner.tenant_id, trace.run_id)
    parts = [
        describe_route(trace.nodes),
        describe_tools(trace.tools),
        describe_calls(calls),
        f"{seconds:.1f} s" if seconds >= 0.1 else f"{seconds * 1000:.0f} ms",
        f"thread {shorten_id(thread_id)}" if thread_id else "",
    ]
    return " · ".join(part for part in parts if part)


def describe_route(nodes: Sequence[str]) -> str:
    """Format the nodes that took part in an answer as `a → b`, without routing nodes.

    >>> describe_route(["intent_classifier", "fast_count", "format_result"])
    'fast_count'
    >>> describe_route(["agent_router", "letter", "letter.tools", "letter", "letter.evaluator"])
    'letter'
    """
    route = dict.fromkeys(node.partition(".")[0] for node in nodes if node not in _WAY_NODES)
    return " → ".join(route) or "no route"


def describe_tools(tools: Sequence[str]) -> str:
    """List tool names with how often each was called.

    >>> describe_tools(["list_jobs", "update_job", "list_jobs"])
    'list_jobs ×2, update_job'
    """
    counts = {name: tools.count(name) for name in tools}
    return ", ".join(name if n == 1 else f"{name} ×{n}" for name, n in counts.items())


def describe_calls(calls: Sequence[CallInfo]) -> str:
    """Describe the tokens and cost of a run's model calls, and how sure the numbers are."""
    if not calls:
        return "no model call"
    used = sum(call.usage.input_total or 0 for call in calls)
    read = sum(call.usage.cache_read_tokens or 0 for call in calls)
    made = sum(call.usage.output_total or 0 for call in calls)
    sources = {call.usage.source for call in calls}
    doubt = "part not reported" if "missing" in sources else "estimated"
    doubt = f" ({doubt})" if sources - {"provider"} else ""
    cached = f" ({read:,} cached)" if read else ""
    return f"{used:,} in{cached} + {made:,} out tokens{doubt} · {describe_cost(calls)}"


def describe_cost(calls: Sequence[CallInfo]) -> str:
    """Describe the sum of the calls' costs, or that it is unknown."""
    known = [Decimal(call.cost_usd) for call in calls if call.cost_usd is not None]
    if len(known) < len(calls):
        return f"${sum(known):.4f} or more, cost partly unknown" if any(known) else "cost unknown"
    return f"${sum(known):.4f}"


def raise_for_limit(trace: Trace) -> None:
    """Raise LimitReached if a limit ended the traced run."""
    if trace.error is not None:
        reason = f"Reason: {trace.error['reason']}. " if "reason" in trace.error else ""
        hint = (
            f"{reason}All steps and messages so far are stored. Send another message to continue."
        )
        raise LimitReached(
            str(trace.error.get("message")), code=str(trace.error.get("code")), hint=hint
        )


class JsonView:
    """Prints every event as one JSON line on stdout."""

    def follow(self, event: Event) -> None:
        output.write_line(orjson.dumps(event).decode())

    def finish(self, answer: str) -> None:
        return


class PlainView:
    """Prints only the final answer, for pipes and files."""

    def follow(self, event: Event) -> None:
        if event["event"] == "approval_request":
            tell_request(event)

    def finish(self, answer: str) -> None:
        if answer:
            output.write_line(answer)


class TerminalView:
    """Prints text while it streams; a retried answer is announced and printed again."""

    def __init__(self) -> None:
        self._end = "\n"  # the last characters that were shown
        self._has_text = False
        self._style = output.make_style()

    def follow(self, event: Event) -> None:
        if event["event"] == "text_delta":
            if text := event["data"]["content"]:
                output.write_styled(text, self._style)
                self._end = text[-1]
                self._has_text = True
        elif event["event"] == "text_reset" and self._has_text:
            reason = event["data"].get("reason") or "the model starts its answer again"
            self._close_line()
            self._has_text = False
            output.write_status(f"[the answer above is replaced: {reason}]")
        elif event["event"] == "approval_request":
            self._close_line()
            tell_request(event)

    def finish(self, answer: str) -> None:
        self._close_line()

    def _close_line(self) -> None:
        output.finish_styled(self._style)
        self._style = output.make_style()
        if self._end != "\n":
            output.write_line()
            self._end = "\n"


def tell_request(event: Event) -> None:
    """Print the question of an approval request as a status line."""
    output.write_status(f"asks for your approval: {event['data']['question']}")


class WaitingView:
    """Adds to another view a spinner on stderr that names the current work."""

    def __init__(self, view: View, update: Callable[[str | None], None], ends_at_text: bool):
        self._view = view
        self._update = update
        self._ends_at_text = ends_at_text
        self._is_over = False

    def follow(self, event: Event) -> None:
        match event["event"]:
            case _ if self._is_over:
                pass
            case "node_start":
                self._update(f"{event['data']['node']} …")
            case "tool_start":
                self._update(f"{event['data']['name']} …")
            case "helper":
                self._update(f"{event['data']['worker']} …")
            case "text_delta" | "text_reset" if self._ends_at_text:
                self._stop()
            case "approval_request":
                self._stop()
            case _:
                pass
        self._view.follow(event)

    def finish(self, answer: str) -> None:
        self._stop()
        self._view.finish(answer)

    def _stop(self) -> None:
        self._is_over = True
        self._update(None)


async def show_run(
    service: Service,
    owner: Owner,
    thread_id: str,
    start: Start,
    *,
    as_json: bool = False,
    is_chat: bool = False,
) -> Trace:
    """Start a run, show its events and a closing summary line; return the trace.

    as_json: print only its events. is_chat: leave the thread out of the line.

    Raises: as `follow_run`.
    """
    if as_json:
        trace = await follow_run(start, thread_id, JsonView())
        raise_for_limit(trace)
        return trace
    is_terminal = output.is_terminal(sys.stdout)
    view: View = TerminalView() if is_terminal else PlainView()
    started = time.perf_counter()
    with output.progress("thinking …") as update:
        # The spinner is on stderr: where stdout is no terminal, text does not come between its
        # lines.
        view = WaitingView(view, update, ends_at_text=is_terminal)
        trace = await follow_run(start, thread_id, view)
    seconds = time.perf_counter() - started
    told = None if is_chat else thread_id
    output.write_status(await describe_run(service, owner, told, trace, seconds))
    raise_for_limit(trace)
    return trace
