"""The newest state of a LangGraph thread, as `get_state` gives it, made a conversation."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import datetime
from typing import Any, Final

from plainloop.agent.base.messages.contents import list_open_calls
from plainloop.agent.config.settings import Settings
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import InputError

from ..conversations import Conversation, ModelCall, PlacedCall
from ..messages import (
    CLASS,
    MessageReader,
    Said,
    build_messages,
    is_message,
    title_messages,
    unwrap,
)
from ..usage import read_usage
from ..values import as_dict, as_list, as_text
from .tables import Checkpoint, Tables, ThreadRows, Write, open_tables
from .values import REMOVE_ALL, Snapshot

INTERRUPT: Final = "__interrupt__"
RESUME: Final = "__resume__"
ERROR: Final = "__error__"
MESSAGES_KEY: Final = "messages"


@dataclass(slots=True)
class _State:
    """The state that a namespace's newest checkpoint and its pending writes have."""

    items: list[dict[str, Any]]
    head: Checkpoint
    chain: list[Checkpoint]  # the head's ancestors and itself, the oldest first
    pending: list[Write] = field(default_factory=list[Write])

    @property
    def head_id(self) -> str:
        return self.head.checkpoint_id


async def read_threads(
    source: str, settings: Settings, *, schema: str | None, messages_key: str | None
) -> AsyncGenerator[Conversation | InputError]:
    """Yield each thread of LangGraph's tables as a conversation.

    A thread that cannot be read is yielded as an InputError. Raises: InputError when the tables
    cannot be reached.
    """
    async with open_tables(source, schema) as tables:
        async for thread_id in tables.list_threads():
            try:
                rows = await tables.load_thread(thread_id)
                yield await build_conversation(tables, rows, settings, messages_key)
            except InputError as error:
                yield InputError(f"{thread_id}: {error.message}", hint=error.hint)


async def build_conversation(
    tables: Tables, rows: ThreadRows, settings: Settings, messages_key: str | None
) -> Conversation:
    """Build a conversation from a thread's rows.

    Raises: InputError.
    """
    whole = Conversation(rows.thread_id)
    reader = MessageReader(settings)
    key = await _find_messages_key(tables, rows, messages_key)
    state = await _load_state(tables, rows, "", key)
    if state is None:
        whole.gaps.append("no state")
        return whole
    items, asked = list(state.items), _list_asked(state.pending)
    # Subgraphs that belong to the head have not come to their end.
    inside = [one for one in rows.checkpoints if one.namespace]
    own = [one for one in inside if as_dict(one.metadata.get("parents")).get("") == state.head_id]
    for inner in dict.fromkeys(one.namespace for one in own):
        below = await _load_state(tables, rows, inner, key)
        if below is not None:
            known = {_get_id(item) for item in items}
            items += [item for item in below.items if _get_id(item) not in known]
            asked += _list_asked(below.pending)
            reader.note(f"messages of the unfinished subgraph {inner.partition(':')[0]!r}: added")
    said = [one for item in items for one in reader.read_one(item)]
    prompts = [one.text for one in said if one.role == "system"]
    whole.system = "\n\n".join(prompts)
    if prompts:
        reader.note("system messages are not imported as messages: stored as the calls' prompt")
    kept = [one for one in said if one.role != "system"]
    whole.messages, places = build_messages(kept, reader.note)
    whole.title = title_messages(whole.messages)
    born, older = _read_history(rows, state.chain, key)
    whole.times = [None] * len(whole.messages)
    for one, place in zip(kept, places, strict=True):
        if place is not None and whole.times[place] is None:
            whole.times[place] = born.get(one.key or "", state.head.at)
    _add_calls(whole, items, kept, places, reader.note)
    _tell_end(whole, rows, state, asked)
    if gone := older - {_get_id(item) for item in items}:
        reader.note(f"{len(gone)} messages that the graph removed or replaced: left out")
    roots = [one for one in rows.checkpoints if one.namespace == ""]
    parents = {one.parent_id for one in roots} | {state.head_id}
    if branches := sum(one.checkpoint_id not in parents for one in roots):  # other leaves
        reader.note(f"{branches} older branches of the thread: left out")
    whole.notes = reader.list_notes()
    return whole


