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

    def parse(_: str, text: str) -> dict[str, EntityWords]:
        return convert(tomllib.loads(text), dict[str, EntityWords])

    words: dict[str, dict[str, EntityWords]] = {}
    for path in sorted(folder.glob("*.toml")):
        for entity, spoken in read_language_file(path, parse).items():
            words.setdefault(entity, {})[path.stem] = spoken
    return words
