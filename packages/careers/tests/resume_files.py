"""Sixteen résumés as people write them: four languages, six kinds of file, layouts of all sorts."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import docx
import fpdf

from packages.documents.tests.samples import make_docx, make_placed_pdf

Post = tuple[str, str, str | None, str | None]  # position, employer, from, until


@dataclass(frozen=True)
class Sample:
    file: str
    content: bytes
    name: str
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


def write_table(*rows: tuple[str, str]) -> bytes:
    document = docx.Document()
    table = document.add_table(rows=0, cols=2)
    for left, right in rows:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = left, right
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


GERMAN = """Lebenslauf

Persönliche Daten
Name: Anna Schmidt
Geburtsdatum: 1. Mai 1990
E-Mail: anna.schmidt@example.de

Berufserfahrung
Seit März 2019
Softwareentwicklerin bei Nordlicht GmbH
- Entwicklung eines Zahlungsdienstes, der täglich 20.000
Ereignisse verarbeitet
- Leitung eines Teams von fünf Personen

01/2015 – 02/2019
Werkstudentin bei Hafen AG
- Pflege der Website

Ausbildung
Bachelor of Science in Informatik, Universität Hamburg, 2012 – 2015

Sprachkenntnisse
Deutsch (Muttersprache), Englisch (C1)
"""
FRENCH = """Curriculum Vitae

Nom : Dubois
Prénom : Claire
claire.dubois@example.fr | 06 12 34 56 78

Expérience professionnelle
Ingénieure logiciel chez Lumière SA
Depuis juin 2020
• Conception d'une plateforme de paiement pour
plus de 200 magasins
• Encadrement de trois stagiaires

Développeuse chez Atelier Web
Septembre 2016 – mai 2020

Formation
Master en Informatique, Université de Lyon, 2014 – 2016

Langues
Français (langue maternelle), Anglais : courant
"""
SPANISH = """CURRÍCULUM VÍTAE

DATOS PERSONALES
Nombre y apellidos: Lucía Fernández Ortega
lucia.fernandez@example.es

EXPERIENCIA LABORAL
Desde enero de 2021
Jefa de cocina en Casa Botín
- Responsable de un equipo de doce personas y de
la compra diaria
2015 – 2020
Cocinera en El Bulli Norte

FORMACIÓN ACADÉMICA
Grado en Gastronomía, Universidad de Valencia, 2011 – 2015

IDIOMAS
Español (nativo), Inglés (B2)
"""
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
NORDLICHT: list[Post] = [
    ("Softwareentwicklerin", "Nordlicht GmbH", "2019-03", None),
    ("Werkstudentin", "Hafen AG", "2015-01", "2019-02"),
]
LUMIERE: list[Post] = [
    ("Ingénieure logiciel", "Lumière SA", "2020-06", None),
    ("Développeuse", "Atelier Web", "2016-09", "2020-05"),
]
BOTIN: list[Post] = [
    ("Jefa de cocina", "Casa Botín", "2021-01", None),
    ("Cocinera", "El Bulli Norte", "2015", "2020"),
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
    oklahoma, hamburg = ["University of Oklahoma"], ["Universität Hamburg"]
    lyon, valencia = ["Université de Lyon"], ["Universidad de Valencia"]
    milano = ["Politecnico di Milano"]
    make: Callable[..., bytes] = make_placed_pdf
    head, side, main = (
        (75.0, 12.0, "Maria Rossi"),
        column(10, 25, SIDE_BAR),
        column(75, 25, MAIN_COLUMN),
    )
    dates_left = [
        *column(10, 20, "Lebenslauf\nName:\nE-Mail:"),
        *column(70, 20, "\nAnna Schmidt\nanna.schmidt@example.de"),
        *column(10, 45, "Berufserfahrung\n03/2019 - heute\n\n01/2015 - 02/2019"),
        *column(
            70,
            45,
            "\nSoftwareentwicklerin bei Nordlicht GmbH\n- Zahlungsdienst\n"
            "Werkstudentin bei Hafen AG\n- Website",
        ),
    ]
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
    table = write_table(
        ("Lebenslauf", ""),
        ("Name: Anna Schmidt", ""),
        ("Berufserfahrung", ""),
        ("03/2019 – heute Softwareentwicklerin bei Nordlicht GmbH", "- Zahlungsdienst"),
        ("01/2015 – 02/2019 Werkstudentin bei Hafen AG", "- Website"),
    )
    markdown = ENGLISH.replace("EXPERIENCE", "## Experience").replace("EDUCATION", "## Education")
    return [
        Sample("english.txt", ENGLISH.encode(), "JOHN O'NEILL", ACME, oklahoma, WRAPPED),
        Sample("english.md", f"# {markdown}".encode(), "JOHN O'NEILL", ACME, oklahoma, WRAPPED),
        Sample("english.pdf", print_pdf(ENGLISH), "JOHN O'NEILL", ACME, oklahoma, WRAPPED),
        Sample("english.docx", word, "John O'Neill", ACME, oklahoma, WRAPPED),
        Sample("german.txt", GERMAN.encode(), "Anna Schmidt", NORDLICHT, hamburg, "Ereignisse"),
        Sample("german-latin1.txt", GERMAN.encode("cp1252"), "Anna Schmidt", NORDLICHT, hamburg),
        Sample("german.pdf", print_pdf(GERMAN), "Anna Schmidt", NORDLICHT, hamburg, "Ereignisse"),
        Sample("german-table.docx", table, "Anna Schmidt", NORDLICHT),
        Sample("german-dates-left.pdf", make(*dates_left), "Anna Schmidt", NORDLICHT),
        Sample(
            "french.txt", FRENCH.encode(), "Claire Dubois", LUMIERE, lyon, "plus de 200 magasins"
        ),
        Sample(
            "french.pdf", print_pdf(FRENCH), "Claire Dubois", LUMIERE, lyon, "plus de 200 magasins"
        ),
        Sample(
            "spanish.txt", SPANISH.encode(), "Lucía Fernández Ortega", BOTIN, valencia, "compra"
        ),
        Sample("spanish.pdf", print_pdf(SPANISH), "Lucía Fernández Ortega", BOTIN, valencia),
        Sample("side-bar.pdf", make(head, *side, *main), "Maria Rossi", ROSSI, milano, WRAPPED),
        Sample(
            "side-bar-headings-first.pdf",
            make(*side, *main, (10.0, 100.0, "Maria Rossi")),
            "Maria Rossi",
            ROSSI,
            milano,
            WRAPPED,
        ),
        Sample("dates-right.pdf", make(*dates_right), "John O'Neill", ACME),
    ]
