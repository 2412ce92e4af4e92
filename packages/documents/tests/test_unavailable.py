"""A reader that cannot work at all: nothing is said of the file, and the operator learns why."""

from __future__ import annotations

import logging
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from packages.documents.tests.samples import make_pdf
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError, ServiceUnavailable
from plainloop_documents.reading.files import read_file
from plainloop_documents.writing.document import write_document

LIMITS = Limits()
PYTHON = shlex.quote(sys.executable)
PDF = make_pdf("Ann Lee", "Engineer at Acme since 2019, before that at Globex.")
CHILD = "plainloop_documents.child"
# The interpreter with a library that cannot be imported, or fails while it is imported.
WITHOUT = f"""\
import runpy, sys
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "pdfminer":
            raise OSError("libmissing.so: cannot open shared object file")
sys.{{}}
sys.argv = ["child", sys.argv[1]]
runpy.run_module("{CHILD}", run_name="__main__")
"""

MakeProgram = Callable[[str], None]


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> MakeProgram:
    """A factory: the program of these lines stands where the interpreter stood."""

    def make(lines: str) -> None:
        path = tmp_path / "python"
        path.write_text(f"#!/bin/sh\n{lines}\n")
        path.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(path))

    return make


def without_library(how: str) -> str:
    return f"shift 3\nexec {PYTHON} -I -c {shlex.quote(WITHOUT.format(how))} " + '"$@"'


# What stands where the interpreter stood, and what the log says.
PROGRAMS = {
    "a frozen application": ("echo 'no such option: -I' >&2; exit 2", "no such option: -I"),
    "an application that prints": ("echo usage: app", "exited with 0"),
    "an interpreter without plainloop": (f"exec {PYTHON} -I -S -m {CHILD}", "No module named"),
    "a missing library": (
        without_library('modules["pdfminer"] = None'),
        "ModuleNotFoundError: No module named 'pdfminer",
    ),
    "a library whose own library is missing": (
        without_library("meta_path.insert(0, Broken())"),
        "OSError: libmissing.so",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
async def test_an_unavailable_reader_is_not_reported_as_a_damaged_file(
    name: str, program: MakeProgram, caplog: pytest.LogCaptureFixture
):
    lines, reason = PROGRAMS[name]
    program(lines)
    for _ in range(3):
        with pytest.raises(ServiceUnavailable) as caught:
            await read_file(PDF, "cv.pdf", LIMITS)
        assert caught.value.code == "READER_UNAVAILABLE"
        assert "damaged" not in caught.value.message

    (record,) = [r for r in caplog.records if r.message == "reader_unavailable"]
    assert record.levelno == logging.ERROR
    assert reason in record.__dict__["reason"]


async def test_a_missing_interpreter_is_reported_as_a_service_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))

    with pytest.raises(ServiceUnavailable) as read:
        await read_file(PDF, "cv.pdf", LIMITS)
    with pytest.raises(ServiceUnavailable) as written:
        await write_document("Letter", "Dear Ann", "pdf", LIMITS)
    assert read.value.code == written.value.code == "READER_UNAVAILABLE"


async def test_texts_are_read_if_the_pdf_library_is_missing(program: MakeProgram):
    program(without_library('modules["pdfminer"] = None'))

    assert (await read_file(b"some words", "a.txt", LIMITS)).text == "some words"


async def test_a_damaged_file_is_not_reported_as_a_service_failure(program: MakeProgram):
    program(f'exec {PYTHON} "$@"')

    assert (await read_file(PDF, "cv.pdf", LIMITS)).pages == 1
    with pytest.raises(InputError) as caught:
        await read_file(PDF[:300], "cv.pdf", LIMITS)
    assert caught.value.code == "FILE_CORRUPT"


async def test_the_reader_works_under_a_containers_lower_limits(program: MakeProgram):
    program(f'ulimit -c 0; ulimit -t 9; ulimit -v 900000; exec {PYTHON} "$@"')

    assert (await read_file(PDF, "cv.pdf", replace(LIMITS, upload_parse_s=20))).pages == 1
