"""The same six flows as a hand-written loop over the SDK's usual streaming objects.

It stores messages, nothing else: no runs, steps, ledger or events. `CONVENTIONAL` sends every tool
and the whole history with each worker call, asks for JSON in words and reviews each answer; `LEAN`
sends the worker's own tools and the newest 6,000 tokens, uses JSON mode, and reviews by policy.
Both have a router call first, the same prompts for workers, and the provider's cache marks.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

import asyncpg
from anthropic import AsyncAnthropic

from plainloop.agent.base.tokens.estimate import estimate_json_tokens
from scripts.benchmarks.flow import tools
from scripts.benchmarks.flow.history import build_history
from scripts.benchmarks.flow.pack import WORKERS
from scripts.benchmarks.flow.runs import MODEL, TENANT, USER, Told
from scripts.benchmarks.flow.texts import FEEDBACK_MARK, PREVIOUS, Flow

CACHED: Final = {"type": "ephemeral"}
MAX_TOKENS: Final = 8096
RETRIES: Final = 2
Messages = list[dict[str, Any]]

ROUTER: Final = "You route requests to workers.\n\n" + "\n".join(
    f"- {worker.name}: {worker.description}" for worker in WORKERS
)
ROUTER_JSON: Final = '\n\nAnswer with JSON only: {"worker": name, "success_criteria": text}'
REVIEWER: Final = (
    "You review an assistant's answer: does it meet the criteria, and is everything in it "
    "supported by the material?"
)
REVIEWER_JSON: Final = (
    '\n\nAnswer with JSON only: {"verdict": "pass" or "retry", "feedback": text, "score": 0..1}'
)


def drop_thinking(history: Messages) -> Messages:
    """Leave out thinking of turns and drafts that are done: a Claude model from 5.1 on refuses it
    behind another system prompt.
    """
    return [
        {
            **message,
            "content": [block for block in message["content"] if block["type"] != "thinking"],
        }
        if message["role"] == "assistant"
        else message
        for message in history
    ]


@dataclass(frozen=True, slots=True)
class Style:
    name: str
    is_lean: bool
    window_tokens: int | None  # None: the whole thread


CONVENTIONAL: Final = Style("raw, conventional", False, None)
LEAN: Final = Style("raw, lean", True, 6000)


class RawLoop:
    """One style of the loop."""

    def __init__(self, style: Style, client: AsyncAnthropic, pool: Any) -> None:
        self.name = style.name
        self._style = style
        self._client = client
        self._pool = pool
        self._schemas = {tool.name: to_schema(tool) for tool in tools.ALL_TOOLS}

    async def prepare(self, flow: Flow) -> str:
        thread_id = str(uuid.uuid4())
        if flow.is_long:
            for position, message in enumerate(to_wire_history()):
                await self._save(thread_id, position, message)
            await self.run(thread_id, PREVIOUS)
        return thread_id

    async def run(self, thread_id: str, flow: Flow) -> Told:
        history = drop_thinking(self._trim(await self._load(thread_id)))
        start = len(history)
        await self._add(thread_id, history, _user(flow.message))
        routed = await self._ask_json(
            ROUTER, ROUTER_JSON, history, {"worker": "string", "success_criteria": "string"}
        )
        worker = next(item for item in WORKERS if item.name == routed["worker"])
        profile = await tools.load_text(_tool_context(self._pool), "profile")
        system = f"{worker.prompt}\n\nProfile of the user:\n{profile}"
        feedback: Messages = []
        for _ in range(RETRIES + 1):
            text, first_ms = await self._work(thread_id, history, feedback, system, worker.tools)
            if not self._needs_review(worker.name, history[start:]):
                break
            verdict = await self._review(flow.message, routed, history[start:], text)
            if verdict["verdict"] == "pass":
                break
            ask = f"{FEEDBACK_MARK}:\n{verdict['feedback']}\n\nWrite the whole answer again."
            feedback, history = [_user(ask)], drop_thinking(history)
        return Told(text, first_ms)

    async def _work(
        self,
        thread_id: str,
        history: Messages,
        feedback: Messages,
        system: str,
        names: tuple[str, ...],
    ) -> tuple[str, float | None]:
        """Model and tools by turns, until the model answers in text."""
        while True:
            began, first_ms = time.perf_counter(), None
            async with self._client.messages.stream(
                model=MODEL,
                max_tokens=MAX_TOKENS,
                system=[{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}],
                tools=self._list_tools(names),
                messages=_mark_last([*history, *feedback]),
            ) as stream:
                async for _ in stream.text_stream:
                    if first_ms is None:
                        first_ms = (time.perf_counter() - began) * 1000
                answer = await stream.get_final_message()
            blocks = [block.model_dump(exclude_none=True) for block in answer.content]
            await self._add(thread_id, history, {"role": "assistant", "content": blocks})
            calls = [block for block in blocks if block["type"] == "tool_use"]
            if not calls:
                text = "".join(block["text"] for block in blocks if block["type"] == "text")
                return text, first_ms
            results = [await self._call_tool(call) for call in calls]
            await self._add(thread_id, history, {"role": "user", "content": results})

    async def _call_tool(self, call: dict[str, Any]) -> dict[str, Any]:
        found = next(item for item in tools.ALL_TOOLS if item.name == call["name"])
        result = await found.function(_tool_context(self._pool), **call["input"])
        return {
            "type": "tool_result",
            "tool_use_id": call["id"],
            "content": json.dumps(result, ensure_ascii=False),
        }

    async def _review(
        self, request: str, routed: dict[str, Any], turn: Messages, text: str
    ) -> dict[str, Any]:
        material = [
            block["content"]
            for message in turn
            for block in message["content"]
            if block["type"] == "tool_result"
        ]
        asked = (
            f"Request:\n{request}\n\nCriteria:\n{routed['success_criteria']}\n\n"
            f"Material:\n{chr(10).join(material)}\n\nAnswer:\n{text}"
        )
        shape = {"verdict": "string", "feedback": "string", "score": "number"}
        return await self._ask_json(REVIEWER, REVIEWER_JSON, [_user(asked)], shape)

    def _needs_review(self, worker: str, turn: Messages) -> bool:
        if not self._style.is_lean:
            return True
        calls = [b for message in turn for b in message["content"] if b["type"] == "tool_use"]
        return worker == "letters" or (worker == "search" and len(calls) > 1)

    async def _ask_json(
        self, system: str, json_words: str, messages: Messages, shape: dict[str, str]
    ) -> dict[str, Any]:
        schema = {
            "type": "object",
            "properties": {name: {"type": kind} for name, kind in shape.items()},
            "required": list(shape),
            "additionalProperties": False,
        }
        is_lean = self._style.is_lean
        options: Any = (
            {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
            if is_lean
            else {}
        )
        sent = messages[-1:] if is_lean else messages
        answer = await self._client.messages.create(
            model=MODEL,
            max_tokens=600,
            system=system if is_lean else system + json_words,
            messages=_without_calls(sent),
            **options,
        )
        return json.loads("".join(block.text for block in answer.content if block.type == "text"))

    def _list_tools(self, names: tuple[str, ...]) -> Any:
        shown = sorted(names) if self._style.is_lean else sorted(self._schemas)
        schemas = [dict(self._schemas[name]) for name in shown]
        schemas[-1]["cache_control"] = CACHED
        return schemas

    def _trim(self, history: Messages) -> Messages:
        """The newest whole exchanges within the window."""
        if self._style.window_tokens is None:
            return history
        left, cut = self._style.window_tokens, len(history)
        for i in range(len(history) - 1, -1, -1):
            left -= estimate_json_tokens(history[i])
            if left < 0:
                break
            if history[i]["role"] == "user" and history[i]["content"][0]["type"] == "text":
                cut = i
        return history[cut:]

    async def _load(self, thread_id: str) -> Messages:
        rows = await self._pool.fetch(
            "select role, content from bench_raw_messages where thread_id = $1 order by position",
            thread_id,
        )
        return [{"role": row["role"], "content": json.loads(row["content"])} for row in rows]

    async def _add(self, thread_id: str, history: Messages, message: dict[str, Any]) -> None:
        history.append(message)
        await self._save(thread_id, None, message)

    async def _save(self, thread_id: str, position: int | None, message: dict[str, Any]) -> None:
        await self._pool.execute(
            "insert into bench_raw_messages (thread_id, position, role, content)"
            " values ($1::uuid, coalesce($2::int, (select coalesce(max(position) + 1, 0)"
            " from bench_raw_messages where thread_id = $1::uuid)), $3, $4)",
            thread_id,
            position,
            message["role"],
            json.dumps(message["content"]),
        )


@asynccontextmanager
async def open_raw_loops(database_url: str, wire_url: str) -> AsyncIterator[list[RawLoop]]:
    """Both styles, over one client and one pool. The tables must be there."""
    pool: Any = await asyncpg.create_pool(database_url, min_size=1, max_size=4)
    client = AsyncAnthropic(api_key="bench", base_url=wire_url, max_retries=0)
    try:
        yield [RawLoop(style, client, pool) for style in (CONVENTIONAL, LEAN)]
    finally:
        await client.close()
        await pool.close()


def to_schema(tool: Any) -> dict[str, Any]:
    schema = tool.schema
    return {
        "name": schema.name,
        "description": schema.description,
        "input_schema": schema.parameters,
    }


def to_wire_history() -> Messages:
    """The stored messages in the provider's form."""
    wire: Messages = []
    for message in build_history():
        role = "assistant" if message["role"] == "assistant" else "user"
        wire.append({"role": role, "content": [_to_block(part) for part in message["parts"]]})
    return wire


