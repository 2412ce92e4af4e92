"""How far a job has come: the one definition, for tools, statistics, fast paths and rules."""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

from plainloop.agent.core.spec import FieldSpec

from ..files import load_data

Status = Literal["saved", "applied", "interviewing", "offer", "accepted", "rejected", "withdrawn"]
STATUSES: Final[tuple[str, ...]] = get_args(Status)
STATUS: Final = msgspec.convert(load_data(__file__, "status.toml"), FieldSpec)
