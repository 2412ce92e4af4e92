"""Files of the careers domain: its own prompts and data, and people's JSON with its faults."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec

from plainloop.agent.base.text.cleaning import clean_json
from plainloop.agent.errors import InputError

_PROMPTS: Final = Path(__file__).parent / "prompts"


def load_prompt(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text(encoding="utf-8").strip()


def load_data(module: str, name: str) -> dict[str, Any]:
    """The TOML file beside a module; module: its `__file__`."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


def parse_json(text: str, name: str) -> Any:
    """The JSON value in the text, cleaned.

    Raises: InputError with line and column of the first fault.
    """
    try:
        # The standard parser: it says where the fault is, and takes lone surrogates (cleaned here).
        return clean_json(json.loads(text))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(
            f"{name} is not valid JSON: {error.msg} at {place}",
            hint="Correct the file at that place.",
        ) from error
    except RecursionError as error:
        raise InputError(
            f"{name} is not valid JSON: nested too deeply", hint="Use fewer levels."
        ) from error


def describe_fault(error: msgspec.ValidationError) -> str:
    """Describe what is wrong, and where: "Expected `str`, got `int` at `work[0].name`"."""
    return str(error).replace(" - at `$.", " at `")


class Patterns:
    """Holds a module's section of the `patterns.toml` beside it; long patterns are in pieces."""

    def __init__(self, module: str) -> None:
        self._said = load_data(module, "patterns.toml")[Path(module).stem]

    def __getitem__(self, name: str) -> Any:
        return self._said[name]

    def text(self, name: str) -> str:
        """The pattern's text, its pieces joined."""
        return "".join(self._said[name])

    def compile(self, name: str) -> re.Pattern[str]:
        return re.compile(self.text(name))
