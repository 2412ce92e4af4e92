"""Short, true answers made from tool results and from nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from ...base.foreign_json import as_object
from ...base.text import cut_text
from ...types import ToolSchema
from ..reading import Done
from ..rules import get_rules, list_examples
from .foreign import is_foreign, list_unsaid
from .hedges import find_unsaid, list_doubtful
from .profiles import drop_front_matter, find_markdown
from .rows import Row, find_rows, format_row, get_row_id
from .slots import QUOTED, find_enum, read_names
from .verbs import Verb, parse_tool_name
from .words import PLAIN_WORDS, fold, list_concepts, stem

NAME: Final = "plainloop's offline stand-in: fixed rules, no language model"
_DEED: Final[dict[Verb, str]] = {"create": "Added", "update": "Updated", "delete": "Deleted"}
_SHOWN_BESIDE: Final = ("location", "remote_type", "url", "email", "applied_at")
_ID_CHARS: Final = 300
_TEXT_CHARS: Final = 1500
_MAX_LINES: Final = 50
_EXAMPLES: Final = 3
# Conditions that no argument of a tool that lists can say.
_NARROWING: Final = re.compile(
    r"\b(?:not|never|except|without|besides|other than|but|non|over|under|above|below|between"
    r"|more|less|fewer|most|least|best|worst|highest|lowest|since|before|after|during|older|newer"
    r"|(?:this|last|next) (?:week|month|year|\w+day)|today|yesterday|ago|or|only|half|like|similar"
    r"|average|left|outside|twice|once)\b|n['’]t\b",
    re.I,
)
_TURNS: Final = frozenset(map(stem, "each know stand going overview search date".split()))
_NUMBERS: Final = frozenset(
    stem(word)
    for word in "first last latest newest recent top one two three four five six seven eight nine"
    " ten".split()
)
_HIDDEN: Final = frozenset({"status", "total", "next", "more", "note", "truncated"})


def compose_outcome(tool: ToolSchema, verb: Verb, done: Done, clause: str) -> str:
    """What a finished call means for the user."""
    if done.error is not None:
        return f"That did not work: {done.error}"
    name = parse_tool_name(tool)
    nouns = " ".join(name.nouns) or "result"
    if name.verb in _DEED:
        return _compose_deed(name.verb, nouns, done)
    for rules in get_rules():
        told = rules.describe_result and rules.describe_result(name.nouns, done.result, clause)
        if told:
            return told
    rows = find_rows(done.result)
    if rows or _holds_empty_list(done.result):
        if name.verb is None and len(rows) == 1:
            return f"Done: {format_row(rows[0])}."
        return _compose_rows(rows, nouns, done) + _confess(tool, done, rows, clause)
    text = find_markdown(done.result)
    if text:
        body = drop_front_matter(text)
        return cut_text(body, _TEXT_CHARS) if body else f"There is no {nouns} yet."
    if not done.result or _is_void(done.result):
        return f"There is no {nouns} yet."
    return compose_value(done.result)


def compose_value(value: Any) -> str:
    """Any JSON as readable lines."""
    return cut_text("\n".join(_list_lines(value)) or "The tool gave an empty result.", _TEXT_CHARS)


def compose_abilities(tools: Iterable[ToolSchema]) -> str:
    """The honest answer where no rule fits: what this is, and what it can do here."""
    deeds = [tool.name.replace("_", " ") for tool in tools]
    able = f"so I cannot answer that freely. Here I can use: {', '.join(deeds)}."
    return _add_hints(f"I am {NAME}, {able if deeds else 'so I cannot answer that.'}")


def compose_greeting(hello: str) -> str:
    return _add_hints(f"{hello}I am {NAME}.")


def _add_hints(text: str) -> str:
    """What to try, and how to get a real model."""
    real = "Set a provider's key, or run Ollama, to talk to a real model."
    lines = [f"- {example}" for example in list_examples()[:_EXAMPLES]]
    return "\n".join([f"{text} Try:\n", *lines, f"\n{real}"]) if lines else f"{text} {real}"


def join_names(names: Iterable[str]) -> str:
    """The names in prose: "a, b and c"."""
    items = [name.replace("_", " ") for name in names]
    return " and ".join([*([", ".join(items[:-1])] if items[:-1] else []), *items[-1:]])


def _compose_deed(verb: Verb, nouns: str, done: Done) -> str:
    rows = find_rows(done.result)
    what = format_row(rows[0]) if rows else _name_by_id(nouns, done.arguments)
    if verb == "update":
        changes = [
            f"{name.replace('_', ' ')}: {cut_text(str(value), _ID_CHARS)}"
            for name, value in done.arguments.items()
            if name != "id" and not name.endswith("_id") and name != "content"
        ]
        return f"{_DEED[verb]} {what}{' – ' + ', '.join(changes) if changes else ''}."
    return f"{_DEED[verb]} {what}."


def _name_by_id(nouns: str, arguments: Mapping[str, Any]) -> str:
    row_id = get_row_id(arguments)
    return f"{nouns} #{row_id}" if row_id is not None else f"your {nouns}"


def _compose_rows(rows: list[Row], nouns: str, done: Done) -> str:
    total = as_object(done.result).get("total")
    count = total if isinstance(total, int) and total >= len(rows) else len(rows)
    filters = join_filters(done.arguments)
    noun = nouns if nouns.endswith("s") else f"{nouns}s"
    if count == 1:
        noun = noun.removesuffix("s") if not noun.endswith("ss") else noun
    if not rows:
        return f"No {noun} found{filters}." if count == 0 else f"{count} {noun}{filters}."
    shown = [f"- {_describe_row(row)}" for row in rows[:_MAX_LINES]]
    head = f"{count} {noun}{filters}"
    head += f", the first {len(shown)}:" if count > len(shown) else ":"
    return "\n".join([head, *shown])


def _confess(tool: ToolSchema, done: Done, rows: list[Row], clause: str) -> str:
    """Says so where rows are shown that the request's words would leave out."""
    is_narrowed = bool(
        _NARROWING.search(clause) or find_unsaid(clause) is not None or list_doubtful(clause)
    )
    is_unsaid = is_foreign(tool) and bool(list_unsaid(clause, tool, done.arguments))
    is_doubted = is_narrowed or bool(_list_unexplained(tool, done, clause))
    if not is_unsaid and (len(rows) < 2 or not is_doubted):
        return ""
    return (
        "\n\nThese may be more than you asked for: I am fixed rules, no language model, and I did "
        "not understand every word."
    )


