"""Two-column résumés as PDFs, from one page and two: each column is read by itself, to its end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import fpdf
import pytest

from packages.careers.tests.resume_files import MAIN_COLUMN, ROSSI, SIDE_BAR, Post, column
from plainloop_careers.offline.resumes import parse_resume
from plainloop_careers.resumes.review import list_doubts
from plainloop_documents.reading import pdf

Placed = list[tuple[float, float, str]]
HEAD = "Maria Rossi\nBackend Developer"
TWO_MORE = (
    "Waiter at Blue Anchor\n2012 - 2015\n- Served guests\n\nCook at Noma\n2010 - 2012\n- Fish"
)
FIRST, SCHOOLS = MAIN_COLUMN.split("EDUCATION")
LAST = f"Dishwasher at Uno Bar\n2009 - 2010\n- Washed dishes\n\nEDUCATION{SCHOOLS}"
LANGUAGES = "LANGUAGES\nItalian (native)\nEnglish (fluent)\n\nINTERESTS\nChess"
ALL: list[Post] = [
    *ROSSI,
    ("Waiter", "Blue Anchor", "2012", "2015"),
    ("Cook", "Noma", "2010", "2012"),
    ("Dishwasher", "Uno Bar", "2009", "2010"),
]


def print_pages(pages: list[Placed], size: int, *, by_rows: bool) -> bytes:
    document = fpdf.FPDF()
    for placed in pages:
        document.add_page()
        document.set_font("helvetica", size=size)
        rows = sorted(placed, key=lambda item: (item[1], item[0]))
        for x, y, text in rows if by_rows else placed:
            document.set_xy(x, y)
            document.cell(0, 5, text)
    return bytes(document.output())


def list_layouts(side: str) -> Iterator[tuple[str, list[Placed], list[Post]]]:
    """Pages with the bar at that side: a head across, over each column and in the middle, rows
    level and half a line apart, one page and two, and a bar that ends with the first page.
    """
    bar, main = (10.0, 75.0) if side == "left" else (145.0, 12.0)
    heads = {"across": 10.0, "main": main, "bar": bar, "middle": 80.0}
    for (name, at), apart in product(heads.items(), (0.0, 2.5)):
        head = [*column(at, 12, HEAD), *column(bar, 30 + apart, SIDE_BAR)]
        label = f"{name}, {apart} mm apart"
        yield f"{label}, one page", [[*head, *column(main, 30, MAIN_COLUMN)]], ROSSI
        first = [*head, *column(main, 30, f"{FIRST}{TWO_MORE}")]
        second = column(main, 15, LAST)
        beside = column(bar, 15 + apart, LANGUAGES)
        yield f"{label}, two pages", [first, [*beside, *second]], ALL
        yield f"{label}, bar on page one", [first, second], ALL


def list_wrong(resume: dict[str, Any], posts: list[Post]) -> list[str]:
    keys = ("position", "name", "startDate", "endDate")
    told = [line for post in resume["work"] for line in post.get("highlights", [])]
    checks = {
        "name": resume["basics"].get("name") == "Maria Rossi",
        "work": [tuple(post.get(key) for key in keys) for post in resume["work"]] == posts,
        "education": [it.get("institution") for it in resume["education"]]
        == ["Politecnico di Milano"],
        "highlights": not any("@" in line or "Python" in line or "Chess" in line for line in told),
    }
    return [name for name, is_right in checks.items() if not is_right]


@pytest.mark.parametrize("by_rows", [False, True], ids=["drawn by columns", "drawn by rows"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_resumes_two_columns_are_read_one_after_the_other(side: str, by_rows: bool):
    for (name, pages, posts), size in product(list_layouts(side), (9, 10)):
        content = print_pages(pages, size, by_rows=by_rows)
        text, _ = pdf.read(content, 10, columns_over_pages=True)
        assert list_wrong(parse_resume(text), posts) == [], f"{name}, {size} pt:\n{text}"


def test_right_aligned_towns_are_not_read_as_a_second_column():
    towns = [(180.0, 30 + 5.5 * n, town) for n, town in ((2, "Rome"), (8, "Milan"), (12, "Turin"))]
    first = [*column(12, 12, HEAD), *column(12, 30, f"{FIRST}{TWO_MORE}"), *towns]
    content = print_pages([first, column(12, 15, LAST)], 10, by_rows=True)
    text, _ = pdf.read(content, 10, columns_over_pages=True)
    resume = parse_resume(text)
    assert list_wrong(resume, ALL) == [] or list_doubts(resume, text)