def _to_block(part: Any) -> dict[str, Any]:
    if part["type"] == "text":
        return {"type": "text", "text": part["text"]}
    if part["type"] == "tool_call":
        call = {"id": part["id"], "name": part["name"], "input": part["arguments"]}
        return {"type": "tool_use", **call}
    content = json.dumps(part["result"], ensure_ascii=False)
    return {"type": "tool_result", "tool_use_id": part["id"], "content": content}


def _tool_context(pool: Any) -> Any:
    async def call(function: str, **given: Any) -> Any:
        document = json.dumps({"tenant_id": TENANT, "rights": "none", **given})
        return await pool.fetch(f"select * from {function}($1)", document)

    db = SimpleNamespace(call=call, fetch=pool.fetch, fetchrow=pool.fetchrow, execute=pool.execute)
    return SimpleNamespace(db=db, tenant_id=TENANT, user_id=USER)


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def _mark_last(messages: Messages) -> Any:
    *before, last = messages
    *blocks, block = last["content"]
    return [*before, {**last, "content": [*blocks, {**block, "cache_control": CACHED}]}]


def _without_calls(messages: Messages) -> Any:
    """A router sees the talk, not the tools: calls and results are left out."""
    kept = [
        {**message, "content": [b for b in message["content"] if b["type"] == "text"]}
        for message in messages
    ]
    return [message for message in kept if message["content"]]
