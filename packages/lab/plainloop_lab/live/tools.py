"""Tools of a live replay: closed by default, answered from the recording where it can."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec
import orjson

from plainloop.agent.base.messages.contents import list_calls
from plainloop.agent.core.spec import Pack
from plainloop.agent.core.tools import Tool, ToolContext, ToolFunction, ToolOutcome
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.store.database import Database
from plainloop.agent.types import FunctionResponse, Message, ToolSchema

from ..store.sandbox import Sandbox, drop_sandboxes, make_sandbox

NOT_EXECUTED: Final = (
    "not executed: this is a replay, and its recording has no result of such a call"
)
_TABLE: Final = re.compile(r"^create table (?:if not exists )?(\w+)", re.IGNORECASE | re.MULTILINE)

# recorded: its own recorded result. again: more often than recorded, a read, the last result.
# read: run for real. sandbox: run for real on a scratch copy. closed: not executed. none: no tool
# was reached, as of a name that no tool has.
Served = Literal["recorded", "again", "read", "sandbox", "closed", "none"]


@dataclass(slots=True)
class RecordedResults:
    """A conversation's tool results by name and canonical arguments, in the order of the calls."""

    # The turn, the result.
    _results: dict[str, list[tuple[int, FunctionResponse]]] = field(
        default_factory=dict[str, list[tuple[int, FunctionResponse]]]
    )
    _used: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])  # key, position
    _turn: int = 0
    # What a call had set in the pack's fields, by its id.
    _data: Mapping[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    # Every call that the candidate made, and how it was answered: JSON of a `TurnResult`.
    uses: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @classmethod
    def collect(
        cls,
        turns: Iterable[tuple[int, Iterable[Message]]],
        data: Mapping[str, dict[str, Any]] = MappingProxyType({}),
    ) -> RecordedResults:
        """Collect the tool results of recorded turns, to return them in a replay.

        data: the pack's fields that each call set, by tool call id.
        """
        found = cls(_data=data)
        keys: dict[str, str] = {}
        for turn, messages in turns:
            for message in messages:
                for call in list_calls(message):
                    keys[call["id"]] = make_key(call["name"], call["arguments"])
                for part in message["parts"]:
                    if part["type"] == "tool_result" and part["id"] in keys:
                        found._results.setdefault(keys[part["id"]], []).append((turn, part))
        return found

    def begin_turn(self, turn: int) -> None:
        """Begin a turn, whose own recorded tool results are used first."""
        self._turn = turn

    def take(self, name: str, arguments: dict[str, Any]) -> tuple[FunctionResponse | None, bool]:
        """Return the next recorded result of an equal tool call.

        Returns (result or None, whether it was returned before). The turn's own come before those
        of others, which a candidate may request later or sooner.
        """
        key = make_key(name, arguments)
        results = self._results.get(key, [])
        unused = [
            (turn != self._turn, turn > self._turn, place)
            for place, (turn, _) in enumerate(results)
            if (key, place) not in self._used
        ]
        if unused:
            place = min(unused)[-1]
            self._used.add((key, place))
            return results[place][1], False
        past = [found for turn, found in results if turn <= self._turn]
        return (past or [found for _, found in results] or [None])[-1], bool(results)

    def get_data(self, call_id: str) -> dict[str, Any]:
        """Return the pack's fields that a recorded tool call set, with their values.

        {} if it set none.
        """
        return self._data.get(call_id, {})

    def note_use(self, tool: Tool, arguments: dict[str, Any], served: Served) -> None:
        """Add a tool call to the list of uses.

        served: where its result came from.
        """
        told = {"effect": tool.effect, "served": served}
        self.uses.append({"name": tool.name, "arguments": arguments, **told})


def make_key(name: str, arguments: dict[str, Any]) -> str:
    """Make the key by which equal tool calls match: the name and canonical arguments.

    >>> make_key("f", {"b": 1, "a": None}) == make_key("f", {"a": None, "b": 1})
    True
    """
    return f"{name} {orjson.dumps(arguments, option=orjson.OPT_SORT_KEYS).decode()}"


def complete_uses(
    uses: Sequence[dict[str, Any]], messages: Iterable[Message]
) -> list[dict[str, Any]]:
    """Sort the uses of tools by the order of the calls in the messages.

    Adds a use for each call that reached no tool.

    The recording has those too (`test_a_candidate_with_equal_answers_is_worse_in_no_conversation`).
    """
    left, found = [*uses], list[dict[str, Any]]()
    for call in (call for message in messages for call in list_calls(message)):
        named = [use for use in left if use["name"] == call["name"]]
        same = (use for use in named if use["arguments"] == call["arguments"])
        use = next(same, next(iter(named), None))
        if use is not None:
            left.remove(use)
        told = {"name": call["name"], "arguments": call["arguments"]}
        found.append(use or {**told, "effect": "read", "served": "none"})
    return [*found, *left]


def make_live_tools(
    tools: Sequence[Tool],
    results: RecordedResults,
    *,
    allow_reads: bool,
    sandbox: Sandbox | None = None,
) -> list[Tool]:
    """Make the tools of a live replay, most of which return recorded results.

    Others read live data or work on a sandbox's copy. In a sandbox every `read` and `write` runs
    for real, on its copy: then what was written is found again. The recording answers `external`
    tools only.

    An unmatched `read` runs when allowed; an unmatched `write` or `external` call is never
    executed. Their effect is `read` to the machine: they have none.
    """
    return [
        _make_sandbox_tool(tool, results, sandbox)
        if sandbox is not None and tool.effect != "external"
        else _make_live_tool(tool, results, allow_reads=allow_reads)
        for tool in tools
    ]


def _make_live_tool(tool: Tool, results: RecordedResults, *, allow_reads: bool) -> Tool:
    async def answer(context: ToolContext, /, **arguments: Any) -> Any:
        found, is_spent = results.take(tool.name, arguments)
        if found is not None and not is_spent:
            served: Served = "recorded"
        elif found is not None and tool.effect == "read":
            served = "again"
        else:
            found, served = None, "read" if allow_reads and tool.effect == "read" else "closed"
        results.note_use(tool, arguments, served)
        if found is not None:
            data = results.get_data(found["id"])
            outside = found.get("outside", ())  # the fields of it that others wrote
            return ToolOutcome(found["result"], found["is_error"], data=data, outside=outside)
        if served == "closed":
            return ToolOutcome({"error": NOT_EXECUTED}, is_error=True)
        return await _call(tool, context, arguments)

    return _replace_function(tool, answer)


def _make_sandbox_tool(tool: Tool, results: RecordedResults, sandbox: Sandbox) -> Tool:
    """Make a tool that runs in the sandbox; a call that fails leaves no change there."""

    async def answer(context: ToolContext, /, **arguments: Any) -> Any:
        results.note_use(tool, arguments, "sandbox")
        try:
            async with sandbox.transaction() as tx:
                found = await _call(tool, replace(context, db=tx), arguments)
                if isinstance(found, ToolOutcome) and found.is_error:
                    raise _Undone(found)
                return found
        except _Undone as undone:
            return undone.outcome

    return _replace_function(tool, answer)


class _Undone(Exception):
    """Leaves the transaction by its error path, with the outcome to tell the model."""

    def __init__(self, outcome: ToolOutcome) -> None:
        self.outcome = outcome


async def _call(tool: Tool, context: ToolContext, arguments: dict[str, Any]) -> Any:
    try:
        values = tool.read_arguments(arguments)
    except msgspec.ValidationError as error:
        return ToolOutcome({"error": f"invalid arguments: {error}"}, is_error=True)
    return await tool.function(context, **values)


def _replace_function(tool: Tool, answer: ToolFunction) -> Tool:
    schema: ToolSchema = tool.schema
    return Tool(
        *(tool.name, tool.description, "read", answer),
        parameters=schema.parameters,
        stands_for=tool.effect,
    )


@asynccontextmanager
async def open_sandbox(
    database: Database, tenant_id: str, name: str, pack: Pack
) -> AsyncGenerator[Sandbox]:
    """Open a sandbox: a copy of the pack's tables with this tenant's rows.

    It is dropped at the block's end. Raises: ConfigError when the connecting role may not create
    schemas.
    """
    sandbox = await make_sandbox(database, tenant_id, name, list_tables(pack))
    try:
        yield sandbox
    finally:
        await drop_sandboxes(database, name)


def list_tables(pack: Pack) -> list[str]:
    """List the tables that the pack's migrations create."""
    if pack.migrations is None:
        return []
    texts = [path.read_text(encoding="utf-8") for path in sorted(pack.migrations.glob("*.sql"))]
    return list(dict.fromkeys(name for text in texts for name in _TABLE.findall(text)))
