"""Writes a new project from the folder `template`: a pack that runs at once."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path
from typing import Final

import jinja2

from ..config.pack_parts import list_installed
from ..errors import InputError

TEMPLATE: Final = Path(__file__).parent / "template"
SUFFIX: Final = ".jinja"  # so that no tool takes a template for what it will be
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")


def write_project(folder: Path) -> list[Path]:
    """Write a sample project into a new folder, with a pack that has the folder's name.

    Returns: its files, sorted, relative to the folder. Raises: InputError for a name that no pack
    can have, or a folder that cannot be made.
    """
    if folder.exists():
        raise InputError(f"{folder} already exists", hint="Choose another name.")
    name = choose_pack_name(folder)
    written: list[Path] = []
    try:
        # Without `exist_ok`: a folder made since the check above belongs to another program
        # (test_an_existing_folder_is_not_overwritten).
        folder.mkdir(parents=True)
        for source in sorted(TEMPLATE.rglob(f"*{SUFFIX}")):
            path = Path(_fill(str(source.relative_to(TEMPLATE)).removesuffix(SUFFIX), name))
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            text = _fill(source.read_text(encoding="utf-8"), name)
            (folder / path).write_text(text, encoding="utf-8")
            written.append(path)
    except OSError as error:
        raise InputError(
            f"{folder} cannot be created: {error.strerror or error}",
            hint="Choose a folder that you can write to.",
        ) from error
    return sorted(written)


def choose_pack_name(folder: Path) -> str:
    """Derive a pack's name from a folder: "my-shop" makes `my_shop`. Raises: InputError."""
    name = folder.name.lower().replace("-", "_")
    if not _NAME.match(name) or keyword.iskeyword(name):
        raise InputError(
            f"{folder.name!r} is not a valid pack name",
            hint="A name starts with a letter, followed by letters, digits, - or _.",
        )
    # That module would be imported in the pack's place.
    if name in list_installed() or name == "tests" or importlib.util.find_spec(name) is not None:
        raise InputError(
            f"an installed Python module is already named {name!r}", hint="Choose another name."
        )
    return name


def _fill(text: str, name: str) -> str:
    """Render a template with the pack's name; an undefined variable is an error."""
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    title = name.replace("_", " ").capitalize()
    return environment.from_string(text).render(name=name, title=title)
