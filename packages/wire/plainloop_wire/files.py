"""OpenAI's Files, as far as batches need them: `POST …/files`, `GET …/files/{id}/content`."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, Final

import orjson
from starlette.datastructures import FormData, UploadFile

from . import openai_chat
from .answer import make_id
from .answering import Wire
from .api import WireError
from .batches.endpoint import make_routes
from .batches.store import StoredFile
from .responding import Exchange

MAX_BYTES: Final = 512_000_000
_DIALECT: Final = replace(openai_chat.DIALECT, name="openai_files")
_PURPOSES: Final = frozenset({"assistants", "batch", "fine-tune", "vision", "user_data", "evals"})
_FIELDS: Final = frozenset({"file", "purpose", "expires_after[anchor]", "expires_after[seconds]"})
_MONTH_S: Final = 2_592_000
_HOUR_S: Final = 3600


async def create(on: Exchange) -> dict[str, Any]:
    async with on.request.form() as form:
        unknown = sorted(set(form) - _FIELDS)
        if unknown:
            raise WireError(400, f"Unknown parameter: '{unknown[0]}'.", param=unknown[0])
        upload, purpose = form.get("file"), form.get("purpose")
        if not isinstance(upload, UploadFile):
            raise WireError(400, "Missing required parameter: 'file'.", param="file")
        if purpose not in _PURPOSES:
            raise WireError(400, f"Invalid value for purpose: {purpose!r}.", param="purpose")
        content, name = await upload.read(), upload.filename or "file"
        expires_s = _read_expiry(form)
    if len(content) > MAX_BYTES:
        raise WireError(413, "The file is too large.")
    if purpose == "batch" and not name.endswith(".jsonl"):
        raise WireError(400, "Invalid file format: batch files are .jsonl.", param="file")
    return to_file(store_file(on.wire, name, str(purpose), content, expires_s))


def store_file(
    wire: Wire, name: str, purpose: str, content: bytes, keep_s: int | None = None
) -> StoredFile:
    now = int(time.time())
    file_id = make_id("file-", f"{len(wire.files)}:{name}:{now}", 22)
    expires_s = None if keep_s is None else now + keep_s
    wire.files[file_id] = StoredFile(file_id, name, purpose, content, now, expires_s)
    return wire.files[file_id]


async def read_content(on: Exchange) -> bytes:
    file = on.wire.files.get(on.request.path_params["file_id"])
    if file is None:
        raise WireError(
            404, f"No such File object: {on.request.path_params['file_id']}", param="id"
        )
    return file.content


def to_file(file: StoredFile) -> dict[str, Any]:
    return {
        "id": file.id,
        "object": "file",
        "bytes": len(file.content),
        "created_at": file.created_s,
        "expires_at": file.expires_s,
        "filename": file.name,
        "purpose": file.purpose,
        "status": "processed",
        "status_details": None,
    }


def to_jsonl(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(orjson.dumps(line) + b"\n" for line in lines)


def _read_expiry(form: FormData) -> int | None:
    """Raises: WireError."""
    anchor, seconds = form.get("expires_after[anchor]"), form.get("expires_after[seconds]")
    if anchor is None and seconds is None:
        return _MONTH_S if form.get("purpose") == "batch" else None
    if anchor != "created_at" or not isinstance(seconds, str) or not seconds.isdecimal():
        raise WireError(400, "Invalid expires_after.", param="expires_after")
    if not _HOUR_S <= int(seconds) <= _MONTH_S:
        raise WireError(400, "expires_after.seconds: 3600 to 2592000.", param="expires_after")
    return int(seconds)


ROUTES: Final = make_routes(
    "/{base:path}files", _DIALECT, ("", "POST", create), ("/{file_id}/content", "GET", read_content)
)
