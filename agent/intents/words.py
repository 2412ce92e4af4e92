"""What people call a pack's entities in other languages, read from a folder of TOML files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from msgspec import convert

from ..core.spec import EntityWords
from .language import read_language_file


def load_entity_words(folder: Path) -> Mapping[str, Mapping[str, EntityWords]]:
    """Load words by entity, then by language: the `translations` of its spec. A file is named by
    its language.

    Raises: ConfigError that names a damaged file.
    """
    words: dict[str, dict[str, EntityWords]] = {}
    for path in sorted(folder.glob("*.toml")):
        for entity, spoken in read_language_file(path, _parse).items():
            words.setdefault(entity, {})[path.stem] = spoken
    return words


def _parse(name: str, text: str) -> dict[str, EntityWords]:
    return convert(tomllib.loads(text), dict[str, EntityWords])
