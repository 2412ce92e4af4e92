from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from plainloop.agent.core.spec import FieldSpec
from plainloop.agent.intents.proposals import validate_fast_query
from plainloop.agent.intents.queries import ID_FIELD, LOOKUP_FIELD, MAX_ROWS, build_fast_query
from plainloop.agent.store.store import Store
from plainloop.agent.types import FastIntent, FastQuery
from tests.tracker.entities import CONTACTS, JOBS, add_row

Find = Callable[..., Awaitable[list[dict[str, Any]]]]


def make_query(*filters: tuple[str, str, Any], **rest: Any) -> FastQuery:
    items: Any = [{"field": f, "op": op, "value": value} for f, op, value in filters]
    query: FastQuery = {"filters": items, "order_by": None, "descending": False, "limit": 0}
    return {**query, **rest}  # pyright: ignore[reportReturnType]


@pytest.fixture
def find(store: Store) -> Find:
    async def find_rows(
        intent: FastIntent,
        query: FastQuery,
        entity: Any = JOBS,
        tenant_id: str = "acme",
        user_id: str = "ann",
        max_rows: int = 20,
    ) -> list[dict[str, Any]]:
        sql, args = build_fast_query(entity, intent, query, tenant_id, user_id, max_rows=max_rows)
        return await store.read(tenant_id).fetch(sql, *args)

    return find_rows


async def add_jobs(store: Store, *companies: str, **columns: Any) -> None:
    for n, company in enumerate(companies, start=1):
        row = {"job_id": n, "company": company, "title": "Cook", **columns}
        await add_row(store, "tracker_jobs", **row)


def list_ids(rows: list[dict[str, Any]]) -> list[int]:
    return [row["job_id"] for row in rows]


async def test_an_entity_count_returns_one_row_with_the_total(store: Store, find: Find):
    await add_jobs(store, "A", "B", "C")
    await add_row(store, "tracker_jobs", job_id=9, company="D", title="x", status="applied")
    assert await find("count", make_query()) == [{"_total": 4}]
    assert await find("count", make_query(("status", "eq", "applied"))) == [{"_total": 1}]
    assert await find("count", make_query(("status", "eq", "offer"))) == [{"_total": 0}]


async def test_an_entity_list_returns_the_specs_columns_and_the_total(store: Store, find: Find):
    await add_jobs(store, "A", created_at=datetime(2026, 1, 2, tzinfo=UTC))
    assert await find("list", make_query()) == [
        {
            "job_id": 1,
            "company": "A",
            "title": "Cook",
            "status": "saved",
            "location": None,
            "remote_type": None,
            "salary": None,
            "is_favorite": False,
            "created_at": datetime(2026, 1, 2, tzinfo=UTC),
            "_total": 1,
        }
    ]


async def test_entity_queries_return_no_rows_of_another_tenant_or_user(store: Store, find: Find):
    await add_jobs(store, "A", "B")
    await add_row(store, "tracker_jobs", user_id="bob", job_id=3, company="Zeta", title="x")
    await add_row(store, "tracker_jobs", tenant_id="evil", job_id=1, company="D", title="x")
    counts = {
        (tenant, user): (await find("count", make_query(), tenant_id=tenant, user_id=user))
        for tenant, user in itertools.product(("acme", "evil", ""), ("ann", "bob", ""))
    }
    assert {key: rows[0]["_total"] for key, rows in counts.items() if rows[0]["_total"]} == {
        ("acme", "ann"): 2,
        ("acme", "bob"): 1,
        ("evil", "ann"): 1,
    }
    assert await find("lookup", make_query((LOOKUP_FIELD, "contains", "Zeta"))) == []
    assert await find("lookup", make_query((ID_FIELD, "eq", 3))) == []


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (("company", "eq", "acme corp"), [1]),
        (("company", "contains", "ACME"), [1, 2]),
        (("company", "contains", "100%"), [3]),
        (("company", "contains", "0_"), []),
        (("company", "contains", "\\"), [4]),
        (("company", "contains", "' or 1=1 --"), []),
        (("company", "contains", "a\x00cme"), [1, 2]),
        (("salary", "gte", 200), [2, 3]),
        (("salary", "lte", 200), [1, 2]),
        (("salary", "eq", 200), [2]),
        (("salary", "gte", 2**62), []),
        (("is_favorite", "eq", True), [4]),
        (("is_favorite", "eq", False), [1, 2, 3]),
        (("remote_type", "eq", "hybrid"), [2]),
        (("created_at", "gte", "2026-01-03"), [3, 4]),
        (("created_at", "eq", "2026-01-02"), [2]),
        (("created_at", "lte", "2026-01-02"), [1, 2]),
        ((ID_FIELD, "eq", 3), [3]),
        ((ID_FIELD, "eq", "3"), [3]),
        ((ID_FIELD, "eq", 10**30), []),
    ],
)
async def test_each_entity_filter_returns_only_the_matching_rows(
    store: Store, find: Find, condition: tuple[str, str, Any], found: list[int]
):
    rows: list[dict[str, Any]] = [
        {"company": "Acme Corp", "salary": 100},
        {"company": "The Acme", "salary": 200, "remote_type": "hybrid"},
        {"company": "100% Sure", "salary": 300},
        {"company": "back\\slash", "is_favorite": True},
    ]
    for n, row in enumerate(rows, start=1):
        day = datetime(2026, 1, n, 12, tzinfo=UTC)
        await add_row(store, "tracker_jobs", job_id=n, title="x", created_at=day, **row)
    assert sorted(list_ids(await find("list", make_query(condition)))) == found


