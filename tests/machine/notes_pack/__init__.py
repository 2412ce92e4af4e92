"""A tiny pack for tests of the machine: notes, and tools that misbehave on purpose."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Check, EntitySpec, FieldSpec, Pack, WorkerSpec
from plainloop.agent.core.state import AgentState
from plainloop.agent.core.tools import ToolContext, ToolOutcome, tool
from plainloop.agent.errors import ToolError


@tool("write")
async def add_note(
    tool: ToolContext, text: str, stars: Annotated[int, Meta(ge=0, le=5)] = 0
) -> Any:
    """Add a note."""
    row = await tool.db.fetchrow(
        "INSERT INTO notes (tenant_id, user_id, text, stars) VALUES ($1, $2, $3, $4) "
        "RETURNING note_id, text, stars",
        tool.tenant_id,
        tool.user_id,
        text,
        stars,
    )
    return {"note": row}


@tool("write")
async def add_then_fail(tool: ToolContext, text: str) -> Any:
    """Add a note, then fail."""
    await add_note.function(tool, text)
    raise ToolError("no, after all", hint="use add_note")


@tool("read")
async def list_notes(tool: ToolContext, limit: int = 20) -> Any:
    """List the notes."""
    rows = await tool.db.fetch(
        "SELECT note_id, text, stars FROM notes WHERE tenant_id = $1 AND user_id = $2 "
        "ORDER BY note_id LIMIT $3",
        tool.tenant_id,
        tool.user_id,
        limit,
    )
    return {"notes": rows}


@tool("read")
async def explode(tool: ToolContext) -> Any:
    """Raise what no tool should."""
    raise RuntimeError("a bug in a tool")


@tool("read")
async def hang(tool: ToolContext) -> Any:
    """Never answer."""
    await asyncio.Event().wait()


@tool("read")
async def set_mood(tool: ToolContext, mood: str) -> Any:
    """Remember a mood in the pack's data."""
    return ToolOutcome({"mood": mood, "before": tool.data.get("mood")}, data={"mood": mood})


async def find_shouting(state: AgentState, ctx: RunView) -> Check:
    text = get_text(state["messages"][-1])
    loud = [word for word in text.split() if word.isupper() and len(word) > 2]
    return Check(problems=tuple(f"do not shout {word}" for word in loud))


async def store_answer(
    state: AgentState, ctx: RunView, text: str, passed: bool, check: Check
) -> None:
    db = await ctx.journal.open_transaction()
    await db.execute(
        "INSERT INTO notes (tenant_id, user_id, text, stars) VALUES ($1, $2, $3, $4)",
        ctx.tenant_id,
        ctx.user_id,
        text,
        5 if passed else 0,
    )


ALL_TOOLS = (add_note, add_then_fail, explode, hang, list_notes, set_mood)

WRITER = WorkerSpec(
    name="note_writer",
    description="adds, changes and lists notes",
    prompt="You keep notes.",
    tools=tuple(item.name for item in ALL_TOOLS),
    evaluate="never",
)
REVIEWED = WorkerSpec(
    name="poet",
    description="writes poems that are reviewed",
    prompt="You write poems.",
    tools=("list_notes",),
    evaluate="always",
    check=find_shouting,
    accept=store_answer,
)

NOTES = EntitySpec(
    name="notes",
    table="notes",
    id_column="note_id",
    singular="note",
    words=("note", "notes"),
    fields=(
        FieldSpec("text", "text", words=("text",), is_lookup=True),
        FieldSpec("stars", "stars", "int", words=("stars",)),
    ),
    title=lambda row: f"#{row['note_id']} {row['text']}",
    default_order="text",
)


def make_named_pack() -> Pack:
    """The pack with notes that a sentence can name: no rule is certain of a name."""
    text, stars = NOTES.fields
    named = replace(NOTES, fields=(replace(text, words=("text", "about")), stars))
    return replace(make_pack(), entities=(named,))


def make_pack() -> Pack:
    return Pack(
        name="notes",
        title="Notes",
        workers=(WRITER, REVIEWED),
        default_worker="note_writer",
        tools=ALL_TOOLS,
        entities=(NOTES,),
        migrations=Path(__file__).with_name("migrations"),
        data_fields=("mood",),
    )
