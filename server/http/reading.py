"""Bodies and queries of requests: bounded, decoded, checked against their type."""

from __future__ import annotations

import asyncio
import codecs
import difflib
import json
import re
import tempfile
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, TypeVar, get_args
from urllib.parse import unquote

import msgspec
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message

from ...agent.base.text.cleaning import clean_json, clean_text
from ...agent.base.text.json_text import parse_int
from ...agent.base.time.periods import YEARS
from ...agent.core.api import UploadedFile
from ...agent.errors import InputError, PayloadTooLarge, ShapeError, UnsupportedMedia
from .json_limits import check_limits

T = TypeVar("T", bound=msgspec.Struct)

FILE_FIELD: Final = "file"
SCHEMA_REF: Final = "#/components/schemas/{name}"
_JSON: Final = "application/json"
_MULTIPART: Final = "multipart/form-data"
_FORM_FIELDS: Final = 20
_GZIP: Final = b"\x1f\x8b"
_LARGE_BYTES: Final = 500_000  # of a body that is read beside the event loop
_UNKNOWN: Final = re.compile(r"unknown field `([^`]*)`")
_FIELD: Final = re.compile(r"(?:unknown|required) field `([^`]*)`")
_PATH: Final = re.compile(r"at `\$\.([^`]*)`")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


async def read_json(request: Request, kind: type[T], max_bytes: int) -> T:
    """Read a request's JSON body and convert it to `kind`.

    An empty body counts as an empty object. Raises: PayloadTooLarge; UnsupportedMedia; InputError
    (unreadable); ShapeError.
    """
    body = strip_mark(await read_body(request, max_bytes))
    if not body:
        return convert({}, kind, "the body")
    if get_media_type(request) != _JSON:
        # Also what keeps a foreign page from sending one without a CORS preflight.
        raise UnsupportedMedia(
            f"the body must be {_JSON}", hint="Set the header `Content-Type` to it."
        )
    # In the loop a large one would delay the next token of every stream
    # (test_large_bodies_are_parsed_outside_the_event_loop).
    if len(body) > _LARGE_BYTES:
        return await asyncio.to_thread(parse_json, body, kind)
    return parse_json(body, kind)


def strip_mark(body: bytes) -> bytes:
    """Return a body without UTF-8's byte order mark, which some programs write.

    Raises: UnsupportedMedia for other encodings, detected by the first bytes.
    """
    if body.startswith(_GZIP):
        raise UnsupportedMedia("the body is compressed (gzip)", hint="Send it uncompressed.")
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)):
        raise UnsupportedMedia("the body is UTF-16 or UTF-32", hint="Send JSON as UTF-8.")
    # A reader of JSON may ignore it (RFC 8259, 8.1); msgspec does not
    # (test_a_byte_order_mark_is_accepted_and_other_encodings_refused).
    return body.removeprefix(codecs.BOM_UTF8)


def parse_json(body: bytes, kind: type[T]) -> T:
    """Parse a JSON body within the limits and convert it to `kind`. Raises: as `read_json`."""
    try:
        if (fit := getattr(kind, "fit", None)) is not None:
            decoded = decode_json(body)
            return convert(fit(decoded) if isinstance(decoded, dict) else decoded, kind, "the body")
        if check_limits(body):
            return convert(_decode_slowly(body), kind, "the body")
        return _check_times(msgspec.json.decode(body, type=kind), "the body")
    except msgspec.ValidationError as error:
        raise _make_shape_error("the body", error, kind) from error
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise InputError(
            f"the body is not JSON: {error}",
            hint="Send one JSON object, as docs/http.md shows.",
            code="INVALID_FORMAT",
        ) from error


def decode_json(body: bytes) -> Any:
    """Decode JSON within the limits, removing characters that cannot be stored.

    Raises: ValueError (msgspec's DecodeError is one), RecursionError.
    """
    return _decode_slowly(body) if check_limits(body) else msgspec.json.decode(body)


def _decode_slowly(body: bytes) -> Any:
    return clean_json(json.loads(body, parse_int=parse_int))


