"""Hides rarely used tools of large workers; the tool `find_tools` finds them.

Requests declare the other tools, `find_tools` with the names of the hidden ones, and `more_tools`,
which calls them (`base/shown/rare_tools.py`). The rule reads the pack and nothing else, so each
request of a thread, a resumed run and another replica declare the same tools.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import log
from typing import Annotated, Any, Final

from msgspec import Meta

from ..base.shown.rare_tools import FIND, MORE
from ..base.text.foreign_json import as_object
from ..base.tokens.estimate import estimate_json_tokens
from ..core.spec import Pack, WorkerSpec
from ..core.tools import Tool, ToolContext, ToolOutcome
from ..errors import ConfigError

MAX_MATCHES: Final = 5
NOTE_TOKENS: Final = 160  # of a result, beside its tools
_NAME_WEIGHT: Final = 3  # a word of a tool's name, against one of its description or arguments
_STEM_CHARS: Final = 6  # "company" and "companies" are one word
_WORD: Final = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_NAME: Final = re.compile(r"[\w-]+")

Query = Annotated[str, Meta(max_length=400, description="what the tool must do, or names of tools")]


def narrow_pack(pack: Pack, max_offered: int) -> Pack:
    """Hide a large worker's rarely used tools behind `find_tools`; return the changed pack.

    Hidden are a worker's `rare` tools, those of MCP servers, and others beyond `max_offered`.
    Interviews keep their tools.

    Raises: ConfigError where the pack has a tool named `find_tools`.
    """
    tools, hidden = {tool.name: tool for tool in pack.tools}, dict[str, tuple[str, ...]]()
    for worker in pack.workers if pack.finds_tools else ():
        if len(worker.tools) > max_offered and worker.interview is None:
            rare = [n for n in worker.tools if n in worker.rare or tools[n].source != "local"]
            rest = [name for name in worker.tools if name not in rare]
            # Decided by the pack alone, never by a thread's searches: a thread's requests must
            # declare the same tools for as long as a provider caches them
            # (test_a_resumed_run_declares_the_same_tools).
            hidden[worker.name] = (*rare, *rest[max_offered:])
    if not hidden:
        return pack
    if FIND in tools:
        raise ConfigError(
            f"the pack {pack.name!r} must not define {FIND}: the service has a tool of that name",
            hint="Rename the pack's tool, or set `finds_tools=False` in the pack.",
        )

    def narrow(worker: WorkerSpec) -> WorkerSpec:
        if worker.name not in hidden:
            return worker
        return replace(worker, tools=(*worker.tools, FIND), rare=hidden[worker.name])

    finder = make_finder({key: [tools[name] for name in names] for key, names in hidden.items()})
    workers = tuple(map(narrow, pack.workers))
    return replace(pack, tools=(*pack.tools, finder), workers=workers)


def list_hidden(pack: Pack) -> tuple[str, ...]:
    """List the pack's tools that models must find by `find_tools` before they can call them."""
    named = {n for worker in pack.workers if FIND in worker.tools for n in worker.rare}
    return tuple(sorted(named))


def make_finder(hidden: Mapping[str, Iterable[Tool]]) -> Tool:
    """Build the tool `find_tools`, by which a model searches the hidden tools."""
    every = {tool.name: tool for tools in hidden.values() for tool in tools}.values()
    indexes: dict[str, ToolIndex] = {}

    async def find_tools(tool: ToolContext, query: Query) -> ToolOutcome:
        worker, ctx = tool.ctx.journal.node.partition(".")[0], tool.ctx
        if worker not in indexes:
            # The texts of a thousand tools take a second to read, which nobody else should wait for
            # (test_the_first_tool_search_builds_its_index_in_a_thread).
            indexes[worker] = await asyncio.to_thread(ToolIndex, hidden.get(worker, every))
        found = indexes[worker].search(query)
        return describe_tools(found, ctx.limits.tool_result_tokens - NOTE_TOKENS)

    description = f"Find tools that are not declared; {MORE} calls them."
    return Tool(FIND, description, "read", find_tools, is_fixed=True)


def describe_tools(matches: Iterable[Tool], max_tokens: int) -> ToolOutcome:
    """Build the result of a tool search: the schemas of the matching tools.
    The note names the others. Schemas that nobody here agreed to are marked as text from outside.
    """
    listed: list[dict[str, Any]] = []
    outside: list[str] = []
    left_out: list[str] = []
    for tool in matches:
        schema = tool.schema
        shown = {
            "name": schema.name,
            "description": schema.description,
            "parameters": schema.parameters,
        }
        if left_out or (listed and estimate_json_tokens([*listed, shown]) > max_tokens):
            left_out.append(schema.name)
            continue
        if tool.is_described_outside:
            outside.append(f"tools/{len(listed)}")
        listed.append(shown)
    if not listed:
        return ToolOutcome({"tools": [], "note": f"no tool matches: use names that {FIND} lists"})
    note = f"call them by {MORE}, with `name` and `arguments`"
    if left_out:
        note += f"; for the schemas of {', '.join(left_out)} search once more, by these names"
    return ToolOutcome({"tools": listed, "note": note}, outside=outside)


class ToolIndex:
    """A search index of tools by the words of their names, descriptions and arguments."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = sorted(tools, key=lambda tool: tool.name)
        self._by_name = {tool.name: tool for tool in self._tools}
        self._weights: dict[str, dict[str, int]] = defaultdict(dict)
        for tool in self._tools:
            texts = [tool.description]
            for name, item in as_object(tool.schema.parameters.get("properties")).items():
                texts += [name, str(as_object(item).get("description", ""))]
            for stem in _list_stems(" ".join(texts)):
                self._weights[stem][tool.name] = 1
            for stem in _list_stems(tool.name):
                self._weights[stem][tool.name] = _NAME_WEIGHT

    def search(self, query: str) -> list[Tool]:
        """Search the tools by name or by words of their description, best match first.
        Rare words count more; equal matches are sorted by name.
        """
        # Names first: the search tool's own description lists them
        # (test_a_search_prefers_names_then_rare_words).
        if named := dict.fromkeys(n for n in _NAME.findall(query) if n in self._by_name):
            return [self._by_name[name] for name in named]
        scores: dict[str, float] = defaultdict(float)
        for stem in _list_stems(query):
            weights = self._weights.get(stem, {})
            rarity = log(1 + len(self._tools) / max(1, len(weights)))
            for name, weight in weights.items():
                scores[name] += weight * rarity
        best = sorted(scores, key=lambda name: (-scores[name], name))
        return [self._by_name[name] for name in best[:MAX_MATCHES]]


def _list_stems(text: str) -> dict[str, None]:
    """List a text's words without case and plural, cut to their stems, each once."""
    words = (word.casefold().removesuffix("s") for word in _WORD.findall(text))
    return dict.fromkeys(word[:_STEM_CHARS] for word in words if len(word) > 1)
