"""What a pack declares, looked up by name, and its entities as prompts show them."""

from __future__ import annotations

import pytest

from plainloop.agent.core.spec import EntitySpec, FieldSpec, Pack, WorkerSpec, build_schema_context

STATUS = FieldSpec(
    "status",
    "status",
    "enum",
    values={name: (name,) for name in ("saved", "applied", "offer", "lost")},
    order=("saved", "applied", "offer"),
    ends={"lost": "applied"},
)
COMPANY = FieldSpec("company", "company")
SALARY = FieldSpec("salary", "salary", "int")


def make_entity(name: str, *fields: FieldSpec) -> EntitySpec:
    return EntitySpec(
        name, name, "id", name[:-1], (name,), fields, lambda row: str(row["id"]), "status"
    )


JOBS = make_entity("jobs", COMPANY, SALARY, STATUS)
NOTES = make_entity("notes", COMPANY)
BAKER, COOK = (WorkerSpec(name, name, "Work.", ()) for name in ("baker", "cook"))


def test_prompts_show_each_entity_with_its_fields_kinds_and_values():
    assert build_schema_context((JOBS, NOTES)) == (
        "jobs: company, salary(int), status=saved<applied<offer|lost\nnotes: company"
    )
    tone = FieldSpec("tone", "tone", "enum", values={"dry": ("dry",), "warm": ("warm",)})
    assert build_schema_context((make_entity("texts", tone),)) == "texts: tone=dry|warm"


def test_entities_of_two_packs_keep_distinct_names():
    both = (JOBS,), (NOTES,)
    first = [build_schema_context(entities) for entities in both]
    assert [build_schema_context(entities) for entities in both] == first
    assert first[1] == "notes: company"
    assert all(
        build_schema_context(entities) is text for entities, text in zip(both, first, strict=True)
    )


@pytest.mark.parametrize(
    ("value", "passed", "reaching"),
    [
        ("saved", ("saved",), ("saved", "applied", "offer", "lost")),
        ("applied", ("saved", "applied"), ("applied", "offer", "lost")),
        ("offer", ("saved", "applied", "offer"), ("offer",)),
        ("lost", ("saved", "applied", "lost"), ("lost",)),
        ("unknown", ("unknown",), ()),
    ],
)
def test_a_status_lists_the_statuses_before_it_and_from_it_on(
    value: str, passed: tuple[str, ...], reaching: tuple[str, ...]
):
    assert (STATUS.list_passed(value), STATUS.list_reaching(value)) == (passed, reaching)


def test_looking_up_an_unknown_field_or_worker_returns_none():
    pack = Pack("library", "Library", (BAKER, COOK), "baker", ())
    assert (JOBS.get_field("salary"), JOBS.get_field("wage")) == (SALARY, None)
    assert (pack.get_worker("cook"), pack.get_worker("smith")) == (COOK, None)


@pytest.mark.parametrize(
    ("name", "is_named"),
    [
        ("library", True),
        ("acme.library", True),
        ("acme.library.books", False),
        ("libraries", False),
    ],
)
def test_a_pack_setting_may_include_the_module(name: str, is_named: bool):
    assert Pack("library", "Library", (BAKER,), "baker", ()).is_named(name) is is_named
