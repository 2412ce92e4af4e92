"""Checkpoints as LangGraph's SQLite saver writes them, made by hand."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import msgspec

TABLES = """
create table checkpoints (thread_id text, checkpoint_ns text default '', checkpoint_id text,
    parent_checkpoint_id text, type text, checkpoint blob, metadata blob);
create table writes (thread_id text, checkpoint_ns text default '', checkpoint_id text,
    task_id text, task_path text default '', idx integer, channel text, type text, value blob);
"""


def make_message(kind: str, **fields: Any) -> Any:
    """A message as msgpack has it: its class is named, and never imported here."""
    names = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    body = [
        f"langchain_core.messages.{kind}",
        names[kind],
        {"type": kind, **fields},
        "model_validate_json",
    ]
    return msgspec.msgpack.Ext(5, msgspec.msgpack.encode(body))


def human(key: str, text: str) -> Any:
    return make_message("human", id=key, content=text)


def ai(key: str, text: str, *calls: tuple[str, str, dict[str, Any]], usage: Any = None) -> Any:
    made = [{"id": i, "name": name, "args": args, "type": "tool_call"} for i, name, args in calls]
    about = {"model_name": "gpt-4o-mini", "model_provider": "openai"}
    told = {"usage_metadata": usage} if usage else {}
    return make_message(
        "ai", id=key, content=text, tool_calls=made, response_metadata=about, **told
    )


def tool(key: str | None, call_id: str, text: str) -> Any:
    own = {} if key is None else {"id": key}
    return make_message("tool", tool_call_id=call_id, content=text, name="book", **own)


class Saver:
    """A SQLite file with threads. Each `put` is one more checkpoint of its thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = sqlite3.connect(path)
        self._db.executescript(TABLES)
        self._count = 0
        self._heads: dict[str, str] = {}

    def put(self, thread_id: str, messages: list[Any], **values: Any) -> str:
        self._count += 1
        own = f"1f1e74fe-{self._count:012x}"
        body = {
            "v": 4,
            "id": own,
            "ts": f"2026-11-20T10:{self._count // 60 % 60:02}:{self._count % 60:02}+00:00",
            "channel_versions": dict.fromkeys(("messages", *values), str(self._count)),
            "channel_values": {"messages": messages, **values},
            "versions_seen": {},
        }
        row = (thread_id, own, self._heads.get(thread_id), msgspec.msgpack.encode(body))
        self._db.execute(
            "insert into checkpoints values (?, '', ?, ?, 'msgpack', ?, ?)",
            (*row, json.dumps({"source": "loop", "step": self._count}).encode()),
        )
        self._heads[thread_id] = own
        self._db.commit()
        return own

    def write(self, thread_id: str, task: str, idx: int, channel: str, value: Any) -> None:
        """A pending write of the thread's head."""
        blob = msgspec.msgpack.encode(value)
        row = (thread_id, self._heads[thread_id], task, idx, channel, blob)
        self._db.execute("insert into writes values (?, '', ?, ?, '', ?, ?, 'msgpack', ?)", row)
        self._db.commit()

    def interrupt(self, thread_id: str, value: Any) -> None:
        body = ["langgraph.types", "Interrupt", {"value": value, "id": "i1"}]
        waits = msgspec.msgpack.Ext(2, msgspec.msgpack.encode(body))
        self.write(thread_id, "task-1", -3, "__interrupt__", [waits])
