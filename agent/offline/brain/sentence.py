"""A request read whole or not at all: a verb, a thing, and values, with no word left over.

What a word means is never guessed. A sentence of which one word is not explained by the tools'
names, their parameters or a pack's forms asks for nothing, and that word is named to the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from ...types import ToolSchema
from ..reading import RULE_CHARS
from ..rules import get_rules
from .schemas import MISSING, Param, fit_value, list_params
from .tool_names import Verb, get_content_param, get_id_param, parse_tool_name
from .words import STOP_WORDS, list_words, stem

IT: Final = "it"  # the row that the last answer was about
_MOST_STEPS: Final = 400  # readings tried of one clause: commas may end a value, or not
_COURTESIES: Final = (
    *("please", "pls", "hey", "hi", "hello", "ok", "okay", "now", "also", "then"),
    *("can you", "could you", "would you", "i want to", "i want you to", "i'd like to"),
    *("let's", "let us"),
)
_COURTESY: Final = re.compile(rf"(?:(?:{'|'.join(_COURTESIES)})\b[\s,!]*)*", re.I)
_THANKS: Final = re.compile(
    r"(?<![\s,.!?])(?:[\s,.!?]|\b(?:please|thanks|thank you|for me)\b)*\Z", re.I
)
_QUOTE: Final = re.compile(r"[\"“]([^\"“”]*)[\"”]|(?<!\w)['‘]([^'‘’]+)['’](?!\w)")
_CLAUSE_END: Final = re.compile(
    r"""
    (?:(?<!\s)\s++)?;\s*+
    | (?<!\s)\s*\n\s*+
    | (?:,|(?<!\s))\s++(?:and\s++)?then\s++
    | (?P<weak> [.!?]\s++ | (?:,|(?<!\s))\s++and\s++ )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HEADS: Final[dict[str, tuple[Verb, ...]]] = {
    "add|put": ("create", "update"),
    "create|save|track|record|log|store|register|bookmark|insert|new|note": ("create",),
    "update|change|set|move|mark|edit|rename|rate": ("update",),
    "delete|remove|drop|erase": ("delete",),
    r"list|count|how many|number of|which|what(?!\s+is\b)|do i have|see|give me": ("list",),
    "show me|show|display|view": ("list", "read"),
    "read|open|fetch|get|load|scrape|summari[sz]e|what is|what's|what does": ("read",),
    "search|find|look for": ("search", "list"),
    "look up": ("list",),
}
_HEAD_PATTERNS: Final = tuple(
    (re.compile(rf"(?:{words})\b\s*", re.I), verbs) for words, verbs in _HEADS.items()
)
# Words that lead from one part to the next and say nothing themselves.
_LEADING: Final = frozenset(
    "and with the a an my me to as is are of for in on at say be all tool this one".split()
)
_HAVING: Final = re.compile(r"(?:do i have|i have|i've got|are there|there are|in total)\b", re.I)
_TO_NEXT: Final = re.compile(r"[\s,;–—.?!-]*")
_DETERMINER: Final = re.compile(r"(?:(?:an?|the|my|another|new|this|up|me)\s+)+", re.I)
_WORD: Final = re.compile(r"[^\s,;:!?()\"“”]+")
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s<>\"'“”]+", re.I)
_EMAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d\b")
_NUMBER: Final = re.compile(r"(-?\d{1,12}(?:\.\d{1,6})?)(?:\s+([^\W\d_]+))?(?![\w.,]*\d)")
_SOME: Final = re.compile(r"(?:last|first|latest|newest)\s+(\d{1,3})\b", re.I)
_IDS: Final = re.compile(r"#?\d{1,9}(?:\s*(?:,|and|&)+\s*#?\d{1,9})*\b(?!\s*(?:%|/|k\b))", re.I)
_POINTING: Final = re.compile(r"(?:it|its|that one|this one)\b", re.I)
_VALUE_ENDS: Final = re.compile(r"(?:(?<![^\S\n])\s+)?(?:[,;\n]|\Z)|(?<![^\S\n])\s++and\s++", re.I)
# A name's words: as many as stand before a comma, or before a word that leads to the next part.
_LETTERS: Final = r"[^\s,;:!?()\"“”@]+"
_NEXT: Final = "in|at|as|for|with|to|and|on|is|by|from|paying"
_NAME: Final = rf"{_LETTERS}(?:\s+(?!(?:{_NEXT})\b|[-–—]\s){_LETTERS}){{0,7}}"
_IN_NAMES: Final = frozenset({"of"})
_ADDS: Final = re.compile(r"(?:please\s+)?(?:add|put)\b", re.I)
_THOUSANDS: Final = re.compile(r"(\d{1,6})\s*k", re.I)
_NO_NAME: Final = re.compile(r"[$€£]?\d[\d.,]*k?", re.I)


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that a request asks for, every word of it understood.

    named: words for the row to change, `IT`, or "". missing: required parameters that are not said.
    is_added: what is said stands below what the row has already.
    """

    tool: ToolSchema
    arguments: Mapping[str, Any]
    clause: str
    named: str = ""
    missing: tuple[str, ...] = ()
    is_added: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """Holds what no rule explains: the words from there on."""

    words: str


def read_request(text: str, tools: tuple[ToolSchema, ...]) -> tuple[Deed, ...] | Unread:
    """The request's deeds in order; a request with one clause that is not understood has none."""
    if len(text) > RULE_CHARS:
        return Unread(text[:60])
    deeds: list[Deed] = []
    clauses = split_clauses(text, _list_heads(tools))
    for clause in clauses:
        read = _read_clause(clause, tools)
        if isinstance(read, Unread):
            return read
        if len(clauses) > 1 and any(deed.missing and "url" not in deed.arguments for deed in read):
            return Unread(clause)  # nothing of a request is done before all of it can be
        deeds += read
    return tuple(deeds) or Unread(text.strip())