async def test_entity_lookups_rank_exact_then_prefix_phrase_and_word_matches(
    store: Store, find: Find
):
    names = ["Bar Foo", "The Foo Bar Company", "Foo Bar Inc", "foo bar", "Something"]
    await add_jobs(store, *names)
    rows = await find("lookup", make_query((LOOKUP_FIELD, "contains", "Foo Bar")))
    assert [row["company"] for row in rows] == [
        "foo bar",
        "Foo Bar Inc",
        "The Foo Bar Company",
        "Bar Foo",
    ]


async def test_a_lookup_matches_words_across_columns(store: Store, find: Find):
    await add_row(store, "tracker_jobs", job_id=1, company="Acme", title="Web Developer")
    await add_row(store, "tracker_jobs", job_id=2, company="Acme", title="Cook")
    query = make_query((LOOKUP_FIELD, "contains", "acme developer"))
    assert list_ids(await find("lookup", query)) == [1]


@pytest.mark.parametrize(
    ("order", "ids"),
    [
        ({}, [3, 2, 1]),  # the entity's default: newest first
        ({"order_by": "company"}, [2, 1, 3]),  # without regard to case
        ({"order_by": "company", "descending": True}, [3, 1, 2]),
        ({"order_by": "salary"}, [3, 1, 2]),
        ({"order_by": "salary", "descending": True}, [1, 3, 2]),  # unknown comes last both ways
    ],
)
async def test_entity_rows_are_returned_in_the_requested_order(
    store: Store, find: Find, order: dict[str, Any], ids: list[int]
):
    for n, (company, salary) in enumerate([("beta", 5), ("Alpha", None), ("gamma", 3)], start=1):
        day = datetime(2026, 1, n, tzinfo=UTC)
        columns: dict[str, Any] = {"company": company, "salary": salary, "created_at": day}
        await add_row(store, "tracker_jobs", job_id=n, title="x", **columns)
    assert list_ids(await find("list", make_query(**order))) == ids


async def test_an_entity_lists_requested_number_of_rows_is_bounded(store: Store, find: Find):
    await store.read("acme").execute(
        "insert into tracker_jobs (tenant_id, user_id, job_id, company, title)"
        " select 'acme', 'ann', n, 'x', 'y' from generate_series(1, 150) as n"
    )
    sizes = [
        len(await find("list", make_query(limit=limit), max_rows=20)) for limit in (0, 5, 30, 999)
    ]
    assert sizes == [20, 5, 30, MAX_ROWS]
    assert (await find("list", make_query(limit=5)))[0]["_total"] == 150


@pytest.mark.parametrize(
    "condition",
    [
        ("nothing", "eq", "x"),
        ("tenant_id", "eq", "evil"),
        ('company" or "1', "eq", "x"),
        ("company", "gte", "x"),
        ("company", "like", "x"),
        ("company", "eq", 3),
        ("status", "eq", "gone"),
        ("status", "contains", "app"),
        ("salary", "eq", "100"),
        ("salary", "eq", True),
        ("salary", "gte", 2**63),
        ("salary", "contains", 1),
        ("is_favorite", "eq", 1),
        ("created_at", "gte", "yesterday"),
        ("created_at", "contains", "2026-01-01"),
        (LOOKUP_FIELD, "eq", "x"),
        (LOOKUP_FIELD, "contains", " "),
        (ID_FIELD, "gte", 1),
    ],
)
def test_fields_and_operators_missing_in_the_spec_are_refused(condition: tuple[str, str, Any]):
    with pytest.raises(ValueError, match=r".+"):
        build_fast_query(JOBS, "list", make_query(condition), "t", "u", max_rows=20)


