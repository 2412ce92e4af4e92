"""LinkedIn's copy of one's data, as the archive or as one of its files.

Columns as in abhishekwebcode/…LinkedInDataExport…, mohamedeways/LinkedIn-Profile and the files
that JMPerez/linkedin-to-json-resume reads.
"""

from __future__ import annotations

import io
import zipfile

import pytest

from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop_careers.resumes.imports import read_resume_file

POSITIONS = (
    "Company Name,Title,Description,Location,Started On,Finished On\n"
    'Noma,Head Cook,"Fish, and sauces",Copenhagen,Nov 2022,\n'
    "Ritz,Cook,,,Mar 2019,Aug 2022\n"
)
FILES = {
    "Profile.csv": "First Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,"
    "Zip Code,Geo Location,Twitter Handles,Websites,Instant Messengers\n"
    'Ann,Lee,,,Apr 22,Head Cook,Cooks fish.,,,"Copenhagen, Denmark",,[BLOG:https://ann.example],\n',
    "Positions.csv": POSITIONS,
    "Education.csv": "School Name,Start Date,End Date,Notes,Degree Name,Activities\n"
    "Cooking School,2015,2018,With honours,Diploma,\n",
    "Skills.csv": "Name\nFish\nSauces\n",
    "Languages.csv": "Name,Proficiency\nDanish,Native or bilingual proficiency\n",
    "Certifications.csv": "Name,Url,Authority,Started On,Finished On,License Number\n"
    "Food Safety,,City,Jan 2022,,\n",
    "Email Addresses.csv": "Email Address,Confirmed,Primary,Updated On\n"
    'old@x.example,Yes,No,"1/1/18, 5:18 AM"\nann@x.example,Yes,Yes,"1/1/19, 5:18 AM"\n',
    "Connections.csv": "Notes:\nFirst Name\nBob\n",
}


def pack(files: dict[str, str], folder: str = "") -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{folder}{name}", "\ufeff" + text)
    return target.getvalue()


WORK = [
    {
        "name": "Noma",
        "position": "Head Cook",
        "location": "Copenhagen",
        "startDate": "2022-11",
        "summary": "Fish, and sauces",
    },
    {"name": "Ritz", "position": "Cook", "startDate": "2019-03", "endDate": "2022-08"},
]


@pytest.mark.parametrize("folder", ["", "Basic_LinkedInDataExport_11-04-2025/"])
async def test_linkedins_archive_becomes_a_resume_without_a_model(folder: str) -> None:
    file = await read_resume_file(pack(FILES, folder), "export.zip", Limits())

    assert file.data == {
        "basics": {
            "name": "Ann Lee",
            "label": "Head Cook",
            "email": "ann@x.example",
            "url": "https://ann.example",
            "summary": "Cooks fish.",
            "location": {"city": "Copenhagen, Denmark"},
        },
        "work": WORK,
        "education": [
            {
                "institution": "Cooking School",
                "studyType": "Diploma",
                "startDate": "2015",
                "endDate": "2018",
                "notes": "With honours",
            }
        ],
        "skills": [{"name": "Fish"}, {"name": "Sauces"}],
        "languages": [{"language": "Danish", "fluency": "Native or bilingual proficiency"}],
        "certificates": [{"name": "Food Safety", "issuer": "City", "date": "Jan 2022"}],
    }
    assert "Bob" not in file.raw_text


async def test_one_file_of_linkedins_archive_is_read_alone() -> None:
    file = await read_resume_file(POSITIONS.encode(), "Positions.csv", Limits())
    assert file.data == {"work": WORK}

    other = await read_resume_file(b"Company,Job\nNoma,Cook\n", "Positions.csv", Limits())
    assert (other.format, other.data) == ("text", None)


async def test_another_zip_or_a_large_table_is_refused() -> None:
    for files in ({"Connections.csv": "a\n"}, {"Positions.csv": POSITIONS + "a,b\n" * 200_000}):
        with pytest.raises(InputError):
            await read_resume_file(pack(files), "export.zip", Limits())
