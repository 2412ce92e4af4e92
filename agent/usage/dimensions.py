"""The dimensions and measures of usage reports, and the SQL made from them.

Reports and their SQL, the sums of whole hours, filters and columns of CLI and HTTP, CSV, JSON and
FOCUS exports are made from these two tables. The same calls are in the ledger and, its whole hours
added up, in three narrower tables: by hour without users (`usage_hours`), by day and user
(`usage_days`), by hour and run (`usage_runs`). A report reads the smallest that has its dimensions,
and the ledger for what is not added up: the newest hours, and the parts at the edges.

Parameters of all statements: $1 tenant (null: all), $2 since, $3 until, $4 and $5 the hours between
them that are read from the sums, from $6 on the filters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal

from ..config.zones import UTC_ZONE, has_whole_hours
from ..dataclasses import dataclass
from ..types import NOT_BEGUN, TOKEN_BUCKETS
from .derived import CHAT, FEATURE, IN_CHAT, PRICE, PURPOSE, WITH_FAMILY
from .ledger_columns import COLUMNS, SUMMED, LedgerColumn, Table

# The smallest first, the ledger last; with its time.
TABLES: Final[dict[Table, str]] = {
    "usage_hours": "hour",
    "usage_days": "day",
    "usage_runs": "hour",
    "llm_calls": "created_at",
}
_ALL: Final = frozenset(TABLES)
_CALLS: Final = frozenset[Table]({"usage_hours", "usage_days", "llm_calls"})
_USERS: Final = frozenset[Table]({"usage_days", "usage_runs", "llm_calls"})
_RUNS: Final = frozenset[Table]({"usage_runs", "llm_calls"})
_HOURS: Final[tuple[Table, ...]] = ("usage_hours", "usage_runs", "llm_calls")
_YEARS: Final = (2024, 2031)  # in which a ledger has calls


@dataclass(frozen=True, slots=True)
class Dimension:
    """A property by which reports group and filter model calls, such as worker, model or day.
    column: its name in exports and in the sums. source: its SQL in the ledger, where that is no
    column of the same name; of a time, a span of `{at}`. values: all there are; (): any.
    condition: if set, the value is computed for each report, by `source` over `{table}`, and not
    stored; this is the SQL of its filter, over the parameter `{at}`.
    """

    column: str
    tables: frozenset[Table]
    source: str = ""
    kind: Literal["text", "uuid", "list", "time"] = "text"
    values: tuple[str, ...] = ()
    condition: str = ""

    @property
    def is_filter(self) -> bool:
        """Whether reports can filter by this dimension, as by all but times and tenant."""
        return self.kind != "time" and self.column != "tenant_id"

    def read_from(self, table: Table) -> str:
        """Return the SQL expression that reads this dimension from a table's row."""
        if self.kind == "time":
            return self.source.format(at=TABLES[table])
        if self.condition:
            return self.source.format(table=table)
        return self.source if table == "llm_calls" and self.source else self.column

    def group(self, table: Table) -> str:
        """Return the SQL expression that groups a table by this dimension.

        A row with a list counts for each entry of the list.
        """
        value = self.read_from(table)
        if self.kind == "list":
            # `unnest` of an empty list is no row at all: calls without a tag would be in no group
            # (test_usage_can_be_grouped_by_message_tags).
            return f"unnest(case when cardinality({value}) > 0 then {value} else '{{null}}' end)"
        return value

    def match(self, table: Table, parameter: int) -> str:
        """Return the SQL condition that this dimension equals a parameter."""
        value = self.read_from(table)
        if self.condition:
            return self.condition.format(at=f"${parameter}::{self.kind}")
        if self.kind == "list":
            return f"${parameter}::text = any ({value})"
        return f"{value} = ${parameter}::{self.kind}"


# What is no column of the ledger by itself, by the dimension that it follows; "": at the end.
_DERIVED: Final = {
    # The worker that a call served: of one that sorts, the one that its run went on to.
    "worker": {"feature": Dimension("feature", frozenset({"usage_hours", "llm_calls"}), FEATURE)},
    "provider": {
        "model": Dimension("model", _CALLS, "coalesce(model_answered, model)"),
        "requested": Dimension("requested_model", _CALLS, "model"),
    },
    "thread": {"chat": Dimension("chat_id", _RUNS, CHAT, "uuid", condition=IN_CHAT)},
    "": {
        "status": Dimension("status", _CALLS),
        "price": Dimension(
            "price",
            frozenset({"llm_calls"}),
            PRICE,
            values=("known", "unknown", "bounded", "running"),
            condition=f"{PRICE} = {{at}}",
        ),
        "purpose": Dimension(
            "purpose", frozenset({"llm_calls"}), PURPOSE, condition=f"{PURPOSE} = {{at}}"
        ),
        "origin": Dimension(
            "origin",
            _ALL,
            "case when replay_id is null then 'own' else 'replay' end",
            values=("own", "replay"),
        ),
        "tag": Dimension("tags", _RUNS, kind="list"),
        "day": Dimension("day", _ALL, "date_bin('1 day', {at}, '2000-01-01Z')", "time"),
        "hour": Dimension(
            "hour", frozenset(_HOURS), "date_bin('1 hour', {at}, '2000-01-01Z')", "time"
        ),
    },
}