def split_clauses(text: str, heads: re.Pattern[str]) -> list[str]:
    """A compound request as its single ones. What is quoted stays whole, and so does what follows
    a colon, as far as no "then" stands in it.

    >>> split_clauses("add a task: a and b; list tasks and show it", re.compile("add|list|show"))
    ['add a task: a and b', 'list tasks', 'show it']
    """
    quoted = [range(*match.span()) for match in _QUOTE.finditer(text)]
    clauses, start = list[str](), 0
    for match in _CLAUSE_END.finditer(text):
        is_quoted = any(match.start() in span for span in quoted)
        is_weak = match["weak"] is not None
        follows = text[match.end() :]
        is_free = ":" in text[start : match.start()].replace("://", "")
        goes_on = heads.match(follows[_COURTESY.match(follows).end() :])  # type: ignore[union-attr]
        if is_quoted or (is_weak and (is_free or not goes_on)):
            continue
        clauses.append(text[start : match.start()])
        start = match.end()
    clauses.append(text[start:])
    return [clause.strip() for clause in clauses if clause.strip(" .!?,")]


def _list_heads(tools: tuple[ToolSchema, ...]) -> re.Pattern[str]:
    own = (re.escape(parse_tool_name(tool).words[0]) for tool in tools if tool.name.strip("_"))
    return re.compile(rf"(?:{'|'.join([*_HEADS, *own])})\b", re.I)


def _read_clause(clause: str, tools: tuple[ToolSchema, ...]) -> tuple[Deed, ...] | Unread:
    courtesy = _COURTESY.match(clause)
    text = clause[courtesy.end() if courtesy else 0 :]
    ending = _THANKS.search(text)
    text = text[: ending.start() if ending else None]
    found: list[tuple[int, tuple[Deed, ...]]] = []
    furthest = Unread(text)
    for rank, tool, rest in _list_candidates(text, tools):
        reader = _Reader(tool, clause)
        read = reader.read_clause(rest)
        if read:
            found.append((rank, read))
        elif len(reader.furthest) < len(furthest.words):
            furthest = Unread(reader.furthest)
    if not found:
        return furthest
    best = min(rank for rank, _ in found)
    chosen = [read for rank, read in found if rank == best]
    # What two tools of equal right would do is for the user to say.
    return chosen[0] if len(chosen) == 1 else Unread(text)


