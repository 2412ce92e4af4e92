"""Tools by their names: which class of deed a tool does, and to what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.types import ToolSchema

from .schemas import fit_arguments, list_params
from .words import stem

Verb = Literal["create", "list", "update", "delete", "read", "search"]

_VERB_OF_TOOL: Final[Mapping[Verb, str]] = {
    "create": "create add save insert new record",
    "update": "update edit set change modify",
    "delete": "delete remove erase",
    "list": "list query lookup",
    "search": "search find",
    "read": "read get load fetch scrape open show",
}
_VERBS: Final[dict[str, Verb]] = {
    word: verb for verb, words in _VERB_OF_TOOL.items() for word in words.split()
}


@dataclass(frozen=True, slots=True)
class ToolName:
    """A tool's name split into class and nouns: `create_job` → class create, nouns ("job",)."""

    verb: Verb | None
    words: tuple[str, ...]
    nouns: tuple[str, ...]

    @property
    def stems(self) -> set[str]:
        """Return the stems of the nouns in the tool's name."""
        return {stem(noun) for noun in self.nouns}


def parse_tool_name(tool: ToolSchema) -> ToolName:
    """Parse a tool's name into its verb, its words and its nouns.

    The verb is a kind, such as `search`.

    >>> parse_tool_name(ToolSchema("job_search", "", {}))
    ToolName(verb='search', words=('job', 'search'), nouns=('job',))
    """
    words = tuple(word for word in re.split(r"[^a-z0-9]+", tool.name.casefold()) if word)
    verb: Verb | None = next((_VERBS[word] for word in words if word in _VERBS), None)
    return ToolName(verb, words, tuple(word for word in words if word not in _VERBS))


def find_lister(tool: ToolSchema, tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """Return the tool that lists the rows which a tool changes (`list_jobs` for `update_job`)."""
    own = parse_tool_name(tool)
    for other in tools:
        name = parse_tool_name(other)
        is_same = name.stems == own.stems or (own.verb is None and name.stems < own.stems)
        if name.verb == "list" and is_same and fit_arguments(other.parameters, {}) is not None:
            return other
    return None


def find_page_reader(tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """Return the tool that reads a web page, which requires only a URL, or None."""
    for tool in tools:
        params = list_params(tool.parameters)
        required = [name for name, param in params.items() if param.is_required]
        if required == ["url"] and parse_tool_name(tool).verb == "read":
            return tool
    return None


def get_content_param(tool: ToolSchema) -> str:
    """Return the name of a tool's only required text parameter.

    "" if it has none or several.
    """
    required = [param for param in list_params(tool.parameters).values() if param.is_required]
    return required[0].name if len(required) == 1 and "string" in required[0].kinds else ""


def get_id_param(tool: ToolSchema) -> str:
    """Return the parameter that names the row to change or delete.

    "" for other tools.
    """
    if parse_tool_name(tool).verb not in ("update", "delete", None):
        return ""
    params = list_params(tool.parameters)
    return next((name for name in params if name == "id" or name.endswith("_id")), "")
