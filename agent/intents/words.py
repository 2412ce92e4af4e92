"""What people call a pack's entities in other languages, read from a folder of TOML files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from msgspec import convert

from ..core.spec import EntityWords


def load_entity_words(folder: Path) -> Mapping[str, Mapping[str, EntityWords]]:
    """By entity, then by language: the `translations` of its spec. A file is named by its language.

    Raises: msgspec.ValidationError, tomllib.TOMLDecodeError: a file is not of that form.
    """
    words: dict[str, dict[str, EntityWords]] = {}
    for path in sorted(folder.glob("*.toml")):
        entities = convert(tomllib.loads(path.read_text("utf-8")), dict[str, EntityWords])
        for entity, spoken in entities.items():
            words.setdefault(entity, {})[path.stem] = spoken
    return words
