"""The digest of all code and settings that decide how a recorded replay goes."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path

from plainloop import agent
from plainloop.agent.config.pack_parts import find_code
from plainloop.agent.config.settings import Settings

# The service, and this package.
_PACKAGES = (Path(agent.__file__).resolve().parent, Path(__file__).resolve().parents[2])


def digest_code(settings: Settings) -> str:
    """Hash all code and settings that decide a recorded replay: agent, packs, settings, tables.

    A part of yesterday's code is no part of today's replay. Secrets and addresses hide in the
    settings' text.
    """
    # Where this machine keeps its files is no difference.
    alike = replace(settings, data_dir=Path(), config_path=None, token_ranks=None)
    brought = map(find_code, (*settings.agent.packs, settings.agent.design))
    places = (*_PACKAGES, *filter(None, brought))
    tables = sorted(map(repr, settings.tables.values()))
    return hashlib.sha256(f"{alike}{tables}{digest_files(places)}".encode()).hexdigest()


@cache
def digest_files(places: tuple[Path, ...]) -> str:
    """Hash the names and contents of files and folders.

    Files that end with .pyc are left out.
    """
    digest = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.suffix != ".pyc" and path.is_file():  # rules may stand in files of any kind
                text = path.read_bytes()
                digest.update(f"{path.relative_to(place)} {len(text)} ".encode() + text)
    return digest.hexdigest()
