"""Sorts a thread's texts by origin: the user, trusted rows, third parties, the model itself.

Marks are per field. A result that is marked as a whole is from outside; of one whose part names
fields, these are, and the rest is not. Read once per message with calls, in time linear in the
thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain
from typing import Any, Final, Literal, cast

from ..base.text.addresses import find_named, list_named, list_vouched, names_path
from ..dataclasses import dataclass, field
from ..types import FunctionResponse, Message, MessagePart
from .marking import UNTRUSTED, UNTRUSTED_NOTE, ToolFields, walk_fields
from .words import (
    Day,
    Words,
    end_sentences,
    fold,
    list_clocks,
    list_days,
    list_lengths,
    list_numbers,
)
from .wrapped import has_wrapped, split_wrapped

_MAY_BE: Final = frozenset({"tool_result", "file"})  # what comes from outside without a mark
_MAX_DEPTH: Final = 32  # of a result; what lies deeper is from outside


@dataclass(slots=True)
class Row:
    """An object of a trusted result: its trusted values, and those that third parties wrote."""

    values: list[str | int | float] = field(default_factory=list[str | int | float])
    fields: list[str] = field(default_factory=list[str])  # of the values, in their order
    outside: list[str] = field(default_factory=list[str])
    is_only: bool = False  # the one that a call gave whose every word is the user's


@dataclass(slots=True)
class Sources:
    """The texts of a thread by origin (user, trusted, outside). Filled message by message."""

    is_tainted: bool = False  # words of somebody outside are among it
    user: Words = field(default_factory=Words)
    trusted: Words = field(default_factory=Words)
    outside: Words = field(default_factory=Words)
    written: Words = field(default_factory=Words)  # by the model, after words from outside
    # Keys of addresses, spelled as they must be: by the user, or by what is trusted.
    addresses: dict[str, Literal["user", "trusted"]] = field(default_factory=dict)  # pyright: ignore[reportUnknownVariableType]
    said: list[str] = field(default_factory=list[str])  # by the user and by what is trusted
    rows: list[Row] = field(default_factory=list[Row])
    labels: set[str] = field(default_factory=set[str])  # trusted values, whole
    secrets: list[str] = field(default_factory=list[str])
    numbers: dict[Decimal, bool] = field(default_factory=dict[Decimal, bool])  # True: percent
    days: set[Day] = field(default_factory=set[Day])  # these are the user's
    clocks: set[int] = field(default_factory=set[int])
    lengths: set[int] = field(default_factory=set[int])
    trusted_days: set[Day] = field(default_factory=set[Day])
    tracer: Any = None  # of these, made for the first call that is traced

    def add_user(self, text: str) -> None:
        """Add text that the user typed."""
        self.user.add(text)
        self.said.append(text)
        named = (*find_named(text), *find_named(end_sentences(text)))
        self.addresses.update(dict.fromkeys(named, "user"))
        for number, is_percent in list_numbers(text):
            self.numbers[number] = self.numbers.get(number, False) or is_percent
        self.days.update(list_days(text))
        self.clocks.update(list_clocks(text))
        self.lengths.update(list_lengths(text))

    def add_trusted(self, texts: Iterable[str], keys: Iterable[str]) -> None:
        """Add trusted texts, of a tool result or the pack's prompt, and the addresses in them."""
        for key in keys:
            self.addresses.setdefault(key, "trusted")
        for text in texts:
            self.trusted.add(text)
            self.said.append(text)
            self.labels.update(line for line in fold(text).splitlines() if line.strip())
            self.trusted_days.update(list_days(text))

    def is_path_named(self, path: str) -> bool:
        """Whether the user or a trusted source named exactly this path."""
        whole = path.strip().removeprefix("./")
        return any(whole in text and names_path(text, whole) for text in self.said)

    def add_outside(self, texts: Iterable[str]) -> None:
        """Add texts of third parties, and mark the thread as tainted."""
        self.is_tainted = True
        for text in texts:
            self.outside.add(text)


def is_from_outside(part: MessagePart) -> bool:
    """Whether a message's part contains third-party text."""
    if part["type"] == "tool_result" and isinstance(part["result"], dict):
        if UNTRUSTED in part["result"]:
            return True
    return part["type"] == "file" or "is_untrusted" in part or "outside" in part


def holds_outside(
    messages: Sequence[Message], prompt_context: str, outside: Sequence[str], *, only_last: bool
) -> bool:
    """Whether a prompt contains third-party text. The arguments are those of `collect_sources`."""
    if UNTRUSTED_NOTE in prompt_context or outside:
        return True
    if only_last and sum(message["role"] == "user" for message in messages) > 1:
        return True
    for message in messages:  # at every model call: so without a call for each part
        for part in message["parts"]:
            if "is_untrusted" in part or (part["type"] in _MAY_BE and is_from_outside(part)):
                return True
            if part["type"] == "text" and message["role"] == "user" and has_wrapped(part["text"]):
                return True
    return False


