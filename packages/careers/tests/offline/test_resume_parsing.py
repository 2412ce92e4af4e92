"""Text résumés to JSON Resume, over the JSON schema that the parser role sends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from packages.careers.tests.offline.test_usual_layouts import load
from packages.rules.tests.offline.tracker import say
from plainloop.agent.types import ChatRequest, JsonSchema
from plainloop_careers.offline.resumes import parse_resume, unwrap
from plainloop_rules.offline.brain.brain import answer
from tests.linear import is_linear


def parse(text: str, properties: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    any_object: dict[str, Any] = {"type": "object"}
    any_list: dict[str, Any] = {"type": "array", "items": any_object}
    names = ("work", "education", "skills", "languages", "projects", "certificates")
    shape = properties or {"basics": any_object, **dict.fromkeys(names, any_list)}
    schema = JsonSchema("resume", {"type": "object", "properties": shape, **more})
    return json.loads(answer(ChatRequest("Parse it.", [say("user", text)], (), schema)).text)


def test_a_resume_inside_tags_or_under_a_label_is_parsed_completely() -> None:
    text, meant = load("markdown")
    for said in (text, f"Parse this.\n<resume>\n{text}</resume>", f"Résumé:\n{text}"):
        assert parse(said) == meant
    text, meant = load("plain")
    assert parse(text) == meant


def test_parsed_resumes_have_only_schema_keys_and_all_required_ones() -> None:
    basics = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "summary": {"type": "string"}},
        "required": ["name", "summary"],
        "additionalProperties": False,
    }
    shape = {"basics": basics, "work": {"type": "array", "items": {"type": "object"}}}
    assert parse("Ada\nada@x.example", shape, required=["basics", "work"]) == {
        "basics": {"name": "Ada", "summary": ""},
        "work": [],
    }


def test_parsing_a_text_that_is_no_resume_invents_nothing() -> None:
    assert parse("") == {"basics": {}, "work": []}


@pytest.mark.parametrize("born", ["04.05.1990", "4/5/1990"])
def test_a_resumes_date_of_birth_is_not_read_as_a_phone_number(born: str) -> None:
    head = f"Jana Weber\nGeboren: {born}"

    assert parse_resume(head)["basics"] == {"name": "Jana Weber"}
    assert parse_resume(f"{head}\nTelefon: 030 1234567")["basics"]["phone"] == "030 1234567"


@pytest.mark.parametrize("kind", ["<a>\n", "<a>\n</b>", "</a>\n<a>", "<a> ", "cv: "])
def test_finding_resume_tags_in_a_text_takes_linear_time(kind: str) -> None:
    assert is_linear(unwrap, kind)


@pytest.mark.parametrize("kind", ["X\n", "A,\n", "B.Sc. 2019\n"])
def test_a_resume_of_short_lines_is_parsed_in_linear_time(kind: str) -> None:
    assert is_linear(lambda text: parse_resume(f"Experience\n- a\n{text}"), kind)


@pytest.mark.parametrize(
    "lines", ["- Fish\n2019 - 2021\nMarch 2020", "Waiter\n# Cook\n2019 - 2021\n- 2020-03"]
)
def test_dates_on_their_own_line_below_an_entry_are_read(lines: str) -> None:
    work = parse_resume(f"Experience\n{lines}")["work"]

    assert [post["startDate"] for post in work if "startDate" in post] == ["2019"]


def test_a_word_cut_at_a_lines_end_stays_one_word() -> None:
    text = "Experience\nCook, Noma 2019\n- Built soft-\nware for Front-\nund Backend teams"

    (post,) = parse_resume(text)["work"]
    assert post["highlights"] == ["Built soft-ware for Front- und Backend teams"]


OPEN_PERIODS = (
    "2021-03: March 2021 –; March 2021 -; (March 2021 –); March 2021 – …; March 2021 −; Mar '21 –;"
    " 03/2021 –; 03/21 –; 01.03.2021 -; 2021-03 –; 1 March 2021 –; March 1, 2021 - present;"
    " seit März 2021; ab 03/2021; 03.2021 – bis heute; vom 1. März 2021 bis heute;"
    " since 03/21; from March 2021; from March 2021 to date; March 2021 - till now;"
    " depuis le 1er mars 2021; du 1er mars 2021 à ce jour; mars 2021 – présent;"
    " desde marzo de 2021; marzo 2021 a la fecha; da marzo 2021 ad oggi; vanaf maart 2021;"
    " março de 2021 – até o momento; od 03.2021 do teraz; mars 2021 – nå; с марта 2021\n"
    "2021: 2021 –; 2021–; 2021 - heute; 2021 – i dag; seit 2021; 2021 ->; 2021 ‒ present"
)


@pytest.mark.parametrize(
    ("start", "period"),
    [
        (start, period.strip())
        for start, _, periods in (line.partition(": ") for line in OPEN_PERIODS.splitlines())
        for period in periods.split(";")
    ],
)
@pytest.mark.parametrize(
    "lines",
    ["Cook, Noma\n{}\n- Fish", "Cook, Noma, {}", "| {} | Cook | Noma |", "{}\tCook, Noma"],
    ids=["below", "behind", "in a table", "before a tab"],
)
def test_a_period_without_an_end_is_a_start(lines: str, start: str, period: str) -> None:
    text = f"Experience\n{lines.format(period)}\n\nWaiter, Ritz\nMay 2016 – Feb 2019"

    last, first = parse_resume(text)["work"]
    assert {key: last.get(key) for key in ("position", "name", "startDate", "endDate")} == {
        "position": "Cook",
        "name": "Noma",
        "startDate": start,
        "endDate": None,
    }
    assert "location" not in last and "summary" not in last
    assert (first["startDate"], first["endDate"]) == ("2016-05", "2019-02")


@pytest.mark.parametrize("end", ["", "\npresent", "\nFeb 2023", "\n28 February 2023"])
def test_a_period_cut_at_a_lines_end_is_read_whole(end: str) -> None:
    text = f"Experience\nMarch 2021 –{end}\nCook, Noma\n- Fish\n\nMay 2016 – Feb 2019\nWaiter, Ritz"

    posts = parse_resume(text)["work"]
    keys = ("position", "startDate", "endDate")
    assert [[post.get(key) for key in keys] for post in posts] == [
        ["Cook", "2021-03", "2023-02" if "2023" in end else None],
        ["Waiter", "2016-05", "2019-02"],
    ]


def test_months_of_one_digit_are_read_in_short_dates() -> None:
    (post,) = parse_resume("Experience\nCook, Noma, 3/19 - 5/20")["work"]
    assert (post["startDate"], post["endDate"]) == ("2019-03", "2020-05")


FINNISH = """Ansioluettelo
Maija Virtanen
maija.virtanen@x.example

