"""A domain whose tools reach an external system: what it was told is what really ran."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

MODULE = """
import asyncio, os
from typing import Any
from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.core.tools import Tool, ToolContext

EFFECTS = {effects!r}


async def tell(name: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(os.environ["DESK_PORT"]))
    writer.write(name.encode() + b"\\n")
    reply = await reader.readline()
    writer.close()
    return reply.decode().strip()


def make_tool(name: str, effect: str) -> Tool:
    async def run(tool: ToolContext, /, **given: Any) -> Any:
        reply = await tell(name)
        if effect == "write":
            insert = "insert into desk_deeds (tenant_id, user_id, name) values ($1, $2, $3)"
            await tool.db.execute(insert, tool.tenant_id, tool.user_id, name)
        return {{"reply": reply}}

    return Tool(name, name, effect, run, parameters={{"type": "object"}})


def make_pack() -> Pack:
    tools = tuple(make_tool(*item) for item in EFFECTS.items())
    clerk = WorkerSpec(
        name="clerk",
        description="does whatever is asked at the desk",
        prompt="You sit at the desk.",
        tools=tuple(EFFECTS),
    )
    return Pack(
        name="desk",
        title="Desk",
        workers=(clerk,),
        default_worker="clerk",
        tools=tools,
        migrations=__import__("pathlib").Path(__file__).parent / "migrations",
    )
"""
TABLE = """
create table desk_deeds (
    tenant_id text not null,
    deed_id bigint generated always as identity,
    user_id text not null,
    name text not null,
    primary key (tenant_id, deed_id)
);
select plainloop_protect('desk_deeds');
"""
DEEDS = "select count(*) as n from desk_deeds where tenant_id = 'local'"


@dataclass
class Desk:
    """The external system: every word that reached it, in order."""

    port: int = 0
    told: list[str] = field(default_factory=list[str])


@asynccontextmanager
async def open_desk() -> AsyncGenerator[Desk]:
    desk = Desk()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        desk.told.append((await reader.readline()).decode().strip())
        writer.write(b"done\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    desk.port = server.sockets[0].getsockname()[1]
    async with server:
        yield desk


def write_pack(folder: Path, effects: dict[str, str]) -> dict[str, str]:
    """The pack `front.desk` with these tools, as a module in `folder`; returns the environment of
    processes that serve it, but for DESK_PORT."""
    (folder / "front" / "desk" / "migrations").mkdir(parents=True)
    (folder / "front" / "desk" / "__init__.py").write_text(MODULE.format(effects=effects))
    (folder / "front" / "desk" / "migrations" / "0001_desk_deeds.sql").write_text(TABLE)
    root = Path(__file__).parents[4]
    return {"AGENT_PACKS": "front.desk", "PYTHONPATH": f"{root}:{folder}"}
