"""Layouts that most résumés have: every field that a reader sees is the one that was meant.

`layouts/NAME.txt` is what a résumé says, `layouts/NAME.json` what was meant.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from packages.careers.tests.resume_files import print_pdf
from plainloop.agent.config.settings import Limits
from plainloop_careers.offline.resumes import parse_resume
from plainloop_careers.resumes.review import list_doubts
from plainloop_documents.reading.files import read_file

FOLDER = Path(__file__).with_name("layouts")
LAYOUTS = sorted(path.stem for path in FOLDER.glob("*.txt"))


def load(layout: str) -> tuple[str, dict[str, Any]]:
    text = (FOLDER / f"{layout}.txt").read_text(encoding="utf-8")
    return text, json.loads((FOLDER / f"{layout}.json").read_bytes())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_common_resume_layout_is_parsed_to_the_expected_fields(layout: str) -> None:
    text, meant = load(layout)

    assert parse_resume(text) == meant
    assert list_doubts(meant, text) == []


async def test_resume_layouts_are_parsed_the_same_from_a_pdf() -> None:
    text, meant = load("linkedin")
    file = await read_file(print_pdf(text, size=9), "profile.pdf", Limits())

    assert parse_resume(file.text) == meant


def test_resume_parsing_tells_birth_dates_from_phone_numbers() -> None:
    work = "Berufserfahrung\nKoch bei Noma, Mär 2019 – Dez 2021"
    resume = parse_resume(f"Jana Weber\n04.05.1990\n030 1234567\n\n{work}")
    assert parse_resume("Jana Weber\nGeboren: 4/5/1990")["basics"] == {"name": "Jana Weber"}

    assert resume["basics"] == {"name": "Jana Weber", "phone": "030 1234567"}
    dates = resume["work"][0]["startDate"], resume["work"][0]["endDate"]
    assert dates == ("2019-03", "2021-12")


def test_wrongly_parsed_resume_layouts_are_always_marked_as_doubtful() -> None:
    layouts = json.loads((FOLDER.with_name("more_layouts.json")).read_bytes())
    right, unmarked = 0, list[str]()
    for name, meant in layouts.items():
        resume = parse_resume(meant["text"])
        keys = ("position", "name", "startDate", "endDate")
        posts = [[post.get(key) for key in keys] for post in resume["work"]]
        schools = len(resume.get("education", []))
        is_right = posts == meant["work"] and schools == meant["education"]
        named = [entry.get("institution") for entry in resume.get("education", [])]
        is_right = is_right and named == meant.get("schools", named)
        right += is_right
        if not is_right and not list_doubts(resume, meant["text"]):
            unmarked.append(name)
    assert (len(layouts), unmarked) == (57, [])
    assert right >= 54


def test_section_headings_are_never_parsed_as_values() -> None:
    text = (
        "PERSONAL INFORMATION Marko Horvat\nm.horvat@x.example\n\nHighlights\nPERSONAL SKILLS\nGo"
    )
    resume = parse_resume(text)
    assert resume["basics"]["name"] == "Marko Horvat"
    assert resume["skills"] == [{"name": "Go"}]


def test_an_orcid_is_parsed_as_a_profile_not_as_a_phone_number() -> None:
    basics = parse_resume("Ana Ruiz\nORCID: 0000-0002-1825-0097\nana@x.example")["basics"]
    url = "https://orcid.org/0000-0002-1825-0097"
    profile = {"network": "ORCID", "username": "0000-0002-1825-0097", "url": url}
    assert basics == {"name": "Ana Ruiz", "email": "ana@x.example", "profiles": [profile]}


def test_addresses_of_sites_are_parsed_without_a_scheme() -> None:
    head = "Ana Ruiz\nOslo | linkedin.com/in/ana-ruiz | ana@x.example | github.com/ana"
    basics = parse_resume(f"{head}\n\nSkills\nGo")["basics"]
    assert (basics["name"], basics["email"]) == ("Ana Ruiz", "ana@x.example")
    assert basics["url"] == "linkedin.com/in/ana-ruiz"
    assert basics["profiles"] == [{"url": "github.com/ana"}]
