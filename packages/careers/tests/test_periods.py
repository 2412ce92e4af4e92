"""Periods as people write them: which dates they are, and that nothing of them stays behind."""

from __future__ import annotations

from datetime import date

import pytest

from plainloop_careers.letters.grounding.spans import parse_dates, parse_span
from plainloop_careers.resumes.periods import cut_period
from tests.linear import is_linear

PERIODS = """
2019/2021: 2019–21; 2019-2021; 2019 – 21; 2019/21; 2019/2021; (2019—2021)
2019/2020: 2019/20; Winter 2019/20; WS 2019/20; academic 2019–20
2010/2012: 2010–12
2008/2009: 2008-09
2019/2022: 2019/20 – 2021/22
2021-01/2021-03: Jan – Mar 2021; January–March 2021; 01.–03.2021; leden – březen 2021
2020-11/2021-02: Nov – Feb 2021
2020/2021: Q3 2020 – Q1 2021; 3Q2020–1Q2021; H1 2020 – H2 2021; Fall 2020 – Spring 2021; ca. 2020–21
2020/2021: early 2020 – late 2021; Sommersemester 2020 – Wintersemester 2021
2019-01/2020-12: jan/2019 – dez/2020; Jan-19 – Dec-20; 1/2019-12/2020; 01 / 2019 – 12 / 2020
2019-01/2020-12: tammikuu 2019 – joulukuu 2020; leden 2019 – prosinec 2020; ocak 2019 – aralık 2020
2019-01/2020-12: Jänner 2019 – Dez. 2020; gen. 2019 - dic. 2020; januari 2019 t/m december 2020
2019-01/2020-12: styczeń 2019 – grudzień 2020; 2019. január – 2020. december; jan. 2019 → des. 2020
2019-01/2020-12: 2019.1 - 2020.12; 2019年1月～2020年12月; 01-2019 – 12-2020
2019-03/2020-09: mrt 2019 – sept. 2020; March, 2019 – September, 2020
2019-01/2020-03: 01/15/2019 - 03/31/2020; 15/01/2019 – 31/03/2020; 15.01.2019–31.03.2020
2019-01/: tammikuu 2019 – nykyinen; 1/2019 - tällä hetkellä; styczeń 2019 – do chwili obecnej
2019-01/: leden 2019 – současnost; od ledna 2019; enero de 2019 – actualmente; Jan. 2019 – aktuell
2019-01/: janvier 2019 – actuellement; janeiro de 2019 - até o momento; januar 2019 – dags dato
2019-01/: januari 2019 – heden; 2019. január – jelenleg; ianuarie 2019 – prezent
2019-01/: Jan 2019 – Present (6 Jahre 2 Monate); ene. 2019 - Present (6 años 2 meses)
2019-01/: Jan 2019 - Present · 6 yrs 2 mos; styczeń 2019 – obecnie (2 lata 3 miesiące)
2019/: 2019 onwards; since the summer 2019; 2019 – nykyhetki
/2020: Q3 2020; Summer 2020; 3Q2020
"""


@pytest.mark.parametrize(
    ("dates", "period"),
    [
        (dates, period.strip())
        for dates, _, periods in (line.partition(": ") for line in PERIODS.strip().splitlines())
        for period in periods.split(";")
    ],
)
def test_periods_are_cut_out_whole_in_many_languages(dates: str, period: str) -> None:
    rest, found = cut_period(f"Cook, Noma {period}")

    assert f"{found.get('startDate', '')}/{found.get('endDate', '')}" == dates
    assert rest.strip() in ("Cook, Noma", "Cook, Noma academic")


@pytest.mark.parametrize(
    "text",
    [
        "Head of Marketing",
        "Novartis",
        "Junior Developer at Augsburg",
        "Octopus Energy",
        "Decathlon",
    ],
)
def test_a_word_that_begins_like_a_month_is_not_cut_off(text: str) -> None:
    assert cut_period(f"{text} 2019 – 2021") == (
        f"{text}  ",
        {"startDate": "2019", "endDate": "2021"},
    )


@pytest.mark.parametrize("text", ["2019 – 21 branches opened", "2019 - 12 employees"])
def test_a_number_of_things_is_no_end_of_a_period(text: str) -> None:
    assert cut_period(text)[1] == {"endDate": "2019"}


def test_letters_name_months_in_the_language_of_the_letter() -> None:
    assert parse_dates("seit März 2019, do lutego 2020, en août 2021") == [
        (2019, 3),
        (2020, 2),
        (2021, 8),
    ]


@pytest.mark.parametrize("end", ["Present", "nykyinen", "do chwili obecnej", "Aktuell", "", None])
def test_a_position_that_goes_on_lasts_until_today(end: str | None) -> None:
    span = parse_span("tammikuu 2019", end, date(2020, 1, 1))
    assert span is not None
    assert span.months == 12


@pytest.mark.parametrize("kind", ["2019 – ", "Jan – ", "1 Jan ", "(2019", "01/", "2019-", "Q1 "])
def test_cutting_a_period_out_takes_linear_time(kind: str) -> None:
    assert is_linear(cut_period, kind)
