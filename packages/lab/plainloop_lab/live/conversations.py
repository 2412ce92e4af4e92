"""What a live replay answers: stored threads and imported conversations in one form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson

from plainloop.agent.core.spec import Pack
from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.store import Store
from plainloop_lab.replay.engine.context import NOBODY
from plainloop_lab.replay.engine.stored import (
    find_call_data,
    find_contexts,
    get_served_pack,
    infer_imported_tools,
)
from plainloop_lab.replay.sources.lent_tools import lend_tools
from plainloop_lab.replay.sources.openai_format import parse_conversation
from plainloop_lab.replay.sources.stored import IMPORTED, StoredThread, load_stored

from ..store.replays import Item
from .fast_rows import collect_fast_rows, collect_remembered
from .lane import Lane, LiveConversation, LiveTurn
from .plan import LivePlan, make_imported_pack


async def load_live(
    store: Store, tenant_id: str, item: Item, lane: Lane, plan: LivePlan
) -> LiveConversation:
    """Load the conversation of a replay's item, with the pack of the item's variant.

    Of a run that is replayed alone, it has the one turn, after all messages before.

    Raises: NotFoundError when the thread was erased, ConfigError when its pack is not served.
    """
    if item.thread_id is None:
        return to_live_imported(item.conversation or {}, make_imported_pack(plan.shapes))
    thread = await load_stored(store, tenant_id, item.thread_id)
    if not thread.turns:
        raise NotFoundError(
            f"the thread {item.thread_id} no longer exists", hint="Start a new replay without it."
        )
    live = to_live_stored(thread, lane.packs)
    if item.conversation is None:
        return live
    run_id, said = item.conversation["run_id"], [*live.opening]
    for turn in live.turns:
        if len(said) == item.conversation["position"]:
            return replace(live, conversation_id=run_id, opening=tuple(said), turns=(turn,))
        said += [turn.user, *turn.recorded]
    raise NotFoundError(f"the run {run_id} no longer exists", hint="Start a new replay without it.")


def to_live_imported(line: Mapping[str, Any], pack: Pack) -> LiveConversation:
    """Convert an imported conversation to a LiveConversation, whose turns a variant can answer."""
    found = parse_conversation(orjson.dumps(line), 1, repair=True)
    turns = tuple(
        LiveTurn(
            *(turn.user, turn.recorded),
            calls=sum(message["role"] == "assistant" for message in turn.recorded),
            is_whole=turn.is_answered,
        )
        for turn in found.turns
    )
    return LiveConversation(found.conversation_id, found.opening, turns, pack, found.system, NOBODY)


def to_live_stored(thread: StoredThread, packs: Mapping[str, Pack]) -> LiveConversation:
    """Convert a stored thread to a LiveConversation, in which each run is one turn.

    Prompts have the user's data of then. A thread of another system runs as a file's conversation
    does: under `react`, with its own prompt.
    """
    first = thread.turns[0]
    is_foreign = first.pack == IMPORTED
    shapes = infer_imported_tools(thread)
    pack = make_imported_pack(shapes) if is_foreign else get_served_pack(first.pack, packs)
    for turn in thread.turns:
        pack = lend_tools(pack, turn.lent)
    ends = [*(turn.position for turn in thread.turns[1:]), len(thread.messages)]
    turns = tuple(
        LiveTurn(
            turn.recorded.user,
            thread.messages[turn.position + 1 : end],
            turn.design,
            turn.kind,
            () if is_foreign else find_contexts(pack, turn),
            collect_fast_rows(turn.recorded.steps),
            turn.data,
            find_call_data(turn),
            turn.wishes,
            len(turn.recorded.answers),
            turn.is_whole,
            collect_remembered(turn.recorded.steps),
            tuple({step.node.partition(".")[0]: None for step in turn.recorded.steps}),
            frozenset(
                turn.recorded.steps[answer.step].node
                for answer in turn.recorded.answers
                if answer.step is not None and answer.step < len(turn.recorded.steps)
            ),
        )
        for turn, end in zip(thread.turns, ends, strict=True)
    )
    opening = thread.messages[: first.position]
    system = first.system if is_foreign else None
    return LiveConversation(thread.thread_id, opening, turns, pack, system, thread.user_id)
