"""How letters are looked through and kept."""

from __future__ import annotations

from pathlib import Path

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Check
from plainloop.agent.core.state import AgentState

LONGEST = 400


def read_greeting() -> str:
    return (Path(__file__).parent / "words.txt").read_text(encoding="utf-8").strip()


async def check_letter(state: AgentState, ctx: RunView) -> Check:
    text = get_text(state["messages"][-1])
    problems: list[str] = []
    if len(text) > LONGEST:
        problems.append("it is too long")
    if not text.startswith(read_greeting()):
        problems.append("it does not greet")
    return Check(tuple(problems))


async def store_letter(
    state: AgentState, ctx: RunView, text: str, passed: bool, check: Check
) -> None:
    db = await ctx.journal.open_transaction()
    await db.execute(
        "insert into shelf_books (tenant_id, user_id, title) values ($1, $2, $3)",
        *(ctx.tenant_id, ctx.user_id, text[:40]),
    )