def _list_candidates(
    text: str, tools: tuple[ToolSchema, ...]
) -> Iterator[tuple[int, ToolSchema, str]]:
    """Tools that the first words may mean, the surest with the lowest rank, and the rest."""
    words = {stem(word) for word in list_words(text)}
    for tool in tools:
        name = parse_tool_name(tool)
        called = re.match(
            rf"(?:(?:call|use|run)\s+(?:the\s+)?(?:tool\s+)?)?[`'\"]?{re.escape(tool.name)}\b[`'\"]?",
            text,
            re.I,
        )
        if called:
            yield 0, tool, text[called.end() :]
            continue
        is_named = bool(words & _list_nouns(tool))
        own = re.match(rf"{re.escape(name.words[0])}\b\s*", text, re.I) if name.words else None
        if own and name.verb is None:
            yield 1, tool, text[own.end() :]
            continue
        for pattern, verbs in _HEAD_PATTERNS:
            head = pattern.match(text)
            if head and name.verb in verbs:
                rank = 2 + 2 * verbs.index(name.verb) + (not is_named)
                if is_named or name.verb in ("create", "update", "delete"):
                    yield rank, tool, text[head.end() :]


@lru_cache(maxsize=512)
def _list_nouns_of(name: str) -> frozenset[str]:
    return frozenset(map(stem, _collect_nouns(name)))


def _collect_nouns(name: str) -> set[str]:
    """The nouns of a tool's name, and what packs say that they are called too."""
    nouns = parse_tool_name(ToolSchema(name, "", {})).nouns
    stems = set(map(stem, nouns))
    learned = (item for rules in get_rules() for item in rules.nouns.items())
    return {
        *nouns,
        *(word for noun, words in learned if stem(noun) in stems for word in words.split()),
    }


def _list_nouns(tool: ToolSchema) -> frozenset[str]:
    return _list_nouns_of(tool.name)


