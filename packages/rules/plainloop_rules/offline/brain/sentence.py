"""A request read whole or not at all: a verb, a thing, and values, with no word left over.

What a word means is never guessed. A sentence of which one word is not explained by the tools'
names, their parameters or a pack's forms asks for nothing, and that word is named to the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from plainloop.agent.base.caching.functions import cached_if_short
from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.types import ToolSchema

from ..rules import get_rules
from .schemas import MISSING, Param, fit_value, list_params
from .tool_names import Verb, get_content_param, get_id_param, parse_tool_name
from .words import NO_NAMES, STOP_WORDS, list_words, stem

IT: Final = "it"  # the row that the last answer was about
_MOST_STEPS: Final = 400  # readings tried of one sentence: commas may end a value, or not
_COURTESIES: Final = (
    *("please", "pls", "hey", "hi", "hello", "ok", "okay", "now", "also", "then"),
    *("can you", "could you", "would you", "i want to", "i want you to", "i'd like to"),
    *("let's", "let us"),
)
_COURTESY: Final = compile_lazily(rf"(?:(?:{'|'.join(_COURTESIES)})\b[\s,!]*)*", re.I)
_THANKS: Final = compile_lazily(
    r"(?<![\s,.!?])(?:[\s,.!?]|\b(?:please|thanks|thank you|for me)\b)*\Z", re.I
)
_HEADS: Final[Mapping[str, tuple[Verb, ...]]] = {
    "add|put|create|save|track|record|log|store|register|bookmark|insert|new|note": ("create",),
    "update|change|set|move|mark|edit|rename|rate": ("update",),
    "delete|remove|drop|erase": ("delete",),
    r"list|count|how many|number of|which|what(?!\s+is\b)|do i have|see|give me": ("list",),
    "show me|show|display|view": ("list", "read"),
    "read|open|fetch|get|load|scrape|summari[sz]e|what is|what's|what does": ("read",),
    "search|find|look for": ("search", "list"),
    "look up": ("list",),
}
# A second request, which no free text of the first one may swallow.
_SECOND: Final = compile_lazily(
    rf"(?:[;\n]|\bthen\b)[^\S\n]{{0,9}}((?:please\s+)?(?:{'|'.join(_HEADS)})\b)", re.I
)
# Words that lead from one part to the next and say nothing themselves.
_LEADING: Final = frozenset(
    "and with the a an my me to as is are of for in on at say be all tool this one".split()
)
_HAVING: Final = compile_lazily(
    r"(?:do i have|i have|i've got|are there|there are|in total)\b", re.I
)
_GAP: Final = compile_lazily(r"[\s,;–—.?!-]*")
_WORD: Final = compile_lazily(r"[^\s,;:!?()\"“”]+")
_QUOTE: Final = compile_lazily(r"[\"“]([^\"“”]*)[\"”]|(?<!\w)['‘]([^'‘’]+)['’](?!\w)")
# What tells by its form which parameter it is: the one whose name ends so.
_MARKED: Final = {
    "url": compile_lazily(r"(?:https?://|www\.)[^\s<>\"'“”]+", re.I),
    "email": compile_lazily(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"),
    "date": compile_lazily(r"\d{4}-\d\d-\d\d\b"),
}
_VALUE_ENDS: Final = compile_lazily(
    r"(?:(?<![^\S\n])\s+)?(?:[,;\n]|\Z)|(?<![^\S\n])\s++and\s++", re.I
)
# A name's words: as many as stand before a comma, or before a word that leads to the next part.
_LETTERS: Final = r"[^\s,;:!?()\"“”@]+"
_NEXT: Final = "in|at|as|for|with|to|and|on|is|by|from|paying"
_NAME: Final = rf"{_LETTERS}(?:\s+(?!(?:{_NEXT})\b|[-–—]\s){_LETTERS}){{0,7}}"
_IN_NAMES: Final = frozenset({"of"})
_THOUSANDS: Final = compile_lazily(r"(\d{1,6})\s*k", re.I)
_NO_NAME: Final = compile_lazily(r"[$€£]?\d[\d.,]*k?", re.I)
_NUMBER: Final = compile_lazily(r"[$€£]?\d.*")  # also with a unit: 3m, 30h
_QUOTED: Final = compile_lazily(r"\s*[\"“][^\"“”]+[\"”]\s*")
_START: Final = "\x02"  # stands where a sentence's values begin, for forms that only begin it


@dataclass(frozen=True, slots=True)
class Deed:
    """A request that is understood word by word: the tool, its arguments and the named row.

    named: words for the row to change, `IT`, or "". missing: required parameters that are not said.
    """

    tool: ToolSchema
    arguments: Mapping[str, Any]
    named: str = ""
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """The words from the first that no rule explains, and the tool that came nearest."""

    words: str
    tool: ToolSchema | None = field(default=None, compare=False)


def read_request(text: str, tools: tuple[ToolSchema, ...]) -> Deed | Unread:
    """Parse the one action that a request names, with its tool and arguments.

    Unread if any word is not understood.
    """
    courtesy = _COURTESY.match(text.strip())
    rest = text.strip()[courtesy.end() if courtesy else 0 :]
    ending = _THANKS.search(rest)
    rest = rest[: ending.start() if ending else None]
    if second := _SECOND.search(rest):
        return Unread(rest[second.start(1) :])
    found: list[tuple[int, Deed]] = []
    furthest = Unread(rest)
    for rank, tool, left in _list_candidates(rest, tools):
        reader = _Reader(tool, rest[: len(rest) - len(left)] + left.partition(":")[0], left)
        deed = reader.read_deed(left)
        if deed is not None:
            found.append((rank, deed))
        elif furthest.tool is None or len(reader.furthest) < len(furthest.words):
            furthest = Unread(reader.furthest, tool)
    if not found:
        return furthest
    chosen = [deed for rank, deed in found if rank == min(rank for rank, _ in found)]
    # What two tools of equal right would do is for the user to say.
    return chosen[0] if len(chosen) == 1 else Unread(rest, furthest.tool or chosen[0].tool)


def _list_candidates(
    text: str, tools: tuple[ToolSchema, ...]
) -> Iterator[tuple[int, ToolSchema, str]]:
    """Yield (rank, tool, rest) for tools that the first words may mean; 0 is the surest."""
    words = set(map(stem, list_words(text)))
    for tool in tools:
        name = parse_tool_name(tool)
        if called := re.match(rf"{re.escape(tool.name)}\b", text, re.I):
            yield 0, tool, text[called.end() :]
            continue
        if name.verb is None:
            own = re.match(rf"{re.escape(name.words[0])}\b\s*", text, re.I) if name.words else None
            if own:
                yield 1, tool, text[own.end() :]
            continue
        is_named = not words.isdisjoint(list_nouns(tool.name))
        for pattern, verbs in _HEADS.items():
            head = re.match(rf"(?:{pattern})\b\s*", text, re.I)
            if head and name.verb in verbs:
                if is_named or name.verb in ("create", "update", "delete"):
                    yield 2 + 2 * verbs.index(name.verb) + (not is_named), tool, text[head.end() :]


@cached_if_short()
def list_nouns(tool_name: str) -> frozenset[str]:
    """Return the stems of a tool's nouns, and of the synonyms that packs declare."""
    nouns = parse_tool_name(ToolSchema(tool_name, "", {})).nouns
    stems = frozenset(map(stem, nouns))
    learned = (item for rules in get_rules() for item in rules.nouns.items())
    also = (word for noun, words in learned if stem(noun) in stems for word in words.split())
    return stems.union(map(stem, also))


