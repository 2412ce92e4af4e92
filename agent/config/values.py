"""How the text of one setting becomes a value: kinds, interpolation, and errors that say where."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, cast

from ..errors import ConfigError

Count: TypeAlias = int  # whole number above 0
Seconds: TypeAlias = float  # above 0
Port: TypeAlias = int  # 0..65535

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


class Secret:
    """A value that prints as asterisks. `reveal()` is the only way to its text.

    >>> Secret("sk-1")
    Secret('********')
    >>> Secret("sk-1").reveal()
    'sk-1'
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself: for whoever sends it, never for a log."""
        return self._value

    def __repr__(self) -> str:
        return "Secret('********')"

    def __str__(self) -> str:
        return "********"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> NoReturn:
        # A pickle or a deep copy would carry the text past the mask.
        raise TypeError("a Secret is not serialisable")


def interpolate(raw: Any, environ: Mapping[str, str], where: str) -> tuple[Any, bool]:
    """`raw` with each `${NAME}` in its strings replaced, and whether there was any.

    Raises: ConfigError naming `where` and the variable that is not set.
    """
    if isinstance(raw, list):
        parts = [interpolate(item, environ, where) for item in cast("list[Any]", raw)]
        return [value for value, _ in parts], any(found for _, found in parts)
    if not isinstance(raw, str):
        return raw, False

    def look_up(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in environ:
            raise ConfigError(
                f"{where}: the environment variable {name} is not set",
                hint=f"Set {name}, or remove this line.",
            )
        return environ[name]

    text, count = _VARIABLE.subn(look_up, raw)
    return text, count > 0


def parse_value(kind: str, raw: Any, *, where: str, is_text: bool, folder: Path) -> Any:
    """`raw` as `kind` (a field's annotation).

    is_text: it came from the environment, where a number or a list is written as text.
    folder: what a relative path is relative to.
    Raises: ConfigError naming `where` and what was expected; a secret is never quoted.
    """
    parse, expected = _KINDS[kind]
    try:
        return parse(raw, is_text, folder)
    except (ValueError, OverflowError):
        shown = "" if parse is _parse_secret else f", not {_quote(raw)}"
        raise ConfigError(f"{where} must be {expected}{shown}") from None


def _quote(raw: Any) -> str:
    text = repr(raw)
    return text if len(text) <= 60 else text[:59] + "…"


def _parse_text(raw: Any, is_text: bool, folder: Path) -> str:
    if not isinstance(raw, str) or not raw.strip():
        raise ValueError
    return raw.strip()


def _parse_secret(raw: Any, is_text: bool, folder: Path) -> Secret:
    return Secret(_parse_text(raw, is_text, folder))


def _parse_path(raw: Any, is_text: bool, folder: Path) -> Path:
    path = Path(_parse_text(raw, is_text, folder))
    try:
        return folder.absolute() / path.expanduser()
    except RuntimeError as error:  # `~name` of nobody
        raise ValueError from error


def _parse_list(raw: Any, is_text: bool, folder: Path) -> tuple[str, ...]:
    items = raw.split(",") if is_text and isinstance(raw, str) else raw
    if not isinstance(items, list):
        raise ValueError
    items = cast("list[Any]", items)
    if is_text:
        items = [item for item in items if not isinstance(item, str) or item.strip()]
    return tuple(_parse_text(item, is_text, folder) for item in items)


def _parse_bool(raw: Any, is_text: bool, folder: Path) -> bool:
    if isinstance(raw, bool):
        return raw
    word = raw.strip().lower() if is_text and isinstance(raw, str) else ""
    if word not in _TRUE | _FALSE:
        raise ValueError
    return word in _TRUE


def _parse_int(raw: Any, is_text: bool) -> int:
    if is_text and isinstance(raw, str):
        return int(raw)
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise ValueError
    return raw


def _parse_count(raw: Any, is_text: bool, folder: Path) -> int:
    count = _parse_int(raw, is_text)
    if count <= 0:
        raise ValueError
    return count


def _parse_port(raw: Any, is_text: bool, folder: Path) -> int:
    port = _parse_int(raw, is_text)
    if not 0 <= port <= 65535:
        raise ValueError
    return port


def _parse_seconds(raw: Any, is_text: bool, folder: Path) -> float:
    if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
        raise ValueError
    if isinstance(raw, str) and not is_text:
        raise ValueError
    seconds = float(raw)
    if not math.isfinite(seconds) or seconds <= 0:
        raise ValueError
    return seconds


def _parse_region(raw: Any, is_text: bool, folder: Path) -> str:
    region = _parse_text(raw, is_text, folder).lower()
    if region not in ("cn", "intl"):
        raise ValueError
    return region


def _parse_web_search(raw: Any, is_text: bool, folder: Path) -> str:
    provider = _parse_text(raw, is_text, folder).lower()
    if provider not in ("tavily", "brave"):
        raise ValueError
    return provider


def _parse_protocol(raw: Any, is_text: bool, folder: Path) -> str:
    protocol = _parse_text(raw, is_text, folder).lower()
    if protocol not in ("chat", "responses"):
        raise ValueError
    return protocol


def _parse_models(raw: Any, is_text: bool, folder: Path) -> tuple[str, ...]:
    models = _parse_list(raw, is_text, folder)
    for model in models:
        provider, separator, name = model.partition(":")
        if not (provider and separator and name):
            raise ValueError
    return models


_Parse: TypeAlias = Callable[[Any, bool, Path], Any]
_KINDS: Mapping[str, tuple[_Parse, str]] = {
    "str": (_parse_text, "text"),
    "str | None": (_parse_text, "text"),
    "Secret | None": (_parse_secret, "text"),
    "Path": (_parse_path, "a path"),
    "Path | None": (_parse_path, "a path"),
    "tuple[str, ...]": (_parse_list, "a list of texts"),
    "Models": (_parse_models, 'a list of "provider:model"'),
    "bool": (_parse_bool, "true or false"),
    "Count": (_parse_count, "a whole number above 0"),
    "OptionalCount": (_parse_count, "a whole number above 0"),
    "Seconds": (_parse_seconds, "a number of seconds above 0"),
    "Port": (_parse_port, "a port, 0 to 65535"),
    "Region | None": (_parse_region, '"cn" or "intl"'),
    "WireProtocol | None": (_parse_protocol, '"chat" or "responses"'),
    "WebSearch": (_parse_web_search, '"tavily" or "brave"'),
}