async def _find_messages_key(tables: Tables, rows: ThreadRows, wanted: str | None) -> str:
    """Find the channel with the messages: as requested, `messages`, or the only candidate."""
    if wanted is not None:
        return wanted
    heads = [one for one in rows.checkpoints if one.namespace == ""]
    if not heads or MESSAGES_KEY in heads[-1].versions:
        return MESSAGES_KEY
    values = await tables.load_values(rows.thread_id, heads[-1], None)
    found = [
        name
        for name, value in values.items()
        if not name.startswith("__") and as_list(value) and all(map(is_message, as_list(value)))
    ]
    if len(found) > 1:
        raise InputError(
            f"several channels contain messages: {', '.join(found)}",
            hint="Choose one with --messages-key.",
        )
    return found[0] if found else MESSAGES_KEY


async def _load_state(tables: Tables, rows: ThreadRows, namespace: str, key: str) -> _State | None:
    own = {one.checkpoint_id: one for one in rows.checkpoints if one.namespace == namespace}
    if not own:
        return None
    head = own[max(own)]
    chain = [head]
    while chain[-1].parent_id in own and len(chain) <= len(own):
        chain.append(own[chain[-1].parent_id or ""])
    values = await tables.load_values(rows.thread_id, head, [key])
    value = values.get(key)
    if key in head.versions and not isinstance(value, Snapshot | list):
        value = await _replay_changes(tables, rows, chain, key)
    items = _to_items(value)
    pending = [
        write
        for write in rows.writes
        if write.namespace == namespace and write.checkpoint_id == head.checkpoint_id
    ]
    for write in pending:
        if write.channel == key and write.idx >= 0:
            items = add_messages(items, write)
    return _State(items, head, chain[::-1], pending)


async def _replay_changes(
    tables: Tables, rows: ThreadRows, chain: Sequence[Checkpoint], key: str
) -> Any:
    """Rebuild a channel that stores only changes, from its newest whole value on."""
    items: list[dict[str, Any]] = []
    begin = len(chain)
    for place, checkpoint in enumerate(chain[1:], 1):
        values = await tables.load_values(rows.thread_id, checkpoint, [key])
        value = values.get(key)
        if isinstance(value, Snapshot | list):
            items = _to_items(value)
            begin = place + 1
            break
    for checkpoint in reversed(chain[1:begin]):
        for write in rows.writes:
            same = (write.namespace, write.checkpoint_id) == (
                checkpoint.namespace,
                checkpoint.checkpoint_id,
            )
            if same and write.channel == key and write.idx >= 0:
                items = add_messages(items, write)
    return items


def _to_items(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, Snapshot):
        value = value.value
    items = as_list(value) if isinstance(value, list) else [] if value is None else [value]
    return [unwrap(item) for item in items]


def add_messages(items: list[dict[str, Any]], write: Write) -> list[dict[str, Any]]:
    """Return a thread's messages after a write, merged as LangGraph's reducer does.

    A message replaces an earlier one of the same id; a removal removes it.
    """
    value = write.decode()
    if as_dict(value).get(CLASS) == "Overwrite":
        return _to_items(as_dict(value).get("value"))
    for n, item in enumerate(_to_items(value)):
        key = _get_id(item)
        if item.get("type") == "remove":
            items = [] if key == REMOVE_ALL else [one for one in items if _get_id(one) != key]
            continue
        if not key:  # the library makes one at each read
            item = {**item, "id": f"{write.task_id}:{write.idx}:{n}"}
            key = item["id"]
        place = next((i for i, one in enumerate(items) if _get_id(one) == key), None)
        items = [*items, item] if place is None else [*items[:place], item, *items[place + 1 :]]
    return items


def _get_id(item: dict[str, Any]) -> str:
    found = item.get("id")
    return found if isinstance(found, str) else ""


