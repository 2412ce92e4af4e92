"""Checks packs before they are served, so that mistakes do not fail in a user's run."""

from __future__ import annotations

import difflib
import inspect
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ..config.pack_parts import is_ours
from ..core.spec import EntitySpec, Pack, WorkerSpec
from ..core.state import END, START_NODE
from ..core.tools import Tool, ToolContext
from ..errors import ConfigError
from ..store.database import Database
from ..store.migrations import TableInfo, list_tables
from .helping import list_helper_tools

# The nodes of the orchestrator, and the roles that `[agents.<name>]` means.
RESERVED_NAMES: Final = frozenset(
    {
        *(START_NODE, "agent_router", "fast_lookup", "fast_count", "fast_list", "format_result"),
        *("classifier", "triage", "router", "worker", "evaluator", "parser", "embedding", END),
    }
)
_OWNERS: Final = ("tenant_id", "user_id")  # part of every query of an entity
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*\Z")  # as `[agents.<name>]` takes it


def list_problems(pack: Pack) -> list[str]:
    """List the pack's problems, one phrase each, or nothing if the pack can be served."""
    tools = [tool.name for tool in pack.tools]
    workers = [worker.name for worker in pack.workers]
    declared = [*pack.workers, *([pack.onboarding] if pack.onboarding else [])]
    # Collect all faults, so that the author can fix them at once
    # (test_faults_of_a_pack_are_listed_together).
    problems = [f"two tools are named {name!r}" for name in _list_repeated(tools)]
    if pack.migrations is not None and not pack.migrations.is_dir():
        problems.append(f"the migrations folder {pack.migrations} does not exist")
    problems += [f"two workers are named {name!r}" for name in _list_repeated(workers)]
    if workers and pack.default_worker not in workers:
        problems.append(f"the default worker {pack.default_worker!r} is not a worker of the pack")
    problems += [text for tool in pack.tools for text in _list_tool_problems(tool)]
    # Each once: the interviewer may be one of the workers.
    for worker in {worker.name: worker for worker in declared}.values():
        problems += _list_worker_problems(worker, tools)
        problems += [
            f"the worker {worker.name!r} names the helper {name!r}, which is not in the pack"
            for name in worker.helpers
            if name not in workers
        ]
    problems += [
        f"the tool name {name!r} is reserved for calling a helper: rename the pack's own tool"
        for name in list_helper_tools(pack)
        if name in tools
    ]
    return problems + [text for entity in pack.entities for text in _list_entity_problems(entity)]


async def check_tables(database: Database, packs: Sequence[Pack]) -> None:
    """Check that the packs' tables fit their entities and hide other tenants' rows.

    Raises: ConfigError for one that shows a tenant's rows to others, and for an entity whose table
    or column is not there: all of it in one line.
    """
    names = {table for pack in packs for entity in pack.entities for table in _list_wanted(entity)}
    folders = [pack.migrations for pack in packs if pack.migrations is not None]
    tables = {table.name: table for table in await list_tables(database, names, folders)}
    # At the start, not at the first query: a fast path answers from these tables, and no model
    # would notice the fault (test_mismatched_pack_tables_are_refused_at_the_start).
    problems = [text for table in tables.values() for text in _list_table_problems(table)]
    for entity in (entity for pack in packs for entity in pack.entities):
        for table, columns in _list_wanted(entity).items():
            there = tables[table].columns
            if not tables[table].is_there:
                problems.append(
                    f"the entity {entity.name!r} is read from the table {table}, "
                    "which does not exist"
                )
                continue
            problems += [
                f"the entity {entity.name!r} reads the column {column!r}, "
                f"which the table {table} does not have{_suggest(column, there)}"
                for column in dict.fromkeys(columns)
                if column not in there
            ]
        problems += _list_title_problems(entity, tables[entity.table])
    if problems:
        message = f"the packs' tables do not match their entities: {'; '.join(problems)}"
        raise ConfigError(message, hint='See docs/packs.md, "The table".', code="PACK_TABLES")


def _list_wanted(entity: EntitySpec) -> dict[str, list[str]]:
    """Return by table the columns that the entity's queries read."""
    wanted = {
        entity.table: [*_OWNERS, entity.id_column, *(field.column for field in entity.fields)]
    }
    for history in (field.history for field in entity.fields if field.history):
        wanted[history.table] = ["tenant_id", history.value_column, history.date_column]
    return wanted


def _list_table_problems(table: TableInfo) -> list[str]:
    """List what is wrong with a table: without tenant_id, all users could see its rows."""
    if not table.is_there or table.is_protected:
        return []
    if "tenant_id" in table.columns:
        todo = f"add `select plainloop_protect('{table.name}');` to its migration"
        return [f"rows in the table {table.name} are not separated by tenant: {todo}"]
    return [
        f"the table {table.name} has no column tenant_id: make it the first of its primary key, "
        f"and add `select plainloop_protect('{table.name}');`"
    ]


