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
from .rows import Row, find_rows, format_row, get_row_id
from .tool_names import Verb, parse_tool_name

NAME: Final = "plainloop's offline stand-in: fixed rules, no language model"
_DEED: Final[dict[Verb, str]] = {"create": "Added", "update": "Updated", "delete": "Deleted"}
_SHOWN_BESIDE: Final = ("location", "remote_type", "url", "email", "applied_at")
_TEXT_KEYS: Final = ("content", "profile", "markdown", "text", "body")
_HIDDEN: Final = frozenset({"status", "total", "next", "more", "note", "truncated"})
_VALUE_CHARS: Final = 300
_TEXT_CHARS: Final = 1500
_MAX_LINES: Final = 50
_EXAMPLES: Final = 3
_UNREAD_CHARS: Final = 80
_GREETINGS: Final = (
    *("hi", "hello", "hey", "good (?:morning|afternoon|evening)"),
    *("hallo", "guten (?:tag|morgen|abend)"),
    *("bonjour", "bonsoir", "salut"),
    *("hola", "buen[oa]s(?: d[ií]as| tardes)?"),
)
_GREETING: Final = re.compile(rf"^\W*(?:{'|'.join(_GREETINGS)})\b[\s\w,]{{0,20}}\W*$", re.I)
_ABILITIES: Final = (
    *("what (?:can|do) you (?:do|know)", "who are you", "help"),
    *("was kannst du", "wer bist du", "hilfe"),
    *("que (?:sais|peux)[- ]tu(?: faire)?", "qui es[- ]tu", "aide"),
    *("qu[eé] (?:puedes|sabes) hacer", "qui[eé]n eres", "ayuda"),
)
_ASKS_ABILITY: Final = re.compile(rf"^\W*(?:{'|'.join(_ABILITIES)})\b[\s\w,]{{0,25}}\W*$", re.I)
_THANKS: Final = re.compile(r"^\W*(?:thanks|thank you|great|perfect)\b[^?]{0,30}$", re.I)


def compose_outcome(tool: ToolSchema, done: Done, clause: str) -> str:
    """Say what a finished call means for the user."""
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
        return _compose_rows(rows, nouns, done)
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


def compose_unread(words: str, tools: Iterable[ToolSchema] = ()) -> str:
    """The honest answer where a word is not understood: which, and what can be said instead."""
    deeds = ", ".join(tool.name.replace("_", " ") for tool in tools)
    able = f" Here I can use: {deeds}." if deeds else ""
    cut = cut_text(" ".join(words.split()), _UNREAD_CHARS)
    unread = f" I do not understand “{cut}”, so I did nothing." if cut else ""
    return _add_hints(f"No model is set: I am {NAME}.{unread}{able}", "These sentences work:")


def compose_smalltalk(text: str) -> str:
    """An answer to a greeting, thanks or "what can you do?"; "" for anything else."""
    if _THANKS.match(text):
        return "You are welcome."
    if _ASKS_ABILITY.match(text):
        return _add_hints(f"I am {NAME}.", "Try:")
    return _add_hints(f"Hello. I am {NAME}.", "Try:") if _GREETING.match(text) else ""


def join_names(names: Iterable[str]) -> str:
    """The names in prose: "a, b and c"."""
    items = [name.replace("_", " ") for name in names]
    return " and ".join([*([", ".join(items[:-1])] if items[:-1] else []), *items[-1:]])


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


def find_markdown(result: Any) -> str:
    """The text in a tool's result, whichever key holds it; "" when there is none yet."""
    if isinstance(result, str):
        return result.strip()
    found = as_object(result)
    for key in _TEXT_KEYS:
        if isinstance(found.get(key), dict | str):
            return find_markdown(found[key])
    return ""


def drop_front_matter(markdown: str) -> str:
    """The Markdown without its front matter, which belongs to the store.

    >>> drop_front_matter("---\\nonboarded: true\\n---\\n# Me")
    '# Me'
    """
    return re.sub(r"\A---\n.*?\n---\n*", "", markdown, flags=re.S).strip()


def _add_hints(text: str, lead: str) -> str:
    """What to try, and how to get a real model."""
    real = "Set a provider's key, or run Ollama, to talk to a real model."
    lines = [f"- {example}" for example in list_examples()[:_EXAMPLES]]
    return "\n".join([f"{text} {lead}\n", *lines, f"\n{real}"]) if lines else f"{text} {real}"


def _compose_deed(verb: Verb, nouns: str, done: Done) -> str:
    rows = find_rows(done.result)
    what = format_row(rows[0]) if rows else _name_by_id(nouns, done.arguments)
    if verb != "update":
        return f"{_DEED[verb]} {what}."
    changes = [
        f"{name.replace('_', ' ')}: {cut_text(str(value), _VALUE_CHARS)}"
        for name, value in done.arguments.items()
        if name != "id" and not name.endswith("_id") and name != "content"
    ]
    return f"{_DEED[verb]} {what}{' – ' + ', '.join(changes) if changes else ''}."


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


def _describe_row(row: Row) -> str:
    details = [str(row[key]) for key in _SHOWN_BESIDE if row.get(key)]
    low, high = row.get("salary_min"), row.get("salary_max")
    if low or high:
        amount = "–".join(dict.fromkeys(str(value) for value in (low, high) if value))
        money, period = row.get("salary_currency"), row.get("salary_period")
        details.append(
            f"{amount}{f' {money}' if money else ''}{f' per {period}' if period else ''}"
        )
    details += [cut_text(str(row[key]), 200) for key in ("snippet", "text") if row.get(key)]
    return ", ".join([format_row(row), *details])


def _holds_empty_list(result: Any) -> bool:
    if isinstance(result, list):
        return not result
    values = list(as_object(result).values())
    return [] in values and not any(isinstance(value, dict) for value in values)


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
