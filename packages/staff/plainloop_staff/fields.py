"""What a new colleague is asked for, and which values hold. Pure."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.base.text.gibberish import is_gibberish
from plainloop.agent.dataclasses import dataclass

Value = str | bool
GivenValue = str | int | float | bool
_YES_NO: Final = {"true": True, "yes": True, "false": False, "no": False}


class InvalidValue(ValueError):
    """The value is not allowed for the field; the text says what is."""


@dataclass(frozen=True, slots=True)
class Field:
    """A question of the interview, and which values answer it.

    least, most: characters of a text. choices: the allowed values; case is ignored.
    """

    name: str
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    is_bool: bool = False
    is_required: bool = False  # without it nothing is exported
    is_asked: bool = True  # False: written by the export


FIELDS: Final = (
    Field("employee_name", least=1, most=255, is_required=True),
    Field("employee_id", least=1, most=50, is_required=True),
    Field("starter_kit", choices=("mouse", "keyboard", "backpack"), is_required=True),
    Field("dietary_restrictions", most=500),
    Field("meeting_scheduled", is_bool=True),
    Field("conversation_summary", most=sys.maxsize, is_asked=False),
)
FIELD_NAMES: Final = tuple(item.name for item in FIELDS)
ASKED: Final = tuple(item.name for item in FIELDS if item.is_asked)
REQUIRED: Final = tuple(item.name for item in FIELDS if item.is_required)


def get_field(name: str) -> Field | None:
    return next((item for item in FIELDS if item.name == name), None)


def parse_field(item: Field, given: GivenValue) -> Value:
    """Convert a value to the form in which an interview's field is stored.

    Text is trimmed, choices are in lower case, and yes or no becomes a bool.

    >>> parse_field(FIELDS[2], " Mouse ")
    'mouse'

    Raises: InvalidValue with the text for the model.
    """
    if item.is_bool:
        if isinstance(given, bool):
            return given
        value = _YES_NO.get(str(given).strip().casefold())
        if value is None:
            raise InvalidValue(f"{item.name} must be true or false")
        return value
    text = clean_text(str(given)).strip()
    if item.choices:
        if text.casefold() not in item.choices:
            raise InvalidValue(f"{item.name} must be one of: {', '.join(item.choices)}")
        return text.casefold()
    if isinstance(given, bool) or not item.least <= len(text) <= item.most:
        bounds = f"{item.least} to {item.most}" if item.least else f"at most {item.most}"
        raise InvalidValue(f"{item.name} must be a text of {bounds} characters")
    if is_gibberish(text):
        raise InvalidValue(
            f"{text!r} does not answer {item.name}: ask the user again, with an example"
        )
    return text


def list_missing_fields(data: Mapping[str, Any], names: tuple[str, ...]) -> list[str]:
    """List the fields that have no value yet.

    An empty text is a value.
    """
    return [name for name in names if data.get(name) is None]
