"""OpenAI's Batch, after its documents: `…/batches` over files of `…/files`.

    POST …            {"input_file_id", "endpoint", "completion_window": "24h", "metadata"}
    GET  …[?limit, after]     GET …/{id}     POST …/{id}/cancel

The file is validated after the answer to its creation: a batch with a bad line fails as a whole.
Answers stand in the output file, what failed, expired or was cancelled in the error file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import orjson

from plainloop.agent.base.text.foreign_json import as_object

from .. import openai_chat, openai_responses
from ..answer import make_id
from ..answering import Wire
from ..api import WireError
from ..call import Dialect
from ..files import store_file, to_jsonl
from ..responding import Exchange
from ..strict import Shape, check_shape, load_object
from .endpoint import make_routes, take_page
from .store import Batch, Line, StoredFile
from .working import DAY_S, cancel_batch, go_on, start_batch

MOST_REQUESTS: Final = 50_000
MAX_BYTES: Final = 200_000_000
_DIALECT: Final = replace(openai_chat.DIALECT, name="openai_batches")
_ENDPOINTS: Final[dict[str, Dialect]] = {
    "/v1/chat/completions": openai_chat.DIALECT,
    "/v1/responses": openai_responses.DIALECT,
}
_REQUIRED: Final[Shape] = {
    "input_file_id": "string",
    "endpoint": "string",
    "completion_window": "string",
}
_OPTIONAL: Final[Shape] = {"metadata": "object", "output_expires_after": "object"}
_MESSAGES: Final = {
    "batch_expired": "This request could not be executed before the completion window expired.",
    "batch_cancelled": "This request was not executed: the batch was cancelled.",
}


async def create(on: Exchange) -> dict[str, Any]:
    body = _DIALECT.load_body(on.asked)
    check_shape(body, (), _REQUIRED, _OPTIONAL)
    if body["completion_window"] != "24h":
        raise WireError(400, "Invalid value: completion_window.", param="completion_window")
    if body["endpoint"] not in _ENDPOINTS:
        raise WireError(400, f"Invalid value: '{body['endpoint']}'.", param="endpoint")
    metadata = as_object(body.get("metadata"))
    fits = all(isinstance(v, str) and len(k) <= 64 and len(v) <= 512 for k, v in metadata.items())
    if len(metadata) > 16 or not fits:
        raise WireError(400, "Invalid 'metadata'.", param="metadata")
    file = on.wire.files.get(body["input_file_id"])
    if file is None or file.purpose != "batch":
        raise WireError(400, "Invalid file id.", param="input_file_id")
    batch = start_batch(
        on.wire,
        make_id("batch_", f"{len(on.wire.batches)}:{file.id}", 32),
        _ENDPOINTS[body["endpoint"]],
        body["endpoint"],
        dict(on.asked.headers),
        [],
        metadata=body.get("metadata"),
        file=file,
        errors=None,
        is_validated=False,
    )
    return to_batch(batch)


async def list_all(on: Exchange) -> dict[str, Any]:
    """Answer a page of OpenAI's batches, newest first."""
    found = [batch for batch in on.wire.batches.values() if "file" in batch.details]
    page, ends = take_page(on.asked, found, on.asked.query.get("after"), 100)
    for batch in page:
        _proceed(on.wire, batch)
    return {"object": "list", "data": list(map(to_batch, page)), **ends}


async def read_one(on: Exchange) -> dict[str, Any]:
    return to_batch(_load(on))


async def cancel(on: Exchange) -> dict[str, Any]:
    batch = _load(on)
    if batch.ended_s is not None:
        raise WireError(409, f"Cannot cancel a batch with status '{to_status(batch)}'.")
    cancel_batch(on.wire, batch)
    told = to_batch(batch)
    _write_files(on.wire, batch)
    return {**told, "status": "cancelling", "cancelled_at": None}


def to_status(batch: Batch) -> str:
    if not batch.details["is_validated"]:
        return "validating"
    if batch.details["errors"]:
        return "failed"
    if batch.ended_s is None:
        return "in_progress"
    if batch.cancelled_s is not None:
        return "cancelled"
    return "expired" if batch.count("expired") else "completed"


def to_batch(batch: Batch) -> dict[str, Any]:
    status, file = to_status(batch), batch.details["file"]
    ended = None if batch.ended_s is None else int(batch.ended_s)
    errors: list[dict[str, Any]] | None = batch.details["errors"]
    created = int(batch.created_s)
    return {
        "id": batch.id,
        "object": "batch",
        "endpoint": batch.path,
        "errors": None if errors is None else {"object": "list", "data": errors},
        "input_file_id": file.id,
        "completion_window": "24h",
        "status": status,
        "output_file_id": batch.details.get("output_file_id"),
        "error_file_id": batch.details.get("error_file_id"),
        "created_at": created,
        "in_progress_at": None if status in ("validating", "failed") else created,
        "expires_at": created + DAY_S,
        "finalizing_at": ended,
        "completed_at": ended if status == "completed" else None,
        "failed_at": ended if status == "failed" else None,
        "expired_at": ended if status == "expired" else None,
        "cancelling_at": None if batch.cancelled_s is None else int(batch.cancelled_s),
        "cancelled_at": ended if status == "cancelled" else None,
        "request_counts": {
            "total": len(batch.lines),
            "completed": batch.count("succeeded"),
            "failed": batch.count("errored", "expired"),
        },
        "metadata": batch.details["metadata"],
    }