@dataclass(slots=True)
class _Reader:
    """A clause's rest read for one tool. furthest: the shortest rest that nothing explained."""

    tool: ToolSchema
    clause: str
    params: dict[str, Param] = field(init=False)
    id_param: str = field(init=False)
    furthest: str = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        self.params = list_params(self.tool.parameters)
        self.id_param = get_id_param(self.tool)
        self.furthest = self.clause

    def read_clause(self, rest: str) -> tuple[Deed, ...]:
        """The deeds; () when a word is left over."""
        if self.id_param:
            return self._read_change(rest)
        values = self._read_whole(rest)
        return () if values is None else (self._make_deed(values),)

    def _read_whole(self, rest: str) -> dict[str, Any] | None:
        """The values of a clause about no row in particular."""
        content = get_content_param(self.tool)
        lead = _DETERMINER.match(rest)
        read = self._read("\x02" + rest[lead.end() if lead else 0 :], {})
        if read is not None and (content in read or not content):
            return read
        free = self._find_free_text(rest) if content else ""
        value = fit_value(self.params[content], free) if free else MISSING
        return read if value is MISSING else {content: value}

    def _find_free_text(self, rest: str) -> str:
        """What a tool with one text to fill is given: after its name and a colon, or a search's."""
        if parse_tool_name(self.tool).verb == "search":
            asked = re.match(
                r"(?:(?:the|my|on|web|internet|online|jobs?)\s+)*(?:for|about)\s+(.+)", rest, re.I
            )
            return (asked[1] if asked else rest).strip(" .?!")
        head, colon, text = rest.partition(":")
        is_head = all(self._is_skipped(word) for word in list_words(head))
        return text.strip().strip('"“”') if colon and is_head and not text.startswith("//") else ""

    def _read_change(self, rest: str) -> tuple[Deed, ...]:
        """A change of one row: by its number, its name, or as the one that was spoken of."""
        field_first = self._read_field_first(rest)
        if field_first:
            return field_first
        for ids, named, left in self._list_targets(rest):
            values = self._read(left, {})
            # A change that changes nothing was not understood.
            if values is None or (parse_tool_name(self.tool).verb == "update" and not values):
                continue
            if ids:
                return tuple(self._make_deed({self.id_param: number, **values}) for number in ids)
            return (self._make_deed(values, named),)
        return ()

    def _read_field_first(self, rest: str) -> tuple[Deed, ...]:
        """Reads "the location of the Acme job to Oslo", "a note to #3: call Ann"."""
        for name in self._list_names():
            match = re.match(
                rf"(?:(?:the|its|an?|my)\s+)?{_spell(name)}\s+(?:of|for|on|to|from)\s+", rest, re.I
            )
            if not match:
                continue
            for ids, named, left in self._list_targets(rest[match.end() :]):
                for values in self._read_new_value(name, left):
                    if ids:
                        return tuple(self._make_deed({self.id_param: n, **values}) for n in ids)
                    return (self._make_deed(values, named),)
        return ()

    def _read_new_value(self, name: str, left: str) -> Iterator[dict[str, Any]]:
        """The parameter's value: all behind a colon, or behind "to" as far as the rest is read."""
        mark = re.match(r"\s*(?:(:|=)|to\b)\s*", left, re.I)
        begun = left[mark.end() :] if mark else ""
        end = _VALUE_ENDS.search(begun) if mark and not mark[1] else None
        fitted = self._fit(name, begun[: end.start()] if end else begun)
        rest = self._read(begun[end.start() :], {name: fitted}) if end else {name: fitted}
        if rest is not None and fitted is not MISSING and fitted != "":
            yield rest

    def _list_targets(self, rest: str) -> Iterator[tuple[list[int], str, str]]:
        """(numbers, name, what follows) for each way in which the rest may begin with a row."""
        nouns = "|".join(sorted(map(re.escape, self._list_noun_words()), key=len, reverse=True))
        noun = rf"(?:{nouns}|one|entry|row|number)s?"
        lead = re.match(rf"(?:(?:the|my)\s+)?(?:{noun}\s+)?", rest, re.I)
        ids = _IDS.match(rest, lead.end() if lead else 0)
        if ids and re.search(r"#|\d", rest[: ids.end()]):
            numbers = [int(number) for number in re.findall(r"\d+", ids[0])]
            yield list(dict.fromkeys(numbers)), "", rest[ids.end() :]
        pointing = _POINTING.match(rest) or re.match(rf"(?:that|this)\s+{noun}\b", rest, re.I)
        if pointing:
            yield [], IT, rest[pointing.end() :]
        for pattern in (
            rf"(?:(?:the|my)\s+)?(?P<name>{_NAME}?)\s+{noun}\b(?:\s+(?:at|with)\s+(?P<at>{_NAME}))?",
            rf"(?:(?:the|my)\s+)?{noun}\s+(?:at|with|called|named)\s+(?P<name>{_NAME})",
            rf"(?:(?:the|my)\s+)?(?P<name>{_NAME})",
        ):
            match = re.match(pattern, rest, re.I)
            names = [name for name in match.groupdict().values() if name] if match else []
            if match and names and all(map(self._is_name, names)):
                yield [], " at ".join(names), rest[match.end() :]

    def _read(self, rest: str, values: dict[str, Any]) -> dict[str, Any] | None:
        """The values with those of the rest; None when a word of it is left over."""
        gap = _TO_NEXT.match(rest)
        rest = rest[gap.end() if gap else 0 :]
        if not rest.strip("\x02 :.!?"):
            return values
        self.steps += 1
        if self.steps > _MOST_STEPS:
            return None
        plain = rest.lstrip("\x02: ")
        if len(plain) < len(self.furthest):
            self.furthest = plain
        for found, left in self._list_readings(rest):
            if any(name in values for name in found):
                continue
            read = self._read(left, {**values, **found})
            if read is not None:
                return read
        return None

    def _list_readings(self, rest: str) -> Iterator[tuple[dict[str, Any], str]]:
        """What the rest may begin with: (values, what follows), the surest first."""
        yield from self._list_forms(rest)
        plain = rest.lstrip("\x02: ")
        yield from self._list_named(plain)
        yield from self._list_marked(plain)
        for rules in get_rules():
            values, taken = rules.read_values(plain) if rules.read_values else (None, 0)
            fitted = self._fit_all(values or {})
            if taken and fitted:
                yield fitted, plain[taken:]
        yield from self._list_allowed(plain)
        yield from self._list_content(plain)
        having = _HAVING.match(plain)
        if having:
            yield {}, plain[having.end() :]
        word = _WORD.match(plain)
        if word and all(self._is_skipped(each) for each in list_words(word[0])):
            yield {}, plain[word.end() :]

    def _list_forms(self, rest: str) -> Iterator[tuple[dict[str, Any], str]]:
        for pattern in _compile_forms(get_rules(), self.tool.name):
            match = pattern.match(rest)
            if match is None or not set(pattern.groupindex) <= set(self.params):
                continue
            said = match.groupdict()
            fitted = self._fit_all(said)
            if len(fitted) == len(said) and all(map(self._is_name, said.values())):
                yield fitted, rest[match.end() :]

    def _list_named(self, rest: str) -> Iterator[tuple[dict[str, Any], str]]:
        """Values by their parameter's name: "location: Oslo", "status applied"."""
        for name in self._list_names():
            param, spelt = self.params[name], _spell(name)
            mark = r"\s*(:|=|\bis\b|\bto\b|\s)\s*"
            match = re.match(rf"(?:the\s+|its\s+)?{spelt}{mark}", rest, re.I)
            if not match:
                continue
            begun = rest[match.end() :]
            quote = _QUOTE.match(begun)
            ends = [quote] if quote else list(_VALUE_ENDS.finditer(begun))[:20]
            for end in ends:
                said = (quote[1] or quote[2]) if quote else begun[: end.start()]
                fitted = self._fit(name, said)
                if fitted is not MISSING and fitted != "":
                    # Without a mark behind the parameter's name only a name is surely its value.
                    is_sure = quote or match[1] in (":", "=") or "string" not in param.kinds
                    if is_sure or param.enum or (":" not in said and self._is_name(said)):
                        yield {name: fitted}, begun[end.end() if quote else end.start() :]

    def _list_marked(self, rest: str) -> Iterator[tuple[dict[str, Any], str]]:
        """Values that tell by their form what they are: quotes, addresses, dates, numbers."""
        quote = _QUOTE.match(rest)
        texts = [p.name for p in self.params.values() if not p.enum and "string" in p.kinds]
        if quote and texts:
            first = get_content_param(self.tool) or texts[0]
            yield {first: quote[1] or quote[2]}, rest[quote.end() :]
        for pattern, ending in ((_URL, "url"), (_EMAIL, "email"), (_DATE, "date")):
            match = pattern.match(rest)
            name = next((name for name in texts if name.endswith(ending)), "")
            if match and name:
                yield {name: match[0].rstrip(".,;)!?")}, rest[match.end() :]
        some = _SOME.match(rest)
        if some and "limit" in self.params:
            yield self._fit_all({"limit": int(some[1])}), rest[some.end() :]
        number = _NUMBER.match(rest)
        if number:
            yield from self._list_numbers(number, rest)

    def _list_content(self, rest: str) -> Iterator[tuple[dict[str, Any], str]]:
        """A name belongs to the one text of a tool that stores nothing: "water the ficus"."""
        content = get_content_param(self.tool)
        if not content or parse_tool_name(self.tool).verb not in ("read", None):
            return
        name = re.match(rf"(?:the\s+)?({_NAME})", rest, re.I)
        if name and self._is_name(name[1]) and not self.params[content].enum:
            yield self._fit_all({content: name[1]}), rest[name.end() :]

    def _list_numbers(
        self, number: re.Match[str], rest: str
    ) -> Iterator[tuple[dict[str, Any], str]]:
        """A number belongs to the parameter that the next word names, or to the only one."""
        numeric = [p.name for p in self.params.values() if {"integer", "number"} & set(p.kinds)]
        named = [n for n in numeric if number[2] and stem(number[2].casefold()) in _stems_of(n)]
        if named:
            yield self._fit_all({named[0]: number[1]}), rest[number.end() :]
        elif len(numeric) == 1 and self.params[numeric[0]].is_required:
            yield self._fit_all({numeric[0]: number[1]}), rest[number.end(1) :]

    def _list_allowed(self, rest: str) -> Iterator[tuple[dict[str, Any], str]]:
        """Allowed values in the user's words, and switches by their name."""
        for name, param in self.params.items():
            for value in param.enum:
                match = _compile_allowed(value, get_rules()).match(rest)
                if match:
                    yield {name: value}, rest[match.end() :]
            if param.kinds == ("boolean",):
                match = re.match(rf"{_spell(name)}\b|{_spell(name.split('_')[0])}\b", rest, re.I)
                if match:
                    yield {name: True}, rest[match.end() :]

    def _list_names(self) -> list[str]:
        return sorted((n for n in self.params if n != self.id_param), key=len, reverse=True)

    def _list_noun_words(self) -> set[str]:
        return {noun.removesuffix("s") for noun in _collect_nouns(self.tool.name)}

    def _is_skipped(self, word: str) -> bool:
        own = {stem(part) for part in parse_tool_name(self.tool).words}
        return word in _LEADING or stem(word) in own | _list_nouns(self.tool)

    def _is_name(self, text: str) -> bool:
        """Whether the words can be somebody's name: none of them says anything else here."""
        words = list_words(text)
        known = {value.casefold() for param in self.params.values() for value in param.enum}
        return bool(words) and not any(
            (word in STOP_WORDS and word not in _IN_NAMES)
            or word in known
            or stem(word) in _list_nouns(self.tool)
            or _NO_NAME.fullmatch(word)
            for word in words
        )

    def _fit(self, name: str, said: str) -> Any:
        param, text = self.params[name], said.strip().strip('"“”').rstrip(".!?").strip()
        if not param.enum:
            thousands = _THOUSANDS.fullmatch(text) if "string" not in param.kinds else None
            return fit_value(param, f"{thousands[1]}000" if thousands else text)
        for value in param.enum:
            if _compile_allowed(value, get_rules()).fullmatch(text):
                return value
        return MISSING

    def _fit_all(self, values: Mapping[str, Any]) -> dict[str, Any]:
        fitted = {
            name: self._fit(name, str(value))
            for name, value in values.items()
            if name in self.params and value not in (None, "")
        }
        return {name: value for name, value in fitted.items() if value is not MISSING}

    def _make_deed(self, values: Mapping[str, Any], named: str = "") -> Deed:
        given = {name: values[name] for name in self.params if name in values}
        missing = tuple(
            param.name
            for param in self.params.values()
            if param.is_required
            and param.name not in given
            and not (named and param.name == self.id_param)
        )
        is_added = bool(self.id_param) and _ADDS.match(self.clause) is not None
        return Deed(self.tool, given, self.clause, named, missing, is_added)


