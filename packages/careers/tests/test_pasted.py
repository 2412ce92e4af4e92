"""Postings that people paste without labels: one line, four lines, sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainloop_careers.jobs.files import read_file
from plainloop_careers.jobs.pasted import from_pasted

NAMES = (
    *("title", "company", "location", "remote_type", "salary_min", "salary_max"),
    *("salary_currency", "salary_period"),
)
LINES = Path(__file__).with_name("pasted.tsv").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("line", LINES, ids=[line[:40] for line in LINES])
def test_a_pasted_posting_fills_the_fields_that_it_states(line: str):
    text, *expected = line.split("\t")
    job = from_pasted(text.replace("\\n", "\n"))
    assert [str(job.get(name, "-")) for name in NAMES] == expected


def test_only_what_a_person_confirms_is_guessed():
    text = b"Cook\nNoma\nCopenhagen"
    assert read_file(text, "posting.txt", {}).jobs == []
    (job,) = read_file(text, "posting.txt", {}, is_guess=True).jobs
    assert (job["title"], job["company"], job["location"]) == ("Cook", "Noma", "Copenhagen")


@pytest.mark.parametrize("text", ["a, " * 50_000, "A at " * 20_000, "(" * 90_000, "1 - " * 50_000])
def test_long_pasted_texts_are_read_in_linear_time(text: str):
    from_pasted(text)