def _list_dimensions(columns: Iterable[LedgerColumn]) -> dict[str, Dimension]:
    """List dimensions by name: those of ledger columns, each followed by derived ones."""
    dimensions: dict[str, Dimension] = {}
    for column in columns:
        if column.by:
            dimensions[column.by] = Dimension(column.name, column.tables, kind=column.kind)
            dimensions |= _DERIVED.get(column.by, {})
    return dimensions | _DERIVED[""]


DIMENSIONS: Final = _list_dimensions(COLUMNS)
FILTERS: Final = {name: item for name, item in DIMENSIONS.items() if item.is_filter}
# Their names in the HTTP API's queries: `user_id`, `model`.
PARAMETERS: Final = {
    name: item.column if item.column.endswith("_id") else name for name, item in FILTERS.items()
}

# What a call that never began used is known: nothing.
_UNREPORTED: Final = f"usage_source = 'missing' and price_version is distinct from '{NOT_BEGUN}'"
# A call that is open for a day will not be settled any more (`find_open_hour`).
_FAILED: Final = (
    "(status not in ('succeeded', 'started')"
    " or status = 'started' and created_at < now() - interval '1 day')::int"
)
# By measure: what one row of the ledger adds to it.
_COUNTS: Final = {
    "calls": "1",
    "unsuccessful_calls": _FAILED,
    "retries": "(attempt > 1)::int",
    "estimated_calls": "(usage_source = 'estimated')::int",
    "unreported_calls": f"({_UNREPORTED})::int",
    "unpriced_calls": "(cost_usd is null)::int",
    "bounded_calls": "(cost_usd is null and most_usd is not null)::int",
}
_AMOUNTS: Final = {
    "cost_usd": "cost_usd",
    "unsuccessful_cost_usd": "case when status <> 'succeeded' then cost_usd end",
    "retry_cost_usd": "case when attempt > 1 then cost_usd end",
    **{column.name: column.name for column in SUMMED if column.unit == "usd"},
    "at_most_usd": "case when cost_usd is null then most_usd end",
}
_NUMBERS: Final = [column.name for column in SUMMED if column.unit != "usd"]
MEASURES: Final = {**_COUNTS, **{name: name for name in (*TOKEN_BUCKETS, *_NUMBERS)}, **_AMOUNTS}
# Sums that are unknown, not 0, where no call states any.
UNKNOWN: Final = frozenset({*TOKEN_BUCKETS, *_NUMBERS, *_AMOUNTS})
COSTS: Final = tuple(_AMOUNTS)
_ALL_TOKENS: Final = " + ".join(f"coalesce({name}, 0)" for name in TOKEN_BUCKETS)
_FIRST_FILTER: Final = 6
_SHARES: Final = "array[0.5, 0.95]::double precision[]"
# Of calls that succeeded; in milliseconds.
LATENCIES: Final = ("duration_ms", "first_token_ms")
# The times of a range that is read from the ledger alone.
# The last condition always holds: it gives $4 and $5 a type, which Postgres must know of parameters
# that a statement does not use otherwise.
_IN_LEDGER: Final = "created_at >= $2 and created_at < $3 and $4::timestamptz <= $5::timestamptz"


def choose_table(names: Collection[str], zone: str = UTC_ZONE) -> Table:
    """Choose the smallest table from which a report with these dimensions can be computed.
    zone: where days and hours begin.

    >>> [choose_table(names) for names in (["hour"], ["user"], ["run"], ["run", "model"])]
    ['usage_hours', 'usage_days', 'usage_runs', 'llm_calls']
    >>> choose_table(["user", "day"], "Europe/Berlin"), choose_table(["day"], "Asia/Kolkata")
    ('usage_runs', 'llm_calls')
    """
    times = [name for name in names if DIMENSIONS[name].kind == "time"]
    tables: list[Table] = [*TABLES]
    if times and zone != UTC_ZONE:
        tables = [*_HOURS] if has_whole_hours(zone, range(*_YEARS)) else ["llm_calls"]
    return next(t for t in tables if all(t in DIMENSIONS[name].tables for name in names))


