"""Files of the careers domain: its own prompts and data, and people's JSON with its faults."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from plainloop.agent.base.text.cleaning import clean_json
from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.base.toml_files import load_toml
from plainloop.agent.errors import InputError

_PROMPTS: Final = Path(__file__).parent / "prompts"


def load_prompt(name: str) -> str:
    """Load the text of a prompt of this package by its name."""
    return (_PROMPTS / f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def load_data(module: str, name: str) -> dict[str, Any]:
    """Load a TOML file from the folder of a module. module: its `__file__`."""
    return load_toml(Path(module).with_name(name))


def parse_json(text: str, name: str) -> Any:
    """Parse JSON text from a user's file.

    Control characters and lone surrogates are dropped.

    Raises: InputError with line and column of the first fault.
    """
    try:
        # The standard parser: it says where the fault is, and takes lone surrogates (cleaned here).
        # NaN is no JSON, but some programs write it for an empty cell.
        return clean_json(json.loads(text, parse_constant=lambda _: None))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(
            f"{name} is not valid JSON: {error.msg} at {place}",
            hint="Correct the file at that place.",
        ) from error
    except ValueError as error:
        raise InputError(
            f"{name} is not valid JSON: it has a number of thousands of digits",
            hint="Correct that number, or remove it.",
        ) from error
    except RecursionError as error:
        raise InputError(
            f"{name} is not valid JSON: nested too deeply",
            hint="Export the file with fewer nested levels.",
        ) from error


def describe_fault(error: msgspec.ValidationError) -> str:
    """Describe what is wrong in a value and where, such as "Expected `str` at `work[0].name`"."""
    return str(error).replace(" - at `$.", " at `")


class Patterns:
    """Regular expressions of a module, from its section of the `patterns.toml` beside it.

    Long patterns are stored there in pieces.
    """

    def __init__(self, module: str) -> None:
        path = Path(module)
        # By its own path: all modules of a folder share one reading of the file.
        file = str(path.with_name("patterns.toml"))
        self._said = load_data(file, "patterns.toml")[path.stem]

    def __getitem__(self, name: str) -> Any:
        return self._said[name]

    def text(self, name: str) -> str:
        """Return the text of the pattern `name`, with its pieces joined."""
        return "".join(self._said[name])

    def compile(self, name: str) -> re.Pattern[str]:
        """Return the pattern `name`, compiled at its first use."""
        return compile_lazily(self.text(name))
