"""Converts a setting's text to its type: interpolation, and errors that say where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NoReturn,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_origin,
)

import msgspec
from msgspec import Meta

from ..errors import ConfigError

Source = Literal["environment", "file", "default"]
T = TypeVar("T")
# What a description says is what a wrong value is told: "… must be a whole number above 0".
Count: TypeAlias = Annotated[int, Meta(gt=0, description="a whole number above 0")]
Pair: TypeAlias = Annotated[int, Meta(ge=2, description="a whole number, 2 or more")]
Seconds: TypeAlias = Annotated[
    float, Meta(gt=0, le=1e15, description="a number of seconds above 0")
]
Nice: TypeAlias = Annotated[int, Meta(ge=0, le=19, description="a nice value, 0 to 19")]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")]
Temperature: TypeAlias = Annotated[float, Meta(ge=0, le=2, description="a number from 0 to 2")]
Port: TypeAlias = Annotated[int, Meta(ge=0, le=65535, description="a port, 0 to 65535")]
Models: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(pattern=r"^[^:]+:.")], ...],
    Meta(description='a list of "provider:model"'),
]
Named: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(pattern=r"^[^=]+=.")], ...], Meta(description="a list of NAME=VALUE")
]

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_FLAGS: Final = {"yes": True, "on": True, "no": False, "off": False}


def read_table(value: Any, where: str) -> dict[str, Any]:
    """Return the value if it is a table. Raises: ConfigError."""
    if not isinstance(value, dict):
        hint = "Write its name in brackets on a line of its own, and its keys below."
        raise ConfigError(f"{where} must be a table", hint=hint)
    return cast("dict[str, Any]", value)


def setting(default: T, help_text: str, env: str | None = None) -> T:
    """Declare a dataclass field as a setting with a default and a help text.

    env: its variable, if not derived from the key.
    """
    return field(default=default, metadata={"help": help_text, "env": env})


class Secret:
    """A secret text that prints as asterisks; only `reveal()` returns it.

    >>> Secret("sk-1")
    Secret('********')
    >>> Secret("sk-1").reveal()
    'sk-1'
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the secret's text, only to be sent and never to be logged."""
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
        raise TypeError("a Secret cannot be serialised: use the text that its reveal() returns")


_EXPECTED: Final[Mapping[Any, str]] = {
    str: "text",
    Secret: "text",
    bool: "true or false",
    Path: "a path",
    tuple: "a list of strings",
}


def interpolate(raw: Any, environ: Mapping[str, str], where: str) -> tuple[Any, bool]:
    """Replace `${NAME}` in a setting's strings; return (value, whether there was any).

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


def parse_value(kind: Any, raw: Any, *, where: str, is_text: bool, folder: Path) -> Any:
    """Convert a setting's raw value to the field's type `kind`.

    is_text: it came from the environment, where a number or a list is written as text.
    folder: what a relative path is relative to.
    Raises: ConfigError naming `where` and what was expected; a secret is never quoted.
    """

    def decode(wanted: type, given: Any) -> Any:
        if not isinstance(given, str):
            raise ValueError
        # Relative to the file that names it, so that a service may be started from any folder.
        return Secret(given) if wanted is Secret else folder.absolute() / Path(given).expanduser()

    try:
        plain = _to_plain(kind, raw, is_text=is_text)
        return msgspec.convert(plain, kind, strict=not is_text, dec_hook=decode)
    except (msgspec.ValidationError, ValueError, RuntimeError):  # RuntimeError: `~name` of nobody
        text = repr(raw)
        text = text if len(text) <= 60 else text[:59] + "…"
        shown = "" if kind is Secret else f", not {text}"
        raise ConfigError(f"{where} must be {_describe(kind)}{shown}") from None


def _to_plain(kind: Any, raw: Any, *, is_text: bool) -> Any:
    """Convert text of a variable to what msgspec converts: a list, a flag, a trimmed text.

    Raises: ValueError for a blank text.
    """
    if isinstance(raw, str) and is_text and _get_origin(kind) is tuple:
        raw = raw.split(",")
    if isinstance(raw, dict) and _get_origin(kind) is tuple:  # a table of the file
        raw = [f"{name}={value}" for name, value in cast("dict[str, Any]", raw).items()]
    if isinstance(raw, list):
        items = cast("list[Any]", raw)
        kept = [item for item in items if not is_text or not isinstance(item, str) or item.strip()]
        return [_to_plain(str, item, is_text=is_text) for item in kept]
    if not isinstance(raw, str):
        return cast(Any, raw)
    if not (text := raw.strip()):
        raise ValueError
    if get_origin(kind) is Literal:
        return text.lower()
    # TOML has booleans of its own: a text "yes" in the file is a mistake.
    return _FLAGS.get(text.lower(), text) if kind is bool and is_text else text


def _describe(kind: Any) -> str:
    """
    >>> _describe(Count), _describe(Literal["cn", "intl"])
    ('a whole number above 0', '"cn" or "intl"')
    """
    if get_origin(kind) is Literal:
        return " or ".join(f'"{value}"' for value in get_args(kind))
    meta = next((item for item in getattr(kind, "__metadata__", ()) if item.description), None)
    return meta.description if meta else _EXPECTED[_get_origin(kind)]


def _get_origin(kind: Any) -> Any:
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return get_origin(bare) or bare
