"""CSV exports: texts that spreadsheets would run are disarmed, numbers stay numbers."""

from __future__ import annotations

import csv
import io

import pytest

from plainloop.agent.usage.report import to_csv


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_csv_cells_that_look_like_formulas_are_escaped(start: str):
    armed = f"{start}HYPERLINK(1)"
    text = to_csv([{"user": armed, "cost": "-0.5", "n": -3}])
    rows = list(csv.DictReader(io.StringIO(text, newline="")))

    assert rows[0]["user"].startswith("'")
    assert (rows[0]["cost"], rows[0]["n"]) == ("-0.5", "-3")
