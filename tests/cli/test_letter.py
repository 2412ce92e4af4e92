"""`plainloop letter`: a stored document becomes a file; what cannot be is one line."""

from __future__ import annotations

from pathlib import Path

import pypdf

from agent.core.persistence import Store
from agent.packs.careers.store import save_document
from tests.cli.conftest import Command


async def test_a_letter_is_written_in_the_format_of_the_files_name(
    plainloop: Command, store: Store, tmp_path: Path
):
    async with store.transaction("local") as db:
        await save_document(
            db,
            "local",
            "local",
            kind="cover_letter",
            title="Letter",
            content="Dear Acme,\n\nHello.",
        )
    pdf, odd = tmp_path / "letter.pdf", tmp_path / "letter.odt"
    done = await plainloop("letter", "1", str(pdf))
    unknown = await plainloop("letter", "1", str(odd))
    missing = await plainloop("letter", "9", str(pdf))

    assert (done.code, done.out) == (0, f"Letter, version 1 → {pdf}\n")
    assert "Dear Acme," in pypdf.PdfReader(pdf).pages[0].extract_text()
    assert (unknown.code, missing.code, odd.exists()) == (2, 3, False)
