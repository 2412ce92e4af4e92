"""What people call a pack's entities in other languages, read from a folder of TOML files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any, TypeVar

from msgspec import ValidationError, convert

from plainloop.agent.base.toml_files import load_toml
from plainloop.agent.core.spec import EntityWords
from plainloop.agent.errors import ConfigError

T = TypeVar("T")


def load_entity_words(folder: Path) -> Mapping[str, Mapping[str, EntityWords]]:
    """Load the translations of the packs' entities from a folder.

    Returns words by entity, then by language. Files are named by language.

    Raises: ConfigError that names a damaged file.
    """

    def parse(_: str, table: dict[str, Any]) -> dict[str, EntityWords]:
        return convert(table, dict[str, EntityWords])

    words: dict[str, dict[str, EntityWords]] = {}
    for path in sorted(folder.glob("*.toml")):
        for entity, spoken in read_language_file(path, parse).items():
            words.setdefault(entity, {})[path.stem] = spoken
    return words


def read_language_file(path: Path, parse: Callable[[str, dict[str, Any]], T]) -> T:
    """Read a language file with `parse`, and return its result.

    parse: gets the language's name and the file's table. Raises: ConfigError that names a damaged
    one.
    """
    try:
        return parse(path.stem, load_toml(path))
    except (OSError, UnicodeDecodeError, TOMLDecodeError, ValidationError) as error:
        raise ConfigError(
            f"the language file {path} cannot be read: {error}",
            hint="Repair the file, or install plainloop again.",
        ) from error
