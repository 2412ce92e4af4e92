"""Bodies of third-party programs: missing fields, fields of their own, unknown fields."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from typing import Any, ClassVar, Final

from msgspec import Struct, field, structs

from plainloop.agent.errors import InputError

from .extras import is_extra
from .parameters import asks_nothing

_EXTRAS: Final = "plainloop:extras"  # a name that no program sends


class ForeignBody(Struct, forbid_unknown_fields=True, kw_only=True):
    """The base of OpenAI-compatible bodies: known fields, and `extras` for unknown ones."""

    api: ClassVar[Mapping[str, str]] = {}  # that API's names of fields of `Wishes`
    extras: list[str] = field(default_factory=list[str], name=_EXTRAS)  # names of those

    @classmethod
    def fit(cls, body: dict[str, Any]) -> dict[str, Any]:
        """Drop a body's empty fields, and move unknown harmless fields to `extras`.

        Returns the new body. Raises: InputError for another unknown field.
        """
        known = {item.encode_name for item in structs.fields(cls)} - {_EXTRAS}
        fields = {name: value for name, value in body.items() if not asks_nothing(name, value)}
        extras = [name for name in fields if name not in known]
        for name in extras:
            if not is_extra(name, fields[name]):
                raise _make_unknown(name, known)
        return {**{name: fields[name] for name in fields if name in known}, _EXTRAS: extras}


def _make_unknown(name: str, known: Collection[str]) -> InputError:
    near = difflib.get_close_matches(name, known, 1)
    hint = f"Did you mean `{near[0]}`?" if near else "docs/protocols.md lists the supported fields."
    message = f"Unrecognized request argument supplied: {name[:80]}"  # OpenAI's own words
    return InputError(message, hint=hint, code="unknown_parameter", param=name[:80])
