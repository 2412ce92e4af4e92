"""A pack whose tools touch the world outside: a log that a test reads, keyed and unkeyed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from plainloop.agent.core.spec import Pack
from plainloop.agent.core.tools import Tool, ToolContext, tool
from tests.machine.notes_pack import REVIEWED, WRITER, add_note, list_notes, make_pack


@dataclass
class World:
    """Someone else's system: every call it saw, and, where calls have keys, one effect per key."""

    calls: list[tuple[str, str]] = field(default_factory=list)  # (tool, idempotency key)
    hold: asyncio.Event | None = None  # calls do not return before it is set
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    def list_effects(self, tool_name: str) -> list[str]:
        keys = [key for name, key in self.calls if name == tool_name]
        return list(dict.fromkeys(keys)) if tool_name == "pay" else keys

    async def act(self, name: str, key: str) -> dict[str, Any]:
        self.calls.append((name, key))
        self.reached.set()
        if self.hold:
            await self.hold.wait()
        return {"ok": True}

    def make_pack(self) -> Pack:
        @tool("external", is_keyed=True)
        async def pay(tool: ToolContext, amount: int) -> Any:
            """Pay somebody."""
            return await self.act("pay", tool.idempotency_key)

        @tool("external")
        async def send_mail(tool: ToolContext, to: str) -> Any:
            """Send a mail."""
            return await self.act("send_mail", tool.idempotency_key)

        async def ask_burn(tool: ToolContext) -> str:
            sql = "select count(*) from notes where tenant_id = $1 and user_id = $2"
            count = await tool.db.fetchval(sql, tool.tenant_id, tool.user_id)
            return f"Burn all\nof your {count} notes?"

        @tool("write", needs_approval=True, ask=ask_burn)
        async def burn_notes(tool: ToolContext) -> Any:
            """Delete all notes."""
            sql = "delete from notes where tenant_id = $1 and user_id = $2"
            return {"burnt": await tool.db.execute(sql, tool.tenant_id, tool.user_id)}

        @tool("external", needs_approval=True)
        async def publish(tool: ToolContext, text: str) -> Any:
            """Put a text on the web."""
            return await self.act("publish", tool.idempotency_key)

        @tool("write")
        async def slow_note(tool: ToolContext, text: str) -> Any:
            """Add a note, slowly: its transaction is open meanwhile."""
            added = await add_note.function(tool, text)
            await self.act("slow_note", tool.idempotency_key)
            return added

        tools: tuple[Tool, ...] = (
            *(add_note, burn_notes, list_notes, pay, publish, send_mail, slow_note),
        )
        worker = replace(WRITER, tools=tuple(item.name for item in tools))
        return replace(make_pack(), workers=(worker, REVIEWED), tools=tools)
