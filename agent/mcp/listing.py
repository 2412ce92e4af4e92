"""Selects the allowed and valid tools of a server's list, and explains the others' absence."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import orjson

from ..base.text.cleaning import cut_text
from ..base.text.foreign_json import as_object
from ..config.mcp import ALL_TOOLS, McpServer
from ..dataclasses import dataclass
from .headers import find_param_headers
from .names import make_tool_name
from .schemas import MAX_DESCRIPTION_CHARS, Schema, to_checkable, to_parameters
from .wire import ServerError

# 142 tools took 150,000 tokens of each prompt, of which 6 tools were used (anthropics/claude-code
# #16826, openai/codex #9266)
# (tests/tool_servers/test_lying_server.py::test_a_star_in_allowed_tools_does_not_admit_300_tools).
MAX_WILDCARD_TOOLS: Final = 20  # tools that ["*"] lets in: each is in every prompt of its worker


@dataclass(frozen=True, slots=True)
class Definition:
    """A tool of an MCP server as models see it. digest: of its whole definition."""

    tool: str  # the server's own name for it
    name: str
    description: str
    parameters: Schema
    output: Schema | None
    param_headers: Mapping[tuple[str, ...], str]
    digest: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The tools of an MCP server that are allowed and valid, and its problems, a sentence each.
    changed: tools whose definition differs from the accepted one. unaccepted: tools whose
    description the operator has not accepted.
    """

    definitions: tuple[Definition, ...] = ()
    problems: tuple[str, ...] = ()
    changed: frozenset[str] = frozenset()
    unaccepted: frozenset[str] = frozenset()

    @property
    def digest(self) -> str:
        """Return a short hash of all tool definitions, which is recorded with each run."""
        return _hash([item.digest for item in self.definitions])[:8]


def build_listing(server: McpServer, tools: Sequence[Any]) -> Listing:
    """Build the list of a server's usable tools, with the reason for each unusable one.
    An invalid tool is left out alone, never others with it.
    """
    named: dict[str, dict[str, Any]] = {}
    problems: list[str] = []
    for item in tools:
        name = as_object(item).get("name")
        if not isinstance(name, str) or not name:
            problems.append("the server lists a tool without a name")
        elif name in named:
            problems.append(f"the server lists {name[:80]!r} twice; only the first is used")
        else:
            named[name] = item
    allowed = [name for name in server.tools if name != ALL_TOOLS]
    if ALL_TOOLS in server.tools:
        if len(named) > MAX_WILDCARD_TOOLS:
            problems.append(
                f'the server lists {len(named)} tools, but tools = ["*"] allows at '
                f"most {MAX_WILDCARD_TOOLS}: list the tools that you need"
            )
        else:
            allowed = [*named]
    problems += [f"the server has no tool {name!r}" for name in allowed if name not in named]
    definitions: list[Definition] = []
    # Sorted: the order is part of every prompt, and a server may list in a different one each time.
    for name in sorted({*allowed} & named.keys()):
        try:
            definitions.append(_read(server, name, named[name]))
        except ServerError as error:
            problems.append(f"the server's tool {name[:80]!r} is left out: {error}")
    return Listing(tuple(definitions), tuple(dict.fromkeys(problems)))


def _read(server: McpServer, name: str, item: Mapping[str, Any]) -> Definition:
    """Read one tool of a server's list.

    Raises: ServerError for a tool that cannot be shown to a model.
    """
    schema: Any = item.get("inputSchema")
    stated: Any = item.get("description")
    description = stated if isinstance(stated, str) else ""
    return Definition(
        tool=name,
        name=make_tool_name(server.name, name),
        description=cut_text(" ".join(description.split()), MAX_DESCRIPTION_CHARS) or name,
        parameters=to_parameters(schema),
        output=to_checkable(item.get("outputSchema")),
        param_headers=find_param_headers(cast(Schema, schema)) if isinstance(schema, dict) else {},
        # Digest the server's definition, not the shortened one: a change in the cut part counts
        # too.
        digest=_hash([name, description, schema, item.get("outputSchema")]),
    )


def _hash(value: Any) -> str:
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()
