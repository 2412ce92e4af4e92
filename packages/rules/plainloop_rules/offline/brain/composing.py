"""Short, true answers made from tool results and from nothing else."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from plainloop.agent.base.text.cleaning import cut_text
from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.provenance.refusals import Refusal, read_refusal, word_refusal
from plainloop.agent.types import ToolSchema

from ..reading import Done
from ..rules import get_rules, list_examples
from .rows import Row, find_rows, format_row, get_row_id
from .schemas import list_params
from .tool_names import ToolName, Verb, parse_tool_name
from .words import FIRST_WORDS, list_words

NAME: Final = "plainloop's offline stand-in: fixed rules, no language model"
_DEED: Final[dict[Verb, str]] = {"create": "Added", "update": "Updated", "delete": "Deleted"}
_BESIDE: Final = ("location", "remote_type", "url", "email", "applied_at", "snippet", "text")
_TEXT_KEYS: Final = ("content", "profile", "markdown", "text", "body")
_HIDDEN: Final = frozenset({"status", "total", "next", "more", "note", "truncated"})
_VALUE_CHARS: Final = 300
_TEXT_CHARS: Final = 1500
_MAX_LINES: Final = 50
_EXAMPLES: Final = 3
_UNREAD_CHARS: Final = 80
_FIRST_CHARS: Final = 40


def compose_outcome(tool: ToolSchema, done: Done) -> str:
    """Compose the text that tells the user the outcome of a finished tool call."""
    name, result = parse_tool_name(tool), done.result
    if refusal := read_refusal(result):
        return _compose_undone(name, done.arguments, refusal)
    if done.error is not None:
        return f"That did not work: {done.error}"
    nouns = " ".join(name.nouns) or "result"
    rows = find_rows(result)
    if name.verb in _DEED:
        row_id = get_row_id(done.arguments)
        named = f"{nouns} #{row_id}" if row_id is not None else f"your {nouns}"
        changes = [
            f"{key.replace('_', ' ')}: {cut_text(str(value), _VALUE_CHARS)}"
            for key, value in done.arguments.items()
            if name.verb == "update" and not key.endswith("id") and key != "content"
        ]
        told = f"{_DEED[name.verb]} {format_row(rows[0]) if rows else named}"
        return f"{told}{' – ' + ', '.join(changes) if changes else ''}."
    if name.verb is None and len(rows) == 1:
        return f"Done: {format_row(rows[0])}."
    found = as_object(result)
    has_rows = [] in found.values() and not any(isinstance(item, dict) for item in found.values())
    if rows or result == [] or has_rows:
        return _compose_rows(rows, nouns, done)
    if text := drop_front_matter(find_markdown(result)):
        return cut_text(text, _TEXT_CHARS)
    is_void = isinstance(result, dict) and not any(
        item for key, item in found.items() if key not in _HIDDEN
    )
    return f"There is no {nouns} yet." if not result or is_void else compose_value(result)


def _compose_undone(name: ToolName, arguments: dict[str, Any], refusal: Refusal) -> str:
    """Compose the text about a call that a person did not allow."""
    row_id = None if name.verb == "create" else get_row_id(arguments)
    what = " ".join(name.nouns) + (f" #{row_id}" if row_id is not None else "")
    undone = "nothing was done"
    if name.verb in _DEED and refusal.status != "consumed":
        undone = f"the {what} was not {_DEED[name.verb].lower()}"
    why = "" if refusal.status == "denied" else f": {word_refusal(refusal)}"
    return f"OK, {undone}{why}."


def compose_value(value: Any) -> str:
    """Format any JSON value as readable lines."""
    found = as_object(value) if isinstance(value, dict) else {"": value}
    lines = [
        f"{name.replace('_', ' ')}{': ' if name else ''}"
        f"{item if isinstance(item, str | int | float) else json.dumps(item, ensure_ascii=False)}"
        for name, item in found.items()
        if item not in (None, "")
    ]
    return cut_text("\n".join(lines) or "The tool returned an empty result.", _TEXT_CHARS)


def compose_unread(words: str, request: str = "", nearest: ToolSchema | None = None) -> str:
    """Compose the answer to a request with a word that the rules do not know.

    It names the word, and what can be said or filled in instead. request: the whole of it. nearest:
    the tool that is probably meant.
    """
    cut = cut_text(" ".join(words.split()), _UNREAD_CHARS)
    first = " ".join(list_words(cut_text(request or words, _UNREAD_CHARS)))
    opens = {name for name, said in FIRST_WORDS.items() if said.match(first)}
    is_short = len(first) <= _FIRST_CHARS
    if "thanks" in opens and len(first.split()) < 5:
        return "You are welcome."
    is_read = not cut or (bool(opens) and is_short)
    unread = "" if is_read else f" I do not understand “{cut}”, so I did nothing."
    near = _offer_nearest(request) if unread else ""
    form = near or (f" {_offer_form(nearest)}" if unread and nearest else "")
    text = f"No model is set: I am {NAME}.{unread}{form}"
    real = "Set a provider's key, or run Ollama, to talk to a real model."
    printed = [form for rules in get_rules() for form in rules.help.get(first, ())]
    lines = [f"- {example}" for example in printed or list_examples()[:_EXAMPLES]]
    head = f"{text} These sentences work:\n"
    return "\n".join([head, *lines, f"\n{real}"]) if lines else f"{text} {real}"


def _offer_nearest(request: str) -> str:
    """Suggest what packs offer for a request: a sentence, a form, a command; "" without one."""
    suggesting = (rules.suggest(request) for rules in get_rules() if rules.suggest)
    near = next(filter(None, suggesting), None)
    if near is None:
        return ""
    said = f" Write it like this: “{near.sentence}”." if near.sentence else ""
    command = f" In a terminal: `{near.command}`." if near.command else ""
    form = f" In the console: [{near.title}]({near.form})." if near.form else ""
    return said + command + form


def _offer_form(tool: ToolSchema) -> str:
    """Return the sentence that is understood for a tool that stores something; "" for others."""
    name = parse_tool_name(tool)
    if name.verb not in ("create", "update"):
        return ""
    learned = (rules.sentences[tool.name] for rules in get_rules() if tool.name in rules.sentences)
    required = [param.name for param in list_params(tool.parameters).values() if param.is_required]
    values = ", ".join(f"{param.replace('_', ' ')}: …" for param in required)
    form = next(learned, f"{name.verb} {' '.join(name.nouns)}: {values}")
    return (
        f"Write it like this: “{form}”, with double quotes around a name that "
        "contains more than plain words."
    )


def find_markdown(result: Any) -> str:
    """Return the text in a tool's result, under the first known key that has one.

    "" if there is none.
    """
    if isinstance(result, str):
        return result.strip()
    found = as_object(result)
    for key in _TEXT_KEYS:
        if isinstance(found.get(key), dict | str):
            return find_markdown(found[key])
    return ""


def drop_front_matter(markdown: str) -> str:
    """Return Markdown without its front matter.

    Front matter has fields of the store, not text.

    >>> drop_front_matter("---\\nonboarded: true\\n---\\n# Me")
    '# Me'
    """
    return re.sub(r"\A---\n.*?\n---\n*", "", markdown, flags=re.S).strip()


def _compose_rows(rows: list[Row], nouns: str, done: Done) -> str:
    total = as_object(done.result).get("total")
    count = total if isinstance(total, int) and total >= len(rows) else len(rows)
    said = [
        f"{name.replace('_', ' ')} {cut_text(str(value), 80)}"
        for name, value in done.arguments.items()
        if name not in ("limit", "query") and isinstance(value, str)
    ]
    filters = f" ({', '.join(said)})" if said else ""
    noun = nouns if nouns.endswith("s") else f"{nouns}s"
    if count == 1:
        noun = noun.removesuffix("s") if not noun.endswith("ss") else noun
    if not rows:
        return f"No {noun} found{filters}." if count == 0 else f"{count} {noun}{filters}."
    shown = [
        ", ".join([f"- {format_row(row)}", *(str(row[key]) for key in _BESIDE if row.get(key))])
        for row in rows[:_MAX_LINES]
    ]
    first = f", the first {len(shown)}" if count > len(shown) else ""
    return "\n".join([f"{count} {noun}{filters}{first}:", *shown])
