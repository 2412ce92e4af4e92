"""What a provider's API takes and in which words it refuses the rest: data, in api.toml beside
each dialect's code.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from .call import WireError
from .strict import Kind


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An error's words; `{name}` in them is filled in."""

    message: str
    status: int = 400
    param: str | None = None
    code: str | None = None


class Object(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    required: dict[str, Kind] = {}
    optional: dict[str, Kind] = {}


class Api(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describes one provider's API. shapes: fields of the API's objects with their JSON types.
    objects: the same of those that are told apart by a tag, which fields they must have among them.
    """

    refusals: dict[str, Refusal] = {}
    shapes: dict[str, dict[str, Kind]] = {}
    objects: dict[str, Object] = {}

    def refuse(self, reason: str, /, **values: object) -> WireError:
        """The error for the caller to raise."""
        refusal = self.refusals[reason]
        param = refusal.param.format(**values) if refusal.param else None
        code = refusal.code.format(**values) if refusal.code else None
        text = refusal.message.format(**values)
        return WireError(refusal.status, text, param=param, code=code)


@cache
def load_api(dialect: str) -> Api:
    """Load the description of a dialect's API. dialect: the name of its folder here."""
    path = Path(__file__).parent / dialect / "api.toml"
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Api)
