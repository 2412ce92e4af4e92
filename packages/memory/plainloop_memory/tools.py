"""The two tools of a worker that remembers."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from msgspec import Meta

from plainloop.agent.core.tools import ToolContext, ToolOutcome, tool
from plainloop.agent.errors import ToolError
from plainloop.agent.provenance.marking import Reach
from plainloop.agent.provenance.words import Words, is_plain

from .settings import MemorySettings
from .store import NewMemory, correct_memory, save_memory, search_memories
from .texts import fit_text, get_said

QUERY_CHARS = 300


async def ask_to_remember(tool: ToolContext, text: str, replaces: int | None = None) -> str:
    """Build the question that asks the user to approve a memory of the model."""
    instead = f" in place of #{replaces}" if replaces is not None else ""
    return f"Remember “{text}” for later conversations{instead}?"


# Both decide what every later conversation is told: after text from outside, what is not the user's
# own word asks (docs/outside-text.md, `final`).
@tool("write", reach=Reach(targets=("text", "replaces")), ask=ask_to_remember)
async def remember(
    tool: ToolContext,
    text: Annotated[str, Meta(description="one fact, if possible in the user's own words")],
    replaces: Annotated[
        int | None, Meta(description="the number of the memory to correct, as in #12")
    ] = None,
) -> Any:
    """Keep one lasting fact about the user for later conversations: how they want things, what is
    so for long. Nothing that is only about this conversation, no passwords, nobody's guess.
    """
    own = tool.ctx.settings.get_table(MemorySettings)
    kept = fit_text(text)
    if not kept or len(kept) > own.text_chars:
        raise ToolError(f"a memory must have 1 to {own.text_chars} characters: shorten it")
    new = NewMemory(
        kept,
        is_untrusted=tool.is_tainted and not await _is_users_own(tool, kept),
        thread_id=tool.ctx.thread_id or None,
        run_id=tool.ctx.run.run_id or None,
        position=tool.ctx.run.input_position if tool.ctx.run.run_id else None,
    )
    owner = (tool.tenant_id, tool.user_id)
    if replaces is not None:
        if (row := await correct_memory(tool.db, *owner, replaces, new)) is None:
            raise ToolError(f"there is no memory #{replaces}: leave `replaces` out")
        return {"memory": row["memory_id"], "status": "corrected"}
    saved = await save_memory(tool.db, *owner, new, own.most)
    if saved is None:
        told = f"the user already has {own.most} memories, the maximum: replace one"
        raise ToolError(f"{told}, or ask the user to delete some on the page Memory")
    row, is_new = saved
    return {"memory": row["memory_id"], "status": "remembered" if is_new else "known already"}


@tool("read", is_fixed=True)
async def recall(
    tool: ToolContext,
    query: Annotated[
        str, Meta(max_length=QUERY_CHARS, description="words that the memory may contain")
    ],
) -> Any:
    """Search what the user told in earlier conversations."""
    limit = tool.ctx.settings.get_table(MemorySettings).recall_rows
    rows = await search_memories(tool.db, tool.tenant_id, tool.user_id, query, limit)
    # In this order: what erases a memory finds it so (migrations/0001_memory_memories.sql).
    found = [
        {"memory": row["memory_id"], "text": row["text"], "since": f"{row['created_at']:%Y-%m-%d}"}
        for row in rows
    ]
    outside = [f"memories/{n}/text" for n, row in enumerate(rows) if row["is_untrusted"]]
    return ToolOutcome({"memories": found}, outside=outside)


async def _is_users_own(tool: ToolContext, text: str) -> bool:
    """Whether the user typed this text in this conversation, word for word."""
    messages = await tool.ctx.store.load_messages(tool.tenant_id, tool.ctx.thread_id)
    said = Words(map(get_said, messages))
    return is_plain(text) and await asyncio.to_thread(said.__contains__, text)
