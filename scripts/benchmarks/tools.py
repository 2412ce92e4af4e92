"""`bench tools`: what a worker with many tools sends, all declared against found by `find_tools`.

A turn of 20 in one thread: 1,200 tokens of prompt, 250 of history a turn. `first` answers without
a hidden tool, `found` searches for one and calls it, `again` calls one that was found. `declared`
is the way that was rejected: a found tool is appended to the list. Tokens are estimated; cost
counts a cached prefix as a tenth. Choices are requests in other words than the tools' own.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.shown.rare_tools import MORE, bundle_rare
from plainloop.agent.base.tokens.estimate import estimate_json_tokens, estimate_tokens
from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.core.tools import Tool, ToolContext
from plainloop.agent.packs.tool_finding import ToolIndex, describe_tools, narrow_pack
from plainloop.agent.types import ToolSchema
from scripts.benchmarks.rig.report import print_json, print_table

DATA: Final = Path(__file__).with_suffix(".toml")
SIZES: Final = (41, 64, 200, 500)
OWN: Final = 6
PROMPT_TOKENS, TURN_TOKENS, TURNS = 1_200, 250, 20
CACHED: Final = 0.1
FIELDS: Final = ("id", "query", "name", "text", "day")
Block = tuple[str, int]  # its key and its tokens


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench tools", description=__doc__)
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    result: dict[str, Any] = {"requests": list_costs(), "choices": count_choices()}
    if options.json:
        print_json(result)
        return
    columns = ("tools, way", "declared", "first", "found", "again", "prefix kept, %")
    print_table("Input tokens, a cached one as a tenth", columns, result["requests"])
    print_table("Right choices, %", ("requests", "first", "among 5"), [result["choices"]])


def list_costs() -> list[tuple[Any, ...]]:
    """List for each size and way the tokens declared and what the three turns cost."""
    rows: list[tuple[Any, ...]] = []
    for size in SIZES:
        whole, narrow = make_pack(size), narrow_pack(make_pack(size), 40)
        every = _declare(whole)
        by_name = {tool.name: tool for tool in narrow.tools}
        offered = bundle_rare(_declare(narrow), narrow.workers[0].rare)
        hidden = by_name[narrow.workers[0].rare[-1]]
        shown = describe_tools([hidden], 2_000).result
        search = [("search", 15), ("found", estimate_json_tokens(shown))]
        use, used = [("call", 30), ("result", 150)], [("wrapped call", 36), ("result", 150)]
        appended = (*(tool for tool in offered if tool.name != MORE), hidden.schema)
        ways = {
            "all": (every, every, [], use),
            "names": (offered, offered, search, used),
            "declared": (offered, appended, search, use),
        }
        for way, (before, after, searched, called) in ways.items():
            start = [*_measure(before), *_make_thread()]
            moved = [*_measure(after), *_make_thread()]
            first = _add_costs(start, [start])
            found = [[*moved, *searched]] if searched else []
            later = [*moved, *searched, *called]
            again = [[*moved, *searched, *called], [*moved, *searched, *called, *called]]
            kept = _count_kept(start, later) / sum(size for _, size in start)
            costs = (first, _add_costs(start, [start, *found, later]), _add_costs(later, again))
            declared = sum(size for _, size in _measure(before))
            rows.append((f"{size} {way}", declared, *map(round, costs), round(100 * kept)))
    return rows


def count_choices() -> tuple[int, int, int]:
    """Count the requests, and the shares (%) whose tool is the first match, or among five."""
    index, wanted = ToolIndex(make_pack(64 + OWN).tools), _read()["requests"]
    ranks = [[tool.name for tool in index.search(text)] for text in wanted]
    pairs = list(zip(ranks, wanted.values(), strict=True))
    first = sum(names[:1] == [name] for names, name in pairs)
    among = sum(name in names for names, name in pairs)
    return len(pairs), round(100 * first / len(pairs)), round(100 * among / len(pairs))


def make_pack(size: int) -> Pack:
    """Build a pack of one worker with `size` tools; all but `OWN` are of servers."""
    named = [(f"{server}__{text.partition(': ')[0]}", text.partition(": ")[2])
             for server, texts in _read()["tools"].items() for text in texts]  # fmt: skip
    rounds = range(size // len(named) + 1)
    others = [(f"{name}{n or ''}", text) for n in rounds for name, text in named]
    tools = [_make_tool(f"own_{n}", "Keep a thing of the user.", "local") for n in range(OWN)]
    tools += [_make_tool(*item, "mcp") for item in others[: size - OWN]]
    worker = WorkerSpec("worker", "any", "", tuple(tool.name for tool in tools))
    return Pack("wide", "Wide", (worker,), "worker", tuple(tools))


def _read() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def _make_tool(name: str, description: str, source: Any) -> Tool:
    async def answer(tool: ToolContext, /, **_: Any) -> Any: ...

    fields = {key: {"type": "string", "description": f"{key} of it"} for key in FIELDS}
    shape = {"type": "object", "properties": fields, "required": ["id"]}
    return Tool(name, description, "read", answer, parameters=shape, source=source)


def _declare(pack: Pack) -> tuple[ToolSchema, ...]:
    by_name = {tool.name: tool.schema for tool in pack.tools}
    return tuple(by_name[name] for name in sorted(pack.workers[0].tools))


def _measure(tools: Sequence[ToolSchema]) -> list[Block]:
    sizes = (
        estimate_tokens(t.name + t.description) + estimate_json_tokens(t.parameters) for t in tools
    )
    return [(tool.name, size) for tool, size in zip(tools, sizes, strict=True)]


def _make_thread() -> list[Block]:
    return [("prompt", PROMPT_TOKENS), *((f"turn {n}", TURN_TOKENS) for n in range(TURNS))]


def _count_kept(before: Sequence[Block], after: Sequence[Block]) -> int:
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    return sum(block[1] for block, _ in pairs)


def _add_costs(known: Sequence[Block], requests: Sequence[Sequence[Block]]) -> float:
    cost = 0.0
    for request in requests:
        kept = _count_kept(known, request)
        cost += sum(size for _, size in request) - (1 - CACHED) * kept
        known = request
    return cost
