"""Conversations that stand whole in a file, with no calls beside them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from plainloop.agent.base.messages.contents import list_open_calls
from plainloop.agent.base.text.cleaning import clean_text

from .conversations import Conversation
from .messages import MessageReader, Said, build_messages, split_system, title_messages
from .spool import Spool
from .values import dump, make_name_id


def keep_whole(
    spool: Spool,
    reader: MessageReader,
    said: Sequence[Said],
    *,
    name: str | None = None,
    title: str = "",
    system: str = "",
    tools: list[dict[str, Any]] | None = None,
    times: Sequence[datetime | None] = (),
    expected: Any = None,
) -> None:
    """Put a conversation that the source stores whole into the spool (a temporary store).

    Without a name, one is derived from its messages. times: as many as `said`, or none. expected:
    the answer of a dataset's row.
    """
    told, rest = split_system(said)
    whole = Conversation(name or "", system=clean_text(system or told), tools=tools)
    whole.messages, places = build_messages(rest, reader.note)
    whole.times = [None] * len(whole.messages)
    for place, at in zip(places, times[len(said) - len(rest) :], strict=False):
        if place is not None and at is not None:
            whole.times[place] = at
    whole.title = clean_text(title) or title_messages(whole.messages)
    whole.name = name or make_name_id(whole.system, dump(whole.messages).decode())
    if not whole.messages:
        whole.gaps.append("no messages")
    elif list_open_calls(whole.messages):
        whole.gaps.append("a call without a result")
    elif whole.messages[-1]["role"] == "user":
        whole.gaps.append("the last message has no answer")
    whole.notes, whole.expected = reader.list_notes(), expected
    began = whole.began_at
    spool.put("whole", whole.name, began.timestamp() if began else 0.0, whole)