def _list_unexplained(tool: ToolSchema, done: Done, clause: str) -> list[str]:
    """Of a list of stored rows: names and words that are neither the question's form, nor what the
    tool lists, nor its arguments.
    """
    name = parse_tool_name(tool)
    if name.verb != "list":
        return []
    things = {stem(noun) for noun in name.nouns}
    values = tuple(str(value) for value in done.arguments.values())
    named = [*read_names(clause).values(), *QUOTED.findall(clause)]
    plain = PLAIN_WORDS | _TURNS
    plain |= _NUMBERS if "limit" in done.arguments else frozenset[str]()
    return [
        *(said for said in named if fold(said) not in map(fold, values)),
        *(
            word
            for word in list_unsaid(clause, tool, done.arguments)
            if stem(word) not in plain
            and not things & list_concepts(word)
            and not find_enum(word, values)
        ),
    ]


def join_filters(arguments: Mapping[str, Any]) -> str:
    """The filters in brackets: " (status applied, company Acme)"; "" without any."""
    parts = [
        f"{name.replace('_', ' ')} {cut_text(str(value), 80)}"
        for name, value in arguments.items()
        if name not in ("limit", "num_results", "query")
        and isinstance(value, str | int)
        and not isinstance(value, bool)
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _describe_row(row: Row) -> str:
    details = [str(row[key]) for key in _SHOWN_BESIDE if row.get(key)]
    low, high = row.get("salary_min"), row.get("salary_max")
    if low or high:
        amount = "–".join(dict.fromkeys(str(value) for value in (low, high) if value))
        money, period = row.get("salary_currency"), row.get("salary_period")
        details.append(
            f"{amount}{f' {money}' if money else ''}{f' per {period}' if period else ''}"
        )
    for key in ("snippet", "text"):
        if row.get(key):
            details.append(cut_text(str(row[key]), 200))
    return ", ".join([format_row(row), *details])


def _holds_empty_list(result: Any) -> bool:
    if isinstance(result, list):
        return not result
    if not isinstance(result, dict):
        return False
    values = list(cast(Row, result).values())
    return any(isinstance(v, list) and not v for v in values) and not any(
        isinstance(v, dict) for v in values
    )


def _is_void(result: Any) -> bool:
    if not isinstance(result, dict):
        return False
    return all(v in (None, "", [], {}) for k, v in cast(Row, result).items() if k not in _HIDDEN)


def _list_lines(value: Any, indent: str = "", depth: int = 0) -> list[str]:
    if depth > 6:
        return []
    if isinstance(value, dict):
        lines: list[str] = []
        for key, item in cast(Row, value).items():
            name = key.replace("_", " ")
            if isinstance(item, dict | list):
                inner = _list_lines(item, indent + "  ", depth + 1)
                lines += [f"{indent}{name}:", *inner] if inner else []
            elif item not in (None, ""):
                lines.append(f"{indent}{name}: {item}")
        return lines[:_MAX_LINES]
    if isinstance(value, list):
        return [
            f"{indent}- {' · '.join(line.strip() for line in _list_lines(item, '', depth + 1))}"
            for item in cast(list[Any], value)[:_MAX_LINES]
        ]
    return [f"{indent}{value}"] if value not in (None, "") else []