def convert(value: Any, kind: type[T], what: str, *, strict: bool = True) -> T:
    """Convert decoded JSON to `kind`. Raises: ShapeError, which names the value by `what`."""
    try:
        return _check_times(msgspec.convert(value, kind, strict=strict), what)
    except msgspec.ValidationError as error:
        raise _make_shape_error(what, error, kind) from error


def _check_times(value: T, what: str) -> T:
    """Return the struct. Raises: ShapeError for a time at the calendar's ends."""
    for name in value.__struct_fields__:
        item: Any = getattr(value, name)
        if isinstance(item, datetime) and item.year not in YEARS:
            raise ShapeError(
                f"{what} has the wrong shape: the year of {name} must be between 2 and 9998",
                hint="Correct the date.",
            )
        if isinstance(item, msgspec.Struct):
            _check_times(item, what)
    return value


def _make_shape_error(
    what: str, error: msgspec.ValidationError, kind: type[msgspec.Struct]
) -> ShapeError:
    reason = str(error)
    where = ".".join(path[1] for path in (_PATH.search(reason), _FIELD.search(reason)) if path)
    message = f"{what} has the wrong shape: {reason}"
    return ShapeError(message, hint=find_hint(error, kind), param=where or None)


def _suggest(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean `{near[0]}`?" if near else f"known: {', '.join(sorted(known))}"


def find_hint(error: msgspec.ValidationError, kind: type[msgspec.Struct]) -> str | None:
    """Suggest known fields in place of the unknown field that an error names.

    Suggests the nearest one, or all. None for other errors.
    """
    if (unknown := _UNKNOWN.search(str(error))) is None:
        return None
    inside = msgspec.json.schema_components([kind])[1].values()
    return _suggest(unknown[1], {name for item in inside for name in item.get("properties", ())})


async def read_body(request: Request, max_bytes: int) -> bytes:
    """Read a request's whole body. Raises: PayloadTooLarge as soon as the limit is passed."""
    _check_length(request, max_bytes)
    return b"".join([chunk async for chunk in _bound_stream(request, max_bytes)])


async def read_upload(request: Request, max_bytes: int) -> tuple[UploadedFile, dict[str, str]]:
    """Read the file that a request uploads, and the form's other fields.

    The body is a form, or the file itself. The file is on disk and must be closed by the caller.

    Raises: PayloadTooLarge, InputError when there is no file.
    """
    media_type = get_media_type(request)
    if media_type != _MULTIPART:
        name = _check_filename(request.query_params.get("filename", ""))
        _check_length(request, max_bytes)
        file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
        try:
            async for chunk in _bound_stream(request, max_bytes):
                file.write(chunk)
        except BaseException:
            file.close()
            raise
        return UploadedFile(name, media_type, file), {}
    _check_length(request, max_bytes)
    size_bytes = 0

    async def receive() -> Message:
        nonlocal size_bytes
        message = await request.receive()
        # Starlette bounds the fields of a form, but no file in it.
        size_bytes += len(message.get("body", b""))
        if size_bytes > max_bytes:
            raise _make_too_large(max_bytes)
        return message

    # Without the application in its scope Starlette raises MultiPartException; with it an
    # HTTPException, which would be answered without our code and hint
    # (test_a_form_with_two_files_is_refused).
    scope = {name: value for name, value in request.scope.items() if name != "app"}
    try:
        form = await Request(scope, receive).form(max_files=1, max_fields=_FORM_FIELDS)
    except (MultiPartException, ValueError, KeyError) as error:
        raise InputError(
            f"the form cannot be read: {error}",
            hint=f"Send one file, and at most {_FORM_FIELDS} fields, as multipart/form-data.",
            code="INVALID_FORMAT",
        ) from error
    try:
        return _read_form(form)
    except InputError:
        await form.close()
        raise


async def _bound_stream(request: Request, max_bytes: int) -> AsyncIterator[bytes]:
    size_bytes = 0
    async for chunk in request.stream():
        size_bytes += len(chunk)
        if size_bytes > max_bytes:
            raise _make_too_large(max_bytes)
        yield chunk


def _read_form(form: FormData) -> tuple[UploadedFile, dict[str, str]]:
    uploads = [value for value in form.values() if isinstance(value, UploadFile)]
    if not uploads:
        raise InputError(
            f"the form field {FILE_FIELD!r} contains no file",
            hint=f"Send the file in the form field {FILE_FIELD!r}.",
            code="INVALID_FORMAT",
        )
    upload = uploads[0]
    media_type = (upload.content_type or "").partition(";")[0].strip().lower()
    name = _check_filename(upload.filename or "")
    upload.file.fileno()  # puts it on disk: who waits for a reader holds no memory
    file = UploadedFile(name, media_type, upload.file)
    fields = {name: value for name, value in form.items() if isinstance(value, str)}
    return file, clean_json(fields)


def _check_filename(name: str) -> str:
    """Return the file name if it can be stored.

    Raises: InputError for a name that no file can have.
    """
    if clean_text(name) != name:
        raise InputError(
            "the file name contains characters that cannot be stored",
            hint="Rename the file.",
            code="INVALID_FORMAT",
        )
    return name


def read_query(pairs: Iterable[tuple[str, str]], kind: type[T]) -> T:
    """Convert a URL's query to `kind`.

    Numbers and booleans are read from text, lists from repeated names. A date as a time is its
    day's first moment in UTC.

    Raises: ShapeError, also for an unknown or repeated name: no filter is dropped silently.
    """
    fields: dict[str, Any] = describe_struct(kind)["properties"]
    values: dict[str, Any] = {}
    for name, text in pairs:
        if name not in fields:
            message = f"the query has the wrong shape: it contains unknown field `{name}`"
            raise ShapeError(message, hint=_suggest(name, fields))
        options = fields[name].get("anyOf", [fields[name]])
        if name in values and options[0].get("type") != "array":
            message = f"the query has the wrong shape: it contains `{name}` twice"
            raise ShapeError(message, hint="Send it once.")
        # msgspec takes no date for a time; people write one.
        if _DAY.fullmatch(text) and name in _list_times(kind):
            values[name] = f"{text}T00:00:00Z"
        elif options[0].get("type") == "array":
            values.setdefault(name, []).append(text)
        else:
            values[name] = text
    return convert(clean_json(values), kind, "the query", strict=False)


@cache
def _list_times(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Return the fields that take a time, which their schemas call text."""
    fields = msgspec.structs.fields(kind)
    return frozenset(it.encode_name for it in fields if datetime in (it.type, *get_args(it.type)))


@cache
def describe_struct(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a struct's JSON Schema (cached), for checking queries and for OpenAPI."""
    (root,), parts = msgspec.json.schema_components([kind], ref_template=SCHEMA_REF)
    return parts[root["$ref"].rpartition("/")[2]]


def check_params(params: Mapping[str, Any]) -> dict[str, str]:
    """Return the path's parameters as text. Raises: InputError for a NUL character in one."""
    checked = {name: str(value) for name, value in params.items()}
    # Postgres refuses NUL in any text, also where a handler unquotes the value once more.
    if any("\x00" in unquote(value) for value in checked.values()):
        raise InputError(
            "the path contains a NUL character",
            hint="Remove %00 from the path.",
            code="INVALID_FORMAT",
        )
    return checked


def get_media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _check_length(request: Request, max_bytes: int) -> None:
    coding = request.headers.get("content-encoding", "").strip().lower()
    # Not unpacked: a megabyte can become a gigabyte before any limit sees it.
    if coding not in ("", "identity"):
        message = f"a body with content-encoding {coding[:40]} is not supported"
        raise UnsupportedMedia(message, hint="Send it uncompressed.")
    # Checked before the body is read: a client that sent `Expect: 100-continue` then sends none
    # (RFC 9110, 10.1.1). A chunked body states no length: `_bound_stream` counts.
    stated = request.headers.get("content-length", "")
    if stated.isdecimal() and int(stated) > max_bytes:
        raise _make_too_large(max_bytes)


def _make_too_large(max_bytes: int) -> PayloadTooLarge:
    return PayloadTooLarge(f"the body is larger than {max_bytes:,} bytes", hint="Send less.")
