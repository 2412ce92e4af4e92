"""A recorded thread as turns to replay: each run with its answers, results, steps and fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

import orjson

from plainloop.agent.base.messages.wishes import word_system
from plainloop.agent.base.shown.notices import PROMPT_RESTORED, make_epoch
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.store.store import Store
from plainloop.agent.types import (
    NO_WISHES,
    FunctionResponse,
    LLMResponse,
    Message,
    ToolSchema,
    Wished,
    Wishes,
)

from .conversations import Turn
from .lent_tools import Lent, find_lent
from .recording import RecordedAnswer, RecordedStep, RecordedTurn, build_react_turn, to_visible
from .thread_recording import (
    IMPORTED,
    CallRecording,
    CodePart,
    RunRecording,
    StepRecording,
    ThreadRecording,
    list_codes,
    load_recording,
)

FAST_NODES: Final = ("fast_lookup", "fast_count", "fast_list")
REVIEWER: Final = ".evaluator"  # behind a worker's name


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """One run of a thread of this kind. position: of its user message. data: the pack's fields
    before it. lent: tools of other people's servers, by worker. declared: of an imported one, all
    that its requests declared, as JSON.
    """

    position: int
    design: str
    pack: str
    recorded: RecordedTurn
    # The whole prompt of each time that a worker was asked, or the notice that it had changed.
    systems: tuple[str, ...]
    data: dict[str, Any]
    kind: str
    lent: Lent = field(default_factory=dict[str, tuple[dict[str, Any], ...]])
    declared: tuple[str, ...] = ()
    wishes: Wishes = NO_WISHES  # of the client, at last
    brought: tuple[str, ...] = ()  # names of the client's own tools
    wished: tuple[Wished, ...] = ()  # of the client, before
    is_whole: bool = True  # its run succeeded; False: cancelled, failed, at a limit or waiting
    codes: tuple[CodePart, ...] = ()  # what its code was then, of what is not run

    @property
    def system(self) -> str:
        """Return the prompt of the turn's first worker call.

        "" without one.
        """
        return next(iter(self.systems), "")

    @property
    def client_tools(self) -> tuple[ToolSchema, ...]:
        """Return the tools that the client brought, as they were declared."""
        tools = {tool["name"]: tool for tools in self.lent.values() for tool in tools}
        return tuple(ToolSchema(**tools[name]) for name in self.brought if name in tools)

    @property
    def context_systems(self) -> tuple[str, ...]:
        """Return the turn's system prompts without what the client's request appended."""
        wished = {word_system(one) for one in (self.wishes, *(item.wishes for item in self.wished))}

        def strip(system: str) -> str:
            for words in wished:
                system = system.removesuffix(words)
            return system.removesuffix("\n\n")

        return tuple(map(strip, self.systems))

    def find_wishes(self, step: int) -> Wishes:
        """Return the client's request options at the time of a step."""
        return next((item.wishes for item in self.wished if step < item.until), self.wishes)


@dataclass(frozen=True, slots=True)
class StoredThread:
    thread_id: str
    user_id: str  # whose it is; "" when nothing was asked in it
    messages: tuple[Message, ...]  # sealed
    turns: tuple[StoredTurn, ...]


async def load_stored(store: Store, tenant_id: str, thread_id: str) -> StoredThread:
    """Load a stored thread as turns to replay."""
    return build_thread(await load_recording(store, tenant_id, thread_id))


def build_thread(recording: ThreadRecording) -> StoredThread:
    """Build the turns to replay from a thread's recording."""
    messages = cast(list[Message], recording.messages)
    turns: list[StoredTurn] = []
    data: dict[str, Any] = {}
    for run in recording.runs:
        turn = _build_turn(run, recording.kind, messages, recording.texts, data)
        turns.append(replace(turn, codes=tuple(list_codes(recording, run))))
        for step in run.steps:
            data = {**data, **step.update.get("data", {})}
    return StoredThread(recording.thread_id, recording.user_id, tuple(messages), tuple(turns))