Työkokemus
Kokki, Ravintola Savoy
tammikuu 2019 – nykyinen
- Kalaruoat

Koulutus
Helsingin yliopisto
Kandidaatti, Elintarviketiede
2013 – 2016

Kielitaito
Suomi (äidinkieli)

Taidot
Leivonta
"""
CZECH = """Životopis
Jana Nováková
jana.novakova@x.example

Pracovní zkušenosti
Účetní, Škoda Auto
leden 2019 – současnost

Vzdělání
Univerzita Karlova
Bc., Ekonomie
2013 – 2016

Jazyky
Čeština

Dovednosti
Excel
"""
NORWEGIAN = """Kari Berg
kari.berg@x.example

Arbeidserfaring
Kokk, Maaemo
januar 2019 – nåværende

Utdanning
Universitetet i Oslo
Bachelor, Historie
2013 – 2016

Språk
Norsk

Ferdigheter
Baking
"""


@pytest.mark.parametrize(
    ("text", "work", "education"),
    [
        (FINNISH, ["Kokki", "Ravintola Savoy"], ["Helsingin yliopisto", "Elintarviketiede"]),
        (CZECH, ["Účetní", "Škoda Auto"], ["Univerzita Karlova", "Ekonomie"]),
        (NORWEGIAN, ["Kokk", "Maaemo"], ["Universitetet i Oslo", "Historie"]),
    ],
    ids=["finnish", "czech", "norwegian"],
)
def test_resumes_in_more_languages_are_read_by_their_headings(
    text: str, work: list[str], education: list[str]
) -> None:
    resume = parse_resume(text)
    (post,), (school,) = resume["work"], resume["education"]

    assert [post["position"], post["name"], post["startDate"]] == [*work, "2019-01"]
    assert "endDate" not in post
    assert [school["institution"], school["area"], school["endDate"]] == [*education, "2016"]
    assert (len(resume["languages"]), len(resume["skills"])) == (1, 1)


EUROPASS = """Ana Silva
ana.silva@x.example

WORK EXPERIENCE

[ 01/09/2019 – Current ]
Software engineer
Acme Lda
City: Lisbon
Country: Portugal
Main activities and responsibilities:
◦ Built the thing

[ 02/2016 – 08/2019 ]
Junior developer
Beta SA
City: Porto
Country: Portugal
"""
EUROPASS_BY_PLACE = """Anna Rossi
anna.rossi@x.example

ESPERIENZA LAVORATIVA

01/09/2019 – ATTUALE – Lisbon, Portugal
Software engineer – Acme Lda
• Built the thing

01/02/2016 – 31/08/2019 – Porto, Portugal
Junior developer – Beta SA
"""
EUROPASS_BY_FIRM = """Ana Silva
ana.silva@x.example

WORK EXPERIENCE
Acme Lda
City: Lisbon | Country: Portugal
[ 01/09/2019 – Current ] Software engineer
· Built the thing

Beta SA
City: Porto | Country: Portugal
[ 01/02/2016 – 31/08/2019 ] Junior developer
"""


@pytest.mark.parametrize("text", [EUROPASS, EUROPASS_BY_PLACE, EUROPASS_BY_FIRM])
def test_positions_of_todays_europass_forms_have_their_places(text: str) -> None:
    assert parse_resume(text)["work"] == [
        {
            "position": "Software engineer",
            "name": "Acme Lda",
            "location": "Lisbon, Portugal",
            "startDate": "2019-09",
            "highlights": ["Built the thing"],
        },
        {
            "position": "Junior developer",
            "name": "Beta SA",
            "location": "Porto, Portugal",
            "startDate": "2016-02",
            "endDate": "2019-08",
        },
    ]
