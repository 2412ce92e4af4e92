"""Sheets of other trackers, as their exports are publicly described: what is certain is read."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store
from plainloop_careers.jobs.files import read_jobs, read_jobs_file
from plainloop_careers.jobs.merging import merge_jobs
from plainloop_careers.jobs.salaries import FIELDS
from plainloop_careers.jobs.sheets import write_csv
from plainloop_careers.store import load_job
from plainloop_documents.reading.tables import MAX_ROWS

KEPT = Path(__file__).parents[4] / "shared" / "data" / "reports" / "in"
COOK = {"company": "Gasthaus Müller", "title": "Köchin", "status": "applied"}
PLACE = {"location": "München", "salary_min": 32000, "salary_max": 32000, "salary_currency": "EUR"}
DAY = "2025-06-12T00:00:00+00:00"

# Head lines as products export them: LinkedIn's Jobs/Job Applications.csv and Saved Jobs.csv; of
# Simplify after Vin916/Job-tracker. Of Huntr and Teal no export was found: BOARD and TABLE have the
# columns that such trackers show.
LINKEDIN_APPLIED = (
    "Application Date,Contact Email,Contact Phone Number,Company Name,Job Title,Job Url,"
    "Resume Name,Question And Answers\n"
    '"6/12/25, 2:34 PM",ann@x.example,,Cafe Uno,Line Cook,'
    "https://www.linkedin.com/jobs/view/1,cv.pdf,\n"
)
LINKEDIN_SAVED = (
    "Saved Date,Job Url,Job Title,Company Name\n"
    '"6/12/25, 2:34 PM",https://www.linkedin.com/jobs/view/2,Line Cook,Cafe Uno\n'
)
BOARD = (
    "Company,Job Title,List,Location,Job URL,Salary,Date Added,Date Applied,Description\n"
    'Cafe Uno,Line Cook,Phone Screen,Detroit,https://x.example/1,"$35,000/yr",2025-06-01,2025-06-12,Fish\n'
)
TABLE = (
    "Job Position,Company,Max. Salary,Location,Status,Date Saved,Deadline,Date Applied,Follow Up,"
    "Excitement\n"
    'Line Cook,Cafe Uno,"$35,000",Detroit,Negotiating,06/01/2025,06/30/2025,06/12/2025,,4\n'
)
NOTION = (
    "\ufeffCompany,Position,Stage,Application date,Posting,Tags,Notes\n"
    'Cafe Uno,Line Cook,Interview,"June 12, 2025",https://x.example/1,"fish, knives",Nice people\n'
)
TRELLO = (  # the columns of its CSV in full
    "Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,Attachment Count,"
    "Attachment Links,Checklist Item Total Count,Checklist Item Completed Count,Vote Count,"
    "Comment Count,Last Activity Date,List ID,List Name,Board ID,Board Name,Archived,Start Date,"
    "Due Complete\n"
    "1,Line Cook at Cafe Uno,https://trello.com/c/1,Fish,hot (red),,,0,,0,0,0,0,"
    "2025-06-12T00:00:00.000Z,l1,Interviews,b1,Jobs,false,,false\n"
    "2,Cafe Due - Chef,https://trello.com/c/2,,,,,0,,0,0,0,0,,l2,Applied,b1,Jobs,false,,false\n"
)
GERMAN = (
    "Meine Bewerbungen;;;;;\n\n"
    "Firma;Stelle;Ort;Status;Beworben am;Gehalt (€/Jahr);Ansprechpartner;Bemerkungen\n"
    "Gasthaus Müller;Köchin;München;Absage erhalten;12.06.2025;32.000;m@x.example;War nett\n"
)
FRENCH = (
    "Entreprise\tPoste\tVille\tÉtape\tDate de candidature\tSalaire\n"
    "Café Uno\tCuisinier\tLyon\tEntretien prévu\t12 juin 2025\t30-35 k€ brut annuel\n"
)
SPANISH = (
    "Empresa;Puesto;Estado;Fecha de solicitud\nCafé Uno;Cocinero;Entrevista;12 de junio de 2025\n"
)
ITALIAN = "Azienda;Posizione;Stato;Data candidatura\nCaffè Uno;Cuoco;Colloquio;12 giugno 2025\n"
PORTUGUESE = (
    "Empresa;Vaga;Situação;Data da candidatura\n"
    "Café Uno;Cozinheiro;Candidatura enviada;12/06/2025\n"
)
DUTCH = "Bedrijf;Functie;Stadium;Gesolliciteerd op\nCafé Uno;Kok;Afgewezen;12-6-2025\n"
POLISH = "Pracodawca;Stanowisko;Etap;Data aplikacji\nKawiarnia;Kucharz;Rozmowa;12 czerwca 2025\n"

SWEDISH = "Företag;Tjänst;Status;Ansökt\nKafé Uno;Kock;Intervju;12 juni 2025\n"
NORWEGIAN = "Selskap;Stilling;Status;Søknadsdato\nKafé Uno;Kokk;Søkt;12. juni 2025\n"
DANISH = "Virksomhed;Stilling;Status;Ansøgt den\nCafé Uno;Kok;Afslag;12. juni 2025\n"
FINNISH = "Yritys;Tehtävä;Tila;Hakupäivä\nKahvila;Kokki;Haettu;12. kesäkuuta 2025\n"
CZECH = "Firma;Pozice;Stav;Datum odeslání\nKavárna;Kuchař;Pohovor;12. června 2025\n"
SIMPLIFY = (
    "Job Title,Company Name,Job URL,Applied Date,Status,Status Date,Archived,Date Archived,Notes\n"
    "Line Cook,Cafe Uno,https://x.example/1,2025-06-12,SCREEN,2025-06-20,false,,Nice\n"
)
NOTION_NAME = "Name,Company,Status,Applied On\nLine Cook,Cafe Uno,Applied - No Response,\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            SIMPLIFY,
            {
                "status": "interviewing",
                "applied_at": DAY,
                "url": "https://x.example/1",
                "notes": "Nice\nStatus Date: 2025-06-20\nArchived: false",
            },
        ),
        (NOTION_NAME, {"status": "applied"}),
        (
            LINKEDIN_APPLIED,
            {
                "status": "applied",
                "applied_at": "2025-06-12T14:34:00+00:00",
                "contact_email": "ann@x.example",
                "url": "https://www.linkedin.com/jobs/view/1",
                "notes": "Resume Name: cv.pdf",
            },
        ),
        (
            LINKEDIN_SAVED,
            {
                "created_at": "2025-06-12T14:34:00+00:00",
                "url": "https://www.linkedin.com/jobs/view/2",
            },
        ),
        (
            BOARD,
            {
                "status": "interviewing",
                "location": "Detroit",
                "url": "https://x.example/1",
                "salary_min": 35000,
                "salary_max": 35000,
                "salary_currency": "$",
                "salary_period": "year",
                "created_at": "2025-06-01T00:00:00+00:00",
                "applied_at": DAY,
                "notes": "Description: Fish",
            },
        ),
        (
            TABLE,
            {
                "status": "offer",
                "location": "Detroit",
                "salary_max": 35000,
                "salary_currency": "$",
                "created_at": "2025-06-01T00:00:00+00:00",
                "applied_at": DAY,
                "notes": "Deadline: 06/30/2025\nExcitement: 4",
            },
        ),
        (
            NOTION,
            {
                "status": "interviewing",
                "applied_at": DAY,
                "url": "https://x.example/1",
                "tags": "fish, knives",
                "notes": "Nice people",
            },
        ),
        (
            TRELLO,
            {
                "status": "interviewing",
                "tags": "hot",
                "updated_at": DAY,
                "notes": "Card URL: https://trello.com/c/1\nCard Description: Fish\n"
                "Board Name: Jobs\nArchived: false",
            },
        ),
    ],
    ids=[
        "simplify",
        "notion-name",
        "linkedin-applied",
        "linkedin-saved",
        "board",
        "table",
        "notion",
        "trello",
    ],
)
def test_another_trackers_export_is_imported_with_dates_and_stages(
    text: str, expected: dict[str, Any]
):
    found = read_jobs(text.encode(), "export.csv")
    status = {"status": "saved"}
    assert found.jobs[0] == {"company": "Cafe Uno", "title": "Line Cook", **status, **expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GERMAN, ["Gasthaus Müller", "Köchin", "rejected", DAY]),
        (FRENCH, ["Café Uno", "Cuisinier", "interviewing", DAY]),
        (SPANISH, ["Café Uno", "Cocinero", "interviewing", DAY]),
        (ITALIAN, ["Caffè Uno", "Cuoco", "interviewing", DAY]),
        (DUTCH, ["Café Uno", "Kok", "rejected", None]),
        (POLISH, ["Kawiarnia", "Kucharz", "interviewing", DAY]),
        (PORTUGUESE, ["Café Uno", "Cozinheiro", "applied", None]),
        (SWEDISH, ["Kafé Uno", "Kock", "interviewing", DAY]),
        (NORWEGIAN, ["Kafé Uno", "Kokk", "applied", DAY]),
        (DANISH, ["Café Uno", "Kok", "rejected", DAY]),
        (FINNISH, ["Kahvila", "Kokki", "applied", DAY]),
        (CZECH, ["Kavárna", "Kuchař", "interviewing", DAY]),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_sheet_headings_are_recognised_in_thirteen_languages(text: str, expected: list[Any]):
    found = read_jobs(text.encode(), "list.csv")
    (job,) = found.jobs
    names = ("company", "title", "status", "applied_at")
    assert [job.get(name) for name in names] == expected
    # 12/06/2025 is a day of June or of December: it stays a note, and the report says so.
    assert bool(found.unread) == (expected[3] is None)


def test_a_german_sheets_salary_contact_and_remarks_are_imported():
    (job,) = read_jobs(GERMAN.encode("cp1252"), "liste.csv").jobs
    assert job == {
        **COOK,
        **PLACE,
        "status": "rejected",
        "salary_period": "year",
        "contact_email": "m@x.example",
        "applied_at": DAY,
        "notes": "Bemerkungen: War nett",
    }


@pytest.mark.skipif(not KEPT.is_dir(), reason="no reported files beside the repository")
@pytest.mark.parametrize("name", ["bom", "cp1252", "utf16", "sep", "cr", "title_lines"])
def test_a_sheet_with_an_umlaut_is_imported_in_each_encoding(name: str):
    (file,) = KEPT.glob(f"35*_{name}.csv")
    assert read_jobs(file.read_bytes(), file.name).jobs == [COOK | PLACE]


@pytest.mark.parametrize(
    ("encoding", "company"),
    [("utf-16-be", "Müller"), ("cp1250", "Żabka Łódź"), ("cp1251", "Яндекс Еда")],
)
def test_a_sheet_without_a_byte_order_mark_is_decoded_correctly(encoding: str, company: str):
    text = f"Company;Title;Notes\n{company};Cook;{company} {company}\n"
    assert read_jobs(text.encode(encoding), "a.csv").jobs[0]["company"] == company


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (
            "Employer Name,Position Applied For,Outcome\nUno,Cook,Rejected after interview\n",
            "rejected",
        ),
        ("Entreprise;Intitulé du poste;Réponse\nUno;Cook;Refus\n", "rejected"),
        ("Unternehmen;Position;Bewerbung vom\nUno;Cook;13.06.2025\n", "applied"),
        ("Company,Title,Status\nUno,Cook,Declined offer\n", "withdrawn"),
        ("Company,Title,Status\nUno,Cook,Waiting to hear back\n", "applied"),
    ],
)
def test_an_outcome_column_of_any_name_becomes_the_status(text: str, status: str):
    (job,) = read_jobs(text.encode(), "list.csv").jobs
    assert (job["company"], job["title"], job["status"]) == ("Uno", "Cook", status)
    assert "notes" not in job


def make_workbook(*rows: list[Any]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)  # pyright: ignore[reportOptionalMemberAccess]
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


async def test_an_excel_sheet_is_imported_like_csv():
    head = ["Company", "Job Title", "Status", "Date Applied", "Min Salary", "Mood"]
    row = ["Cafe Uno", "Line Cook", "Applied", date(2025, 6, 12), 35000, "ok"]
    content = make_workbook(["My search"], [], head, row)
    found = await read_jobs_file(content, "search.xlsx", Limits())
    assert found.jobs == [
        {
            "company": "Cafe Uno",
            "title": "Line Cook",
            "status": "applied",
            "applied_at": DAY,
            "salary_min": 35000,
            "notes": "Mood: ok",
        }
    ]


def test_thousands_with_points_in_a_salary_column_are_not_decimals():
    text = "Firma;Stelle;salary_min;salary_max\nUno;Koch;45.000;1.200.000\nDue;Koch;45.50;60\n"
    found = read_jobs(text.encode(), "list.csv")
    ends = [(job["salary_min"], job["salary_max"]) for job in found.jobs]
    assert ends == [(45000, 1200000), (45.5, 60)]


def test_a_trello_card_with_an_ambiguous_title_needs_a_mapping():
    found = read_jobs(TRELLO.encode(), "board.csv")
    assert found.rejected[0][0] == 2
    assert "which side is the company" in found.rejected[0][1]
    mapping = {"columns": {"Card Name": "company - title"}}
    with_mapping = read_jobs(TRELLO.encode(), "board.csv", mapping)
    assert [(job["company"], job["title"]) for job in with_mapping.jobs] == [("Cafe Due", "Chef")]


def test_a_trello_boards_json_is_read_by_its_lists():
    board = {
        "lists": [{"id": "a", "name": "Applied"}],
        "cards": [
            {
                "name": "Line Cook at Cafe Uno",
                "idList": "a",
                "desc": "Fish",
                "labels": [{"name": "x"}],
            },
            {"name": "Old at Cafe", "idList": "a", "closed": True},
        ],
    }
    (job,) = read_jobs(json.dumps(board).encode(), "board.json").jobs
    assert job == {
        "company": "Cafe Uno",
        "title": "Line Cook",
        "status": "applied",
        "tags": "x",
        "notes": "Fish",
    }


def test_unknown_sheet_columns_are_named_and_can_be_mapped():
    text = b"Betrieb,Was,Wie\nCafe Uno,Line Cook,heiss\n"
    with pytest.raises(InputError) as caught:
        read_jobs(text, "list.csv")
    assert caught.value.code == "SHEET_UNMAPPED"
    assert "Betrieb, Was, Wie" in caught.value.message
    mapping = {"columns": {"Betrieb": "company", "Was": "title", "Wie": "status"}}
    (job,) = read_jobs(text, "list.csv", {**mapping, "statuses": {"heiss": "offer"}}).jobs
    assert job == {"company": "Cafe Uno", "title": "Line Cook", "status": "offer"}
    with pytest.raises(InputError, match="the job tracker has no field"):
        read_jobs(text, "list.csv", {"columns": {"Betrieb": "firm"}})


async def test_importing_a_sheet_twice_only_fills_empty_fields(store: Store) -> None:
    rows = (
        "Company,Title,Status,Location\nUno,Cook,applied,\nUno,Cook,saved,Rome\nDue,Chef,saved,\n"
    )
    jobs = read_jobs(rows.encode(), "a.csv").jobs

    async def send(jobs: list[dict[str, Any]]) -> list[int]:
        async with store.transaction("t1") as db:
            merged = await merge_jobs(db, ("t1", "u1"), jobs)
        return [len(merged.created), len(merged.updated), len(merged.known)]

    assert [await send(jobs), await send(jobs)] == [[3, 0, 0], [0, 0, 3]]
    later = rows.replace("Due,Chef,saved,", "Due,Chef,offer,Bonn").replace("applied", "saved")
    changed = read_jobs(later.encode(), "a.csv").jobs
    assert [await send(changed), await send(changed)] == [[0, 1, 2], [0, 0, 3]]
    read = await store.read("t1").fetch("select * from careers_jobs order by job_id")
    assert [row["status"] for row in read] == ["applied", "saved", "offer"]
    exported = write_csv(read)
    edited = exported.replace("Chef", "Head Chef")
    assert await send(read_jobs(exported.encode(), "b.csv").jobs) == [0, 0, 3]
    assert (await send(read_jobs(edited.encode(), "b.csv").jobs))[:2] == [1, 0]
    async with store.transaction("t1") as db:
        assert not (await merge_jobs(db, ("t1", "u2"), jobs)).known


NEWER = {"updated_at": "2100-01-01T00:00:00+00:00"}
YEARLY = {
    "salary_min": 50000,
    "salary_max": 60000,
    "salary_currency": "USD",
    "salary_period": "year",
}


@pytest.mark.parametrize(
    ("known", "row", "pay"),
    [
        ({"salary_max": 50000}, {"salary_min": 60000}, (None, 50000, None)),
        (
            {"salary_max": 50000, "salary_currency": "USD"},
            {"salary_min": 40000, "salary_max": 45000, "salary_currency": "EUR"},
            (None, 50000, "USD"),
        ),
        ({"salary_max": 50000}, {"salary_min": 40000}, (40000, 50000, None)),
        ({"salary_max": 50000}, {"salary_min": 60000, **NEWER}, (60000, None, None)),
        (YEARLY, {"salary_min": 30, "salary_period": "hour", **NEWER}, (30, None, None, "hour")),
        (
            YEARLY,
            {"salary_min": 55000, "salary_currency": "EUR", **NEWER},
            (55000, None, "EUR", None),
        ),
        (YEARLY, {"salary_min": 55000, **NEWER}, (55000, 60000, "USD", "year")),
        (
            YEARLY,
            {"salary_min": 55000, "salary_currency": "USD", **NEWER},
            (55000, 60000, "USD", "year"),
        ),
        (YEARLY, {"salary_currency": "EUR", **NEWER}, (50000, 60000, "USD", "year")),
        ({"salary_currency": "USD"}, {"salary_currency": "EUR", **NEWER}, (None, None, "EUR")),
    ],
)
async def test_an_imported_row_never_mixes_two_pays(
    store: Store, known: dict[str, Any], row: dict[str, Any], pay: tuple[Any, ...]
) -> None:
    named = {"company": "Uno", "title": "Cook"}
    async with store.transaction("t1") as db:
        await merge_jobs(db, ("t1", "u1"), [{**named, **known}])
        await merge_jobs(db, ("t1", "u1"), [{**named, **row}])
        job = await load_job(db, ("t1", "u1"), 1)
    assert job is not None
    assert tuple(job[name] for name in FIELDS)[: len(pay)] == pay


async def test_two_rows_with_the_same_url_update_only_one_of_two_jobs(store: Store) -> None:
    async def send(text: str) -> list[list[int]]:
        jobs = read_jobs(text.encode(), "a.csv").jobs
        async with store.transaction("t1") as db:
            merged = await merge_jobs(db, ("t1", "u1"), jobs)
        groups = (merged.created, merged.updated, merged.known)
        return [[row["job_id"] for row in rows] for rows in groups]

    row = "Uno,Cook,https://uno.example/1\n"
    assert await send("Company,Title\nUno,Cook\nUno,Cook\n") == [[1, 2], [], []]
    assert await send(f"Company,Title,URL\n{row}{row}") == [[], [1], [1]]


@pytest.mark.parametrize(
    "row",
    [
        "Uno,Cook,12 blorp 2025,Was ist das,$1 - $2 a day\n",
        "Uno,Cook,3 Frimaire 2025 {n},xx {n},from 4 {n} lakh\n",
        '"a","b",' + "9" * 250 + ",,\n",
    ],
)
def test_the_largest_sheet_is_read_in_bounded_time(row: str):
    body = "".join(row.replace("{n}", str(n)) for n in range(MAX_ROWS))
    began = time.process_time()
    read_jobs(f"Company,Title,Applied on,Status,Salary\n{body}".encode(), "a.csv")
    assert time.process_time() - began < 15


def test_importing_the_jobs_routes_loads_no_sheet_reader():
    code = (
        "import sys, plainloop_careers.routes.jobs as _; "
        "sys.exit(bool({'openpyxl', 'dateparser', 'lxml', 'docx'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


WORK_SEARCH_LOG = (
    "Date of Contact,Employer Name,Person Contacted,Type of Work Sought,Result of Contact\n"
    "06/12/2025,Cafe Uno,Joe,Line Cook,Not hiring\n"
)
GERMAN_LOG = (
    "Nr.\tArbeitgeber\tBezeichnung der Stelle\tBeworben am\tErgebnis\n"
    "1\tCafé Uno\tKoch\t12.06.25\tEinladung zum Vorstellungsgespräch\n"
)
OWN_SHEET = (
    "Role,Company,Applied Date,Current Stage,Comp,Remote?\n"
    "Line Cook,Cafe Uno,6/13/25,OA,$150k–$170k,Hybrid\n"
)
PIPELINE = (
    "id,company_name,job_title,status,is_remote,salary_range_min,salary_range_max,applied_at\n"
    "77,Cafe Uno,Line Cook,rejected,true,48000,56000,2025-06-12T00:00:00Z\n"
)
NOTION_LINKED = (
    "Company,Position,Status\nCafe Uno (https://www.notion.so/Cafe-Uno-0a1b2c),Cook,Interview\n"
)
MEXICAN = "Empresa,Cargo,Fecha de postulación,Estatus\nCafé Uno,Cocinero,12/06/2025,Rechazado\n"
GENDERED = "Firma;Stelle;Ansprechpartner/in\nCafé Uno;Koch;Frau Jäger\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            PIPELINE,
            {"remote_type": "remote", "salary_min": 48000, "salary_max": 56000, "applied_at": DAY},
        ),
        (NOTION_LINKED, {"company": "Cafe Uno", "status": "interviewing"}),
        (MEXICAN, {"status": "rejected"}),
        (GENDERED, {"contact_name": "Frau Jäger"}),
        (WORK_SEARCH_LOG, {"title": "Line Cook", "status": "rejected", "contact_name": "Joe"}),
        (GERMAN_LOG, {"title": "Koch", "status": "interviewing", "applied_at": DAY}),
        (OWN_SHEET, {"status": "interviewing", "salary_max": 170000, "remote_type": "hybrid"}),
    ],
    ids=[
        "pipeline",
        "Notion",
        "Estatus",
        "gendered",
        "work search log",
        "Eigenbemühungen",
        "own sheet",
    ],
)
def test_sheets_of_public_trackers_are_imported(text: str, expected: dict[str, Any]) -> None:
    (job,) = read_jobs(text.encode(), "log.csv").jobs
    assert {name: job.get(name) for name in expected} == expected


def test_line_breaks_inside_cells_start_no_new_row():
    notes = "\n".join(f"Line {number}, with more, and a comma" for number in range(6))
    lines = [f'Acme {number};Cook;"{notes}"' for number in range(1_000)]

    found = read_jobs("\n".join(["company;title;notes", *lines]).encode(), "jobs.csv")

    assert [(job["company"], job["notes"]) for job in found.jobs[:1]] == [("Acme 0", notes)]
    assert len(found.jobs) == 1_000


@pytest.mark.parametrize("day", ["9999-12-31T23:00:00-05:00", "0001-01-01T00:00:00+05:00"])
async def test_dates_at_the_ends_of_the_calendar_are_kept_as_notes(store: Store, day: str):
    found = read_jobs(f"company,title,applied\nAcme,Cook,{day}".encode(), "jobs.csv")
    async with store.transaction("t1") as db:
        merged = await merge_jobs(db, ("t1", "u1"), found.jobs)

    assert [(row["applied_at"], row["notes"]) for row in merged.created] == [
        (None, f"applied: {day}")
    ]
