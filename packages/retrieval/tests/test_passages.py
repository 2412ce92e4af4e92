"""A text cut into passages: none too long, nothing lost, each with its place."""

from __future__ import annotations

import time

from fpdf import FPDF
from hypothesis import given
from hypothesis import strategies as st

from packages.retrieval.tests.answering import HANDBOOK
from plainloop_retrieval.passages import HEADING_CHARS, run, split_passages
from tests.linear import is_linear

MAX_CHARS = 900


@given(st.text(alphabet=st.sampled_from("ab .\n#`~-"), max_size=400), st.integers(5, 40))
def test_passages_of_a_text_are_bounded_and_contain_every_word(source: str, most: int):
    passages = split_passages(source, most)

    assert all(0 < len(passage.content) <= most for passage in passages)
    kept = "".join(passage.heading + passage.content for passage in passages)
    written = [c for c in source if c in "ab"]
    if "#" not in source:  # a heading without text below it is no passage
        assert [c for c in kept if c in "ab"] == written


@given(st.text(alphabet=st.sampled_from("ab .\n#`\r\x0b"), max_size=300), st.integers(5, 40))
def test_a_passages_stated_position_is_correct(source: str, most: int):
    for passage in split_passages(source, most):
        first = passage.content.split()[0] if passage.content.split() else ""
        assert source[passage.text_offset :].lstrip().startswith(first)


def test_long_paragraphs_split_at_sentences_and_code_has_no_headings():
    sentence = "Every colleague reads this sentence once. "
    long = split_passages(sentence * 60, MAX_CHARS)
    assert len(long) == 3
    assert all(p.content.endswith("once.") and len(p.content) <= MAX_CHARS for p in long)
    code = split_passages("# Setup\n\n```sh\n# a comment\nmake\n```\n", MAX_CHARS)
    assert [p.heading for p in code] == ["Setup"]


def test_a_passage_begins_with_its_headings_cut_to_a_bound():
    passages = split_passages(f"{HANDBOOK}\n# {'long ' * 1000}\n\nText.", MAX_CHARS)
    assert [p.heading for p in passages][:2] == ["Handbook › Working hours", "Handbook › Holidays"]
    assert len(passages[-1].heading) <= HEADING_CHARS


def test_splitting_a_text_without_blank_lines_takes_linear_time():
    def measure(lines: int) -> float:
        text = "A line of the handbook that says something.\n" * lines
        began = time.process_time()
        assert len(split_passages(text, MAX_CHARS)) > lines // 50
        return time.process_time() - began

    measure(1_000)
    small, large = (min(measure(lines) for _ in range(3)) for lines in (5_000, 50_000))

    assert large < 30 * max(small, 0.005)  # ten times the text; a hundred times, where it squares


def test_a_passage_of_a_pdf_names_its_page():
    pdf = FPDF()
    pdf.set_font("helvetica", size=12)
    for text in ("Parking permits are handed out every Monday.", "", "Bicycles stand in the yard."):
        pdf.add_page()
        if text:
            pdf.multi_cell(0, 8, text)
    options = {"name": "a.pdf", "max_pages": 9, "passage_chars": 50}

    found = run(bytes(pdf.output()), options)["passages"]

    assert [(item["page"], item["content"]) for item in found] == [
        (1, "Parking permits are handed out every Monday."),
        (3, "Bicycles stand in the yard."),
    ]
    text = run(b"Water them.", {**options, "name": "a.md"})["passages"]
    assert [item["page"] for item in text] == [None]


def test_a_heading_is_read_in_linear_time_and_without_its_closing_marks() -> None:
    assert is_linear(lambda text: split_passages(f"# a{text}x\n\nb", 900), " #")
    [passage] = split_passages("## Desk ## \n\nKeep it tidy.", 900)
    assert passage.heading == "Desk"