def build_summary(
    by: Sequence[str],
    filters: Sequence[str],
    *,
    by_cost: bool,
    is_page: bool = False,
    zone: str = UTC_ZONE,
) -> str:
    """Build the SQL of a usage report, with one row of sums for each group.
    The parameters after the filters are limit and offset.

    is_page: some of many. Of threads and runs the page is then found by its groups' size alone, and
    the other sums are made of its groups only.
    """
    sums = [
        f"sum({name}) as {name}" if name in COSTS else f"sum({name})::bigint as {name}"
        for name in MEASURES
    ]
    keys = [*map(_quote, by)]
    # Times in order, then the largest; names last, so that pages do not overlap.
    first = [_quote(name) for name in by if DIMENSIONS[name].kind == "time"]
    size = "{}(cost_usd) desc nulls last" if by_cost else f"{{}}({_ALL_TOKENS}) desc"
    order = f" order by {', '.join([*first, size, *keys])}"
    limit = _FIRST_FILTER + len(filters)
    page = f"{order.format('sum')} limit ${limit}::bigint offset ${limit + 1}::bigint"
    grouping = _build_grouping(by)
    many = [name for name in by if DIMENSIONS[name].kind == "uuid"]
    columns = ", ".join([*keys, *sums])
    if not (is_page and many):
        return f"select {columns} from ({_build_source(by, filters, zone)}) as seen{grouping}{page}"
    sizes = _build_source(by, filters, zone, ("cost_usd",) if by_cost else TOKEN_BUCKETS)
    # In an array they are looked up by index; those without a run are one group, shown or not.
    shown = " and ".join(
        f'({{{name}}} = any (array(select "{name}" from page))'
        f' or {{{name}}} is null and (select bool_or("{name}" is null) from page))'
        for name in many
    )
    # As text, which is hashed, and in which null is equal to null.
    both = (f"row({', '.join(f'{of}.{key}' for key in keys)})::text" for of in ("summed", "page"))
    return (
        f"with page as (select {', '.join(keys)} from ({sizes}) as sizes{grouping}{page})"
        f" select summed.* from (select {columns}"
        f" from ({_build_source(by, filters, zone, shown=shown)}) as seen{grouping}) as summed"
        f" join page on {' = '.join(both)}{order.format('')}"
    )


def build_spread(by: Sequence[str], filters: Sequence[str], zone: str = UTC_ZONE) -> str:
    """Build the SQL for the median and 95th percentile of usage per run, by group.
    Calls outside runs do not count.
    """
    keys = [*by, *(() if "run" in by else ("run",))]
    per_run = (
        f"select {', '.join(map(_quote, keys))}, sum({_ALL_TOKENS})::double precision as tokens,"
        f" sum(cost_usd)::double precision as cost"
        f" from ({_build_source(keys, filters, zone)}) as seen{_build_grouping(keys)}"
    )
    return (
        f"select {''.join(f'{_quote(name)}, ' for name in by)}count(*)::bigint as runs,"
        f" percentile_cont({_SHARES}) within group (order by tokens) as tokens,"
        f" percentile_cont({_SHARES}) within group (order by cost) as costs"
        f' from ({per_run}) as per_run where "run" is not null{_build_grouping(by)}'
    )


def build_latency(by: Sequence[str], filters: Sequence[str], zone: str = UTC_ZONE) -> str:
    """Build the SQL for the duration of model calls, by group.

    It reads the ledger, because quantiles cannot be added up.
    """
    spreads = [
        f"percentile_cont({_SHARES}) within group (order by {name}::double precision)"
        f" filter (where status = 'succeeded') as {name}"
        for name in LATENCIES
    ]
    counts = f"count(*)::bigint as calls, sum({_FAILED})::bigint as failed"
    columns = [*_list_keys("llm_calls", by, zone), counts, *spreads]
    places = ", ".join(str(n + 1) for n in range(len(by)))
    return (
        f"select {', '.join(columns)} from {_name_source('llm_calls', by)}"
        f" where {_build_conditions('llm_calls', _IN_LEDGER, filters)}"
        f"{f' group by {places} order by {places}' if by else ''}"
    )


