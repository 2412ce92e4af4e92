"""Layouts that most résumés have: every field that a reader sees is the one that was meant."""

from __future__ import annotations

from typing import Any

import pytest

from packages.careers.tests.resume_files import print_pdf
from plainloop.agent.config.settings import Limits
from plainloop_careers.offline.resumes import parse_resume
from plainloop_careers.resumes.review import list_doubts
from plainloop_documents.reading.files import read_file

# As LinkedIn prints it: the column beside first, which ends in the person.
LINKEDIN = """Contact
mara.lindqvist@example.com
www.linkedin.com/in/maralindqvist

Top Skills
Python
PostgreSQL
Event-driven systems

Languages
Swedish (Native or Bilingual)
English (Full Professional)

Certifications
AWS Certified Developer

Mara Lindqvist
Senior Backend Engineer at Nordfrakt
Gothenburg, Sweden

Summary
Backend engineer who likes boring systems.

Experience

Nordfrakt
Senior Backend Engineer
March 2020 - Present (5 years 9 months)
Gothenburg
Led a team of 4 engineers.

Kollektivt
Software Engineer
August 2016 - February 2020 (3 years 7 months)
Stockholm
Built the timetable API.

Education
Chalmers University of Technology
Master of Science - MS, Computer Science · (2011 - 2016)
"""
# Labels above, times before, and words for now that are not English.
GERMAN = """Lebenslauf

Persönliche Daten
Name: Jana Weber
Geburtsdatum: 04.05.1990
E-Mail: jana.weber@example.de
Telefon: +49 30 1234567

Berufserfahrung
03/2019 – heute   Softwareentwicklerin, Müller GmbH, Berlin
- Zahlungsdienst entwickelt
06/2015 – 02/2019   Werkstudentin, Siemens AG, München

Ausbildung
2010 – 2015   B.Sc. Informatik, TU München

Kenntnisse
Python, PostgreSQL, Docker

Sprachen
Deutsch (Muttersprache), Englisch (fließend)
"""
# The firm and its town in one line, the post and its time below.
TWO_LINES = """MARA LINDQVIST
Gothenburg | mara@example.com | +46 70 123 45 67

PROFESSIONAL EXPERIENCE
Nordfrakt AB                                   Gothenburg
Senior Backend Engineer                 Mar 2020 – Present
• Led a team of 4

Kollektivt                                      Stockholm
Software Engineer                     Aug 2016 – Feb 2020
• Built the timetable API

EDUCATION
Chalmers University of Technology              2011 – 2016
MSc in Computer Science

TECHNICAL SKILLS
Languages: Python, SQL
Databases: PostgreSQL
"""
# Firm first, with commas; a town alone below the address.
FIRM_FIRST = """Mara Lindqvist
mara@example.com
Gothenburg

Work
Nordfrakt, Senior Backend Engineer, 2020 - present
- Led a team of 4
Kollektivt, Software Engineer, 2016 - 2020
- Built the timetable API

Education
Chalmers University of Technology, MSc Computer Science, 2011 - 2016

Skills
Python, PostgreSQL
"""


def post(position: str, name: str, location: str | None, start: str, end: str | None, **more: Any):
    said = {"position": position, "name": name, "location": location, "startDate": start}
    return {key: value for key, value in {**said, "endDate": end, **more}.items() if value}


