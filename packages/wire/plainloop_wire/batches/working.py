"""Batches of requests, as both providers work them off: a line after the other, as time passes.

Nothing runs in the background: whoever asks for a batch finds what would have been done by then.
Written after the providers' documents; no recorded exchange was at hand.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from ..answering import Wire, build_answer
from ..api import WireError
from ..call import Dialect, WireRequest
from .store import Batch, Line

DAY_S: Final = 86_400
LINE: Final = "batch_line"  # what faults name to hit a request of a batch


def start_batch(
    wire: Wire,
    batch_id: str,
    dialect: Dialect,
    path: str,
    headers: Mapping[str, str],
    lines: list[Line],
    **details: Any,
) -> Batch:
    batch = Batch(
        batch_id, dialect, path, headers, lines, time.time(), wire.faults.batch_s, details=details
    )
    wire.batches[batch_id] = batch
    return batch


def go_on(wire: Wire, batch: Batch) -> None:
    """Answer the lines of a batch that are due by now."""
    if batch.ended_s is not None:
        return
    now = time.time()
    share = 1.0 if batch.takes_s <= 0 else (now - batch.created_s) / batch.takes_s
    due = len(batch.lines) if share >= 1 else int(len(batch.lines) * share)
    for line in batch.lines[batch.done : due]:
        answer_line(wire, batch, line)
    if batch.done == len(batch.lines):
        batch.ended_s = now


def cancel_batch(wire: Wire, batch: Batch) -> None:
    """Cancel a batch, whose open lines get the result `canceled`."""
    go_on(wire, batch)
    if batch.ended_s is not None:
        return
    batch.cancelled_s = batch.ended_s = time.time()
    for line in batch.lines:
        if line.result is None:
            line.result = "canceled"


def answer_line(wire: Wire, batch: Batch, line: Line) -> None:
    """Answer one line of a batch, and record it in the journal.

    It is answered as if it were a single request.
    """
    dialect = batch.dialect
    entry = wire.journal.record_request(
        dialect.name, "POST", batch.path, {}, batch.headers, line.body
    )
    entry["batch"] = {"id": batch.id, "custom_id": line.custom_id}
    fault = wire.faults.take(LINE)
    if fault is not None and fault.result is not None:
        line.result = fault.result
        entry["fault"] = {"result": fault.result}
    else:
        action = batch.path.rpartition("/")[2]
        asked = WireRequest(batch.headers, {}, line.body, action, wire.rules)
        try:
            if fault is not None:
                raise fault.to_error()
            call = dialect.parse_call(asked)
            if call.stream:
                raise WireError(400, "stream is not supported in a batch", param="stream")
            dialect.check_length(call, wire.rules)
            answer = build_answer(call, dialect, wire)
            line.usage = entry["usage"] = dialect.to_usage(answer.counts)
            line.result, line.status, line.answer = "succeeded", 200, dialect.to_body(answer)
        except Exception as e:  # noqa: BLE001 - the brain's bug fails its line, as it does alone
            error = e if isinstance(e, WireError) else WireError(500, f"brain: {e!r}")
            entry["error"] = error.message
            line.result, line.status = "errored", error.status
            line.answer = dialect.to_error(error)
    entry["status"] = line.status or None
    wire.journal.write_entry(entry)