def _list_title_problems(entity: EntitySpec, table: TableInfo) -> list[str]:
    """List problems of an entity's title with a row that has every column."""
    if not table.is_there:
        return []
    try:
        entity.title(dict.fromkeys(table.columns, ""))
    except KeyError as error:
        key = str(error.args[0])
        suggestion = _suggest(key, table.columns)
        return [
            f"the title of the entity {entity.name!r} uses {key!r}, "
            f"which is not a column of its rows{suggestion}"
        ]
    except Exception:  # noqa: BLE001 - the values of real rows are others
        pass
    return []


def _suggest(column: str, columns: Sequence[str]) -> str:
    near = difflib.get_close_matches(column, columns, 1)
    return f" (did you mean {near[0]!r}?)" if near else f" (it has {', '.join(columns)})"


def _list_tool_problems(tool: Tool) -> list[str]:
    """List problems of a tool, apart from types, which are resolved at first use."""
    if tool.parameters is not None:  # its schema came from elsewhere
        return []
    if not inspect.iscoroutinefunction(tool.function):
        return [f"the tool {tool.name!r} is not an async function"]
    problems = (
        []
        if tool.description
        else [f"the tool {tool.name!r} has no docstring, which describes it to the model"]
    )
    parameters = list(inspect.signature(tool.function).parameters.values())
    context_parameters = parameters[1:]
    annotation: Any = parameters[0].annotation if parameters else None
    annotated = annotation.rpartition(".")[2] if isinstance(annotation, str) else annotation
    # Without an annotation it can be what a tool gets first.
    if annotated not in (inspect.Parameter.empty, Any, ToolContext, "Any", "ToolContext"):
        problems.append(f"the tool {tool.name!r} lacks its first parameter `tool: ToolContext`")
    try:
        if tool.ask is not None:
            inspect.signature(tool.ask).bind(
                None, **dict.fromkeys(item.name for item in context_parameters)
            )
    except TypeError:
        problems.append(
            f"the `ask` function of the tool {tool.name!r} does not accept the tool's arguments"
        )
    problems += [
        f"the parameter {item.name!r} of the tool {tool.name!r} has no type"
        for item in context_parameters
        if item.annotation is item.empty
    ]
    # Ours are tested, and build their schemas when they are first sent: that costs time.
    if problems or is_ours(tool.function.__module__):
        return problems
    try:
        tool.schema  # noqa: B018 - built here
    except Exception as error:  # noqa: BLE001 - other people's code: types that are not there, say
        reason = " ".join(str(error).split())
        return [f"the tool {tool.name!r} has a type that is not supported: {reason}"]
    return []


def _list_worker_problems(worker: WorkerSpec, tools: list[str]) -> list[str]:
    """List what is wrong with a worker's name, tools, `after` nodes and interview."""
    problems: list[str] = []
    if worker.name in RESERVED_NAMES:
        problems.append(
            f"the worker name {worker.name!r} is a node of the engine: rename the worker"
        )
    elif not _NAME.match(worker.name):
        problems.append(f"the worker name {worker.name!r} is not valid: use a-z, 0-9 and _")
    problems += [
        f"the worker {worker.name!r} names the tool {name!r}, which the pack does not have"
        for name in worker.tools
        if name not in tools
    ]
    problems += [
        f"the worker {worker.name!r} lists the rare tool {name!r}, which is not in its `tools`"
        for name in worker.rare
        if name not in worker.tools
    ]
    problems += [
        (
            f"the worker {worker.name!r} has an invalid node name in `after`: {name!r}; "
            "use a-z, 0-9 and _, but not `tools` or `evaluator`"
        )
        for name in worker.after
        if name in ("tools", "evaluator") or not _NAME.match(name)
    ]
    last = worker.interview.final_tool if worker.interview else None
    if last is not None and last not in worker.tools:
        problems.append(
            f"the interview {worker.name!r} ends with the tool {last!r}, which the "
            "worker does not have"
        )
    return problems


def _list_entity_problems(entity: EntitySpec) -> list[str]:
    """List what is wrong with an entity's fields and order."""
    fields = [field.name for field in entity.fields]
    problems = [
        f"the field {field.name!r} of the entity {entity.name!r} is an enum without values"
        for field in entity.fields
        if field.kind == "enum" and not field.values
    ]
    problems += [
        f"the entity {entity.name!r} has two fields named {name!r}"
        for name in _list_repeated(fields)
    ]
    if entity.default_order not in fields:
        order = entity.default_order
        problems.append(
            f"the entity {entity.name!r} is ordered by {order!r}, which is not one of its fields"
        )
    return problems


def _list_repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]