def _spell(name: str) -> str:
    """A parameter's name as people write it, in singular too."""
    return re.escape(name).replace("_", r"[\s_-]+") + ("?" if name.endswith("s") else "")


@lru_cache(maxsize=256)
def _stems_of(name: str) -> frozenset[str]:
    return frozenset(stem(part) for part in name.casefold().split("_"))


@lru_cache(maxsize=256)
def _compile_allowed(value: str, learned: tuple[Any, ...]) -> re.Pattern[str]:
    words = next((rules.enum_words[value] for rules in learned if value in rules.enum_words), "")
    spelt = re.escape(value).replace("_", r"[\s_-]+")
    return re.compile(rf"(?:{f'{words}|' if words else ''}{spelt})\b", re.I)


@lru_cache(maxsize=256)
def _compile_forms(learned: tuple[Any, ...], tool: str) -> tuple[re.Pattern[str], ...]:
    nouns = "|".join(sorted(map(re.escape, _list_nouns_of(tool) | {"one"}), key=len, reverse=True))
    noun = rf"(?:{nouns})\w{{0,3}}\b"
    name = _NAME.replace(_NEXT, f"{_NEXT}|{noun}")
    macros = {"{name}": rf"(?:\"[^\"]+\"|{name})", "{noun}": noun, "{start}": "\x02"}
    patterns: list[re.Pattern[str]] = []
    for form in (form for rules in learned for form in rules.forms):
        for macro, pattern in macros.items():
            form = form.replace(macro, pattern)
        patterns.append(re.compile(form + r"(?!\w)", re.I))
    return tuple(patterns)
