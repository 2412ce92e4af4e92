"""A person's correction of the structured résumé: always a new version, never parsed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.database import Queryable, Row
from plainloop_documents.process import Owner

from .. import store
from .review import find_doubts, keep_open, set_value
from .shape import parse_resume_data


async def load_version(db: Queryable, owner: Owner, version: int | None = None) -> Row:
    """Load one version of the user's résumé, or the newest. Raises: NotFoundError."""
    row = await store.load_resume(db, owner, version)
    if row is None:
        what = "there is no résumé yet" if version is None else f"there is no version {version}"
        raise NotFoundError(
            what, hint="Add one with `plainloop import resume FILE` or POST /api/resume."
        )
    return row


async def change_resume(
    db: Queryable, owner: Owner, version: int | None, changes: Mapping[str, Any]
) -> int:
    """Set values of a résumé by path, as a new version; return its number.

    A path is like `work[0].name`; None removes a value. Other doubts stay open.

    Raises: NotFoundError; InputError as `set_value`.
    """
    row = await load_version(db, owner, version)
    data: dict[str, Any] = row["data"] or {}
    for path, value in changes.items():
        data = set_value(data, path, value)
    before = find_doubts(row["data"] or {}, row["raw_text"], is_corrected=row["is_corrected"])
    data = keep_open(data, row["raw_text"], before)
    return await replace_resume(db, owner, row["version"], data)


async def replace_resume(db: Queryable, owner: Owner, version: int | None, data: Any) -> int:
    """Store this data as a corrected version of the résumé; return the new version's number.

    version None: the newest.

    Raises: NotFoundError; InputError when it is no JSON Resume.
    """
    checked = parse_resume_data(data)
    row = await load_version(db, owner, version)
    made = await store.correct_resume(db, owner, row["version"], checked)
    assert made is not None
    return made
