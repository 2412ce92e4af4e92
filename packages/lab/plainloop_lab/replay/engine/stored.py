"""Recorded threads through the code of today, under the designs that they were made with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, cast

import orjson

from plainloop.agent.base.messages.wishes import change_wishes, to_options
from plainloop.agent.base.shown.notices import CONTEXT_CHANGED, NOTHING, PROMPT_CHANGED, WRAP_UP
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.context import Node, RequestContext
from plainloop.agent.core.policy import count_worker_turns
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Check, Pack, WorkerSpec
from plainloop.agent.core.state import START_NODE, AgentState
from plainloop.agent.core.tools import Tool
from plainloop.agent.designs.base import (
    DesignModel,
    NodeTable,
    ResumeParser,
    build_table,
    load_design,
    make_kind_agent,
)
from plainloop.agent.designs.interview import COMPLETE
from plainloop.agent.designs.react import read_prompt
from plainloop.agent.errors import ConfigError, NotFoundError
from plainloop.agent.intents.remembered.memory import RULE
from plainloop.agent.packs.prompts import change_workers, list_workers
from plainloop.agent.service.host import ServiceHost
from plainloop.agent.store.database import Queryable
from plainloop.agent.types import Message, TextPart, Update

from ...store.recordings import list_made
from ..sources.conversations import Conversation, split_turns
from ..sources.lent_tools import lend_tools
from ..sources.recording import SOURCE_MODEL, RecordedAnswer, RecordedTurn
from ..sources.stored import FAST_NODES, IMPORTED, REVIEWER, StoredThread, StoredTurn
from ..sources.tool_inference import infer_tools
from ..sources.tool_schemas import ToolShape, convert_tools
from .divergence import RecordingEnded
from .questions import watch_questions
from .recorded import ConversationReplay, ImportedSource, TurnReplay, replay_turn
from .recorded_models import make_recorded_tool
from .turn_check import TurnCheck


async def replay_stored(
    thread: StoredThread,
    packs: Mapping[str, Pack],
    settings: Settings,
    make_check: type[TurnCheck] = TurnCheck,
) -> ConversationReplay:
    """Replay a stored thread under the designs of its runs, up to its first divergence.

    One whose pack or design cannot be replayed (any more) is left out, with the reason.
    """
    if reason := find_obstacle({(t.kind, t.pack, t.design) for t in thread.turns}, packs):
        return ConversationReplay(thread.thread_id, (), (), reason)
    replays: list[TurnReplay] = []
    shapes = infer_imported_tools(thread)
    for turn in thread.turns:
        if any(replay.divergence for replay in replays):
            replays.append(TurnReplay("skipped"))
            continue
        history = list(thread.messages[: turn.position])
        if turn.pack == IMPORTED:
            source = ImportedSource(shapes, settings, turn.system)
            replays.append(await source.replay_turn(turn.recorded, history))
            continue
        served = get_served_pack(turn.pack, packs)
        pack = lend_tools(served, turn.lent)
        replays.append(
            await replay_turn(
                turn.recorded if pack.onboarding is None else give_marker(turn, pack.onboarding),
                history,
                closed := close_pack(pack, turn),
                watch_questions(build_closed_table(closed, turn), served, turn.recorded),
                make_check(turn.recorded, history),
                settings,
                data=turn.data,
                prompt_context=next(iter(find_contexts(pack, turn)), ""),
                options=replace(to_options(turn.wishes), client_tools=turn.client_tools),
            )
        )
    return ConversationReplay(thread.thread_id, tuple(replays), ())


def infer_imported_tools(thread: StoredThread) -> tuple[ToolShape, ...]:
    """Infer the tools of a thread's imported turns.

    () if no turn is from another system. They are as its requests declared them, else as they were
    called.
    """
    if all(turn.pack != IMPORTED for turn in thread.turns):
        return ()
    texts = dict.fromkeys(text for turn in thread.turns for text in turn.declared)
    said = Conversation(thread.thread_id, "", split_turns(thread.messages))
    return infer_tools([said], (s for text in texts for s in convert_tools(orjson.loads(text))))


def find_obstacle(made: Iterable[tuple[str, str, str]], packs: Mapping[str, Pack]) -> str | None:
    """Return why threads cannot be replayed with these packs.

    None if they can. made: thread's kind, pack and design.
    """
    for kind, pack, design in sorted(made):
        try:
            if pack != IMPORTED:
                build_nodes(design, kind, get_served_pack(pack, packs))
        except ConfigError as error:
            return error.message
    return None


async def leave_out(
    tx: Queryable, thread_ids: Sequence[str], packs: Mapping[str, Pack]
) -> tuple[list[str], dict[str, list[str]]]:
    """Split threads into those that can be replayed and those that cannot.

    Returns (ids to replay, the other ids by reason). Raises: NotFoundError when none can.
    """
    left_out: dict[str, list[str]] = {}
    made = await list_made(tx, thread_ids)
    for thread_id in thread_ids:
        if reason := find_obstacle(made.get(thread_id, ()), packs):
            left_out.setdefault(reason, []).append(thread_id)
    gone = {thread_id for ids in left_out.values() for thread_id in ids}
    kept = [thread_id for thread_id in thread_ids if thread_id not in gone]
    if not kept:
        raise NotFoundError(
            f"no conversation can be replayed: {'; '.join(left_out)}",
            hint="Choose other conversations, or add their packs to AGENT_PACKS.",
        )
    return kept, left_out


def build_nodes(design: str, kind: str, pack: Pack) -> NodeTable:
    """Build the node table of a design for threads of this kind.

    Raises: ConfigError for a design that is not there, or runs as one step.
    """
    # Within a run a host asks its service for nothing; here there is neither.
    host = ServiceHost(cast(Any, None), SOURCE_MODEL, SOURCE_MODEL, pack)
    model = DesignModel(SOURCE_MODEL, SOURCE_MODEL, host)
    agent = make_kind_agent(load_design(design), kind, model)
    if not hasattr(agent, "build_nodes") and not isinstance(agent, ResumeParser):
        raise ConfigError(
            f"the design {design!r} has no nodes to replay",
            hint="Implement build_nodes (agent/designs/base.py).",
        )
    return build_table(agent, design, pack)


def get_served_pack(name: str, packs: Mapping[str, Pack]) -> Pack:
    """Return the served pack with this name.

    Raises: ConfigError.
    """
    if name not in packs:
        raise ConfigError(f"the pack {name!r} is not served", hint="Add the pack to AGENT_PACKS.")
    return packs[name]


def close_pack(pack: Pack, turn: StoredTurn) -> Pack:
    """Return the pack with tools and checks that repeat the recording.

    They store nothing.
    """
    results, problems = turn.recorded.results, turn.recorded.problems
    data = find_call_data(turn)
    tools: list[Tool] = [
        make_recorded_tool(tool.schema, results, data, tool.effect, tool.outside)
        for tool in pack.tools
    ]

    async def check(state: AgentState, ctx: RequestContext) -> Check:
        return Check(problems.get(ctx.journal.step, ()))

    def close(worker: WorkerSpec) -> WorkerSpec:
        return replace(worker, check=check if worker.check else None, accept=None)

    closed = replace(change_workers(pack, close), tools=tuple(tools), load_prompt_context=None)
    return close_interview(closed, find_contexts(pack, turn))


def close_interview(pack: Pack, contexts: Sequence[str] | None) -> Pack:
    """Return the pack with an interview that repeats the recorded contexts.

    It does not store that the interview is complete. contexts: what its prompt stated about the
    user at each call of its worker in this turn; None: what the database has.
    """

    async def load_prompt(state: AgentState, ctx: RunView) -> str:
        said = contexts or ("",)
        return said[min(count_worker_turns(state["messages"]), len(said) - 1)]

    async def list_missing(state: AgentState, ctx: RunView) -> tuple[str, ...]:
        return ()  # said where a limit ends the run, in words that no step has

    def close(worker: WorkerSpec) -> WorkerSpec:
        plan = worker.interview
        if plan is None:
            return worker
        closed = replace(plan, complete=None)
        if contexts is not None:
            prompt = load_prompt if plan.load_prompt else None
            closed = replace(closed, list_missing=list_missing, load_prompt=prompt)
        return replace(worker, interview=closed)

    return change_workers(pack, close) if pack.onboarding else pack


def give_marker(turn: StoredTurn, spec: WorkerSpec) -> RecordedTurn:
    """Return the recorded turn with the interview's end marker put back into its last answer.

    The thread's message, which is all that is stored of the answer, does not show it.
    """
    marker = spec.interview and spec.interview.marker
    ends = {
        n for n, step in enumerate(turn.recorded.steps)
        if step.node == spec.name and step.update.get("result") == COMPLETE
    }  # fmt: skip
    if marker is None or not ends:
        return turn.recorded

    def give(answer: RecordedAnswer) -> RecordedAnswer:
        if answer.step not in ends or marker in answer.response.text:
            return answer
        said: TextPart = {"type": "text", "text": marker}
        message: Message = {"role": "assistant", "parts": [*answer.response.message["parts"], said]}
        return replace(answer, response=replace(answer.response, message=message))

    return replace(turn.recorded, answers=tuple(map(give, turn.recorded.answers)))


def build_closed_table(pack: Pack, turn: StoredTurn) -> NodeTable:
    """Build the design's node table for a replay.

    Nodes that cannot be repeated return their recorded results. These are its fast paths, triage's
    memory, and reviewers whose calls failed. Raises: ConfigError.
    """
    table = build_nodes(turn.design, turn.kind, pack)
    steps = turn.recorded.steps
    hurried = {answer.step for answer in turn.recorded.answers if is_hurried(answer)}

    def close(name: str, node: Node) -> Node:
        async def answer(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
            recorded = steps[ctx.journal.step] if ctx.journal.step < len(steps) else None
            update = recorded.update if recorded else {}
            result: Any = update.get("result") or {}
            if recorded is None:
                return await node(state, ctx)
            if name in FAST_NODES and "result" in update:
                return {"result": update["result"]}, recorded.next_node
            # What was remembered of triage then may be forgotten by now.
            is_known = name == START_NODE and str(result.get("rule", "")).startswith(RULE)
            if is_known:
                return cast(Update, update), recorded.next_node
            try:
                return await node(state, ctx)
            except RecordingEnded:
                # A reviewer gives its answer when a call fails: the first, or the one after an
                # answer that was no verdict. A failed call has no answer in the recording.
                if name.endswith(REVIEWER) and not result:
                    return cast(Update, update), recorded.next_node
                raise

        return answer

    def hurry(node: Node) -> Node:
        """Wrap a node to report a low budget where the recording had one.

        The ledger of today cannot tell.
        """

        async def answer(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
            ctx.journal.is_budget_near = ctx.journal.step in hurried
            return await node(state, ctx)

        return answer

    closed = {
        name: close(name, node)
        for name, node in table.nodes.items()
        if name in (*FAST_NODES, START_NODE) or name.endswith(REVIEWER)
    }
    if hurried:
        open_nodes = table.nodes.items()
        closed = {name: hurry(node) for name, node in open_nodes if name not in closed} | closed
    nodes = {**table.nodes, **closed}
    if turn.wished:
        nodes = {name: _wish(turn, node) for name, node in nodes.items()}
    return NodeTable(nodes, table.start)


def _wish(turn: StoredTurn, node: Node) -> Node:
    """Wrap a node to run with the client's request options of its step, which changed later."""

    async def answer(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        wishes = turn.find_wishes(ctx.journal.step)
        return await node(state, replace(ctx, run=change_wishes(ctx.run, wishes)))

    return answer


def is_hurried(answer: RecordedAnswer) -> bool:
    """Whether a request told the model that the budget is nearly used up."""
    messages: list[Any] = (answer.request or {}).get("messages") or [{"parts": []}]
    return any(WRAP_UP in part.get("text", "") for part in messages[-1]["parts"])


def find_contexts(pack: Pack, turn: StoredTurn) -> tuple[str, ...]:
    """List the turn's prompt contexts: texts about the user after a worker's prompt.

    A chat's turn has one, an interview's turn one per call.
    """
    systems = turn.context_systems
    held_once = systems if turn.kind != "chat" else systems[:1]
    return tuple(find_prompt_context(pack, system) for system in held_once)


def find_prompt_context(pack: Pack, system: str) -> str:
    """Return the prompt context: the text after the worker's own prompt in a system prompt.

    Where that prompt is another now, it ends where it is most like one of today's. A notice that it
    had changed says what followed it then.
    """
    if system.startswith(CONTEXT_CHANGED):
        told = system.removeprefix(CONTEXT_CHANGED)
        return "" if told == NOTHING else told
    system = system.removeprefix(PROMPT_CHANGED)
    prompts = [worker.prompt for worker in list_workers(pack)] + [read_prompt()]
    for prompt in sorted(prompts, key=len, reverse=True):
        if system.startswith(prompt):
            return system.removeprefix(prompt).removeprefix("\n\n")
    parts = system.split("\n\n")
    ends = [*accumulate(len(part.split()) for part in parts)]  # in words
    rated = [rate_beginnings(system.split(), ends, prompt.split()) for prompt in prompts]
    best = max(range(len(parts)), key=lambda n: max(rates[n] for rates in rated))
    return "\n\n".join(parts[best + 1 :])


def rate_beginnings(
    words: Sequence[str], ends: Sequence[int], prompt: Sequence[str]
) -> list[float]:
    """Rate how alike each beginning of a text is to a prompt (1: the same).

    ends: where the beginnings end. The two are compared once, not once for each end: at a prompt of
    2,000 words in 40 paragraphs that took seconds a turn
    (test_finding_a_changed_prompts_context_takes_few_comparisons).
    """
    blocks = SequenceMatcher(None, words, prompt, autojunk=False).get_matching_blocks()
    rates: list[float] = []
    for end in ends:
        alike = 0
        for start, _, size in blocks:
            if start < end:
                alike += min(start + size, end) - start
        rates.append(2 * alike / max(1, end + len(prompt)))
    return rates


def find_call_data(turn: StoredTurn) -> dict[str, dict[str, Any]]:
    """Return the pack's fields that each step set, by tool call id.

    The id is that of the step's last successful call.
    """
    found: dict[str, dict[str, Any]] = {}
    for step in turn.recorded.steps:
        calls = [
            part["id"]
            for message in step.update.get("messages", [])
            for part in message["parts"]
            if part["type"] == "tool_result" and not part["is_error"]
        ]
        data = step.update.get("data")
        if calls and data:
            found[calls[-1]] = data
    return found