def collect_sources(
    messages: Sequence[Message],
    prompt_context: str,
    get_fields: Callable[[str], ToolFields],
    outside: Sequence[str] = (),
    *,
    only_last: bool = False,
) -> Sources:
    """Collect the texts of a thread and its prompt, grouped by origin.
    get_fields: returns a tool's fields by its name. outside: other text from outside in the prompt.
    only_last: only the last user message is the user's own.

    What the model wrote into a call after it had read text from outside is nobody's word, also
    when a trusted result repeats it.
    """
    sources = Sources()
    if UNTRUSTED_NOTE in prompt_context:
        sources.add_outside([prompt_context])
    else:
        sources.add_trusted([prompt_context], find_named(prompt_context))
    if outside:
        sources.add_outside(outside)
    last = max((n for n, item in enumerate(messages) if item["role"] == "user"), default=-1)
    calls = dict[str, tuple[dict[str, Any], bool]]()
    written = set[str]()  # keys of addresses
    for message in messages:
        for part in message["parts"]:
            if part["type"] == "text" and "is_untrusted" in part:
                sources.add_outside([part["text"]])
            elif part["type"] == "text" and message["role"] == "user":
                is_theirs = not only_last or message is messages[last]
                own, wrapped = split_wrapped(part["text"]) if is_theirs else ("", part["text"])
                sources.add_user(own)
                if wrapped:
                    sources.add_outside([wrapped])
            elif part["type"] == "reasoning" and "notices" in part:
                prompts = [i["text"] for i in part["notices"]["items"] if i["kind"] == "prompt"]
                if "is_untrusted" in part:
                    sources.add_outside(prompts)
                else:
                    sources.add_trusted(prompts, chain.from_iterable(map(find_named, prompts)))
            elif part["type"] == "file":
                sources.add_outside([])
            elif part["type"] == "tool_call":
                calls[part["id"]] = part["arguments"], sources.is_tainted
                if sources.is_tainted:
                    written.update(list_named(part["arguments"]))
                    sources.written.add("\n".join(map(str, list_values(part["arguments"]))))
            elif part["type"] == "tool_result":
                call = calls.get(part["id"], ({}, sources.is_tainted))
                _add_result(part, get_fields(part["name"]), call, written, sources)
    return sources


def _add_result(
    part: FunctionResponse,
    fields: ToolFields,
    call: tuple[dict[str, Any], bool],
    written: set[str],
    sources: Sources,
) -> None:
    result, (arguments, was_tainted) = part["result"], call
    if is_from_outside(part) and "outside" not in part:
        sources.add_outside(map(str, list_values(result)))
        sources.add_trusted((), list_vouched(result, fields[0]))
        return
    if part["is_error"]:
        return
    names = frozenset[str](part.get("outside", ()))
    rows, keys = [Row()], set[str]()

    def walk(
        value: Any, path: str, row: Row, *, name: str = "", is_out: bool, depth: int = 0
    ) -> None:
        is_out = is_out or path in names or depth > _MAX_DEPTH
        if isinstance(value, dict):
            rows.append(row := Row())
            for key, item in cast(dict[str, Any], value).items():
                at = f"{path}/{key}" if path else key
                if not is_out:
                    keys.add(key)
                is_key_out = is_out or key in names
                walk(item, at, row, name=key, is_out=is_key_out, depth=depth + 1)
        elif isinstance(value, list):
            for n, item in enumerate(cast(list[Any], value)):
                at = f"{path}/{n}" if path else str(n)
                walk(item, at, row, name=name, is_out=is_out, depth=depth + 1)
        elif is_value(value):
            text = str(value)
            # A model that has read a page may write its words into a row and read them back as ours
            # (test_no_outside_value_becomes_a_target_without_approval).
            is_washed = was_tainted and text in sources.written
            if is_out or (is_washed and text not in sources.user and text not in sources.trusted):
                row.outside.append(text)
            else:
                row.values.append(value)
                row.fields.append(name)

    walk(result, "", rows[0], is_out=False)
    if names:
        sources.add_outside(text for row in rows for text in row.outside)
    texts = [str(value) for row in rows for value in row.values]
    named = {key for text in texts for key in find_named(text)} - written
    sources.add_trusted((*texts, *keys), named)
    sources.rows += (row for row in rows if row.values)
    full = [row for row in rows if row.values]
    words = [str(value) for value in list_values(arguments)]
    if len(full) == 1 and words and all(word in sources.user for word in words):
        full[0].is_only = True
    for _, name, value in walk_fields(result):
        if name in fields[1] and is_value(value):
            sources.secrets.append(str(value))


def is_value(value: Any) -> bool:
    """Whether a value is a number (but no bool) or a text that is not empty."""
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""


def list_leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (path, value) for each text and number inside a JSON value."""
    if is_value(value):
        yield path, value
    for at, _, item in walk_fields(value, path):
        if is_value(item):
            yield at, item


def list_values(value: Any) -> Iterator[Any]:
    return (item for _, item in list_leaves(value))