CHALMERS = {
    "institution": "Chalmers University of Technology",
    "studyType": "MSc",
    "area": "Computer Science",
    "startDate": "2011",
    "endDate": "2016",
}
TEAM, API = ["Led a team of 4"], ["Built the timetable API"]
SENIOR, ENGINEER = "Senior Backend Engineer", "Software Engineer"
READ: dict[str, tuple[str, dict[str, Any]]] = {
    "linkedin": (
        LINKEDIN,
        {
            "basics": {
                "name": "Mara Lindqvist",
                "label": "Senior Backend Engineer at Nordfrakt",
                "email": "mara.lindqvist@example.com",
                "url": "www.linkedin.com/in/maralindqvist",
                "summary": "Backend engineer who likes boring systems.",
            },
            "work": [
                post(
                    *(SENIOR, "Nordfrakt", "Gothenburg", "2020-03", None),
                    summary="Led a team of 4 engineers.",
                ),
                post(
                    *(ENGINEER, "Kollektivt", "Stockholm", "2016-08", "2020-02"),
                    summary="Built the timetable API.",
                ),
            ],
            "education": [{**CHALMERS, "studyType": "Master of Science"}],
            "skills": [{"name": name} for name in ("Python", "PostgreSQL", "Event-driven systems")],
            "languages": [
                {"language": "Swedish", "fluency": "Native or Bilingual"},
                {"language": "English", "fluency": "Full Professional"},
            ],
            "certificates": [{"name": "AWS Certified Developer"}],
        },
    ),
    "german": (
        GERMAN,
        {
            "basics": {
                "name": "Jana Weber",
                "email": "jana.weber@example.de",
                "phone": "+49 30 1234567",
            },
            "work": [
                post(
                    *("Softwareentwicklerin", "Müller GmbH", "Berlin", "2019-03", None),
                    highlights=["Zahlungsdienst entwickelt"],
                ),
                post("Werkstudentin", "Siemens AG", "München", "2015-06", "2019-02"),
            ],
            "education": [
                {
                    "institution": "TU München",
                    "studyType": "B.Sc.",
                    "area": "Informatik",
                    "startDate": "2010",
                    "endDate": "2015",
                }
            ],
            "skills": [{"name": name} for name in ("Python", "PostgreSQL", "Docker")],
            "languages": [
                {"language": "Deutsch", "fluency": "Muttersprache"},
                {"language": "Englisch", "fluency": "fließend"},
            ],
        },
    ),
    "two-lines": (
        TWO_LINES,
        {
            "basics": {
                "name": "MARA LINDQVIST",
                "email": "mara@example.com",
                "phone": "+46 70 123 45 67",
            },
            "work": [
                post(SENIOR, "Nordfrakt AB", "Gothenburg", "2020-03", None, highlights=TEAM),
                post(ENGINEER, "Kollektivt", "Stockholm", "2016-08", "2020-02", highlights=API),
            ],
            "education": [CHALMERS],
            "skills": [
                {"name": "Languages", "keywords": ["Python", "SQL"]},
                {"name": "Databases", "keywords": ["PostgreSQL"]},
            ],
        },
    ),
    "firm-first": (
        FIRM_FIRST,
        {
            "basics": {"name": "Mara Lindqvist", "email": "mara@example.com"},
            "work": [
                post(SENIOR, "Nordfrakt", None, "2020", None, highlights=TEAM),
                post(ENGINEER, "Kollektivt", None, "2016", "2020", highlights=API),
            ],
            "education": [CHALMERS],
            "skills": [{"name": "Python"}, {"name": "PostgreSQL"}],
        },
    ),
}


@pytest.mark.parametrize("layout", READ)
def test_a_usual_layout_is_read_as_it_was_meant(layout: str) -> None:
    text, meant = READ[layout]

    assert parse_resume(text) == meant
    assert list_doubts(meant, text) == []


async def test_it_is_read_so_from_a_printed_page_too() -> None:
    text, meant = READ["linkedin"]
    file = await read_file(print_pdf(text, size=9), "profile.pdf", Limits())

    assert parse_resume(file.text) == meant


def test_a_day_of_birth_is_no_number_to_call_and_months_have_other_names() -> None:
    work = "Berufserfahrung\nKoch bei Noma, Mär 2019 – Dez 2021"
    resume = parse_resume(f"Jana Weber\n04.05.1990\n030 1234567\n\n{work}")

    assert resume["basics"] == {"name": "Jana Weber", "phone": "030 1234567"}
    dates = resume["work"][0]["startDate"], resume["work"][0]["endDate"]
    assert dates == ("2019-03", "2021-12")
