"""What a provider's API takes, and its words for answers and refusals: data, in api.toml beside
each dialect's code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from .strict import Kind, ShapeError, format_path


class WireError(Exception):
    """An error that the server answers, in the JSON of the provider's format.

    details: Gemini's list; retry_after_s: a header, or RetryInfo in details.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        kind: str | None = None,
        retry_after_s: float | None = None,
        details: list[dict[str, Any]] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.param = param
        self.code = code
        self.kind = kind
        self.retry_after_s = retry_after_s
        self.details = details


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An error's status and text; `{name}` in the text is filled in."""

    message: str
    status: int = 400
    param: str | None = None
    code: str | None = None


class Object(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    required: dict[str, Kind] = {}
    optional: dict[str, Kind] = {}


class Api(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describes one provider's API, loaded from its `api.toml`.

    shapes: fields of the API's objects with their JSON types. objects: the same for objects with a
    tag, which is among their fields. stops: why an answer ended. kinds: what JSON types are called
    in errors. error_types: by status. lists: values that a field may have. words_of: a dialect
    whose texts are shared.
    """

    request_id_header: str = "x-request-id"
    sends_retry_after: bool = True
    stream_type: str = "text/event-stream; charset=utf-8"
    words_of: str | None = None
    stops: dict[str, str] = {}
    error_types: dict[str, str] = {}
    kinds: dict[str, str] = {}
    refusals: dict[str, Refusal] = {}
    lists: dict[str, list[str]] = {}
    shapes: dict[str, dict[str, Kind]] = {}
    objects: dict[str, Object] = {}

    def refuse(self, reason: str, /, **values: object) -> WireError:
        """Build the API's error for a reason, with the placeholders in its text filled in."""
        refusal = self.refusals[reason]
        param = refusal.param.format(**values) if refusal.param else None
        code = refusal.code.format(**values) if refusal.code else None
        text = refusal.message.format(**values)
        return WireError(refusal.status, text, param=param, code=code)

    def refuse_shape(self, error: ShapeError) -> WireError:
        """Make the API's error for an object with a missing, unknown or wrongly typed field."""
        *parents, last = error.path
        return self.refuse(
            next(reason for reason in _list_reasons(error) if reason in self.refusals),
            where=format_path(error.path),
            dotted=".".join(map(str, error.path)),
            fields=".".join(step for step in error.path if isinstance(step, str)),
            last=last,
            parent=format_path(tuple(parents)),
            want=self.kinds.get(error.want, error.want),
        )

    def name_stop(self, stop: str) -> str:
        return self.stops.get(stop, self.stops["other"])

    def name_error(self, error: WireError) -> str:
        """Return the type of an error in the API's JSON.

        It is the error's own, or else follows from the HTTP status.
        """
        names = (str(error.status), f"{error.status // 100}xx", "other")
        return error.kind or next(self.error_types[n] for n in names if n in self.error_types)


def _list_reasons(error: ShapeError) -> Iterator[str]:
    """Refusals that say it, the most exact first: some APIs word it otherwise at the top."""
    for kind in (error.kind, "type"):
        if len(error.path) == 1:
            yield f"{kind}_at_top"
        yield kind


@cache
def load_api(dialect: str) -> Api:
    """Load the description of a provider's API.

    dialect: the name of the API's folder in this package.
    """
    path = Path(__file__).parent / dialect / "api.toml"
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    if "words_of" in told:
        shared = load_api(told["words_of"])
        for field in ("stops", "error_types", "kinds", "refusals"):
            told[field] = {**msgspec.to_builtins(getattr(shared, field)), **told.get(field, {})}
    return msgspec.convert(told, Api)
