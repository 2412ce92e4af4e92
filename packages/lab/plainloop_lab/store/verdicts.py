"""Verdicts of gates as rows, of which webhooks are told."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from plainloop.agent.base.ids import make_id
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.sql_blocks import load_sql

SQL: Final = load_sql(Path(__file__).parent / "sql" / "verdicts.sql")


async def record_gate_verdict(
    tx: Queryable,
    user_id: str,
    rules: msgspec.Struct,
    result: Mapping[str, Any],
    replays: Mapping[str, str | None],
) -> str:
    """Record the result of a gate's `judge_all` as a row, and return its id.

    replays: by candidate's name the replay that it is.

    What people typed (names of files, the rules' words) is not kept: webhooks carry the row away.
    """
    verdict_id = make_id()
    digest = hashlib.sha256(msgspec.json.encode(rules)).hexdigest()
    candidates = [
        {"replay_id": replays[item["name"]], "verdict": item["verdict"], "tasks": item["tasks"]}
        for item in result["candidates"]
    ]
    row = (verdict_id, user_id, result["verdict"], digest, candidates)
    await tx.execute(SQL["record_gate_verdict"], tx.tenant_id, *row)
    return verdict_id
