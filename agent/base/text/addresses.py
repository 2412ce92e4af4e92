"""Finds addresses in texts and decides when two spellings are the same. Pure, linear time.

Few spellings count as the same address: every difference that is ignored here would let an attacker
send data out under an allowed name. `tests/base/test_addresses.py` has the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from .patterns import compile_lazily

MAX_ADDRESS_CHARS: Final = 2048  # a longer word is nothing that anybody names
# Possessive throughout: a word without an address costs one pass, not one from each of its letters.
_WORD: Final = compile_lazily(r"[^\s<>\"'`]++")
_SCHEME: Final = compile_lazily(r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*+:/|//", re.IGNORECASE)
_MAIL: Final = compile_lazily(r"(?<![^@,;()])[^@,;()]++@[\w.-]")
_HOST: Final = compile_lazily(r"(?<![\w.-])[\w-]++(?:\.[\w-]++)++")
_HOST_END: Final = compile_lazily(r"[/?#]")
_CLOSING: Final = compile_lazily(r"[)\]|,;]")
_ASCII: Final = compile_lazily(r"[!-~]++")
# An argument of such a name is an address as a whole, however it is written.
_NAMES_ADDRESS: Final = compile_lazily(
    r"""
    (?:^|_)
    (?: ur[il]s? | links? | href | hosts? | hostname | domains? | address(?:es)? | endpoint
      | webhook | sites? | server | e?mails? | to | cc | bcc | recipients? | callback | redirect )
    (?:_|$)
    """,
    re.IGNORECASE | re.VERBOSE,
)
# And of such a name a path, which is named as a whole or not at all.
_NAMES_PATH: Final = compile_lazily(
    r"(?:^|_)(?:paths?|files?|filenames?|filepaths?|dirs?|director(?:y|ies)|folders?)(?:_|$)",
    re.IGNORECASE,
)
_CAMEL: Final = compile_lazily(r"(?<=[a-z0-9])(?=[A-Z])")
_PATH: Final = compile_lazily(
    r"(?:\.{1,2}[/\\]|[/\\]|~|[A-Za-z]:[/\\])\S*+\Z|\S*?[/\\]\.\.(?:[/\\]|\Z)"
)
_TAIL: Final = ".,;:!?)]}>*_。，、"


def find_addresses(text: str) -> Iterator[str]:
    """Yield each URL or e-mail address in the text, including punctuation that follows it.

    >>> list(find_addresses("read (https://acme.example/jobs/1...) or mail bob@acme.example"))
    ['https://acme.example/jobs/1...)', 'bob@acme.example']
    """
    for word in _WORD.findall(text):
        starts = [match.start() for find in (_SCHEME, _MAIL) if (match := find.search(word))]
        hosts = (match for match in _HOST.finditer(word) if _ends_as_host(match[0]))
        start = min([*starts, *(match.start() for match in hosts)], default=None)
        if start is not None:
            yield word[start:]


def find_named(text: str) -> Iterator[str]:
    """Yield the normalized addresses in running text, without surrounding punctuation.

    >>> sorted(set(find_named("See (Acme.example/jobs)!")))
    ['Acme.example/jobs', 'Acme.example/jobs)!', 'acme.example/jobs', 'acme.example/jobs)!']
    """
    for address in find_addresses(text):
        if len(address) <= MAX_ADDRESS_CHARS:
            for ended in dict.fromkeys(list_ends(address)):
                yield from list_keys(ended)


def list_ends(address: str) -> Iterator[str]:
    """Yield an address as written, then each shorter form without text that may only follow it."""
    yield address
    yield address.rstrip(_TAIL)
    if head := _ASCII.match(address):
        yield head[0]
        yield head[0].rstrip(_TAIL)
    if closing := _CLOSING.search(address):
        yield address[: closing.start()]


def list_keys(address: str) -> Iterator[str]:
    """Yield an address's normalized forms: as written, and with the host in lower case.

    Models and programs write the host in lower case.
    """
    yield to_key(address)
    scheme, mark, rest = address.partition("://")
    if not mark:
        scheme, rest = "", address
    end = _HOST_END.search(rest)
    host, path = (rest[: end.start()], rest[end.start() :]) if end else (rest, "")
    user, at, domain = host.rpartition("@")
    yield to_key(f"{scheme.lower()}{mark}{user}{at}{domain.lower()}{path}")


def to_key(address: str) -> str:
    """Normalize an address for comparison: drop its scheme, and a path that is only a slash.

    `https://`, `http://` and `mailto:` are dropped; everything else stays as it is.

    >>> to_key("https://acme.example/"), to_key("https://acme.example/Jobs/?b=1#c")
    ('acme.example', 'acme.example/Jobs/?b=1#c')
    """
    for prefix in ("https://", "http://", "mailto:"):
        if address.startswith(prefix):
            address = address[len(prefix) :]
            break
    return address[:-1] if address.find("/") == len(address) - 1 else address


def is_path(text: str) -> bool:
    """Whether a whole text looks like a file path, such as `/etc/passwd` or `../fair.md`.

    >>> is_path("../fair.md"), is_path("/etc/passwd"), is_path("and/or"), is_path("fair.md")
    (True, True, False, False)
    """
    word = text.strip()
    return not word.startswith("//") and len(word.split(None, 1)) == 1 and bool(_PATH.match(word))


def names_path(text: str, path: str) -> bool:
    """Whether the text contains exactly this file path.

    >>> names_path("Read notes/fair.md.", "notes/fair.md"), names_path("Read fair.md", "../fair.md")
    (True, False)
    >>> names_path("Read notes/fair.md.", "fair.md")
    False
    """
    if not path or len(path) > MAX_ADDRESS_CHARS:
        return False
    whole = rf"(?<![\w./\\~:-]){re.escape(path)}(?![\w/\\-]|\.\w)"
    return re.search(whole, text) is not None


def list_addresses(value: Any, name: str = "") -> Iterator[str]:
    """Yield the addresses in a call's arguments, and whole arguments that are paths or URLs."""
    if isinstance(value, Mapping):
        for key, item in cast(Mapping[str, Any], value).items():
            yield from list_addresses(key)
            yield from list_addresses(item, key)
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            yield from list_addresses(item, name)
    elif isinstance(value, str) and value.strip():
        words = _CAMEL.sub("_", name)
        if _NAMES_ADDRESS.search(words) or _NAMES_PATH.search(words) or is_path(value):
            yield value
        else:
            yield from find_addresses(value)


def list_named(value: Any) -> Iterator[str]:
    """Yield the normalized addresses in all texts of a JSON value."""
    if isinstance(value, str):
        yield from find_named(value)
    elif isinstance(value, Mapping):
        for item in cast(Mapping[str, Any], value).values():
            yield from list_named(item)
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            yield from list_named(item)


def list_vouched(value: Any, fields: tuple[str, ...]) -> Iterator[str]:
    """Yield the normalized addresses that are whole values of these JSON fields."""
    if isinstance(value, Mapping):
        for key, item in cast(Mapping[str, Any], value).items():
            if key in fields and isinstance(item, str) and " " not in item.strip():
                yield from list_keys(item.strip())
            else:
                yield from list_vouched(item, fields)
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            yield from list_vouched(item, fields)


def _ends_as_host(name: str) -> bool:
    """Whether the last label is one of a name ("example"), or of numbers that resolvers take."""
    last = name.rpartition(".")[2]
    return len(last) > 1 or last.isdigit()