def test_an_order_by_an_unknown_field_is_refused():
    with pytest.raises(ValueError, match="cannot be sorted"):
        build_fast_query(JOBS, "list", make_query(order_by="1; drop"), "t", "u", max_rows=20)


def test_a_spec_with_an_invalid_column_name_is_refused():
    bad = replace(JOBS, fields=(FieldSpec("x", 'x"; drop table y; --'), JOBS.fields[-1]))
    with pytest.raises(ValueError, match="is not a valid column name"):
        build_fast_query(bad, "list", make_query(), "t", "u", max_rows=20)


def test_filter_values_are_always_sql_parameters():
    evil = "'; drop table tracker_jobs; --"
    query = make_query(("company", "contains", evil), (LOOKUP_FIELD, "contains", evil))
    for intent in ("count", "list", "lookup"):
        sql, args = build_fast_query(JOBS, intent, query, evil, evil, max_rows=20)
        assert "drop table" not in sql
        assert args[:2] == [evil, evil]


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ([], []),
        ([("status", "applied")], [("status", "eq", "applied")]),
        ([("Status", "Applied To")], [("status", "eq", "applied")]),
        ([("remote type", "on-site")], [("remote_type", "eq", "onsite")]),
        ([("company", "Acme")], [("company", "contains", "Acme")]),
        ([("salary", "100k")], [("salary", "eq", 100_000)]),
        ([("salary", 90000)], [("salary", "eq", 90_000)]),
        ([("salary", ">= 90,000")], [("salary", "gte", 90_000)]),
        ([("salary", ">$90k")], [("salary", "gte", 90_001)]),
        ([("salary", "< 90k")], [("salary", "lte", 89_999)]),
        ([("salary", ">=1"), ("salary", "<=5")], [("salary", "gte", 1), ("salary", "lte", 5)]),
        ([("is_favorite", "yes")], [("is_favorite", "eq", True)]),
        ([("is_favorite", True)], [("is_favorite", "eq", True)]),
        ([("created_at", "2026-01-02")], [("created_at", "eq", "2026-01-02")]),
        ([("created_at", ">=2026-01-02")], [("created_at", "gte", "2026-01-02")]),
        ([("job_id", "#3")], [(ID_FIELD, "eq", "3")]),
        ([("id", 3)], [(ID_FIELD, "eq", "3")]),
    ],
)
def test_filters_that_a_model_wrote_become_an_entity_query(filters: Any, wanted: Any):
    raw = {
        "fast_intent": "list",
        "entity_type": "jobs",
        "filters": [{"field": field, "value": value} for field, value in filters],
    }
    query = validate_fast_query(JOBS, raw)
    assert query is not None
    assert query == make_query(*wanted)
    build_fast_query(JOBS, "list", query, "t", "u", max_rows=20)


@pytest.mark.parametrize(
    "raw",
    [
        {"filters": [{"field": "boss", "value": "x"}]},
        {"filters": [{"field": "status", "value": "gone"}]},
        {"filters": [{"field": "status", "value": ""}]},
        {"filters": [{"field": "company", "value": "  "}]},
        {"filters": [{"field": "company", "value": None}]},
        {"filters": [{"field": "company", "value": ["a"]}]},
        {"filters": [{"field": "company"}]},
        {"filters": [{"field": 3, "value": "x"}]},
        {"filters": [{"field": "salary", "value": "lots"}]},
        {"filters": [{"field": "salary", "value": "90k-100k"}]},
        {"filters": [{"field": "is_favorite", "value": "perhaps"}]},
        {"filters": [{"field": "created_at", "value": "today"}]},
        {"filters": [{"field": "created_at", "value": "2026-13-41"}]},
        {"filters": [{"field": "job_id", "value": "last"}]},
        {"filters": [{"field": "status", "value": v} for v in ("saved", "applied")]},
        {"filters": [{"field": "company", "value": v} for v in ("Acme", "Initech")]},
        {"filters": "status=applied"},
        {"filters": ["status"]},
        {"filters": [], "entity_type": "contacts"},
        {"filters": [], "order_by": "beauty"},
        {"filters": [], "limit": "five"},
        {"filters": [], "limit": -1},
        {"filters": [], "fast_intent": "lookup"},
    ],
)
def test_an_invalid_model_query_is_ignored(raw: dict[str, Any]):
    assert validate_fast_query(JOBS, raw) is None


def test_an_entity_list_uses_the_order_and_limit_of_triage():
    raw = {"filters": [], "order_by": "name", "descending": True, "limit": 5}
    wanted = make_query(order_by="name", descending=True, limit=5)
    assert validate_fast_query(CONTACTS, raw) == wanted