def _build_turn(
    run: RunRecording,
    kind: str,
    messages: Sequence[Message],
    texts: dict[str, str],
    data: dict[str, Any],
) -> StoredTurn:
    results: dict[str, FunctionResponse] = {}
    said = [message for step in run.steps for message in step.update.get("messages", [])]
    for message in said:
        results |= {p["id"]: p for p in message["parts"] if p["type"] == "tool_result"}
    # What a tool asked a model is part of its recorded result.
    of_tools = {step.n for step in run.steps if step.node.endswith(".tools")}
    calls = [call for call in run.calls if call.step is None or call.step not in of_tools]
    systems = tuple(list_systems(run, calls, messages, texts))
    if run.pack == IMPORTED:
        recorded = build_react_turn(Turn(messages[run.position], tuple(said)))
        return StoredTurn(
            *(run.position, run.design, run.pack, recorded, systems, data, kind),
            declared=tuple(texts[call.tools] for call in run.calls if call.tools and call.worker),
        )
    recorded = RecordedTurn(
        user=messages[run.position],
        answers=tuple(_to_answer(call, messages, texts) for call in calls),
        results=results,
        steps=tuple(RecordedStep(s.node, s.update, s.next_node, True) for s in run.steps),
        is_complete=run.status in ("succeeded", "limit") and not run.is_out_of_time,
        ends_by_limit=run.status == "limit" and not run.is_out_of_time,
        problems={step.n: _read_problems(step) for step in run.steps},
        error=run.error,
        asked=None if run.asked is None else frozenset(run.asked),
    )
    lent = find_lent(run.calls, texts, run.client_tools)
    told = (run.position, run.design, run.pack, recorded, systems, data, kind, lent)
    is_whole = run.status == "succeeded"
    of_client = run.wishes, run.client_tools, run.wished
    return StoredTurn(*told, (), *of_client, is_whole)


def list_systems(
    run: RunRecording,
    calls: Sequence[CallRecording],
    messages: Sequence[Message],
    texts: dict[str, str],
) -> Iterator[str]:
    """Yield the system prompt in force at each worker call.

    It is the prompt that was sent, or its latest change.
    """
    said = [*messages[: run.position]]
    made = {step.n: step.update.get("messages", []) for step in run.steps}
    for call in calls:
        if call.role != "worker" or not call.worker:
            continue
        while made and (call.step is None or min(made) <= call.step):
            said += made.pop(min(made))
        system, tools = texts.get(call.system, ""), texts.get(call.tools, "")
        items = make_epoch(call.worker, call.first_position or 0, system, tools).list_items(said)
        told = next((i["text"] for i in reversed(items) if i["kind"] == "prompt"), PROMPT_RESTORED)
        yield system if told == PROMPT_RESTORED else told


def _to_answer(
    call: CallRecording, messages: Sequence[Message], texts: dict[str, str]
) -> RecordedAnswer:
    shown = cast(list[Message], [*call.extra])
    if call.first_position is not None and call.last_position is not None:
        shown = [*messages[call.first_position : call.last_position + 1], *shown]
    tools = texts.get(call.tools, "")
    request = {
        "system": texts.get(call.system, ""),
        "tools": orjson.loads(tools) if tools else [],
        "messages": to_visible(shown),
    }
    response = LLMResponse(cast(Message, call.message), call.stop, call.usage, call.model)
    return RecordedAnswer(response, call.fingerprint, request, call.token_factor, call.step)


def _read_problems(step: StepRecording) -> tuple[str, ...]:
    """Read the problems that an evaluator's check listed, if no model reviewed; else ()."""
    found: dict[str, Any] = step.update.get("result") or {}
    verdicts: list[dict[str, Any]] = found.get("verdicts", [])
    is_judged = any(avoided.role == "evaluator" for avoided in step.avoided)
    if not step.node.endswith(REVIEWER) or not verdicts or not is_judged:
        return ()
    feedback: str = verdicts[-1]["feedback"]
    return tuple(line.removeprefix("- ") for line in feedback.splitlines())
