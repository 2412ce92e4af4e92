"""Résumés as people write them, in four kinds of file and several layouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import fpdf

from packages.documents.tests.samples import make_docx, make_placed_pdf

Post = tuple[str, str, str | None, str | None]  # position, employer, from, until


@dataclass(frozen=True)
class Sample:
    file: str
    content: bytes
    name: str  # "": nobody's is certain
    work: list[Post]
    schools: list[str] = field(default_factory=list[str])
    highlight: str = ""  # a line that the file breaks in two


def print_pdf(text: str, *, size: int = 11) -> bytes:
    document = fpdf.FPDF()
    document.add_page()
    document.set_font("helvetica", size=size)
    for line in text.splitlines():
        document.cell(0, 6, line.replace("–", "-").replace("•", "-"), new_x="LMARGIN", new_y="NEXT")
    return bytes(document.output())


def column(x: float, top: float, text: str) -> list[tuple[float, float, str]]:
    lines = text.splitlines()
    return [(x, top + 5.5 * i, line) for i, line in enumerate(lines) if line]


def write_docx(*paragraphs: tuple[str, str]) -> bytes:
    def fill(document: Any) -> None:
        for style, text in paragraphs:
            document.add_paragraph(text, style=style)

    return make_docx(fill)


ENGLISH = """JOHN O'NEILL
Senior Data Engineer
john.oneill@example.com · +1 415 555 0100 · Boston

EXPERIENCE

Senior Data Engineer, Acme Corp, Mar 2019 – Present
• Built an ingestion service that handles 20,000
events a day
• Led the migration of the billing platform to
Kubernetes and Terraform
• Cut costs by 30%

Analyst at Initech                         2015 – 2019
• Wrote reports

EDUCATION
BFA, University of Oklahoma, 2011 – 2015
"""
WRAPPED = "handles 20,000 events a day"
ACME: list[Post] = [
    ("Senior Data Engineer", "Acme Corp", "2019-03", None),
    ("Analyst", "Initech", "2015", "2019"),
]
SIDE_BAR = """
CONTACT
maria.rossi@example.com
+39 170 1234567
Milano

SKILLS
Python
PostgreSQL
Kubernetes
"""
MAIN_COLUMN = """
EXPERIENCE
Backend Developer at Acme Corp
Mar 2019 - present
- Built a payment service that handles 20,000
events a day
- Led a team of five

Clerk at Initech
2015 - 2019
- Filed papers

EDUCATION
BSc Computer Science, Politecnico di Milano, 2012 - 2015
"""
ROSSI: list[Post] = [
    ("Backend Developer", "Acme Corp", "2019-03", None),
    ("Clerk", "Initech", "2015", "2019"),
]


def list_samples() -> list[Sample]:
    oklahoma, milano = ["University of Oklahoma"], ["Politecnico di Milano"]
    make: Callable[..., bytes] = make_placed_pdf
    head, side, main = (
        (75.0, 12.0, "Maria Rossi"),
        column(10, 25, SIDE_BAR),
        column(75, 25, MAIN_COLUMN),
    )
    dates_right = [
        *column(
            10,
            20,
            "John O'Neill\nExperience\nSenior Data Engineer at Acme Corp\n- Built things\n"
            "Analyst at Initech\n- Wrote reports",
        ),
        (160.0, 20 + 5.5 * 2, "Mar 2019 - Present"),
        (170.0, 20 + 5.5 * 4, "2015 - 2019"),
    ]
    word = write_docx(
        ("Title", "Résumé"),
        ("Normal", "Name: John O'Neill"),
        ("Heading 1", "Work Experience"),
        ("Normal", "Senior Data Engineer at Acme Corp, Mar 2019 – Present"),
        ("List Bullet", "Built a service that handles 20,000 events a day"),
        ("Normal", "Analyst at Initech, 2015 – 2019"),
        ("List Bullet", "Wrote reports"),
        ("Heading 1", "Education"),
        ("Normal", "BFA, University of Oklahoma"),
    )
    markdown = ENGLISH.replace("EXPERIENCE", "## Experience").replace("EDUCATION", "## Education")
    return [
        Sample("english.txt", ENGLISH.encode(), "JOHN O'NEILL", ACME, oklahoma, WRAPPED),
        Sample("english.md", f"# {markdown}".encode(), "JOHN O'NEILL", ACME, oklahoma, WRAPPED),
        Sample("english.pdf", print_pdf(ENGLISH), "JOHN O'NEILL", ACME, oklahoma, WRAPPED),
        Sample("english.docx", word, "John O'Neill", ACME, oklahoma, WRAPPED),
        Sample("side-bar.pdf", make(head, *side, *main), "Maria Rossi", ROSSI, milano, WRAPPED),
        Sample(
            "side-bar-headings-first.pdf",
            make(*side, *main, (10.0, 100.0, "Maria Rossi")),
            "Maria Rossi",  # as the address says
            ROSSI,
            milano,
            WRAPPED,
        ),
        Sample("dates-right.pdf", make(*dates_right), "John O'Neill", ACME),
    ]
