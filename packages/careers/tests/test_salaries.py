"""What a job pays: amounts with the currency and the period that were said, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from packages.careers.tests.context import PACK, call_tool, make_context
from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.core.state import initialize_state
from plainloop.agent.routers.fast_paths import fast_count, fast_list
from plainloop.agent.store.store import Store
from plainloop_careers.jobs.salaries import FIELDS, parse_salary
from plainloop_careers.offline.wording import read_values
from plainloop_rules.matching import match_intent
from tests.linear import is_linear

SAID = [
    ("100000", (100000, 100000, None, None)),
    ("90k-110k", (90000, 110000, None, None)),
    ("90-110k", (90000, 110000, None, None)),
    ("€ 80.000 to 95.000", (80000, 95000, "EUR", None)),
    ("CHF 120'000", (120000, 120000, "CHF", None)),
    ("$120,000 per annum", (120000, 120000, "$", "year")),
    ("$45/hour", (45, 45, "$", "hour")),
    ("$30.50 - $45.25/hr", (30.5, 45.25, "$", "hour")),
    ("$45 an hour (about $90,000 a year)", (45, 45, "$", "hour")),
    ("hourly rate of £45", (45, 45, "GBP", "hour")),
    ("17,50 €/Std.", (17.5, 17.5, "EUR", "hour")),
    ("3.000 € pro Monat", (3000, 3000, "EUR", "month")),
    ("70.000 - 85.000 EUR brutto im Jahr", (70000, 85000, "EUR", "year")),
    ("500 - 600 EUR Tagessatz", (500, 600, "EUR", "day")),
    ("50 000 euros brut par an", (50000, 50000, "EUR", "year")),
    ("entre 45 et 55 k€", (45000, 55000, "EUR", None)),
    ("12,50€ de l'heure", (12.5, 12.5, "EUR", "hour")),
    ("de 30.000 a 40.000 € brutos anuales", (30000, 40000, "EUR", "year")),
    ("30.000 € al año", (30000, 30000, "EUR", "year")),
    ("US$90k–US$110k", (90000, 110000, "USD", None)),
    ("CAD 100,000 - 120,000 / year", (100000, 120000, "CAD", "year")),
    ("INR 12,00,000", (1200000, 1200000, "INR", None)),
    ("¥6,000,000 per year", (6000000, 6000000, "¥", "year")),
    ("kr 500 000", (500000, 500000, "kr", None)),
    ("up to 95k", (None, 95000, None, None)),
    ("from £45,000", (45000, None, "GBP", None)),
    ("Grade 7, £45,000", (45000, 45000, "GBP", None)),
    ("competitive", (None, None, None, None)),
    ("", (None, None, None, None)),
    ("99999999999999", (None, None, None, None)),
]


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_salary_texts_are_parsed_to_amount_currency_and_period(
    text: str, expected: tuple[Any, ...]
):
    found = parse_salary(text)
    assert tuple(found.get(name) for name in FIELDS) == expected


def test_salaries_in_public_postings_are_read_correctly_or_not_at_all():
    read, wrong, said = 0, list[str](), 0
    for line in Path(__file__).with_name("pay.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        text, *wanted = line.split("\t")
        found = parse_salary(text)
        got = [str(found.get(name, "-")) for name in FIELDS]
        said += 1
        read += got == wanted
        is_wrong = any(have not in ("-", want) for have, want in zip(got, wanted, strict=True))
        wrong += [f"{text}: {got}"] * is_wrong
    assert not wrong
    assert said >= 120 and read >= 0.98 * said


@pytest.mark.parametrize("text", ["9", "a ", " ", "1,00,000 ", "$1k-$2k ", "per ", "1 1 "])
def test_reading_pay_from_a_long_text_takes_linear_time(text: str):
    assert is_linear(parse_salary, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$17.50 an hour", (17.5, None, "$", "hour")),
        ("pays 3000 EUR a month", (3000, None, "EUR", "month")),
        ("90-110k USD, 401k", (90000, 110000, "USD", None)),
        ("2019, as I heard", (None, None, None, None)),
        ("3 a day", (None, None, None, None)),
        ("2 weeks", (None, None, None, None)),
    ],
)
def test_the_offline_provider_reads_only_unambiguous_salaries(text: str, expected: tuple[Any, ...]):
    found, _ = read_values(text)
    assert tuple(found.get(name) for name in FIELDS) == expected


async def test_a_salarys_currency_and_period_are_stored_and_validated(store: Store) -> None:
    ctx = await make_context(store)
    job = {"company": "Cafe Uno", "title": "Cook"}
    pay = {"salary_min": 17.5, "salary_currency": "eur", "salary_period": "hour"}
    made = await call_tool(ctx, "create_job", **job, **pay)
    assert made.result["job"] == {"job_id": 1, **job, "status": "saved", **pay} | {
        "salary_currency": "EUR"
    }
    wrongs: list[dict[str, Any]] = [{"salary_currency": "shells"}, {"salary_period": "shift"}]
    for wrong in wrongs:
        assert (await call_tool(ctx, "update_job", job_id=1, **wrong)).is_error
    changed = await call_tool(ctx, "update_job", job_id=1, salary_min=90000, salary_period="year")
    assert (changed.result["job"]["salary_min"], changed.result["job"]["salary_currency"]) == (
        90000,
        "EUR",
    )


@pytest.mark.parametrize(
    ("said", "node"),
    [("list my jobs by salary", fast_list), ("how many of my jobs pay over 50k?", fast_count)],
)
async def test_fast_paths_do_not_compare_pay_in_different_currencies(
    said: str, node: Any, store: Store
) -> None:
    ctx = await make_context(store)
    state = initialize_state([make_text_message("user", said)])
    state["fast_intent"], state["entity_type"] = "list", "jobs"
    match = match_intent(said, PACK.entities)
    assert match is not None
    state["query"], state["result"] = match.query, {"rule": match.rule}
    for company, currency in (("A", "EUR"), ("B", "EUR")):
        pay = {"salary_min": 60000, "salary_currency": currency, "salary_period": "year"}
        await call_tool(ctx, "create_job", company=company, title="Cook", **pay)
    assert (await node(state, ctx))[0]["result"]["total"] == 2
    await call_tool(ctx, "create_job", company="C", title="Cook", salary_min=6000)
    assert await node(state, ctx) == ({"result": {"missed": "units"}}, "intent_classifier")
