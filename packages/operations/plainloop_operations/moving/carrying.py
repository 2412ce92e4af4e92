"""A tenant leaves one database and comes into another, as a folder of files.

    export   hold it, let its work end, freeze it; all of its rows as of one moment
    import   all of them in one transaction, counted and compared; a second time it is done already
    erase    where it was: its rows; whoever still comes there is refused

A move is given up by `release` until the last of them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from plainloop.agent.errors import ConflictError, InputError
from plainloop.agent.store.database import Database
from plainloop.agent.store.store import Store
from plainloop.agent.usage.rollup import roll_hours, roll_up_usage

from .holding import hold_tenant, require_frozen
from .tables import SQL, Content, Table, list_tables, read_content

MANIFEST: Final = "manifest.json"
LONGEST_S: Final = 86_400.0  # for one statement


class Carried(msgspec.Struct):
    """One table of an export. Its rows are in `<name>.copy`, in COPY's text format."""

    table: Table
    content: Content


class Manifest(msgspec.Struct):
    """Describes an export folder. Written last: without it an export is incomplete."""

    tenant_id: str
    tables: list[Carried]
    rolled_until: datetime | None  # of the sums of the ledger

    @property
    def rows(self) -> int:
        return sum(carried.content.rows for carried in self.tables)

    def fit_to(self, tables: list[Table]) -> None:
        """Fit the manifest's empty tables to the tables of this database.

        Tables that are missing here are dropped, different ones adapted. Raises: InputError for one
        with rows that is another here.
        """
        here = {table.name: table for table in tables}
        for carried in self.tables:
            table = here.get(carried.table.name)
            if table is None or set(table.columns) != set(carried.table.columns):
                if carried.content.rows:
                    raise InputError(
                        f"the table {carried.table.name} differs between the two databases",
                        hint="Migrate both databases with the same version and the same packs.",
                    )
                carried.table = table or carried.table
        self.tables = [carried for carried in self.tables if carried.table.name in here]


async def export_tenant(store: Store, tenant_id: str, folder: Path, wait_s: float) -> Manifest:
    """Freeze the tenant, and export all its rows to the folder.

    Raises: ConflictError TENANT_BUSY when its work does not end within wait_s.
    """
    tables = await hold_tenant(store.database, tenant_id, wait_s)
    _begin_folder(folder)
    async with (
        store.database.connection() as connection,
        connection.transaction(isolation="repeatable_read"),
    ):
        await connection.execute(SQL["choose_tenant"], tenant_id)
        carried: list[Carried] = []
        for table in tables:
            query = f'select {table.column_list} from "{table.name}" where tenant_id = $1'
            path = folder / f"{table.name}.copy"
            await connection.copy_from_query(query, tenant_id, output=path, timeout=LONGEST_S)
            content = await read_content(connection, table, tenant_id, LONGEST_S)
            carried.append(Carried(table, content))
        rolled: datetime | None = await connection.fetchval(SQL["load_rolled_until"])
    manifest = Manifest(tenant_id, carried, rolled)
    partial = folder / f"{MANIFEST}.partial"
    partial.write_bytes(msgspec.json.encode(manifest))
    partial.replace(folder / MANIFEST)
    return manifest


def _begin_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)


def read_manifest(folder: Path) -> Manifest:
    """Read an export's manifest.

    Raises: InputError when the folder has no complete export.
    """
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(
            f"{folder} contains no complete export of a tenant",
            hint="Name a folder that `plainloop tenant export` wrote.",
        ) from error


async def import_tenant(store: Store, folder: Path) -> bool:
    """Import the tenant in a folder, all of it or nothing.

    Returns False if it was imported before. Raises: InputError for another schema; ConflictError
    TENANT_EXISTS when there are other rows of the tenant, LEDGER_BEHIND.
    """
    manifest = read_manifest(folder)
    await roll_up_usage(store)
    async with store.database.connection() as connection, connection.transaction():
        await connection.execute(SQL["take_turn"])
        await connection.execute(SQL["choose_tenant"], manifest.tenant_id)
        manifest.fit_to(await list_tables(connection))
        is_same, has_rows = True, False
        for carried in manifest.tables:
            here = await read_content(connection, carried.table, manifest.tenant_id, LONGEST_S)
            # Sums may have grown since it was brought in before.
            is_same &= here == carried.content or carried.table.is_derived
            has_rows |= here.rows > 0
        if has_rows and not is_same:
            raise ConflictError(
                f"this database already has other rows of the tenant {manifest.tenant_id}",
                hint="Import into a database without rows of this tenant. The rows were written "
                "after an earlier import, or belong to another tenant of the same name.",
                code="TENANT_EXISTS",
            )
        if has_rows:
            return False
        for carried in manifest.tables:
            await _fill(connection, carried.table, folder / f"{carried.table.name}.copy")
            here = await read_content(connection, carried.table, manifest.tenant_id, LONGEST_S)
            if here != carried.content:
                raise InputError(
                    f"the file {carried.table.name}.copy was changed after the export",
                    hint="Export the tenant again.",
                )
        await _roll_on(connection, manifest)
        await connection.execute(SQL["release"], manifest.tenant_id)  # it may have left from here
    return True


async def erase_tenant(database: Database, tenant_id: str) -> int:
    """Delete the rows of an exported tenant, and return their number.

    The tenant stays frozen. Raises: ConflictError TENANT_NOT_HELD.
    """
    count = 0
    async with database.connection() as connection, connection.transaction():
        await connection.execute(SQL["take_turn"])
        await connection.execute(SQL["choose_tenant"], tenant_id)
        await require_frozen(connection, tenant_id)
        for table in reversed(await list_tables(connection)):
            statement = f'delete from "{table.name}" where tenant_id = $1'
            tag: str = await connection.execute(statement, tenant_id, timeout=LONGEST_S)
            count += int(tag.rpartition(" ")[2])
    return count


async def _fill(connection: Any, table: Table, source: Path) -> None:
    """Copy a file's rows into a table through a temporary one: COPY refuses row-level security."""
    await connection.execute(
        "create temp table arriving on commit drop as"
        f' select {table.column_list} from "{table.name}" where false'
    )
    rest: dict[str, Any] = {"columns": table.columns, "timeout": LONGEST_S}
    await connection.copy_to_table("arriving", source=source, **rest)
    insert = f'insert into "{table.name}" ({table.column_list}) overriding system value'
    await connection.execute(f"{insert} select * from arriving", timeout=LONGEST_S)
    await connection.execute("drop table arriving")
    for column in table.numbered:  # the next number is none that came
        sequence = f"pg_get_serial_sequence('\"{table.name}\"', '{column}')"
        await connection.execute(
            f'select setval({sequence}, greatest(nextval({sequence}), max("{column}")))'
            f' from "{table.name}"'
        )


async def _roll_on(connection: Any, manifest: Manifest) -> None:
    """Bring the ledger's sums here to the same hour as those of the import."""
    came: datetime | None = manifest.rolled_until
    here: datetime | None = await connection.fetchval(SQL["load_rolled_until"])
    if came is None and here is None:
        return
    if here is None:
        await connection.execute(SQL["begin_rolled"], came)
    elif came is None or came < here:
        first = came or datetime(1970, 1, 1, tzinfo=UTC)
        await roll_hours(connection, first, here, manifest.tenant_id)
    elif came > here:
        raise ConflictError(
            f"the tenant's old database has usage sums up to {came:%Y-%m-%d %H:%M}, but this "
            f"database only up to {here:%Y-%m-%d %H:%M}",
            hint="A model call is still running, or the databases' clocks differ: try again later.",
            code="LEDGER_BEHIND",
        )