def build_cache_sums(
    template: str, by: Sequence[str], filters: Sequence[str], zone: str = UTC_ZONE
) -> str:
    """Build the SQL that sums, by group, the tokens in prompt caches and the tokens sent again.
    From the ledger itself, as calls are compared with the one before.
    """
    places = range(1, len(by) + 6)  # and what `sum_caches` groups by itself
    return template.format(
        keys="".join(f"{item}, " for item in _list_keys("llm_calls", by, zone)),
        names="".join(f"{_quote(name)}, " for name in by),
        source=_name_source("llm_calls", by),
        conditions=_build_conditions("llm_calls", _IN_LEDGER, filters),
        places=", ".join(map(str, places)),
        only="",
    )


def build_rollup(table: Table) -> str:
    """Build the SQL that sums the ledger rows of a time range ($1 to $2) into a table.
    Of one tenant or (null $3) of all.
    """
    kept = {
        "tenant_id": "tenant_id",
        TABLES[table]: DIMENSIONS[TABLES[table]].read_from("llm_calls"),
    }
    for item in FILTERS.values():
        if table in item.tables and not item.condition:
            kept[item.column] = item.read_from("llm_calls")
    sums = [f"sum({value})" for value in MEASURES.values()]
    return (
        f"insert into {table} ({', '.join([*kept, *MEASURES])})"
        f" select {', '.join([*kept.values(), *sums])} from llm_calls"
        " where created_at >= $1 and created_at < $2 and ($3::text is null or tenant_id = $3)"
        f" group by {', '.join(str(n + 1) for n in range(len(kept)))}"
    )


def list_ledger_columns() -> str:
    """Return the ledger columns of usage reports, as the list in a SQL `select`.
    It has both the requested and the answering model.
    """
    dimensions = [
        f"{item.read_from('llm_calls')} as {item.column}"
        for name, item in DIMENSIONS.items()
        if item.kind != "time" and name != "model" and not item.condition
    ]
    return ", ".join([*dimensions, *(column.name for column in SUMMED)])


def _build_source(
    by: Sequence[str],
    filters: Sequence[str],
    zone: str,
    measures: Collection[str] = MEASURES,
    shown: str = "",
) -> str:
    """Build the SQL of calls as rows, with dimensions and measures, from sums and ledger.
    shown: one more condition, over dimensions in braces.
    """

    def build_part(table: Table, times: str) -> str:
        columns = _list_keys(table, by, zone)
        for name in measures:
            columns.append(f"{MEASURES[name]} as {name}" if table == "llm_calls" else name)
        conditions = _build_conditions(table, times, filters)
        if shown:
            read = {name: DIMENSIONS[name].read_from(table) for name in by}
            conditions = f"{conditions} and {shown.format(**read)}"
        return f"select {', '.join(columns)} from {_name_source(table, by)} where {conditions}"

    table = choose_table([*by, *filters], zone)
    if table == "llm_calls":
        return build_part(table, _IN_LEDGER)
    time = TABLES[table]
    times = "(created_at >= $2 and created_at < $4 or created_at >= $5 and created_at < $3)"
    summed = build_part(table, f"{time} >= $4 and {time} < $5")
    return f"{summed} union all {build_part('llm_calls', times)}"


def _name_source(table: Table, by: Sequence[str]) -> str:
    """Return what a report reads from: the table, by chat with the family of each thread."""
    return WITH_FAMILY.format(table=table) if "chat" in by else table


def _list_keys(table: Table, by: Sequence[str], zone: str) -> list[str]:
    """List the SQL columns of the dimensions to group by, over this table."""
    keys = {name: DIMENSIONS[name].group(table) for name in by}
    for name in by:
        if zone != UTC_ZONE and DIMENSIONS[name].kind == "time":
            # Written into the SQL as text, because `find_zone` has refused unknown zones
            # (test_an_unknown_zone_is_an_error).
            keys[name] = f"date_trunc('{name}', {TABLES[table]}, '{zone}')"
    return [f"{value} as {_quote(name)}" for name, value in keys.items()]


def _build_conditions(table: Table, times: str, filters: Sequence[str]) -> str:
    """Build the SQL condition of a report: tenant, times and filters."""
    matches = [DIMENSIONS[name].match(table, n) for n, name in enumerate(filters, _FIRST_FILTER)]
    return " and ".join(["($1::text is null or tenant_id = $1)", times, *matches])


def _build_grouping(by: Sequence[str]) -> str:
    """Return the `group by` clause; "" without dimensions."""
    return f" group by {', '.join(map(_quote, by))}" if by else ""


def _quote(name: str) -> str:
    return f'"{name}"'
