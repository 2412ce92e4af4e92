"""`plainloop resume`: what was understood of a résumé, and putting it right."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command

TEXT = b"""Ann Lee
ann@example.org

Experience
Cook, Noma (2019-2022)
- Plated a thousand
events a day
"""
RESUME = {"basics": {"name": "Lebenslauf"}, "work": [{"name": "Noma", "position": "Cook"}]}


async def write_json(plainloop: Command) -> None:
    (plainloop.folder / "cv.json").write_text(json.dumps(RESUME))
    done = await plainloop("import", "resume", "cv.json")
    assert "please check: basics.name" in done.err
    assert "`plainloop resume show` shows everything" in done.err


async def test_resume_values_are_shown_with_the_path_that_sets_them(plainloop: Command):
    await write_json(plainloop)
    shown = await plainloop("resume", "show")
    named = await plainloop("resume", "set", "basics.name", "Ann Lee")
    dated = await plainloop("resume", "set", "work[0].startDate", "2019")
    added = await plainloop("resume", "set", "skills[+]", '{"name": "Fish"}')
    taken = await plainloop("resume", "set", "work[0].position")
    after = await plainloop("resume", "show")
    as_json = await plainloop("resume", "show", "--json")

    assert "work[0].name      Noma\n" in shown.out
    assert "please check: basics.name" in shown.err
    assert named.out == "résumé, version 2: basics.name set\n"
    assert (dated.code, added.code) == (0, 0)
    assert taken.out == "résumé, version 5: work[0].position removed\n"
    assert [line.split("  ")[0] for line in after.out.splitlines()] == [
        *("basics.name", "work[0].name", "work[0].startDate", "skills[0].name")
    ]
    assert "corrected by hand" in after.err
    assert json.loads(as_json.out)["skills"] == [{"name": "Fish"}]


async def test_invalid_resume_values_are_refused_and_change_nothing(plainloop: Command):
    none_yet = await plainloop("resume", "show")
    await write_json(plainloop)
    refused = [
        await plainloop("resume", "set", "work[7].name", "X"),
        await plainloop("resume", "set", "work[0].highlights", "not a list"),
        await plainloop("resume", "set", "skills[+]", "{broken"),
        await plainloop("resume", "show", "--version", "9"),
    ]

    assert (none_yet.code, "there is no résumé yet" in none_yet.err) == (3, True)
    assert [done.code for done in refused] == [2, 2, 2, 3]
    assert "version 1" in (await plainloop("resume", "show")).err


def write_editor(folder: Path, script: str) -> str:
    head = "import pathlib, sys\npath = pathlib.Path(sys.argv[1])\ntext = path.read_text()\n"
    (folder / "edit.py").write_text(head + script)
    return "python3 edit.py"


async def test_resume_edit_reopens_the_editor_after_invalid_json(plainloop: Command):
    await write_json(plainloop)
    good = write_editor(plainloop.folder, "path.write_text(text.replace('Cook', 'Chef'))")
    done = await plainloop("resume", "edit", EDITOR=good)
    same = await plainloop("resume", "edit", EDITOR="true")
    twice = write_editor(
        plainloop.folder,
        "path.write_text(text.replace('}~', '}') if '~' in text else text.rstrip() + '~')",
    )
    broken = await plainloop("resume", "edit", EDITOR=twice)

    assert done.out == "résumé, version 2: corrected\n"
    assert "work[0].position  Chef\n" in (await plainloop("resume", "show")).out
    assert (same.out, same.err) == ("", "nothing was changed\n")
    assert "correct the text, or save it unchanged to cancel" in broken.err
    assert "nothing was changed" in broken.err


async def test_resume_edit_takes_what_windows_editors_save(plainloop: Command):
    await write_json(plainloop)
    for encoding, name in (("utf-8-sig", "Änne"), ("cp1252", "Zoë"), ("utf-16", "Łucja")):
        script = f"text = text.replace('Cook', {name!r}, 1).replace('Änne', {name!r})"
        script += f".replace('Zoë', {name!r})\npath.write_bytes(text.encode({encoding!r}))"
        done = await plainloop("resume", "edit", EDITOR=write_editor(plainloop.folder, script))

        assert (done.code, "corrected" in done.out) == (0, True), done.err
        assert f"work[0].position  {name}\n" in (await plainloop("resume", "show")).out


async def test_importing_a_resume_shows_its_fields_and_doubts(plainloop: Command):
    done = await plainloop("import", "resume", "-", stdin=TEXT)
    shown = await plainloop("resume", "show")
    assert done.out.startswith("résumé, version 1: Ann Lee · 1 in work")
    assert "basics.email" in shown.out
    assert "work[0].highlights[0]  Plated a thousand events a day" in shown.out