@dataclass(eq=False)
class _Reader:
    """A sentence's rest read for one tool. head: its words before a colon. furthest: the shortest
    rest that nothing explained.
    """

    tool: ToolSchema
    head: str
    furthest: str
    steps: int = 0

    @cached_property
    def params(self) -> dict[str, Param]:
        return list_params(self.tool.parameters)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """Return the stems of the words in the tool's name, and of its nouns' synonyms."""
        return list_nouns(self.tool.name).union(map(stem, parse_tool_name(self.tool).words))

    @cached_property
    def noun(self) -> str:
        """Return a regular expression that matches the tool's nouns, such as "job", or "one"."""
        nouns = sorted(map(re.escape, list_nouns(self.tool.name) | {"one"}), key=len, reverse=True)
        return rf"(?:{'|'.join(nouns)})\w{{0,3}}\b"

    @cached_property
    def is_storing(self) -> bool:
        return parse_tool_name(self.tool).verb in ("create", "update")

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the tool's parameters that hold names.

        Empty for a tool that stores nothing.
        """
        if not self.is_storing:
            return frozenset()
        declared = {name for rules in get_rules() for name in rules.names.split()}
        # A tool's one text may be any text: "add a task: call mom".
        return frozenset((declared - {get_content_param(self.tool)}) | {"name"}) & set(self.params)

    def read_deed(self, rest: str) -> Deed | None:
        """Parse the rest of a request as an action of this tool.

        None if a word is left over.
        """
        id_param, verb = get_id_param(self.tool), parse_tool_name(self.tool).verb
        if id_param:
            for row_id, named, left in self._list_targets(rest):
                values = self._read(left, {})
                # A change that changes nothing was not understood.
                if values is not None and (values or verb != "update"):
                    return self._make_deed(
                        {id_param: row_id, **values} if row_id else values, named
                    )
            return None
        content = get_content_param(self.tool)
        lead = re.match(r"(?:(?:an?|the|my|another|new|this|up|me)\s+)+", rest, re.I)
        values = self._read(_START + rest[lead.end() if lead else 0 :], {})
        if content and (values is None or content not in values):
            free = self._find_free_text(rest, verb)
            values = {content: fit_value(self.params[content], free)} if free else values
        return None if values is None else self._make_deed(values)

    def _make_deed(self, values: Mapping[str, Any], named: str = "") -> Deed:
        given = {name: values[name] for name in self.params if name in values}
        needed = (param.name for param in self.params.values() if param.is_required)
        known = {*given, get_id_param(self.tool) if named else ""}
        missing = tuple(name for name in needed if name not in known)
        return Deed(self.tool, given, named, missing)

    def _find_free_text(self, rest: str, verb: Verb | None) -> str:
        """Return the one text for a tool: after its name and a colon, or a search's words."""
        if verb == "search":
            lead = re.match(r"(?:(?:the|my|web|internet|online|jobs?)\s+)*(?:for|about)\s+", rest)
            return rest[lead.end() if lead else 0 :].strip(" .?!")
        head, colon, text = rest.partition(":")
        is_head = all(map(self._is_skipped, list_words(head))) and not text.startswith("//")
        # Whether the sentence says what is stored: "this one" may be anything.
        is_named = not set(map(stem, list_words(self.head))).isdisjoint(list_nouns(self.tool.name))
        if not colon or not is_head or (self.is_storing and not is_named):
            return ""
        if get_content_param(self.tool) in self.names and not self._is_sure_name("name", text):
            return ""
        return text.strip().strip('"“”')

    def _list_targets(self, rest: str) -> Iterator[tuple[int, str, str]]:
        """Yield (number, name, what follows) for each way in which the rest may name a row."""
        numbered = (
            rf"(?:(?:the|my)\s+)?(?:{self.noun}\s+)?(?:number\s+)?#?(\d{{1,9}})\b(?!\s*(?:%|/|k\b))"
        )
        if match := re.match(numbered, rest, re.I):
            yield int(match[1]), "", rest[match.end() :]
        if match := re.match(rf"(?:it|(?:that|this)(?:\s+{self.noun})?)\b", rest, re.I):
            yield 0, IT, rest[match.end() :]
        for pattern in (
            rf"(?P<name>{_NAME}?)\s+{self.noun}(?:\s+(?:at|with)\s+(?P<at>{_NAME}))?",
            rf"{self.noun}\s+(?:at|with|called|named)\s+(?P<name>{_NAME})",
            rf"{self.noun}\s+(?P<name>{_NAME})\s+(?:at|with)\s+(?P<at>{_NAME})",
            rf"(?P<name>{_NAME})",
        ):
            match = re.match(rf"(?:(?:the|my)\s+)?{pattern}", rest, re.I)
            names = [name for name in match.groupdict().values() if name] if match else []
            if match and all(map(self._is_name, names)):
                yield 0, " at ".join(names), rest[match.end() :]

    def _read(self, rest: str, values: dict[str, Any]) -> dict[str, Any] | None:
        """Return the values together with those of the rest; None if a word is left over."""
        gap = _GAP.match(rest)
        rest = rest[gap.end() if gap else 0 :]
        plain = rest.lstrip(f"{_START}: ")
        if not plain.strip(".!?"):
            return values
        self.steps += 1
        if self.steps > _MOST_STEPS:
            return None
        self.furthest = min(self.furthest, plain, key=len)
        for found, left in self._list_readings(rest, plain):
            if not any(name in values for name in found):
                read = self._read(left, {**values, **found})
                if read is not None:
                    return read
        return None

    def _list_readings(self, rest: str, plain: str) -> Iterator[tuple[dict[str, Any], str]]:
        """Yield (values, what follows) for what the rest may begin with, the surest first."""
        for pattern in _compile_forms(self.noun, get_rules()):
            match = pattern.match(rest)
            said = match.groupdict() if match else {}
            fitted = self._fit_all(said)
            if (
                match
                and len(fitted) == len(said)
                and all(self._is_sure_name(name, text) for name, text in said.items())
            ):
                yield fitted, rest[match.end() :]
        yield from self._list_named(plain)
        texts = [p.name for p in self.params.values() if not p.enum and "string" in p.kinds]
        quote, content = _QUOTE.match(plain), get_content_param(self.tool)
        if quote and texts:
            yield {content or texts[0]: quote[1] or quote[2]}, plain[quote.end() :]
        for ending, pattern in _MARKED.items():
            match = pattern.match(plain)
            name = next((name for name in texts if name.endswith(ending)), "")
            if match and name:
                yield {name: match[0].rstrip(".,;)!?")}, plain[match.end() :]
        for rules in get_rules():
            found, taken = rules.read_values(plain) if rules.read_values else (None, 0)
            if found and (fitted := self._fit_all(found)):
                yield fitted, plain[taken:]
        for param in self.params.values():
            for value in param.enum:
                match = _compile_allowed(value).match(plain)
                # Before a colon it is a label: "save this offer: Cook at Uno".
                if match and not plain[match.end() :].lstrip().startswith(":"):
                    yield {param.name: value}, plain[match.end() :]
        # A name belongs to the one text of a tool that stores nothing: "water the ficus".
        if content in texts and parse_tool_name(self.tool).verb in ("read", None):
            match = re.match(rf"(?:the\s+)?({_NAME})", plain, re.I)
            if match and self._is_name(match[1]):
                yield self._fit_all({content: match[1]}), plain[match.end() :]
        if match := _HAVING.match(plain):
            yield {}, plain[match.end() :]
        word = _WORD.match(plain)
        # With a capital behind the sentence's beginning it may be a part of a name: "Gasthof Post".
        is_part = self.is_storing and not rest.startswith(_START) and plain[:1].isupper()
        if word and not is_part and all(map(self._is_skipped, list_words(word[0]))):
            yield {}, plain[word.end() :]

    def _list_named(self, rest: str) -> Iterator[tuple[dict[str, Any], str]]:
        """Yield values given by a parameter's name: "location: Oslo", "status applied"."""
        for name in sorted(self.params, key=len, reverse=True):
            param = self.params[name]
            # As people write it, in singular too.
            spelt = re.escape(name).replace("_", r"[\s_-]+") + ("?" if name.endswith("s") else "")
            match = re.match(rf"(?:(?:the|its)\s+)?{spelt}\s*(:|=|\bis\b|\bto\b|\s)\s*", rest, re.I)
            if not match:
                continue
            begun = rest[match.end() :]
            quote = _QUOTE.match(begun)
            for end in [quote] if quote else list(_VALUE_ENDS.finditer(begun))[:20]:
                said = (quote[1] or quote[2]) if quote else begun[: end.start()]
                fitted = self._fit(param, said)
                if fitted is MISSING or fitted == "":
                    continue
                # Without a mark behind the parameter's name only a name is surely its value.
                is_sure = quote or match[1] in ":=" or param.enum or "string" not in param.kinds
                if name in self.names and not quote and not self._is_sure_name(name, said):
                    continue
                if is_sure or (":" not in said and self._is_name(said)):
                    yield {name: fitted}, begun[end.end() if quote else end.start() :]

    def _is_skipped(self, word: str) -> bool:
        return word in _LEADING or stem(word) in self.own_words

    def _is_sure_name(self, param: str, text: str) -> bool:
        """Whether words that the tool stores are certainly a name.

        They are if quoted, or without a number and, when the first has a capital, all with
        capitals.
        """
        if not self.is_storing:
            return self._is_name(text)
        if _QUOTED.fullmatch(text):
            return True
        said, words = text.strip(), list_words(text)
        if not re.fullmatch(_NAME, said, re.I) or not self._is_name(said):
            return False
        if words[0] in self.names or any(map(_NUMBER.fullmatch, words)):
            return False
        rest = [word for word in said.split()[1:] if word.casefold() not in _IN_NAMES]
        is_proper = param == "name" or any(param in rules.proper.split() for rules in get_rules())
        return not (is_proper and said[:1].isupper() and any(map(str.islower, rest)))

    def _is_name(self, text: str) -> bool:
        """Whether words can be a name: none of them means anything else here."""
        words = list_words(text)
        known = {value.casefold() for param in self.params.values() for value in param.enum}
        known |= (STOP_WORDS - _IN_NAMES) | NO_NAMES
        return bool(words) and not any(
            word in known or stem(word) in list_nouns(self.tool.name) or _NO_NAME.fullmatch(word)
            for word in words
        )

    def _fit(self, param: Param, said: str) -> Any:
        text = said.strip().strip('"“”').rstrip(".!?").strip()
        for value in param.enum:
            if _compile_allowed(value).fullmatch(text):
                return value
        thousands = _THOUSANDS.fullmatch(text) if "string" not in param.kinds else None
        return fit_value(param, f"{thousands[1]}000" if thousands else text)

    def _fit_all(self, values: Mapping[str, Any]) -> dict[str, Any]:
        fitted = {
            name: self._fit(self.params[name], str(value))
            for name, value in values.items()
            if name in self.params
        }
        return {name: value for name, value in fitted.items() if value is not MISSING}


@cached_if_short(max_entries=256)
def _compile_allowed(value: str) -> re.Pattern[str]:
    # Nobody says a longer one, and `re` itself keeps what it compiled.
    return re.compile(re.escape(value[:200]).replace("_", r"[\s_-]+") + r"\b", re.I)


@cached_if_short(max_entries=256)
def _compile_forms(noun: str, learned: tuple[Any, ...]) -> tuple[re.Pattern[str], ...]:
    name = rf"(?:\"[^\"]+\"|{_NAME.replace(_NEXT, f'{_NEXT}|{noun}')})"
    macros = {"{name}": name, "{noun}": noun, "{start}": _START}
    patterns: list[re.Pattern[str]] = []
    for form in (form for rules in learned for form in rules.forms):
        for macro, pattern in macros.items():
            form = form.replace(macro, pattern)
        patterns.append(re.compile(form + r"(?!\w)", re.I))
    return tuple(patterns)
