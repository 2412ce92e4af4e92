"""Rows of a sheet into the tracker: a row that is there already is filled up, never doubled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.store.database import Queryable, Row
from plainloop_documents.process import Owner
from plainloop_documents.web.urls import make_url_key

from .. import store
from .salaries import FIELDS as PAY
from .status import STATUS

_DAY: Final = timedelta(days=1)
_OWN: Final = ("source", "created_at", "updated_at", "url")


@dataclass(slots=True)
class Merged:
    """Lists what became of a file's jobs: rows created, updated and unchanged."""

    created: list[Row] = field(default_factory=list[Row])
    updated: list[Row] = field(default_factory=list[Row])
    known: list[Row] = field(default_factory=list[Row])


async def merge_jobs(db: Queryable, owner: Owner, jobs: Sequence[Mapping[str, Any]]) -> Merged:
    """Store a file's new jobs, and update known jobs from more complete or newer rows.

    The same job is the one with its URL, else with its company and title, and with a place and a
    day of applying that do not differ. Two such rows of a file are two jobs, so the same file sent
    twice changes nothing.
    """
    keys = _Keys(await db.fetch(store.JOBS["list_job_keys"], *owner))
    merged = Merged()
    for fields in jobs:
        job_id, is_seen = keys.take(fields)
        row = await store.load_job(db, owner, job_id) if job_id else None
        if row is None:
            row, _ = await store.save_job(db, owner, fields)
            keys.add(row)
            merged.created.append(row)
            continue
        changes = {} if is_seen else build_changes(row, fields)
        if changes:
            row = await store.update_job(db, owner, row["job_id"], changes) or row
        (merged.updated if changes else merged.known).append(row)
    return merged


def build_changes(known: Row, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that a sheet's row changes in a known job, with their new values.

    These are empty ones and a further status; all that differ if the row says that it is newer than
    the job.
    """
    stated = fields.get("updated_at")
    is_newer = stated is not None and _to_time(stated) >= known["updated_at"]
    if stated is not None and not is_newer:
        return {}
    changes: dict[str, Any] = {}
    for name, value in fields.items():
        before: Any = known[name]
        is_same = value == (before.isoformat() if isinstance(before, datetime) else before)
        is_open = before is None or is_newer
        if name == "status" and not is_open:  # only forward, or to its end
            is_end = value in STATUS.ends and before in STATUS.order[:-1]
            is_open = is_end or before in STATUS.list_passed(value)
        if name not in _OWN and not is_same and is_open:
            changes[name] = value
    if known["url"] is None and fields.get("url"):
        changes["url"] = fields["url"]
    return _unify_pay(changes, known, fields, is_newer=is_newer)


def _unify_pay(
    changes: dict[str, Any], known: Row, fields: Mapping[str, Any], *, is_newer: bool
) -> dict[str, Any]:
    """Return the changes without a mixture of two pays.

    A newer row replaces the whole pay where its currency or period differs, and both ends where
    they would form no range. `check_fields` would refuse every later change of a job with a range
    of 60000 to 50000.
    """
    ends, units = PAY[:2], PAY[2:]
    pay: Row = {name: changes.get(name, known[name]) for name in PAY}
    is_mixed = None not in (pay[ends[0]], pay[ends[1]]) and pay[ends[0]] > pay[ends[1]]
    if is_newer:
        differs = any(pay[name] != known[name] is not None for name in units)
        is_other = differs and any(known[name] is not None for name in ends)
        if is_other and all(fields.get(name) is None for name in ends):
            return {name: value for name, value in changes.items() if name not in PAY}
        replaced = PAY if is_other else ends if is_mixed else ()
        return changes | {name: fields.get(name) for name in replaced}
    is_mixed |= any(fields.get(name) not in (None, pay[name]) for name in PAY)
    return {name: value for name, value in changes.items() if not is_mixed or name not in PAY}


class _Keys:
    """Matches rows of a file with the user's jobs, each job once."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._by_url: dict[str, int] = {}
        self._by_name: dict[tuple[str, str], list[Row]] = defaultdict(list)
        self._taken: set[int] = set()
        for row in rows:
            self._by_name[_fold(row["company"]), _fold(row["title"])].append(row)
            if row["url_key"]:
                self._by_url[row["url_key"]] = row["job_id"]

    def add(self, row: Row) -> None:
        """Add a stored job, so that later rows of the file can match it."""
        self._taken.add(row["job_id"])
        if row["url_key"]:
            self._by_url[row["url_key"]] = row["job_id"]

    def take(self, fields: Mapping[str, Any]) -> tuple[int | None, bool]:
        """Match a row with a job; return (job id or None if new, whether it was matched before)."""
        key = make_url_key(fields["url"]) if fields.get("url") else None
        if key in self._by_url:
            job_id = self._by_url[key]
            is_seen = job_id in self._taken
            self._taken.add(job_id)
            return job_id, is_seen
        place, applied = _fold(fields.get("location")), fields.get("applied_at")
        for row in self._by_name[_fold(fields["company"]), _fold(fields["title"])]:
            is_other = row["job_id"] in self._taken or (key and row["url_key"])
            is_there = place in ("", _fold(row["location"])) or not row["location"]
            known = row["applied_at"]
            is_near = None in (known, applied) or abs(_to_time(applied) - known) < _DAY
            if not is_other and is_there and is_near:
                self._taken.add(row["job_id"])
                if key:  # its URL from now on: a second row with it must not go to another job
                    self._by_url[key] = row["job_id"]
                return row["job_id"], False
        return None, False


def _to_time(text: Any) -> datetime:
    return datetime.fromisoformat(text)


def _fold(text: str | None) -> str:
    return (text or "").casefold()
