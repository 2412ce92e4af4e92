"""What `plainloop resume` does: see the structured résumé, and put it right."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import orjson

from plainloop.agent.errors import InputError
from plainloop.agent.packs.commands import LOCAL
from plainloop.agent.packs.terminal import Terminal
from plainloop.agent.store.database import Row
from plainloop_documents.reading.document import parse_text

from ..files import parse_json
from .corrections import change_resume, load_version, replace_resume
from .review import list_doubts
from .shape import parse_resume_data

PACK = "careers"
_EDITED = "the edited résumé"


async def show(terminal: Terminal, tenant_id: str, version: int | None, as_json: bool) -> None:
    """Print the résumé's values with their paths, then what the user should check."""
    row = await _load(terminal, tenant_id, version)
    if as_json:
        terminal.say(_to_json(row["data"]))
        return
    kind = " · corrected by hand" if row["is_corrected"] else ""
    terminal.remark(f"résumé, version {row['version']} · {row['name']}{kind}")
    if row["data"] is None:
        terminal.remark("not parsed yet: run `plainloop import resume` with a model")
        return
    places = dict(list_values(row["data"]))
    width = min(max(map(len, places), default=0), 32)
    for place, value in places.items():
        terminal.say(f"{place:<{width}}  {value}")
    remark_doubts(terminal, row["data"], row["raw_text"], is_corrected=row["is_corrected"])


async def set_value(terminal: Terminal, tenant_id: str, place: str, value: str | None) -> None:
    """Set a value of the résumé as a new version; None removes the value.

    A JSON object or list is taken as such.
    """
    is_json = value is not None and value.lstrip().startswith(("{", "["))
    taken = parse_json(cast(str, value), "the value") if is_json else value
    async with terminal.open_store(PACK) as store, store.transaction(tenant_id) as tx:
        version = await change_resume(tx, (tenant_id, LOCAL), None, {place: taken})
    terminal.say(f"résumé, version {version}: {place} {'removed' if value is None else 'set'}")


async def edit(terminal: Terminal, tenant_id: str) -> None:
    """Let the user edit the résumé as JSON in $EDITOR, until it is valid, and store it."""
    row = await _load(terminal, tenant_id, None)
    before = text = _to_json(row["data"] or {})
    while True:
        edited = await _open_editor(text)
        if edited.strip() in (before.strip(), text.strip()):
            terminal.remark("nothing was changed")
            return
        text = edited
        try:
            data = parse_resume_data(parse_json(text, _EDITED))
            break
        except InputError as error:
            terminal.remark(f"{error.message}: correct the text, or save it unchanged to cancel")
    async with terminal.open_store(PACK) as store, store.transaction(tenant_id) as tx:
        version = await replace_resume(tx, (tenant_id, LOCAL), row["version"], data)
    terminal.say(f"résumé, version {version}: corrected")


async def _open_editor(text: str) -> str:
    """Open the text in the user's editor and return it as edited.

    Raises: InputError when there is no editor.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "resume.json"
        path.write_text(text, encoding="utf-8")
        try:
            editor = await asyncio.create_subprocess_exec(*shlex.split(command), path)
        except (OSError, ValueError) as error:
            hint = "Set EDITOR to your editor, or change single values with `resume set`."
            raise InputError(f"the editor {command!r} cannot be started", hint=hint) from error
        await editor.wait()
        return parse_text(path.read_bytes(), _EDITED)  # some editors write a BOM, or no UTF-8


def remark_doubts(
    terminal: Terminal, data: dict[str, Any], raw_text: str, *, is_corrected: bool = False
) -> None:
    """Print what the user should check in a parsed résumé, and how to correct it."""
    doubts = list_doubts(data, raw_text, is_corrected=is_corrected)
    for doubt in doubts:
        terminal.remark(f"please check: {doubt}")
    if doubts:
        terminal.remark(
            "`plainloop resume show` shows everything; `resume set` and `resume edit` correct it"
        )


def list_values(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield (path, text) for each value inside a JSON value that is not empty.

    >>> list(list_values({"basics": {"name": "Ann"}, "skills": [{"keywords": ["SQL"]}]}))
    [('basics.name', 'Ann'), ('skills[0].keywords[0]', 'SQL')]
    """
    if isinstance(value, dict):
        for key, item in cast(dict[str, Any], value).items():
            yield from list_values(item, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for index, item in enumerate(cast(list[Any], value)):
            yield from list_values(item, f"{place}[{index}]")
    elif value not in (None, ""):
        yield place, " ".join(str(value).split())


async def _load(terminal: Terminal, tenant_id: str, version: int | None) -> Row:
    async with terminal.open_store(PACK) as store:
        return await load_version(store.read(tenant_id), (tenant_id, LOCAL), version)


def _to_json(data: Any) -> str:
    return orjson.dumps(data, option=orjson.OPT_INDENT_2).decode()
