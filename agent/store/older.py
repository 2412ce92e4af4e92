"""Upgrades databases of versions before 0.2, by migrations in one archive.

The numbered files of today begin with a baseline, which makes in an empty database what the files
of the archive made one after the other (tests/core/test_baseline.py compares the catalogs).
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ..errors import StoreError

ARCHIVE: Final = Path(__file__).parents[2] / "migrations" / "before_0_2.tar.gz"
DIGEST: Final = "deff7023bb18316b3bf4901ebf60be1416d3036b1a9271c2501841f684e49b17"
# A database of the last release has all files up to here; what it lacks comes with the baseline.
LAST_RELEASE: Final = "0112_core_short_condition.sql"
FIRST: Final = "0001_core_schema.sql"
FIRST_OF_BASELINE, LAST_OF_BASELINE = "0200_core_roles.sql", "0206_core_access.sql"
# Functions that only replicas of versions before call: they are in functions.sql no more.
RETIRED: Final = (
    *("plainloop_settle_calls", "plainloop_record_step", "plainloop_keep_statements"),
    *("plainloop_drop_statements", "plainloop_begin_run", "plainloop_begin_limited_run"),
    *("plainloop_open_step", "plainloop_record_steps", "plainloop_take_rate"),
)


@cache
def read_older() -> Mapping[str, str]:
    """Read the archived migrations of older versions; return their SQL by file name, in order.

    Raises: StoreError when the archive is not the one that this version was made with.
    """
    import tarfile  # an older database alone needs it

    packed = ARCHIVE.read_bytes()
    # Checked before anything is run: its files were applied elsewhere, by these very bytes.
    if hashlib.sha256(packed).hexdigest() != DIGEST:
        raise StoreError(
            f"the file migrations/{ARCHIVE.name} is damaged",
            hint="Install plainloop again.",
            code="MIGRATION_CHANGED",
        )
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        found = {member.name: files.extractfile(member) for member in files}
        return MappingProxyType(
            {name: file.read().decode() for name, file in found.items() if file}
        )


def list_missing(applied: Collection[str]) -> list[str]:
    """List the archived migrations that a database of an older version lacks.
    Also none once it has the baseline.
    """
    if FIRST_OF_BASELINE in applied:
        return []  # the archive is not read at each start
    missing = [name for name in read_older() if name not in applied]
    return missing if len(missing) < len(read_older()) else []


def check_release(missing: Collection[str]) -> None:
    """Refuse a database that lacks migrations up to the last release.

    Raises: StoreError with the commands that bring it up.
    """
    older = [name for name in missing if name <= LAST_RELEASE]
    if older:
        raise StoreError(
            f"the database is too old to be upgraded in one step: it lacks {len(older)} migrations "
            f"of versions before 0.2, the first is {older[0]}",
            hint="Back it up, then run `plainloop migrate --from-older` and `plainloop migrate`.",
            code="SCHEMA_OLDER",
        )


def build_retired() -> str:
    """Return the SQL that creates the functions which only replicas of older versions call."""
    text = "".join(read_older().values())
    made = re.compile(
        r"^create (?:or replace )?function (\w+)\(.*?(\$\w*\$).*?\2[^;\n]*;$", re.M | re.S
    )
    functions = "\n".join(found[0] for found in made.finditer(text) if found[1] in RETIRED)
    # Their bodies may name tables that packages make later.
    switch = "set local check_function_bodies = {};\n".format
    return f"{switch('off')}{functions}\n{switch('on')}"