def _list_asked(pending: Sequence[Write]) -> list[dict[str, Any]]:
    """List the interrupts that still wait: those of tasks that have written nothing else."""
    done = {write.task_id for write in pending if write.idx >= 0}
    asked: list[dict[str, Any]] = []
    for write in pending:
        if write.channel == INTERRUPT and write.task_id not in done:
            value = write.decode()
            asked += [as_dict(one) for one in (as_list(value) or [value])]
    return asked


def _read_history(
    rows: ThreadRows, chain: Sequence[Checkpoint], key: str
) -> tuple[dict[str, datetime], set[str]]:
    """Return (each message's time by id, the ids of all messages that the chain ever had)."""
    children = {one.parent_id: one.at for one in chain if one.parent_id}
    ancestors = {one.checkpoint_id for one in chain}
    born: dict[str, datetime] = {}
    had: set[str] = set()
    for write in rows.writes:
        if write.channel != key or write.namespace:
            continue
        try:
            value = write.decode()
        except InputError:
            continue
        at = children.get(write.checkpoint_id)
        for item in _to_items(value):
            if at is not None and _get_id(item):
                born.setdefault(_get_id(item), at)
            is_removal = item.get("type") == "remove"
            if write.checkpoint_id in ancestors and _get_id(item) and not is_removal:
                had.add(_get_id(item))
    return born, had


def _add_calls(
    whole: Conversation,
    items: Sequence[dict[str, Any]],
    kept: Sequence[Said],
    places: Sequence[int | None],
    note: Callable[[str], None],
) -> None:
    """Add a model call for each answer from its stated usage; checkpoints have no requests."""
    by_key = {one.key: place for one, place in zip(kept, places, strict=True) if one.key}
    for item in items:
        told = as_dict(item.get("usage_metadata"))
        about = as_dict(item.get("response_metadata"))
        usage = told or as_dict(about.get("token_usage")) or as_dict(about.get("tokenUsage"))
        place = by_key.get(_get_id(item))
        if item.get("type") != "ai" or not usage or place is None:
            continue
        at = whole.times[place]
        if at is None:
            continue
        model = as_text(about.get("model_name") or about.get("model"))
        whole.calls.append(
            PlacedCall(
                ModelCall(
                    name=_get_id(item),
                    trace=whole.name,
                    started_at=at,
                    ended_at=at,
                    provider=as_text(about.get("model_provider")),
                    model=model,
                    model_answered=model or None,
                    system=whole.system,
                    finish=as_text(about.get("finish_reason")) or None,
                    response_id=as_text(about.get("id")) or None,
                    usage=read_usage(usage, note),
                ),
                answered_at=place,
            )
        )


def _tell_end(
    whole: Conversation, rows: ThreadRows, state: _State, asked: Sequence[dict[str, Any]]
) -> None:
    """Note why the newest turn is not complete, and its questions on open calls."""
    open_calls = list_open_calls(whole.messages)
    if asked and open_calls:
        for call in open_calls:
            whole.waiting[call["id"]] = _word_question(asked, call["name"])
        whole.gaps.append("waits for an approval")
    elif asked:
        told = "; ".join(as_text(one.get("value"))[:200] for one in asked)
        whole.gaps.append(f"waits for a person's text, not for an approval: {told}")
    elif open_calls:
        whole.gaps.append("a call without a result")
    failed = [w for w in state.pending if w.channel == ERROR]
    if failed:
        try:
            whole.error = as_text(failed[0].decode())[:500]
        except InputError as error:
            whole.error = error.message[:500]
        whole.gaps.append(f"a node failed: {whole.error[:200]}")
    if not whole.messages:
        whole.gaps.append("no messages")


def _word_question(asked: Sequence[dict[str, Any]], tool: str) -> str:
    for one in asked:
        value = one.get("value")
        for action in as_list(as_dict(value).get("action_requests")):
            if as_dict(action).get("name") == tool:
                return as_text(as_dict(action).get("description")) or tool
        if question := as_dict(value).get("question"):
            return as_text(question)
    return as_text(asked[0].get("value"))
