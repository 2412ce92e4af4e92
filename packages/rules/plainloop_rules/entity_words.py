"""What people call a pack's entities in other languages, read from a folder of TOML files."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import TypeVar

from msgspec import ValidationError, convert

from plainloop.agent.core.spec import EntityWords
from plainloop.agent.errors import ConfigError

T = TypeVar("T")


def load_entity_words(folder: Path) -> Mapping[str, Mapping[str, EntityWords]]:
    """Load the translations of the packs' entities from a folder.

    Returns words by entity, then by language. Files are named by language.

    Raises: ConfigError that names a damaged file.
    """

    def parse(_: str, text: str) -> dict[str, EntityWords]:
        return convert(tomllib.loads(text), dict[str, EntityWords])

    words: dict[str, dict[str, EntityWords]] = {}
    for path in sorted(folder.glob("*.toml")):
        for entity, spoken in read_language_file(path, parse).items():
            words.setdefault(entity, {})[path.stem] = spoken
    return words


def read_language_file(path: Path, parse: Callable[[str, str], T]) -> T:
    """Read a language file with `parse`, and return its result.

    parse: gets the language's name and the file's text. Raises: ConfigError that names a damaged
    one.
    """
    try:
        return parse(path.stem, path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, TOMLDecodeError, ValidationError) as error:
        raise ConfigError(
            f"the language file {path} cannot be read: {error}",
            hint="Repair the file, or install plainloop again.",
        ) from error
