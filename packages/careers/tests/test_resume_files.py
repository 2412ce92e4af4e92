"""Résumés as people write them, from the file to the structure that letters are made from."""

from __future__ import annotations

from typing import Any

import pytest

from packages.careers.tests.resume_files import Sample, list_samples
from plainloop.agent.config.settings import Limits
from plainloop_careers.offline.resumes import parse_resume
from plainloop_documents.reading.files import read_file

SAMPLES = list_samples()


async def read(sample: Sample) -> dict[str, Any]:
    return parse_resume((await read_file(sample.content, sample.file, Limits())).text)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.file)
async def test_resume_files_of_any_layout_give_person_jobs_and_schools(sample: Sample):
    resume = await read(sample)

    assert resume["basics"].get("name", "") == sample.name
    assert [
        tuple(post.get(key) for key in ("position", "name", "startDate", "endDate"))
        for post in resume["work"]
    ] == sample.work
    assert [item.get("institution") for item in resume.get("education", [])] == sample.schools


@pytest.mark.parametrize(
    "sample", [item for item in SAMPLES if item.highlight], ids=lambda sample: sample.file
)
async def test_resume_sentences_split_over_lines_are_joined(sample: Sample):
    lines = [line for post in (await read(sample))["work"] for line in post.get("highlights", [])]

    (line,) = [line for line in lines if sample.highlight in line]
    assert not line.startswith(sample.highlight)
    assert not [line for line in lines if line[0].islower()]
