"""The statements of usage reports, built from the dimensions declared here.

The same calls are in the ledger and, its whole hours added up, in three narrower tables: by hour
without users (`usage_hours`), by day and user (`usage_days`), by hour and run (`usage_runs`). A
report reads the smallest that has its dimensions, and the ledger for what is not added up: the
newest hours, and the parts of an hour or day at its edges.

Parameters of all of them: $1 tenant (null: all), $2 since, $3 until, $4 and $5 the hours between
them that are read from the sums, from $6 on the filters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

Table = Literal["usage_hours", "usage_days", "usage_runs", "llm_calls"]

# By dimension: its expression over the ledger.
_LEDGER: Final = {
    "tenant": "tenant_id",
    "user": "user_id",
    "thread": "thread_id",
    "run": "run_id",
    "node": "node",
    "worker": "worker",
    "role": "role",
    "provider": "provider",
    "model": "coalesce(model_answered, model)",
    "status": "status",
    "origin": "case when replay_id is null then 'own' else 'replay' end",
    "day": "date_bin('1 day', created_at, '2000-01-01Z')",
    "hour": "date_bin('1 hour', created_at, '2000-01-01Z')",
}
DIMENSIONS: Final = tuple(_LEDGER)
# The same over the sums, where it differs.
_HOURS: Final = _LEDGER | {
    "model": "model",
    "origin": "origin",
    "day": "date_bin('1 day', hour, '2000-01-01Z')",
    "hour": "hour",
}
_SUMS: Final[dict[Table, dict[str, str]]] = {
    "usage_hours": _HOURS,
    "usage_days": _HOURS | {"day": "day"},
    "usage_runs": _HOURS,
}
# Which dimensions a table has; the smallest table first.
_HAVE: Final[dict[Table, frozenset[str]]] = {
    "usage_hours": frozenset(_LEDGER) - {"user", "thread", "run"},
    "usage_days": frozenset(_LEDGER) - {"hour", "thread", "run"},
    "usage_runs": frozenset({"tenant", "user", "thread", "run", "origin", "day", "hour"}),
}
_TIMES: Final = ("day", "hour")
_UUIDS: Final = ("thread", "run")

TOKENS: Final = (
    "input_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "output_tokens",
    "reasoning_tokens",
)
COSTS: Final = ("cost_usd", "unsuccessful_cost_usd", "retry_cost_usd")
# By column: what one row of the ledger adds to it.
_COUNTS: Final = {
    "calls": "1",
    "unsuccessful_calls": "(status <> 'succeeded')::int",
    "retries": "(attempt > 1)::int",
    "estimated_calls": "(usage_source = 'estimated')::int",
    "unreported_calls": "(usage_source = 'missing')::int",
    "unpriced_calls": "(cost_usd is null)::int",
}
_AMOUNTS: Final = {
    **{name: name for name in (*TOKENS, "cost_usd")},
    "unsuccessful_cost_usd": "case when status <> 'succeeded' then cost_usd end",
    "retry_cost_usd": "case when attempt > 1 then cost_usd end",
}
_ALL_TOKENS: Final = " + ".join(f"coalesce({name}, 0)" for name in TOKENS)
_FIRST_FILTER: Final = 6


def choose_table(names: Sequence[str]) -> Table:
    """The smallest table that has these dimensions.

    >>> [choose_table(names) for names in (["hour"], ["user"], ["run"], ["run", "model"])]
    ['usage_hours', 'usage_days', 'usage_runs', 'llm_calls']
    """
    for table, have in _HAVE.items():
        if have >= {*names}:
            return table
    return "llm_calls"


def build_summary(by: Sequence[str], filters: Sequence[str], *, by_cost: bool) -> str:
    """One row per group. The parameters after the filters are limit and offset."""
    sums = [f"sum({name})::bigint as {name}" for name in (*_COUNTS, *TOKENS)]
    sums += [f"sum({name}) as {name}" for name in COSTS]
    source = _build_source(by, filters)
    limit = _FIRST_FILTER + len(filters)
    return (
        f"select {', '.join([*map(_quote, by), *sums])} from ({source}) as seen"
        f"{_build_grouping(by)} order by {_build_order(by, by_cost)}"
        f" limit ${limit}::bigint offset ${limit + 1}::bigint"
    )


def build_spread(by: Sequence[str], filters: Sequence[str]) -> str:
    """Half and 95 % of a group's runs used at most this much. Calls outside runs are not in it."""
    keys = [*by, *(() if "run" in by else ("run",))]
    per_run = (
        f"select {', '.join(map(_quote, keys))}, sum({_ALL_TOKENS})::double precision as tokens,"
        f" sum(cost_usd)::double precision as cost"
        f" from ({_build_source(keys, filters)}) as seen{_build_grouping(keys)}"
    )
    shares = "array[0.5, 0.95]::double precision[]"
    return (
        f"select {''.join(f'{_quote(name)}, ' for name in by)}count(*)::bigint as runs,"
        f" percentile_cont({shares}) within group (order by tokens) as tokens,"
        f" percentile_cont({shares}) within group (order by cost) as costs"
        f' from ({per_run}) as per_run where "run" is not null{_build_grouping(by)}'
    )


def _build_source(by: Sequence[str], filters: Sequence[str]) -> str:
    """The calls as rows with the dimensions of `by` and all measures."""
    table = choose_table([*by, *filters])
    measures = _COUNTS | _AMOUNTS
    own = [f"{expression} as {name}" for name, expression in measures.items()]
    if table == "llm_calls":
        times = "created_at >= $2 and created_at < $3 and $4::timestamptz <= $5::timestamptz"
        return _build_part(table, _LEDGER, own, times, by, filters)
    times = "(created_at >= $2 and created_at < $4 or created_at >= $5 and created_at < $3)"
    ledger = _build_part("llm_calls", _LEDGER, own, times, by, filters)
    time = "day" if table == "usage_days" else "hour"
    times = f"{time} >= $4 and {time} < $5"
    summed = _build_part(table, _SUMS[table], [*measures], times, by, filters)
    return f"{summed} union all {ledger}"


def _build_part(
    table: Table,
    expressions: dict[str, str],
    measures: Sequence[str],
    times: str,
    by: Sequence[str],
    filters: Sequence[str],
) -> str:
    columns = [f"{expressions[name]} as {_quote(name)}" for name in by]
    conditions = ["($1::text is null or tenant_id = $1)", times]
    for n, name in enumerate(filters, _FIRST_FILTER):
        kind = "uuid" if name in _UUIDS else "text"
        conditions.append(f"{expressions[name]} = ${n}::{kind}")
    return (
        f"select {', '.join([*columns, *measures])} from {table} where {' and '.join(conditions)}"
    )


def _build_grouping(by: Sequence[str]) -> str:
    return f" group by {', '.join(map(_quote, by))}" if by else ""


def _build_order(by: Sequence[str], by_cost: bool) -> str:
    """Times in order, then the largest; names last, so that pages do not overlap."""
    times = [_quote(name) for name in by if name in _TIMES]
    size = "sum(cost_usd) desc nulls last" if by_cost else f"sum({_ALL_TOKENS}) desc"
    return ", ".join([*times, size, *map(_quote, by)])


def _quote(name: str) -> str:
    return f'"{name}"'