def read_lines(file: StoredFile, endpoint: str) -> tuple[list[Line], list[dict[str, Any]]]:
    """Parse the input file of a batch.

    Returns (its requests, the errors of its invalid lines).
    """
    lines: list[Line] = []
    errors: list[dict[str, Any]] = []
    seen: set[str] = set()
    models: set[str] = set()
    raw = file.content.split(b"\n")
    for number, text in enumerate(raw[:-1] if raw[-1] == b"" else raw, 1):
        line = load_object(text)
        problem = _find_problem(line, endpoint, seen, models)
        if problem is not None:
            code, message, param = problem
            errors.append({"code": code, "line": number, "message": message, "param": param})
        elif line is not None:
            lines.append(Line(line["custom_id"], orjson.dumps(line["body"])))
    if not lines and not errors:
        errors.append(_make_error("empty_file", "The input file is empty."))
    if len(lines) > MOST_REQUESTS or len(file.content) > MAX_BYTES:
        errors.append(_make_error("too_many_tasks", "The file holds too many requests."))
    return lines, errors


def _find_problem(
    line: dict[str, Any] | None, endpoint: str, seen: set[str], models: set[str]
) -> tuple[str, str, str | None] | None:
    """(code, message, param) of a bad line."""
    if line is None:
        return "invalid_json_line", "This line is not parseable as valid JSON.", None
    unknown = sorted(set(line) - {"custom_id", "method", "url", "body"})
    if unknown:
        return "invalid_request", f"Unknown field '{unknown[0]}'.", unknown[0]
    custom_id = line.get("custom_id")
    if not isinstance(custom_id, str) or not custom_id:
        return "missing_required_parameter", "Missing required parameter: custom_id.", "custom_id"
    if custom_id in seen:
        message = "The custom_id for this request is a duplicate of another request."
        return "duplicate_custom_id", message, "custom_id"
    seen.add(custom_id)
    if line.get("method") != "POST":
        return "invalid_method", "The method must be POST.", "method"
    if line.get("url") != endpoint:
        return "invalid_url", "The URL does not match the batch's endpoint.", "url"
    body = line.get("body")
    if not isinstance(body, dict):
        return "missing_required_parameter", "Missing required parameter: body.", "body"
    models.add(str(as_object(body).get("model")))
    if len(models) > 1:
        message = "The requests of a batch must all name the same model."
        return "mismatched_model", message, "body.model"
    return None


def _make_error(code: str, message: str) -> dict[str, Any]:
    return {"code": code, "line": None, "message": message, "param": None}


def _proceed(wire: Wire, batch: Batch) -> None:
    """As far as it is now."""
    details = batch.details
    if not details["is_validated"]:
        details["is_validated"] = True
        batch.lines, errors = read_lines(details["file"], batch.path)
        if errors:
            batch.lines, details["errors"], batch.ended_s = [], errors, batch.created_s
    go_on(wire, batch)
    _write_files(wire, batch)


def _write_files(wire: Wire, batch: Batch) -> None:
    if batch.ended_s is None or batch.details.get("is_written") or not batch.lines:
        return
    batch.details["is_written"] = True
    sorted_out = {
        "output": [line for line in batch.lines if line.result == "succeeded"],
        "error": [line for line in batch.lines if line.result != "succeeded"],
    }
    for name, lines in sorted_out.items():
        if lines:
            content = to_jsonl([_to_line(batch, line) for line in reversed(lines)])
            file = store_file(wire, f"{batch.id}_{name}.jsonl", "batch_output", content)
            batch.details[f"{name}_file_id"] = file.id


def _to_line(batch: Batch, line: Line) -> dict[str, Any]:
    seed = f"{batch.id}:{line.custom_id}"
    told: dict[str, Any] = {
        "id": make_id("batch_req_", seed, 32),
        "custom_id": line.custom_id,
        "response": None,
        "error": None,
    }
    if line.result in ("expired", "canceled"):
        code = "batch_expired" if line.result == "expired" else "batch_cancelled"
        return {**told, "error": {"code": code, "message": _MESSAGES[code]}}
    request_id = make_id("req_", seed, 32)
    response = {"status_code": line.status, "request_id": request_id, "body": line.answer}
    return {**told, "response": response}


def _load(on: Exchange) -> Batch:
    batch = on.wire.batches.get(on.request.path_params["batch_id"])
    if batch is None or "file" not in batch.details:
        raise WireError(404, f"No batch found with id '{on.request.path_params['batch_id']}'.")
    _proceed(on.wire, batch)
    return batch


ROUTES: Final = make_routes(
    "/{base:path}batches",
    _DIALECT,
    ("", "POST", create),
    ("", "GET", list_all),
    ("/{batch_id}", "GET", read_one),
    ("/{batch_id}/cancel", "POST", cancel),
)
